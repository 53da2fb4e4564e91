// The links between productions and layers, and to the editor.
import { signal } from '@preact/signals';
import { lineOf, lines } from '../grid/lines';
import { placeAt } from '../grid/current';
import { program, run, select, selected } from '../store';
import { besideEditor, reveal } from '../shell/editor';
import { programOpen } from '../shell/views';
import type { Diagnostic, Layer } from '../protocol';

/** The layer whose production, with the comment above it, is at a line of the text. */
export function layerAt(line: number): Layer | null {
  const known = program.peek();
  if (known === null) return null;
  return known.layers.findLast(({ head }) => head.line - 1 <= line && line >= head.line - 1) ?? null;
}

/** Selects the layer in the grid, in the cell that is selected, and centers it. */
export function goToLayer(layer: Layer): void {
  const rows = run.peek()?.rows ?? [];
  const place = selected.peek();
  const current = place?.row != null && place.slot === 0 ? place.row : -1;
  if (rows[current]?.layer === layer.number) return select(place, true);
  const cell = place?.cell ?? run.peek()?.promptCells ?? 1;
  const row = rows.findIndex((other) => other.layer === layer.number);
  if (row < 0) return;
  const line = lines.peek()[lineOf(row)];
  const at = line?.folded ? placeAt(lineOf(row), cell) : { slot: 0, row, cell };
  if (at) select(at.row !== null && rows[at.row]?.layer === layer.number ? at : { slot: 0, row, cell }, true);
}

/** A click into a line: its layer is centered, and the editor shows the line. */
export function goToLine(line: number): void {
  const layer = layerAt(line);
  if (layer) goToLayer(layer);
  reveal(line);
}

/** The diagnostic whose line must be in view. */
export const lookedAt = signal<Diagnostic | null>(null);

/** Shows the line of a diagnostic in the program and in the editor. */
export function goToDiagnostic(diagnostic: Diagnostic): void {
  if (!besideEditor()) programOpen.value = true;
  // A second click scrolls again.
  lookedAt.value = { ...diagnostic };
  goToLine(diagnostic.line);
}
