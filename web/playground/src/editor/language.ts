// PSL without the server: simple colors, comments, brackets and indentation. As in docs/theme/psl.js.
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { bracketMatching, HighlightStyle, indentOnInput, indentService, indentUnit, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language';
import { keymap } from '@codemirror/view';
import { Tag } from '@lezer/highlight';
import { indentation } from './text/indentation';

const ROWS = ['keyword', 'comment', 'directive', 'string', 'number', 'register-written', 'register-read', 'cell-n', 'cell-N', 'function', 'operator'] as const;
type Row = (typeof ROWS)[number];

const RULES: readonly (readonly [RegExp, Row | null])[] = [
  [/^\s+/, null],
  [/^(?:\/\/|#)@.*/, 'directive'],
  [/^(?:\/\/|#).*/, 'comment'],
  [/^(["'])(?:\\.|(?!\1)[^\\])*\1?/, 'string'],
  [/^[A-Za-z_]\w*(?=\s*\[\s*N\s*\]\s*=(?!=))/, 'register-written'],
  [/^[A-Za-z_]\w*(?=\s*\[\s*[nN?]\s*\])/, 'register-read'],
  [/^N(?=\s*\])/, 'cell-N'],
  [/^n(?=\s*\])/, 'cell-n'],
  [/^(?:registers|constants|system|watch|causal_attn|true|false|reverse|where(?:_[lr]m)?|and|not|in|repeat|until)\b/, 'keyword'],
  [/^@\s*pos_(?:in|de)crement\b/, 'function'],
  [/^-?\d+(?:\.\d+)?\b/, 'number'],
  [/^(?:==|!=|=|\?)/, 'operator'],
  [/^\w+/, null],
];

function token(stream: StringStream): Row | null {
  for (const [rule, row] of RULES) if (stream.match(rule)) return row;
  stream.next();
  return null;
}

const tags = Object.fromEntries(ROWS.map((row) => [row, Tag.define(row)])) as Record<Row, Tag>;

/** Also colors the blocks of PSL in the documentation. */
export const psl = StreamLanguage.define<null>({
  name: 'psl',
  startState: () => null,
  token,
  tokenTable: tags,
  languageData: {
    commentTokens: { line: '#' },
    closeBrackets: { brackets: ['(', '[', '{', "'", '"'] },
    indentOnInput: /^\s*(?:[\]}]|until)$/,
    wordChars: '-',
  },
});

const colors = HighlightStyle.define(ROWS.map((row) => ({ tag: tags[row], class: `psl-${row}` })));

export const UNIT = 4;

const indent = indentService.of((context, pos) => {
  const { text, from } = context.lineAt(pos, 1);
  // The lines before, up to the nearest one with text.
  const before: string[] = [];
  let at = from;
  if (context.simulatedBreak === pos) {
    const line = context.lineAt(pos, -1);
    before.push(line.text);
    at = line.from;
  }
  while (at > 0 && (before.length < 2 || before.at(-1)?.trim() === '')) {
    const line = context.state.doc.lineAt(at - 1);
    before.push(line.text);
    at = line.from;
  }
  return indentation(before, text, UNIT);
});

export const language = [
  psl, syntaxHighlighting(colors), indent, indentUnit.of(' '.repeat(UNIT)), indentOnInput(), bracketMatching(), closeBrackets(),
  keymap.of(closeBracketsKeymap),
];
