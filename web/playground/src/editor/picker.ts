// A list to choose from, at the cursor: fixes, lenses, symbols, places.
import type { EditorView } from '@codemirror/view';
import { withCode } from './markdown';
import { closePopup, showPopup } from './popup';

export interface Item { label: string; detail?: string; depth?: number; pick(): void }

export interface List {
  label: string;
  items: readonly Item[];
  /** Whether a text field filters the items. */
  filter?: boolean;
  /** Where to show it: at the cursor unless given. */
  at?: number;
}

const SHOWN = 500;
let lists = 0;

export function pick(view: EditorView, list: List): void {
  const pos = list.at ?? view.state.selection.main.head;
  showPopup(view, {
    pos,
    clip: false,
    create: () => {
      const { dom, focus } = listbox(list, () => closePopup(view));
      return { dom, mount: focus };
    },
  });
}

function listbox({ label, items, filter }: List, close: () => void): { dom: HTMLElement; focus: () => void } {
  lists += 1;
  const id = `psl-list-${lists}`;
  const dom = document.createElement('div');
  dom.className = 'psl-picker';
  dom.setAttribute('role', 'dialog');
  dom.setAttribute('aria-label', label);
  const box = document.createElement('div');
  box.id = id;
  box.className = 'psl-picker-list';
  box.setAttribute('role', 'listbox');
  box.setAttribute('aria-label', label);
  const input = document.createElement('input');
  input.type = 'text';
  input.placeholder = label;
  input.autocomplete = 'off';
  input.spellcheck = false;
  for (const [name, value] of [['role', 'combobox'], ['aria-label', label], ['aria-controls', id], ['aria-expanded', 'true'], ['aria-autocomplete', 'list']] as const) input.setAttribute(name, value);
  const holder = filter ? input : box;
  if (!filter) box.tabIndex = 0;
  dom.append(...(filter ? [input] : []), box);

  let shown: Item[] = [];
  let active = 0;
  const activate = (index: number): void => {
    const old = box.children[active];
    old?.setAttribute('aria-selected', 'false');
    active = Math.max(0, Math.min(shown.length - 1, index));
    const option = box.children[active];
    option?.setAttribute('aria-selected', 'true');
    if (option) holder.setAttribute('aria-activedescendant', option.id);
    else holder.removeAttribute('aria-activedescendant');
    option?.scrollIntoView({ block: 'nearest' });
  };
  const choose = (index: number): void => {
    const item = shown[index];
    if (!item) return;
    close();
    item.pick();
  };
  const fill = (): void => {
    const phrase = input.value.trim().toLowerCase();
    const words = phrase.split(/\s+/);
    const matches = ({ label: text, detail = '' }: Item) => words.every((word) => `${text} ${detail}`.toLowerCase().includes(word));
    const isBest = ({ label: text }: Item) => Number(text.toLowerCase().includes(phrase));
    shown = items.filter(matches).toSorted((a, b) => isBest(b) - isBest(a)).slice(0, SHOWN);
    box.replaceChildren(...shown.map((item, index) => option(item, `${id}-${index}`)));
    activate(0);
  };
  input.addEventListener('input', fill);
  box.addEventListener('mousedown', (event) => event.preventDefault());
  box.addEventListener('click', ({ target }) => {
    const clicked = (target as Element).closest('[role=option]');
    if (clicked) choose([...box.children].indexOf(clicked));
  });
  const step: Record<string, () => number> = {
    ArrowDown: () => (active + 1) % Math.max(1, shown.length),
    ArrowUp: () => (active + shown.length - 1) % Math.max(1, shown.length),
    PageDown: () => active + 10,
    PageUp: () => active - 10,
    ...(filter ? {} : { Home: () => 0, End: () => shown.length - 1 }),
  };
  dom.addEventListener('keydown', (event) => {
    const next = step[event.key];
    if (next) activate(next());
    else if (event.key === 'Enter') choose(active);
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  dom.addEventListener('focusout', ({ relatedTarget }) => {
    if (!dom.contains(relatedTarget as Node | null) && document.hasFocus()) close();
  });
  fill();
  return { dom, focus: () => holder.focus() };
}

function option({ label, detail, depth }: Item, id: string): HTMLElement {
  const dom = document.createElement('div');
  dom.id = id;
  dom.className = `psl-picker-item psl-depth-${Math.min(depth ?? 0, 3)}`;
  dom.setAttribute('role', 'option');
  dom.setAttribute('aria-selected', 'false');
  dom.append(...withCode(label));
  if (detail) {
    const more = dom.appendChild(document.createElement('span'));
    more.className = 'psl-picker-detail';
    more.textContent = detail;
  }
  return dom;
}
