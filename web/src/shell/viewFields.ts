// The view of a run in the address.
import { aligned, patched } from '../compare/patched';
import { limit } from '../heads/chosen';
import { pointed, program, rowOf, runs, select, selected, shown, usualRegisters } from '../store';
import { block, view, VIEWS } from '../transformer/chosen';
import { chosen } from '../why/asked';
import { textIn, wholeIn } from './fields';
import { PANELS } from './panels';
import { panel } from './open';

/** Writes and reads a part of the state. A missing or invalid field stands for the default. */
interface Part { write(fields: URLSearchParams): void; read(fields: URLSearchParams): void }

const nameOf = (register: number): string => program.value?.registers[register]?.long ?? '';
const named = (name: string): number[] => {
  const index = program.value?.registers.findIndex(({ long }) => long === name) ?? -1;
  return index < 0 ? [] : [index];
};

const registers: Part = {
  write: (fields) => fields.set('registers', shown.value.map(nameOf).join(',')),
  read: (fields) => {
    const known = new Set(textIn(fields, 'registers')?.split(',').flatMap(named));
    shown.value = known.size > 0 ? [...known] : usualRegisters();
  },
};

/** The selected update. Without a row, it is the start of the cell. */
const selection: Part = {
  write: (fields) => {
    const at = selected.value;
    if (at === null) return;
    fields.set('cell', String(at.cell));
    if (at.row !== null) fields.set('row', String(at.row));
    if (at.slot === 1) fields.set('run', '2');
    if (pointed.value !== null) fields.set('pointed', String(pointed.value));
  },
  read: (fields) => {
    const slot = fields.get('run') === '2' ? 1 : 0;
    const run = runs.value[slot];
    const [cell, row, source] = ['cell', 'row', 'pointed'].map((name) => wholeIn(fields, name));
    const exists = (number: number | null | undefined): number is number => number != null && number >= 1 && run != null && number <= run.symbols.length;
    if (!exists(cell) || (fields.has('row') && run?.rows[row ?? -1] === undefined)) return;
    select({ slot, row: row ?? null, cell }, true);
    if (exists(source)) pointed.value = source;
  },
};

const traced: Part = {
  write: (fields) => { if (chosen.value !== null) fields.set('trace', nameOf(chosen.value)); },
  read: (fields) => { chosen.value = named(fields.get('trace') ?? '')[0] ?? null; },
};

const panels: Part = {
  write: (fields) => fields.set('panel', panel.value),
  read: (fields) => { panel.value = PANELS.find(({ id }) => id === fields.get('panel'))?.id ?? 'why'; },
};

/** The picture and the block of weights of the selected layer. */
const transformer: Part = {
  write: (fields) => {
    if (view.value !== 'weights') fields.set('view', view.value);
    if (block.value !== null && block.value.layer === rowOf(selected.value)?.layer) fields.set('block', block.value.name);
  },
  read: (fields) => {
    view.value = VIEWS.find((name) => name === fields.get('view')) ?? 'weights';
    const layer = rowOf(selected.value)?.layer;
    const name = textIn(fields, 'block');
    block.value = name === null || layer === undefined ? null : { layer, name };
  },
};

/** The schedule. */
const heads: Part = {
  write: (fields) => { if (limit.value !== null) fields.set('heads', String(limit.value)); },
  read: (fields) => { limit.value = wholeIn(fields, 'heads') || null; },
};

/** The map of patches. */
const patches: Part = {
  write: (fields) => {
    if (patched.value !== null) fields.set('patch', patched.value);
    if (aligned.value !== '') fields.set('align', aligned.value);
  },
  read: (fields) => {
    patched.value = fields.get('patch');
    aligned.value = fields.get('align') ?? '';
  },
};

/** In the order in which they are read. */
export const PARTS: Part[] = [registers, selection, traced, panels, transformer, heads, patches];
