// The state of the page. Parts of the page read these signals, and change them through the functions of their files.
import { computed, signal } from '@preact/signals';
import type { Editor } from '../editor/editor';
import type { Programs } from '../programs/store';
import { startServer } from '../server/languageServer';

export const server = startServer();
export const editor = signal<Editor | null>(null);
export const programs = signal<Programs | null>(null);

/** The open program. Without an id, it is an example or from a link, and is saved when the reader edits it. */
export interface OpenProgram { id: string | null; name: string; original: string | null }

export const program = signal<OpenProgram>({ id: null, name: '', original: null });
/** The text of the open program. */
export const text = signal('');
/** Increases with each edit, and when another program is opened. */
export const version = signal(0);
/** Increases when another program is opened. */
export const opened = signal(0);

export type DialogName = 'help' | 'share' | 'programs' | 'difference';
/** The open dialog. */
export const dialog = signal<DialogName | null>(null);

export const isReady = computed(() => server.state.value.kind === 'ready' && editor.value !== null);

/** Whether the page is a small frame in the book. */
export const embedded = new URLSearchParams(location.search).has('embed');
