// Links between productions, layers and the editor.
import { signal } from '@preact/signals';
import { lineOf, lines } from '../grid/lines';
import { coordinatesAt } from '../grid/current';
import { program, run, select, selected } from '../store';
import { besideEditor, reveal } from '../shell/editor';
import { programOpen } from '../shell/open';
import type { Diagnostic, Layer } from '../protocol';

/** The last layer whose production, with one line above it, starts at or before a 1-based line of the text. */
export function layerAt(line: number): Layer | null {
  const known = program.peek();
  if (known === null) return null;
  return known.layers.findLast(({ head }) => head.line - 1 <= line && line >= head.line - 1) ?? null;
}

/** Selects the layer at the selected cell, and centers it in the grid. */
export function goToLayer(layer: Layer): void {
  const rows = run.peek()?.rows ?? [];
  const from = selected.peek();
  const current = from?.row != null && from.slot === 0 ? from.row : -1;
  if (rows[current]?.layer === layer.number) return select(from, true);
  const cell = from?.cell ?? run.peek()?.promptCells ?? 1;
  const row = rows.findIndex((other) => other.layer === layer.number);
  if (row < 0) return;
  const line = lines.peek()[lineOf(row)];
  const at = line?.folded ? coordinatesAt(lineOf(row), cell) : { slot: 0, row, cell };
  if (at) select(at.row !== null && rows[at.row]?.layer === layer.number ? at : { slot: 0, row, cell }, true);
}

/** Centers the layer of a clicked line, and shows the line in the editor. */
export function goToLine(line: number): void {
  const layer = layerAt(line);
  if (layer) goToLayer(layer);
  reveal(line);
}

/** The diagnostic to scroll to. */
export const lookedAt = signal<Diagnostic | null>(null);

/** Shows the line of a diagnostic in the program and in the editor. */
export function goToDiagnostic(diagnostic: Diagnostic): void {
  if (!besideEditor()) programOpen.value = true;
  // A copy, so that a second click scrolls again.
  lookedAt.value = { ...diagnostic };
  goToLine(diagnostic.line);
}
