// The run on paper: tables with all lines and as many cells as fit the width.
import { arrow, numberOf, title } from '../grid/draw';
import { lineOf, lines, onlyChanges } from '../grid/lines';
import { active } from '../grid/active';
import { type Shown, shownCell } from '../grid/tiles';
import type { Program, Run } from '../protocol';
import { program, run, selected, shown } from '../store';
import { bands } from './bands';
import { type Extent, extent } from './extent';
import { Head } from './head';
import { LineRows } from './line';
import { printing, WIDTH } from './printing';

/** Widths in CSS pixels: a character, the padding, the labels of lines, the longest name of a register, and the word above the prompt. */
const CHARACTER = 6.1;
const AROUND = 5;
const LABEL = 110;
const NAME = 80;
const PROMPT = 40;
/** The maximum number of characters of a value on one line. */
const LONGEST = 14;

export function PaperRun() {
  const part = printing.value ? extent() : null;
  if (part === null || !program.value || !run.value) return null;
  return <Tables part={part} program={program.value} run={run.value} />;
}

interface Props { part: Extent; program: Program; run: Run }

function Tables({ part, program, run }: Props) {
  const names = shown.value.map((register) => program.registers[register]?.long ?? '');
  const cells = Array.from({ length: part.last - part.first + 1 }, (_, index) => part.first + index);
  const drawn = part.lines.map((line) => cells.map((cell) => shownCell(line, cell, part.values)));
  const name = Math.min(NAME, width(names.concat('attends')));
  const least = PROMPT / run.promptCells;
  const widths = cells.map((cell, index) => {
    const texts = [String(cell), '←9', run.symbols[cell - 1] ?? '', ...drawn.flatMap((line) => textsOf(line[index] ?? null, cell))];
    return Math.max(width(texts), cell <= run.promptCells ? least : 0);
  });
  const parts = bands(widths, WIDTH - LABEL - name);
  return (
    <>
      <p class="caption">{told(part, run)}</p>
      {parts.map((band) => (
        <table key={band[0]} class="paper-run">
          <colgroup>
            <col style={{ width: `${LABEL}px` }} /><col style={{ width: `${name}px` }} />
            {widths.slice(...band).map((wide, index) => <col key={index} style={{ width: `${wide}px` }} />)}
          </colgroup>
          <Head cells={cells.slice(...band)} run={run} />
          {part.lines.map((line, index) => (
            <LineRows
              key={line.from} number={numberOf(line, run)} title={title(line, program)} names={names} cells={cells.slice(...band)}
              drawn={drawn[index]?.slice(...band) ?? []} promptCells={run.promptCells} selected={selectedIn(part.line + index)}
            />
          ))}
        </table>
      ))}
    </>
  );
}

/** The selected cell if it is in a line. */
const selectedIn = (line: number): number | null => {
  const at = selected.value;
  return at?.slot === 0 && at.row !== null && lineOf(at.row) === line ? at.cell : null;
};

const width = (texts: (string | null)[]): number => {
  const longest = texts.reduce((most, text) => Math.max(most, text?.length ?? 0), 1);
  return Math.ceil(Math.min(LONGEST, longest) * CHARACTER + AROUND);
};

const textsOf = (shown: Shown | null, cell: number): (string | null)[] =>
  (shown === null ? [] : [...shown.values, shown.attends > 0 ? arrow(shown.attends, cell) : '']);

/** A note on what the tables leave out. */
function told({ line, lines: inView, first, last, whole }: Extent, { symbols }: Run): string {
  const all = lines.value.length;
  const hides = onlyChanges.value && (active.value?.includes(false) ?? false);
  return [
    hides ? 'Layers that write none of these registers are left out.' : '',
    whole ? '' : `The run has ${symbols.length} cells and ${all} lines. The paper shows those in view: cells ${first} to ${last}, lines ${line + 1} to ${line + inView.length}.`,
  ].join(' ');
}
