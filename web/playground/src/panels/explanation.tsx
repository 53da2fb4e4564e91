// The explanation of a code, in a dialog.
import { signal } from '@preact/signals';
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

export function Explanation() {
  const explained = shown.value;
  if (explained === null) return null;
  return (
    <Dialog title={explained.code} close={() => { shown.value = null; }}>
      <pre class="explanation" tabIndex={0} aria-label="Explanation">{explained.text}</pre>
    </Dialog>
  );
}
