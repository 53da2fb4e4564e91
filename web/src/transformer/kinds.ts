// The kinds of blocks in words, for people new to them.
import type { Attribute, BlockKind, LayerTensors, Request, WeightBlock } from '../protocol';

export const KINDS: BlockKind[] = ['identity', 'shift', 'constant', 'complement', 'many'];

export const KIND_WORDS: Record<BlockKind, string> = {
  identity: 'identity: copies a register',
  shift: 'shift: moves a position to the left or right',
  constant: 'constant: one fixed value',
  complement: 'complement: all values except one',
  many: 'several fixed values',
};

export const ATTRIBUTES: { attribute: Attribute; name: string; role: string }[] = [
  { attribute: 'q', name: 'query', role: 'what the cell N looks for' },
  { attribute: 'k', name: 'key', role: 'what a cell n offers' },
  { attribute: 'v', name: 'value', role: 'what N gets from n' },
];

/** The name of a block, such as `W_q[s → s*]`, or `b_k[s]` for a bias alone. */
export const blockName = ({ attribute, source, target }: WeightBlock): string =>
  source === null ? `b_${attribute}[${target}]` : `W_${attribute}[${source} → ${target}]`;

/** The request for the numbers of a block. */
export const blockRequest = (slot: number, { layer, blocks }: LayerTensors, block: WeightBlock): Request & { op: 'block' } => ({
  op: 'block', slot, layer, attribute: block.attribute,
  index: blocks.filter(({ attribute }) => attribute === block.attribute).indexOf(block),
});
