// The workers of the server and their texts, in Node, with workers that only take messages. Usage: SERVER=server.mjs node --test server.test.mjs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { random } from './random.mjs';

const URI = 'file:///a.psl';
const CASES = Number(process.env.CASES ?? 200);

let time = 0;
let workers = [];

globalThis.HTMLScriptElement = class { src = 'http://page/main.js'; };
globalThis.document = { currentScript: new HTMLScriptElement() };
globalThis.ONE_FILE = false;
globalThis.ADDRESSES = { 'psl.wasm': 'psl.wasm', 'worker.js': 'worker.js', 'explorer.html': 'explorer.html' };
globalThis.fetch = async () => new Response(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
globalThis.performance.now = () => time;
globalThis.Worker = class {
  ended = false;
  text = null;
  constructor() { workers.push(this); }
  terminate() { this.ended = true; }
  postMessage(message) {
    if (typeof message !== 'string') return void (this.runs = message.runs);
    const { method, params } = JSON.parse(message);
    if (method === 'textDocument/didOpen') this.text = params.textDocument.text;
    if (method === 'textDocument/didChange') for (const { range, text } of params.contentChanges) this.text = changed(this.text, range, text);
  }
  say(message) { if (!this.ended) this.onmessage({ data: message }); }
};

const changed = (text, { start, end }, insert) => text.slice(0, start.character) + insert + text.slice(end.character);

const { startServer } = await import(process.env.SERVER);

/** The living worker with runs, or the one that knows the text alone. */
const living = (runs) => workers.find((worker) => !worker.ended && worker.runs === runs);

async function check(seed) {
  const next = random(seed);
  const below = (limit) => Math.floor(next() * limit);
  workers = [];
  const server = startServer();
  const send = (message) => server.transport.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const answers = [];
  server.transport.subscribe((message) => answers.push(JSON.parse(message)));
  send({ id: 0, method: 'initialize', params: {} });
  while (!living(false)) await sleep(1);
  living(false).say('{"jsonrpc":"2.0","id":0,"result":{}}');
  send({ method: 'initialized', params: {} });
  let [text, version, id] = ['abc', 1, 1];
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri: URI, languageId: 'psl', version, text } } });
  for (let step = 0; step < 20; step += 1) {
    const worker = living(below(2) === 1);
    const act = below(7);
    if (act < 2) {
      const [start, insert] = [below(text.length + 1), 'xyz'.slice(below(3))];
      const range = { start: { line: 0, character: start }, end: { line: 0, character: Math.min(text.length, start + below(3)) } };
      text = changed(text, range, insert);
      version += 1;
      send({ method: 'textDocument/didChange', params: { textDocument: { uri: URI, version }, contentChanges: [{ range, text: insert }] } });
    } else if (act === 2) worker?.say({ busy: below(2) === 1 });
    else if (act === 3) time += below(3_000);
    else if (act === 4) worker?.say({ trap: 'unreachable' });
    else if (act === 5) send({ id: id++, method: 'workspace/executeCommand', params: { command: 'psl.run', arguments: [{ uri: URI }] } });
    else if (below(2) === 0) server.stop();
    else await sleep(1);
  }
  // Broken workers start again with an edit after a while.
  time += 60_000;
  send({ method: 'textDocument/didChange', params: { textDocument: { uri: URI, version: version + 1 }, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '!' }] } });
  await sleep(110);
  for (const runs of [false, true]) assert.equal(living(runs)?.text, `!${text}`, `seed ${seed}, runs ${runs}`);
}

test('each worker has the text of the editor', { timeout: 100_000 }, async () => {
  for (let seed = 0; seed < CASES; seed += 1) await check(seed);
});
