// Two runs side by side: a second prompt, or the expected against the generated continuation.
import type { Run } from '../protocol';
import { runs, useAnswer } from '../store';
import '../transformer/transformer.css';
import './compare.css';
import { FirstDifference } from './firstDifference';
import { GoldAgainstGot } from './gold';
import { SideBySide } from './sideBySide';
import { StartComparison } from './start';
import { Strip } from './strip';

export function ComparePanel() {
  const [first, second] = runs.value;
  if (!first) return <p class="empty">Run a prompt first. Then compare it with a second one.</p>;
  return (
    <div class="compare">
      <GoldAgainstGot run={first} />
      <StartComparison first={first} second={second ?? null} />
      {second?.error != null && <p class="message bad">The second run failed: {second.error}</p>}
      {second ? <Comparison first={first} second={second} /> : (
        <p class="empty">Change a symbol of the prompt and select Compare. The page then marks the first layer and cell at which the two runs differ.</p>
      )}
    </div>
  );
}

function Comparison({ first, second }: { first: Run; second: Run }) {
  const { answer, error } = useAnswer({ op: 'difference' });
  return (
    <>
      {error !== null && <p class="message bad">{error}</p>}
      {answer && <FirstDifference difference={answer} />}
      <SideBySide runs={[first, second]} />
      <Strip runs={[first, second]} difference={answer} />
    </>
  );
}
