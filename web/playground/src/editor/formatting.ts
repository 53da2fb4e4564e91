// Formatting of the program or the selection, and while typing.
import { getIndentUnit } from '@codemirror/language';
import { type Command, EditorView } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { applyEdits, CHANGED } from './apply';
import { ask, askOrSay, offers, session } from './session';
import { positionOf, rangeOf } from './text/edits';

const options = (view: EditorView): lsp.FormattingOptions => ({ tabSize: getIndentUnit(view.state), insertSpaces: true });

/** Formats the selection, or the whole program if nothing is selected. Rejects with the reason of the server. */
export async function format(view: EditorView): Promise<void> {
  const { from, to, empty } = view.state.selection.main;
  const [method, range] = empty
    ? ['textDocument/formatting', {}]
    : ['textDocument/rangeFormatting', { range: rangeOf(view.state.doc, from, to) }];
  await askOrSay<lsp.TextEdit[], void>(view, method, { options: options(view), ...range }, ({ result, unchanged }) => {
    if (!unchanged) return view.state.facet(session)?.say('warning', CHANGED);
    applyEdits(view, result, 'format');
  });
}

export const formatProgram: Command = (view) => {
  void format(view);
  return true;
};

/** The characters after which the server may move a line. */
const triggers = (view: EditorView): string[] => {
  const known = view.state.facet(session)?.client.serverCapabilities?.documentOnTypeFormattingProvider;
  return known ? [known.firstTriggerCharacter, ...(known.moreTriggerCharacter ?? [])] : [];
};

export const formatOnType = EditorView.updateListener.of(({ view, docChanged, transactions, state }) => {
  if (!docChanged || state.readOnly || !offers(view, 'documentOnTypeFormattingProvider')) return;
  let typed = '';
  for (const transaction of transactions) {
    if (!transaction.isUserEvent('input.type') && !transaction.isUserEvent('input')) continue;
    if (transaction.isUserEvent('input.complete') || transaction.isUserEvent('input.paste')) continue;
    transaction.changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => { typed = inserted.toString(); });
  }
  const ch = typed.startsWith('\n') && typed.trim() === '' ? '\n' : typed;
  if (!triggers(view).includes(ch)) return;
  const position = positionOf(state.doc, state.selection.main.head);
  // If more was typed before the answer, it is dropped.
  void ask<lsp.TextEdit[], void>(view, 'textDocument/onTypeFormatting', { position, ch, options: options(view) }, ({ result, unchanged }) => {
    if (unchanged && result.length > 0) applyEdits(view, result, 'format');
  }).catch(() => null);
});
