// Draws the part of the grid in view: in each frame, only what has come into view.
import type { Program, Run } from '../protocol';
import { blankCell, drawBands, drawChunk, drawHead, drawLine, element } from './draw';
import { CHUNK, geometry, type Geometry, HEAD, inView, widthOf, type Window } from './geometry';
import type { Line } from './lines';
import { type Area, Tiles } from './tiles';

export interface Model { program: Program; run: Run; registers: number[]; generation: number }

/** The time for new elements in a frame, in ms. The next frame continues. */
const FRAME = 2;
/** The same for a new run, so that its first frame has all in view. */
const FIRST = 12;

interface DrawnLine { element: HTMLElement; chunks: Map<number, HTMLElement> }

export class GridView {
  readonly canvas = element('div', 'g-canvas');
  /** Marks over the cells. */
  readonly overlay = element('div', 'g-overlay');
  private readonly head = element('div', 'g-row g-heads');
  private readonly drawn = new Map<number, DrawnLine>();
  private readonly heads = new Map<number, HTMLElement>();
  private lines: Line[] = [];
  private model: Model | undefined;
  private tiles: Tiles | undefined;
  private blank = element('div', '');
  private frame = 0;
  /** Whether all values are fetched, after those in view. */
  private all = false;
  sizes: Geometry = { row: 40, column: 40, label: 270 };

  constructor(readonly scroller: HTMLElement, private readonly after: () => void) {
    this.canvas.setAttribute('role', 'presentation');
    this.head.setAttribute('role', 'row');
    this.head.setAttribute('aria-rowindex', '1');
    this.overlay.setAttribute('aria-hidden', 'true');
    this.canvas.append(this.head, this.overlay);
    scroller.append(this.canvas);
  }

  /** Shows a run. Equal models share their tiles. */
  show(model: Model, lines: Line[]): void {
    const { run, registers, generation } = model;
    if (this.model?.generation !== generation || this.model.registers !== registers) {
      this.all = false;
      this.tiles = new Tiles(run, registers, () => this.schedule());
    }
    this.model = model;
    this.lines = lines;
    this.sizes = geometry(run, registers.length, this.scroller.clientWidth);
    this.blank = blankCell(registers.length, this.sizes);
    this.clear();
    this.canvas.style.width = `${widthOf(run, this.sizes)}px`;
    this.canvas.style.height = `${HEAD + lines.length * this.sizes.row}px`;
    this.scroller.setAttribute('aria-rowcount', String(lines.length + 1));
    this.scroller.setAttribute('aria-colcount', String(run.symbols.length + 1));
    this.draw(FIRST);
  }

  /** Fetches all values. */
  loadAll(): void {
    this.all = true;
    this.schedule();
  }

  get values(): Tiles | undefined {
    return this.tiles;
  }

  /** The part in view, in whole chunks. */
  visible(cells: number): Window {
    return inView(this.scroller, this.sizes, this.lines.length, cells, 0);
  }

  private clear(): void {
    this.drawn.forEach(({ element }) => element.remove());
    this.drawn.clear();
    this.heads.clear();
    const corner = element('div', 'g-label g-corner');
    corner.setAttribute('role', 'columnheader');
    corner.style.width = `${this.sizes.label}px`;
    corner.append(element('span', 'g-title', 'layer'), element('span', 'g-registers', 'cell\nsymbol'));
    this.head.replaceChildren(corner, ...(this.model ? drawBands(this.model.run, this.sizes) : []));
  }

