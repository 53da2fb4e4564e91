// Compares the runs of two versions of a program.
import { computed } from '@preact/signals';
import type { Layer } from '../protocol';
import { against, data, program } from '../store';

export interface Versions {
  name: string;
  /** For each layer of the other version, that of the program, or null if the program lacks it. */
  layers: (number | null)[];
  onlyHere: Layer[];
  onlyThere: Layer[];
  /** Layers whose productions differ, as in the program and in the other version. */
  edited: [Layer, Layer][];
  /** For each register of the program, that of the other version, or null if that version lacks it. */
  registers: (number | null)[];
}

const meaning = ({ q, k, v, causal, rightmost }: Layer): string => JSON.stringify([q, k, v, causal, rightmost]);

/** Null unless the second run is that of another version. */
export const versions = computed<Versions | null>(() => {
  const [here, there, other] = [program.value, against.value, data.value.against];
  if (here === null || there === null || other === undefined) return null;
  const { name, layers } = other;
  const both = there.layers.flatMap((layer): [Layer, Layer][] => {
    const same = here.layers[(layers[layer.number - 1] ?? 0) - 1];
    return same ? [[same, layer]] : [];
  });
  const [paired, others] = [new Set(both.map(([layer]) => layer)), new Set(both.map(([, layer]) => layer))];
  return {
    name, layers,
    onlyHere: here.layers.filter((layer) => !paired.has(layer)),
    onlyThere: there.layers.filter((layer) => !others.has(layer)),
    edited: both.filter(([layer, other]) => meaning(layer) !== meaning(other)),
    registers: here.registers.map(({ long }) => {
      const register = there.registers.findIndex((other) => other.long === long);
      return register < 0 ? null : register;
    }),
  };
});

/** The registers that both programs have: their indices in each. */
export function common(registers: number[]): [number[], number[]] {
  const { value: other } = versions;
  if (other === null) return [registers, registers];
  const both = registers.filter((register) => other.registers[register] != null);
  return [both, both.map((register) => other.registers[register] ?? 0)];
}
