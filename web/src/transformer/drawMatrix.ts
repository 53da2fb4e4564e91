// Draws the part of a matrix in view: entries, lines between them, and labels.
import type { Pen } from '../figure/pen';
import type { Colors } from './colors';

export interface Entry { row: number; column: number; x: number; y: number; width: number; height: number }
export interface At { row: number; column: number }

export interface Matrix {
  rows: number; columns: number;
  /** The size of an entry, in pixels. */
  width: number; height: number;
  rowLabel(row: number): string;
  columnLabel(column: number): string;
  paint(context: Pen, entry: Entry, colors: Colors): void;
  /** Draws a line after each group of this many columns: by default after each column or, if they are narrow, each 10. */
  columnGroup?: number;
  /** Names a group of columns, above their labels. */
  groupLabel?(group: number): string;
  /** Highlighted labels. */
  marked?: { row?: number; column?: number };
}

/** The margins for labels on the left and at the top, and whether those at the top are vertical. */
interface Labels { left: number; top: number; upright: boolean }
/** The margins, with the size of the view. */
type Frame = Labels & { width: number; height: number };
interface Scroll { x: number; y: number }

export const FONT = 11;
/** The width of a character, relative to the font size. */
const CHARACTER = 0.62;
/** The height of group labels. */
const GROUP = 18;
/** Entries of this size or more have lines between them. Smaller ones have a line after each 10. */
const DENSE = 8;
const SPARSE = 10;
/** The maximum number of characters of a label. */
const LONGEST = 14;

export const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most - 1));

const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** The width of the longest label, in pixels. */
function room(count: number, label: (index: number) => string): number {
  let longest = 1;
  for (let index = 0; index < count; index += 1) longest = Math.max(longest, label(index).length);
  return Math.min(longest, LONGEST) * FONT * CHARACTER + 8;
}

export function frameOf(matrix: Matrix): Labels {
  const above = room(matrix.columns, matrix.columnLabel);
  const upright = above <= matrix.width + 8;
  return {
    left: room(matrix.rows, matrix.rowLabel),
    top: (upright ? FONT + 8 : above) + (matrix.groupLabel ? GROUP : 0),
    upright,
  };
}

