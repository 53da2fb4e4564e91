// Text of the module, in which backquotes mark code.
import { Words } from '../why/parts';
import { plain, type Sentence } from '../why/words';

/** The code between one, two or more backquotes: a name with a backquote in it has more around it. */
const CODE = /(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g;

function parts(text: string): Sentence {
  const parts: Sentence = [];
  let end = 0;
  for (const found of text.matchAll(CODE)) {
    const content = found[2] ?? '';
    parts.push(text.slice(end, found.index), { code: content.includes('`') ? content.trim() : content });
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

export const Prose = ({ text }: { text: string }) => <Words of={parts(text)} />;

/** The text without the backquotes that mark code. */
export const unmarked = (text: string): string => plain(parts(text));

/** A message, which starts in lower case and has no full stop, as a sentence. */
export const sentence = (message: string): string => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
