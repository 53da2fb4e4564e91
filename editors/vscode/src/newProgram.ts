// A new program, as `psl new` writes it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Uri, window, workspace } from 'vscode';
import type { Server } from './server';

/** Asks for what is not given, has the program written and opens it. */
export async function newProgram(server: Server, from?: string): Promise<void> {
  const program = server.program;
  if (!program) throw new Error('The PSL server is not running. "PSL: Restart Server" starts it.');
  const example = from ?? (await askForExample());
  if (example === undefined) return;
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const name = example === '' ? 'program.psl' : `${example}.psl`;
  const target = await window.showSaveDialog({
    title: 'New PSL Program',
    filters: { 'PSL programs': ['psl'] },
    ...(folder && { defaultUri: Uri.joinPath(folder, name) }),
  });
  if (!target) return;
  const folderOfOwn = await mkdtemp(join(tmpdir(), 'psl-'));
  try {
    const written = join(folderOfOwn, name);
    await promisify(execFile)(program.command, ['new', written, ...(example ? ['--from', example] : [])])
      .catch((failure) => {
        throw new Error(failure.stderr?.trim() || failure.message);
      });
    // The dialog has asked whether a file there may be replaced.
    await workspace.fs.writeFile(target, await readFile(written));
  } finally {
    await rm(folderOfOwn, { recursive: true });
  }
  await window.showTextDocument(target);
}

async function askForExample(): Promise<string | undefined> {
  const items = [
    { label: 'Skeleton', description: 'a small program with comments and a test', from: '' },
    { label: 'PARGEN', description: 'the paper\'s program for templatic generation', from: 'pargen' },
  ];
  return (await window.showQuickPick(items, { title: 'New PSL Program' }))?.from;
}