  schedule(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(time = FRAME): void {
    const { model, tiles } = this;
    if (!model || !tiles) return;
    const cells = model.run.symbols.length;
    // Reads all sizes before it changes an element, so that a frame has only one layout.
    const [near, far, ahead] = this.windows(cells);
    this.forget(far);
    const complete = this.drawWindow(model, tiles, near, performance.now() + time);
    const all: Area[] = this.all ? [{ from: 0, to: model.run.rows.length - 1, first: 1, last: cells }] : [];
    tiles.want([...this.areas(near, cells), ...this.areas(ahead, cells), ...all]);
    if (!complete) this.schedule();
    this.after();
  }

  /** The first and last of the lines and cells that are mostly in view. Null if there are none. */
  shows(): { lines: [number, number]; cells: [number, number] } | null {
    const { scroller, sizes: { row, column, label }, lines, model } = this;
    if (!model || lines.length === 0) return null;
    const within = (start: number, length: number, size: number, count: number): [number, number] => {
      const first = Math.min(count - 1, Math.round(start / size));
      return [first, Math.max(first, Math.min(count, Math.round((start + length) / size)) - 1)];
    };
    const [first, last] = within(scroller.scrollLeft, scroller.clientWidth - label, column, model.run.symbols.length);
    return { lines: within(scroller.scrollTop, scroller.clientHeight - HEAD, row, lines.length), cells: [first + 1, last + 1] };
  }

  /** The areas to draw, to keep and to fetch. */
  private windows(cells: number): [Window, Window, Window] {
    const window = (more: number): Window => inView(this.scroller, this.sizes, this.lines.length, cells, more);
    return [window(1), window(5), window(12)];
  }

  /** Draws what is missing in the window. Returns whether it finished in time. */
  private drawWindow(model: Model, tiles: Tiles, window: Window, deadline: number): boolean {
    const { program, run, registers } = model;
    for (let chunk = window.firstChunk; chunk <= window.lastChunk; chunk += 1) {
      if (this.heads.has(chunk)) continue;
      const head = drawHead(chunk, run, this.sizes);
      this.heads.set(chunk, head);
      this.head.append(head);
    }
    const names = registers.map((register) => program.registers[register]?.long ?? '');
    for (let index = window.firstLine; index <= window.lastLine; index += 1) {
      const line = this.lines[index];
      if (line === undefined) continue;
      let drawn = this.drawn.get(index);
      if (drawn === undefined) {
        drawn = { element: drawLine(line, index, program, run, names, this.sizes), chunks: new Map() };
        this.insert(index, drawn.element);
        this.drawn.set(index, drawn);
      }
      for (let chunk = window.firstChunk; chunk <= window.lastChunk; chunk += 1) {
        if (drawn.chunks.has(chunk)) continue;
        if (performance.now() > deadline) return false;
        const cells = drawChunk(line, chunk, run, tiles, this.sizes, this.blank);
        if (cells === null) continue;
        const next = [...drawn.chunks].filter(([other]) => other > chunk).sort(([a], [b]) => a - b)[0];
        drawn.chunks.set(chunk, cells);
        drawn.element.insertBefore(cells, next?.[1] ?? null);
      }
    }
    return true;
  }

  /** Inserts the element in the order of the lines, since screen readers follow the order of elements. */
  private insert(index: number, made: HTMLElement): void {
    let before: HTMLElement | null = null;
    let nearest = Infinity;
    for (const [other, { element }] of this.drawn) {
      if (other > index && other < nearest) [nearest, before] = [other, element];
    }
    this.canvas.insertBefore(made, before ?? this.overlay);
  }

  /** Removes elements far out of view. */
  private forget(window: Window): void {
    for (const [index, { element, chunks }] of this.drawn) {
      if (index < window.firstLine || index > window.lastLine) {
        element.remove();
        this.drawn.delete(index);
        continue;
      }
      drop(chunks, window);
    }
    drop(this.heads, window);
  }

  private areas({ firstLine, lastLine, firstChunk, lastChunk }: Window, cells: number): Area[] {
    const first = firstChunk * CHUNK + 1;
    const last = Math.min(cells, (lastChunk + 1) * CHUNK);
    return this.lines.slice(firstLine, lastLine + 1).map(({ from, to }) => ({ from, to, first, last }));
  }

  /** The line and cell under an event. Cell 0 is the heading. */
  at(event: MouseEvent): { line: number; cell: number } | null {
    const { target } = event;
    if (!(target instanceof Element) || !this.model) return null;
    const head = target.closest<HTMLElement>('.g-head');
    if (head) return { line: -1, cell: Number(head.dataset['cell']) };
    const row = target.closest<HTMLElement>('.g-row[data-line]');
    if (!row) return null;
    if (target.closest('.g-label')) return { line: Number(row.dataset['line']), cell: 0 };
    const x = event.clientX - row.getBoundingClientRect().left - this.sizes.label;
    const cell = Math.floor(x / this.sizes.column) + 1;
    return cell >= 1 && cell <= this.model.run.symbols.length ? { line: Number(row.dataset['line']), cell } : null;
  }

  /** The row that a cell of a line shows: in a folded pass, the last one that changed the cell. */
  rowAt(index: number, cell: number): number | null {
    const line = this.lines[index];
    if (line === undefined) return null;
    for (let row = line.to; line.folded && row >= line.from; row -= 1) {
      const tile = this.tiles?.at(row, cell);
      if (tile?.changed[row - tile.rows[0]]?.[cell - tile.cells[0]]?.includes(true)) return row;
    }
    return line.to;
  }

  /** The first cell of a range that a line changes. */
  firstChanged(index: number, first: number, last: number): number | null {
    const line = this.lines[index];
    for (let cell = first; line && cell <= last; cell += 1) {
      for (let row = line.from; row <= line.to; row += 1) {
        const tile = this.tiles?.at(row, cell);
        if (tile?.changed[row - tile.rows[0]]?.[cell - tile.cells[0]]?.includes(true)) return cell;
      }
    }
    return null;
  }

  /** Whether a line fires at a cell of a range. True if that is not loaded yet. */
  fires(index: number, first: number, last: number): boolean {
    const line = this.lines[index];
    if (line === undefined) return false;
    for (let row = line.from; row <= line.to; row += 1) {
      for (let cell = first; cell <= last; cell += 1) {
        const tile = this.tiles?.at(row, cell);
        if (!tile || (tile.attends[row - tile.rows[0]]?.[cell - tile.cells[0]] ?? 0) > 0) return true;
      }
    }
    return false;
  }

  /** The box of a cell in the canvas. Line -1 is the head. */
  box(line: number, cell: number): { left: number; top: number; width: number; height: number } {
    const { row, column, label } = this.sizes;
    return line < 0
      ? { left: label + (cell - 1) * column, top: 16, width: column, height: HEAD - 16 }
      : { left: label + (cell - 1) * column, top: HEAD + line * row, width: column, height: row };
  }

  cellElement(line: number, cell: number): HTMLElement | null {
    const chunk = Math.floor((cell - 1) / CHUNK);
    const found = this.drawn.get(line)?.chunks.get(chunk)?.children[(cell - 1) % CHUNK];
    return found instanceof HTMLElement ? found : null;
  }

  /** Scrolls a cell into view, and its line to the middle if `center`. */
  scrollTo(line: number, cell: number, center: boolean): void {
    const { scroller, sizes } = this;
    const height = scroller.clientHeight - HEAD;
    const top = line * sizes.row;
    if (line >= 0 && (center || top < scroller.scrollTop || top + sizes.row > scroller.scrollTop + height)) {
      scroller.scrollTop = center || Math.abs(top - scroller.scrollTop) > 2 * height
        ? top - (height - sizes.row) / 2
        : top < scroller.scrollTop ? top - sizes.row : top + 2 * sizes.row - height;
    }
    const width = scroller.clientWidth - sizes.label;
    const left = (cell - 1) * sizes.column;
    if (left < scroller.scrollLeft) scroller.scrollLeft = left - 2 * sizes.column;
    else if (left + sizes.column > scroller.scrollLeft + width) scroller.scrollLeft = left + 3 * sizes.column - width;
  }
}

function drop(chunks: Map<number, HTMLElement>, { firstChunk, lastChunk }: Window): void {
  for (const [chunk, element] of chunks) {
    if (chunk >= firstChunk && chunk <= lastChunk) continue;
    element.remove();
    chunks.delete(chunk);
  }
}
