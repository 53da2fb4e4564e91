// The panels below the grid, one at a time.
import { computed } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { CellPanel } from '../cell/panel';
import { ComparePanel } from '../compare/panel';
import { DebugPanel } from '../debug/panel';
import { HeadsPanel } from '../heads/panel';
import { ParsePanel } from '../transformer/parse';
import { printing } from '../print/printing';
import { hasDebugger } from '../store';
import { TransformerPanel } from '../transformer/panel';
import { WhyPanel } from '../why/panel';
import { panel } from './open';

interface Panel { id: string; title: string; View: FunctionComponent }

export const PANELS: Panel[] = [
  { id: 'why', title: 'Why', View: WhyPanel },
  { id: 'cell', title: 'Cell', View: CellPanel },
  { id: 'transformer', title: 'Transformer', View: TransformerPanel },
  { id: 'heads', title: 'Heads', View: HeadsPanel },
  { id: 'parse', title: 'Parse', View: ParsePanel },
  { id: 'debug', title: 'Debugger', View: DebugPanel },
  { id: 'compare', title: 'Compare', View: ComparePanel },
];

/** The panels that the module can fill. */
const panels = computed(() => PANELS.filter(({ id }) => id !== 'debug' || hasDebugger.value));

/** Moves between tabs with the arrow keys, as the ARIA pattern for tabs requires. */
function move(event: KeyboardEvent): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return;
  const shown = panels.value;
  const index = shown.findIndex(({ id }) => id === panel.value);
  const next = shown[(index + step + shown.length) % shown.length];
  if (next === undefined) return;
  panel.value = next.id;
  document.getElementById(`tab-${next.id}`)?.focus();
  event.stopPropagation();
}

export function Panels() {
  const current = panels.value.find(({ id }) => id === panel.value) ?? panels.value[0];
  if (current === undefined) return null;
  return (
    <section class="panel details" aria-label="Details">
      <div class="panel-head">
        {printing.value && <h2>{current.title}</h2>}
        <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={move}>
          {panels.value.map(({ id, title }) => (
            <button
              key={id} id={`tab-${id}`} role="tab" aria-selected={id === current.id} aria-controls="panel"
              tabIndex={id === current.id ? 0 : -1} onClick={() => { panel.value = id; }}
            >{title}</button>
          ))}
        </div>
      </div>
      <div class="panel-body" id="panel" role="tabpanel" aria-labelledby={`tab-${current.id}`} tabIndex={0}>
        <current.View key={current.id} />
      </div>
    </section>
  );
}
