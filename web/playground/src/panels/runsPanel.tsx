// A prompt, the results of its runs, and what to do with them.
import { machineName, MACHINES } from '../../../src/toolbar/machines';
import type { Machine } from '../../../src/protocol';
import { complain } from '../page/notices';
import { isReady, opened, server, version } from '../page/state';
import { explore } from './explorer';
import { machine, prompt } from './prompt';
import { Prose } from './prose';
import { history, type Run, runField, runPrompt, runs, saveAsTest } from './runs';
import { RunTable } from './runTable';
import { tests } from './tests';
import { duration, labelOf, STOPPED_BY_READER, stopReason } from './words';

function Offers() {
  const offered = new Map<string, string>();
  for (const test of tests.value) {
    if (typeof test.prompt === 'string') offered.set(test.prompt, test.name === null ? 'test' : `test ${labelOf(test)}`);
  }
  for (const earlier of history.value) if (!offered.has(earlier)) offered.set(earlier, 'earlier');
  return <datalist id="prompts">{[...offered].map(([value, label]) => <option key={value} value={value} label={label} />)}</datalist>;
}

function PromptForm() {
  return (
    <form class="prompt-form" onSubmit={(event) => { event.preventDefault(); void runField(); }}>
      <label class="field grow">
        <span>Prompt</span>
        <input
          id="prompt" type="text" class="code grow" list="prompts" spellcheck={false} autocomplete="off"
          placeholder="Symbols, separated by spaces" value={prompt.value} onInput={({ currentTarget }) => { prompt.value = currentTarget.value; }}
        />
      </label>
      <Offers />
      <label class="field">
        <span>Machine</span>
        <select value={machine.value} title="What runs the program" onChange={({ currentTarget }) => { machine.value = currentTarget.value as Machine; }}>
          {MACHINES.map(([id, title]) => <option key={id} value={id}>{title}</option>)}
        </select>
      </label>
      {/* Two elements, since a button that changed during its click would run what it stopped. */}
      {server.busy.value
        ? <button key="stop" type="button" onClick={() => server.stop()}>Stop</button>
        : <button key="run" type="submit" class="primary" disabled={!isReady.value}>Run</button>}
    </form>
  );
}

function Outcome({ run }: { run: Run }) {
  const { state } = run;
  if (state.kind === 'running') return <p class="muted">Running…</p>;
  if (state.kind === 'failed') return <p class={state.why === STOPPED_BY_READER ? 'muted' : 'message bad'}><Prose text={state.why} /></p>;
  const { continuation, stopped, seconds, steps, note } = state.result;
  return (
    <>
      <p class="code continuation"><span class="muted" aria-hidden="true">⇒ </span>{continuation || <em class="muted">nothing</em>}</p>
      <p class="caption">{stopReason(stopped)} · {steps} {steps === 1 ? 'symbol' : 'symbols'} · {duration(seconds)} · {machineName(run.machine)}</p>
      {note && <p class="message"><Prose text={note} /></p>}
    </>
  );
}

function RunCard({ run }: { run: Run }) {
  const own = run.program === opened.value;
  const isDone = run.state.kind === 'done';
  const old = !own || run.version !== version.value;
  return (
    <li class="card" aria-label={`Run of ${run.prompt}`}>
      <p class="code">{run.prompt || <em class="muted">empty prompt</em>}</p>
      <Outcome run={run} />
      {old && run.state.kind !== 'running' && <p class="caption">{own ? 'The program has changed since.' : 'Another program.'}</p>}
      {own && run.state.kind !== 'running' && (
        <div class="row actions">
          <button type="button" onClick={() => { prompt.value = run.prompt; void runPrompt(run.prompt, run.machine); }}>Run again</button>
          {isDone && <button type="button" onClick={() => explore({ open: run.prompt })}>Explore</button>}
          {isDone && <button type="button" onClick={() => void saveAsTest(run).catch(complain)}>Save as test</button>}
        </div>
      )}
      {own && isDone && <RunTable run={run} />}
    </li>
  );
}

export function RunsPanel() {
  return (
    <div class="stack">
      <PromptForm />
      {runs.value.length === 0
        ? <p class="empty">Type a prompt and press Enter. The program continues it.</p>
        : <ul class="plain cards" aria-live="polite">{runs.value.map((run) => <RunCard key={run.id} run={run} />)}</ul>}
    </div>
  );
}
