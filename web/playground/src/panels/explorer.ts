// The program and the place that the explorer shows.
import { computed, effect, signal } from '@preact/signals';
import type { PageData, PagePrompt } from '../../../src/protocol';
import { moduleForFrame } from '../offline/parts';
import { asFile, formInView, panelInView, showPanel } from '../page/layout';
import { editor, opened } from '../page/state';
import { dark } from '../page/theme';
import type { PanelName } from '../share/link';
import { command } from './command';
import { follow } from './follow';
import { prompt } from './prompt';
import type { TestEntry } from './protocol';
import { reason } from './words';

/** A prompt or a test, and the continuation that is expected of a prompt. */
interface First { open: PagePrompt; gold?: string }

/** A layer and a cell, 1-based. */
export interface Place { layer: number; cell: number }

/** What runs first in the explorer. Without it, the prompt in the field, or else the first test. */
const first = signal<First | null>(null);
/** The selected place in the explorer. */
export const selected = signal<Place | null>(null);
/** Why the explorer shows an old program. */
export const failure = signal<string | null>(null);
/** The place of a link or of the welcome, until the explorer shows its program. */
let wanted: Place | null = null;

/** The window of the explorer, once it listens. */
let frame: Window | null = null;
const ready = signal(0);
/** Whether the explorer has been shown. */
export const created = signal(false);

const PAUSE_MS = 200;

/** The parts of the explorer that other panels show alone. */
const PARTS: Partial<Record<PanelName, 'program' | 'weights'>> = { qkvl: 'program', weights: 'weights' };
/** Whether the explorer is in view, whole or in part. */
const inView = computed(() => panelInView.value === 'explorer' || (formInView.value !== null && !asFile.value));
const cursorLine = computed(() => editor.value?.line.value ?? 1);
/** The line of the cursor that the explorer has followed. A reader who opens it elsewhere has not moved the cursor. */
let followed = 1;

/** Shows a prompt or a test in the explorer. */
export function explore(next: First): void {
  first.value = next;
  followed = cursorLine.peek();
  showPanel('explorer');
  if (ready.peek() > 0) void update();
}

/** What shows a test: for a broken law, the prompt that breaks it. */
export const firstOf = ({ index, prompt, gold, law, passed }: TestEntry): First =>
  (law !== undefined && passed === false && typeof prompt === 'string' ? { open: prompt, gold } : { open: { test: index } });

/** Shows a test in the explorer when it is next in view, or again the prompt in the field. */
export function wantFirst(next: First | null): void {
  first.value = next;
}

/** Shows a place in the explorer when it is next in view. */
export function wantPlace(place: Place | null): void {
  wanted = place;
}

const post = (message: object): void => frame?.postMessage(message, origin === 'null' ? '*' : origin);

async function update(): Promise<void> {
  try {
    const { program } = await command<{ program: PageData }>('psl.explore', { page: 'data' });
    const typed = prompt.peek().trim();
    post({ program: { ...program, ...(first.peek() ?? (typed === '' ? {} : { open: typed })) } });
    if (wanted) post({ select: wanted });
    wanted = null;
    failure.value = null;
  } catch (why) {
    failure.value = reason(why);
  }
}

interface Message { ready?: unknown; reveal?: { line?: unknown }; selected?: Place | null; leave?: unknown }

/** Listens to the explorer in a frame. `leave` moves to another part of the page. */
export function listen(element: () => HTMLIFrameElement | null, leave: (back: boolean) => void): void {
  addEventListener('message', ({ data, source, origin: from }: MessageEvent<Message | null>) => {
    const window = element()?.contentWindow;
    if (!data || !window || source !== window || from !== origin) return;
    frame = window;
    if (data.ready === true) {
      post({ dark: dark.peek() });
      // The page has shown why if there is no module.
      void moduleForFrame().then((module) => post({ module }), () => undefined);
      ready.value += 1;
    }
    if (typeof data.reveal?.line === 'number') {
      editor.peek()?.reveal(data.reveal.line);
      // The explorer keeps the focus.
      element()?.focus();
    }
    if (data.selected !== undefined) selected.value = data.selected;
    if (data.leave !== undefined) leave(data.leave === 'back');
  });
}

/** Keeps the explorer up to date while it is in view. */
export function followExplorer(): void {
  effect(() => { if (inView.value) created.value = true; });
  effect(() => {
    const isDark = dark.value;
    if (ready.value > 0) post({ dark: isDark });
  });
  effect(() => {
    if (ready.value > 0 && inView.value) post({ alone: PARTS[panelInView.value ?? 'explorer'] ?? null });
  });
  effect(() => {
    const line = cursorLine.value;
    if (ready.value === 0 || !inView.value || line === followed) return;
    followed = line;
    post({ line });
  });
  let program = opened.peek();
  effect(() => {
    if (opened.value === program) return;
    program = opened.value;
    first.value = null;
    selected.value = null;
    followed = cursorLine.peek();
  });
  follow(() => inView.value && ready.value > 0, PAUSE_MS, () => void update());
}
