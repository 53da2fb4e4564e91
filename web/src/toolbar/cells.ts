// A structured prompt as text: a JSON list of cells, `{register: value}`.

/** Writes one cell per line. Keeps text that is not JSON. */
export function oneOnEachLine(json: string): string {
  const cells = listIn(json);
  try {
    return cells === null ? json : `[${cells.map((cell) => `\n  ${JSON.stringify(cell)}`).join(',')}\n]`;
  } catch {
    // It is nested too deeply to be written.
    return json;
  }
}

/** The cells of symbols. */
export const cellsOf = (symbols: string, register: string): string =>
  oneOnEachLine(JSON.stringify(symbols.split(/\s+/).filter((symbol) => symbol !== '').map((symbol) => ({ [register]: symbol }))));

/** The symbols of cells. Other registers are lost. */
export function symbolsOf(json: string, register: string): string {
  const symbols = listIn(json)?.map((cell): unknown => Object(cell)[register]) ?? [];
  return symbols.filter((symbol) => typeof symbol === 'string' || typeof symbol === 'number').join(' ');
}

function listIn(json: string): unknown[] | null {
  try {
    const cells: unknown = JSON.parse(json);
    return Array.isArray(cells) ? cells : null;
  } catch {
    return null;
  }
}
