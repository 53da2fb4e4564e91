// A part of the grid as a picture for a paper.
import { arrow, numberOf, title } from '../grid/draw';
import type { Coordinates } from '../store';
import { arc } from '../why/arc';
import { type Choice, loadPart, type Part, type PartLine } from './gridPart';
import { checkSize, escape, picture, round, textAt, wrap } from './svg';

/** The cells whose attention is drawn as an arc. */
export type Arcs = 'none' | 'selected' | 'all';

const LINE = 14;
const HEAD = 46;
/** The space above the arcs of a line, and the space for the word `continuation`. */
const ABOVE = 4;
const BAND = 76;
/** The width of a character. */
const CHARACTER = 6.7;
/** The maximum characters of a line of a name, of a register and of a value. */
const NAME = 36;
const REGISTER = 16;
const VALUE = 12;
/** An estimate of the bytes of an element around its text. */
const ELEMENT = 28;
const ADVICE = 'Choose fewer layers, cells or registers.';

interface Sizes { left: number; column: number; width: number }

/** Null if there is no run. Throws if the picture is too large. */
export async function gridPicture(choice: Choice, arcs: Arcs, selected: Coordinates | null): Promise<string | null> {
  let bytes = 0;
  const part = await loadPart(choice, ({ cells }, share) => {
    for (const { values } of cells) for (const value of values) if (value !== null) bytes += ELEMENT + value.length;
    // The part loaded so far predicts the size.
    if (bytes > 4_000_000) checkSize(bytes / share, ADVICE);
  });
  return part && draw(part, arcs, selected);
}

function draw(part: Part, arcs: Arcs, selected: Coordinates | null): string {
  const sizes = sizesOf(part);
  const body: string[] = [];
  const marks: string[] = [];
  let y = HEAD;
  for (const line of part.lines) {
    const curves = arcs === 'all' ? arcsOf(line, part, sizes) : [];
    if (curves.length > 0) {
      y += ABOVE + Math.max(...curves.map(({ height }) => height));
      marks.push(group(y, curves.flatMap(({ parts }) => parts)));
    }
    const at = arcs === 'selected' && selected?.slot === 0 && selected.row !== null && selected.row >= line.from && selected.row <= line.to ? selected : null;
    if (at) marks.push(group(y, selection(at.cell, line, part, sizes)));
    body.push(group(y, drawLine(line, part, sizes)));
    y += lineHeight(part);
  }
  const total = [`${part.name}: ${part.run.symbols.slice(0, part.run.promptCells).map((symbol) => symbol ?? '∅').join(' ')}`, `cells ${part.first} to ${part.last}`].join(', ');
  return picture(sizes.width, y, total, [...PATTERN, ...ground(part, sizes, y), ...drawHead(part, sizes), ...body, ...marks], ADVICE);
}

const PATTERN = ['<pattern id="rests" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 6L6 0" stroke="#d9dde4"/></pattern>'];

const group = (y: number, parts: string[]): string => `<g transform="translate(0 ${y})">${parts.join('')}</g>`;
const lineHeight = ({ registers }: Part): number => (registers.length + 1) * LINE + 8;
const lineName = (line: PartLine, { run, program }: Part): string => `${numberOf(line, run)}  ${title(line, program)}`;

function sizesOf(part: Part): Sizes {
  const { run, registers, lines, first, last } = part;
  const longest = (texts: string[], most: number): number => texts.reduce((length, text) => Math.min(most, Math.max(length, text.length)), 2);
  const values = lines.flatMap(({ cells }) => cells.map(({ values }) => longest(values.map((value) => value ?? ''), VALUE)));
  const symbols = run.symbols.slice(first - 1, last).map((symbol) => symbol ?? '');
  const column = values.reduce((length, value) => Math.max(length, value), longest([...symbols, `${last}`], VALUE)) * CHARACTER + 10;
  const names = longest(lines.flatMap((line) => wrap(lineName(line, part), NAME)), NAME) * CHARACTER + 8;
  const left = names + longest([...registers, 'attends'], REGISTER) * CHARACTER + 12;
  const start = run.promptCells + 1;
  const band = start >= first && start <= last ? left + (start - first) * column + BAND : 0;
  return { left, column, width: Math.max(left + (last - first + 1) * column, band) };
}

/** The left edge of a cell. */
const edge = (cell: number, { first }: Part, { left, column }: Sizes): number => left + (cell - first) * column;

/** The background of the generated cells, and the line before the first of them. */
function ground(part: Part, sizes: Sizes, height: number): string[] {
  const start = part.run.promptCells + 1;
  if (start > part.last) return [];
  const x = edge(Math.max(start, part.first), part, sizes);
  const rule = start < part.first ? [] : [`<path d="M${round(x)} 0V${height}" stroke="#285a1c" stroke-width="2"/>`];
  return [`<rect x="${round(x)}" width="${round(sizes.width - x)}" height="${height}" fill="#edf6e9"/>`, ...rule];
}

function drawHead(part: Part, sizes: Sizes): string[] {
  const { run, first, last } = part;
  const cells = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const middle = (cell: number): number => edge(cell, part, sizes) + sizes.column / 2;
  const bands: [string, number][] = [['prompt', 1], ['continuation', run.promptCells + 1]];
  return [
    ...bands.filter(([, cell]) => cell >= first && cell <= last).map(([name, cell]) => textAt(edge(cell, part, sizes) + 4, 11, name, Infinity, ' fill="#565d6b" font-size="10"')),
    '<g text-anchor="middle" font-family="monospace">',
    ...cells.flatMap((cell) => [
      textAt(middle(cell), 25, `${cell}`, Infinity, ' fill="#565d6b" font-size="10"'),
      textAt(middle(cell), 40, run.symbols[cell - 1] ?? '∅', VALUE, ' font-weight="bold"'),
    ]),
    '</g>',
  ];
}

