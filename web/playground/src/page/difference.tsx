// The program beside the text that it came from.
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from './dialog';
import { narrow } from './layout';
import { dialog, editor, program, text } from './state';

const named = (label: string): Extension => [
  EditorState.readOnly.of(true), EditorView.editable.of(false), lineNumbers(),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', role: 'textbox', 'aria-multiline': 'true', 'aria-readonly': 'true' }),
];
const COLLAPSED = { margin: 3, minSize: 6 };

function Difference({ original, split }: { original: string; split: boolean }) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!parent.current) return;
    const current = text.peek();
    const view = split
      ? new MergeView({
        parent: parent.current, a: { doc: original, extensions: named('Original') }, b: { doc: current, extensions: named('Program') },
        collapseUnchanged: COLLAPSED, gutter: true,
      })
      : new EditorView({
        parent: parent.current, doc: current,
        extensions: [named('Program with its differences'), unifiedMergeView({ original, mergeControls: false, collapseUnchanged: COLLAPSED })],
      });
    return () => view.destroy();
  }, [split]);
  return <div class="difference" ref={parent} />;
}

/** Takes the original text back, as one step to undo. */
function restore(original: string): void {
  const view = editor.peek()?.view;
  view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: original }, userEvent: 'input.restore' });
  dialog.value = null;
}

export function DifferenceDialog() {
  const split = useSignal(!narrow.peek());
  const { original, name } = program.value;
  const close = (): void => { dialog.value = null; };
  return (
    <Dialog title={`${name} and its original`} close={close} wide>
      {original === null || original === text.value
        ? <p class="empty">{original === null ? 'This program has no original.' : 'There is no difference.'}</p>
        : (
          <>
            <div class="row">
              <label><input type="checkbox" checked={split.value} onChange={({ currentTarget }) => { split.value = currentTarget.checked; }} />Side by side</label>
              <button type="button" onClick={() => restore(original)}>Take the original back</button>
            </div>
            <Difference key={String(split.value)} original={original} split={split.value} />
          </>
        )}
    </Dialog>
  );
}
