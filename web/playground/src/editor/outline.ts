// The symbols of the program, to choose from.
import type { Command } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { reveal } from './apply';
import { type Item, pick } from './picker';
import { askOrSay, session } from './session';

export const outline: Command = (view) => {
  void askOrSay<lsp.DocumentSymbol[], void>(view, 'textDocument/documentSymbol', {}, (answer) => {
    const list = (symbols: readonly lsp.DocumentSymbol[], depth: number): Item[] => symbols.flatMap(({ name, detail, selectionRange, children }) => [
      { label: name, depth, ...(detail ? { detail } : {}), pick: () => reveal(view, answer.at(selectionRange.start)) },
      ...list(children ?? [], depth + 1),
    ]);
    const items = list(answer.result, 0);
    if (items.length === 0) return view.state.facet(session)?.say('info', 'This program has no symbols yet.');
    pick(view, { label: 'Symbols of the program', items, filter: true });
  });
  return true;
};
