// The view of past runs.
import { EventEmitter, MarkdownString, ThemeIcon, type TreeDataProvider, TreeItem, Uri, workspace } from 'vscode';
import type { Run, RunHistory } from './runHistory';
import { duration, stopReason } from './words';

export class RunsView implements TreeDataProvider<Run> {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly history: RunHistory) {
    history.onDidChange(() => this.changed.fire());
  }

  getChildren(run?: Run): Run[] {
    return run ? [] : [...this.history.runs];
  }

  getTreeItem(run: Run): TreeItem {
    const uri = Uri.parse(run.uri);
    const item = new TreeItem(run.continuation);
    item.description = run.prompt;
    item.iconPath = new ThemeIcon(run.stopped === 'max-new' ? 'ellipsis' : 'pass');
    item.contextValue = 'run';
    item.command = { command: 'vscode.open', title: 'Open Program', arguments: [uri] };
    const tooltip = new MarkdownString();
    tooltip.appendText(`Prompt: ${run.prompt}\n`).appendText(`Continuation: ${run.continuation}\n`);
    tooltip.appendText(`${stopReason(run.stopped)}, ${duration(run.seconds)}\n`);
    tooltip.appendText(`${workspace.asRelativePath(uri)}, ${new Date(run.when).toLocaleString()}`);
    item.tooltip = tooltip;
    return item;
  }
}
