// Snippets of the protocol: `where $1[N] == ${2:value}:\n    $0`.

/** A place to fill in. Places with the same number get the same text; 0 is the last one. */
export interface Stop { number: number; from: number; to: number }

export interface Snippet { text: string; stops: Stop[] }

/** Reads a snippet. A choice counts as its first text, and a variable as its default. */
export function parseSnippet(source: string): Snippet {
  const stops: Stop[] = [];
  let text = '';
  let at = 0;
  const body = (inside: boolean): void => {
    while (at < source.length) {
      const here = source[at] ?? '';
      if (here === '\\' && /[$}\\]/.test(source[at + 1] ?? '')) {
        text += source[at + 1] ?? '';
        at += 2;
      } else if (inside && here === '}') {
        return;
      } else if (here === '$' && field()) {
        continue;
      } else {
        text += here;
        at += 1;
      }
    }
  };
  const field = (): boolean => {
    const start = /^\$(?:(\d+)|(\w+)|\{(?:(\d+)|(\w+))(\}|:|\|))/.exec(source.slice(at, at + 80));
    if (start === null) return false;
    at += start[0].length;
    const from = text.length;
    if (start[5] === ':') {
      body(true);
      at += 1;
    } else if (start[5] === '|') {
      const end = source.indexOf('|}', at);
      text += source.slice(at, end < 0 ? undefined : end).split(',')[0] ?? '';
      at = end < 0 ? source.length : end + 2;
    }
    const number = start[1] ?? start[3];
    if (number !== undefined) stops.push({ number: Number(number), from, to: text.length });
    return true;
  };
  body(false);
  return { text, stops };
}

/** The place that gets the cursor first. */
export const firstStop = ({ stops }: Snippet): Stop | undefined =>
  stops.toSorted((a, b) => (a.number || Infinity) - (b.number || Infinity) || a.from - b.from)[0];

/** The snippet in the syntax of `snippet` in `@codemirror/autocomplete`. */
export function toTemplate(source: string): string {
  const { text, stops } = parseSnippet(source);
  const literal = (from: number, to: number) => text.slice(from, to).replace(/[{}]/g, '\\$&');
  let template = '';
  let at = 0;
  for (const { number, from, to } of stops.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    // CodeMirror has no fields inside fields, and no braces in the text of a field with a number.
    if (from < at) continue;
    const name = text.slice(from, to);
    template += literal(at, from);
    template += /[{}\n]/.test(name) ? literal(from, to) : `\${${number}${name === '' ? '' : `:${name}`}}`;
    at = to;
  }
  return template + literal(at, text.length);
}
