// Text of the module, in which backquotes mark code.

/** The code between one, two or more backquotes: a name with a backquote in it has more around it. */
const CODE = /(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g;

export function Prose({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(CODE)) {
    const content = found[2] ?? '';
    parts.push(text.slice(end, found.index), <code>{content.includes('`') ? content.trim() : content}</code>);
    end = found.index + found[0].length;
  }
  return <>{parts}{text.slice(end)}</>;
}

/** A message, which starts in lower case and has no full stop, as a sentence. */
export const sentence = (message: string): string => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
