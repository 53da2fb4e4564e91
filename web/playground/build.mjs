// Builds dist/playground, a folder of static files, and dist/playground.html, the same as one file.
// Usage: node playground/build.mjs PSL_LSP_WASM, after the explorer's page has been built.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, digest, filled, hash, inert, packed } from '../bundle.mjs';
import { collect, skeleton } from './examples.mjs';

const [modulePath] = process.argv.slice(2);
if (modulePath === undefined) throw new Error('usage: node playground/build.mjs PSL_LSP_WASM');

const ROOT = '..';
const FOLDER = 'dist/playground';
const SOURCE = 'playground/src';
const template = readFileSync('playground/index.html', 'utf8');
const module = readFileSync(modulePath);
// Without a program and a module of its own, the explorer waits for those of the page around it.
const page = readFileSync('dist/page.html', 'utf8');
const explorer = page.replace(/<!--psl-data-->\n<script [^>]*id="psl-module">[^<]*<\/script>\n/, '');
if (explorer === page) throw new Error('dist/page.html is not the page that web/page.html makes');
const worker = bundle(`${SOURCE}/server/worker.ts`)('.js');
const shared = { EXAMPLES: JSON.stringify(collect(ROOT)), SKELETON: JSON.stringify(skeleton(ROOT)), REPOSITORY: JSON.stringify(repository()), VERSION: JSON.stringify(version()) };

/** The address of the repository, without a slash at its end. */
function repository() {
  const [, address] = /^repository = "([^"]+)"/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8')) ?? [];
  if (address === undefined) throw new Error('Cargo.toml has no repository');
  return address;
}

/** The version of the workspace, and the commit, if this is a checkout. */
function version() {
  const [, number] = /^\[workspace\.package\]\n(?:[^[].*\n)*?version = "([^"]+)"/m.exec(readFileSync(join(ROOT, 'Cargo.toml'), 'utf8')) ?? [];
  if (number === undefined) throw new Error('Cargo.toml has no version of the workspace');
  let commit = null;
  try {
    commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch { /* An unpacked archive has no commit. */ }
  return commit === null ? number : `${number} (${commit})`;
}

function policy({ script, style, worker: workers, frame, connect }) {
  return [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `style-src ${style}`,
    `worker-src ${workers}`,
    `frame-src ${frame}`,
    `connect-src ${connect}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** A file's address, which changes with its content: a cache of HTTP must not mix versions. */
const address = (name, content) => `${name}?${digest(content, 'hex').slice(0, 12)}`;

function folder() {
  const files = { 'psl.wasm': module, 'worker.js': worker, 'explorer.html': explorer };
  const addresses = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, address(name, content)]));
  const parts = { ONE_FILE: 'false', WORKER_SOURCE: '""', ADDRESSES: JSON.stringify(addresses) };
  const view = bundle(`${SOURCE}/main.tsx`, { ...shared, ...parts });
  files['main.js'] = view('.js');
  files['main.css'] = view('.css');
  files['index.html'] = filled(template, {
    policy: policy({ script: "'self'", style: "'self'", worker: "'self'", frame: "'self'", connect: "'self'" }),
    style: [
      `<link rel="stylesheet" href="${address('main.css', files['main.css'])}">`,
      `<link rel="preload" href="${addresses['psl.wasm']}" as="fetch" crossorigin>`,
    ].join('\n'),
    parts: '',
    script: `<script src="${address('main.js', files['main.js'])}"></script>`,
  });
  const kept = Object.entries(files).map(([name, content]) =>
    ({ name, address: address(name, content), integrity: `sha256-${digest(content, 'base64')}` }));
  const release = digest(JSON.stringify(kept), 'hex').slice(0, 12);
  files['sw.js'] = bundle(`${SOURCE}/offline/serviceWorker.ts`, { FILES: JSON.stringify(kept), RELEASE: JSON.stringify(release) })('.js');
  // The pages of the book load it.
  files['book.js'] = bundle(`${SOURCE}/book/book.ts`, parts)('.js');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(FOLDER, name), content);
}

function oneFile() {
  const view = bundle(`${SOURCE}/main.tsx`, { ...shared, ONE_FILE: 'true', WORKER_SOURCE: JSON.stringify(worker), ADDRESSES: '{}' });
  const script = inert(view('.js'));
  const style = view('.css');
  // A frame from a blob has the policy of its page, so this one must allow what the explorer's allows.
  const allowed = (directive) => new RegExp(`${directive} ('sha256-[^']+')`).exec(explorer)[1];
  const data = (id, content) => `<script type="application/octet-stream" id="${id}">${packed(content)}</script>`;
  writeFileSync('dist/playground.html', filled(template, {
    policy: policy({
      script: `${hash(script)} ${allowed('script-src')}`,
      style: `${hash(style)} ${allowed('style-src')}`,
      worker: 'blob:',
      frame: 'blob:',
      connect: "'none'",
    }),
    style: `<style>${style}</style>`,
    parts: `${data('psl-explorer', explorer)}\n${data('psl-module', module)}`,
    script: `<script>${script}</script>`,
  }));
}

folder();
oneFile();
