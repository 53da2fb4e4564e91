// The grid as a picture for a paper.
import type { Tile } from '../protocol';
import { ask, data, program, run, shown } from '../store';
import { numberOf, title } from './draw';
import { lines, type Line } from './lines';
import { lookUp } from './tiles';

const LINE = 14;
const LABEL = 250;
const NAMES = 80;
const HEAD = 40;
const CHARACTER = 7;

/** Text in the markup of an SVG file. */
const escape = (text: string): string =>
  // The control characters that XML has no way to write are left out.
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const textAt = (x: number, y: number, text: string, attributes = ''): string => `<text x="${x}" y="${y}"${attributes}>${escape(text)}</text>`;

/** The grid as it is folded and filtered, with all its cells. */
export async function gridPicture(): Promise<string | null> {
  const [known, current, registers, all] = [program.peek(), run.peek(), shown.peek(), lines.peek()];
  if (known === null || current === null) return null;
  const cells = current.symbols.length;
  const tile = await ask({ op: 'tile', slot: 0, rows: [0, current.rows.length], cells: [1, cells + 1], registers });
  const longest = Math.max(2, ...current.symbols.map((symbol) => symbol?.length ?? 0), ...tile.values.at(-1)?.flat().map((value) => value?.length ?? 0) ?? []);
  const column = Math.min(12, longest) * CHARACTER + 10;
  const height = registers.length * LINE + 8;
  const left = LABEL + NAMES;
  const [width, total] = [left + cells * column, HEAD + all.length * height];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}" font-family="monospace" font-size="11">`,
    `<title>${escape(data.peek().name)}</title>`,
    `<rect width="${width}" height="${total}" fill="white"/>`,
  ];
  const boundary = left + current.promptCells * column;
  if (cells > current.promptCells) parts.push(`<rect x="${boundary}" width="${width - boundary}" height="${total}" fill="#edf6e9"/>`);
  current.symbols.forEach((symbol, index) => {
    const x = left + (index + 0.5) * column;
    parts.push(textAt(x, 14, String(index + 1), ' text-anchor="middle" fill="#565d6b"'), textAt(x, 30, symbol ?? '∅', ' text-anchor="middle" font-weight="bold"'));
  });
  all.forEach((line, index) => {
    const y = HEAD + index * height;
    parts.push(`<path d="M0 ${y}H${width}" stroke="#d9dde4"/>`, textAt(4, y + LINE, `${numberOf(line, current)}  ${title(line, known)}`.slice(0, 40), ' font-family="sans-serif"'));
    registers.forEach((register, at) => parts.push(textAt(left - 6, y + (at + 1) * LINE, known.registers[register]?.long ?? '', ' text-anchor="end" fill="#565d6b"')));
    for (let cell = 1; cell <= cells; cell += 1) parts.push(...cellPicture(tile, line, cell, left + (cell - 1) * column, y, column));
  });
  if (cells > current.promptCells) parts.push(`<path d="M${boundary} 0V${total}" stroke="#285a1c" stroke-width="2"/>`);
  return `${parts.join('\n')}\n</svg>\n`;
}

function cellPicture(tile: Tile, line: Line, cell: number, x: number, y: number, column: number): string[] {
  const wrote = new Set<number>();
  for (let row = line.from; row <= line.to; row += 1) lookUp(tile, row, cell)?.changed.forEach((changed, register) => { if (changed) wrote.add(register); });
  return (lookUp(tile, line.to, cell)?.values ?? []).flatMap((value, register) => {
    if (value === null) return [];
    const at = y + (register + 1) * LINE;
    const text = textAt(x + column / 2, at, value, ` text-anchor="middle"${wrote.has(register) ? ' font-weight="bold" fill="#7a4100"' : ''}`);
    return wrote.has(register) ? [`<rect x="${x + 1}" y="${at - LINE + 4}" width="${column - 2}" height="${LINE - 1}" fill="#fff0d4"/>`, text] : [text];
  });
}

export async function saveGrid(): Promise<void> {
  const picture = await gridPicture();
  if (picture === null) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' }));
  link.download = `${data.peek().name.replace(/\.psl$/, '')}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
