// Inlay hints of the lines in view.
import { type Range } from '@codemirror/state';
import { Decoration, type EditorView, type Tooltip, WidgetType } from '@codemirror/view';
import type * as lsp from 'vscode-languageserver-protocol';
import { later } from './later';
import { rendered } from './markdown';
import { closePopup, popupField, showPopup } from './popup';
import { ask } from './session';
import { shownPart } from './shown';
import { rangeOf } from './text/edits';

const MARGIN = 2000;
const HOVER_MS = 300;

class Hint extends WidgetType {
  constructor(readonly label: string, readonly tooltip: string | lsp.MarkupContent | undefined, readonly padded: boolean) {
    super();
  }

  override eq(other: Hint): boolean {
    return this.label === other.label && JSON.stringify(this.tooltip) === JSON.stringify(other.tooltip);
  }

  override ignoreEvent(event: Event): boolean {
    return event.type === 'mouseover';
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement('span');
    dom.className = this.padded ? 'psl-hint psl-hint-padded' : 'psl-hint';
    dom.textContent = this.label;
    // Reading the text aloud should read the text. The hover of the keyboard has the hints of a line.
    dom.ariaHidden = 'true';
    if (this.tooltip !== undefined) follow(view, dom, this);
    return dom;
  }
}

function tooltipOf(view: EditorView, pos: number, { tooltip = '' }: Hint): Tooltip {
  return {
    pos,
    above: true,
    create() {
      const dom = document.createElement('div');
      dom.className = 'psl-hover';
      dom.append(rendered(view, tooltip));
      return { dom };
    },
  };
}

/** Shows the tooltip of a hint while the pointer rests on it or on the tooltip. */
function follow(view: EditorView, dom: HTMLElement, hint: Hint): void {
  let timer: number | undefined;
  dom.addEventListener('pointerenter', () => {
    timer = setTimeout(() => {
      if (!dom.isConnected) return;
      const tooltip = tooltipOf(view, view.posAtDOM(dom), hint);
      showPopup(view, tooltip);
      const away = ({ target }: Event): void => {
        const over = target instanceof Element && (dom.contains(target) || target.closest('.psl-hover') !== null);
        if (over) return;
        document.removeEventListener('pointerover', away);
        if (view.state.field(popupField, false) === tooltip) closePopup(view);
      };
      document.addEventListener('pointerover', away);
    }, HOVER_MS);
  });
  dom.addEventListener('pointerleave', () => clearTimeout(timer));
}

const hints = shownPart();

const question = later({
  method: 'textDocument/inlayHint',
  pause: 100,
  needs: hints.needs,
  ask(view) {
    const { state: { doc }, viewport } = view;
    const range = rangeOf(doc, Math.max(0, viewport.from - MARGIN), Math.min(doc.length, viewport.to + MARGIN));
    return ask<lsp.InlayHint[], true>(view, 'textDocument/inlayHint', { range }, (answer) => {
      const found = answer.result.map(({ position, label, tooltip, paddingLeft }): Range<Decoration> => {
        const text = typeof label === 'string' ? label : label.map(({ value }) => value).join('');
        return Decoration.widget({ widget: new Hint(text, tooltip, paddingLeft ?? false), side: 1 }).range(answer.at(position, 1));
      });
      hints.show(view, { set: Decoration.set(found, true), from: answer.at(range.start), to: answer.at(range.end, 1) });
      return true;
    });
  },
});

export const inlayHints = [hints.plugin, question];

/** The tooltip of the first hint in the line of a place. */
export function hintAt(view: EditorView, pos: number): Tooltip | null {
  const line = view.state.doc.lineAt(pos);
  let found: Tooltip | null = null;
  hints.shown(view)?.set.between(line.from, line.to, (from, _to, { spec }) => {
    const hint = spec['widget'] as Hint;
    if (hint.tooltip === undefined) return;
    found = tooltipOf(view, from, hint);
    return false;
  });
  return found;
}
