// Text from the module, with code in backquotes.
import { Words } from '../why/parts';
import { plain, type Sentence } from '../why/words';

/** Code between one or more backquotes. Code that contains a backquote has more around it. */
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

/** The text without the marks of code. */
export const unmarked = (text: string): string => plain(parts(text));

/** Makes a message a sentence: with a capital letter and a full stop. */
export const sentence = (message: string): string => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
