// The query, key and value maps of a layer.
import type { Layer, Slot } from '../protocol';

function Map({ name, slots }: { name: string; slots: Slot[] }) {
  return (
    <div class="qkv-map">
      <span class="qkv-name">{name}</span>
      {slots.map(({ name: target, operator, terms }) => (
        <span key={target} class="qkv-slot">
          <code>{target}: {operator !== null && `${operator} `}</code>
          {terms.map((term, index) => <span key={index}>{index > 0 && ', '}<code class={terms.length > 1 ? 'listed' : undefined}>{term}</code></span>)}
        </span>
      ))}
    </div>
  );
}

export function Qkv({ layer: { number, q, k, v } }: { layer: Layer }) {
  return (
    <div class="qkv" role="note" aria-label={`Query, key and value of layer ${number}`}>
      <Map name="q" slots={q} /><Map name="k" slots={k} /><Map name="v" slots={v} />
    </div>
  );
}
