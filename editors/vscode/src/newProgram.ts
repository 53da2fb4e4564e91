// A new program, as `psl new` writes it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { window, workspace } from 'vscode';
import { NOT_RUNNING, type Server } from './server';

/** Asks which program to start from, where that is not given, and opens it as a document that is not saved yet. */
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
    { label: 'Skeleton', description: 'a small program with comments and a test', from: 'skeleton' },
    { label: 'PARGEN', description: 'the paper\'s program for templatic generation', from: 'pargen' },
  ];
  return (await window.showQuickPick(items, { title: 'New PSL Program' }))?.from;
}