export function drawMatrix(context: Pen, matrix: Matrix, frame: Frame, scroll: Scroll, colors: Colors): void {
  context.clearRect(0, 0, frame.width, frame.height);
  if (matrix.rows === 0 || matrix.columns === 0) return;
  drawEntries(context, matrix, frame, scroll, colors);
  context.font = `${FONT}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  drawRowLabels(context, matrix, frame, scroll, colors);
  drawColumnLabels(context, matrix, frame, scroll, colors);
}

/** The first and last index in view. */
function visible(scroll: number, view: number, size: number, count: number): [number, number] {
  return [clamp(Math.floor(scroll / size), count), clamp(Math.ceil((scroll + view) / size), count)];
}

function drawEntries(context: Pen, matrix: Matrix, frame: Frame, scroll: Scroll, colors: Colors): void {
  const { rows, columns, width, height, columnGroup } = matrix;
  const { left, top } = frame;
  context.save();
  clip(context, left, top, frame.width, frame.height);
  const [firstRow, lastRow] = visible(scroll.y, frame.height - top, height, rows);
  const [firstColumn, lastColumn] = visible(scroll.x, frame.width - left, width, columns);
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      matrix.paint(context, { row, column, x: left + column * width - scroll.x, y: top + row * height - scroll.y, width, height }, colors);
    }
  }
  const right = left + columns * width - scroll.x;
  const bottom = top + rows * height - scroll.y;
  context.fillStyle = colors.line;
  const [rowStep, columnStep] = [height >= DENSE ? 1 : SPARSE, columnGroup ?? (width >= DENSE ? 1 : SPARSE)];
  for (let row = Math.ceil(firstRow / rowStep) * rowStep; row <= lastRow + 1; row += rowStep) {
    context.fillRect(left, top + row * height - scroll.y, right - left, 1);
  }
  for (let column = Math.ceil(firstColumn / columnStep) * columnStep; column <= lastColumn + 1; column += columnStep) {
    context.fillRect(left + column * width - scroll.x, top, 1, bottom - top);
  }
  context.restore();
}

/** Whether to draw a label: one of `every` fits. A highlighted label replaces those next to it. */
const isLabeled = (index: number, every: number, marked = -every): boolean =>
  index === marked || (index % every === 0 && Math.abs(index - marked) >= every);

function drawRowLabels(context: Pen, matrix: Matrix, frame: Frame, scroll: Scroll, colors: Colors): void {
  const { rows, height, marked } = matrix;
  const { left, top } = frame;
  context.save();
  clip(context, 0, top, left, frame.height);
  context.textAlign = 'right';
  const [first, last] = visible(scroll.y, frame.height - top, height, rows);
  const every = Math.ceil((FONT + 1) / height);
  for (let row = first; row <= last; row += 1) {
    if (!isLabeled(row, every, marked?.row)) continue;
    context.fillStyle = row === marked?.row ? colors.accent : colors.ink;
    context.fillText(short(matrix.rowLabel(row)), left - 4, top + (row + 0.5) * height - scroll.y);
  }
  context.restore();
}

function drawColumnLabels(context: Pen, matrix: Matrix, frame: Frame, scroll: Scroll, colors: Colors): void {
  const { columns, width, marked } = matrix;
  const { left, top, upright } = frame;
  context.save();
  // The first label may be wider than its column.
  clip(context, left - FONT / 2, 0, frame.width, top);
  context.textAlign = upright ? 'center' : 'left';
  const [first, last] = visible(scroll.x, frame.width - left, width, columns);
  const every = upright ? 1 : Math.ceil((FONT + 1) / width);
  for (let column = first; column <= last; column += 1) {
    if (!isLabeled(column, every, marked?.column)) continue;
    context.fillStyle = column === marked?.column ? colors.accent : colors.ink;
    context.save();
    context.translate(left + (column + 0.5) * width - scroll.x, top - (upright ? 4 + FONT / 2 : 4));
    if (!upright) context.rotate(-Math.PI / 2);
    context.fillText(short(matrix.columnLabel(column)), 0, 0);
    context.restore();
  }
  drawGroupLabels(context, matrix, frame, scroll, colors, [first, last]);
  context.restore();
}

function drawGroupLabels(
  context: Pen, { columnGroup, groupLabel, width }: Matrix, { left, top }: Frame, scroll: Scroll, colors: Colors,
  [first, last]: [number, number],
): void {
  if (columnGroup === undefined || groupLabel === undefined) return;
  context.font = `bold ${FONT}px system-ui, sans-serif`;
  context.textAlign = 'left';
  for (let group = Math.floor(first / columnGroup); group * columnGroup <= last; group += 1) {
    const text = groupLabel(group);
    const start = left + group * columnGroup * width - scroll.x;
    const end = start + columnGroup * width;
    context.fillStyle = colors.line;
    context.fillRect(start, 0, 1, top);
    context.fillStyle = colors.ink;
    // The label stays in view while its group does.
    context.fillText(text, Math.min(Math.max(start, left), end - context.measureText(text).width - 8) + 2, GROUP / 2);
  }
}

/** Draws a frame around an entry that is visible on every color. */
export function outline(context: Pen, { width, height }: Matrix, frame: Frame, scroll: Scroll, at: At, colors: Colors): void {
  const { left, top } = frame;
  context.save();
  clip(context, left - 2, top - 2, frame.width, frame.height);
  for (const [color, line] of [[colors.paper, 5], [colors.ink, 2]] as const) {
    context.strokeStyle = color;
    context.lineWidth = line;
    context.strokeRect(left + at.column * width - scroll.x, top + at.row * height - scroll.y, width, height);
  }
  context.restore();
}

function clip(context: Pen, left: number, top: number, right: number, bottom: number): void {
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
}
