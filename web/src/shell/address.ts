// The state of the page in the fragment of its address, which reloads, links, Back and Forward restore.
import { batch, effect, signal } from '@preact/signals';
import { exists, type RunRequest } from '../engine';
import type { PageData } from '../protocol';
import { readText } from '../readText';
import { compute, failure, firstRun, missing, open, pointed, program, running, runs, selected, wantedRuns } from '../store';
import { home, keepFile } from '../toolbar/programs';
import { forget } from '../toolbar/prompt';
import { readProgram, readRuns, writeProgram, writeRuns } from './runFields';
import { PARTS } from './viewFields';

/** The pause before a change is written to the address, in ms. */
const PAUSE = 150;

/** Whether the address is being read. It must not be written then. */
const reading = signal(false);
/** Counts the readings. */
let times = 0;

/** Shows what the address names. */
async function restore(): Promise<void> {
  const turn = ++times;
  batch(() => {
    reading.value = true;
    selected.value = null;
    pointed.value = null;
    forget();
  });
  const named = new URLSearchParams(location.hash.slice(1));
  const found = readProgram(named);
  // Fields of a link to another program have no meaning in this one.
  const [next, fields] = typeof found === 'string' ? [home.peek(), new URLSearchParams()] : [found, named];
  if (await run(next, readRuns(fields, next))) {
    batch(() => {
      for (const { read } of PARTS) read(fields);
      if (typeof found === 'string') missing.value = found;
    });
  }
  if (turn === times) reading.value = false;
}

/** Opens a program and runs it, without tests that it lacks. Returns false if something else runs by then. */
async function run(next: PageData, wanted: (RunRequest | null)[]): Promise<boolean> {
  await open(next, wanted);
  if (wantedRuns.peek() !== wanted) return false;
  const known = program.peek();
  if (known === null || known.error !== null || wanted.every((request) => request === null || exists(request, known))) return true;
  const [first, second] = wanted.map((request) => (request && exists(request, known) ? request : null));
  const left = [first ?? firstRun(next), second ?? null];
  if (JSON.stringify(left) === JSON.stringify(wanted)) return true;
  await compute(left);
  return wantedRuns.peek() === left;
}

function write(): URLSearchParams {
  const fields = new URLSearchParams();
  writeProgram(fields);
  writeRuns(fields);
  for (const part of PARTS) part.write(fields);
  return fields;
}

/** Shows what the address names. Then keeps it up to date, and follows links, Back and Forward. */
export async function followAddress(): Promise<void> {
  addEventListener('hashchange', () => void restore());
  await restore();
  let timer = 0;
  effect(() => {
    const fields = write();
    clearTimeout(timer);
    // A reload during a run returns to the run before it. The address of a missing program stays, so that a reload asks for it
    // again.
    if (reading.value || running.value || missing.value !== null || runs.value[0] === null) return;
    timer = setTimeout(() => {
      // A webview must not change its address.
      try {
        history.replaceState(null, '', `#${fields.toString()}`);
      } catch { /* The page works without it. */ }
    }, PAUSE);
  });
}

/** Opens a file of the user. If the address is waiting for this file, shows what the address names. */
export async function openFile(file: File): Promise<void> {
  let text: string;
  try {
    text = await readText(file);
  } catch (why) {
    failure.value = (why as Error).message;
    return;
  }
  const next = keepFile(file.name, text);
  if (missing.peek() === file.name) return restore();
  forget();
  return open(next);
}
