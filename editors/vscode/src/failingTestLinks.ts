// Links in the hover of a failing test: to the explorer, the debugger and the table of its run.
import { type Disposable, Hover, languages, MarkdownString } from 'vscode';
import { toRange } from './convert';
import type { TestExplorer } from './testExplorer';
import { codeOf } from './words';

const LINKS = { Explore: 'psl.explore', Debug: 'psl.debug', 'Show Table': 'psl.showTable' };

export function failingTestLinks(explorer: TestExplorer): Disposable {
  return languages.registerHoverProvider('psl', {
    async provideHover({ uri }, position) {
      const found = languages.getDiagnostics(uri).find(({ code, range }) => codeOf(code) === 'failing-test' && range.contains(position));
      if (!found) return undefined;
      const test = (await explorer.entriesOf(uri)).find(({ range }) => toRange(range).contains(position));
      if (!test) return undefined;
      const argument = encodeURIComponent(JSON.stringify([{ uri: uri.toString(), test: test.index }]));
      const links = Object.entries(LINKS).map(([title, command]) => `[${title}](command:${command}?${argument})`);
      const text = new MarkdownString(links.join(' · '));
      text.isTrusted = { enabledCommands: Object.values(LINKS) };
      return new Hover(text, found.range);
    },
  });
}
