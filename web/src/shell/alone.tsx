// One part of the page, for an editor that shows it alone.
import { goToLayer } from '../program/link';
import { ProgramPanel } from '../program/program';
import { layer, program } from '../store';
import { TransformerPanel } from '../transformer/panel';
import type { Alone } from './open';

function Productions() {
  const layers = program.value?.layers ?? [];
  return (
    <label class="field grow">
      <span>Production</span>
      <select
        value={String(layer.value?.number ?? '')}
        onChange={({ currentTarget }) => {
          const chosen = layers[Number(currentTarget.value) - 1];
          if (chosen) goToLayer(chosen);
        }}
      >
        {layer.value === null && <option value="" />}
        {layers.map(({ number, label }) => <option key={number} value={String(number)}>{label === null ? `Layer ${number}` : `${number} · ${label}`}</option>)}
      </select>
    </label>
  );
}

export function AloneView({ part }: { part: Alone }) {
  if (part === 'program') return <main class="alone"><ProgramPanel /></main>;
  return (
    <main class="alone">
      <section class="panel" aria-label="Weights">
        <div class="panel-head"><Productions /></div>
        <div class="panel-body">
          {layer.value === null ? <p class="empty">Put the cursor in a production, or choose one.</p> : <TransformerPanel />}
        </div>
      </section>
    </main>
  );
}
