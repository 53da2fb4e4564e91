// The head of a table of cells, repeated on each page: the parts of the run, the numbers and the start symbols.
import type { Run } from '../protocol';
import { cellClass } from './line';

export function Head({ cells, run }: { cells: number[]; run: Run }) {
  const prompt = cells.filter((cell) => cell <= run.promptCells).length;
  return (
    <thead>
      <tr>
        <td colSpan={2} />
        {prompt > 0 && <th scope="colgroup" colSpan={prompt}>prompt</th>}
        {prompt < cells.length && <th scope="colgroup" colSpan={cells.length - prompt} class="generated">continuation</th>}
      </tr>
      <tr>
        <th scope="row" colSpan={2}>cell</th>
        {cells.map((cell) => <th key={cell} scope="col" class={cellClass(cell, run.promptCells)}>{cell}</th>)}
      </tr>
      <tr>
        <th scope="row" colSpan={2}>symbol</th>
        {cells.map((cell) => <td key={cell} class={`paper-symbol ${cellClass(cell, run.promptCells)}`}>{run.symbols[cell - 1] ?? '∅'}</td>)}
      </tr>
    </thead>
  );
}
