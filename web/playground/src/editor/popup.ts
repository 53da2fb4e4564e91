// One tooltip that stays until it is closed: the hover of the keyboard and of touch, of hints, and lists at the cursor.
import { Prec, StateEffect, StateField } from '@codemirror/state';
import { type Command, type EditorView, keymap, showTooltip, type Tooltip } from '@codemirror/view';

const set = StateEffect.define<Tooltip | null>();

export const popupField = StateField.define<Tooltip | null>({
  create: () => null,
  update(popup, { docChanged, effects, selection }) {
    let now = docChanged || selection ? null : popup;
    for (const it of effects) if (it.is(set)) now = it.value;
    return now;
  },
  provide: (field) => showTooltip.from(field),
});

export const showPopup = (view: EditorView, popup: Tooltip): void => view.dispatch({ effects: set.of(popup) });

/** Closes the tooltip. Returns whether there was one. */
export const closePopup: Command = (view) => {
  if (!view.state.field(popupField, false)) return false;
  const inside = document.activeElement?.closest('.cm-tooltip') !== null;
  view.dispatch({ effects: set.of(null) });
  if (inside) view.focus();
  return true;
};

export const popup = [popupField, Prec.high(keymap.of([{ key: 'Escape', run: closePopup }]))];
