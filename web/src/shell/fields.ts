// Fields of an address, which cannot be trusted.

/** The maximum length of a field, enough for a prompt of many cells. */
const MOST = 1_000_000;

/** The text of a field, or null if it is missing, empty or too long. */
export function textIn(fields: URLSearchParams, name: string): string | null {
  const text = fields.get(name);
  return text === null || text.trim() === '' || text.length > MOST ? null : text;
}

/** The whole number in a field, or null. */
export function wholeIn(fields: URLSearchParams, name: string): number | null {
  const text = fields.get(name) ?? '';
  return /^\d{1,7}$/.test(text) ? Number(text) : null;
}

/** The distinct whole numbers of a comma-separated field, in ascending order. Other parts are ignored. */
export function wholesIn(fields: URLSearchParams, name: string): number[] {
  const parts = (textIn(fields, name) ?? '').split(',').filter((part) => /^[1-9]\d{0,5}$/.test(part));
  return [...new Set(parts.map(Number))].sort((a, b) => a - b);
}
