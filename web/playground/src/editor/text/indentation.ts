// The indentation of a new line, as in editors/vscode/language-configuration.json.

const ASSIGNMENT = /^\s*(?:where(?:_[lr]m)?\b.*:)?\s*\w+\s*\[\s*N\s*\]\s*=(?!=)/;
const OPENS = /^\s*(?:where(?:_[lr]m)?\b|repeat\b\s*:?\s*(?:(?:#|\/\/).*)?$)|^(?!\s*(?:#|\/\/)).*[[{][^\]}]*$/;
const GOES_ON = /^\s*until\b.*\band\s*(?:(?:#|\/\/).*)?$/;
const CLOSES = /^\s*(?:[\]}]|until\b)/;

const width = (line: string): number => /^\s*/.exec(line)?.[0].length ?? 0;

/** The indentation in columns of a line below others, given from the last to the first. */
export function indentation(before: readonly string[], text: string, unit: number): number {
  const last = before.find((line) => line.trim() !== '');
  if (last === undefined) return 0;
  let columns = width(last);
  // An empty line below an assignment ends the production.
  if (before[0]?.trim() === '') columns -= ASSIGNMENT.test(last) && !/^\s*where/.test(last) ? unit : 0;
  else if (OPENS.test(last) || GOES_ON.test(last)) columns += unit;
  if (CLOSES.test(text)) columns -= unit;
  return Math.max(0, columns);
}
