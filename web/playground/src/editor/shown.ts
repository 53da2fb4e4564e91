// Decorations of the server for a part of the text. They move with the text until the next answer.
import { RangeSet, StateEffect, type StateEffectType } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

export interface Part { from: number; to: number }

/** Decorations of a part of the text. */
export interface Shown extends Part { set: DecorationSet }

class Shows {
  shown: Shown = { set: Decoration.none, from: 0, to: 0 };

  constructor(private readonly effect: StateEffectType<Shown>) {}

  update({ changes, docChanged, transactions }: ViewUpdate): void {
    const { set, from, to } = this.shown;
    if (docChanged) this.shown = { set: set.map(changes), from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) };
    for (const { effects } of transactions) for (const it of effects) if (it.is(this.effect)) this.shown = it.value;
  }
}

export function shownPart() {
  const effect = StateEffect.define<Shown>();
  const plugin = ViewPlugin.define(() => new Shows(effect), { decorations: ({ shown }) => shown.set });
  const shown = (view: EditorView): Shown | undefined => view.plugin(plugin)?.shown;
  const covers = (view: EditorView, { from, to }: Part): boolean => {
    const now = shown(view);
    return now !== undefined && now.from <= from && to <= now.to;
  };
  return {
    plugin,
    shown,
    /** Whether an update needs a new answer. */
    needs: ({ docChanged, viewportChanged, view }: ViewUpdate): boolean => docChanged || (viewportChanged && !covers(view, view.viewport)),
    /** Shows an answer, unless it changes nothing. */
    show(view: EditorView, next: Shown): void {
      const now = shown(view);
      if (now && covers(view, next) && RangeSet.eq([now.set], [next.set], next.from, next.to)) return;
      view.dispatch({ effects: effect.of(next) });
    },
  };
}
