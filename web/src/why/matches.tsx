// All cells that match, and the one that wins.
import type { Layer, Run, UpdateDetail } from '../protocol';
import { pointed } from '../store';
import { Bounded } from './parts';
import { symbolOf } from './words';

/** The number of matches listed at first. */
const MOST = 12;

export function Matches({ update, layer, run }: { update: UpdateDetail; layer: Layer; run: Run }) {
  const { matches, attends, cell } = update;
  if (matches.length === 0) return <p class="caption">No cell matches.</p>;
  const side = layer.rightmost ? 'rightmost' : 'leftmost';
  // The winner is first.
  const ordered = layer.rightmost ? matches.toReversed() : matches;
  return (
    <ul class="plain row" aria-label="Matching cells">
      <Bounded items={ordered} most={MOST} each={(match) => (
        <li key={match}>
          <button
            type="button" aria-pressed={pointed.value === match} class={match === attends ? 'winner' : undefined}
            onClick={() => { pointed.value = match; }}
          >
            {`Cell ${match} `}<span class="value">{symbolOf(run, match)}</span>
            {match === cell && ' (itself)'}
            {match === attends && (matches.length > 1 ? ` wins: ${side}` : ' wins')}
          </button>
        </li>
      )} />
    </ul>
  );
}
