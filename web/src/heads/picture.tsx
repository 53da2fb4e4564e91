// The picture of a schedule: layers as rows, and heads as boxes. A head selects its production.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { writable } from '../figure/svg';
import type { Schedule } from '../protocol';
import { layer } from '../store';
import { choose } from './chosen';

const HEAD = '[data-production]';

export function PlanPicture({ schedule }: { schedule: Schedule }) {
  const view = useRef<HTMLDivElement>(null);
  const svg = useMemo(() => readPicture(schedule), [schedule]);
  const selected = layer.value?.number;
  useLayoutEffect(() => {
    view.current?.replaceChildren(svg ?? '');
    return () => svg?.remove();
  }, [svg]);
  useLayoutEffect(() => {
    if (svg !== null) reveal(mark(svg, selected), view.current);
  }, [svg, selected]);
  if (svg === null) return <p class="message bad">This schedule cannot be drawn.</p>;
  return (
    <div
      class="plan-view" ref={view}
      onClick={({ target }) => { if (target instanceof Element) pick(target); }}
      onKeyDown={(event) => key(event, schedule)}
    />
  );
}

/** Reads the picture as SVG, without its style sheet: the policy of the page forbids it, and the page has one for its own colors. */
function readPicture({ picture, layers }: Schedule): SVGSVGElement | null {
  const plain = writable(picture).replace(/<style>[^<]*<\/style>/, '');
  const svg = new DOMParser().parseFromString(plain, 'image/svg+xml').documentElement;
  if (!(svg instanceof SVGSVGElement)) return null;
  svg.setAttribute('role', 'group');
  const places = new Map(layers.flatMap((heads, index) => heads.map(({ production }) => [String(production), index + 1])));
  for (const head of svg.querySelectorAll<SVGElement>(HEAD)) {
    head.setAttribute('role', 'button');
    const number = places.get(head.dataset['production'] ?? '');
    const shown = [...head.querySelectorAll('text')].map(({ textContent }) => textContent);
    // The title, which has the whole label, describes it.
    head.setAttribute('aria-label', `${shown.join(' ')}, layer ${number}`);
  }
  return document.importNode(svg, true);
}

/** Marks the head of the selected production. It is the tab stop, or else the first head. */
function mark(svg: SVGSVGElement, selected: number | undefined): Element | null {
  const heads = [...svg.querySelectorAll<SVGElement>(HEAD)];
  const found = heads.find((head) => head.dataset['production'] === String(selected)) ?? null;
  const stop = found ?? heads[0];
  for (const head of heads) {
    head.setAttribute('aria-pressed', String(head === found));
    head.setAttribute('tabindex', head === stop ? '0' : '-1');
  }
  return found;
}

function reveal(head: Element | null, view: HTMLElement | null): void {
  if (head === null || view === null) return;
  const [box, room] = [head.getBoundingClientRect(), view.getBoundingClientRect()];
  if (box.top < room.top || box.bottom > room.bottom) view.scrollTop += (box.top + box.bottom - room.top - room.bottom) / 2;
  if (box.left < room.left || box.right > room.right) view.scrollLeft += (box.left + box.right - room.left - room.right) / 2;
}

function pick(target: Element): boolean {
  const head = target.closest<SVGElement>(HEAD);
  if (head === null) return false;
  choose(Number(head.dataset['production']));
  return true;
}

/** The arrow keys move through the heads: left and right in a layer, up and down between layers. */
function key(event: KeyboardEvent, { layers }: Schedule): void {
  const head = event.target instanceof Element ? event.target.closest<SVGElement>(HEAD) : null;
  if (head === null || event.altKey || event.ctrlKey || event.metaKey) return;
  const number = Number(head.dataset['production']);
  const row = layers.findIndex((heads) => heads.some(({ production }) => production === number));
  const column = layers[row]?.findIndex(({ production }) => production === number) ?? 0;
  const ends: Record<string, number> = { ArrowUp: row - 1, ArrowDown: row + 1, Home: 0, End: layers.length - 1 };
  const beside: Record<string, number> = { ArrowLeft: column - 1, ArrowRight: column + 1 };
  const [toRow, toColumn] = [ends[event.key], beside[event.key]];
  if (event.key === 'Enter' || event.key === ' ') pick(head);
  else if (toRow === undefined && toColumn === undefined) return;
  else {
    const heads = layers[toRow ?? row] ?? [];
    const next = toColumn === undefined ? heads[Math.min(column, heads.length - 1)] : heads[toColumn];
    head.ownerSVGElement?.querySelector<SVGElement>(`[data-production="${next?.production}"]`)?.focus();
  }
  // Otherwise, keys of the page would move through the layers.
  event.preventDefault();
  event.stopPropagation();
}
