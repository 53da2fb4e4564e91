// The programs to choose from: that of the page, the examples, and a file that the user opened.
import { computed, signal } from '@preact/signals';
import { data, open } from '../store';
import type { PageData } from '../protocol';

/** The program of the page, which an editor can change. */
export const home = signal(data.peek());
/** The last opened file. */
export const file = signal<PageData | null>(null);

const examples = data.peek().examples;

export const choices = computed(() => {
  const { name } = home.value;
  return [name, ...examples.map((example) => example.name).filter((other) => other !== name)];
});

const made = (name: string, text: string): PageData => ({ name, text, prompts: home.peek().prompts, examples });

/** The program of the page, or an example. */
export function programNamed(name: string): PageData | null {
  if (name === home.peek().name) return home.peek();
  const example = examples.find((other) => other.name === name);
  return example ? made(name, example.text) : null;
}

/** A file that was opened in this tab, even before a reload. */
export function fileNamed(name: string): PageData | null {
  if (file.peek()?.name !== name) {
    const text = stored(() => sessionStorage.getItem(KEY + name));
    if (text === null) return null;
    file.value = made(name, text);
  }
  return file.peek();
}

const KEY = 'psl file ';

/** Storage fails in webviews, and in browsers that block it. */
function stored(use: () => string | null): string | null {
  try {
    return use();
  } catch {
    return null;
  }
}

export function keepFile(name: string, text: string): PageData {
  stored(() => {
    sessionStorage.setItem(KEY + name, text);
    return null;
  });
  return (file.value = made(name, text));
}

/** Opens the program of the page, as sent by an editor. */
export function openHome(next: PageData): void {
  home.value = next;
  void open(next);
}
