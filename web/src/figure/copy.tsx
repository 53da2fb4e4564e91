// Buttons that copy a table.
import { useState } from 'preact/hooks';
import { type Table, toLatex, toTsv } from './tableText';

const FORMATS: [string, (table: Table) => string][] = [['TSV', toTsv], ['LaTeX', toLatex]];

/** `read` returns the table, or throws an error with the reason why it cannot. */
export function CopyButtons({ read }: { read(): Table | Promise<Table> }) {
  const [said, setSaid] = useState<{ text: string; bad: boolean } | null>(null);
  const copy = async (name: string, format: (table: Table) => string): Promise<void> => {
    try {
      const text = format(await read());
      await navigator.clipboard.writeText(text).catch(() => { throw new Error('The browser does not let this page copy. Allow it, and copy again.'); });
      setSaid({ text: `Copied as ${name}.`, bad: false });
    } catch (error) {
      setSaid({ text: (error as Error).message, bad: true });
    }
  };
  return (
    <span class="copy">
      {FORMATS.map(([name, format]) => <button key={name} type="button" onClick={() => void copy(name, format)}>Copy {name}</button>)}
      <span class={said?.bad ? 'caption bad' : 'caption'} aria-live="polite">{said?.text}</span>
    </span>
  );
}
