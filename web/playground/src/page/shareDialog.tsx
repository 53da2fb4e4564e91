// A link with the program, the prompt and the place in view.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { selected } from '../panels/explorer';
import { prompt } from '../panels/prompt';
import { LONGEST, toFragment } from '../share/link';
import { Dialog } from './dialog';
import { saveToDisk } from './files';
import { panel } from './layout';
import { messageOf } from './notices';
import { dialog, program, text } from './state';

type Link = { kind: 'making' } | { kind: 'made'; address: string; length: number } | { kind: 'long' } | { kind: 'failed'; why: string };

async function made(): Promise<Link> {
  const place = panel.peek() === 'explorer' ? selected.peek() : null;
  const symbols = prompt.peek().trim();
  try {
    const fragment = await toFragment({
      name: program.peek().name, text: text.peek(), panel: panel.peek(), ...(symbols === '' ? {} : { prompt: symbols }), ...(place ?? {}),
    });
    if (fragment === null) return { kind: 'long' };
    const address = location.href.replace(/[?#].*$/, '') + fragment;
    try {
      history.replaceState(null, '', fragment);
    } catch { /* A page in a file may keep its address. */ }
    return { kind: 'made', address, length: fragment.length };
  } catch (why) {
    return { kind: 'failed', why: messageOf(why) };
  }
}

function Made({ address, length }: { address: string; length: number }) {
  const field = useRef<HTMLInputElement>(null);
  const said = useSignal('');
  useEffect(() => { field.current?.select(); }, []);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(address);
      said.value = 'Copied.';
    } catch {
      // A page without a secure context has no clipboard. The old command works there.
      said.value = document.execCommand('copy') ? 'Copied.' : 'Copy the selected text.';
    }
  };
  return (
    <div class="stack">
      <p>The link contains the program, the prompt and what is in view. The part after <code>#</code> is not sent to any server.</p>
      <div class="row">
        <label class="field grow"><span>Link</span><input ref={field} type="text" class="code grow" readOnly value={address} onFocus={({ currentTarget }) => currentTarget.select()} /></label>
        <button type="button" class="primary" onClick={() => void copy()}>Copy</button>
      </div>
      <p class="caption"><span>{length.toLocaleString('en')} of at most {LONGEST.toLocaleString('en')} characters. </span><span role="status">{said.value}</span></p>
    </div>
  );
}

export function ShareDialog() {
  const link = useSignal<Link>({ kind: 'making' });
  useEffect(() => { void made().then((done) => { link.value = done; }); }, []);
  const state = link.value;
  return (
    <Dialog title="Share" close={() => { dialog.value = null; }}>
      {state.kind === 'making' && <p class="muted">Making the link…</p>}
      {state.kind === 'made' && <Made {...state} />}
      {state.kind === 'failed' && <p class="message bad">{state.why}</p>}
      {state.kind === 'long' && (
        <div class="stack">
          <p class="message warn">The program and its prompt are too long for a link, which has at most {LONGEST.toLocaleString('en')} characters.</p>
          <div class="row"><button type="button" class="primary" onClick={() => void saveToDisk()}>Save a file</button></div>
        </div>
      )}
    </Dialog>
  );
}
