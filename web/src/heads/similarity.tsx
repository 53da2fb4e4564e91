// The similarity of the mean codes of a layer's heads.
import type { Codes } from '../protocol';
import { Matrix } from '../transformer/matrix';
import { choose } from './chosen';

/** The size of an entry, which has its number, and of a smaller one in a layer of many heads. */
const LARGE = 34;
const SMALL = 16;
const MANY = 12;
/** Numbers are read on this share of the color. */
const TINT = 0.45;

export function Similarity({ answer: { layer, heads, similarities } }: { answer: Codes }) {
  const size = heads.length > MANY ? SMALL : LARGE;
  const at = (row: number, column: number): number | null => similarities[row]?.[column] ?? null;
  const name = (index: number): string => heads[index]?.name ?? '';
  const describe = (row: number, column: number): string => {
    const value = at(row, column);
    const never = [row, column].find((head) => at(head, head) === null);
    return value === null ? `${name(never ?? row)} never attends` : `${name(row)} and ${name(column)}: ${value.toFixed(2)}`;
  };
  return (
    <>
      <h3>Similarity of heads</h3>
      <Matrix
        label={`Similarity of the ${heads.length} heads of layer ${layer}.`} file={`similarity-layer-${layer}`}
        rows={heads.length} columns={heads.length} width={size} height={size} rowLabel={name} columnLabel={name}
        describe={describe}
        onPick={({ row }) => { const head = heads[row]; if (head) choose(head.production); }}
        paint={(context, { row, column, x, y, width, height }, colors) => {
          const value = at(row, column);
          context.fillStyle = value === null ? colors.shade : colors.positive;
          context.globalAlpha = value === null ? 1 : value * TINT;
          context.fillRect(x, y, width, height);
          context.globalAlpha = 1;
          if (value === null || size < LARGE) return;
          context.fillStyle = colors.ink;
          context.font = '11px system-ui, sans-serif';
          context.textAlign = 'center';
          context.textBaseline = 'middle';
          context.fillText(value.toFixed(2), x + width / 2, y + height / 2 + 1);
        }}
      />
      <p class="caption">
        The mean code of a head is the average over the pairs with which it attends. A similarity of 1 means that two heads always attend together, and 0
        that they never do. A grey head never attends.
      </p>
    </>
  );
}
