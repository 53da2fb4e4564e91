// Marks over the cells: the selected cell, the one that it attends to, the one asked about, and the future of a run.
import type { UpdateDetail } from '../protocol';
import { arc } from '../why/arc';
import { element } from './draw';
import type { GridView } from './view';

const SVG = 'http://www.w3.org/2000/svg';
/** The most links of a chain that are drawn. */
const MOST = 100;

export class Marks {
  private readonly selected = element('div', 'g-mark g-selected');
  private readonly attended = element('div', 'g-mark g-attended');
  private readonly pointed = element('div', 'g-mark g-pointed');
  private readonly below = element('div', 'g-future');
  private readonly right = element('div', 'g-future');
  private readonly arcs = document.createElementNS(SVG, 'svg');
  private readonly attention = document.createElementNS(SVG, 'g');
  private readonly chain = document.createElementNS(SVG, 'g');
  private active: HTMLElement | null = null;
  private row: Element | null = null;

  constructor(private readonly view: GridView) {
    this.arcs.classList.add('g-arcs');
    this.arcs.append(this.chain, this.attention);
    this.chain.setAttribute('class', 'chain');
    view.overlay.append(this.below, this.right, this.attended, this.pointed, this.selected, this.arcs);
  }

  private put(mark: HTMLElement, at: { line: number; cell: number } | null): void {
    mark.hidden = at === null;
    if (at === null) return;
    const { left, top, width, height } = this.view.box(at.line, at.cell);
    mark.style.transform = `translate(${left}px, ${top}px)`;
    mark.style.width = `${width}px`;
    mark.style.height = `${height}px`;
  }

  select(at: { line: number; cell: number } | null, pointed: number | null): void {
    this.put(this.selected, at);
    this.put(this.pointed, at && pointed !== null ? { line: at.line, cell: pointed } : null);
    this.describe(at);
  }

  /** Announces the selected cell to screen readers. */
  describe(at: { line: number; cell: number } | null): void {
    this.active?.removeAttribute('id');
    this.active?.removeAttribute('aria-selected');
    this.row?.classList.remove('current');
    this.active = at && this.view.cellElement(at.line, at.cell);
    this.row = this.active?.closest('.g-row') ?? null;
    this.row?.classList.add('current');
    if (this.active === null) {
      this.view.scroller.removeAttribute('aria-activedescendant');
      return;
    }
    this.active.id = 'grid-active';
    this.active.setAttribute('aria-selected', 'true');
    this.view.scroller.setAttribute('aria-activedescendant', 'grid-active');
  }

  /** The arc to the cell attended to. */
  attend(detail: UpdateDetail | null, line: number): void {
    const drawn = detail && detail.attends !== null && line >= 0
      ? arc({ cell: detail.cell, attends: detail.attends }, (cell) => { const { left, width } = this.view.box(line, cell); return { x: left, width }; })
      : null;
    this.attention.replaceChildren();
    this.put(this.attended, detail && drawn && detail.attends !== null ? { line, cell: detail.attends } : null);
    this.attended.classList.toggle('own', drawn?.own === true);
    if (drawn === null) return;
    const group = this.attention;
    group.setAttribute('transform', `translate(0 ${this.view.box(line, 1).top})`);
    group.setAttribute('class', drawn.own ? 'own' : 'other');
    for (const [d, name] of [[drawn.path, 'line'], [drawn.head, 'head']] as const) {
      const path = document.createElementNS(SVG, 'path');
      path.setAttribute('d', d);
      path.setAttribute('class', name);
      group.append(path);
    }
  }

  /** The chain of places from a value back to its origin. */
  trace(places: { line: number; cell: number }[]): void {
    const centers = places.slice(0, MOST).map(({ line, cell }) => {
      const { left, top, width, height } = this.view.box(line, cell);
      // The head of the grid covers what is above its lower edge.
      return [left + width / 2, line < 0 ? top + height + 4 : top + height / 2] as const;
    });
    this.chain.replaceChildren();
    if (centers.length < 2) return;
    const path = document.createElementNS(SVG, 'polyline');
    path.setAttribute('points', centers.map((center) => center.join(' ')).join(' '));
    this.chain.append(path);
    for (const [x, y] of centers.slice(1)) {
      const dot = document.createElementNS(SVG, 'circle');
      dot.setAttribute('cx', String(x));
      dot.setAttribute('cy', String(y));
      dot.setAttribute('r', '4');
      this.chain.append(dot);
    }
  }

  /** Veils what happens after a line of a step: the lines below in its cells, and all cells on their right. */
  future(reached: { line: number; first: number; last: number } | null, lines: number, cells: number): void {
    this.below.hidden = this.right.hidden = reached === null;
    if (reached === null) return;
    const { row, column } = this.view.sizes;
    const { left, top } = this.view.box(reached.line + 1, reached.first);
    const first = this.view.box(0, reached.last + 1);
    this.cover(this.below, left, top, (reached.last - reached.first + 1) * column, (lines - reached.line - 1) * row);
    this.cover(this.right, first.left, first.top, (cells - reached.last) * column, lines * row);
  }

  private cover(veil: HTMLElement, left: number, top: number, width: number, height: number): void {
    veil.style.transform = `translate(${left}px, ${top}px)`;
    veil.style.width = `${Math.max(0, width)}px`;
    veil.style.height = `${Math.max(0, height)}px`;
  }
}
