// What a search for repairs or fillings has found.
import { version } from '../page/state';
import type { Proposals } from './protocol';
import { accept, search } from './tests';

const titleOf = ({ telling, count, found }: Proposals): string => {
  const shown = count > found.length ? `The best ${found.length} of ${count}` : `${count} found`;
  return telling ? `${shown}. A test of the prompt “${telling.prompt}” would tell them apart.` : `${shown}.`;
};

export function Proposed() {
  const current = search.value;
  if (current === null) return null;
  const { kind, state } = current;
  const title = kind === 'repair' ? 'Repairs' : 'Fillings';
  const close = <button type="button" onClick={() => { search.value = null; }}>Close</button>;
  if (state === 'searching') return <p class="message" role="status">Searching for {kind === 'repair' ? 'repairs' : 'fillings'} for up to a minute…</p>;
  if ('why' in state) return <p class="message bad row"><span class="grow">{state.why}</span>{close}</p>;
  if (state.found.length === 0) {
    return <p class="message row"><span class="grow">{state.cutOff ? 'The search found nothing in time.' : 'The search found nothing.'}</span>{close}</p>;
  }
  const old = current.version !== version.value;
  return (
    <section class="card stack" aria-label={title}>
      <div class="row"><h3>{title}</h3><span class="grow caption">{old ? 'The program has changed since the search.' : titleOf(state)}</span>{close}</div>
      <ul class="plain stack proposals">
        {state.found.map((proposal, index) => (
          <li key={index} class="row">
            <button type="button" disabled={old} aria-label={`Apply: ${proposal.title}`} onClick={() => accept(proposal)}>Apply</button>
            <span class="grow code">{proposal.title}{proposal.warnings.map((warning) => <span key={warning} class="caption"> {warning}</span>)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
