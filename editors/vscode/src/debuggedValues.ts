// The values of registers while a program is debugged: after the lines of a production, and in the hover.
import {
  commands, type Disposable, type DocumentSymbol, EvaluatableExpression, InlineValueEvaluatableExpression, languages, Range, type TextDocument,
} from 'vscode';

/** A register of a cell, such as `field[N]`. Cells with numbers occur in conditions of breakpoints only. */
const REGISTER = /\b[A-Za-z_]\w*\s*\[\s*[Nn]\s*\]/g;
/** Strings and comments. */
const NOT_CODE = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|(?:#|\/\/).*/g;

/** Registers the values after lines and in hovers. */
export function debuggedValues(): Disposable[] {
  return [
    languages.registerInlineValuesProvider('psl', {
      async provideInlineValues(document, _, { stoppedLocation: { start } }) {
        return (await linesOfProduction(document, start.line)).flatMap((line) => withoutRepeats(registersOf(document, line)).map(
          ({ range, expression }) => new InlineValueEvaluatableExpression(range, expression),
        ));
      },
    }),
    languages.registerEvaluatableExpressionProvider('psl', {
      provideEvaluatableExpression(document, position) {
        const found = registersOf(document, position.line).find(({ range }) => range.contains(position));
        return found && new EvaluatableExpression(found.range, found.expression);
      },
    }),
  ];
}

/** The lines of the production on a line, or that line alone. */
async function linesOfProduction({ uri }: TextDocument, line: number): Promise<number[]> {
  let symbols = await commands.executeCommand<DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', uri);
  let innermost: DocumentSymbol | undefined;
  for (let found; (found = symbols?.find(({ range }) => range.start.line <= line && line <= range.end.line)); ) {
    innermost = found;
    symbols = found.children;
  }
  if (!innermost || innermost.children.length > 0) return [line];
  const last = innermost.range.end.line;
  return Array.from({ length: last - line + 1 }, (_, index) => line + index);
}

interface Register {
  range: Range;
  expression: string;
}

/** The registers on a line. */
function registersOf(document: TextDocument, line: number): Register[] {
  const code = document.lineAt(line).text.replace(NOT_CODE, (text) => ' '.repeat(text.length));
  return [...code.matchAll(REGISTER)].map(({ index, 0: text }) => ({
    range: new Range(line, index, line, index + text.length),
    expression: text.replace(/\s/g, ''),
  }));
}

const withoutRepeats = (registers: Register[]): Register[] =>
  registers.filter(({ expression }, index) => registers.findIndex((other) => other.expression === expression) === index);
