// A table of values that can be copied.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { CopyButtons } from './copy';
import { readTable } from './tableText';

export function Table({ children, class: name = '' }: { children: ComponentChildren; class?: string }) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <div class="copied">
      <table class={`table ${name}`} ref={table}>{children}</table>
      <CopyButtons read={() => (table.current ? readTable(table.current) : { head: [], body: [] })} />
    </div>
  );
}
