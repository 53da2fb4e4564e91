// A program in the fragment of an address: `#psl=1.DATA`, where 1 is the version of the form, and DATA is JSON, deflated, in
// base64 for addresses.
import { isTooLong, LONGEST_NAME, safeName } from '../programs/name';

export type PanelName = 'runs' | 'tests' | 'explorer' | 'qkvl' | 'weights';

/** The layer and the cell are 1-based, and those of the explorer. */
export interface Shared { name: string; text: string; prompt?: string; panel?: PanelName; layer?: number; cell?: number }

/** The keys of the JSON are short, since each counts in the length of a link. */
interface Packed { n: string; t: string; p?: string; s?: PanelName; l?: number; c?: number }

const START = '#psl=';
const VERSION = '1';
/** A version and its data. */
const FORM = /^#psl=([1-9]\d{0,3})\.(.*)$/s;
/** The most characters of a fragment: some programs for messages cut longer links. */
export const LONGEST = 8000;
/** The most bytes of the JSON. A short link can inflate to a thousand times its length. */
const LARGEST = 1_000_000;
/** The most characters of a prompt. */
const LONGEST_PROMPT = 100_000;
/** The largest number of a layer or a cell. */
const LAST = 1_000_000;
const PANELS: readonly PanelName[] = ['runs', 'tests', 'explorer', 'qkvl', 'weights'];

const BROKEN = 'The link is incomplete or was changed on its way. Copy all of it, or ask for the program as a file.';
const AS_FILE = 'Ask for the program as a file.';

/**
 * Returns the fragment with `#`, or null if it would exceed 8,000 characters. Whatever it returns can be opened: the name is made one
 * of a file, and U+FFFD replaces lone surrogates, as in a file.
 */
export async function toFragment({ name, text, prompt, panel, layer, cell }: Shared): Promise<string | null> {
  if (prompt !== undefined && prompt.length > LONGEST_PROMPT) return null;
  const short: Packed = {
    n: safeName(name),
    t: text.toWellFormed(),
    ...(prompt === undefined ? {} : { p: prompt.toWellFormed() }),
    ...(panel === undefined ? {} : { s: panel }),
    ...(layer === undefined ? {} : { l: layer }),
    ...(cell === undefined ? {} : { c: cell }),
  };
  const json = new TextEncoder().encode(JSON.stringify(short));
  if (json.length > LARGEST) return null;
  const packed = await collected(new Blob([json]).stream().pipeThrough(new CompressionStream('deflate-raw')), LARGEST);
  const fragment = `${START}${VERSION}.${toBase64(packed)}`;
  return fragment.length <= LONGEST ? fragment : null;
}

/** Returns null if the fragment has no program. Throws an error whose message tells the user what is wrong with it. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
  if (!fragment.startsWith(START)) return null;
  const [, version, data] = FORM.exec(fragment) ?? [];
  if (version === undefined || data === undefined) throw new Error(BROKEN);
  if (version !== VERSION) {
    throw new Error(`The link was made by a newer version of the playground (form ${version}; this page reads form ${VERSION}). Open it there.`);
  }
  if (fragment.length > LONGEST) throw new Error(`The link is longer than ${LONGEST.toLocaleString('en')} characters. ${AS_FILE}`);
  return shared(await unpacked(data));
}

async function unpacked(data: string): Promise<unknown> {
  const packed = fromBase64(data);
  let json: Uint8Array<ArrayBuffer>;
  try {
    json = await collected(new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')), LARGEST);
  } catch (error) {
    if (error instanceof TooLarge) throw new Error(`The program in the link exceeds 1 MB. ${AS_FILE}`);
    throw new Error(BROKEN);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    throw new Error(BROKEN);
  }
}

class TooLarge extends Error {}

/** Reads a stream to its end, or throws `TooLarge`. */
async function collected(stream: ReadableStream<Uint8Array<ArrayBuffer>>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > most) {
      await reader.cancel();
      throw new TooLarge();
    }
    chunks.push(part.value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function toBase64(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64(data: string): Uint8Array<ArrayBuffer> {
  // `atob` accepts blanks and the characters of the other alphabet.
  if (!/^[\w-]+$/.test(data) || data.length % 4 === 1) throw new Error(BROKEN);
  return Uint8Array.from(atob(data.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}

/** Checks what a link contains: anyone can have written it. */
function shared(value: unknown): Shared {
  if (typeof value !== 'object' || value === null) throw new Error(BROKEN);
  const { n, t, p, s, l, c } = value as Record<string, unknown>;
  return {
    name: nameIn(n),
    text: textIn('program', t),
    ...(p === undefined ? {} : { prompt: promptIn(p) }),
    ...(s === undefined ? {} : { panel: panelIn(s) }),
    ...(l === undefined ? {} : { layer: numberIn('layer', l) }),
    ...(c === undefined ? {} : { cell: numberIn('cell', c) }),
  };
}

function textIn(what: string, value: unknown): string {
  if (typeof value !== 'string') throw wrong(what);
  if (!value.isWellFormed()) throw new Error(`The ${what} in the link is not valid Unicode. ${AS_FILE}`);
  return value;
}

function nameIn(value: unknown): string {
  const name = textIn('name', value);
  if (isTooLong(name)) throw tooLong('name', LONGEST_NAME);
  if (safeName(name) !== name) throw new Error(`The name in the link is empty, or cannot be that of a file. ${AS_FILE}`);
  return name;
}

function promptIn(value: unknown): string {
  const prompt = textIn('prompt', value);
  if (prompt.length > LONGEST_PROMPT) throw tooLong('prompt', LONGEST_PROMPT);
  return prompt;
}

function panelIn(value: unknown): PanelName {
  const panel = PANELS.find((name) => name === value);
  if (panel === undefined) throw wrong('panel of this page');
  return panel;
}

function numberIn(what: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > LAST) throw wrong(what);
  return value;
}

const wrong = (what: string): Error => new Error(`The link has something else in place of a ${what}. ${AS_FILE}`);
const tooLong = (what: string, most: number): Error => new Error(`The ${what} in the link exceeds ${most.toLocaleString('en')} characters. ${AS_FILE}`);
