// The table of all cells of a run, on demand.
import { useSignal } from '@preact/signals';
import { type Run, tableOf } from './runs';
import { LongText } from './longText';
import { reason } from './words';

export function RunTable({ run }: { run: Run }) {
  const shown = useSignal<{ text: string } | { why: string } | null>(null);
  const open = async (event: Event): Promise<void> => {
    if (!(event.currentTarget as HTMLDetailsElement).open || shown.value !== null) return;
    try {
      shown.value = { text: await tableOf(run) };
    } catch (failure) {
      shown.value = { why: reason(failure) };
    }
  };
  const state = shown.value;
  return (
    <details onToggle={open}>
      <summary>Table</summary>
      {state === null ? <p class="muted">Computing…</p> : 'why' in state ? <p class="message bad">{state.why}</p>
        : <div class="run-table"><LongText label={`Table of ${run.prompt}`} text={state.text} /></div>}
    </details>
  );
}
