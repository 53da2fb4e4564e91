// Explains why N attends to a cell that the user asks about, or does not.
import { useEffect, useRef } from 'preact/hooks';
import type { Layer, RightSide, Run, UpdateDetail, Why } from '../protocol';
import { Table } from '../figure/table';
import { pointed, useAnswer, type Coordinates } from '../store';
import { failure } from './search';
import { Mark, Shown, Words } from './parts';
import { say, type Sentence } from './words';

export function WhyNot({ at, update, layer, run }: { at: Coordinates; update: UpdateDetail; layer: Layer; run: Run }) {
  const cells = run.symbols.length;
  const source = pointed.value === null ? null : Math.min(Math.max(1, pointed.value), cells);
  const request = source === null || at.row === null ? null
    : { op: 'why' as const, slot: at.slot, row: at.row, cell: at.cell, source };
  const { answer, error } = useAnswer(request);
  const point = (cell: number): void => { if (Number.isInteger(cell) && cell >= 1 && cell <= cells) pointed.value = cell; };
  return (
    <>
      <div class="row">
        <label class="field">
          <span>Ask about cell</span>
          <input
            type="number" min={1} max={cells} value={source ?? ''}
            onInput={({ currentTarget }) => point(currentTarget.valueAsNumber)}
            onBlur={({ currentTarget }) => { currentTarget.value = String(source ?? ''); }}
          />
        </label>
        <button
          type="button" class="icon" aria-label="Ask about the cell to the left" disabled={source === null || source <= 1}
          onClick={() => point((source ?? 0) - 1)}
        >←</button>
        <button
          type="button" class="icon" aria-label="Ask about the cell to the right" disabled={source === null || source >= cells}
          onClick={() => point((source ?? 0) + 1)}
        >→</button>
        {source !== null && <button type="button" onClick={() => { pointed.value = null; }}>Clear</button>}
      </div>
      {source === null && <p class="caption hint">Type the number of a cell, choose a matching cell, or hold Shift or Alt and click a cell in the grid.</p>}
      {error !== null && <p class="message bad">{error}</p>}
      {source !== null && answer !== null && <Answer why={answer} update={update} layer={layer} run={run} />}
    </>
  );
}

function Answer({ why, update, layer, run }: { why: Why; update: UpdateDetail; layer: Layer; run: Run }) {
  const status = useRef<HTMLParagraphElement>(null);
  // The user may have asked in the grid while the answer was out of view.
  useEffect(() => status.current?.scrollIntoView({ block: 'nearest' }), [why.source]);
  return (
    <>
      <p ref={status} role="status" class={why.holds ? 'message' : 'message bad'}><Words of={verdict(why, update, layer, run)} /></p>
      {why.conditions.length > 0 && (
        <Table>
          <thead>
            <tr><th scope="col">Condition</th><th scope="col">Left</th><th scope="col">Right</th><th scope="col">Result</th></tr>
          </thead>
          <tbody>
            {why.conditions.map(({ text, left, right, holds }, index) => (
              <tr key={index} class={index === why.firstFailed ? 'first-failed' : undefined}>
                <th scope="row" class="value">{text}</th>
                <td><Shown value={left.value} /></td>
                <td><Right of={right} /></td>
                <td><Mark holds={holds} />{index === why.firstFailed && ', the first to fail'}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}

/** Marks each value of a list, since values may contain commas. */
function Right({ of }: { of: RightSide }) {
  if (!Array.isArray(of)) return <Shown value={of.value} />;
  return <>{of.map(({ value }, index) => <span key={index}>{index > 0 && ', '}<code class="listed">{value}</code></span>)}</>;
}

function verdict({ source, visible, conditions, firstFailed, holds, wins }: Why, update: UpdateDetail, layer: Layer, run: Run): Sentence {
  const { cell, attends } = update;
  if (!visible) return hidden(source, cell, layer, run);
  if (wins) return say`Cell ${source} meets every condition and wins: cell ${cell} attends to it.`;
  if (holds) {
    const side = layer.rightmost ? 'right' : 'left';
    return say`Cell ${source} meets every condition, but cell ${attends ?? 0} is further ${side}, and the ${side}most match wins.`;
  }
  const failed = firstFailed === null ? undefined : conditions[firstFailed];
  if (failed === undefined) return say`Cell ${source} does not match.`;
  return say`Cell ${source} does not match: ${failure(failed, cell)}.`;
}

/** The reason why N cannot attend to a cell, whatever its values. */
function hidden(source: number, cell: number, layer: Layer, run: Run): Sentence {
  if (source > run.promptCells && source > cell) return say`Cell ${source} does not exist yet when cell ${cell} runs this layer.`;
  const [kind, side] = layer.causal === 'true' ? ['causal', 'right'] : ['reverse causal', 'left'];
  return say`Cell ${cell} cannot attend to cell ${source}: the production is ${kind}, so a cell attends to no cell to its ${side}.`;
}
