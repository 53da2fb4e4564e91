// Hovers of the server: with the mouse, with the keyboard at the cursor, and with a long press.
import { type Command, EditorView, hoverTooltip, type Tooltip } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { hintAt } from './inlayHints';
import { rendered } from './markdown';
import { closePopup, showPopup } from './popup';
import { ask, session } from './session';
import { positionOf } from './text/edits';

const PRESS_MS = 550;
const MOVED_PX = 8;

function content({ contents }: lsp.Hover): string | lsp.MarkupContent {
  if (typeof contents === 'string' || 'kind' in contents) return contents;
  const parts = Array.isArray(contents) ? contents : [contents];
  return parts.map((part) => (typeof part === 'string' ? part : `\`\`\`${part.language}\n${part.value}\n\`\`\``)).join('\n\n');
}

/** The hints have tooltips of their own. */
const overHint = (view: EditorView): boolean => view.dom.querySelector('.psl-hint:hover') !== null;

const source = (view: EditorView, pos: number): Promise<Tooltip | null> =>
  ask<lsp.Hover, Tooltip | null>(view, 'textDocument/hover', { position: positionOf(view.state.doc, pos) }, (answer) => {
    const range = answer.result.range ? answer.range(answer.result.range) : null;
    return {
      pos: range?.from ?? pos,
      end: range?.to ?? pos,
      above: true,
      create: () => ({ dom: box(rendered(view, content(answer.result))) }),
    };
  }).catch(() => null);

function box(inside: HTMLElement): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'psl-hover';
  dom.append(inside);
  return dom;
}

/** Shows the hover as a tooltip that takes the focus, so that its links can be reached. */
async function showAt(view: EditorView, pos: number, focus: boolean): Promise<void> {
  const found = await source(view, pos) ?? hintAt(view, pos);
  if (!found) return focus ? view.state.facet(session)?.say('info', 'There is nothing to show for this place.') : undefined;
  const { create } = found;
  showPopup(view, {
    pos: found.pos,
    above: true,
    create(inside) {
      const made = create(inside);
      made.dom.tabIndex = -1;
      made.dom.setAttribute('role', 'dialog');
      made.dom.setAttribute('aria-label', 'Documentation');
      made.dom.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        closePopup(view);
      });
      return { ...made, mount: () => { if (focus) made.dom.focus(); } };
    },
  });
}

export const showHover: Command = (view) => {
  void showAt(view, view.state.selection.main.head, true);
  return true;
};

let press: { timer: number; x: number; y: number } | null = null;
const letGo = (): void => {
  if (press) clearTimeout(press.timer);
  press = null;
};

const touch = EditorView.domEventHandlers({
  touchstart(event, view) {
    letGo();
    const at = event.touches[0];
    if (!at || event.touches.length > 1) return;
    const { clientX: x, clientY: y } = at;
    const pos = view.posAtCoords({ x, y });
    if (pos === null) return;
    press = { x, y, timer: setTimeout(() => void showAt(view, pos, false), PRESS_MS) };
  },
  touchmove(event) {
    const at = event.touches[0];
    if (press && at && Math.hypot(at.clientX - press.x, at.clientY - press.y) > MOVED_PX) letGo();
  },
  touchend: letGo,
  touchcancel: letGo,
});

export const hover = [hoverTooltip((view, pos) => (overHint(view) ? null : source(view, pos)), { hideOn: ({ docChanged }) => docChanged }), touch];
