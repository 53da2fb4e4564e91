// The elements of a line, a chunk of its cells, and the head.
import type { Program, Run } from '../protocol';
import { CHUNK, fits, type Geometry, HEAD } from './geometry';
import type { Line } from './lines';
import { type Loaded, shownCell } from './tiles';

export function element(name: string, className: string, text?: string): HTMLElement {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

const px = (length: number): string => `${length}px`;

export function place(made: HTMLElement, left: number, width: number): void {
  made.style.left = px(left);
  made.style.width = px(width);
}

/** The number and name of a line: "6 P2a: copy XQ from the left, pass 3". */
export function title({ layer, pass, folded }: Line, program: Program): string {
  const block = program.blocks.find(({ number }) => number === layer.blocks[pass.length - 1]);
  const label = folded ? (block?.label ?? 'repeat block') : (layer.label ?? `layer ${layer.number}`);
  const rounds = pass.length > 0 ? `, pass ${pass.join('.')}` : '';
  return `${label}${rounds}`;
}

export function numberOf({ layer, folded, from, to }: Line, run: Run): string {
  if (!folded) return `${layer.number}`;
  const last = run.rows[to]?.layer ?? layer.number;
  return run.rows[from]?.layer === last ? `${last}` : `${layer.number}–${last}`;
}

/** The element of a line with its heading. Its cells are added in chunks. */
export function drawLine(line: Line, index: number, program: Program, run: Run, registers: string[], sizes: Geometry): HTMLElement {
  const row = element('div', 'g-row');
  row.setAttribute('role', 'row');
  row.setAttribute('aria-rowindex', String(index + 2));
  row.dataset['line'] = String(index);
  row.style.top = px(HEAD + index * sizes.row);
  row.style.height = px(sizes.row);
  const heading = element('div', 'g-label');
  heading.setAttribute('role', 'rowheader');
  heading.style.width = px(sizes.label);
  const name = element('div', 'g-name');
  if (line.folds !== null) {
    const fold = element('span', 'g-fold', line.folded ? '▸' : '▾');
    fold.title = line.folded ? 'Open the layers of this pass' : 'Fold this pass';
    name.append(fold);
  }
  name.append(element('span', 'g-number', numberOf(line, run)), element('span', 'g-title', title(line, program)));
  name.title = title(line, program);
  const legend = element('div', 'g-registers');
  for (const register of registers) legend.append(element('span', '', register));
  legend.append(element('span', 'g-attends', 'attends'));
  heading.append(name, legend);
  row.append(heading);
  return row;
}

/** A cell without values. Cloning it is faster than creating its elements. */
export function blankCell(registers: number, sizes: Geometry): HTMLElement {
  const made = element('div', 'g-cell');
  made.setAttribute('role', 'gridcell');
  made.style.width = px(sizes.column);
  for (let register = 0; register < registers; register += 1) made.append(document.createElement('span'));
  made.append(element('span', 'g-attends'));
  return made;
}

/** An empty chunk, and its first and last cell. */
function emptyChunk(chunk: number, run: Run, sizes: Geometry): { made: HTMLElement; first: number; last: number } {
  const first = chunk * CHUNK + 1;
  const last = Math.min(run.symbols.length, first + CHUNK - 1);
  const made = element('div', 'g-chunk');
  made.setAttribute('role', 'presentation');
  place(made, sizes.label + (first - 1) * sizes.column, (last - first + 1) * sizes.column);
  return { made, first, last };
}

/** Null until the chunk's values are loaded. */
export function drawChunk(line: Line, chunk: number, run: Run, tiles: Loaded, sizes: Geometry, blank: HTMLElement): HTMLElement | null {
  const { made, first, last } = emptyChunk(chunk, run, sizes);
  for (let cell = first; cell <= last; cell += 1) {
    const drawn = drawCell(line, cell, run, tiles, sizes, blank);
    if (drawn === null) return null;
    made.append(drawn);
  }
  return made;
}

function drawCell(line: Line, cell: number, run: Run, tiles: Loaded, sizes: Geometry, blank: HTMLElement): HTMLElement | null {
  const shown = shownCell(line, cell, tiles);
  if (shown === null) return null;
  const { values, changed, attends } = shown;
  const made = blank.cloneNode(true) as HTMLElement;
  made.setAttribute('aria-colindex', String(cell + 1));
  if (cell > run.promptCells) made.className = cell === run.promptCells + 1 ? 'g-cell generated first' : 'g-cell generated';
  if (attends === -1) made.classList.add('rests');
  else if (!changed.includes(true)) made.classList.add('idle');
  let span = made.firstElementChild;
  values.forEach((value, register) => {
    if (span === null) return;
    if (value !== null) span.textContent = value;
    if (changed[register] === true) span.className = 'w';
    if (value !== null && !fits(value, sizes)) span.classList.add('long');
    span = span.nextElementSibling;
  });
  if (attends > 0 && span !== null) showAttention(span, attends, cell);
  return made;
}

function showAttention(span: Element, attends: number, cell: number): void {
  span.className = attends === cell ? 'g-attends own' : 'g-attends other';
  span.textContent = arrow(attends, cell);
}

/** The cell attended to: a dot for N itself, an arrow for another cell. */
export const arrow = (attends: number, cell: number): string => (attends === cell ? '●' : attends < cell ? `←${attends}` : `→${attends}`);

/** The names of the two parts of a run, above their first cells. */
export function drawBands(run: Run, sizes: Geometry): HTMLElement[] {
  const bands: [string, number][] = [['prompt', 1], ['continuation', run.promptCells + 1]];
  return bands.filter(([, cell]) => cell <= run.symbols.length).map(([name, cell]) => {
    const band = element('span', cell === 1 ? 'g-band' : 'g-band generated', name);
    band.setAttribute('aria-hidden', 'true');
    band.style.left = px(sizes.label + (cell - 1) * sizes.column + 6);
    return band;
  });
}

/** The head of a chunk: the number and start symbol of each cell. */
export function drawHead(chunk: number, run: Run, sizes: Geometry): HTMLElement {
  const { made, first, last } = emptyChunk(chunk, run, sizes);
  for (let cell = first; cell <= last; cell += 1) {
    const generated = cell > run.promptCells;
    const head = element('div', generated ? 'g-head generated' : 'g-head');
    head.setAttribute('role', 'columnheader');
    head.setAttribute('aria-colindex', String(cell + 1));
    head.style.width = px(sizes.column);
    head.dataset['cell'] = String(cell);
    if (cell === run.promptCells + 1) head.classList.add('first');
    const symbol = run.symbols[cell - 1] ?? '∅';
    head.append(element('span', 'g-cellnumber', String(cell)), element('span', 'g-symbol', symbol));
    head.title = `Cell ${cell}, ${generated ? 'generated' : 'prompt'}: starts with ${symbol}`;
    made.append(head);
  }
  return made;
}
