// A parse as boxes: each spans its cells, with its parts below it.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ParseNode } from '../protocol';
import { type Coordinates, select } from '../store';
import { around, COLUMNS } from './around';
import { center } from './inView';
import { moveFocus } from './roving';

interface Box { node: ParseNode; level: number; path: string; leaf: boolean }

/** The boxes, in preorder. */
function boxes(node: ParseNode, level = 0, path = ''): Box[] {
  const own = { node, level, path: path === '' ? node.label : `${path}, ${node.label}`, leaf: node.children.length === 0 };
  return [own, ...node.children.flatMap((child) => boxes(child, level + 1, level === 0 ? '' : own.path))];
}

interface Props { root: ParseNode; cell: number | null; to: Omit<Coordinates, 'cell'> }

export function ParseTree({ root, cell, to }: Props) {
  const [from, until] = around(cell ?? root.last, root.last, COLUMNS);
  const all = boxes(root).filter(({ node }) => node.last >= from && node.first < until);
  const depth = Math.max(...all.map(({ level }) => level));
  const stop = Math.max(0, all.findIndex(({ node, leaf }) => leaf && node.first === cell));
  const tree = useRef<HTMLElement>(null);
  useLayoutEffect(() => center(tree.current?.querySelector<HTMLElement>('.leaf.current'), tree.current), [cell, from]);
  const column = (at: number): number => Math.max(from, Math.min(at, until)) - from + 1;
  return (
    <section aria-label="Parse tree" class="parse-tree" ref={tree}>
      <div class="parse-levels" onKeyDown={moveFocus}>
        {all.map(({ node, level, path, leaf }, index) => {
          const { first, last, label } = node;
          const cells = first === last ? `cell ${first}` : `cells ${first} to ${last}`;
          const current = cell !== null && first <= cell && cell <= last;
          return (
            <button
              key={`${level} ${first}`} class={`${leaf ? 'leaf' : ''} ${current ? 'current' : ''}`} tabIndex={index === stop ? 0 : -1}
              style={{ gridColumn: `${column(first)} / ${column(last + 1)}`, gridRow: `${(leaf ? depth : level) + 1}` }}
              aria-label={`${path}: ${cells}`} title={cells}
              onClick={() => select({ ...to, cell: first })}
            ><span>{label}</span></button>
          );
        })}
      </div>
      {until - from < root.last && <p class="caption">Cells {from} to {until - 1} of {root.last}.</p>}
    </section>
  );
}
