// Opens programs, and keeps what the reader types.
import { batch } from '@preact/signals';
import { editor, embedded, opened, program, programs, text, version } from './state';
import { prompt } from '../panels/prompt';
import { safeName } from '../programs/name';

interface Opened { id?: string | null; name: string; text: string; original?: string | null; prompt?: string | null }

export const uriOf = (name: string): string => `file:///${encodeURIComponent(name)}.psl`;

/** Shows a program. */
export function show({ id = null, name, text: next, original = null, prompt: last = null }: Opened): void {
  // The editor first: what follows the version asks the server about the document in the editor.
  editor.peek()?.open({ uri: uriOf(name), text: next });
  batch(() => {
    program.value = { id, name, original };
    text.value = next;
    prompt.value = last ?? '';
    version.value += 1;
    opened.value += 1;
  });
  if (id !== null) programs.peek()?.opened(id);
}

/** Shows a program that was saved. Returns false if it is not there any more. */
export async function openSaved(id: string): Promise<boolean> {
  const saved = await programs.peek()?.load(id);
  if (!saved) return false;
  forgetLink();
  show(saved);
  return true;
}

/** Shows a program that is saved as soon as the reader edits it. */
export function openUnsaved(name: string, next: string, original: string | null = next): void {
  forgetLink();
  show({ name, text: next, original });
}

/** Adds a program to those of the reader, and shows it. */
export function create(wanted: string, next: string, original: string | null = null): void {
  const name = safeName(wanted);
  const saved = programs.peek()?.add({ name, text: next, original });
  forgetLink();
  show(saved ?? { name, text: next, original });
}

/** Notes a text that the reader or the server has changed. */
export function changed(next: string): void {
  batch(() => {
    text.value = next;
    version.value += 1;
  });
  forgetLink();
  keep({ text: next });
}

interface Change { text?: string; name?: string; prompt?: string }

/** Saves a change of the open program. The first edit adds it to those of the reader. */
export function keep(change: Change): void {
  const { id, name, original } = program.peek();
  const store = programs.peek();
  // The book keeps the programs of its frame.
  if (!store || embedded) return;
  if (id !== null) return store.save(id, change);
  if (change.text === undefined && change.name === undefined) return;
  const saved = store.add({ name, text: text.peek(), original, prompt: prompt.peek() || null });
  program.value = { ...program.peek(), id: saved.id, name: saved.name };
  store.opened(saved.id);
}

export function rename(wanted: string): void {
  const name = safeName(wanted);
  if (name === program.peek().name) return;
  program.value = { ...program.peek(), name };
  keep({ name });
}

/** Removes a link to a program from the address: the page shows something else by now. */
function forgetLink(): void {
  if (location.hash === '') return;
  try {
    history.replaceState(null, '', location.pathname + location.search);
  } catch { /* A page in a file may keep its address. */ }
}
