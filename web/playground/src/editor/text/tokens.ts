// Semantic tokens: from the numbers of the protocol to the rows of grammars/colors.toml.
import type * as lsp from 'vscode-languageserver-protocol';

/** The row of each token. Other combinations have the row of the type alone. */
export const ROWS: Readonly<Record<string, string>> = {
  'property.modification': 'register-written',
  variable: 'register-read',
  'variable.declaration': 'register-declared',
  parameter: 'cell-n',
  typeParameter: 'cell-N',
  enumMember: 'constant',
  'enumMember.declaration': 'constant-declared',
  string: 'string',
  number: 'number',
  keyword: 'keyword',
  function: 'function',
  operator: 'operator',
  property: 'role',
  'string.declaration': 'short-name',
  macro: 'directive',
  'comment.documentation': 'label',
  comment: 'comment',
};

/** The types and modifiers that the editor shows. */
export const TYPES = [...new Set(Object.keys(ROWS).map((token) => token.split('.')[0] ?? ''))];
export const MODIFIERS = [...new Set(Object.keys(ROWS).flatMap((token) => token.split('.').slice(1)))];

export interface Token { line: number; character: number; length: number; row: string }

/** Decodes the tokens of an answer. The lines are 0-based. */
export function decode(data: readonly number[], legend: lsp.SemanticTokensLegend): Token[] {
  const rows = new Map<number, string>();
  const tokens: Token[] = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
    character = lines === 0 ? character + characters : characters;
    line += lines;
    const key = type * 65_536 + modifiers;
    const row = rows.get(key) ?? rowOf(legend, type, modifiers);
    rows.set(key, row);
    if (row !== '') tokens.push({ line, character, length, row });
  }
  return tokens;
}

function rowOf({ tokenTypes, tokenModifiers }: lsp.SemanticTokensLegend, type: number, modifiers: number): string {
  const kind = tokenTypes[type] ?? '';
  const names = tokenModifiers.filter((_, bit) => (modifiers >> bit) & 1);
  return ROWS[[kind, ...names].join('.')] ?? ROWS[kind] ?? '';
}
