// Asks for a prompt: a new one, an earlier one, or that of a test.
import { type QuickPickItem, window } from 'vscode';
import type { TestEntry } from './protocol';

/** A prompt, or a test by its 0-based index. */
export type Chosen = { prompt: string } | { test: number };

type Item = QuickPickItem & { chosen: Chosen; typed: boolean };

export interface Question {
  title: string;
  /** What a typed prompt is for, such as `run`. */
  verb: string;
  /** Earlier prompts. */
  earlier: readonly string[];
  tests?: readonly TestEntry[];
  /** The one to offer first. */
  current?: Chosen | undefined;
}

/** The prompt or test, or `undefined` if the user dismissed the question. */
export function askForPrompt({ title, verb, earlier, tests = [], current }: Question): Promise<Chosen | undefined> {
  const input = window.createQuickPick<Item>();
  input.title = title;
  input.placeholder = tests.length > 0 ? 'A test, or symbols separated by spaces' : 'Symbols separated by spaces';
  input.ignoreFocusOut = true;
  const offered: Item[] = [
    ...tests.map((test) => ({ label: labelOf(test), description: `test ⇒ ${test.gold}`, chosen: { test: test.index }, typed: false })),
    ...earlier.map((prompt) => ({ label: prompt, description: 'earlier', chosen: { prompt }, typed: false })),
  ];
  const isCurrent = ({ chosen }: Item) => JSON.stringify(chosen) === JSON.stringify(current);
  offered.sort((one, other) => Number(isCurrent(other)) - Number(isCurrent(one)));
  const items = (typed: string): Item[] => {
    const others = offered.filter(({ label }) => label !== typed || tests.some((test) => labelOf(test) === typed));
    return typed ? [{ label: typed, description: `press Enter to ${verb}`, chosen: { prompt: typed }, typed: true }, ...others] : others;
  };
  input.items = items('');
  input.onDidChangeValue((value) => {
    input.items = items(value.trim());
  });
  return new Promise((resolve) => {
    input.onDidAccept(() => {
      const [active] = input.activeItems;
      const typed = input.value.trim();
      // After fast typing, the typed item may lack the last characters.
      resolve(active && !active.typed ? active.chosen : typed ? { prompt: typed } : undefined);
      input.hide();
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}

/** The name of a test, or else its prompt. */
export const labelOf = ({ name, prompt }: TestEntry): string =>
  name ?? (typeof prompt === 'string' ? prompt : 'structured prompt');
