// The parse of the prompt and its continuation, as the registers region, field and index hold it.
import { signal } from '@preact/signals';
import type { Run } from '../protocol';
import { rowOf, runs, selected, useAnswer } from '../store';
import { ParseTables } from './parseTables';
import { ParseTree } from './parseTree';
import { Segments } from './segments';
import './transformer.css';

type Moment = 'selected' | 'end';

const moment = signal<Moment>('selected');

export function ParsePanel() {
  const place = selected.value;
  const slot = place?.slot ?? 0;
  const run = runs.value[slot];
  const end = run?.rows.length ?? 0;
  const atSelected = place !== null && moment.value === 'selected';
  const time = atSelected ? (place.row === null ? 0 : place.row + 1) : end;
  const { answer, error } = useAnswer(run ? { op: 'parse', slot, time, ...(isGenerating(run, place?.cell) ? { cell: place?.cell ?? 0 } : {}) } : null);
  if (error !== null) return <p class="message bad">{error}</p>;
  if (answer === null) return <p class="empty">Run a prompt to see its parse.</p>;
  if (answer.tree === null) {
    return <p class="empty">This program does not parse its prompt: it has no registers named <code>region</code> and <code>field</code>.</p>;
  }
  const layer = rowOf(place)?.layer;
  // Without a row, a click leads to the end of the run.
  const to = { slot, row: atSelected ? place.row : end === 0 ? null : end - 1 };
  const cell = place?.cell ?? null;
  return (
    <div class="transformer">
      <div class="row">
        <Segments
          label="Moment" value={moment.value} onChange={(next) => { moment.value = next; }}
          choices={[['selected', layer === undefined ? 'At the selected layer' : `After layer ${layer}`], ['end', 'After the last layer']]}
        />
        <p class="caption">Cells with the same region form a part of the prompt, and in it cells with the same field a constituent or a delimiter.</p>
      </div>
      <ParseTree root={answer.tree} cell={cell} to={to} />
      <ParseTables tables={answer.tables} cell={cell} to={to} />
    </div>
  );
}

/** Whether a cell generates a symbol: the last one of the prompt and those after it. */
const isGenerating = (run: Run, cell: number | undefined): boolean => cell !== undefined && cell >= run.promptCells;
