// Files on disk.
import { onDrop, openFile, saveFile, type DiskFile } from '../disk/disk';
import { create } from './current';
import { complain, notify } from './notices';
import { program, text } from './state';

const openOne = ({ name, text: content }: DiskFile): void => {
  create(name, content, content);
};

export async function openFromDisk(): Promise<void> {
  try {
    const file = await openFile();
    if (file) openOne(file);
  } catch (why) {
    complain(why);
  }
}

export async function saveToDisk(): Promise<void> {
  try {
    const done = await saveFile({ name: program.peek().name, text: text.peek() });
    if (done !== null) notify(done);
  } catch (why) {
    complain(why);
  }
}

/** Opens files that are dragged into the page. */
export const openDropped = (): void => onDrop(document.body, openOne, (why) => { notify(why, 'warn'); });
