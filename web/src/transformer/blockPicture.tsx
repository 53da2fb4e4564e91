// A matrix of a layer and its bias as a picture of blocks, with a row per register read and a column per register written.
import type { LayerTensors, WeightBlock } from '../protocol';
import { useAnswer } from '../store';
import { BiasGlyph, type Box, MatrixGlyph } from './glyph';
import { blockName, blockRequest } from './kinds';
import { unmarked } from './prose';

const LETTER = 6.6;
const GAP = 6;
const BIAS = 'bias';

export interface BlockPictureProps {
  id: string;
  slot: number;
  /** The description for screen readers. The list below the picture has a button for each block. */
  label: string;
  tensors: LayerTensors;
  blocks: WeightBlock[];
  /** The indices of the registers drawn. */
  registers: number[];
  /** The size of a block, in pixels. */
  size: number;
  named: WeightBlock | null;
  onName(block: WeightBlock | null): void;
  onOpen(block: WeightBlock): void;
}

export function BlockPicture({ id, slot, label, tensors, blocks, registers, size, named, onName, onOpen }: BlockPictureProps) {
  const names = registers.map((index) => tensors.registers[index] ?? '');
  const margin = Math.ceil(Math.max(...[...names, BIAS].map((name) => name.length)) * LETTER) + 8;
  const longest = Math.ceil(Math.max(0, ...names.map((name) => name.length)) * LETTER);
  // Names wider than a block are drawn vertically.
  const upward = longest > size;
  const top = upward ? longest + 8 : 18;
  const side = registers.length * size;
  const strip = Math.max(10, size / 2);
  const below = top + side + GAP;
  const at = new Map(registers.map((register, index) => [register, index]));
  const position = (index: number): number => (at.get(index) ?? 0) * size;
  const edges = Array.from({ length: registers.length + 1 }, (_, index) => index * size);
  return (
    <svg
      id={id} class="picture" role="img" aria-label={label}
      width={margin + side + 2} height={below + strip + 2} viewBox={`0 0 ${margin + side + 2} ${below + strip + 2}`}
    >
      {edges.map((edge) => (
        <g key={edge} class="rules">
          <line x1={margin} x2={margin + side} y1={top + edge} y2={top + edge} />
          <line y1={top} y2={top + side} x1={margin + edge} x2={margin + edge} />
          <line y1={below} y2={below + strip} x1={margin + edge} x2={margin + edge} />
        </g>
      ))}
      {names.map((name, index) => {
        const middle = (index + 0.5) * size;
        return size >= 11 && (
          <g key={name}>
            <text x={margin - 5} y={top + middle} text-anchor="end" dominant-baseline="central">{name}</text>
            {upward
              ? <text transform={`translate(${margin + middle} ${top - 5}) rotate(-90)`} dominant-baseline="central">{name}</text>
              : <text x={margin + middle} y={top - 5} text-anchor="middle">{name}</text>}
          </g>
        );
      })}
      <rect class="frame" x={margin} y={top} width={side} height={side} />
      <rect class="frame" x={margin} y={below} width={side} height={strip} />
      <text class="axis" x={margin - 5} y={below + strip / 2} text-anchor="end" dominant-baseline="central">{BIAS}</text>
      {blocks.map((block) => {
        const x = margin + position(block.targetIndex);
        const matrix = block.sourceIndex === null ? null : { x, y: top + position(block.sourceIndex), width: size, height: size };
        const bias = block.biases === 0 ? null : { x, y: below, width: size, height: strip };
        return (
          <g
            key={blockName(block)} class={block === named ? 'block named' : 'block'}
            onPointerEnter={() => onName(block)} onPointerLeave={() => onName(null)} onClick={() => onOpen(block)}
          >
            <title>{`${blockName(block)}: ${unmarked(block.text)}`}</title>
            {matrix && <rect class="area" {...matrix} />}
            {bias && <rect class="area" {...bias} />}
            {matrix && (block.kind === 'shift'
              ? <ShiftGlyph slot={slot} tensors={tensors} block={block} box={matrix} />
              : <MatrixGlyph kind={block.kind} box={matrix} />)}
            {bias && <BiasGlyph kind={block.kind} whole={matrix !== null} box={bias} />}
          </g>
        );
      })}
    </svg>
  );
}

/** A shift, on the side of the diagonal where its numbers are. */
function ShiftGlyph({ slot, tensors, block, box }: { slot: number; tensors: LayerTensors; block: WeightBlock; box: Box }) {
  const { answer } = useAnswer(blockRequest(slot, tensors, block));
  const below = answer?.weights.filter(([row, column]) => Number(answer.values[column]) < Number(answer.values[row])).length ?? 0;
  return <MatrixGlyph kind="shift" down={below * 2 > (answer?.weights.length ?? 0)} box={box} />;
}
