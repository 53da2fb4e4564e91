// The help: what the page shows, and its keys.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { DEBUG_KEYS } from '../debug/moves';
import { KEYS } from '../grid/keys';
import { hasDebugger } from '../store';

export const helpOpen = signal(false);

const Keys = ({ keys }: { keys: [string, string][] }) => (
  <table class="table">
    <tbody>{keys.map(([key, text]) => <tr key={key}><td><kbd>{key}</kbd></td><td>{text}</td></tr>)}</tbody>
  </table>
);

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (helpOpen.value) dialog.current?.showModal();
  }, [helpOpen.value]);
  if (!helpOpen.value) return null;
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby="help-title" onClose={() => { helpOpen.value = false; }}>
      <div class="row">
        <h2 id="help-title" class="grow">How to read this page</h2>
        <button type="button" onClick={() => dialog.current?.close()}>Close</button>
      </div>
      <div class="stack">
        <p>
          A PSL program is a transformer that a person wrote. Each production of the program is one attention layer.
          The sequence has one cell per symbol. A cell has named registers.
        </p>
        <p>
          In the grid, a column is a cell and a line is a layer. In each layer, every cell looks for a cell that meets the conditions of
          the production: it attends to it. Then it sets the registers that the production assigns. The last cell generates the next
          symbol, and a new cell starts with it.
        </p>
      </div>
      <h3>Keys</h3>
      <Keys keys={KEYS} />
      {hasDebugger.value && <h3>Keys of the panel Debugger</h3>}
      {hasDebugger.value && <Keys keys={DEBUG_KEYS} />}
    </dialog>
  );
}
