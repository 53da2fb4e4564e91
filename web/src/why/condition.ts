// Conditions in words.
import type { ConditionResult, Constant, PositionFunction, Reading, RightSide } from '../protocol';
import { code, join, say, type Sentence } from './words';

export const isReading = (right: RightSide): right is Reading => 'register' in right;
const isNegated = ({ operator }: ConditionResult): boolean => operator === '!=' || operator === 'not in';

const readsN = (side: RightSide): boolean => isReading(side) && side.at === 'n';
/** Whether a condition depends on the cell n. */
export const bindsN = ({ left, right }: ConditionResult): boolean => readsN(left) || readsN(right);

const oneOf = (right: Constant | Constant[]): Sentence => join((Array.isArray(right) ? right : [right]).map(({ value }) => [code(value)]), 'or');
const SHIFTS: Record<PositionFunction, string> = { pos_increment: ' plus 1', pos_decrement: ' minus 1' };
/** The effect of a function, after the name of its register. */
export const shifted = ({ function: of }: Reading): string => (of === null ? '' : SHIFTS[of]);

/** The side of a condition that reads n, and the other side. */
function sides({ left, right }: ConditionResult): [Reading, RightSide] {
  return isReading(right) && right.at === 'n' && left.at === 'N' ? [right, left] : [left, right];
}

/** A noun for the cells that meet a condition on positions. Null for other conditions. */
export function nounFor(condition: ConditionResult, position: string | undefined): string | null {
  const [left, right] = sides(condition);
  if (!isReading(right) || left.at !== 'n' || right.at !== 'N' || left.function !== null) return null;
  if (position === undefined || left.register !== position || right.register !== position) return null;
  if (isNegated(condition)) return right.function === null ? 'another cell' : null;
  return right.function === null ? 'itself' : right.function === 'pos_increment' ? 'the cell to its right' : 'the cell to its left';
}

/** Whether no cell n can meet a condition because the value at N is null. */
export function unanswerable(condition: ConditionResult): boolean {
  const [, right] = sides(condition);
  if (!isReading(right) || right.at !== 'N' || right.value !== null) return false;
  return !isNegated(condition) || right === condition.left;
}

/** A condition on n, after "a cell": "whose `field` is `2` (the `field` of cell 14)". */
export function wanted(condition: ConditionResult, cell: number): Sentence {
  const [left, right] = sides(condition);
  const name = say`whose ${code(left.register)}${shifted(left)} is`;
  const not = isNegated(condition) ? 'not ' : '';
  if (!isReading(right)) return say`${name} ${not}${oneOf(right)}`;
  const own = say`the ${code(right.register)} of cell ${cell}${shifted(right)}`;
  return right.value === null ? say`${name} ${not}${own} (which has no value)` : say`${name} ${not}${code(right.value)} (${own})`;
}

/** A condition on N alone: "whose `parse` is `0`". Null if every cell with a value meets it. */
export function required(condition: ConditionResult): Sentence | null {
  const { left, right } = condition;
  const name = say`whose ${code(left.register)}${shifted(left)}`;
  if (!isReading(right)) return say`${name} is ${isNegated(condition) ? 'not ' : ''}${oneOf(right)}`;
  if (!isNegated(condition) && left.register === right.register && left.function === right.function) return null;
  return say`${name} ${isNegated(condition) ? 'differs from' : 'equals'} their ${code(right.register)}${shifted(right)}`;
}

/** The values that a failed condition on N alone compares: "the `parse` of cell 3 is `1`", without the article. */
export function unmet(condition: ConditionResult, cell: number): Sentence {
  const { left, right } = condition;
  const name = say`${code(left.register)} of cell ${cell}`;
  if (left.value === null) return say`${name} has no value`;
  const first = say`${name} is ${code(left.value)}`;
  if (!isReading(right)) return first;
  const second = say`its ${code(right.register)}${shifted(right)}`;
  if (right.value === null) return say`${first}, and ${second} has no value`;
  return isNegated(condition) ? say`${first}, and so is ${second}` : say`${first}, and ${second} is ${code(right.value)}`;
}

/** The values that a condition with constants accepts, after one that it does not. */
const instead = (condition: ConditionResult, right: Constant | Constant[]): Sentence =>
  (isNegated(condition) ? ['which the condition excludes'] : say`not ${oneOf(right)}`);

/** Why a condition on N alone fails: "the `parse` of cell 3 is `1`, not `0`". */
export function refused(condition: ConditionResult, cell: number): Sentence {
  const { left, right } = condition;
  const compared = say`the ${unmet(condition, cell)}`;
  return !isReading(right) && left.value !== null ? say`${compared}, ${instead(condition, right)}` : compared;
}

/** Why a condition on n fails, where "its" is n: "its `field` is `2`, not `3`". */
export function failed(condition: ConditionResult, cell: number): Sentence {
  const [left, right] = sides(condition);
  const name = say`its ${code(left.register)}${shifted(left)}`;
  const first = say`${name} is ${code(left.value)}`;
  if (!isReading(right)) {
    if (left.value === null) return say`${name} has no value`;
    return say`${first}, ${instead(condition, right)}`;
  }
  const own = say`the ${code(right.register)} of cell ${cell}${shifted(right)}`;
  // With `!=`, the right side may be null.
  if (left.value === null && (left === condition.left || !isNegated(condition))) return say`${name} has no value`;
  if (right.value === null) return say`${own} has no value`;
  return isNegated(condition) ? say`${first}, and so is ${own}` : say`${first}, not ${code(right.value)} (${own})`;
}
