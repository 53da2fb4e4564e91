// The toolbar: the program, what to do with it, and the page's settings.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { runTests } from '../panels/tests';
import { runOrAsk } from './commands';
import { rename } from './current';
import { openFromDisk, saveToDisk } from './files';
import { narrow, theme, THEMES, type Theme } from './layout';
import { ExamplesMenu, ProgramsMenu } from './programMenus';
import { complain, notify } from './notices';
import { LONGEST_NAME } from '../programs/name';
import { toFragment } from '../share/link';
import { dialog, embedded, isReady, opened, program, server, text } from './state';
import { version } from './version';

function Name() {
  const { name, id } = program.value;
  const draft = useSignal(name);
  // Not with the id: a draft is kept when the first edit saves the program.
  useEffect(() => { draft.value = name; }, [name, opened.value]);
  const commit = (): void => {
    if (draft.value.trim() !== '') rename(draft.value);
    draft.value = program.peek().name;
  };
  return (
    <label class="field name">
      <span class="visually-hidden">Name of the program</span>
      <input
        type="text" value={draft.value} maxLength={LONGEST_NAME} spellcheck={false} autocomplete="off" title={id === null ? 'Not saved until you change it' : 'Saved in this browser'}
        onInput={({ currentTarget }) => { draft.value = currentTarget.value; }} onChange={commit}
      />
    </label>
  );
}

function Actions() {
  const idle = isReady.value && !server.busy.value;
  return (
    <div class="row" role="group" aria-label="Run">
      {/* Two elements, since a button that changed during its click would run what it stopped. */}
      {server.busy.value
        ? <button key="stop" type="button" title="Stop what runs (Ctrl+Shift+.)" onClick={() => server.stop()}>Stop</button>
        : <button key="run" type="button" class="primary" disabled={!idle} title="Run the prompt (Ctrl+Enter)" onClick={runOrAsk}>Run</button>}
      <button type="button" disabled={!idle} title="Run all tests (Ctrl+Shift+Enter)" onClick={() => void runTests()}>Test</button>
    </div>
  );
}

function ServerState() {
  const state = server.state.value;
  if (state.kind === 'ready') return null;
  // A narrow toolbar would have one more line until the server is ready.
  const shown = narrow.value ? 'visually-hidden' : 'muted';
  return <span class={state.kind === 'failed' ? 'bad' : shown} role="status">{state.kind === 'failed' ? `The server failed: ${state.why}` : 'Starting…'}</span>;
}

function Themes() {
  return (
    <label class="field">
      <span class="visually-hidden">Theme</span>
      <select value={theme.value} onChange={({ currentTarget }) => { theme.value = currentTarget.value as Theme; }}>
        {THEMES.map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
    </label>
  );
}

/** Opens the program in a page of its own. */
async function openWhole(): Promise<void> {
  const fragment = await toFragment({ name: program.peek().name, text: text.peek() });
  if (fragment === null) notify('The program is too long to open in a tab of its own.', 'warn');
  else open(location.pathname + fragment, '_blank', 'noreferrer');
}

export function Toolbar() {
  if (embedded) {
    return (
      <header class="toolbar row compact" id="toolbar">
        <h1 class="visually-hidden">PSL playground</h1>
        <strong class="code grow">{program.value.name}</strong>
        <ServerState />
        <Actions />
        <button type="button" title="Open in a tab of its own" onClick={() => void openWhole().catch(complain)}>Open ↗</button>
      </header>
    );
  }
  return (
    <header class="toolbar row" id="toolbar">
      <h1>PSL playground</h1>
      <Name />
      <div class="row" role="group" aria-label="Programs">
        <ProgramsMenu />
        <ExamplesMenu />
        {!narrow.value && <button type="button" onClick={() => void openFromDisk()}>Open</button>}
        {!narrow.value && <button type="button" title="Save to disk (Ctrl+S)" onClick={() => void saveToDisk()}>Save</button>}
        <button type="button" onClick={() => { dialog.value = 'share'; }}>Share</button>
      </div>
      <Actions />
      <ServerState />
      <div class="row settings" role="group" aria-label="Page">
        <Themes />
        <button type="button" class="icon" aria-label="Help and keys" title="Help and keys (F1)" onClick={() => { dialog.value = 'help'; }}>?</button>
        <span class="caption version">{version}</span>
      </div>
    </header>
  );
}
