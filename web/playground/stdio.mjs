// The server's module on standard input and output, so that what talks to `psl lsp` can talk to it.
// Usage: node stdio.mjs PSL_WASM
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const [module] = process.argv.slice(2);
if (module === undefined) throw new Error('usage: node stdio.mjs PSL_WASM');

const entry = fileURLToPath(new URL('src/server/instance.ts', import.meta.url));
const { outputFiles } = buildSync({ entryPoints: [entry], bundle: true, write: false, format: 'esm', target: 'es2023' });
const { Instance } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
const instance = new Instance(new WebAssembly.Module(readFileSync(module)), true);

let unread = Buffer.alloc(0);
let isShutDown = false;
let turn;
let timer;

const send = () => {
  for (const message of instance.messages()) {
    process.stdout.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
  }
};
const end = () => process.stdout.write('', () => process.exit(isShutDown ? 0 : 1));
const work = () => {
  turn = undefined;
  const worked = instance.work();
  send();
  if (worked) return takeTurn();
  const wait = instance.wait();
  if (wait !== null) timer = setTimeout(takeTurn, wait);
};
const takeTurn = () => {
  clearTimeout(timer);
  turn ??= setImmediate(work);
};

/** A message as a page would write it, which escapes nothing but lone surrogates. */
const spelled = (message) => {
  try {
    return JSON.stringify(JSON.parse(message));
  } catch {
    return message;
  }
};

/** Takes the next whole message from what was read. */
const next = () => {
  const head = unread.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const length = Number(/content-length: *(\d+)/i.exec(unread.subarray(0, head).toString('latin1'))?.[1]);
  if (Number.isNaN(length)) throw new Error(`expected Content-Length in ${JSON.stringify(unread.subarray(0, head).toString())}`);
  if (unread.length < head + 4 + length) return null;
  const message = spelled(unread.subarray(head + 4, head + 4 + length).toString());
  unread = unread.subarray(head + 4 + length);
  return message;
};

process.stdin.on('data', (bytes) => {
  unread = Buffer.concat([unread, bytes]);
  for (let message = next(); message !== null; message = next()) {
    if (/"method": ?"shutdown"/.test(message)) isShutDown = true;
    const goesOn = instance.receive(message);
    send();
    if (!goesOn) return end();
  }
  takeTurn();
});
process.stdin.on('end', end);
// The client has ended.
process.stdout.on('error', () => process.exit(1));
