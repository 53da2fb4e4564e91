// Keeps the files of the page, so that it works without a network. A new version is used from the next load.

interface File { name: string; address: string; integrity: string }
declare const FILES: readonly File[];
/** The hash of all files. */
declare const RELEASE: string;

interface Lasting extends Event { waitUntil(work: Promise<unknown>): void }
interface Fetching extends Lasting { readonly request: Request; respondWith(answer: Promise<Response>): void }
declare const registration: { readonly scope: string };
declare function skipWaiting(): Promise<void>;
declare function addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
declare function addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;

// An origin may have several playgrounds.
const OURS = `psl-playground ${registration.scope} `;
const absolute = (address: string): string => new URL(address, registration.scope).href;

async function install(): Promise<void> {
  const cache = await caches.open(OURS + RELEASE);
  await cache.addAll(FILES.map(({ address, integrity }) => new Request(absolute(address), { integrity, cache: 'no-cache' })));
  // Open pages go on with their own files, because an address has the hash of its file.
  await skipWaiting();
}

/** Deletes old versions, but for the one before this, which open pages may use. */
async function tidy(): Promise<void> {
  const versions = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== OURS + RELEASE);
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
}

/** The address of a file in the cache, or null if it is not one of the page. */
function kept(url: URL): string | null {
  const base = new URL(registration.scope);
  if (url.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
  const name = url.pathname.slice(base.pathname.length) || 'index.html';
  const file = FILES.find((other) => other.name === name);
  if (file === undefined) return null;
  // The page has parameters, and the others have their hash, which may be that of the version before.
  return name === 'index.html' || url.search === '' ? absolute(file.address) : url.href;
}

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(tidy()));
addEventListener('fetch', (event) => {
  const { request } = event;
  const address = request.method === 'GET' ? kept(new URL(request.url)) : null;
  if (address !== null) event.respondWith(caches.match(address).then((found) => found ?? fetch(request)));
});
export {};
