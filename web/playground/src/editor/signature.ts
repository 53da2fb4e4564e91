// The forms of a condition or an assignment at the cursor, on request, until Escape or until the cursor leaves them.
import { Prec, StateEffect, StateField } from '@codemirror/state';
import { type Command, type EditorView, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { later } from './later';
import { rendered } from './markdown';
import { ask, askOrSay, session } from './session';
import { positionOf } from './text/edits';

interface Shown { help: lsp.SignatureHelp; active: number; pos: number; tooltip: Tooltip }

const set = StateEffect.define<Shown | null>();

const field = StateField.define<Shown | null>({
  create: () => null,
  update(shown, { changes, effects }) {
    let now = shown;
    for (const it of effects) if (it.is(set)) now = it.value;
    if (now === null || changes.empty || now !== shown) return now;
    const pos = changes.mapPos(now.pos);
    return { ...now, pos, tooltip: { ...now.tooltip, pos } };
  },
  provide: (it) => showTooltip.from(it, (shown) => shown && shown.tooltip),
});

function shownAt(help: lsp.SignatureHelp, active: number, pos: number): Shown {
  return { help, active, pos, tooltip: { pos, above: true, create: (view) => ({ dom: draw(view, help, active) }) } };
}

function draw(view: EditorView, { signatures, activeParameter }: lsp.SignatureHelp, active: number): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'psl-hover psl-signature';
  dom.setAttribute('role', 'status');
  const signature = signatures[active];
  if (!signature) return dom;
  const { label, documentation, parameters = [] } = signature;
  if (signatures.length > 1) dom.append(`${active + 1}/${signatures.length} `);
  const code = dom.appendChild(document.createElement('code'));
  const parameter = parameters[signature.activeParameter ?? activeParameter ?? 0];
  const [from, to] = place(label, parameter?.label);
  const strong = document.createElement('strong');
  strong.textContent = label.slice(from, to);
  code.append(label.slice(0, from), strong, label.slice(to));
  for (const text of [documentation, parameter?.documentation]) if (text !== undefined) dom.append(rendered(view, text));
  return dom;
}

function place(label: string, parameter: string | [number, number] | undefined): [number, number] {
  if (parameter === undefined) return [0, 0];
  if (typeof parameter !== 'string') return parameter;
  const at = label.indexOf(parameter);
  return at < 0 ? [0, 0] : [at, at + parameter.length];
}

const INVOKED = 1;
const CHANGED = 3;

function question(view: EditorView, triggerKind: number): object {
  const shown = view.state.field(field);
  const before = shown ? { activeSignatureHelp: { ...shown.help, activeSignature: shown.active } } : {};
  return {
    position: positionOf(view.state.doc, view.state.selection.main.head),
    context: { triggerKind, isRetrigger: shown !== null, ...before },
  };
}

function show(view: EditorView, help: lsp.SignatureHelp | null): void {
  const shown = help === null || help.signatures.length === 0 ? null : shownAt(help, help.activeSignature ?? 0, view.state.selection.main.head);
  view.dispatch({ effects: set.of(shown) });
}

export const showSignature: Command = (view) => {
  void askOrSay<lsp.SignatureHelp, true>(view, 'textDocument/signatureHelp', question(view, INVOKED), ({ result }) => {
    show(view, result);
    return true;
  }).then((found) => {
    if (!found) view.state.facet(session)?.say('info', 'There are no forms for this place.');
  });
  return true;
};

const follow = later({
  method: 'textDocument/signatureHelp',
  pause: 80,
  needs: ({ docChanged, selectionSet, state }) => (docChanged || selectionSet) && state.field(field) !== null,
  async ask(view) {
    if (view.state.field(field) === null) return true;
    const help = await ask<lsp.SignatureHelp, lsp.SignatureHelp>(view, 'textDocument/signatureHelp', question(view, CHANGED), ({ result }) => result);
    if (view.state.field(field) !== null) show(view, help);
    return true;
  },
});

const step = (by: number): Command => (view) => {
  const shown = view.state.field(field);
  if (shown === null) return false;
  const count = shown.help.signatures.length;
  view.dispatch({ effects: set.of(shownAt(shown.help, (shown.active + by + count) % count, shown.pos)) });
  return true;
};

const close: Command = (view) => {
  if (view.state.field(field) === null) return false;
  view.dispatch({ effects: set.of(null) });
  return true;
};

export const signature = [
  field, follow,
  Prec.high(keymap.of([
    { key: 'Escape', run: close },
    { key: 'Mod-Shift-ArrowUp', run: step(-1) },
    { key: 'Mod-Shift-ArrowDown', run: step(1) },
  ])),
];
