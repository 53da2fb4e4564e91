// The help: what the page is, and its keys.
import { Dialog } from './dialog';
import { KEYS } from './keys';
import { dialog } from './state';
import { version } from './version';

export function Help() {
  return (
    <Dialog title="PSL playground" close={() => { dialog.value = null; }}>
      <div class="stack">
        <p>
          A PSL program is a transformer that a person wrote. Type a program on the left. The panels run it on prompts, run its tests,
          show each of its steps, and show the transformer that it becomes.
        </p>
        <p>
          Programs stay in this browser. Nothing that you type leaves the page. To pass a program on, share a link or save it as a file.
        </p>
        <p class="caption">psl {version}</p>
      </div>
      {KEYS.map(({ title, keys }) => (
        <section key={title}>
          <h3 id={`keys-${title}`}>{title}</h3>
          <table class="table keys" aria-labelledby={`keys-${title}`}>
            <tbody>{keys.map(([key, what]) => <tr key={what}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}</tbody>
          </table>
        </section>
      ))}
    </Dialog>
  );
}
