// The other tabs with this page, and the programs that they have open.
import { computed, signal } from '@preact/signals';

type Message =
  | { from: string; kind: 'opened'; id: string | null; answer: boolean }
  | { from: string; kind: 'closed' }
  | { from: string; kind: 'changed'; id: string };

/** A random name. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class Tabs {
  readonly own = randomId();
  /** The id of the program that this tab shows. */
  readonly open = signal<string | null>(null);
  private readonly others = signal<ReadonlyMap<string, string | null>>(new Map());
  /** Whether another tab has the same program open. */
  readonly share = computed(() => this.open.value !== null && [...this.others.value.values()].includes(this.open.value));
  private readonly channel: BroadcastChannel | null = channel();

  /** `changed` is called when another tab has saved or deleted a program. */
  constructor(changed: (id: string) => void) {
    this.channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'changed') return changed(data.id);
      const others = new Map(this.others.value);
      if (data.kind === 'closed') others.delete(data.from);
      else others.set(data.from, data.id);
      this.others.value = others;
      if (data.kind === 'opened' && data.answer) this.announce(false);
      return undefined;
    });
    addEventListener('pagehide', () => this.send({ from: this.own, kind: 'closed' }));
    addEventListener('pageshow', ({ persisted }) => { if (persisted) this.announce(true); });
    this.announce(true);
  }

  opened(id: string): void {
    this.open.value = id;
    this.announce(false);
  }

  changed(id: string): void {
    this.send({ from: this.own, kind: 'changed', id });
  }

  private announce(answer: boolean): void {
    this.send({ from: this.own, kind: 'opened', id: this.open.value, answer });
  }

  private send(message: Message): void {
    this.channel?.postMessage(message);
  }
}

function channel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel('psl-playground');
  } catch {
    return null;
  }
}
