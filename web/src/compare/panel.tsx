// Compares the run with that of another prompt or version, and the continuation of a failed test with the expected one.
import type { Run } from '../protocol';
import { against, data, runs, useAnswer } from '../store';
import '../transformer/transformer.css';
import './compare.css';
import type { FoundDifference } from './difference';
import { FirstDifference } from './firstDifference';
import { Prose } from '../transformer/prose';
import { GoldAgainstGot } from './gold';
import { PatchMap } from './patches';
import { VersionLayers } from './layers';
import { SideBySide } from './sideBySide';
import { StartComparison } from './start';
import { Strip } from './strip';
import { useVersionDifference } from './versionDifference';

export function ComparePanel() {
  const [first, second = null] = runs.value;
  if (!first) return <p class="empty">Run a prompt first. Then compare it with a second one.</p>;
  return (
    <div class="compare">
      <GoldAgainstGot run={first} />
      {data.value.against ? <WithVersion first={first} second={second} /> : <WithPrompt first={first} second={second} />}
    </div>
  );
}

interface Runs { first: Run; second: Run | null }

const Failed = ({ run }: { run: Run | null }) => (run?.error == null ? null : <p class="message bad">The second run failed: {run.error}</p>);

function WithPrompt({ first, second }: Runs) {
  const { answer, error } = useAnswer(second && { op: 'difference' });
  return (
    <>
      <StartComparison first={first} second={second} />
      <Failed run={second} />
      {second === null && <p class="empty">Change a symbol of the prompt and select Compare. The page then marks the first layer and cell at which the two runs differ.</p>}
      {error !== null && <p class="message bad">{error}</p>}
      {second && <Comparison runs={[first, second]} difference={answer} />}
      {second && <PatchMap runs={[first, second]} />}
    </>
  );
}

function WithVersion({ first, second }: Runs) {
  const difference = useVersionDifference(first, second);
  const name = data.value.against?.name;
  return (
    <>
      <p>The first run is that of {data.value.name}, the second that of {name} on the same prompt.</p>
      <Failed run={second} />
      {against.value?.error != null
        ? <p class="message bad">{name} has an error: <Prose text={against.value.error} /></p>
        : second === null && <p class="message bad">{name} lacks this test. Enter a prompt to compare.</p>}
      {second && <VersionLayers runs={[first, second]} />}
      {second && <Comparison runs={[first, second]} difference={difference} />}
    </>
  );
}

function Comparison({ runs, difference }: { runs: [Run, Run]; difference: FoundDifference | null }) {
  return (
    <>
      {difference && <FirstDifference difference={difference} />}
      <SideBySide runs={runs} />
      <Strip runs={runs} difference={difference} />
    </>
  );
}
