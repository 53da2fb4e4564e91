// Fits tables and trees of the panels to paper: cuts tables into bands, and shrinks trees.
import { bands } from './bands';
import { WIDTH } from './printing';

/** Changes them for paper. Returns a function that restores them. */
export function cutWide(): () => void {
  const undone = [
    ...[...document.querySelectorAll<HTMLTableElement>('#panel .table')].map(cutTable),
    ...[...document.querySelectorAll<HTMLElement>('#panel .parse-levels')].map(shrink),
  ];
  return () => undone.forEach((undo) => undo());
}

/** Measures the columns on paper, in a copy of the table that is as wide as paper. */
function columnsOf(table: HTMLTableElement): number[] {
  const copy = table.cloneNode(true) as HTMLTableElement;
  Object.assign(copy.style, { position: 'absolute', visibility: 'hidden', width: `${WIDTH}px` });
  table.after(copy);
  const widths = [...(copy.rows[0]?.cells ?? [])].map((cell) => cell.getBoundingClientRect().width);
  copy.remove();
  return widths;
}

function cutTable(table: HTMLTableElement): () => void {
  const [heading = 0, ...columns] = columnsOf(table);
  const parts = bands(columns, WIDTH - heading);
  if (parts.length < 2) return () => undefined;
  const copies = parts.map(([from, to], part) => {
    const copy = table.cloneNode(true) as HTMLTableElement;
    if (part > 0) copy.caption?.remove();
    for (const row of copy.rows) {
      [...row.cells].forEach((cell, index) => { if (index > 0 && (index - 1 < from || index - 1 >= to)) cell.remove(); });
    }
    return copy;
  });
  table.after(...copies);
  table.hidden = true;
  return () => {
    copies.forEach((copy) => copy.remove());
    table.hidden = false;
  };
}

function shrink(tree: HTMLElement): () => void {
  const { width } = tree.getBoundingClientRect();
  if (width > WIDTH) tree.style.zoom = String(WIDTH / width);
  return () => { tree.style.zoom = ''; };
}
