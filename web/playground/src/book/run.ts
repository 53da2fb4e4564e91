// Runs a program of a page, and tells the result as text.
import type { RunResult, TestEntry } from '../panels/protocol';
import { Client } from './client';

/** A program of a page, with the prompt that the page runs. */
export interface Program { name: string; text: string; prompt?: string; table?: boolean; maxNew?: number }

interface Diagnostic { range: { start: { line: number } }; severity: number; code?: string; message: string }

const SEVERITIES = ['error', 'warning', 'information', 'hint'];
const TEST = /^\s*(?:\/\/|#)@\s*test\b/m;

let client: Client | undefined;
let runs = 0;

/** Runs the tests of a program, and its prompt. Rejects if the server cannot start, or was stopped. */
export async function run(program: Program): Promise<string> {
  client ??= new Client();
  runs += 1;
  const uri = `file:///${encodeURIComponent(program.name)}-${runs}.psl`;
  const hasTests = TEST.test(program.text);
  await client.open(uri, hasTests ? program.text : limited(program));
  try {
    const found = await diagnostics(client, uri);
    if (found.some(({ severity }) => severity === 1)) return told(found);
    const parts = [told(found)];
    if (program.prompt !== undefined) parts.push(await continuation(client, uri, program.prompt, program.table ?? false));
    if (hasTests) parts.push(results(await client.execute<TestEntry[]>('psl.tests', { uri })));
    return parts.filter((part) => part !== '').join('\n\n') || 'The program is correct. It has no tests.';
  } finally {
    client.close(uri);
  }
}

/** Ends the run, which then rejects. */
export const stop = (): void => client?.stop();

/** The program with the length of its continuation. A table of the prompt needs one symbol. */
function limited({ text, maxNew }: Program): string {
  return maxNew === undefined ? text : `${text}\n//@ max-new ${Math.max(1, maxNew)}\n`;
}

async function diagnostics(from: Client, uri: string): Promise<Diagnostic[]> {
  const { items } = await from.ask<{ items: Diagnostic[] }>('textDocument/diagnostic', { textDocument: { uri } });
  return items.filter(({ severity, code }) => severity <= 2 && code !== 'failing-test');
}

const told = (found: readonly Diagnostic[]): string =>
  found.map(({ range, severity, code, message }) => `line ${range.start.line + 1}: ${SEVERITIES[severity - 1]}${code === undefined ? '' : `[${code}]`}: ${message}`).join('\n');

async function continuation(from: Client, uri: string, prompt: string, table: boolean): Promise<string> {
  const title = `prompt: ${prompt}\n`;
  if (table) return `${title}\n${(await from.execute<{ text: string }>('psl.table', { uri, prompt })).text.trimEnd()}`;
  const { continuation: symbols, note } = await from.execute<RunResult>('psl.run', { uri, prompt });
  return `${title}continuation: ${symbols}${note === undefined ? '' : `\nnote: ${note}`}`;
}

function results(tests: readonly TestEntry[]): string {
  const passed = tests.filter((test) => test.passed).length;
  return [...tests.map(result), `${passed} passed, ${tests.length - passed} failed`].join('\n');
}

/** The result of a test, as `psl test` shows it. */
function result({ name, index, passed, prompt, gold, continuation: symbols, explanation, error }: TestEntry): string {
  const title = name ?? `test ${index + 1}`;
  if (passed) return `ok ${title}`;
  const [what, ...why] = (explanation ?? error ?? 'no result').split(': ');
  const rows = { prompt: typeof prompt === 'string' ? prompt : null, expected: gold, got: symbols, why: why.join(': ') };
  const lines = Object.entries(rows).flatMap(([label, text]) => (text ? [`  ${label.padEnd(9)} ${text}`] : []));
  return [`FAILED ${title}: ${what}`, ...lines].join('\n');
}
