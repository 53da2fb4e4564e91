// The codes of a layer: the heads with which each cell N attends to each cell n, what they do, and how alike the heads are.
import { useMemo } from 'preact/hooks';
import { Table } from '../figure/table';
import type { Code, Codes, Run, Schedule } from '../protocol';
import { layer, pointed, rowOf, select, selected, useAnswer } from '../store';
import type { Pen } from '../figure/pen';
import type { Colors } from '../transformer/colors';
import type { Entry } from '../transformer/drawMatrix';
import { Matrix } from '../transformer/matrix';
import { showCodes, shownLayer } from './chosen';
import { Similarity } from './similarity';

/** The maximum side of the matrix, and the sizes of an entry. */
const SIDE = 520;
const LARGEST = 18;
const SMALLEST = 7;
/** The smallest entry that has room for the number of its code. */
const NUMBERED = 14;
/** The number of colors, which repeat. */
const COLORS = 7;

interface Props { schedule: Schedule; run: Run | null; limited: { limit?: number } }

export function CodesView({ schedule, run, limited }: Props) {
  const shown = shownLayer(schedule);
  const heads = schedule.layers[shown - 1] ?? [];
  const has = run !== null && run.error === null && heads.length > 1;
  const at = selected.value;
  const isIn = at?.slot === 0 && heads.some(({ production }) => production === layer.value?.number);
  const pass = (isIn ? rowOf(at)?.pass : null) ?? [];
  const { answer, error } = useAnswer(has ? { op: 'codes', slot: 0, layer: shown, pass, ...limited } : null);
  const choices = schedule.layers.flatMap((of, index) => (of.length > 1 || index + 1 === shown ? [{ of, number: index + 1 }] : []));
  return (
    <section class="stack codes" aria-label="Latent codes">
      <div class="row">
        <h3 class="grow">Latent codes of layer {shown}</h3>
        <label class="field">
          <span>Layer</span>
          <select value={shown} onChange={({ currentTarget }) => showCodes(Number(currentTarget.value))}>
            {choices.map(({ of, number }) => <option key={number} value={number}>{number}: {of.map(({ name }) => name).join(', ')}</option>)}
          </select>
        </label>
      </div>
      {heads.length <= 1 ? <p>{oneHead(schedule, shown)}</p>
        : run === null ? <p>Run a prompt to see which heads its cells use to attend to each other.</p>
        : run.error !== null ? <p>This run failed. Only a run that ends has codes.</p>
        : error !== null ? <p class="message bad">{error}</p>
        : answer !== null && answer.layer === shown && <LayerCodes answer={answer} run={run} />}
    </section>
  );
}

const oneHead = ({ layers }: Schedule, number: number): string =>
  (layers.some((heads) => heads.length > 1)
    ? `Layer ${number} has one head, so all of its pairs of cells have the same code. Choose a layer with several heads.`
    : 'Each layer of this schedule has one head, so all pairs of cells of a layer have the same code.');

function LayerCodes({ answer, run }: { answer: Codes; run: Run }) {
  const { distinct: codes, heads, pairs, pass } = answer;
  const count = run.symbols.length;
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(SIDE / Math.max(1, count))));
  const indices = useMemo(() => new Map(pairs.map(([cell, source, code]) => [`${cell} ${source}`, code])), [pairs]);
  const codeOf = (cell: number, source: number): number | undefined => indices.get(`${cell} ${source}`);
  const label = (index: number): string => `${index + 1} ${run.symbols[index] ?? ''}`.trim();
  const named = (code: Code): string => code.heads.map((head) => heads[head]?.name ?? '').join(', ');
  const at = selected.value?.slot === 0 ? selected.value.cell : null;
  const during = pass.length === 0 ? '' : `, pass ${pass.join(', ')}`;
  const start = pairs.find(([cell]) => cell === at) ?? pairs[0];
  const describe = (cell: number, source: number): string => {
    const index = codeOf(cell, source);
    const code = index === undefined ? undefined : codes[index];
    return `N ${cell}, n ${source}: ${code === undefined ? 'no head attends' : `code ${(index ?? 0) + 1}, ${named(code)}: ${code.meaning}`}`;
  };
  const pick = (cell: number, source: number): void => {
    const code = codes[codeOf(cell, source) ?? -1];
    const production = heads[code?.heads[0] ?? 0]?.production;
    const row = run.rows.findIndex((ran) => ran.layer === production && String(ran.pass) === String(pass));
    if (row < 0) return;
    select({ slot: 0, row, cell });
    pointed.value = source;
  };
  if (codes.length === 0) return <p>No cell attends with a head of this layer in this run.</p>;
  return (
    <>
      <Table class="code-table">
        <thead><tr><th scope="col">code</th><th scope="col">heads</th><th scope="col">what the code does</th><th scope="col">pairs</th></tr></thead>
        <tbody>
          {codes.map((code, index) => (
            <tr key={index}>
              <th scope="row"><span class={`swatch code-${index % COLORS}`}>{index + 1}</span></th>
              <td>{named(code)}</td><td>{code.meaning}</td><td class="count">{code.pairs}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Matrix
        label={`Codes of layer ${answer.layer}${during}, ${count} by ${count} cells.`} file={`codes-layer-${answer.layer}`}
        rows={count} columns={count} width={size} height={size} rowLabel={label} columnLabel={label}
        {...(at === null ? {} : { marked: { row: at - 1 } })}
        {...(start === undefined ? {} : { start: { row: start[0] - 1, column: start[1] - 1 } })}
        describe={(row, column) => describe(row + 1, column + 1)}
        onPick={({ row, column }) => pick(row + 1, column + 1)}
        paint={(context, entry, colors) => {
          const code = codeOf(entry.row + 1, entry.column + 1);
          if (code !== undefined) paintCode(context, entry, code, colors);
        }}
      />
      <p class="caption">
        Each row is a cell N, each column a cell n. A colored pair is an N that attends to n{during}. Its code is the set of heads with which it does:
        the layer applies the sum of their value maps to n. The table counts the pairs of all passes.
      </p>
      <Similarity answer={answer} />
    </>
  );
}

function paintCode(context: Pen, { x, y, width, height }: Entry, code: number, colors: Colors): void {
  context.fillStyle = [colors.code0, colors.code1, colors.code2, colors.code3, colors.code4, colors.code5, colors.code6][code % COLORS] ?? colors.ink;
  context.fillRect(x + 1, y + 1, width - 1, height - 1);
  if (height < NUMBERED) return;
  context.fillStyle = colors.paper;
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(String(code + 1), x + width / 2 + 0.5, y + height / 2 + 1);
}
