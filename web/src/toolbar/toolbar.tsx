// The choice of program, test and machine; the prompt; what came out.
import type { Machine, TestLine } from '../protocol';
import { data, machine, program, runPrompt, wantedRuns } from '../store';
import { forget, Prompt } from './prompt';
import { Outcome } from './outcome';
import { choices, openExample, openFile } from './programs';
import { Views } from '../shell/views';

const MACHINES: [Machine, string][] = [
  ['psm', 'PSM: productions'],
  ['qkvm', 'QKVM: query, key, value'],
  ['dat', 'DAT: lookups'],
  ['full-dat', 'DAT: matrices'],
];

function Programs() {
  const { name } = data.value;
  const names = choices.includes(name) ? choices : [name, ...choices];
  return (
    <>
      <label class="field">
        <span>Program</span>
        <select id="program" value={name} onChange={({ currentTarget }) => openExample(currentTarget.value)}>
          {names.map((other) => <option key={other} value={other}>{other}</option>)}
        </select>
      </label>
      <label class="button file">
        Open file…
        <input
          type="file" accept=".psl,.txt" class="visually-hidden"
          onChange={({ currentTarget }) => { if (currentTarget.files?.[0]) void openFile(currentTarget.files[0]); }}
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
  const prompt = wantedRuns.value[0]?.prompt;
  const value = prompt === undefined || typeof prompt === 'string' || prompt.test >= tests.length ? '' : String(prompt.test);
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
  const prompt = wantedRuns.peek()[0]?.prompt;
  if (prompt !== undefined) void runPrompt(prompt);
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
      <div class="row">
        <h1>PSL explorer</h1>
        <Programs />
        <Tests />
        <Machines />
        <Views />
      </div>
      <Prompt />
      <Outcome />
    </header>
  );
}
