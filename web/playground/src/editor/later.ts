// Requests about what is in view, a moment after the last change.
import { StateEffect } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** The server says that its answers to a method have changed. */
export const refresh = StateEffect.define<string>();

export interface Question {
  /** The method that a refresh names. */
  method: string;
  /** The pause after a change, in ms. */
  pause: number;
  /** Whether an update needs a new answer. */
  needs(update: ViewUpdate): boolean;
  /** Asks and shows the answer. Returns null if there was none. */
  ask(view: EditorView): Promise<unknown>;
}

/** A question without an answer, because the server was busy or restarted, is asked again a few times. */
const AGAIN_MS = 500;
const TRIES = 4;

const SLOWER = 3;
const LONGEST_MS = 1000;

/** Asks when an editor is made, and then after each update that needs it. */
export const later = ({ method, pause, needs, ask }: Question) => ViewPlugin.fromClass(class {
  private timer: number | undefined;
  private asking = false;
  private again = false;
  private tries = 0;
  private gone = false;
  private took = 0;

  constructor(private readonly view: EditorView) {
    this.soon(0);
  }

  update(update: ViewUpdate): void {
    const refreshed = update.transactions.some(({ effects }) => effects.some((it) => it.is(refresh) && it.value === method));
    if (refreshed || needs(update)) {
      this.tries = 0;
      // Answers that take long, about a long program, come less often.
      this.soon(Math.min(Math.max(pause, SLOWER * this.took), LONGEST_MS));
    }
  }

  destroy(): void {
    this.gone = true;
    clearTimeout(this.timer);
  }

  private soon(pauseMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.now(), pauseMs);
  }

  private async now(): Promise<void> {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    this.again = false;
    const start = performance.now();
    const answer = await ask(this.view).catch(() => null);
    this.took = performance.now() - start;
    this.asking = false;
    if (this.gone) return;
    if (this.again) return this.soon(0);
    if (answer === null && this.tries < TRIES) {
      this.tries += 1;
      this.soon(AGAIN_MS * this.tries);
    }
  }
});

export const changed = ({ docChanged }: ViewUpdate): boolean => docChanged;
