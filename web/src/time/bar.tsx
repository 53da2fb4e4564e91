// Controls to play, step and scrub through the run.
import { lines } from '../grid/lines';
import { title } from '../grid/draw';
import { program, run } from '../store';
import { moment, steps } from './moment';
import { goTo, playing, showAll, speed, stepBy, togglePlay } from './play';

const SPEEDS = [1, 3, 8, 20];

function nameOfStep(step: number): string {
  if (step === 0) return 'the prompt';
  const cell = (run.value?.promptCells ?? 0) + step;
  return `cell ${cell} (${run.value?.symbols[cell - 1] ?? '∅'})`;
}

export function TimeBar() {
  const count = lines.value.length;
  const last = { step: steps.value, line: count - 1 };
  const now = moment.value ?? last;
  const line = lines.value[now.line];
  const known = program.value;
  const off = count === 0;
  return (
    <div class="row time extra" role="group" aria-label="Time">
      <button type="button" class="icon" disabled={off} aria-label="Step back" title="Step back" onClick={() => { playing.value = false; stepBy(-1); }}>‹</button>
      <button type="button" disabled={off} onClick={togglePlay} id="play">{playing.value ? 'Pause' : '▶ Play'}</button>
      <button type="button" class="icon" disabled={off} aria-label="Step forward" title="Step forward" onClick={() => { playing.value = false; stepBy(1); }}>›</button>
      <label class="field">
        <span>Symbol</span>
        <input
          type="range" id="scrub-step" min={0} max={Math.max(0, last.step)} value={now.step} disabled={off} aria-valuetext={nameOfStep(now.step)}
          onInput={({ currentTarget }) => goTo({ step: currentTarget.valueAsNumber, line: moment.value?.line ?? 0 })}
        />
      </label>
      <label class="field grow">
        <span>Layer</span>
        <input
          type="range" id="scrub-line" class="grow" min={0} max={Math.max(0, count - 1)} value={now.line} disabled={off}
          aria-valuetext={line && known ? `${line.layer.number}: ${title(line, known)}` : ''}
          onInput={({ currentTarget }) => goTo({ step: moment.value?.step ?? 0, line: currentTarget.valueAsNumber })}
        />
      </label>
      <span class="now caption" role="status">
        {moment.value === null || !line || !known ? 'The whole run' : `${nameOfStep(now.step)}, layer ${line.layer.number}`}
      </span>
      {moment.value !== null && <button type="button" onClick={showAll}>Show all</button>}
      <label class="field">
        <span>Speed</span>
        <select value={String(speed.value)} onChange={({ currentTarget }) => { speed.value = Number(currentTarget.value); }}>
          {SPEEDS.map((value) => <option key={value} value={String(value)}>{value}/s</option>)}
        </select>
      </label>
    </div>
  );
}
