// The command line: with the commands before, and completion.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ask } from '../store';
import type { Completed } from '../protocol';
import { wantsCommand } from './moves';
import { send } from './session';

/** The commands of the user, oldest first. */
const history: string[] = [];

/** The longest text that all texts begin with. */
function shared(texts: string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

export function Command() {
  const input = useRef<HTMLInputElement>(null);
  /** The index of the shown command of the history. */
  const at = useRef(history.length);
  /** What Tab offers: the texts, what they replace, and the one that is shown. */
  const offered = useSignal<{ typed: string; found: Completed[]; index: number } | null>(null);
  useEffect(() => {
    if (!wantsCommand.value) return;
    wantsCommand.value = false;
    input.current?.focus();
  }, [wantsCommand.value]);

  const put = (text: string): void => { if (input.current) input.current.value = text; };
  const recall = (step: number): void => {
    at.current = Math.min(history.length, Math.max(0, at.current + step));
    put(history[at.current] ?? '');
    offered.value = null;
  };

  /** Shows the next offered text. */
  const cycle = (): void => {
    const offer = offered.peek();
    if (offer === null) return;
    const index = (offer.index + 1) % offer.found.length;
    const text = offer.found[index];
    if (text) put(offer.typed.slice(0, text.start) + text.text);
    offered.value = { ...offer, index };
  };
  const complete = async (typed: string): Promise<void> => {
    const found = await ask({ op: 'complete', slot: 0, text: typed }).catch((): Completed[] => []);
    if (input.current?.value !== typed) return;
    const whole = shared(found.map(({ start, text }) => typed.slice(0, start) + text));
    if (found.length > 0) put(whole.length > typed.length ? whole : typed);
    offered.value = found.length > 1 ? { typed, found, index: -1 } : null;
  };

  const key = (event: KeyboardEvent): void => {
    const typed = input.current?.value ?? '';
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === 'ArrowUp') recall(-1);
    else if (event.key === 'ArrowDown') recall(1);
    else if (event.key === 'Tab' && offered.peek() !== null) cycle();
    // An empty command has nothing to complete, so Tab leaves it.
    else if (event.key === 'Tab' && typed.trim() !== '' && !typed.endsWith(' ')) void complete(typed);
    else return;
    event.preventDefault();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text !== '' && text !== history.at(-1)) history.push(text);
    at.current = history.length;
    offered.value = null;
    put('');
    send(text);
  };

  return (
    <form class="stack" onSubmit={submit}>
      <label class="field">
        <span>Command</span>
        <input
          ref={input} id="command" class="grow code" type="text" placeholder="until field[5] changes, print field[N], help …"
          autocomplete="off" autocapitalize="off" spellcheck={false} onKeyDown={key} onInput={() => { offered.value = null; }}
        />
      </label>
      <p class="offered caption" role="status">
        {offered.value?.found.slice(0, SHOWN).map(({ text }, index) => <span key={text} class={index === offered.value?.index ? 'value changed' : 'value'}>{text}</span>)}
        {(offered.value?.found.length ?? 0) > SHOWN && `and ${(offered.value?.found.length ?? 0) - SHOWN} more`}
      </p>
    </form>
  );
}

/** The most offered texts that are listed. */
const SHOWN = 24;
