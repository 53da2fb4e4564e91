// Creates a program with `psl new`.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { window, workspace } from 'vscode';
import { NOT_RUNNING, type Server } from './server';

/** Opens a copy of the given or a chosen example as an untitled document. */
export async function newProgram(server: Server, from?: string): Promise<void> {
  if (!server.program) throw new Error(NOT_RUNNING);
  const { command } = server.program;
  const example = from ?? (await askForExample(await psl(command, ['new', '--list'])));
  if (example === undefined) return;
  const content = await psl(command, ['new', '-', '--from', example]);
  await window.showTextDocument(await workspace.openTextDocument({ language: 'psl', content }));
}

async function psl(command: string, args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(command, args)).stdout;
  } catch (failure) {
    throw new Error((failure as { stderr?: string }).stderr?.trim() || (failure as Error).message);
  }
}

/** Asks for one of the listed programs, each on a line of `name: summary`. */
async function askForExample(list: string): Promise<string | undefined> {
  const items = Array.from(list.matchAll(/^(\w+): (.*)$/gm), ([, label = '', description = '']) => ({ label, description }));
  const options = { title: 'New PSL Program', matchOnDescription: true };
  return (await window.showQuickPick(items, options))?.label;
}
