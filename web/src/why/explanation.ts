// Explains an update in sentences, for a reader who has never seen a transformer.
import type { ConditionResult, Layer, Program, Run, UpdateDetail } from '../protocol';
import { hasRole } from '../roles';
import { bindsN, required, unmet } from './condition';
import { effects } from './effects';
import { closest, search } from './search';
import { code, join, say, symbolOf, type Sentence } from './words';

/** Explains the start of a cell. */
export function explainStart(run: Run, program: Program, cell: number): Sentence[] {
  const symbol = symbolOf(run, cell);
  const sentences: Sentence[] = [];
  if (cell > run.promptCells) {
    sentences.push(say`Cell ${cell} starts as a copy of cell ${cell - 1} after the last layer.`);
    const position = program.registers.find((register) => hasRole(register, 'position'));
    if (position !== undefined) sentences.push(say`Only its ${code(position.long)} is new: ${code(String(cell))}.`);
    if (symbol !== null && run.continuation[cell - run.promptCells - 1] === symbol) {
      sentences.push(say`Its symbol ${code(symbol)} is the one that cell ${cell - 1} generated.`);
    }
  } else if (symbol === null) {
    sentences.push(say`Cell ${cell} starts without a symbol.`);
  } else {
    sentences.push(say`Cell ${cell} starts with ${code(symbol)}, symbol ${cell} of the prompt.`);
  }
  return [...sentences, ['No layer has run yet.']];
}

/** The events of an update, and notes on the cells that the production is for and those that they can attend to. */
export interface Explanation { events: Sentence[]; notes: Sentence[] }

export function explainUpdate(update: UpdateDetail, layer: Layer, program: Program, ablated: boolean): Explanation {
  const { cell, attends, rests, why } = update;
  if (rests) {
    const events = [say`Cell ${cell} rests: it needed fewer passes of this repeat block than a later cell.`, ['Its registers keep their values.']];
    return { events, notes: [] };
  }
  const conditions = why?.conditions ?? [];
  // These depend on N alone.
  const guards = conditions.filter((condition) => !bindsN(condition));
  const notes = [...kind(guards, cell), ...sight(layer)];
  const unmet = attends === null ? guards.find(({ holds }) => !holds) : undefined;
  if (unmet !== undefined) return { events: [stopped(unmet, cell), ['Nothing changes.']], notes: [] };
  const written = ablated ? [['The layer is ablated, so it writes nothing.']] : effects(update, layer, program);
  if (!layer.bindsN) return { events: [say`Cell ${cell} needs no other cell here.`, ...written], notes };
  return { events: [...search(conditions.filter(bindsN), update, layer, program), ...closest(update), ...written], notes };
}

/** The reason why the layer cannot fire at N, whatever the values of other cells. */
function stopped(guard: ConditionResult, cell: number): Sentence {
  const only = required(guard);
  if (only === null) return say`The layer does not fire at cell ${cell}: ${code(guard.text)} does not hold.`;
  return say`This production is for cells ${only}. The ${unmet(guard, cell)}, so the layer does not fire.`;
}

/** The cells that a production is for, unless it is for all. */
function kind(guards: ConditionResult[], cell: number): Sentence[] {
  const all = guards.map(required).filter((one) => one !== null);
  return all.length === 0 ? [] : [say`The production is for cells ${join(all)}. Cell ${cell} is one of them.`];
}

/** The cells that N cannot attend to. */
function sight({ bindsN, causal }: Layer): Sentence[] {
  if (!bindsN || (causal !== 'true' && causal !== 'reverse')) return [];
  const [kind, side] = causal === 'true' ? ['causal', 'right'] : ['reverse causal', 'left'];
  return [[`The production is ${kind}: a cell attends to no cell to its ${side}.`]];
}
