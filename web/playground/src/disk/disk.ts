// Programs on disk, by the pickers of the browser where it has them, otherwise by an input and a download.
import { readProgram, type DiskFile } from './read';

export type { DiskFile };

interface Picked { getFile(): Promise<File>; createWritable(): Promise<WritableStream & { write(text: string): Promise<void>; close(): Promise<void> }> }
type Kinds = { types: { description: string; accept: Record<string, string[]> }[] };
interface Pickers {
  showOpenFilePicker?(options: Kinds): Promise<Picked[]>;
  showSaveFilePicker?(options: Kinds & { suggestedName: string }): Promise<Picked>;
}

const KINDS: Kinds = { types: [{ description: 'PSL program', accept: { 'text/plain': ['.psl'] } }] };
const pickers = window as Pickers;

/** Opens a program that the user chooses. Returns null if they choose none. Rejects with the reason if it is not one. */
export async function openFile(): Promise<DiskFile | null> {
  const file = pickers.showOpenFilePicker ? await pick(pickers.showOpenFilePicker.bind(window)) : await choose();
  return file && readProgram(file);
}

async function pick(show: NonNullable<Pickers['showOpenFilePicker']>): Promise<File | null> {
  const [picked] = (await unlessAborted(show(KINDS))) ?? [];
  return picked ? picked.getFile() : null;
}

function choose(): Promise<File | null> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.psl,text/plain';
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null));
    input.addEventListener('cancel', () => resolve(null));
    input.click();
  });
}

/** Saves a program where the user chooses. Returns false if they choose no place. */
export async function saveFile({ name, text }: DiskFile): Promise<boolean> {
  const suggestedName = fileName(name);
  if (!pickers.showSaveFilePicker) {
    download(suggestedName, text);
    return true;
  }
  const place = await unlessAborted(pickers.showSaveFilePicker({ ...KINDS, suggestedName }));
  if (!place) return false;
  const writable = await place.createWritable();
  await writable.write(text);
  await writable.close();
  return true;
}

/** A name that all systems accept. */
const fileName = (name: string): string => `${name.replaceAll(/[\p{Cc}\\/:*?"<>|]/gu, '_').replace(/\.psl$/, '').trim() || 'program'}.psl`;

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function unlessAborted<T>(picking: Promise<T>): Promise<T | null> {
  try {
    return await picking;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

/** Opens files that the user drops. Text that is dropped is left to the editor. */
export function onDrop(target: HTMLElement, open: (file: DiskFile) => void, refuse: (why: string) => void): void {
  const take = (event: DragEvent): DataTransfer | null => {
    const data = event.dataTransfer;
    if (!data?.types.includes('Files')) return null;
    // The editor would insert the text of the file, and the browser would leave the page.
    event.preventDefault();
    event.stopPropagation();
    return data;
  };
  target.addEventListener('dragover', (event) => {
    const data = take(event);
    if (data) data.dropEffect = 'copy';
  }, { capture: true });
  target.addEventListener('drop', (event) => {
    const files = take(event)?.files;
    if (!files) return;
    const [file] = files;
    if (file === undefined || files.length > 1) return refuse('Drop one file at a time.');
    readProgram(file).then(open, (error: Error) => refuse(error.message));
  }, { capture: true });
}
