// Creates a program with `psl new`.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { window, workspace } from 'vscode';
import { NOT_RUNNING, type Server } from './server';

/** Opens a copy of an example, given or chosen, as an untitled document. */
export async function newProgram(server: Server, from?: string): Promise<void> {
  if (!server.program) throw new Error(NOT_RUNNING);
  const example = from ?? (await askForExample());
  if (example === undefined) return;
  const { stdout: content } = await promisify(execFile)(server.program.command, ['new', '-', '--from', example])
    .catch((failure) => {
      throw new Error(failure.stderr?.trim() || failure.message);
    });
  await window.showTextDocument(await workspace.openTextDocument({ language: 'psl', content }));
}

async function askForExample(): Promise<string | undefined> {
  const items = [
    { label: 'Skeleton', description: 'A small program with a test and comments', from: 'skeleton' },
    { label: 'PARGEN', description: 'The program of the paper for templatic generation', from: 'pargen' },
  ];
  return (await window.showQuickPick(items, { title: 'New PSL Program' }))?.from;
}
