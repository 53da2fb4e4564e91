// Conditions in words.
import type { ConditionResult, Side } from '../protocol';
import type { Value } from '../value';
import { code, join, say, type Sentence } from './words';

/** `register[n]` or `register[N]@function`, with its value. */
interface Reading { register: string; at: 'n' | 'N'; shift: -1 | 0 | 1; value: Value }
export interface Comparison {
  negated: boolean;
  left: Reading;
  /** A reading, or the constants of which one is required. */
  right: Reading | Value[];
}

function reading({ text, value }: Side): Reading | null {
  const match = /^(.+?)\s*\[\s*([nN])\s*\](?:\s*@\s*(pos_increment|pos_decrement))?$/s.exec(text.trim());
  const [, register, at, shift] = match ?? [];
  if (register === undefined || at === undefined) return null;
  return { register, at: at === 'n' ? 'n' : 'N', shift: shift === undefined ? 0 : shift === 'pos_increment' ? 1 : -1, value };
}

/** The values of a list; their names, if a value contains a comma. */
function constants({ text, value }: Side): string[] {
  const names = text.replace(/^\s*\[|\]\s*$/g, '').split(', ');
  const values = value?.split(', ') ?? [];
  return values.length === names.length ? values : names;
}

/** The parts of a condition, or null if its text is of an unknown form. */
export function comparison({ text, left, right }: ConditionResult): Comparison | null {
  const first = reading(left);
  const operator = /\]\s*(==|!=|not\s+in\b|in\b)/.exec(text)?.[1];
  if (first === null || operator === undefined) return null;
  const negated = operator === '!=' || operator.startsWith('not');
  if (!operator.endsWith('=')) {
    return { negated, left: first, right: constants(right) };
  }
  return { negated, left: first, right: reading(right) ?? [right.value] };
}

const readsN = (side: Comparison['right']): boolean => !Array.isArray(side) && side.at === 'n';
/** Whether a condition depends on the cell n. */
export const bindsN = (condition: Comparison): boolean => readsN(condition.left) || readsN(condition.right);

/** What a condition with constants asks of the value that fails it. */
const instead = (negated: boolean, constants: Value[]): Sentence => (negated ? ['which the condition excludes'] : say`not ${oneOf(constants)}`);
const oneOf = (constants: Value[]): Sentence => join(constants.map((constant) => [code(constant)]), 'or');
const shifted = ({ shift }: Reading): string => (shift === 0 ? '' : shift === 1 ? ' plus 1' : ' minus 1');

/** The side of a condition that is read at n, and the other one. */
function sides({ left, right }: Comparison): [Reading, Comparison['right']] {
  return !Array.isArray(right) && right.at === 'n' && left.at === 'N' ? [right, left] : [left, right];
}

/** The cells that a condition on positions leaves, as a noun. Null for other conditions. */
export function place(condition: Comparison, position: string | undefined): string | null {
  const [left, right] = sides(condition);
  if (Array.isArray(right) || left.at !== 'n' || right.at !== 'N' || left.shift !== 0) return null;
  if (position === undefined || left.register !== position || right.register !== position) return null;
  if (condition.negated) return right.shift === 0 ? 'another cell' : null;
  return right.shift === 0 ? 'itself' : right.shift === 1 ? 'the cell to its right' : 'the cell to its left';
}

/** Whether no cell n can meet a condition, because the value of N is null. */
export function unanswerable(condition: Comparison): boolean {
  const [, right] = sides(condition);
  if (Array.isArray(right) || right.at !== 'N' || right.value !== null) return false;
  return !condition.negated || right === condition.left;
}

/** A condition on n, after "a cell": "whose `field` is `2` (the `field` of cell 14)". */
export function wanted(condition: Comparison, cell: number): Sentence {
  const [left, right] = sides(condition);
  const name = say`whose ${code(left.register)}${shifted(left)} is`;
  const not = condition.negated ? 'not ' : '';
  if (Array.isArray(right)) return say`${name} ${not}${oneOf(right)}`;
  const own = say`the ${code(right.register)} of cell ${cell}${shifted(right)}`;
  return right.value === null ? say`${name} ${not}${own} (which has no value)` : say`${name} ${not}${code(right.value)} (${own})`;
}

/** A condition on N alone that a cell must meet: "whose `parse` is `0`". Null if each cell with a value meets it. */
export function required({ left, right, negated }: Comparison): Sentence | null {
  const name = say`whose ${code(left.register)}${shifted(left)}`;
  if (Array.isArray(right)) return say`${name} is ${negated ? 'not ' : ''}${oneOf(right)}`;
  if (!negated && left.register === right.register && left.shift === right.shift) return null;
  return say`${name} ${negated ? 'differs from' : 'equals'} their ${code(right.register)}${shifted(right)}`;
}

/** What a failed condition on N alone compares: "the `parse` of cell 3 is `1`", without the article. */
export function unmet({ left, right, negated }: Comparison, cell: number): Sentence {
  const name = say`${code(left.register)} of cell ${cell}`;
  if (left.value === null) return say`${name} has no value`;
  const first = say`${name} is ${code(left.value)}`;
  if (Array.isArray(right)) return first;
  const second = say`its ${code(right.register)}${shifted(right)}`;
  if (right.value === null) return say`${first}, and ${second} has no value`;
  return negated ? say`${first}, and so is ${second}` : say`${first}, and ${second} is ${code(right.value)}`;
}

/** Why a condition on N alone fails: "the `parse` of cell 3 is `1`, not `0`". */
export function refused(condition: Comparison, cell: number): Sentence {
  const { left, right, negated } = condition;
  const compared = say`the ${unmet(condition, cell)}`;
  return Array.isArray(right) && left.value !== null ? say`${compared}, ${instead(negated, right)}` : compared;
}

/** Why a condition on n fails, where "its" is n: "its `field` is `2`, not `3`". */
export function failed(condition: Comparison, cell: number): Sentence {
  const [left, right] = sides(condition);
  const name = say`its ${code(left.register)}${shifted(left)}`;
  const first = say`${name} is ${code(left.value)}`;
  if (Array.isArray(right)) {
    if (left.value === null) return say`${name} has no value`;
    return say`${first}, ${instead(condition.negated, right)}`;
  }
  const own = say`the ${code(right.register)} of cell ${cell}${shifted(right)}`;
  // With `!=`, the right side may be null.
  if (left.value === null && (left === condition.left || !condition.negated)) return say`${name} has no value`;
  if (right.value === null) return say`${own} has no value`;
  return condition.negated ? say`${first}, and so is ${own}` : say`${first}, not ${code(right.value)} (${own})`;
}
