// The attention of a layer as a matrix, with a row for each cell N and a column for each cell n.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Attention, Layer, Run } from '../protocol';
import { layerOf, pointed, runs, select, selected, useAnswer } from '../store';
import { Matrix } from './matrix';

/** The maximum side of the matrix, and the sizes of an entry. */
const SIDE = 520;
const LARGEST = 18;
const SMALLEST = 7;

/** `head` is the choice of pictures. */
export function AttentionView({ head, slot, row }: { head: ComponentChildren; slot: number; row: number }) {
  const { answer, error } = useAnswer({ op: 'attention', slot, row });
  const run = runs.value[slot];
  // Until the next answer arrives, the last one is shown.
  const ran = run?.rows[answer?.row ?? row];
  const layer = ran === undefined ? null : layerOf(ran.layer, slot);
  return (
    <>
      <div class="row">{head}</div>
      {error !== null && <p class="message bad">{error}</p>}
      {answer && run && layer && <AttentionMatrix slot={slot} row={answer.row} attention={answer} run={run} layer={layer} />}
    </>
  );
}

interface Props { slot: number; row: number; attention: Attention; run: Run; layer: Layer }

function AttentionMatrix({ slot, row, attention, run, layer }: Props) {
  const count = attention.attends.length;
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(SIDE / Math.max(1, count))));
  const matches = useMemo(() => attention.matches.map((cells) => new Set(cells)), [attention]);
  const attends = (cell: number): number => attention.attends[cell - 1] ?? 0;
  const isMatch = (cell: number, source: number): boolean => matches[cell - 1]?.has(source) ?? false;
  const isVisible = (cell: number, source: number): boolean => sees(layer, run, cell, source);
  const fired = attention.attends.filter((source) => source > 0).length;
  const label = (index: number): string => `${index + 1} ${run.symbols[index] ?? ''}`.trim();
  const selectedCell = selected.value?.slot === slot ? selected.value.cell : null;
  const start = selectedCell === null ? null : { row: selectedCell - 1, column: Math.max(0, (pointed.value ?? attends(selectedCell)) - 1) };
  return (
    <div class="beside">
      <Matrix
        label={`Attention of layer ${layer.number}, ${count} by ${count} cells.`} file={`attention-layer-${layer.number}`}
        rows={count} columns={count} width={size} height={size} rowLabel={label} columnLabel={label}
        {...(selectedCell === null ? {} : { marked: { row: selectedCell - 1 } })}
        {...(start === null ? {} : { start })}
        describe={(at, to) => describe(at + 1, to + 1, attends(at + 1), isMatch(at + 1, to + 1), isVisible(at + 1, to + 1), layer)}
        onPick={({ row: at, column }) => {
          select({ slot, row, cell: at + 1 });
          pointed.value = column + 1;
        }}
        paint={(context, { row: at, column, x, y, width, height }, colors) => {
          const [cell, source] = [at + 1, column + 1];
          if (attends(cell) === -1 || !isVisible(cell, source)) {
            context.fillStyle = colors.shade;
            context.fillRect(x, y, width, height);
          } else if (attends(cell) === source) {
            context.fillStyle = colors.accent;
            context.fillRect(x + 1, y + 1, width - 1, height - 1);
          } else if (isMatch(cell, source)) {
            context.strokeStyle = colors.accent;
            context.lineWidth = 1.5;
            context.strokeRect(x + 2, y + 2, width - 3, height - 3);
          }
        }}
      />
      <aside aria-label="About the picture">
        <p class="caption">
          Each row is a cell N, each column a cell n. Layer {layer.number} fires at {fired} of {count} cells.
          {' '}{visibility(layer)} Select an entry to see why N does or does not attend to n.
        </p>
        <ul class="plain marks" aria-label="Legend">
          <li><span class="square won" />N attends to n</li>
          <li><span class="square" />n matches, but {layer.rightmost ? 'the rightmost' : 'the leftmost'} match wins</li>
          <li><span class="square hidden" />N cannot see n{attention.attends.includes(-1) && ', or rests in this pass'}</li>
        </ul>
      </aside>
    </div>
  );
}

/** Whether n exists when N is updated, and `causal_attn` allows it. */
function sees({ causal }: Layer, { promptCells }: Run, cell: number, source: number): boolean {
  const exists = source <= Math.max(cell, promptCells);
  if (causal === 'true') return exists && source <= cell;
  return exists && (causal !== 'reverse' || source >= cell);
}

function visibility({ causal }: Layer): string {
  if (causal === 'true') return 'It is causal: N sees no cell to its right.';
  if (causal === 'reverse') return 'N sees no cell to its left.';
  return 'N sees all cells that exist when it is updated.';
}

function describe(cell: number, source: number, attends: number, isMatch: boolean, isVisible: boolean, layer: Layer): string {
  const pair = `N ${cell}, n ${source}:`;
  if (attends === -1) return `${pair} cell ${cell} rests in this pass`;
  if (!isVisible) return `${pair} cell ${cell} cannot see cell ${source}`;
  if (attends === source) return `${pair} cell ${cell} attends to ${source === cell ? 'itself' : `cell ${source}`}`;
  if (isMatch) return `${pair} a match, but cell ${attends} is the ${layer.rightmost ? 'rightmost' : 'leftmost'}`;
  return `${pair} not a match`;
}
