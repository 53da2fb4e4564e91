// Short messages to the reader, who can dismiss them.
import { signal } from '@preact/signals';

export interface Notice { text: string; kind: 'info' | 'warn' | 'bad'; action?: { title: string; run(): void }; id: number }

export const notices = signal<readonly Notice[]>([]);
/** An info goes after this time. */
const SHORT_MS = 8_000;
const MOST = 4;
let ids = 0;

/** Shows a message, once if it is there already. Returns a function that removes it. */
export function notify(text: string, kind: Notice['kind'] = 'info', action?: Notice['action']): () => void {
  ids += 1;
  const notice: Notice = { text, kind, id: ids, ...(action ? { action } : {}) };
  const dismiss = (): void => { notices.value = notices.peek().filter(({ id }) => id !== notice.id); };
  notices.value = [...notices.peek().filter((other) => other.text !== text), notice].slice(-MOST);
  if (kind === 'info') setTimeout(dismiss, action ? 2 * SHORT_MS : SHORT_MS);
  return dismiss;
}

export const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

/** Shows why something failed. */
export const complain = (failure: unknown): void => { notify(messageOf(failure), 'bad'); };

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite" aria-label="Notices">
      {notices.value.map((notice) => {
        const dismiss = (): void => { notices.value = notices.peek().filter(({ id }) => id !== notice.id); };
        return (
          <p key={notice.id} class={`message row ${notice.kind}`}>
            <span class="grow">{notice.text}</span>
            {notice.action && <button type="button" onClick={() => { dismiss(); notice.action?.run(); }}>{notice.action.title}</button>}
            <button type="button" class="icon" aria-label="Dismiss" title="Dismiss" onClick={dismiss}>×</button>
          </p>
        );
      })}
    </div>
  );
}
