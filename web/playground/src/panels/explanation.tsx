// The explanation of a code, in a dialog.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { rendered } from '../editor/markdown';
import { Dialog } from '../page/dialog';
import { complain } from '../page/notices';
import { editor } from '../page/state';

const shown = signal<string | null>(null);

export async function explain(code: string): Promise<void> {
  try {
    const text = await editor.peek()?.execute<string>('psl.explain', [{ code }]);
    if (typeof text === 'string') shown.value = text;
  } catch (why) {
    complain(why);
  }
}

function Text({ text }: { text: string }) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = editor.peek()?.view;
    if (view) parent.current?.replaceChildren(rendered(view, { kind: 'markdown', value: text }));
  }, [text]);
  return <div class="explanation" ref={parent} />;
}

export function Explanation() {
  const text = shown.value;
  if (text === null) return null;
  return (
    <Dialog title="Explanation" close={() => { shown.value = null; }}>
      <Text text={text} />
    </Dialog>
  );
}
