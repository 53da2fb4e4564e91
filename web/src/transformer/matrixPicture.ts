// A whole matrix as a picture for a paper, in light colors.
import { readColors } from './colors';
import { drawMatrix, frameOf, type Matrix } from './drawMatrix';
import { SvgPen } from '../figure/pen';
import { picture } from '../figure/svg';

/** A half-open range of indices. */
export type Extent = [number, number];

/** Some rows and columns of a matrix. Groups of columns stay whole. */
export function partOf(matrix: Matrix, [top, bottom]: Extent, [first, end]: Extent): Matrix {
  const group = matrix.columnGroup ?? 1;
  const left = Math.floor(first / group) * group;
  const right = Math.min(matrix.columns, Math.ceil(end / group) * group);
  const { marked, groupLabel } = matrix;
  return {
    ...matrix,
    rows: bottom - top,
    columns: right - left,
    rowLabel: (row) => matrix.rowLabel(row + top),
    columnLabel: (column) => matrix.columnLabel(column + left),
    paint: (pen, entry, colors) => matrix.paint(pen, { ...entry, row: entry.row + top, column: entry.column + left }, colors),
    ...(groupLabel && { groupLabel: (index: number) => groupLabel(index + left / group) }),
    ...(marked && { marked: { ...(marked.row !== undefined && { row: marked.row - top }), ...(marked.column !== undefined && { column: marked.column - left }) } }),
  };
}

/** Throws if the picture is too large. */
export function matrixPicture(matrix: Matrix, title: string): string {
  const frame = frameOf(matrix);
  const width = frame.left + matrix.columns * matrix.width + 1;
  const height = frame.top + matrix.rows * matrix.height + 1;
  const pen = new SvgPen();
  pen.save();
  drawMatrix(pen, matrix, { ...frame, width, height }, { x: 0, y: 0 }, lightColors());
  pen.restore();
  return picture(width, height, title, pen.parts, 'Save what is in view.');
}

/** The colors of a light page, even if this one is dark. */
function lightColors(): ReturnType<typeof readColors> {
  const probe = document.createElement('div');
  probe.className = 'transformer';
  probe.style.colorScheme = 'light';
  probe.hidden = true;
  document.body.append(probe);
  const colors = readColors(probe);
  probe.remove();
  return colors;
}
