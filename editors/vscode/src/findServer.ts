// Finds the psl program: the one that the setting names, else the one packed with the extension, else that on the PATH.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { type ExtensionContext, workspace } from 'vscode';

export interface Program {
  command: string;
  version: string;
  origin: 'the setting psl.path' | 'packed with the extension' | 'found on the PATH';
}

/** Throws an error whose message says why there is none. */
export async function findServer(context: ExtensionContext): Promise<Program> {
  const set = workspace.getConfiguration('psl').get<string>('path', '').trim();
  if (set) {
    const command = set.replace(/^~(?=[/\\])/, homedir());
    return { command, version: await versionOf(command), origin: 'the setting psl.path' };
  }
  const packed = context.asAbsolutePath(process.platform === 'win32' ? 'server/psl.exe' : 'server/psl');
  if (existsSync(packed)) return { command: packed, version: await versionOf(packed), origin: 'packed with the extension' };
  return { command: 'psl', version: await versionOf('psl'), origin: 'found on the PATH' };
}

async function versionOf(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, ['--version'], { timeout: 10_000 }).catch((failure) => {
    const reason = failure.code === 'ENOENT' ? 'there is no such program' : failure.stderr?.trim() || failure.message;
    throw new Error(`'${command}' cannot be run: ${reason}`);
  });
  const version = /^psl (\S+)/.exec(stdout)?.[1];
  if (!version) throw new Error(`'${command}' is another program: asked for its version, it says '${stdout.trim().slice(0, 60)}'`);
  return version;
}
