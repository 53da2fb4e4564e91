// Layers that only one of two versions has, and layers that were edited.
import type { ComponentChildren } from 'preact';
import type { Layer, Run } from '../protocol';
import { data, select, selected } from '../store';
import { versions } from './versions';

const MOST = 30;

export function VersionLayers({ runs }: { runs: [Run, Run] }) {
  const { value: other } = versions;
  if (other === null) return null;
  const { name } = data.value;
  const lines: { about: string; layers: [number, Layer][] }[] = [
    ...other.onlyHere.map((layer) => ({ about: `Only in ${name}`, layers: [[0, layer]] as [number, Layer][] })),
    ...other.onlyThere.map((layer) => ({ about: `Only in ${other.name}`, layers: [[1, layer]] as [number, Layer][] })),
    ...other.edited.map(([here, there]) => ({ about: 'Edited', layers: [[0, here], [1, there]] as [number, Layer][] })),
  ];
  const go = (slot: number, { number }: Layer): void => {
    const row = runs[slot]?.rows.findIndex(({ layer }) => layer === number) ?? -1;
    if (row >= 0) select({ slot, row, cell: selected.peek()?.cell ?? 1 });
  };
  const Go = ({ slot, layer, children }: { slot: number; layer: Layer; children: ComponentChildren }) => (
    <button type="button" class="link" onClick={() => go(slot, layer)}>{children}</button>
  );
  return (
    <section class="stack" aria-label="Layers of the versions">
      {lines.length === 0 ? <p>Both versions have the same productions.</p> : (
        <ul class="plain">
          {lines.slice(0, MOST).map(({ about, layers }, index) => (
            <li key={index}>
              {about}:
              {layers.map(([slot, layer]) => (
                <>{' '}<Go slot={slot} layer={layer}>{`layer ${layer.number}${slot === 1 && layers.length > 1 ? ` of ${other.name}` : ''}`}</Go></>
              ))}
              {layers[0]?.[1].label != null && <span class="label">{` ${layers[0][1].label}`}</span>}
            </li>
          ))}
          {lines.length > MOST && <li>{`… and ${lines.length - MOST} more`}</li>}
        </ul>
      )}
    </section>
  );
}
