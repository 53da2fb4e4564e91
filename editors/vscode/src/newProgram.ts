// A new program, as `psl new` writes it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { window, workspace } from 'vscode';
import type { Server } from './server';

/** Asks for what is not given, and opens the program as a document that is not saved yet. */
export async function newProgram(server: Server, from?: string): Promise<void> {
  const program = server.program;
  if (!program) throw new Error('The PSL server is not running. "PSL: Restart Server" starts it.');
  const example = from ?? (await askForExample());
  if (example === undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'psl-'));
  try {
    const file = join(folder, 'program.psl');
    await promisify(execFile)(program.command, ['new', file, ...(example ? ['--from', example] : [])])
      .catch((failure) => {
        throw new Error(failure.stderr?.trim() || failure.message);
      });
    const content = await readFile(file, 'utf8');
    await window.showTextDocument(await workspace.openTextDocument({ language: 'psl', content }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function askForExample(): Promise<string | undefined> {
  const items = [
    { label: 'Skeleton', description: 'a small program with comments and a test', from: '' },
    { label: 'PARGEN', description: 'the paper\'s program for templatic generation', from: 'pargen' },
  ];
  return (await window.showQuickPick(items, { title: 'New PSL Program' }))?.from;
}
