// The prompt and what is expected, to edit and to run.
import { signal } from '@preact/signals';
import { program, running, runPrompt, stop, wantedRuns } from '../store';
import { gold } from './result';

/** The text in the field; null while it shows what has run. */
export const draft = signal<string | null>(null);
const goldDraft = signal<string | null>(null);

function current(): { prompt: string; gold: string; file: string | null } {
  const wanted = wantedRuns.value[0]?.prompt;
  if (typeof wanted === 'string') return { prompt: wanted, gold: gold.value, file: null };
  const test = wanted && program.value?.tests[wanted.test];
  return { prompt: test?.prompt ?? '', gold: test?.gold ?? '', file: test?.file ?? null };
}

/** Forgets edits that have not run. */
export function forget(): void {
  draft.value = null;
  goldDraft.value = null;
}

/** Runs the prompt as it is edited; a test as it is otherwise. */
export function runDraft(): void {
  const wanted = wantedRuns.peek()[0]?.prompt;
  const shown = current();
  const prompt = draft.peek() ?? shown.prompt;
  const edited = (draft.peek() !== null && draft.peek() !== shown.prompt) || (goldDraft.peek() !== null && goldDraft.peek() !== shown.gold);
  if (wanted !== undefined && !edited) {
    void runPrompt(wanted);
    return;
  }
  gold.value = goldDraft.peek() ?? shown.gold;
  void runPrompt(prompt).then(forget);
}

export function Prompt() {
  const shown = current();
  const submit = (event: Event): void => {
    event.preventDefault();
    runDraft();
  };
  return (
    <form class="row prompt" onSubmit={submit}>
      <label class="field grow">
        <span>Prompt</span>
        <input
          id="prompt" type="text" class="code grow" spellcheck={false} autocomplete="off"
          placeholder={shown.file === null ? 'Symbols, separated by spaces' : `The cells in ${shown.file}`}
          value={draft.value ?? shown.prompt} onInput={({ currentTarget }) => { draft.value = currentTarget.value; }}
        />
      </label>
      <label class="field gold">
        <span>Expected</span>
        <input
          id="gold" type="text" class="code grow" spellcheck={false} autocomplete="off" placeholder="Optional"
          value={goldDraft.value ?? shown.gold} onInput={({ currentTarget }) => { goldDraft.value = currentTarget.value; }}
        />
      </label>
      {/* Two elements: a button that turned into the other one in its click would run what it stopped. */}
      {running.value
        ? <button key="stop" type="button" id="stop" onClick={stop}>Stop</button>
        : <button key="run" type="submit" id="run" class="primary" title="Run the prompt (F5)">Run</button>}
    </form>
  );
}
