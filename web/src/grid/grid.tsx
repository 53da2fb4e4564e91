// The run as a grid: a column for each cell, a line for each layer.
import { batch, effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Link } from '../protocol';
import { reveal } from '../shell/editor';
import { ask, type Coordinates, generation, layer, pointed, program, revealed, run, select, selected, shown } from '../store';
import { reached } from '../time/moment';
import { playing } from '../time/play';
import { asked, chosen } from '../why/asked';
import { grid, coordinatesAt } from './current';
import { gridKey } from './keys';
import { lineOf, lines, toggle } from './lines';
import { Marks } from './marks';
import { hovered, Tooltip } from './tooltip';
import { GridView } from './view';

const width = signal(0);

function attach(scroller: HTMLElement): () => void {
  const view = new GridView(scroller, () => marks.describe(current()));
  const marks = new Marks(view);
  grid.view = view;
  const current = (): { line: number; cell: number } | null => {
    const at = selected.peek();
    return at?.slot === 0 ? { line: lineOf(at.row), cell: at.cell } : null;
  };
  const onScroll = (): void => {
    hovered.value = null;
    view.schedule();
  };
  scroller.addEventListener('scroll', onScroll, { passive: true });
  const observer = new ResizeObserver(() => { width.value = scroller.clientWidth; view.schedule(); });
  observer.observe(scroller);
  const ends = [
    effect(() => {
      void width.value;
      if (program.value && run.value) {
        view.show({ program: program.value, run: run.value, registers: shown.value, generation: generation.value }, lines.value);
      }
    }),
    effect(() => {
      void [lines.value, selected.value, width.value, shown.value];
      marks.select(current(), pointed.value);
    }),
    effect(() => {
      void [generation.value, lines.value, width.value, shown.value];
      const at = selected.value;
      if (at === null || at.slot !== 0 || at.row === null || run.value === null) return marks.attend(null, -1);
      const { row, cell } = at;
      ask({ op: 'update', slot: 0, row, cell }).then((detail) => {
        if (selected.peek() === at) marks.attend(detail, lineOf(row));
      }, () => marks.attend(null, -1));
    }),
    effect(() => {
      void [generation.value, lines.value, width.value, shown.value, chosen.value];
      const at = selected.value;
      if (at === null || at.slot !== 0 || run.value === null) return marks.trace([]);
      void originOf(at).then((links) => {
        if (selected.peek() === at) marks.trace(links.map(({ row, cell }) => ({ line: lineOf(row), cell })));
      }, () => marks.trace([]));
    }),
    effect(() => {
      void [lines.value, width.value, shown.value];
      marks.future(reached.value, lines.value.length, run.value?.symbols.length ?? 0);
    }),
    effect(() => {
      const { center } = revealed.value;
      const at = current();
      if (at) view.scrollTo(at.line, at.cell, center);
    }),
  ];
  return () => {
    ends.forEach((end) => end());
    observer.disconnect();
    scroller.removeEventListener('scroll', onScroll);
    grid.view = null;
  };
}

/** The links of the asked register of a cell, from its last write to its origin. */
async function originOf({ slot, row, cell }: Coordinates): Promise<Link[]> {
  const update = row === null ? null : await ask({ op: 'update', slot, row, cell });
  return ask({ op: 'origin', slot, register: asked(update), cell, time: row === null ? 0 : row + 1 });
}

/** The register whose value was clicked, or null between the values. */
function registerAt(target: EventTarget | null): number | null {
  const value = target instanceof Element ? target.closest('.g-cell > span') : null;
  const index = value?.parentElement ? [...value.parentElement.children].indexOf(value) : -1;
  return shown.peek()[index] ?? null;
}

function click(event: MouseEvent): void {
  const { view } = grid;
  const at = view?.at(event);
  if (!view || !at) return;
  playing.value = false;
  const line = lines.peek()[at.line];
  if (event.target instanceof Element && event.target.closest('.g-fold') && line?.folds != null) {
    // New lines scroll to the selection, but the user is looking at this pass.
    const { scrollTop } = view.scroller;
    toggle(line.folds);
    view.scroller.scrollTop = scrollTop;
    return;
  }
  const cell = at.cell === 0 ? (selected.peek()?.cell ?? run.peek()?.promptCells ?? 1) : at.cell;
  if ((event.altKey || event.shiftKey) && selected.peek() !== null) {
    pointed.value = cell;
    return;
  }
  batch(() => {
    chosen.value = registerAt(event.target);
    select(coordinatesAt(at.line, cell));
  });
  // The tooltip would cover the chain.
  clearTimeout(timer);
  hovered.value = null;
  // Beside an editor, the page is narrow and hides its program.
  const production = at.cell === 0 ? layer.peek() : null;
  if (production) reveal(production.head.line);
}

let timer = 0;

function hover(event: MouseEvent): void {
  clearTimeout(timer);
  hovered.value = null;
  const at = grid.view?.at(event);
  if (!at || at.cell === 0 || at.line < 0) return;
  const { clientX, clientY } = event;
  timer = setTimeout(() => {
    const found = coordinatesAt(at.line, at.cell);
    if (found) hovered.value = { at: found, x: clientX, y: clientY };
  }, 350);
}

export function Grid() {
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => (scroller.current ? attach(scroller.current) : undefined), []);
  const leave = (): void => {
    clearTimeout(timer);
    hovered.value = null;
  };
  return (
    <>
      {run.value === null && <p class="empty">{program.value?.error != null ? 'The program has an error. It runs when the error is fixed.' : 'Enter a prompt, and run it.'}</p>}
      <div
        id="grid" class={run.value === null ? 'grid vacant' : 'grid'} ref={scroller} role="grid" tabIndex={0} aria-readonly="true"
        aria-label="Run: cells as columns, layers as rows" aria-describedby="grid-hint"
        onKeyDown={gridKey} onClick={click} onMouseMove={hover} onMouseLeave={leave}
      />
      <Tooltip />
    </>
  );
}
