// The program and its runs in the address.
import type { RunRequest } from '../engine';
import type { Machine, PageData, PagePrompt, SetValue } from '../protocol';
import { data, firstRun, wantedRuns } from '../store';
import { MACHINES } from '../toolbar/machines';
import { file, fileNamed, home, programNamed } from '../toolbar/programs';
import { textIn, wholeIn, wholesIn } from './fields';

const isMachine = (text: string | null): text is Machine => MACHINES.some(([machine]) => machine === text);

/** The suffix of the field names of a run, by slot. */
const ENDS = ['', '2'];

export function writeProgram(fields: URLSearchParams): void {
  if (data.value === file.value) fields.set('file', data.value.name);
  else if (data.value.name !== home.value.name) fields.set('program', data.value.name);
}

/** The program that an address names, or its name if it is not available. */
export function readProgram(fields: URLSearchParams): PageData | string {
  const opened = textIn(fields, 'file');
  if (opened !== null) return fileNamed(opened) ?? opened;
  const name = textIn(fields, 'program');
  return name === null ? home.peek() : (programNamed(name) ?? fileNamed(name) ?? name);
}

export function writeRuns(fields: URLSearchParams): void {
  ENDS.forEach((end, slot) => {
    const run = wantedRuns.value[slot];
    if (!run) return;
    const { prompt, machine, gold, ablated, set } = run;
    if (typeof prompt === 'string') fields.set(`prompt${end}`, prompt);
    else if ('cells' in prompt) fields.set(`cells${end}`, prompt.cells);
    else fields.set(`test${end}`, String(prompt.test));
    if (gold) fields.set(`gold${end}`, gold);
    if (ablated) fields.set(`ablate${end}`, ablated.join(','));
    if (set) fields.set(`set${end}`, JSON.stringify(set));
    fields.set(`machine${end}`, machine);
  });
}

/** The runs that an address names. The first one defaults to the first run of the program. */
export function readRuns(fields: URLSearchParams, program: PageData): (RunRequest | null)[] {
  const usual = [firstRun(program), null];
  let machine: Machine = 'dat';
  return ENDS.map((end, slot) => {
    const named = fields.get(`machine${end}`);
    if (isMachine(named)) machine = named;
    const own = promptIn(fields, end);
    const prompt = own ?? usual[slot]?.prompt ?? null;
    const gold = textIn(fields, `gold${end}`);
    const isUsual = own === null && !fields.has(`ablate${end}`) && !fields.has(`set${end}`);
    const ablated = isUsual ? (usual[slot]?.ablated ?? []) : wholesIn(fields, `ablate${end}`);
    const set = isUsual ? (usual[slot]?.set ?? []) : setIn(fields, `set${end}`);
    if (prompt === null) return null;
    return { prompt, machine, ...(gold === null ? {} : { gold }), ...(ablated.length === 0 ? {} : { ablated }), ...(set.length === 0 ? {} : { set }) };
  });
}

/** The set values of a field, without those of another form. */
function setIn(fields: URLSearchParams, name: string): SetValue[] {
  try {
    const found: unknown = JSON.parse(fields.get(name) ?? '[]');
    return Array.isArray(found) ? found.filter(isSetValue) : [];
  } catch {
    // An address that somebody has typed.
    return [];
  }
}

function isSetValue(it: unknown): it is SetValue {
  if (typeof it !== 'object' || it === null) return false;
  const { layer, pass, cell, register, value } = it as Partial<Record<keyof SetValue, unknown>>;
  const isPass = pass === null || (Array.isArray(pass) && pass.every(Number.isSafeInteger));
  return Number.isSafeInteger(layer) && Number.isSafeInteger(cell) && isPass && typeof register === 'string' && (value === null || typeof value === 'string');
}

function promptIn(fields: URLSearchParams, end: string): PagePrompt | null {
  const test = wholeIn(fields, `test${end}`);
  const cells = textIn(fields, `cells${end}`);
  return textIn(fields, `prompt${end}`) ?? (cells === null ? null : { cells }) ?? (test === null ? null : { test });
}
