// Buttons above the lines: run, test, explore.
import { type EditorState, type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { type Command, Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { changed, later } from './later';
import { pick } from './picker';
import { ask, session } from './session';

const same = (a: lsp.Command[], b: lsp.Command[]): boolean => a.length === b.length && a.every((one, index) =>
  one.title === b[index]?.title && one.command === b[index].command
  && JSON.stringify(one.arguments) === JSON.stringify(b[index].arguments));

const coarse = matchMedia('(pointer: coarse)');

class Row extends WidgetType {
  constructor(readonly commands: lsp.Command[], readonly indent: number) {
    super();
  }

  override eq(other: Row): boolean {
    return this.indent === other.indent && same(this.commands, other.commands);
  }

  override get estimatedHeight(): number {
    return coarse.matches ? 30 : 18;
  }

  override ignoreEvent(): boolean {
    return true;
  }

  override toDOM(view: EditorView): HTMLElement {
    const row = document.createElement('div');
    row.className = 'psl-lenses';
    row.append(' '.repeat(this.indent));
    for (const { title, command, arguments: args } of this.commands) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'psl-lens';
      button.textContent = title;
      // The Tab key stays in the text. Alt-Enter lists the lenses of a line.
      button.tabIndex = -1;
      button.addEventListener('click', () => view.state.facet(session)?.command(command, args ?? []));
      row.append(button);
    }
    return row;
  }
}

type Change = { add: Range<Decoration>[]; remove: Set<Row> };
const change = StateEffect.define<Change>();

/** The lines that get lenses, in a program without errors. */
const EXPECTED = /^\s*(?:where(?:_lm|_rm)?\b|(?:\/\/|#)@\s*(?:test|law)\b)/;
/** The most lines that are looked at: those in view. */
const LINES = 100;

/** Empty rows where the first answer is expected to have lenses, so that the text stays where it is. */
function expected({ doc }: EditorState): DecorationSet {
  const rows: Range<Decoration>[] = [];
  for (let number = 1; number <= Math.min(doc.lines, LINES); number += 1) {
    const { from, text } = doc.line(number);
    if (number === 1 || EXPECTED.test(text)) rows.push(rowAt(from, new Row([], 0)));
  }
  return Decoration.set(rows);
}

const rowAt = (at: number, widget: Row): Range<Decoration> => Decoration.widget({ widget, block: true, side: -1 }).range(at);

const field = StateField.define<DecorationSet>({
  create: expected,
  update(set, { changes, effects }) {
    let now = set.map(changes);
    for (const it of effects) {
      if (!it.is(change)) continue;
      const { add, remove } = it.value;
      if (remove.size > 0) now = now.update({ filter: (_from, _to, { spec }) => !remove.has(spec['widget'] as Row) });
      now = now.update({ add, sort: true });
    }
    return now;
  },
  provide: (it) => EditorView.decorations.from(it),
});

const question = later({
  method: 'textDocument/codeLens',
  pause: 100,
  needs: changed,
  ask: (view) => ask<lsp.CodeLens[], true>(view, 'textDocument/codeLens', {}, (answer) => {
    const rows = new Map<number, lsp.Command[]>();
    for (const { range, command } of answer.result) {
      if (!command) continue;
      const at = answer.now.lineAt(answer.at(range.start)).from;
      rows.get(at)?.push(command) ?? rows.set(at, [command]);
    }
    void show(view, difference(view, rows));
    return true;
  }),
});

/** The most rows that appear at once. Each changes the height of the text, so thousands would take long. */
const MOST = 300;

/** Shows rows, those near the view first. */
async function show(view: EditorView, { add, remove }: Change): Promise<void> {
  const { doc } = view.state;
  const { from } = view.viewport;
  const sorted = add.sort((a, b) => Math.abs(a.from - from) - Math.abs(b.from - from));
  if (remove.size > 0) view.dispatch({ effects: change.of({ add: [], remove }) });
  // After an edit, the server is asked again.
  for (let next = 0; next < sorted.length && view.state.doc === doc; next += MOST) {
    view.dispatch({ effects: change.of({ add: sorted.slice(next, next + MOST), remove: new Set() }) });
    await new Promise((resolve) => { setTimeout(resolve); });
  }
}

/** The rows that are new or gone. Most edits change none. */
function difference(view: EditorView, rows: Map<number, lsp.Command[]>): Change {
  const { doc } = view.state;
  const remove = new Set<Row>();
  for (let it = RangeSet.iter([view.state.field(field)]); it.value; it.next()) {
    const old = it.value.spec['widget'] as Row;
    const commands = rows.get(it.from);
    if (commands && same(commands, old.commands)) rows.delete(it.from);
    else remove.add(old);
  }
  const add = [...rows].sort(([a], [b]) => a - b).map(([at, commands]) => {
    const indent = /^\s*/.exec(doc.lineAt(at).text)?.[0].length ?? 0;
    return rowAt(at, new Row(commands, indent));
  });
  return { add, remove };
}

export const lenses = [field, question];

/** Lists the lenses of the line of the cursor, or of the nearest line above. */
export const listLenses: Command = (view) => {
  const { head } = view.state.selection.main;
  let commands: lsp.Command[] = [];
  view.state.field(field, false)?.between(0, view.state.doc.lineAt(head).to, (_from, _to, { spec }) => {
    ({ commands } = spec['widget'] as Row);
  });
  if (commands.length === 0) return false;
  pick(view, {
    label: 'Actions of this line',
    items: commands.map(({ title, command, arguments: args }) =>
      ({ label: title, pick: () => view.state.facet(session)?.command(command, args ?? []) })),
  });
  return true;
};
