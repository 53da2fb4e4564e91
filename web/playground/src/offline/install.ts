// Lets the page work without a network, and notices new versions.
import { signal } from '@preact/signals';
import { isOneFile } from './parts';

/** The pause before the files are loaded again to be kept, in ms: the server starts first. */
const PAUSE = 2000;

/** Whether a newer version of the page is ready, which the next load shows. */
export const newVersion = signal(false);

/** Installs the service worker. Only a page from a secure server can have one. */
export async function workOffline(): Promise<void> {
  if (isOneFile || location.protocol === 'file:' || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  if (serviceWorker.controller) {
    // The browser looks for a new one at each visit. It controls the page as soon as it has all files.
    serviceWorker.addEventListener('controllerchange', () => { newVersion.value = true; });
    return;
  }
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  try {
    await serviceWorker.register('sw.js', { updateViaCache: 'none' });
  } catch (error) {
    // The page works without it: storage may be full or blocked.
    console.info(`The page does not work offline: ${String(error)}`);
  }
}
