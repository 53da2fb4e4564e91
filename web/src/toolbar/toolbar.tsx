// The toolbar: program, test, machine, prompt and result.
import type { Machine, TestLine } from '../protocol';
import { testOf } from '../engine';
import { PaperHeading } from '../print/heading';
import { openFile } from '../shell/address';
import { inFrame } from '../shell/frame';
import { Views } from '../shell/views';
import { data, machine, open, program, runPrompt, wantedRuns } from '../store';
import { MACHINES } from './machines';
import { Outcome } from './outcome';
import { choices, file, programNamed } from './programs';
import { forget, Prompt } from './prompt';

/** The value of the opened file in the list, which may have a program of the same name. */
const FILE = '';

function chooseProgram(value: string): void {
  const next = value === FILE ? file.peek() : programNamed(value);
  forget();
  if (next) void open(next);
}

function Programs() {
  const opened = file.value;
  return (
    <>
      <label class="field">
        <span>Program</span>
        <select id="program" value={data.value === opened ? FILE : data.value.name} onChange={({ currentTarget }) => chooseProgram(currentTarget.value)}>
          {opened && <option value={FILE}>{choices.value.includes(opened.name) ? `${opened.name} (opened)` : opened.name}</option>}
          {choices.value.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      </label>
      <label class="button file">
        Open file…
        <input
          type="file" accept=".psl,.txt" class="visually-hidden"
          onChange={({ currentTarget }) => {
            if (currentTarget.files?.[0]) void openFile(currentTarget.files[0]);
            // Allows opening the same file again after an edit.
            currentTarget.value = '';
          }}
        />
      </label>
    </>
  );
}

function nameOf({ name, prompt, file }: TestLine): string {
  const text = name ?? prompt ?? file ?? '';
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function chooseTest(value: string): void {
  forget();
  if (value !== '') void runPrompt({ test: Number(value) });
  else document.getElementById('prompt')?.focus();
}

function Tests() {
  const tests = program.value?.tests ?? [];
  const chosen = testOf(wantedRuns.value[0]?.prompt);
  const value = chosen === null || chosen >= tests.length ? '' : String(chosen);
  return (
    <label class="field">
      <span>Test</span>
      <select id="test" value={value} onChange={({ currentTarget }) => chooseTest(currentTarget.value)}>
        <option value="">own prompt</option>
        {tests.map((test, index) => <option key={index} value={String(index)}>{nameOf(test)}</option>)}
      </select>
    </label>
  );
}

function chooseMachine(value: Machine): void {
  machine.value = value;
  const wanted = wantedRuns.peek()[0];
  if (wanted) void runPrompt(wanted.prompt, wanted.gold);
}

function Machines() {
  return (
    <label class="field">
      <span>Machine</span>
      <select id="machine" title="What runs the program: the production system, its query, key and value maps, or the transformer" value={machine.value} onChange={({ currentTarget }) => chooseMachine(currentTarget.value as Machine)}>
        {MACHINES.map(([id, text]) => <option key={id} value={id}>{text}</option>)}
      </select>
    </label>
  );
}

export function Toolbar() {
  return (
    <header class="toolbar stack">
      <PaperHeading />
      <div class="row extra">
        <h1 class={inFrame ? 'visually-hidden' : ''}>PSL explorer</h1>
        {!inFrame && <Programs />}
        <Tests />
        <Machines />
        <Views />
      </div>
      <Prompt />
      <Outcome />
    </header>
  );
}
