// The productions that write what a production reads, and those that read what it writes.
import type { Command, EditorView } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { reveal } from './apply';
import { type Item, pick } from './picker';
import { askOrSay, session } from './session';
import { offsetOf, positionOf } from './text/edits';

const entry = (view: EditorView, what: string, { name, detail, selectionRange }: lsp.CallHierarchyItem): Item => ({
  label: `${what}: ${name}`,
  ...(detail === undefined ? {} : { detail }),
  pick: () => reveal(view, offsetOf(view.state.doc, selectionRange.start)),
});

async function list(view: EditorView, [item]: lsp.CallHierarchyItem[]): Promise<void> {
  const client = view.state.facet(session)?.client;
  if (!item || !client) return;
  const [before, after] = await Promise.all([
    client.request<object, lsp.CallHierarchyIncomingCall[] | null>('callHierarchy/incomingCalls', { item }),
    client.request<object, lsp.CallHierarchyOutgoingCall[] | null>('callHierarchy/outgoingCalls', { item }),
  ]);
  const items = [
    ...(before ?? []).map(({ from }) => entry(view, 'Writes an input', from)),
    ...(after ?? []).map(({ to }) => entry(view, 'Reads an output', to)),
  ];
  if (items.length === 0) return view.state.facet(session)?.say('info', 'No other production writes its inputs or reads its outputs.');
  pick(view, { label: `Around ${item.name}`, items, filter: true });
}

export const listCalls: Command = (view) => {
  const position = positionOf(view.state.doc, view.state.selection.main.head);
  void askOrSay<lsp.CallHierarchyItem[], Promise<void>>(view, 'textDocument/prepareCallHierarchy', { position }, async ({ result }) => list(view, result));
  return true;
};
