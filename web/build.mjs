// Builds dist/page.html: one file with the views, the worker and the module. Usage: node build.mjs PSL_WASM
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';

const module = process.argv[2];
if (module === undefined) throw new Error('usage: node build.mjs PSL_WASM');

const bundle = (entry, define = {}) => {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    outdir: 'dist',
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    charset: 'ascii',
    define,
  });
  return (extension) => outputFiles.find(({ path }) => path.endsWith(extension))?.text.trim() ?? '';
};
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
// Text inside a script element must not end it.
const inert = (text) => text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');

const worker = bundle('src/worker.ts')('.js');
const view = bundle('src/main.tsx', { WORKER_SOURCE: JSON.stringify(worker) });
const script = inert(view('.js'));
const style = view('.css');
const packed = gzipSync(readFileSync(module), { level: 9 }).toString('base64');
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
const page = readFileSync('page.html', 'utf8')
  .replace('{{policy}}', () => policy)
  .replace('{{style}}', () => style)
  .replace('{{module}}', () => packed)
  .replace('{{script}}', () => script);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/page.html', page);
