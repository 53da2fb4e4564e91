// The colors of the server, for the lines in view.
import { Prec, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type EditorView } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { later } from './later';
import { ask, session } from './session';
import { type Part, shownPart } from './shown';
import { rangeOf } from './text/edits';
import { decode, ROWS } from './text/tokens';

/** Lines above and below the view that are colored as well. */
const MARGIN = 60;

const colors = shownPart();
const marks = new Map(Object.values(ROWS).map((row) => [row, Decoration.mark({ class: `psl-${row}` })]));

function inView(view: EditorView): Part {
  const { state: { doc }, viewport } = view;
  const [first, last] = [doc.lineAt(viewport.from).number, doc.lineAt(viewport.to).number];
  return { from: doc.line(Math.max(1, first - MARGIN)).from, to: doc.line(Math.min(doc.lines, last + MARGIN)).to };
}

const question = later({
  method: 'textDocument/semanticTokens',
  pause: 50,
  needs: colors.needs,
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
      colors.show(view, { set: builder.finish(), from: answer.at(range.start), to: answer.at(range.end, 1) });
      return true;
    });
  },
});

// The innermost color wins, so these go inside those of the simple tokenizer.
export const semanticTokens = [Prec.highest(colors.plugin), question];
