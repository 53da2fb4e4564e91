// Tasks that check and test the programs of a folder, and those of this type in a tasks.json.
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

/** Tasks that call the program; there are none while it is not known. */
export function taskProvider(program: () => string | undefined): TaskProvider {
  function task(definition: Definition, scope: WorkspaceFolder | TaskScope): Task | undefined {
    const path = program();
    const kind = KINDS[definition.command];
    if (path === undefined || kind === undefined) return undefined;
    const folder = typeof scope === 'object' ? { cwd: scope.uri.fsPath } : {};
    const execution = new ProcessExecution(path, [...kind.args, ...(definition.args ?? [])], folder);
    const made = new Task(definition, scope, definition.command, 'psl', execution, kind.matcher);
    made.group = kind.group;
    return made;
  }

  return {
    provideTasks() {
      const folders = workspace.workspaceFolders?.filter(({ uri }) => uri.scheme === 'file') ?? [];
      const commands = Object.keys(KINDS) as Definition['command'][];
      const made = folders.flatMap((folder) => commands.map((command) => task({ type: 'psl', command }, folder)));
      return made.filter((one) => one !== undefined);
    },
    resolveTask: ({ definition, scope }) => task(definition as Definition, scope ?? TaskScope.Workspace),
  };
}
