// Saves or copies a part of the grid.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { grid } from '../grid/current';
import { numberOf, title } from '../grid/draw';
import { lines } from '../grid/lines';
import { fileName } from '../download';
import { data, program, run, selected } from '../store';
import { CopyButtons } from './copy';
import type { Choice } from './gridPart';
import { type Arcs, gridPicture } from './gridPicture';
import { gridTable } from './gridTable';
import { save } from './svg';

export const exportOpen = signal(false);

const ARCS: [Arcs, string][] = [['selected', 'of the selected cell'], ['all', 'of all cells'], ['none', 'none']];

/** The whole grid. */
const everything = (): Choice => ({ lines: [0, Math.max(0, lines.peek().length - 1)], cells: [1, run.peek()?.symbols.length ?? 1] });

export function ExportDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (exportOpen.value) dialog.current?.showModal();
  }, [exportOpen.value]);
  if (!exportOpen.value) return null;
  return (
    <dialog class="dialog" ref={dialog} aria-labelledby="export-title" onClose={() => { exportOpen.value = false; }}>
      <div class="row">
        <h2 id="export-title" class="grow">The grid in a paper</h2>
        <button type="button" onClick={() => dialog.current?.close()}>Close</button>
      </div>
      <Export />
    </dialog>
  );
}

function Export() {
  const [choice, setChoice] = useState<Choice>(() => grid.view?.shows() ?? everything());
  const [arcs, setArcs] = useState<Arcs>('selected');
  const [message, setMessage] = useState<string | null>(null);
  const name = data.value.name.replace(/\.psl$/, '');
  const savePicture = async (): Promise<void> => {
    setMessage(null);
    try {
      const picture = await gridPicture(choice, arcs, selected.peek());
      if (picture !== null) save(picture, fileName(name, '.svg'));
    } catch (error) {
      setMessage((error as Error).message);
    }
  };
  return (
    <div class="stack">
      <div class="row">
        <button type="button" onClick={() => setChoice(grid.view?.shows() ?? everything())}>What is in view</button>
        <button type="button" onClick={() => setChoice(everything())}>Everything</button>
      </div>
      <Layers range={choice.lines} onChange={(lines) => setChoice({ ...choice, lines })} />
      <Cells range={choice.cells} onChange={(cells) => setChoice({ ...choice, cells })} />
      <label class="field">
        <span>Arcs to the cells attended to</span>
        <select value={arcs} onChange={({ currentTarget }) => setArcs(currentTarget.value as Arcs)}>
          {ARCS.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
        </select>
      </label>
      <p class="caption">The folds, the registers and the lines are those of the grid.</p>
      <div class="row">
        <button type="button" class="primary" onClick={() => void savePicture()}>Save SVG</button>
        <CopyButtons read={() => gridTable(choice)} />
      </div>
      {message !== null && <p class="message bad" role="alert">{message}</p>}
    </div>
  );
}

interface RangeProps { range: [number, number]; onChange(range: [number, number]): void }

/** First and last. An end that moves past the other takes it along. */
const moved = ([first, last]: [number, number], end: 0 | 1, to: number): [number, number] =>
  end === 0 ? [to, Math.max(to, last)] : [Math.min(first, to), to];

function Layers({ range, onChange }: RangeProps) {
  const [known, current] = [program.value, run.value];
  if (known === null || current === null) return null;
  const names = lines.value.map((line) => `${numberOf(line, current)} ${title(line, known)}`);
  return (
    <div class="stack">
      {(['First layer', 'Last layer'] as const).map((label, end) => (
        <label key={label} class="field">
          <span>{label}</span>
          <select value={range[end as 0 | 1]} onChange={({ currentTarget }) => onChange(moved(range, end as 0 | 1, Number(currentTarget.value)))}>
            {names.map((name, index) => <option key={index} value={index}>{name}</option>)}
          </select>
        </label>
      ))}
    </div>
  );
}

function Cells({ range, onChange }: RangeProps) {
  const cells = run.value?.symbols.length ?? 1;
  const change = (end: 0 | 1, to: number): void => { if (Number.isInteger(to) && to >= 1 && to <= cells) onChange(moved(range, end, to)); };
  return (
    <div class="row">
      {(['First cell', 'Last cell'] as const).map((label, end) => (
        <label key={label} class="field">
          <span>{label}</span>
          <input
            type="number" min={1} max={cells} value={range[end as 0 | 1]}
            onInput={({ currentTarget }) => change(end as 0 | 1, currentTarget.valueAsNumber)}
            onBlur={({ currentTarget }) => { currentTarget.value = String(range[end as 0 | 1]); }}
          />
        </label>
      ))}
      <span class="caption">of {cells}</span>
    </div>
  );
}
