// A shape for each kind of block, so that nothing depends on color.
import type { BlockKind } from '../protocol';

export interface Box { x: number; y: number; width: number; height: number }

const line = (x1: number, y1: number, x2: number, y2: number, className: string) => (
  <line x1={x1} y1={y1} x2={x2} y2={y2} class={className} />
);

/** The matrix of a block, with a row per value read and a column per value written. `down` is a shift to the position before. */
export function MatrixGlyph({ kind, down = false, box }: { kind: BlockKind; down?: boolean; box: Box }) {
  const { x, y, width, height } = box;
  const [left, top, right, bottom] = [x + 2, y + 2, x + width - 2, y + height - 2];
  if (kind === 'shift') {
    const gap = width * 0.3;
    return (
      <>
        {line(left, top, right, bottom, 'dotted')}
        {down ? line(left, top + gap, right - gap, bottom, 'glyph') : line(left + gap, top, right, bottom - gap, 'glyph')}
      </>
    );
  }
  if (kind === 'complement') {
    return (
      <>
        <rect x={left} y={top} width={right - left} height={bottom - top} class="full" />
        {line(left, top, right, bottom, 'hole')}
      </>
    );
  }
  return line(left, top, right, bottom, 'glyph');
}

/** The bias of a block: a line for each value, or all values except one. */
export function BiasGlyph({ kind, whole, box }: { kind: BlockKind; whole: boolean; box: Box }) {
  const { x, y, width, height } = box;
  const [left, top, bottom] = [x + 2, y + 2, y + height - 2];
  const at = (part: number): number => x + width * part;
  if (kind === 'complement') {
    return (
      <>
        <rect x={left} y={top} width={width - 4} height={height - 4} class="full" />
        {!whole && line(at(0.5), top, at(0.5), bottom, 'hole')}
      </>
    );
  }
  const parts = kind === 'many' ? [0.25, 0.5, 0.75] : [0.5];
  return <>{parts.map((part) => line(at(part), top, at(part), bottom, 'glyph'))}</>;
}
