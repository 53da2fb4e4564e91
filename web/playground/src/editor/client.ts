// The client of the language server, with all that the editor offers.
import { LSPClient } from '@codemirror/lsp-client';
import type * as lsp from 'vscode-languageserver-protocol';
import { psl } from './language';
import { MODIFIERS, TYPES } from './text/tokens';

/** What the client of CodeMirror does not announce itself. */
const capabilities = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    synchronization: { dynamicRegistration: false },
    completion: { completionItem: { resolveSupport: { properties: ['documentation'] } } },
    publishDiagnostics: { versionSupport: true, relatedInformation: true, codeDescriptionSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source', 'source.fixAll'] } },
      isPreferredSupport: true, disabledSupport: true,
    },
    codeLens: {},
    inlayHint: {},
    semanticTokens: { requests: { range: true }, formats: ['relative'], tokenTypes: TYPES, tokenModifiers: MODIFIERS },
    foldingRange: { lineFoldingOnly: false },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    documentHighlight: {},
    documentLink: { tooltipSupport: true },
    selectionRange: {},
    rename: { prepareSupport: true },
    rangeFormatting: {},
    onTypeFormatting: {},
    callHierarchy: {},
  },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceEdit: { documentChanges: true, snippetEditSupport: true },
    codeLens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    executeCommand: {},
  },
  window: { workDoneProgress: true, showDocument: { support: true } },
} satisfies Record<string, object>;

/** A search may take a minute and a run as long as it likes. This is the longest time of a timer. */
const NEVER_MS = 2 ** 31 - 1;

export interface Handlers {
  diagnostics(client: LSPClient, params: lsp.PublishDiagnosticsParams): boolean;
  message(params: lsp.ShowMessageParams): void;
}

export const newClient = ({ diagnostics, message }: Handlers): LSPClient => new LSPClient({
  timeout: NEVER_MS,
  initializationOptions: { showResults: false, showStatus: false },
  highlightLanguage: (name) => (name === 'psl' ? psl : null),
  extensions: [{
    clientCapabilities: capabilities,
    notificationHandlers: {
      'textDocument/publishDiagnostics': diagnostics,
      'window/showMessage': (_client, params: lsp.ShowMessageParams) => {
        message(params);
        return true;
      },
    },
  }],
});
