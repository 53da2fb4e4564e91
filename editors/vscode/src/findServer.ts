// Finds psl: the path in the settings, else the bundled executable, else the one on the PATH.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { type ExtensionContext, workspace } from 'vscode';

export interface Program {
  command: string;
  version: string;
  source: 'from the setting psl.path' | 'bundled with the extension' | 'from the PATH';
}

/** Finds the program. Throws an error with the reason if it cannot be run. */
export async function findServer(context: ExtensionContext): Promise<Program> {
  const set = workspace.getConfiguration('psl').get<string>('path', '').trim();
  if (set) {
    const command = set.replace(/^~(?=[/\\])/, homedir());
    return { command, version: await versionOf(command), source: 'from the setting psl.path' };
  }
  const packed = context.asAbsolutePath(process.platform === 'win32' ? 'server/psl.exe' : 'server/psl');
  if (existsSync(packed)) return { command: packed, version: await versionOf(packed), source: 'bundled with the extension' };
  return { command: 'psl', version: await versionOf('psl'), source: 'from the PATH' };
}

async function versionOf(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, ['--version'], { timeout: 10_000 }).catch((failure) => {
    const reason = failure.code === 'ENOENT' ? 'file not found' : failure.stderr?.trim() || failure.message;
    throw new Error(`cannot run '${command}': ${reason}`);
  });
  const version = /^psl (\S+)/.exec(stdout)?.[1];
  if (!version) throw new Error(`'${command}' is not psl: \`--version\` prints '${stdout.trim().slice(0, 60)}'`);
  return version;
}
