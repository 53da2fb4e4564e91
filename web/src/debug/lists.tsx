// The stops and the watched expressions.
import { useRef } from 'preact/hooks';
import { answer, send, watch, watched } from './session';

/** A field with a button, which is empty afterwards. */
function Entry({ label, action, placeholder, take }: { label: string; action: string; placeholder: string; take(text: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = input.current?.value.trim() ?? '';
    if (text !== '') take(text);
    if (input.current) input.current.value = '';
  };
  return (
    <form class="row entry" onSubmit={submit}>
      <input ref={input} class="grow code" type="text" aria-label={label} placeholder={placeholder} autocomplete="off" autocapitalize="off" spellcheck={false} />
      <button type="submit">{action}</button>
    </form>
  );
}

function Stops() {
  const stops = answer.value?.stops ?? [];
  return (
    <section class="stack" aria-label="Stops">
      <h3>Stops</h3>
      {stops.length === 0 && <p class="caption">No stops. Commands set them, such as <code>break P5a</code>, <code>watch field[5] == XQ</code> and <code>catch wrong</code>.</p>}
      {stops.length > 0 && (
        <ul class="plain">
          {stops.map(({ id, text, enabled }) => (
            <li key={id} class="row">
              <label class="grow">
                <input type="checkbox" checked={enabled} onChange={() => send(`${enabled ? 'disable' : 'enable'} ${id}`)} />
                {`${id}: ${text}`}
              </label>
              <button type="button" class="icon" aria-label={`Delete stop ${id}`} title={`Delete stop ${id}`} onClick={() => send(`delete ${id}`)}>✕</button>
            </li>
          ))}
        </ul>
      )}
      <Entry label="Run until" action="Run until" placeholder="field[5] changes" take={(text) => send(`until ${text}`)} />
    </section>
  );
}

function Watched() {
  return (
    <section class="stack" aria-label="Watched">
      <h3>Watched</h3>
      {watched.value.length > 0 && (
        <table class="table">
          <thead><tr><th scope="col">Expression</th><th scope="col">Value</th><td /></tr></thead>
          <tbody>
            {watched.value.map(({ expression, value, failed, changed }) => (
              <tr key={expression}>
                <th scope="row" class="value">{expression}</th>
                <td class={failed ? 'caption' : changed ? 'value changed' : 'value'}>
                  {value}{changed && <span class="visually-hidden"> (changed)</span>}
                </td>
                <td><button type="button" class="icon" aria-label={`Remove ${expression}`} title={`Remove ${expression}`} onClick={() => watch(expression, false)}>✕</button></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Entry label="Watch an expression" action="Watch" placeholder="field[N] or field[5] == XQ" take={(text) => watch(text, true)} />
    </section>
  );
}

export function Lists() {
  return <div class="stack lists"><Stops /><Watched /></div>;
}
