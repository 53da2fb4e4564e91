// Marks of the name at the cursor, everywhere: reads, writes and mentions.
import { type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { later } from './later';
import { ask } from './session';
import { positionOf } from './text/edits';

const show = StateEffect.define<DecorationSet>();
const marks = [1, 2, 3].map((kind) => Decoration.mark({ class: `psl-same psl-same-${['text', 'read', 'write'][kind - 1]}` }));

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, { changes, effects }) {
    let now = set.map(changes);
    for (const it of effects) if (it.is(show)) now = it.value;
    return now;
  },
  provide: (it) => EditorView.decorations.from(it),
});

const question = later({
  method: 'textDocument/documentHighlight',
  pause: 120,
  needs: ({ docChanged, selectionSet }) => docChanged || selectionSet,
  async ask(view) {
    const { main } = view.state.selection;
    const found = await ask<lsp.DocumentHighlight[], Range<Decoration>[]>(view, 'textDocument/documentHighlight', { position: positionOf(view.state.doc, main.head) }, (answer) =>
      answer.result.flatMap(({ range, kind }) => {
        const at = answer.range(range);
        const mark = marks[(kind ?? 1) - 1];
        return at && mark && at.from < at.to ? [mark.range(at.from, at.to)] : [];
      }));
    const next = Decoration.set(found ?? [], true);
    if (!RangeSet.eq([view.state.field(field)], [next])) view.dispatch({ effects: show.of(next) });
    // A place without a name has no answer.
    return true;
  },
});

export const highlights = [field, question];
