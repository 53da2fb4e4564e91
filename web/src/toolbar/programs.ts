// The programs to choose from: the one that the page was made for, the examples, and files.
import { data, open } from '../store';

const home = data.peek();

export const choices = [home, ...home.examples.filter(({ name }) => name !== home.name)].map(({ name }) => name);

export function openExample(name: string): void {
  if (name === home.name) {
    void open(home);
    return;
  }
  const example = home.examples.find((other) => other.name === name);
  if (example) openText(example.name, example.text);
}

export function openText(name: string, text: string): void {
  const { prompts, examples } = home;
  void open({ name, text, prompts, examples });
}

export async function openFile(file: File): Promise<void> {
  openText(file.name, await file.text());
}
