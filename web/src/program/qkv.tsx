// The query, key and value maps of a layer.
import type { Layer, Slot } from '../protocol';

function Map({ name, slots }: { name: string; slots: Slot[] }) {
  return (
    <div class="qkv-map">
      <span class="qkv-name">{name}</span>
      {slots.map(({ name: target, source }) => (
        <span key={target} class="qkv-slot"><code>{target}: {source}</code></span>
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
