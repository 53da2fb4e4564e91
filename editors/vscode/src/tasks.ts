// Tasks that check and test the programs of a folder, offered by default or defined in tasks.json.
import {
  ProcessExecution, Task, type TaskDefinition, TaskGroup, type TaskProvider, TaskScope, workspace, type WorkspaceFolder,
} from 'vscode';

const KINDS = {
  check: { group: TaskGroup.Build, args: ['check', '--format', 'short'], matcher: '$psl' },
  test: { group: TaskGroup.Test, args: ['test'], matcher: '$psl-test' },
};

interface Definition extends TaskDefinition {
  command: keyof typeof KINDS;
  args?: string[];
}

/** Provides tasks that call psl. There are none until psl is found. */
export function taskProvider(program: () => string | undefined): TaskProvider {
  function task(definition: Definition, scope: WorkspaceFolder | TaskScope): Task | undefined {
    const path = program();
    const kind = KINDS[definition.command];
    if (path === undefined || kind === undefined) return undefined;
    const folder = typeof scope === 'object' ? { cwd: scope.uri.fsPath } : {};
    const execution = new ProcessExecution(path, [...kind.args, ...(definition.args ?? [])], folder);
    const result = new Task(definition, scope, definition.command, 'psl', execution, kind.matcher);
    result.group = kind.group;
    return result;
  }

  return {
    provideTasks() {
      const folders = workspace.workspaceFolders?.filter(({ uri }) => uri.scheme === 'file') ?? [];
      const commands = Object.keys(KINDS) as Definition['command'][];
      const tasks = folders.flatMap((folder) => commands.map((command) => task({ type: 'psl', command }, folder)));
      return tasks.filter((one) => one !== undefined);
    },
    resolveTask: ({ definition, scope }) => task(definition as Definition, scope ?? TaskScope.Workspace),
  };
}
