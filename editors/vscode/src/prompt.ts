// Asks for a prompt: a new one or an earlier one.
import { type QuickPickItem, window } from 'vscode';

type Item = QuickPickItem & { typed: boolean };

/** The prompt, or `undefined` if the user dismissed the question. */
export function askForPrompt(earlier: readonly string[]): Promise<string | undefined> {
  const input = window.createQuickPick<Item>();
  input.title = 'Run on a Prompt';
  input.placeholder = 'Symbols separated by spaces';
  input.ignoreFocusOut = true;
  const items = (typed: string): Item[] => {
    const others = earlier.filter((prompt) => prompt !== typed).map((label) => ({ label, description: 'earlier', typed: false }));
    return typed ? [{ label: typed, description: 'press Enter to run', typed: true }, ...others] : others;
  };
  input.items = items('');
  input.onDidChangeValue((value) => {
    input.items = items(value.trim());
  });
  return new Promise((resolve) => {
    input.onDidAccept(() => {
      const [active] = input.activeItems;
      // After fast typing, the typed item may lack the last characters.
      resolve(active && !active.typed ? active.label : input.value.trim() || undefined);
      input.hide();
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}
