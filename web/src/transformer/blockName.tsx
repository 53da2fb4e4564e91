// The name of a block, with its attribute as a subscript.
import type { WeightBlock } from '../protocol';

export function BlockName({ block: { attribute, source, target } }: { block: WeightBlock }) {
  return (
    <span class="code">
      {source === null ? 'b' : 'W'}<sub>{attribute}</sub>[{source === null ? target : `${source} → ${target}`}]
    </span>
  );
}
