// The transformer at the selected layer: its weights, its attention and the residual stream.
import { rowOf, selected } from '../store';
import { AttentionView } from './attention';
import { view } from './chosen';
import { ResidualView } from './residual';
import { Segments } from './segments';
import './transformer.css';
import { Weights } from './weights';

export function TransformerPanel() {
  const at = selected.value;
  const row = rowOf(at);
  if (at === null) {
    return <p class="empty">Select a cell in the grid to see the layer as a part of a transformer: its weights, its attention and the vectors of the cells.</p>;
  }
  const head = (
    <Segments
      label="Picture" value={view.value} onChange={(next) => { view.value = next; }}
      choices={[['weights', 'Weights'], ['attention', 'Attention'], ['residual', 'Residual stream']]}
    />
  );
  return (
    <div class="transformer">
      {at.slot === 1 && <p class="message">This is the second run of the comparison. The grid shows the first.</p>}
      {view.value === 'residual' ? <ResidualView head={head} at={at} />
        : row === null || at.row === null ? (
          <>
            {head}
            <p class="empty">This is the start of the cell, before all layers. Select a layer to see its weights and its attention.</p>
          </>
        )
        : view.value === 'weights' ? <Weights head={head} slot={at.slot} number={row.layer} />
        : <AttentionView head={head} slot={at.slot} row={at.row} />}
    </div>
  );
}
