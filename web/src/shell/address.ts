// The state of the page in its address, after the #.
import { effect } from '@preact/signals';
import type { Machine } from '../protocol';
import { compute, data, machine, program, run, runs, select, selected, shown, wantedRuns } from '../store';
import { gold } from '../toolbar/result';
import { choices, openExample } from '../toolbar/programs';
import { panel, PANELS } from './panels';

const MACHINES: readonly string[] = ['psm', 'qkvm', 'dat', 'full-dat'] satisfies Machine[];
const isMachine = (text: string | null): text is Machine => text !== null && MACHINES.includes(text);
const whole = (text: string | null): number | null => (text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null);

/** Opens what the address names. Returns false if it names nothing. */
export async function restore(): Promise<boolean> {
  const fields = new URLSearchParams(location.hash.slice(1));
  if (fields.size === 0) return false;
  const machineName = fields.get('machine');
  if (isMachine(machineName)) machine.value = machineName;
  const open = fields.get('panel');
  if (PANELS.some(({ id }) => id === open)) panel.value = open ?? panel.value;
  const name = fields.get('program');
  if (name !== null && name !== data.value.name && choices.includes(name)) openExample(name);
  const test = whole(fields.get('test'));
  const prompt = fields.get('prompt');
  if (prompt === null && test === null) return false;
  gold.value = fields.get('gold') ?? '';
  await compute([{ prompt: prompt ?? { test: test ?? 0 }, machine: machine.value }, null]);
  const registers = fields.get('registers')?.split(',').flatMap((long) => {
    const index = program.value?.registers.findIndex((register) => register.long === long) ?? -1;
    return index < 0 ? [] : [index];
  });
  if (registers && registers.length > 0) shown.value = registers;
  const cell = whole(fields.get('cell'));
  const row = whole(fields.get('row'));
  const current = run.value;
  if (current && cell !== null && cell >= 1 && cell <= current.symbols.length && (row ?? 0) < current.rows.length) {
    select({ slot: 0, row, cell }, true);
  }
  return true;
}

function fieldsOf(): URLSearchParams {
  const fields = new URLSearchParams();
  if (choices[0] !== data.value.name) fields.set('program', data.value.name);
  const prompt = wantedRuns.value[0]?.prompt;
  if (typeof prompt === 'string') {
    fields.set('prompt', prompt);
    if (gold.value !== '') fields.set('gold', gold.value);
  } else if (prompt) {
    fields.set('test', String(prompt.test));
  }
  fields.set('machine', machine.value);
  const place = selected.value;
  if (place?.slot === 0) {
    fields.set('cell', String(place.cell));
    if (place.row !== null) fields.set('row', String(place.row));
  }
  fields.set('registers', shown.value.map((index) => program.value?.registers[index]?.long ?? '').join(','));
  fields.set('panel', panel.value);
  return fields;
}

/** Keeps the address up to date. */
export function remember(): void {
  let timer = 0;
  effect(() => {
    const fields = fieldsOf();
    if (runs.value[0] === null) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      // The page of a webview has no address that it may change.
      try {
        history.replaceState(null, '', `#${fields.toString()}`);
      } catch { /* it goes without */ }
    }, 150);
  });
}
