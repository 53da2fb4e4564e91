// The current prompt of each program: the one that was chosen or run last by itself. Lenses, values after lines, the table, the
// explorer and the debugger show its run. The status bar names it, and a click there changes it.
import { type Disposable, StatusBarAlignment, type Uri, window } from 'vscode';
import type { Chosen } from './prompt';
import { shortened } from './words';

/** The longest prompt in the status bar. */
const LENGTH = 30;

export class CurrentPrompt implements Disposable {
  private readonly prompts = new Map<string, { chosen: Chosen; label: string }>();
  private readonly item = window.createStatusBarItem('psl.prompt', StatusBarAlignment.Right, 99);
  private readonly listener = window.onDidChangeActiveTextEditor(() => this.show());

  constructor() {
    this.item.name = 'PSL: Current Prompt';
    this.item.command = 'psl.choosePrompt';
    this.show();
  }

  of(uri: Uri): Chosen | undefined {
    return this.prompts.get(uri.toString())?.chosen;
  }

  /** Sets the current prompt of a program. `label` names it: the name of its test, or its symbols. */
  set(uri: Uri, chosen: Chosen, label: string): void {
    this.prompts.set(uri.toString(), { chosen, label });
    this.show();
  }

  private show(): void {
    const document = window.activeTextEditor?.document;
    if (document?.languageId !== 'psl') return this.item.hide();
    const label = this.prompts.get(document.uri.toString())?.label;
    this.item.text = `$(symbol-event) ${label === undefined ? 'first test' : shortened(label, LENGTH)}`;
    this.item.tooltip = `Lenses, values, the table and the explorer show the run of: ${label ?? 'the first test'}. Click to choose another prompt.`;
    this.item.show();
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }
}
