// Starts a comparison with a second prompt, typed or from a test.
import { useEffect, useState } from 'preact/hooks';
import type { Run } from '../protocol';
import { compute, machine, program, running, wantedRuns } from '../store';

const promptOf = ({ symbols, promptCells }: Run): string => symbols.slice(0, promptCells).map((symbol) => symbol ?? '∅').join(' ');

export function StartComparison({ first, second }: { first: Run; second: Run | null }) {
  const ran = promptOf(second ?? first);
  const [prompt, setPrompt] = useState(ran);
  useEffect(() => setPrompt(ran), [ran]);
  const start = (of: string | { test: number }): void => {
    void compute([wantedRuns.value[0] ?? null, { prompt: of, machine: machine.value }]);
  };
  const tests = program.value?.tests ?? [];
  return (
    <form class="row" onSubmit={(event) => { event.preventDefault(); start(prompt); }}>
      <label class="field grow">
        <span>Second prompt</span>
        <input
          type="text" class="grow" value={prompt} spellcheck={false} autocomplete="off"
          onInput={(event) => setPrompt(event.currentTarget.value)}
        />
      </label>
      <button class="primary" disabled={running.value || prompt.trim() === ''}>Compare</button>
      {tests.length > 0 && (
        <label class="field">
          <span>or a test</span>
          <select
            value=""
            onChange={(event) => {
              const index = Number(event.currentTarget.value);
              const test = tests[index];
              event.currentTarget.value = '';
              if (!test) return;
              start({ test: index });
            }}
          >
            <option value="" disabled>Choose a test</option>
            {tests.map(({ name, prompt, file }, index) => <option key={index} value={index}>{name ?? prompt ?? file}</option>)}
          </select>
        </label>
      )}
      {second && (
        <button type="button" title="Show the second run in the grid" onClick={() => void compute([wantedRuns.value[1] ?? null, wantedRuns.value[0] ?? null])}>
          Swap runs
        </button>
      )}
      {second && <button type="button" onClick={() => void compute([wantedRuns.value[0] ?? null, null])}>End comparison</button>}
    </form>
  );
}
