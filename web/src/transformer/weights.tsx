// W_q, W_k and W_v of a layer as pictures of blocks, with each block also in words.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BlockKind, LayerTensors, WeightBlock } from '../protocol';
import { layerOf, useAnswer } from '../store';
import { BlockName } from './blockName';
import { BlockNumbersView } from './blockNumbers';
import { BlockPicture } from './blockPicture';
import { block as chosen } from './chosen';
import { BiasGlyph, MatrixGlyph } from './glyph';
import { ATTRIBUTES, blockName, KIND_WORDS, KINDS } from './kinds';
import { Prose, unmarked } from './prose';
import { downloadLayer } from './svg';

const PICTURE = 'weights-';
/** The maximum side of a picture, and the sizes of a block. */
const SIDE = 210;
const LARGEST = 28;
const SMALLEST = 14;

/** `head` is the choice of pictures. */
export function Weights({ head, slot, number }: { head: ComponentChildren; slot: number; number: number }) {
  const { answer: tensors, error } = useAnswer({ op: 'tensors', slot, layer: number });
  const [all, setAll] = useState(false);
  const [named, setNamed] = useState<WeightBlock | null>(null);
  useEffect(() => setNamed(null), [tensors]);
  useEffect(() => { if (chosen.peek()?.layer !== number) chosen.value = null; }, [number]);
  if (error !== null) return <>{head}<p class="message bad">{error}</p></>;
  if (tensors === null) return <>{head}</>;
  const opened = tensors.blocks.find((block) => chosen.value?.layer === tensors.layer && chosen.value.name === blockName(block)) ?? null;
  const setOpened = (block: WeightBlock | null): void => { chosen.value = block && { layer: tensors.layer, name: blockName(block) }; };
  const registers = all ? tensors.registers.map((_, index) => index) : used(tensors);
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(SIDE / Math.max(1, registers.length))));
  const wide = tensors.registers.length * tensors.dimension;
  const shownKinds = KINDS.filter((kind) => tensors.blocks.some((block) => block.kind === kind));
  const label = layerOf(number, slot)?.label;
  return (
    <div class="stack">
      <div class="row">
        {head}
        <label><input type="checkbox" checked={all} onChange={() => setAll(!all)} />All {tensors.registers.length} registers</label>
        <button onClick={() => downloadLayer(number, label ?? null, ATTRIBUTES.map(({ attribute, name }) => ({ id: PICTURE + attribute, title: `W_${attribute}, ${name}` })))}>
          Download SVG
        </button>
      </div>
      <div class={all ? 'weights whole' : 'weights'}>
        {ATTRIBUTES.map(({ attribute, name, role }) => {
          const blocks = tensors.blocks.filter((block) => block.attribute === attribute);
          return (
            <section key={attribute} aria-label={`W_${attribute}`}>
              <h3>W<sub>{attribute}</sub>, the {name}: <span class="role">{role}</span></h3>
              <BlockPicture
                id={PICTURE + attribute} slot={slot} label={`W_${attribute} and its bias. ${blocks.map(({ text }) => unmarked(text)).join(' ')}`}
                tensors={tensors} blocks={blocks} registers={registers} size={size}
                named={named} onName={setNamed} onOpen={setOpened}
              />
              <ul class="plain block-list" aria-label={`Blocks of W_${attribute}`}>
                {blocks.map((block) => (
                  <li key={blockName(block)}>
                    <button
                      class={block === named ? 'link named' : 'link'} aria-expanded={block === opened}
                      onClick={() => setOpened(block === opened ? null : block)}
                      onFocus={() => setNamed(block)} onBlur={() => setNamed(null)}
                      onPointerEnter={() => setNamed(block)} onPointerLeave={() => setNamed(null)}
                    ><BlockName block={block} /> <Prose text={block.text} /></button>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      {opened && (
        <BlockNumbersView
          key={blockName(opened)} slot={slot} tensors={tensors} block={opened} onClose={() => setOpened(null)}
        />
      )}
      <p class="caption">
        Layer {tensors.layer} multiplies the vector of each cell by W<sub>q</sub>, W<sub>k</sub> and W<sub>v</sub>, each {wide.toLocaleString('en')} by{' '}
        {wide.toLocaleString('en')} numbers. A vector has {tensors.dimension} components for each register, so a matrix consists of
        blocks. A block reads the register of its row and writes that of its column. Blocks without a drawing are 0. Select one to see its numbers.
      </p>
      <ul class="plain kinds" aria-label="Legend">
        {shownKinds.map((kind) => <li key={kind}><KindIcon kind={kind} />{KIND_WORDS[kind]}</li>)}
      </ul>
    </div>
  );
}

/** The registers that the layer reads or writes, in the order of the vector. */
function used({ blocks }: LayerTensors): number[] {
  const indices = blocks.flatMap(({ targetIndex, sourceIndex }) => (sourceIndex === null ? [targetIndex] : [sourceIndex, targetIndex]));
  return [...new Set(indices)].sort((left, right) => left - right);
}

function KindIcon({ kind }: { kind: BlockKind }) {
  const box = { x: 1, y: 1, width: 18, height: 18 };
  const bias = kind === 'constant' || kind === 'many';
  return (
    <svg class="picture" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect class="frame" {...box} />
      {bias ? <BiasGlyph kind={kind} whole={false} box={box} /> : <MatrixGlyph kind={kind} box={box} />}
    </svg>
  );
}
