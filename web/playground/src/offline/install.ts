// Lets the page work without a network, and notices new versions.
import { signal } from '@preact/signals';
import { isOneFile } from './parts';

/** Whether a newer version of the page is ready, which the next load shows. */
export const newVersion = signal(false);

/** The pause before the files are loaded again to be kept, in ms: the server starts first. */
const PAUSE = 2000;

/** Installs the service worker. Only a page from a secure server can have one. */
export async function workOffline(): Promise<void> {
  if (isOneFile || location.protocol === 'file:' || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  // The first one to control a page has the version of the page.
  const replaced = serviceWorker.controller !== null;
  try {
    const registration = await serviceWorker.register('sw.js', { updateViaCache: 'none' });
    registration.addEventListener('updatefound', () => {
      const next = registration.installing;
      next?.addEventListener('statechange', () => {
        if (replaced && next.state === 'activated') newVersion.value = true;
      });
    });
  } catch (error) {
    // The page works without it: storage may be full or blocked.
    console.info(`The page does not work offline: ${String(error)}`);
  }
}
