// Asks for a prompt: a new one or an earlier one.
import { type QuickPickItem, window } from 'vscode';

/** The prompt, or `undefined` if the user dismissed the question. */
export function askForPrompt(earlier: readonly string[]): Promise<string | undefined> {
  const input = window.createQuickPick();
  input.title = 'Run on a Prompt';
  input.placeholder = 'Symbols separated by spaces';
  input.ignoreFocusOut = true;
  const items = (typed: string): QuickPickItem[] => {
    const others = earlier.filter((prompt) => prompt !== typed).map((label) => ({ label, description: 'earlier' }));
    return typed ? [{ label: typed, description: 'press Enter to run' }, ...others] : others;
  };
  input.items = items('');
  input.onDidChangeValue((value) => {
    input.items = items(value.trim());
  });
  return new Promise((resolve) => {
    input.onDidAccept(() => {
      resolve(input.activeItems[0]?.label ?? (input.value.trim() || undefined));
      input.hide();
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}
