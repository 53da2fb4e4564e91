// From a name to its declaration, its assignments and its uses, and along links.
import { findReferences } from '@codemirror/lsp-client';
import { type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { type Command, Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { reveal } from './apply';
import { changed, later } from './later';
import { harmless } from './markdown';
import { pick } from './picker';
import { ask, askOrSay, session, uriOf } from './session';
import { positionOf, sameUri } from './text/edits';

const go = (method: string, what: string) => (view: EditorView, pos = view.state.selection.main.head): boolean => {
  void askOrSay<lsp.Location | lsp.Location[], boolean>(view, method, { position: positionOf(view.state.doc, pos) }, (answer) => {
    const all = Array.isArray(answer.result) ? answer.result : [answer.result];
    const found = all.filter(({ uri }) => sameUri(uri, uriOf(view))).flatMap(({ range }) => answer.range(range) ?? []);
    const [first] = found;
    if (!first) return false;
    if (found.length === 1) reveal(view, first.from, first.to);
    else pick(view, { label: what, items: found.map(({ from, to }) => place(view, from, to)) });
    return true;
  }).then((went) => {
    if (!went) view.state.facet(session)?.say('info', `${what}: none for this place.`);
  });
  return true;
};

function place(view: EditorView, from: number, to: number): { label: string; detail: string; pick(): void } {
  const line = view.state.doc.lineAt(from);
  return { label: `Line ${line.number}`, detail: line.text.trim(), pick: () => reveal(view, from, to) };
}

const definition = go('textDocument/definition', 'Declaration');
export const goToDefinition: Command = (view) => definition(view);
export const goToDeclaration: Command = (view) => go('textDocument/declaration', 'Declaration')(view);
export const goToImplementation: Command = (view) => go('textDocument/implementation', 'Assignments')(view);
export { findReferences };

const show = StateEffect.define<DecorationSet>();

const links = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, { changes, effects }) {
    let now = set.map(changes);
    for (const it of effects) if (it.is(show)) now = it.value;
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const question = later({
  method: 'textDocument/documentLink',
  pause: 300,
  needs: changed,
  ask: (view) => ask<lsp.DocumentLink[], true>(view, 'textDocument/documentLink', {}, (answer) => {
    const ranges = answer.result.flatMap(({ range, target, tooltip }): Range<Decoration>[] => {
      const at = answer.range(range);
      if (!at || at.from === at.to || target === undefined || !harmless(target)) return [];
      const title = tooltip ?? `${target} (Ctrl-click opens it)`;
      return [Decoration.mark({ class: 'psl-link', attributes: { title }, target }).range(at.from, at.to)];
    });
    const next = RangeSet.of(ranges, true);
    if (!RangeSet.eq([view.state.field(links)], [next])) view.dispatch({ effects: show.of(next) });
    return true;
  }),
});

function linkAt(view: EditorView, pos: number): string | null {
  let found: string | null = null;
  view.state.field(links).between(pos, pos, (_from, _to, { spec }) => {
    found = spec['target'] as string;
    return false;
  });
  return found;
}

/** Opens the link at the cursor. Returns false if there is none. */
export const openLink = (view: EditorView, pos = view.state.selection.main.head): boolean => {
  const url = linkAt(view, pos);
  if (url === null) return false;
  window.open(url, '_blank', 'noopener');
  return true;
};

const clicks = EditorView.domEventHandlers({
  mousedown(event, view) {
    if (event.button !== 0 || !(event.ctrlKey || event.metaKey) || event.altKey) return false;
    const pos = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (pos === null) return false;
    event.preventDefault();
    return openLink(view, pos) || definition(view, pos);
  },
});

export const navigation = [links, question, clicks];
