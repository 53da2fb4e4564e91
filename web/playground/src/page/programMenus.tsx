// The menus of the reader's programs and of examples.
import { examples, skeleton } from '../programs/examples';
import { create, openSaved, openUnsaved } from './current';
import { openFromDisk, saveToDisk } from './files';
import { Menu } from './menu';
import { complain, notify } from './notices';
import { dialog, program, programs, text } from './state';

/** The menu lists this many programs. */
const MOST = 10;
export async function openListed(id: string): Promise<void> {
  if (!(await openSaved(id).catch(complain))) notify('This program is not there any more.', 'warn');
}

export function ProgramsMenu() {
  const { id, original, name } = program.value;
  const saved = programs.value?.list.value ?? [];
  return (
    <Menu
      title="Programs"
      groups={[
        { title: 'Open program', items: [
          { title: 'New', run: () => create('program', skeleton) },
          { title: 'Open file…', run: () => void openFromDisk() },
          { title: 'Save to disk', detail: 'Ctrl+S', run: () => void saveToDisk() },
          { title: 'Duplicate', run: () => create(name, text.peek(), original) },
          { title: 'Compare with the original…', disabled: original === null, run: () => { dialog.value = 'difference'; } },
        ] },
        { title: 'Yours', items: [
          ...saved.slice(0, MOST).map((entry) => ({ title: entry.name, current: entry.id === id, run: () => void openListed(entry.id) })),
          ...(saved.length > 0 ? [{ title: 'All programs…', run: () => { dialog.value = 'programs'; } }] : []),
        ] },
      ]}
    />
  );
}

export function ExamplesMenu() {
  const of = (group: 'examples' | 'tutorial') => examples.filter((example) => example.group === group)
    .map(({ name, title, text: example }) => ({ title: name, detail: title === name ? '' : title, run: () => openUnsaved(name, example) }));
  return <Menu title="Examples" groups={[{ title: 'Examples', items: of('examples') }, { title: 'Tutorial', items: of('tutorial') }]} />;
}
