// Work that follows the edits of the open program.
import { effect } from '@preact/signals';
import { isReady, version } from '../page/state';

/** Calls `update` soon after each edit while `isShown`, and returns a function that ends this. */
export function follow(isShown: () => boolean, pause: number, update: () => void): () => void {
  let timer = 0;
  /** The version that was last used. */
  let last = -1;
  return effect(() => {
    const now = version.value;
    clearTimeout(timer);
    if (!isReady.value || !isShown() || now === last) return;
    timer = setTimeout(() => {
      last = now;
      update();
    }, last === -1 ? 0 : pause);
  });
}
