// The explanation of a code, in a dialog.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { rendered } from '../editor/markdown';
import { Dialog } from '../page/dialog';
import { complain } from '../page/notices';
import { editor } from '../page/state';

const shown = signal<{ code: string; text: string } | null>(null);

export async function explain(code: string): Promise<void> {
  try {
    const text = await editor.peek()?.execute<string>('psl.explain', [{ code }]);
    if (typeof text === 'string') shown.value = { code, text };
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
  const explained = shown.value;
  if (explained === null) return null;
  return (
    <Dialog title={explained.code} close={() => { shown.value = null; }}>
      <Text text={explained.text} />
    </Dialog>
  );
}
