// Completions of the server. Their documentation is requested when it is shown.
import {
  acceptCompletion, autocompletion, closeCompletion, type Completion, type CompletionContext, completionKeymap, type CompletionResult,
  pickedCompletion, selectedCompletion, snippet,
} from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { rendered } from './markdown';
import { ask, session } from './session';
import { offsetOf } from './text/edits';
import { toTemplate } from './text/snippet';

const TYPES: Record<number, string> = { 3: 'function', 5: 'property', 6: 'variable', 10: 'type', 14: 'keyword', 21: 'constant' };
const SNIPPET = 2;

/** Whether typing a character asks for completions. */
function trigger(view: EditorView, { explicit, state, pos }: CompletionContext): lsp.CompletionContext | null {
  if (explicit) return { triggerKind: 1 };
  const character = state.sliceDoc(pos - 1, pos);
  const known = view.state.facet(session)?.client.serverCapabilities?.completionProvider?.triggerCharacters ?? [];
  if (known.includes(character)) return { triggerKind: 2, triggerCharacter: character };
  return /[\p{L}\p{N}_]/u.test(character) ? { triggerKind: 1 } : null;
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { view, pos } = context;
  const why = view && trigger(view, context);
  if (!view || !why) return null;
  const { doc } = context.state;
  const line = doc.lineAt(pos);
  const position = { line: line.number - 1, character: pos - line.from };
  return ask<lsp.CompletionList | lsp.CompletionItem[], CompletionResult | null>(view, 'textDocument/completion', { position, context: why }, ({ result }) => {
    const items = Array.isArray(result) ? result : result.items;
    const first = items[0]?.textEdit;
    if (context.aborted || items.length === 0) return null;
    const range = first && 'range' in first ? first.range : null;
    const from = range ? offsetOf(doc, range.start) : pos;
    const typed = doc.sliceString(from, pos);
    return {
      from,
      ...(range ? { to: offsetOf(doc, range.end) } : {}),
      options: items.map((item) => option(view, item, from)),
      // What the server has listed fits while the same word is written.
      ...(Array.isArray(result) || !result.isIncomplete ? { validFor: /^[\p{L}\p{N}_-]*$/u.test(typed) ? /^[\p{L}\p{N}_-]*$/u : exactly(typed) } : {}),
    };
  }).catch(() => null);
}

const exactly = (typed: string) => (text: string) => text.startsWith(typed) && /^[\p{L}\p{N}_]*$/u.test(text.slice(typed.length));

/** A completion with the text that it inserts and the place where that begins. */
interface Item extends Completion { from: number; inserted: string }

function option(view: EditorView, item: lsp.CompletionItem, from: number): Item {
  const text = item.textEdit?.newText ?? item.insertText ?? item.label;
  const type = TYPES[item.kind ?? 0];
  return {
    from,
    inserted: text,
    label: item.filterText ?? item.label,
    displayLabel: item.label,
    apply: item.insertTextFormat === SNIPPET ? withPlaces(text) : text,
    info: () => documentation(view, item),
    ...(item.detail === undefined ? {} : { detail: item.detail }),
    ...(item.sortText === undefined ? {} : { sortText: item.sortText }),
    ...(type === undefined ? {} : { type }),
  };
}

function withPlaces(text: string): Exclude<Completion['apply'], string | undefined> {
  const insert = snippet(toTemplate(text));
  return (view, completion, from, to) => {
    insert(view, completion, from, to);
    view.dispatch({ annotations: pickedCompletion.of(completion) });
  };
}

async function documentation(view: EditorView, item: lsp.CompletionItem): Promise<HTMLElement | null> {
  const client = view.state.facet(session)?.client;
  const resolved = item.documentation === undefined && item.data !== undefined
    ? await client?.request<lsp.CompletionItem, lsp.CompletionItem | null>('completionItem/resolve', item).catch(() => null)
    : item;
  return resolved?.documentation === undefined ? null : rendered(view, resolved.documentation);
}

/** Accepts a completion, unless it is typed already: then the key does what it does without a list. */
function acceptChange(view: EditorView): boolean {
  const { state } = view;
  const chosen = selectedCompletion(state) as Item | null;
  const typed = chosen && state.sliceDoc(chosen.from, state.selection.main.head);
  if (chosen?.inserted !== typed) return acceptCompletion(view);
  closeCompletion(view);
  return false;
}

export const completion: Extension = [
  autocompletion({ override: [complete], activateOnTypingDelay: 0, icons: false, defaultKeymap: false }),
  Prec.highest(keymap.of(completionKeymap.map((binding) => (binding.key === 'Enter' ? { ...binding, run: acceptChange } : binding)))),
];
