// Builds dist/page.html: one file with the views, the worker and the module. Usage: node build.mjs PSL_WASM
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundle, filled, hash, inert, packed } from './bundle.mjs';

const module = process.argv[2];
if (module === undefined) throw new Error('usage: node build.mjs PSL_WASM');

const worker = bundle('src/worker.ts')('.js');
const view = bundle('src/main.tsx', { WORKER_SOURCE: JSON.stringify(worker) });
const script = inert(view('.js'));
const style = view('.css');
const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} 'wasm-unsafe-eval'`,
  `style-src ${hash(style)}`,
  'worker-src blob:',
  'img-src data:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
mkdirSync('dist', { recursive: true });
writeFileSync('dist/page.html', filled(readFileSync('page.html', 'utf8'), { policy, style, module: packed(readFileSync(module)), script }));
