// The files beside the page. In the one-file page, the page contains them: the worker as a string, the others as gzip in base64.

declare const ONE_FILE: boolean;
/** The text of the worker, in the one-file page. */
declare const WORKER_SOURCE: string;
/** The addresses of the files beside the page, each with the hash of its content. */
declare const ADDRESSES: Readonly<Record<'psl.wasm' | 'worker.js' | 'explorer.html', string>>;

/** The address of the page's script. The files are beside it: pages of the book, in other folders, use them, too. */
const SCRIPT = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';
const beside = (name: keyof typeof ADDRESSES): string => new URL(ADDRESSES[name], SCRIPT).href;

/** Whether the page is one file, without files beside it. */
export const isOneFile = ONE_FILE;

let module: Promise<WebAssembly.Module> | undefined;

/** The compiled module of the server. Rejects if it is missing or broken. */
export const loadModule = (): Promise<WebAssembly.Module> => (module ??= compile().catch(forget));

/** The module for a frame, or its bytes: a page in a file may not share compiled modules with its frames. */
export const moduleForFrame = (): Promise<WebAssembly.Module | ArrayBuffer> => (ONE_FILE ? embedded() : loadModule());

const embedded = (): Promise<ArrayBuffer> => new Response(unpacked('psl-module')).arrayBuffer();

/** A failure may pass, so the next call tries again. */
function forget(failure: unknown): never {
  module = undefined;
  throw failure;
}

async function compile(): Promise<WebAssembly.Module> {
  if (ONE_FILE) return WebAssembly.compile(await embedded());
  const response = await fetch(beside('psl.wasm'));
  if (!response.ok) throw new Error(`psl.wasm is missing beside the page: the host answers ${response.status}`);
  // Streaming needs the MIME type application/wasm, which some hosts do not know.
  if (response.headers.get('content-type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

let worker: string | undefined;

/** The address of the script of the workers. */
export function workerUrl(): string {
  worker ??= ONE_FILE ? URL.createObjectURL(new Blob([WORKER_SOURCE], { type: 'text/javascript' })) : beside('worker.js');
  return worker;
}

let explorer: Promise<string> | undefined;

/** Loads the explorer's page into a frame. */
export async function explorerFrame(frame: HTMLIFrameElement): Promise<void> {
  explorer ??= ONE_FILE ? explorerBlob() : Promise.resolve(beside('explorer.html'));
  frame.src = await explorer;
}

async function explorerBlob(): Promise<string> {
  const text = await new Response(unpacked('psl-explorer')).text();
  return URL.createObjectURL(new Blob([text], { type: 'text/html' }));
}

/** The content of an element with gzip in base64. */
function unpacked(id: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const packed = document.getElementById(id)?.textContent ?? '';
  const bytes = Uint8Array.from(atob(packed.trim()), (character) => character.charCodeAt(0));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
}
