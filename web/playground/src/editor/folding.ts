// Folding by the ranges of the server.
import { codeFolding, foldGutter, foldKeymap, foldService } from '@codemirror/language';
import { RangeSet, RangeValue, StateEffect, StateField } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { changed, later } from './later';
import { ask } from './session';

class Foldable extends RangeValue {}

const foldable = new Foldable();
const show = StateEffect.define<RangeSet<Foldable>>();

const field = StateField.define<RangeSet<Foldable>>({
  create: () => RangeSet.empty,
  update(set, { changes, effects }) {
    let now = set.map(changes);
    for (const it of effects) if (it.is(show)) now = it.value;
    return now;
  },
});

const service = foldService.of((state, lineStart, lineEnd) => {
  let found: { from: number; to: number } | null = null;
  state.field(field).between(lineStart, lineEnd, (from, to) => {
    if (from < lineStart || from > lineEnd || to <= lineEnd) return;
    found = { from, to };
    return false;
  });
  return found;
});

const question = later({
  method: 'textDocument/foldingRange',
  pause: 200,
  needs: changed,
  ask: (view) => ask<lsp.FoldingRange[], true>(view, 'textDocument/foldingRange', {}, (answer) => {
    const ranges = answer.result.flatMap(({ startLine, startCharacter = Infinity, endLine, endCharacter = Infinity }) => {
      const at = answer.range({
        start: { line: startLine, character: startCharacter }, end: { line: endLine, character: endCharacter },
      });
      return at && at.from < at.to ? [foldable.range(at.from, at.to)] : [];
    });
    const next = RangeSet.of(ranges, true);
    if (!RangeSet.eq([view.state.field(field)], [next])) view.dispatch({ effects: show.of(next) });
    return true;
  }),
});

function marker(open: boolean): HTMLElement {
  const dom = document.createElement('span');
  dom.className = 'psl-fold';
  dom.textContent = open ? '▾' : '▸';
  dom.title = open ? 'Fold' : 'Unfold';
  return dom;
}

export const folding = [
  field, service, question, codeFolding(),
  foldGutter({
    markerDOM: marker,
    foldingChanged: ({ transactions }) => transactions.some(({ effects }) => effects.some((it) => it.is(show))),
  }),
  keymap.of(foldKeymap),
];
