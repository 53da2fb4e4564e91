// Commands of lenses and code actions, whose results the panels show.
import { explore, firstOf } from '../panels/explorer';
import { prompt } from '../panels/prompt';
import { propose, runTests, tests } from '../panels/tests';
import { runPrompt } from '../panels/runs';
import { explain, explainSection } from '../panels/explanation';
import { showPanel } from './layout';
import { complain } from './notices';
import { editor } from './state';

interface Argument { prompt?: string; test?: number; production?: number; emit?: string; code?: string }

export function runCommand(name: string, args: unknown[]): void {
  const [first, second] = args;
  const argument = (typeof first === 'object' && first !== null ? first : {}) as Argument;
  const table: Record<string, () => unknown> = {
    'psl.run': () => {
      if (argument.test !== undefined) return runTests(argument.test);
      if (argument.prompt === undefined) return askForPrompt();
      prompt.value = argument.prompt;
      return runPrompt(argument.prompt);
    },
    'psl.tests': () => runTests(),
    'psl.explore': () => (argument.prompt === undefined ? exploreTest(argument.test ?? 0) : explore({ open: argument.prompt })),
    'psl.debug': () => exploreTest(argument.test ?? 0),
    'psl.compile': () => showPanel(argument.emit === 'weights' ? 'weights' : 'qkvl'),
    'psl.repair': () => propose('repair'),
    'psl.fill': () => propose('fill'),
    'psl.unnoticed': () => propose('unnoticed', argument.production),
    'page.reference': () => explainSection(String(first), String(second ?? '')),
    'psl.explain': () => explain(typeof first === 'string' ? first : (argument.code ?? '')),
  };
  const run = table[name];
  if (run) void run();
  else void editor.peek()?.execute(name, args).catch(complain);
}

function exploreTest(index: number): void {
  const test = tests.peek().find((other) => other.index === index);
  explore(test ? firstOf(test) : { open: { test: index } });
}

/** Moves to the field for the prompt. */
export function askForPrompt(): void {
  showPanel('runs');
  requestAnimationFrame(() => {
    const field = document.getElementById('prompt');
    if (field instanceof HTMLInputElement) {
      field.focus();
      field.select();
    }
  });
}

/** Runs the prompt in the field, or asks for one. */
export function runOrAsk(): void {
  if (prompt.peek().trim() === '') askForPrompt();
  else void runPrompt(prompt.peek());
}
