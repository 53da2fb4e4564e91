// The writes of a layer in words.
import type { Layer, Program, UpdateDetail } from '../protocol';
import { isReading, shifted } from './condition';
import { code, join, longName, say, type Sentence } from './words';

export function effects({ cell, attends, set, before, after }: UpdateDetail, layer: Layer, program: Program): Sentence[] {
  if (attends === null) return [];
  const copies: Sentence[] = [];
  const sets: Sentence[] = [];
  const owner = (name: string, target: string): Sentence => {
    if (attends !== cell) return say`the ${code(name)} of cell ${attends}`;
    return name === target ? say`its old ${code(name)}` : say`its ${code(name)}`;
  };
  for (const { register, value, source } of [...set].sort((a, b) => a.span.start - b.span.start)) {
    const target = code(longName(program, register));
    if (!isReading(source)) sets.push(say`${target} to ${code(value)}`);
    else if (source.function !== null) sets.push(say`${target} to ${code(value)} (${owner(source.register, target.code)}${shifted(source)})`);
    else if (source.register === target.code) copies.push(say`${target} (${code(value)})`);
    else copies.push(say`${code(source.register)} (${code(value)}) into ${target}`);
  }
  const sentences: Sentence[] = [];
  if (copies.length > 0) sentences.push(say`${attends === cell ? 'It' : `From cell ${attends}, it`} copies ${join(copies)}.`);
  if (sets.length > 0) sentences.push(say`It${copies.length > 0 ? ' also' : ''} sets ${join(sets)}.`);
  const kept = layer.v.flatMap(({ name }): Sentence[] => {
    const register = program.registers.findIndex(({ short }) => short === name);
    return register < 0 || set.some((written) => written.register === register) ? [] : [[code(longName(program, register))]];
  });
  if (kept.length > 0) {
    const keeps = kept.length === 1 ? 'keeps its value, because the new one is null' : 'keep their values, because the new ones are null';
    sentences.push(say`Its ${join(kept)} ${keeps}.`);
  }
  if (set.length > 0 && before.every((value, register) => value === after[register])) {
    sentences.push([`It had ${set.length === 1 ? 'this value' : 'these values'} already, so nothing changes.`]);
  }
  return sentences;
}
