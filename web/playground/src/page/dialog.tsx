// A modal dialog.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export function Dialog({ title, close, wide = false, children }: { title: string; close(): void; wide?: boolean; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => { if (before instanceof HTMLElement) before.focus(); };
  }, []);
  return (
    <dialog class={wide ? 'dialog wide' : 'dialog'} ref={dialog} aria-labelledby={id} onClose={close}>
      <div class="row">
        <h2 id={id} class="grow">{title}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>Close</button>
      </div>
      {children}
    </dialog>
  );
}
