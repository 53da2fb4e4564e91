// A failed test: the expected continuation and the one generated.
import type { Run } from '../protocol';
import { Table } from '../figure/table';
import { select } from '../store';
import { Prose, sentence } from '../transformer/prose';

export function GoldAgainstGot({ run }: { run: Run }) {
  const { gold, wrong } = run;
  if (gold === null || run.passed !== false) return null;
  const expected = gold.split(/\s+/).filter((symbol) => symbol !== '');
  const got = run.continuation;
  const length = Math.max(expected.length, got.length);
  const numbers = Array.from({ length }, (_, index) => index);
  const firstWrong = numbers.find((index) => expected[index] !== got[index]);
  const mark = (index: number): string => (index === firstWrong ? 'bad' : '');
  const cells = (symbols: string[]) => numbers.map((index) => (
    <td key={index} class={`value center ${mark(index)}`}>
      {symbols[index] ?? <span class="null">none</span>}
      {index === firstWrong && <span class="visually-hidden"> (first difference)</span>}
    </td>
  ));
  return (
    <section class="beside" aria-label="Expected and got">
      <div class="scroll" tabIndex={0} role="group" aria-label="Expected and got, symbol by symbol">
        <Table>
          <tbody>
            <tr><th scope="row">symbol</th>{numbers.map((index) => <th key={index} scope="col" class="center">{index + 1}{index === firstWrong && ' ≠'}</th>)}</tr>
            <tr><th scope="row">expected</th>{cells(expected)}</tr>
            <tr><th scope="row">got</th>{cells(got)}</tr>
          </tbody>
        </Table>
      </div>
      <aside aria-label="Why the test failed">
        <h3>The test failed</h3>
        {wrong && <p><Prose text={sentence(wrong.text)} /></p>}
        {wrong && (
          <p><button onClick={() => select({ slot: 0, row: wrong.row, cell: wrong.cell })}>
            {wrong.row === null ? `Go to the start of cell ${wrong.cell}` : `Go to the layer that wrote symbol ${wrong.number}`}
          </button></p>
        )}
      </aside>
    </section>
  );
}
