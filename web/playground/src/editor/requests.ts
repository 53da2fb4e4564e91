// What the server asks of the page.
import type { EditorView } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { applyWorkspaceEdit, reveal } from './apply';
import { type Answerer, Unknown } from './answers';
import { refresh } from './later';
import { harmless } from './markdown';
import { uriOf } from './session';
import { offsetOf, sameUri } from './text/edits';

const REFRESHED: Record<string, string> = {
  'workspace/inlayHint/refresh': 'textDocument/inlayHint',
  'workspace/codeLens/refresh': 'textDocument/codeLens',
  'workspace/semanticTokens/refresh': 'textDocument/semanticTokens',
  'workspace/foldingRange/refresh': 'textDocument/foldingRange',
};

/** Answers the requests of the server. There is no view before the editor is made. */
export const answers = (view: () => EditorView | null): Answerer => (method, params) => {
  const open = view();
  const refreshed = REFRESHED[method];
  if (refreshed !== undefined) {
    open?.dispatch({ effects: refresh.of(refreshed) });
    return null;
  }
  switch (method) {
    case 'workspace/configuration': return (params as lsp.ConfigurationParams).items.map(() => null);
    case 'client/registerCapability':
    case 'client/unregisterCapability':
    case 'window/workDoneProgress/create': return null;
    case 'workspace/workspaceFolders': return null;
    case 'workspace/applyEdit': {
      const { edit } = params as lsp.ApplyWorkspaceEditParams;
      return { applied: open !== null && applyWorkspaceEdit(open, edit, 'input.server') };
    }
    case 'window/showDocument': return { success: open !== null && showDocument(open, params as lsp.ShowDocumentParams) };
    default: throw new Unknown(`The page does not answer ${method}.`);
  }
};

function showDocument(view: EditorView, { uri, selection }: lsp.ShowDocumentParams): boolean {
  if (sameUri(uri, uriOf(view))) {
    const { doc } = view.state;
    if (selection) reveal(view, offsetOf(doc, selection.start), offsetOf(doc, selection.end));
    return true;
  }
  const url = harmless(uri);
  return url !== null && window.open(url.href, '_blank', 'noopener') !== null;
}
