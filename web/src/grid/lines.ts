// The lines of the grid: rows of the run, with the passes of repeat blocks folded.
import { computed, signal } from '@preact/signals';
import type { Layer, RunRow } from '../protocol';
import { layerOf, program, run, selected } from '../store';
import { active } from './active';

/** A row, or the rows of a folded pass, from `from` to `to`, inclusive. It shows the cells after row `to`. */
export interface Line {
  from: number; to: number;
  layer: Layer;
  /** The passes of the enclosing blocks, outermost first. */
  pass: number[];
  /** The pass that the button of this line opens or folds. */
  folds: string | null;
  folded: boolean;
  /** Whether the line is in an opened pass. If so, it is shown even if it changes nothing. */
  inside: boolean;
}

/** The open passes. */
export const opened = signal<ReadonlySet<string>>(new Set());
/** Whether rows that change no shown register are hidden. */
export const onlyChanges = signal(true);

export function toggle(key: string): void {
  const next = new Set(opened.value);
  if (!next.delete(key)) next.add(key);
  opened.value = next;
}

/** Opens the folded passes that contain a row. */
export function openTo(row: number): void {
  for (let line = lines.peek()[lineOf(row)]; line?.folded && line.folds !== null; line = lines.peek()[lineOf(row)]) {
    if (row < line.from || row > line.to) return;
    toggle(line.folds);
  }
}

const keyOf = (layer: Layer, pass: number[], depth: number): string => `${layer.blocks[depth]}:${pass.slice(0, depth + 1).join('.')}`;

function fold(rows: RunRow[], open: ReadonlySet<string>): Line[] {
  const build = (from: number, to: number, depth: number): Line[] => {
    const lines: Line[] = [];
    for (let at = from; at <= to;) {
      const row = rows[at];
      const layer = row && layerOf(row.layer);
      if (!row || !layer) { at += 1; continue; }
      const whole: Line = { from: at, to: at, layer, pass: row.pass, folds: null, folded: false, inside: depth > 0 };
      if (row.pass.length <= depth) {
        lines.push(whole);
        at += 1;
        continue;
      }
      const key = keyOf(layer, row.pass, depth);
      let end = at;
      for (let next = rows[end + 1]; next && end < to; next = rows[end + 1]) {
        const other = layerOf(next.layer);
        if (next.pass.length <= depth || !other || keyOf(other, next.pass, depth) !== key) break;
        end += 1;
      }
      if (end === at) {
        lines.push(whole);
      } else if (open.has(key)) {
        const inside = build(at, end, depth + 1);
        const [first] = inside;
        if (first && first.folds === null) inside[0] = { ...first, folds: key };
        lines.push(...inside);
      } else {
        lines.push({ from: at, to: end, layer, pass: row.pass.slice(0, depth + 1), folds: key, folded: true, inside: depth > 0 });
      }
      at = end + 1;
    }
    return lines;
  };
  return build(0, rows.length - 1, 0);
}

const folded = computed<Line[]>(() => (run.value && program.value ? fold(run.value.rows, opened.value) : []));

/** The selected row if it would be hidden, otherwise -1. */
const extra = computed(() => {
  const at = selected.value;
  return at?.slot === 0 && at.row !== null && active.value?.[at.row] === false ? at.row : -1;
});

export const lines = computed<Line[]>(() => {
  const rows = active.value;
  // Otherwise, a run that changes no shown register would have no lines.
  if (!rows?.includes(true) || !onlyChanges.value) return folded.value;
  const chosen = extra.value;
  return folded.value.filter(({ from, to, inside }) => {
    if (inside || (chosen >= from && chosen <= to)) return true;
    for (let row = from; row <= to; row += 1) if (rows[row]) return true;
    return false;
  });
});

/** The index of the line that contains a row, or of the line before it if the row is hidden. */
export function lineOf(row: number | null): number {
  if (row === null) return -1;
  const all = lines.value;
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.from ?? 0) <= row) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
