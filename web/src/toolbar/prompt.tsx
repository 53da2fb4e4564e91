// Fields to edit and run the prompt and its expected continuation.
import { signal } from '@preact/signals';
import { controlsOpen } from '../shell/open';
import { data, program, registerOf, running, runPrompt, stop, wantedRuns } from '../store';
import { cellsOf, oneOnEachLine, symbolsOf } from './cells';

/** A prompt as text: symbols, or cells in JSON. */
interface Written { text: string; cells: boolean }

/** The edited text, or null if the field shows what has run. */
const draft = signal<Written | null>(null);
/** The edited expected continuation, or null if the user has not edited it. */
const goldDraft = signal<string | null>(null);

/** The content of a prompt file, which may have any name. */
const promptIn = (file: string): string => (Object.hasOwn(data.value.prompts, file) ? data.value.prompts[file] : null) ?? '';

/** The prompt that has run. `file` is the prompt file of its test. */
interface Shown extends Written { gold: string; test: boolean; file: string | null }

export function ranPrompt(): Shown {
  const wanted = wantedRuns.value[0];
  const own = { gold: wanted?.gold ?? '', test: false, file: null };
  const prompt = wanted?.prompt ?? '';
  if (typeof prompt === 'string') return { text: prompt, cells: false, ...own };
  if ('cells' in prompt) return { text: prompt.cells, cells: true, ...own };
  const test = program.value?.tests[prompt.test];
  const file = test?.file ?? null;
  const text = file === null ? test?.prompt : oneOnEachLine(promptIn(file));
  return { text: text ?? '', cells: file !== null, gold: test?.gold ?? '', test: true, file };
}

/** The contents of the fields. If the prompt is edited, the expected continuation of the test does not apply. */
function fields(): Written & { gold: string; edited: boolean } {
  const shown = ranPrompt();
  const { text, cells } = draft.value ?? shown;
  const other = text !== shown.text || cells !== shown.cells;
  const gold = goldDraft.value ?? (other && shown.test ? '' : shown.gold);
  return { text, cells, gold, edited: other || gold !== shown.gold };
}

/** Discards edits that have not run. */
export function forget(): void {
  draft.value = null;
  goldDraft.value = null;
}

/** Runs the edited prompt or, without edits, the last prompt or test again. */
export function runDraft(): void {
  const { text, cells, gold, edited } = fields();
  const wanted = wantedRuns.peek()[0];
  const prompt = cells ? { cells: text } : text;
  const [ran, expected] = [draft.peek(), goldDraft.peek()];
  void (wanted && !edited ? runPrompt(wanted.prompt, wanted.gold) : runPrompt(prompt, gold)).then(() => {
    // Text that was typed during the run has not run.
    if (draft.peek() === ran && goldDraft.peek() === expected) forget();
  });
}

/** Turns symbols into cells, or back. */
function toggle(): void {
  const { text, cells } = fields();
  const register = program.peek()?.registers[registerOf('symbol')]?.long ?? 'symbol';
  draft.value = { text: cells ? symbolsOf(text, register) : cellsOf(text, register), cells: !cells };
}

export function Prompt() {
  const { text, cells, gold } = fields();
  const { file } = ranPrompt();
  const submit = (event: Event): void => {
    event.preventDefault();
    runDraft();
  };
  const enter = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
  };
  const edit = ({ currentTarget: { value } }: { currentTarget: { value: string } }): void => { draft.value = { text: value, cells }; };
  return (
    <form class="row prompt" onSubmit={submit}>
      <label class="field grow">
        <span>Prompt</span>
        {cells
          ? (
            <textarea
              key="cells" id="prompt" class="code grow" spellcheck={false} autocomplete="off" rows={Math.min(8, text.split('\n').length)}
              placeholder={file === null ? '[{"symbol": "A"}]' : `The cells in ${file}, which is not in this page: [{"symbol": "A"}]`}
              value={text} onInput={edit} onKeyDown={enter}
            />
          )
          : (
            <input
              key="symbols" id="prompt" type="text" class="code grow" spellcheck={false} autocomplete="off"
              placeholder="Symbols, separated by spaces" value={text} onInput={edit}
            />
          )}
      </label>
      <button type="button" class="extra" aria-pressed={cells} title="Write the registers of each cell as JSON" onClick={toggle}>JSON</button>
      <label class="field gold extra">
        <span>Expected</span>
        <input
          id="gold" type="text" class="code grow" spellcheck={false} autocomplete="off" placeholder="Optional"
          value={gold} onInput={({ currentTarget }) => { goldDraft.value = currentTarget.value; }}
        />
      </label>
      {/* Two elements, since a button that changed during its click would run what it stopped. */}
      {running.value
        ? <button key="stop" type="button" id="stop" onClick={stop}>Stop</button>
        : <button key="run" type="submit" id="run" class="primary" title={cells ? 'Run the prompt (F5, Ctrl+Enter)' : 'Run the prompt (F5)'}>Run</button>}
      <button type="button" class="fold" aria-expanded={controlsOpen.value} onClick={() => { controlsOpen.value = !controlsOpen.value; }}>Controls</button>
    </form>
  );
}
