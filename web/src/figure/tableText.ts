// Tables as text: for a spreadsheet, and for LaTeX with the package booktabs.

/** Rows with the same number of cells. */
export interface Table { head: string[][]; body: string[][] }

/** Replaces tabs and line ends, which separate cells and rows. */
const tsvCell = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const toTsv = ({ head, body }: Table): string => [...head, ...body].map((row) => `${row.map(tsvCell).join('\t')}\n`).join('');

/** Characters that LaTeX interprets, and those that its usual fonts lack. */
const LATEX: Record<string, string> = {
  '\\': '\\textbackslash{}', '{': '\\{', '}': '\\}', '$': '\\$', '&': '\\&', '#': '\\#', '%': '\\%', '_': '\\_',
  '~': '\\textasciitilde{}', '^': '\\textasciicircum{}', '<': '\\textless{}', '>': '\\textgreater{}', '|': '\\textbar{}',
  '"': '\\textquotedbl{}', '`': '\\textasciigrave{}', '\'': '\\textquotesingle{}',
  // As a pair, these form a different character.
  '-': '{-}', ',': '{,}',
  '∅': '$\\emptyset$', '≠': '$\\neq$', '·': '$\\cdot$', '●': '$\\bullet$', '←': '$\\leftarrow$', '→': '$\\rightarrow$', '⊗': '$\\otimes$',
  '−': '$-$', '–': '--', '…': '\\ldots{}', '✓': '$\\surd$', '✗': '$\\times$',
  // At the start of a row, LaTeX reads these as part of the row end before.
  '[': '{[}', '*': '{*}',
};

export const latexCell = (text: string): string => tsvCell(text).replace(/[\\{}$&#%_~^<>|"`',\-∅≠·●←→⊗−–…✓✗[*]/g, (sign) => LATEX[sign] ?? sign);

export function toLatex({ head, body }: Table): string {
  const columns = Math.max(1, ...[...head, ...body].map((row) => row.length));
  const rows = (all: string[][]): string[] => all.map((row) => `${row.map(latexCell).join(' & ')} \\\\`);
  return [
    '% Needs \\usepackage{booktabs,textcomp} and \\usepackage[T1]{fontenc}.',
    `\\begin{tabular}{${'l'.repeat(columns)}}`,
    '\\toprule',
    ...(head.length === 0 ? [] : [...rows(head), '\\midrule']),
    ...rows(body),
    '\\bottomrule',
    '\\end{tabular}\n',
  ].join('\n');
}

/** The text of a cell, without parts for screen readers and pointers alone. */
function cellText(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  copy.querySelectorAll('[aria-hidden="true"]').forEach((hidden) => hidden.remove());
  return copy.textContent ?? '';
}

/** A table of the page. */
export function readTable(table: HTMLTableElement): Table {
  const rows = (all: Iterable<HTMLTableRowElement>): string[][] =>
    [...all].map((row) => [...row.cells].flatMap((cell) => [cellText(cell), ...Array.from({ length: cell.colSpan - 1 }, () => '')]));
  return { head: rows(table.tHead?.rows ?? []), body: [...table.tBodies].flatMap((part) => rows(part.rows)) };
}
