// Code actions: in a list at the cursor, in the tooltips of diagnostics, and at the light bulb.
import { StateEffect, StateField } from '@codemirror/state';
import { type Command, type EditorView, gutter, GutterMarker } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { applyWorkspaceEdit, CHANGED } from './apply';
import { later } from './later';
import { forEachMarked } from './marked';
import { pick } from './picker';
import { ask, askOrSay, session } from './session';
import { rangeOf } from './text/edits';

/** An action for the text as it was when the server offered it. */
export interface Offered { title: string; detail: string; action: lsp.CodeAction | lsp.Command; doc: EditorView['state']['doc'] }

const INVOKED = 1;
const AUTOMATIC = 2;

const KINDS: Record<string, string> = {
  quickfix: 'fix', 'refactor.extract': 'extract', 'refactor.rewrite': 'rewrite', refactor: 'refactor', source: 'whole program',
};

/** The diagnostics of the server that touch a range, with their present places. */
function diagnosticsAt(view: EditorView, from: number, to: number): lsp.Diagnostic[] {
  const found: lsp.Diagnostic[] = [];
  forEachMarked(view.state, (about, start, end) => {
    if (start <= to && end >= from) found.push({ ...about, range: rangeOf(view.state.doc, start, end) });
  });
  return found;
}

function question(view: EditorView, from: number, to: number, context: Partial<lsp.CodeActionContext>): object {
  return {
    range: rangeOf(view.state.doc, from, to),
    context: { diagnostics: diagnosticsAt(view, from, to), triggerKind: INVOKED, ...context },
  };
}

const offered = (doc: Offered['doc']) => (action: lsp.CodeAction | lsp.Command): Offered => {
  const kind = 'kind' in action && action.kind !== undefined ? action.kind : '';
  const known = Object.keys(KINDS).find((it) => kind === it || kind.startsWith(`${it}.`));
  return { title: action.title, detail: KINDS[known ?? ''] ?? '', action, doc };
};

const isEnabled = (action: lsp.CodeAction | lsp.Command) => !('disabled' in action && action.disabled !== undefined);

/** The fixes of one diagnostic. None if the server is busy. */
export async function fixesOf(view: EditorView, about: lsp.Diagnostic): Promise<Offered[]> {
  let here: { from: number; to: number } | null = null;
  forEachMarked(view.state, (marked, from, to) => {
    if (marked === about) here = { from, to };
  });
  if (here === null) return [];
  const { from, to } = here;
  const context = { diagnostics: [{ ...about, range: rangeOf(view.state.doc, from, to) }], only: ['quickfix'] };
  const fixes = ask<(lsp.CodeAction | lsp.Command)[], Offered[]>(view, 'textDocument/codeAction', question(view, from, to, context), ({ result, now, unchanged }) => {
    const isAbout = (it: lsp.CodeAction | lsp.Command) =>
      !('diagnostics' in it) || it.diagnostics === undefined || it.diagnostics.some(({ code }) => code === about.code);
    return unchanged ? result.filter(isEnabled).filter(isAbout).map(offered(now)) : [];
  });
  return await fixes.catch(() => null) ?? [];
}

/** Applies an action, and runs its command. */
export function run(view: EditorView, { action, doc }: Offered): void {
  const known = view.state.facet(session);
  if (!view.state.doc.eq(doc)) return known?.say('warning', CHANGED);
  if ('edit' in action && action.edit !== undefined) applyWorkspaceEdit(view, action.edit, 'input.action');
  const { command } = action;
  if (typeof command === 'string') known?.command(command, (action as lsp.Command).arguments ?? []);
  else if (command !== undefined) known?.command(command.command, command.arguments ?? []);
  view.focus();
}

/** Lists what the server offers at the cursor or for the selection. */
export const listActions: Command = (view) => {
  const { from, to } = view.state.selection.main;
  void askOrSay<(lsp.CodeAction | lsp.Command)[], void>(view, 'textDocument/codeAction', question(view, from, to, {}), ({ result, now, unchanged }) => {
    if (!unchanged) return;
    const found = result.filter(isEnabled).map(offered(now));
    if (found.length === 0) return view.state.facet(session)?.say('info', 'There are no fixes or changes for this place.');
    pick(view, { label: 'Fixes and changes', items: found.map((it) => ({ label: it.title, detail: it.detail, pick: () => run(view, it) })) });
  });
  return true;
};

class Bulb extends GutterMarker {
  override toDOM(view: EditorView): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'psl-bulb';
    button.tabIndex = -1;
    button.textContent = '✦';
    button.title = 'Fixes and changes (Ctrl-.)';
    button.setAttribute('aria-label', 'Fixes and changes');
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => listActions(view));
    return button;
  }
}

const bulb = new Bulb();
const light = StateEffect.define<boolean>();

const lit = StateField.define<boolean>({
  create: () => false,
  update(on, { effects, selection, docChanged }) {
    let now = on && !selection && !docChanged;
    for (const it of effects) if (it.is(light)) now = it.value;
    return now;
  },
});

const watch = later({
  method: 'textDocument/codeAction',
  pause: 150,
  needs: ({ docChanged, selectionSet }) => docChanged || selectionSet,
  ask(view) {
    const { from, to } = view.state.selection.main;
    const context = { triggerKind: AUTOMATIC } as const;
    return ask<(lsp.CodeAction | lsp.Command)[], true>(view, 'textDocument/codeAction', question(view, from, to, context), ({ result, unchanged }) => {
      const on = unchanged && result.some(isEnabled);
      if (on !== view.state.field(lit)) view.dispatch({ effects: light.of(on) });
      return true;
    });
  },
});

export const actions = [
  lit, watch,
  gutter({
    class: 'psl-bulbs',
    lineMarker: ({ state }, { from, to }) => {
      const { head } = state.selection.main;
      return state.field(lit) && from <= head && head <= to ? bulb : null;
    },
    lineMarkerChange: ({ startState, state, selectionSet }) => selectionSet || startState.field(lit) !== state.field(lit),
    initialSpacer: () => bulb,
  }),
];
