// All programs of the reader, to open, rename, duplicate and delete.
import { useSignal } from '@preact/signals';
import { create, openSaved, rename } from './current';
import { Dialog } from './dialog';
import { complain, notify } from './notices';
import { dialog, program, programs, text } from './state';
import { LONGEST_NAME, safeName } from '../programs/name';
import type { Saved } from '../programs/store';
import { welcome } from './welcome';

const close = (): void => { dialog.value = null; };

async function remove(id: string): Promise<void> {
  const store = programs.peek();
  const saved = await store?.load(id);
  if (!store || !saved) return;
  const kept: Saved = program.peek().id === id ? { ...saved, text: text.peek() } : saved;
  await store.remove(id);
  if (program.peek().id === id) {
    const next = store.list.peek()[0];
    if (!next || !(await openSaved(next.id))) welcome();
  }
  notify(`Deleted ${kept.name}.`, 'info', { title: 'Undo', run: () => create(kept.name, kept.text, kept.original) });
}

async function duplicate(id: string): Promise<void> {
  const saved = await programs.peek()?.load(id);
  if (saved) create(saved.name, saved.text, saved.original);
  close();
}

function Row({ id, name, changed }: { id: string; name: string; changed: number }) {
  const draft = useSignal(name);
  const commit = (): void => {
    const wanted = draft.value.trim() === '' ? name : safeName(draft.value);
    draft.value = wanted;
    if (program.peek().id === id) rename(wanted);
    else if (wanted !== name) programs.peek()?.save(id, { name: wanted });
  };
  return (
    <tr>
      <td><input type="text" aria-label={`Name of ${name}`} maxLength={LONGEST_NAME} value={draft.value} onInput={({ currentTarget }) => { draft.value = currentTarget.value; }} onChange={commit} /></td>
      <td class="caption">{new Date(changed).toLocaleString()}</td>
      <td><div class="row">
        <button type="button" aria-label={`Open ${name}`} onClick={() => { close(); void openSaved(id).catch(complain); }}>Open</button>
        <button type="button" aria-label={`Duplicate ${name}`} onClick={() => void duplicate(id).catch(complain)}>Duplicate</button>
        <button type="button" aria-label={`Delete ${name}`} onClick={() => void remove(id).catch(complain)}>Delete</button>
      </div></td>
    </tr>
  );
}

export function ProgramsDialog() {
  const all = programs.value?.list.value ?? [];
  return (
    <Dialog title="Your programs" close={close} wide>
      {all.length === 0
        ? <p class="empty">None yet. An example is saved here when you change it.</p>
        : (
          <table class="table programs">
            <thead><tr><th scope="col">Name</th><th scope="col">Changed</th><th scope="col">Actions</th></tr></thead>
            <tbody>{all.map(({ id, name, changed }) => <Row key={id} id={id} name={name} changed={changed} />)}</tbody>
          </table>
        )}
    </Dialog>
  );
}
