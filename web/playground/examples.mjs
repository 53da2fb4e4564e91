// Collects the examples and the steps of the tutorial for the playground.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns `{ name, title, group, text }` for each program, in the order of the book. */
export const collect = (root) => [...examples(join(root, 'examples')), ...steps(join(root, 'docs'))];

/** The program that `psl new` writes. */
export const skeleton = (root) => readFileSync(join(root, 'psl-ide/src/skeleton.psl'), 'utf8');

/** The order is that of the table in the README, which goes from easy to hard. */
function examples(folder) {
  const table = readFileSync(join(folder, 'README.md'), 'utf8');
  const listed = [...table.matchAll(/^\| \[\w+\]\((\w+\.psl)\)/gm)].map(([, file]) => file);
  const files = readdirSync(folder).filter((file) => file.endsWith('.psl')).sort();
  return [...new Set([...listed, ...files])].map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return { name: file.slice(0, -4), title: firstComment(text), group: 'examples', text };
  });
}

const firstComment = (text) => /^# (.*?)[.:]?$/m.exec(text)?.[1] ?? '';

function steps(docs) {
  const summary = readFileSync(join(docs, 'SUMMARY.md'), 'utf8');
  // The pages share a folder, so that one may continue a file of another.
  const files = new Map();
  return [...summary.matchAll(/\]\((tutorial\/[\w-]+\.md)\)/g)]
    .flatMap(([, page]) => stepsOf(readFileSync(join(docs, page), 'utf8'), files));
}

/** The programs of a page, each under the title of the page and its section. */
function stepsOf(page, files) {
  const found = [];
  let title = '';
  let section = '';
  const add = (file, text) => {
    files.set(file, text);
    if (!file.endsWith('.psl')) return;
    const whole = section === '' ? title : `${title}: ${section}`;
    const times = found.filter((step) => step.whole === whole).length + 1;
    found.push({ name: file.slice(0, -4), whole, title: times === 1 ? whole : `${whole} (${times})`, group: 'tutorial', text });
  };
  let directive = null;
  for (const { heading, level, mark, block, text } of partsOf(page)) {
    if (heading !== undefined) {
      if (level === 1) title = heading;
      else section = heading;
    } else if (mark !== undefined) {
      directive = mark;
    } else {
      const [, action, file] = /^(file|append) ([^\s,]+)/.exec(directive ?? '') ?? [];
      if (action === 'file') add(file, text);
      if (action === 'append') add(file, `${files.get(file) ?? ''}\n${text}`);
      if (block === 'sh' || block === 'console') copies(text, files);
      directive = null;
    }
  }
  return found.map(({ whole, ...step }) => step);
}

/** Follows commands that copy a file. */
function copies(text, files) {
  for (const [, from, to] of text.matchAll(/^(?:\$ )?cp (\S+) (\S+)$/gm)) {
    if (files.has(from)) files.set(to, files.get(from));
  }
}

/** The headings, directives and blocks of a page, in the form that `tests/book/blocks.rs` reads. */
function* partsOf(page) {
  const lines = page.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    const heading = /^(#{1,3}) (.+)$/.exec(line);
    const mark = /^<!-- (.+) -->$/.exec(line);
    const fence = /^(`{3,})([^`]*)$/.exec(line);
    if (heading) yield { heading: heading[2].replaceAll('`', ''), level: heading[1].length };
    else if (mark) yield { mark: mark[1] };
    else if (fence) {
      const end = lines.findIndex((other, index) => index > at && /^`+$/.test(other.trim()) && other.trim().length >= fence[1].length);
      if (end < 0) throw new Error(`a block has no end: ${line}`);
      yield { block: fence[2].trim(), text: lines.slice(at + 1, end).map((text) => `${text}\n`).join('') };
      at = end;
    }
  }
}
