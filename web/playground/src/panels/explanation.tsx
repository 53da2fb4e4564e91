// The explanation of a code, in a dialog.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { rendered } from '../editor/markdown';
import { Dialog } from '../page/dialog';
import { complain } from '../page/notices';
import { editor } from '../page/state';

interface Shown { text: string; page: string; section: string }

const shown = signal<Shown | null>(null);

async function show(code: string, page: string, section: string): Promise<void> {
  try {
    const text = await editor.peek()?.execute<string>('psl.explain', [{ code }]);
    if (typeof text === 'string') shown.value = { text, page, section };
  } catch (why) {
    complain(why);
  }
}

export const explain = (code: string): Promise<void> => show(code, '', '');

/** Shows a section of the reference, by its heading or its link. A link within the page has no page. */
export function explainSection(page: string, section: string): Promise<void> {
  const name = page === '' ? (shown.peek()?.page ?? '') : page;
  return show(`reference/${name}`, name, section);
}

/** The heading of a section as a link writes it. */
const slug = (heading: string): string => heading.toLowerCase().replace(/[^\w\s-]/g, '').trim().replace(/\s+/g, '-');

function Text({ text, section }: Shown) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = editor.peek()?.view;
    if (view) parent.current?.replaceChildren(rendered(view, { kind: 'markdown', value: text }));
    const headings = parent.current?.querySelectorAll('h1, h2, h3, h4, h5, h6') ?? [];
    const heading = [...headings].find(({ textContent }) => textContent === section || slug(textContent ?? '') === section);
    heading?.scrollIntoView();
  }, [text, section]);
  return <div class="explanation" ref={parent} />;
}

export function Explanation() {
  const about = shown.value;
  if (about === null) return null;
  return (
    <Dialog title="Explanation" close={() => { shown.value = null; }}>
      <Text {...about} />
    </Dialog>
  );
}
