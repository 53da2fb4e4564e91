// The colors of the server, for the lines in view.
import { Prec, RangeSetBuilder, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { later } from './later';
import { ask, session } from './session';
import { rangeOf } from './text/edits';
import { decode, ROWS } from './text/tokens';

/** Lines above and below the view that are colored as well. */
const MARGIN = 60;

interface Colored { set: DecorationSet; from: number; to: number }

const show = StateEffect.define<Colored>();
const marks = new Map(Object.values(ROWS).map((row) => [row, Decoration.mark({ class: `psl-${row}` })]));

const colors = ViewPlugin.fromClass(class {
  colored: Colored = { set: Decoration.none, from: 0, to: 0 };

  update({ changes, docChanged, transactions }: ViewUpdate): void {
    const { set, from, to } = this.colored;
    if (docChanged) this.colored = { set: set.map(changes), from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) };
    for (const { effects } of transactions) for (const it of effects) if (it.is(show)) this.colored = it.value;
  }

  covers({ from, to }: { from: number; to: number }): boolean {
    return this.colored.from <= from && to <= this.colored.to;
  }
}, { decorations: (plugin) => plugin.colored.set });

function inView(view: EditorView): { from: number; to: number } {
  const { state: { doc }, viewport } = view;
  const [first, last] = [doc.lineAt(viewport.from).number, doc.lineAt(viewport.to).number];
  return { from: doc.line(Math.max(1, first - MARGIN)).from, to: doc.line(Math.min(doc.lines, last + MARGIN)).to };
}

const question = later({
  method: 'textDocument/semanticTokens',
  pause: 50,
  needs: ({ docChanged, viewportChanged, view }) =>
    docChanged || (viewportChanged && !view.plugin(colors)?.covers(view.viewport)),
  ask(view) {
    const { from, to } = inView(view);
    const range = rangeOf(view.state.doc, from, to);
    return ask<lsp.SemanticTokens, true>(view, 'textDocument/semanticTokens/range', { range }, (answer) => {
      const legend = view.state.facet(session)?.client.serverCapabilities?.semanticTokensProvider?.legend;
      const builder = new RangeSetBuilder<Decoration>();
      for (const { line, character, length, row } of legend ? decode(answer.result.data, legend) : []) {
        const mark = marks.get(row);
        const at = answer.range({ start: { line, character }, end: { line, character: character + length } });
        if (mark && at && at.from < at.to) builder.add(at.from, at.to, mark);
      }
      view.dispatch({ effects: show.of({ set: builder.finish(), from: answer.at(range.start), to: answer.at(range.end, 1) }) });
      return true;
    });
  },
});

// The innermost color wins, so these go inside those of the simple tokenizer.
export const semanticTokens = [Prec.highest(colors), question];
