// The prompt to run next, and how to run it.
import { signal } from '@preact/signals';
import type { Machine } from '../../../src/protocol';

/** The text in the field. */
export const prompt = signal('');
export const machine = signal<Machine>('dat');
