// The continuation, and whether it is the expected one.
import { ablatedIn, against, compute, failure, missing, program, run, running, runPrompt, select, wantedRuns } from '../store';
import { panel, programOpen } from '../shell/open';
import { Diagnostics } from '../program/diagnostics';
import { Prose, sentence } from '../transformer/prose';
import { rowName } from '../why/words';
import { result } from './result';
import { coordinatesOfSymbol } from './written';

const go = (index: number): void => {
  void coordinatesOfSymbol(index).then((at) => { if (at) select(at); });
};

export function Outcome() {
  const current = run.value;
  const compared = result.value;
  const error = program.value?.error ?? null;
  // Its errors are then listed above its text.
  const listed = program.value?.diagnostics.some(({ severity }) => severity === 'error');
  const broken = failure.value ?? error;
  return (
    <div class="outcome" aria-live="polite">
      {missing.value !== null && (
        <p class="message warn" role="alert">
          This link was made with <code>{missing.value}</code>, which is not open here. Open it with <em>Open file…</em> to see what the link shows.
        </p>
      )}
      <Ablated />
      <SetValues />
      {running.value && <p class="running">Running…</p>}
      {broken !== null && (failure.value !== null || !listed) && <p class="message bad" role="alert"><Prose text={broken} /></p>}
      {error !== null && !programOpen.value && <Diagnostics />}
      {broken === null && current && compared && (
        <>
          <p class="row">
            <span class="caption">{current.stopped === 'prompt-pass' ? 'Row' : 'Continuation'}</span>
            <span class="symbols">
              {compared.got.map((symbol, index) => (
                <button
                  key={index} type="button" class={index === compared.wrong ? 'symbol wrong' : 'symbol'} onClick={() => go(index)}
                  title={index === compared.wrong ? `Expected ${compared.expected?.[index] ?? 'no symbol'}. Go to the layer that wrote this symbol` : 'Go to the layer that wrote this symbol'}
                >{symbol}</button>
              ))}
            </span>
            {compared.expected !== null && (compared.right
              ? <span class="chip good">✓ right</span>
              : <span class="chip bad">✗ wrong{compared.wrong === null ? '' : `: symbol ${compared.wrong + 1} is ${compared.got[compared.wrong] ?? 'missing'}, expected ${compared.expected[compared.wrong] ?? 'none'}`}</span>)}
            {current.stopped === 'max-new' && <span class="chip">stopped at the maximum length</span>}
          </p>
          {current.wrong && <p class="caption"><Prose text={sentence(current.wrong.text)} /></p>}
          {current.error !== null && <p class="message bad" role="alert"><Prose text={sentence(current.error)} /> The grid shows what ran before.</p>}
          {current.note !== null && <p class="message warn"><Prose text={current.note} /></p>}
        </>
      )}
    </div>
  );
}

/** The values that the run has in place of its own. */
function SetValues() {
  const wanted = wantedRuns.value[0];
  const set = wanted?.set;
  if (!wanted || !set) return null;
  const { set: _, ...plain } = wanted;
  const compare = (): void => {
    panel.value = 'compare';
    void compute([wanted, plain]);
  };
  const MOST = 4;
  const shown = set.slice(0, MOST).map(({ register, cell, value, layer, pass }) => `${register}[${cell}] = ${value ?? '∅'} ${layer === 0 ? 'at the start' : `after ${rowName({ layer, pass: pass ?? [] })}`}`);
  return (
    <p class="row">
      <span class="chip warn">With {shown.join(', ')}{set.length > MOST ? ` and ${set.length - MOST} more` : ''}</span>
      {against.value === null && <button type="button" onClick={compare}>Compare with the run as it is</button>}
      <button type="button" onClick={() => void compute([plain, wantedRuns.value[1] ?? null])}>Restore</button>
    </p>
  );
}

/** The ablated layers. */
function Ablated() {
  const layers = ablatedIn(0);
  const wanted = wantedRuns.value[0];
  if (layers.length === 0 || !wanted) return null;
  const { prompt, machine, gold } = wanted;
  const compare = (): void => {
    panel.value = 'compare';
    void compute([wanted, { prompt, machine, ...(gold === undefined ? {} : { gold }) }]);
  };
  return (
    <p class="row">
      <span class="chip warn">Without layer{layers.length === 1 ? '' : 's'} {layers.join(', ')}</span>
      {against.value === null && <button type="button" onClick={compare}>Compare with the whole program</button>}
      <button type="button" onClick={() => void runPrompt(prompt, gold, [])}>Restore</button>
    </p>
  );
}
