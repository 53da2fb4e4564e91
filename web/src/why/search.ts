// The search for a cell n in words.
import type { ConditionResult, Layer, Program, UpdateDetail } from '../protocol';
import { hasRole } from '../roles';
import { bindsN, failed, nounFor, refused, unanswerable, wanted } from './condition';
import { join, say, type Sentence } from './words';

/** The maximum number of matches in a sentence. */
const MOST_LISTED = 5;

/** Sentences about the cell that N looks for, and about the cells that match. */
export function search(conditions: ConditionResult[], update: UpdateDetail, layer: Layer, program: Program): Sentence[] {
  const { cell, attends } = update;
  const position = program.registers.find((register) => hasRole(register, 'position'))?.long;
  let noun = 'a cell';
  const others: Sentence[] = [];
  for (const condition of conditions) {
    const near = nounFor(condition, position);
    if (near === null || noun !== 'a cell') others.push(wanted(condition, cell));
    else noun = near;
  }
  if (others.length === 0 && noun !== 'another cell') {
    if (attends === null) return [say`Cell ${cell} looks for ${noun}. There is none, so nothing changes.`];
    return [noun === 'itself' ? say`Cell ${cell} attends to itself.` : say`Cell ${cell} attends to ${noun}, cell ${attends}.`];
  }
  const looks = others.length === 0 ? say`Cell ${cell} looks for ${noun}.` : say`Cell ${cell} looks for ${noun} ${join(others)}.`;
  return [looks, ...(attends === null ? [['No cell matches, so nothing changes.']] : found(update, layer))];
}

/** The cells that match, and the one that wins. */
function found({ cell, attends, matches }: UpdateDetail, { rightmost }: Layer): Sentence[] {
  const winner = attends === cell ? `cell ${cell} itself` : `cell ${attends}`;
  if (matches.length <= 1) return [[`Only ${winner} matches.`]];
  // The winner is among those listed.
  const listed = (rightmost ? matches.slice(-MOST_LISTED) : matches.slice(0, MOST_LISTED)).map((match): Sentence => [String(match)]);
  const more = matches.length - listed.length;
  const all = join(more > 0 ? [...listed, [`${more} more`]] : listed);
  return [say`Cells ${all} match, and the ${rightmost ? 'rightmost' : 'leftmost'} wins: ${winner}.`];
}

/** The closest candidate, and the condition that it fails. */
export function closest({ why, cell, attends }: UpdateDetail): Sentence[] {
  if (attends !== null) return [];
  const condition = why?.firstFailed == null ? undefined : why.conditions[why.firstFailed];
  if (why === null || condition === undefined || why.source === cell || unanswerable(condition)) return [];
  return [say`Cell ${why.source} comes closest: ${failure(condition, cell)}.`];
}

/** The reason why a condition fails. "Its" refers to n. */
export const failure = (condition: ConditionResult, cell: number): Sentence =>
  (bindsN(condition) ? failed(condition, cell) : refused(condition, cell));
