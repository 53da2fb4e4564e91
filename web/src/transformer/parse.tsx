// The parse of the prompt and its continuation in the registers region, field and index.
import { signal } from '@preact/signals';
import type { Run } from '../protocol';
import { rowOf, runs, selected, useAnswer } from '../store';
import { ParseTables } from './parseTables';
import { ParseTree } from './parseTree';
import { Segments } from './segments';
import './transformer.css';

type ShownTime = 'selected' | 'end';

const shownTime = signal<ShownTime>('selected');

export function ParsePanel() {
  const at = selected.value;
  const slot = at?.slot ?? 0;
  const run = runs.value[slot];
  const end = run?.rows.length ?? 0;
  const atSelected = at !== null && shownTime.value === 'selected';
  const time = atSelected ? (at.row === null ? 0 : at.row + 1) : end;
  const { answer, error } = useAnswer(run ? { op: 'parse', slot, time, ...(isGenerating(run, at?.cell) ? { cell: at?.cell ?? 0 } : {}) } : null);
  if (error !== null) return <p class="message bad">{error}</p>;
  if (answer === null) return <p class="empty">Run a prompt to see its parse.</p>;
  if (answer.tree === null) {
    return <p class="empty">This program does not parse its prompt: it has no registers named <code>region</code> and <code>field</code>.</p>;
  }
  const layer = rowOf(at)?.layer;
  // A click in the parse after the last layer goes to the last row.
  const to = { slot, row: atSelected ? at.row : end === 0 ? null : end - 1 };
  const cell = at?.cell ?? null;
  return (
    <div class="transformer">
      <div class="row">
        <Segments
          label="Moment" value={shownTime.value} onChange={(next) => { shownTime.value = next; }}
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
