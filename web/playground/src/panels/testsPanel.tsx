// The tests of the program, and why they fail.
import { Fragment } from 'preact';
import { reveal } from '../page/reveal';
import { isReady, server } from '../page/state';
import { explore, firstOf } from './explorer';
import { Proposed } from './proposals';
import { Prose } from './prose';
import type { Related, TestEntry } from './protocol';
import { counts, failure, propose, running, runTests, tests } from './tests';
import { compare, counted, duration, labelOf } from './words';

function Symbols({ text, other }: { text: string; other: string }) {
  const { symbols, wrong } = compare(text, other);
  return (
    <code>
      {symbols.map((symbol, index) => (
        <Fragment key={index}>{index > 0 && ' '}{index === wrong ? <mark class="wrong" title="The first difference">{symbol}</mark> : symbol}</Fragment>
      ))}
      {wrong === symbols.length && <> <mark class="wrong" title="The first difference: a symbol is missing">␣</mark></>}
    </code>
  );
}

function Place({ place: { location, message } }: { place: Related }) {
  const line = location.range.start.line + 1;
  return (
    <li>
      <button type="button" class="link" onClick={() => reveal(line, location.range.start.character + 1)}>line {line}</button>: <Prose text={message} />
    </li>
  );
}

/** The expected and the actual continuation, and why they differ. */
function Why({ test }: { test: TestEntry }) {
  const { prompt, gold, continuation, explanation, error, related, law, symbols } = test;
  return (
    <div class="stack why-failed">
      {symbols && <p><Prose text={`With ${symbols}:`} /></p>}
      <dl class="pairs">
        {law !== undefined && <><dt>prompt</dt><dd><code>{String(prompt)}</code></dd></>}
        <dt>expected</dt><dd><Symbols text={gold} other={continuation ?? gold} /></dd>
        {continuation !== null && <><dt>got</dt><dd><Symbols text={continuation} other={gold} /></dd></>}
      </dl>
      {error !== null && <p class="message bad"><Prose text={error} /></p>}
      {explanation !== null && <p class="message"><Prose text={explanation} /></p>}
      {related !== null && related.length > 0 && <ul class="places">{related.map((place, index) => <Place key={index} place={place} />)}</ul>}
    </div>
  );
}

const STATES = { passed: ['✓', 'passed', 'good'], failed: ['✗', 'failed', 'bad'], running: ['…', 'running', 'muted'], unknown: ['–', 'not run', 'muted'] } as const;

function Test({ test }: { test: TestEntry }) {
  const state = running.value.has(test.index) ? 'running' : test.passed === null ? 'unknown' : test.passed ? 'passed' : 'failed';
  const [sign, word, color] = STATES[state];
  const label = labelOf(test);
  return (
    <li class="card test" aria-label={`Test ${label}: ${word}`}>
      <div class="row">
        <span class={`test-state ${color}`}><span aria-hidden="true">{sign}</span> {word}</span>
        <button type="button" class="link code grow" title="Go to the test" onClick={() => reveal(test.range.start.line + 1)}>{label}</button>
        {test.seconds !== null && <span class="caption">{duration(test.seconds)}</span>}
        <button type="button" aria-label={`Run ${label}`} disabled={!isReady.value || server.busy.value} onClick={() => void runTests(test.index)}>Run</button>
        <button type="button" aria-label={`Explore ${label}`} onClick={() => explore(firstOf(test))}>Explore</button>
      </div>
      {test.name !== null && <Expectation test={test} withGold={state !== 'failed'} />}
      {state === 'passed' && test.holds && <p class="muted"><Prose text={test.holds} /></p>}
      {state === 'failed' && <Why test={test} />}
    </li>
  );
}

/** The prompt and the expected continuation, or the law. */
function Expectation({ test: { prompt, gold, law }, withGold }: { test: TestEntry; withGold: boolean }) {
  if (law !== undefined) return <p class="code muted">{law}</p>;
  return typeof prompt === 'string' ? <p class="code muted">{prompt}{withGold && ` ⇒ ${gold}`}</p> : null;
}

function summary(): string {
  const { passed, failed } = counts.value;
  const left = tests.value.length - passed - failed;
  return [`${passed} passed`, `${failed} failed`, ...(left > 0 ? [`${left} not run`] : [])].join(', ');
}

export function TestsPanel() {
  const all = tests.value;
  const idle = isReady.value && !server.busy.value;
  return (
    <div class="stack">
      <div class="row tests-head">
        <span class="grow" role="status">{all.length > 0 ? `${counted(all.length, 'test')}: ${summary()}` : 'No tests'}</span>
        <button type="button" disabled={!idle || counts.value.failed === 0} title="Search for changes that make all tests pass" onClick={() => void propose('repair')}>Find a repair</button>
        <button type="button" disabled={!idle} title="Search for what belongs in the holes of the program" onClick={() => void propose('fill')}>Fill the holes</button>
        {server.busy.value
          ? <button key="stop" type="button" onClick={() => server.stop()}>Stop</button>
          : <button key="run" type="button" class="primary" disabled={!idle || all.length === 0} onClick={() => void runTests()}>Run all</button>}
      </div>
      {failure.value !== null && <p class="message bad"><Prose text={failure.value} /></p>}
      <Proposed />
      {all.length === 0
        ? <p class="empty">A line <code>//@ test "A B" =&gt; "B A"</code> in the program is a test. A run can be saved as one.</p>
        : <ul class="plain cards">{all.map((test) => <Test key={test.index} test={test} />)}</ul>}
    </div>
  );
}
