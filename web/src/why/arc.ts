// The arc from cell N to the cell that it attends to.
/** The left edge and width of a cell's column. */
export interface Column { x: number; width: number }

/** An arc above a line of the grid. y is 0 at the top of the line, and negative above it. */
export interface Arc {
  /** The SVG paths of the arc, and of its arrowhead at the cell attended to. */
  path: string; head: string;
  /** In pixels. */
  height: number;
  own: boolean;
}

const HIGHEST = 46;
const HEAD = 5;

export function arc({ cell, attends }: { cell: number; attends: number }, column: (cell: number) => Column): Arc {
  const middle = (of: number): number => {
    const { x, width } = column(of);
    return x + width / 2;
  };
  const from = middle(cell);
  const to = middle(attends);
  const own = attends === cell;
  // If a cell attends to itself, the arc is a loop within its column.
  const reach = own ? Math.min(column(cell).width / 2, 14) : 0;
  const height = own ? 16 : Math.min(HIGHEST, 12 + Math.abs(from - to) / 6);
  const [start, end] = [from - reach / 2, to + reach / 2];
  // The control points are directly above the ends, so that the arrow points straight down.
  const control = -height * 4 / 3;
  return {
    path: `M${round(start)} 0C${round(start)} ${round(control)} ${round(end)} ${round(control)} ${round(end)} ${-HEAD}`,
    head: `M${round(end - HEAD)} ${-HEAD * 1.6}L${round(end)} 0L${round(end + HEAD)} ${-HEAD * 1.6}Z`,
    height,
    own,
  };
}

const round = (number: number): number => Math.round(number * 10) / 10;