/** A name, in as many lines as fit. */
function drawName(name: string, room: number): string[] {
  const lines = wrap(name, NAME);
  const shown = lines.length > room ? [...lines.slice(0, room - 1), `${lines[room - 1]} …`] : lines;
  const title = lines.length > room ? `<title>${escape(name)}</title>` : '';
  return [`<g>${title}`, ...shown.map((text, index) => textAt(4, (index + 1) * LINE, text, NAME + 2)), '</g>'];
}

interface Marked { plain: string[]; idle: string[]; changed: string[]; fields: string[]; rests: string[]; others: string[]; own: string[] }

function drawLine(line: PartLine, part: Part, sizes: Sizes): string[] {
  const marked: Marked = { plain: [], idle: [], changed: [], fields: [], rests: [], others: [], own: [] };
  line.cells.forEach((_, index) => drawCell(line, index, part, sizes, marked));
  const { plain, idle, changed, fields, rests, others, own } = marked;
  const paths = (attributes: string, all: string[]): string[] => (all.length === 0 ? [] : [`<path ${attributes} d="${all.join('')}"/>`]);
  const texts = (attributes: string, all: string[]): string[] => (all.length === 0 ? [] : [`<g ${attributes}>${all.join('')}</g>`]);
  const names = [...part.registers, 'attends'].map((name, at) => textAt(sizes.left - 6, (at + 1) * LINE, name, REGISTER));
  return [
    `<path d="M0 0H${round(sizes.width)}" stroke="#d9dde4"/>`,
    ...paths('fill="url(#rests)"', rests),
    ...paths('fill="#fff0d4"', fields),
    ...drawName(lineName(line, part), part.registers.length + 1),
    ...texts('text-anchor="end" fill="#565d6b" font-family="monospace"', names),
    '<g text-anchor="middle" font-family="monospace">',
    ...plain,
    ...texts('fill="#565d6b"', idle),
    ...texts('fill="#7a4100" font-weight="bold"', changed),
    ...texts('fill="#7a2aa8" font-size="10"', others),
    ...texts('fill="#0b6b62" font-size="8"', own),
    '</g>',
  ];
}

function drawCell(line: PartLine, index: number, part: Part, sizes: Sizes, marked: Marked): void {
  const cell = part.first + index;
  const shown = line.cells[index];
  if (shown === undefined) return;
  const { values, changed, attends } = shown;
  const x = edge(cell, part, sizes);
  const middle = x + sizes.column / 2;
  if (attends === -1) marked.rests.push(`M${round(x)} 0h${round(sizes.column)}v${lineHeight(part)}h-${round(sizes.column)}z`);
  const quiet = changed.includes(true) ? marked.plain : marked.idle;
  values.forEach((value, register) => {
    const y = (register + 1) * LINE;
    const wrote = changed[register] === true;
    if (wrote) marked.fields.push(`M${round(x + 1)} ${y - 10}h${round(sizes.column - 2)}v13h-${round(sizes.column - 2)}z`);
    if (value !== null) (wrote ? marked.changed : quiet).push(textAt(middle, y, value, VALUE));
  });
  if (attends > 0) (attends === cell ? marked.own : marked.others).push(textAt(middle, (values.length + 1) * LINE, arrow(attends, cell)));
}

const column = (part: Part, sizes: Sizes) => (cell: number) => ({ x: round(edge(cell, part, sizes)), width: round(sizes.column) });

interface Curve { parts: string[]; height: number }

/** The arc from a cell to the one that it attends to. */
function drawArc(cell: number, attends: number, part: Part, sizes: Sizes): Curve {
  const drawn = arc({ cell, attends }, column(part, sizes));
  const color = cell === attends ? '#0b6b62' : '#7a2aa8';
  return {
    parts: [`<path d="${drawn.path}" fill="none" stroke="${color}" stroke-width="1.5"/>`, `<path d="${drawn.head}" fill="${color}"/>`],
    height: drawn.height,
  };
}

/** The arcs of the cells of a line that attend to another cell of the part. */
const arcsOf = ({ cells }: PartLine, part: Part, sizes: Sizes): Curve[] => cells.flatMap(({ attends }, index) => {
  const cell = part.first + index;
  return attends >= part.first && attends <= part.last && attends !== cell ? drawArc(cell, attends, part, sizes) : [];
});

/** Frames around the selected cell and the one that it attends to, and the arc between them. */
function selection(cell: number, { cells }: PartLine, part: Part, sizes: Sizes): string[] {
  const attends = cells[cell - part.first]?.attends;
  if (attends === undefined) return [];
  const frame = (of: number, attributes: string): string =>
    `<rect x="${round(edge(of, part, sizes))}" width="${round(sizes.column)}" height="${lineHeight(part)}" fill="none" stroke-width="2" ${attributes}/>`;
  const inside = attends >= part.first && attends <= part.last;
  return [
    ...(inside ? [frame(attends, `stroke="${attends === cell ? '#0b6b62' : '#7a2aa8'}" stroke-dasharray="4 3"`), ...drawArc(cell, attends, part, sizes).parts] : []),
    ...(attends === cell ? [] : [frame(cell, 'stroke="#1f5fbf"')]),
  ];
}
