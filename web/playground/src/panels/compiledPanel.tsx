// The compiled program as a file: QKVL or weights.
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { formInView } from '../page/layout';
import { editor, opened } from '../page/state';
import { command } from './command';
import { follow } from './follow';
import { type Lines, LongText } from './longText';
import { Prose } from './prose';
import type { Compiled } from './protocol';
import { isSuperseded, reason } from './words';

type Form = 'qkvl' | 'weights';

interface Shown { compiled: Compiled | null; failure: string | null; program: number }

const PAUSE_MS = 200;
const TITLES = { qkvl: 'QKVL', weights: 'Weights' };

/** The lines of the layer at the cursor of the program. */
function layerAtCursor(compiled: Compiled): Lines | null {
  const line = (editor.value?.line.value ?? 1) - 1;
  const layer = compiled.layers?.find(({ range }) => range.start.line <= line && line <= range.end.line);
  return layer ? { from: layer.text.start.line + 1, to: layer.text.end.line + 1 } : null;
}

export function CompiledPanel({ form }: { form: Form }) {
  const shown = useMemo(() => signal<Shown>({ compiled: null, failure: null, program: -1 }), []);
  useEffect(() => {
    const update = async (): Promise<void> => {
      const program = opened.peek();
      try {
        const compiled = await command<Compiled>('psl.compile', { emit: form });
        if (opened.peek() === program) shown.value = { compiled, failure: null, program };
      } catch (why) {
        if (isSuperseded(why)) return void setTimeout(() => void update(), PAUSE_MS);
        const last = shown.peek();
        if (opened.peek() === program) shown.value = { compiled: last.program === program ? last.compiled : null, failure: reason(why), program };
      }
    };
    return follow(() => formInView.value === form, PAUSE_MS, () => void update());
  }, []);
  const { compiled, failure } = shown.value;
  return (
    <div class="compiled">
      {failure !== null && <p class="message warn"><Prose text={compiled ? `This is the last version that compiled: ${failure}` : failure} /></p>}
      {compiled === null && failure === null && <p class="empty">Compiling…</p>}
      {compiled !== null && <LongText label={TITLES[form]} text={compiled.text} marked={layerAtCursor(compiled)} />}
    </div>
  );
}
