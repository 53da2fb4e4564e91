// What the page shows first: the program of a link, the last one, or an example.
import { effect } from '@preact/signals';
import { workOffline, newVersion } from '../offline/install';
import { followExplorer, wantPlace } from '../panels/explorer';
import { followTests } from '../panels/tests';
import { openPrograms } from '../programs/store';
import { fromFragment, type Shared } from '../share/link';
import { openSaved, show } from './current';
import { followBook } from './embed';
import { openDropped } from './files';
import { embedded, program, programs, server } from './state';
import { editorShown, keepLayout, narrow, showPanel } from './layout';
import { complain, notify } from './notices';
import { followTheme } from './theme';
import { welcome } from './welcome';

/** The program in the address, or null. Reports a broken link. */
async function linked(): Promise<Shared | null> {
  try {
    return await fromFragment(location.hash);
  } catch (why) {
    complain(why);
    return null;
  }
}

function showLinked({ name, text, prompt, panel, layer, cell }: Shared): void {
  show({ name, text, original: text, prompt: prompt ?? null });
  wantPlace(layer !== undefined && cell !== undefined ? { layer, cell } : null);
  if (!panel) return;
  showPanel(panel);
  if (narrow.peek()) editorShown.value = true;
}

/** Opens the first program. If there is none that works, the page says why and starts with an example. */
export async function openFirst(): Promise<void> {
  try {
    const [shared, store] = await Promise.all([linked(), openPrograms()]);
    programs.value = store;
    if (shared) showLinked(shared);
    else if (embedded || store.last === null || !(await openSaved(store.last))) welcome();
  } catch (why) {
    complain(why);
    welcome();
  }
}

export function follow(): void {
  followBook();
  followTheme();
  if (!embedded) keepLayout();
  followTests();
  followExplorer();
  openDropped();
  void workOffline();
  addEventListener('hashchange', () => void linked().then((shared) => { if (shared) showLinked(shared); }));
  effect(() => { document.title = `${program.value.name} – PSL playground`; });
  effect(() => {
    const problem = programs.value?.problem.value;
    if (problem) notify(problem, 'warn');
  });
  effect(() => {
    if (programs.value?.otherTab.value) notify('This program is open in another tab, too.', 'warn');
  });
  effect(() => {
    if (newVersion.value) notify('A new version of this page is ready.', 'info', { title: 'Reload', run: () => location.reload() });
  });
  effect(() => {
    const state = server.state.value;
    if (state.kind === 'failed') notify(`The language server failed: ${state.why}`, 'bad');
  });
  // The text becomes a copy if another tab has changed the program.
  effect(() => {
    const id = programs.value?.open.value ?? null;
    const { id: own } = program.peek();
    if (id === null || own === null || id === own) return;
    const copy = programs.peek()?.list.peek().find((saved) => saved.id === id);
    if (copy) program.value = { ...program.peek(), id, name: copy.name };
  });
}
