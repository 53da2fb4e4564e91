// A read-only text of any length, of which only the lines in view are drawn.
import { EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { search, searchKeymap } from '@codemirror/search';
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';

/** Lines to mark, 1-based. */
export interface Lines { from: number; to: number }

interface Options { label: string; text: string; marked?: Lines | null }

const CLASSES: [RegExp, string][] = [[/^"/, 't-string'], [/^[-\d]/, 't-number'], [/^[A-Za-z]/, 't-keyword']];
const marks = new Map(CLASSES.map(([, name]) => [name, Decoration.mark({ class: name })]));
/** Strings, numbers, and the keywords of JSON. */
const tokens = new MatchDecorator({
  regexp: /"(?:[^"\\]|\\.)*"|(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])|\b(?:true|false|null)\b/g,
  decoration: ([token]) => marks.get(CLASSES.find(([start]) => start.test(token))?.[1] ?? '') ?? null,
});
const colors = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) { this.decorations = tokens.createDeco(view); }
    update(update: ViewUpdate): void { this.decorations = tokens.updateDeco(update, this.decorations); }
  },
  { decorations: (plugin) => plugin.decorations },
);

const mark = StateEffect.define<Lines | null>();
const markedLine = Decoration.line({ class: 'marked-line' });
/** More lines than this are not marked one by one. */
const MOST = 5_000;
const markedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(old, transaction) {
    let set = transaction.docChanged ? Decoration.none : old;
    for (const effect of transaction.effects) {
      if (!effect.is(mark)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      const { doc } = transaction.state;
      const lines = effect.value;
      if (lines) {
        const last = Math.min(lines.to, doc.lines, lines.from + MOST);
        for (let line = lines.from; line <= last; line += 1) builder.add(doc.line(line).from, doc.line(line).from, markedLine);
      }
      set = builder.finish();
    }
    return set;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const extensions = [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  keymap.of(searchKeymap), search({ top: true }), drawSelection(), colors, markedLines,
];

export function LongText({ label, text, marked = null }: Options) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  useEffect(() => {
    if (!parent.current) return;
    // A text that cannot be edited takes no focus by itself, and then does not scroll by keys.
    const attributes = EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', role: 'textbox', 'aria-multiline': 'true', 'aria-readonly': 'true' });
    view.current = new EditorView({ parent: parent.current, state: EditorState.create({ doc: text, extensions: [extensions, attributes] }) });
    return () => view.current?.destroy();
  }, []);
  useEffect(() => {
    const shown = view.current;
    if (!shown || shown.state.doc.toString() === text) return;
    const { scrollTop } = shown.scrollDOM;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: text } });
    shown.scrollDOM.scrollTop = scrollTop;
  }, [text]);
  useEffect(() => {
    const shown = view.current;
    if (!shown) return;
    const effects: StateEffect<unknown>[] = [mark.of(marked)];
    if (marked && marked.from <= shown.state.doc.lines) effects.push(EditorView.scrollIntoView(shown.state.doc.line(marked.from).from, { y: 'center' }));
    shown.dispatch({ effects });
  }, [marked?.from, marked?.to, text]);
  return <div class="long-text" ref={parent} />;
}
