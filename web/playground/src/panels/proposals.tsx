// What a search for repairs or fillings has found, each as a difference.
import { useSignal } from '@preact/signals';
import { version } from '../page/state';
import { type Changed, changedLines } from './changedLines';
import type { Proposal, Proposals } from './protocol';
import { accept, search } from './tests';

/** The list shows this many until the reader asks for all. */
const FEW = 5;

const titleOf = ({ count, found }: Proposals): string => (count > found.length ? `The best ${found.length} of ${count}.` : `${count} found.`);

function Difference({ changes }: { changes: readonly Changed[] }) {
  return (
    <pre class="changes">
      {changes.flatMap(({ line, before, after }) => [
        ...before.map((old, index) => <del key={`-${line + index}`}>{`${line + index} - ${old}\n`}</del>),
        ...after.map((added, index) => <ins key={`+${line + index}`}>{`${line + index} + ${added}\n`}</ins>),
      ])}
    </pre>
  );
}

/** The warnings that a proposal brings, and how many others do the same. */
const remarks = ({ warnings, same }: Proposal): string[] => (same === null ? warnings : [...warnings, same]);

function Item({ proposal, old, program }: { proposal: Proposal; old: boolean; program: string }) {
  return (
    <li class="row">
      <button type="button" disabled={old} aria-label={`Apply: ${proposal.title}`} onClick={() => accept(proposal)}>Apply</button>
      <div class="grow">
        <span>{proposal.title}{remarks(proposal).map((remark) => <span key={remark} class="caption"> {remark}</span>)}</span>
        <Difference changes={changedLines(program, proposal.edits)} />
      </div>
    </li>
  );
}

function Found({ proposals, old, program }: { proposals: Proposals; old: boolean; program: string }) {
  const all = useSignal(false);
  const { found, distinguishingPrompt } = proposals;
  return (
    <>
      {distinguishingPrompt && !old && <p class="message">A test of the prompt <code>{distinguishingPrompt.prompt}</code> tells them apart.</p>}
      <ul class="plain stack proposals">
        {(all.value ? found : found.slice(0, FEW)).map((proposal, index) => <Item key={index} proposal={proposal} old={old} program={program} />)}
      </ul>
      {!all.value && found.length > FEW && <button type="button" onClick={() => { all.value = true; }}>Show all {found.length}</button>}
    </>
  );
}

const TITLES = { repair: 'Repairs', fill: 'Fillings', unnoticed: 'Tests that would notice more' };

export function Proposed() {
  const current = search.value;
  if (current === null) return null;
  const { kind, state } = current;
  const title = TITLES[kind];
  const close = <button type="button" onClick={() => { search.value = null; }}>Close</button>;
  if (state === 'searching') return <p class="message" role="status">Searching for {title.toLowerCase()} for up to a minute…</p>;
  if ('why' in state) return <p class="message bad row"><span class="grow">{state.why}</span>{close}</p>;
  if (state.found.length === 0) {
    return <p class="message row"><span class="grow">{state.cutOff ? 'The search found nothing in time.' : 'The search found nothing.'}</span>{close}</p>;
  }
  const old = current.version !== version.value;
  return (
    <section class="card stack" aria-label={title}>
      <div class="row"><h3>{title}</h3><span class="grow caption">{old ? 'The program has changed since the search.' : titleOf(state)}</span>{close}</div>
      <Found proposals={state} old={old} program={current.text} />
    </section>
  );
}
