// Programs on disk, by the pickers of the browser where it has them, otherwise by an input and a download.
import { download, fileName } from '../../../src/download';
import { readText } from '../../../src/readText';

/** A program. The name is that of its file without `.psl`. */
export interface DiskFile { name: string; text: string }

interface Writable { write(text: string): Promise<void>; close(): Promise<void>; abort(): Promise<void> }
interface Picked { readonly name: string; getFile(): Promise<File>; createWritable(): Promise<Writable> }
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

const readProgram = async (file: File): Promise<DiskFile> => ({ name: file.name.replace(/\.psl$/i, ''), text: await readText(file) });

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

/** Saves a program where the user chooses. Returns what happened, or null if they choose no place. Rejects with the reason if it failed. */
export async function saveFile({ name, text }: DiskFile): Promise<string | null> {
  const suggestedName = fileName(name.replace(/\.psl$/i, ''), '.psl');
  if (!pickers.showSaveFilePicker) {
    download(suggestedName, text, 'text/plain');
    return `The browser downloads ${suggestedName}.`;
  }
  const place = await unlessAborted(pickers.showSaveFilePicker({ ...KINDS, suggestedName }));
  if (!place) return null;
  try {
    await write(place, text);
  } catch (why) {
    const reason = why instanceof Error ? why.message : String(why);
    throw new Error(`${place.name} was not saved: ${reason}. Save the program in another place: this page still has it.`, { cause: why });
  }
  return `Saved ${place.name}.`;
}

/** Replaces the text of a file. Until all of it is written, the browser keeps it beside the file. */
async function write(place: Picked, text: string): Promise<void> {
  const writable = await place.createWritable();
  try {
    await writable.write(text);
  } catch (why) {
    await writable.abort().catch(() => undefined);
    throw why;
  }
  await writable.close();
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
