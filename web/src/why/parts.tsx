// Small parts of the panel: sentences, values, links and long lists.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Value } from '../value';
import { select } from '../store';
import { chosen } from './asked';
import type { Sentence } from './words';

export function Words({ of }: { of: Sentence }) {
  return <>{of.map((part, index) => (typeof part === 'string' ? part : <code key={index}>{part.code}</code>))}</>;
}

export function Shown({ value }: { value: Value }) {
  return value === null ? <span class="null">null</span> : <span class="value">{value}</span>;
}

interface Target { slot: number; row: number | null; cell: number; register: number; children: ComponentChildren }

/** A link to an update, which also chooses the register to trace there. */
export function Go({ slot, row, cell, register, children }: Target) {
  const go = (): void => {
    chosen.value = register;
    select({ slot, row, cell });
    // The button itself disappears.
    document.getElementById('why-title')?.focus();
  };
  return <button type="button" class="link" onClick={go}>{children}</button>;
}

interface List<T> {
  items: T[];
  most: number;
  /** The index of an item that must be shown, by default the first one. */
  around?: number;
  each: (item: T, index: number) => ComponentChildren;
}

/** Some items of a list, and buttons that show more. */
export function Bounded<T>({ items, most, around = 0, each }: List<T>) {
  const [all, setAll] = useState(false);
  const from = all ? 0 : Math.max(0, Math.min(around - Math.floor(most / 2), items.length - most));
  const to = all ? items.length : Math.min(from + most, items.length);
  const toggle = (text: string) => (
    <li class="more"><button type="button" class="link" aria-expanded={all} onClick={() => setAll(!all)}>{text}</button></li>
  );
  return (
    <>
      {from > 0 && toggle(`… ${from} before`)}
      {items.slice(from, to).map((item, index) => each(item, from + index))}
      {to < items.length && toggle(`… ${items.length - to} more`)}
      {all && items.length > most && toggle('Show fewer')}
    </>
  );
}

/** The result of a condition or a comparison, as a sign and a word. */
export function Mark({ holds }: { holds: boolean }) {
  return <span class={holds ? 'good' : 'bad'}><span aria-hidden="true">{holds ? '✓' : '✗'}</span> {holds ? 'holds' : 'fails'}</span>;
}
