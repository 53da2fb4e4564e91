// What a new reader can do next, and where to read on.
import { isWelcome } from './welcome';

declare const REPOSITORY: string;

const docs = (page: string): string => `${REPOSITORY}/blob/main/docs/${page}`;
const PAPER = 'https://arxiv.org/abs/2410.17498';

function Away({ href, children }: { href: string; children: string }) {
  return <a href={href} target="_blank" rel="noreferrer">{children}</a>;
}

export function Hint() {
  if (!isWelcome()) return null;
  return (
    <p class="message hint">
      Change <code>one</code> in the prompt and run: the next symbol comes from the dashed cell. Read
      on: <Away href={docs('tutorial/first-program.md')}>tutorial</Away>, <Away href={docs('introduction.md')}>book</Away>, <Away href={PAPER}>paper</Away>.
    </p>
  );
}
