// What the browser has kept, as programs and changes. An older version of the page, a damaged profile or an extension may have written it.
import { safeName } from './name';
import type { Change, Kept } from './program';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown): value is string => typeof value === 'string';
const textOr = <T>(value: unknown, other: T): string | T => (isText(value) ? value : other);
const numberOr = (value: unknown, other: number): number => (typeof value === 'number' && Number.isFinite(value) ? value : other);

/** A program, or null without an id. Other fields that are missing or invalid get a default, and those of a newer version stay. */
export function knownIn(value: unknown): Omit<Kept, 'text'> | null {
  if (!isObject(value) || !isText(value.id)) return null;
  return {
    ...value,
    id: value.id,
    name: safeName(textOr(value.name, '')),
    changed: numberOr(value.changed, 0),
    original: textOr(value.original, null),
    prompt: textOr(value.prompt, null),
    revision: numberOr(value.revision, 0),
  };
}

/** A program with its text, or null if it has none. */
export function keptIn(value: unknown): Kept | null {
  const known = knownIn(value);
  const text = isObject(value) ? value.text : undefined;
  return known && isText(text) ? { ...known, text } : null;
}

/** The valid fields of a change, or null if there are none. */
export function changeIn(value: unknown): Change | null {
  if (!isObject(value)) return null;
  const { name, text, prompt } = value;
  const change: Change = {
    ...(isText(name) ? { name: safeName(name) } : {}),
    ...(isText(text) ? { text } : {}),
    ...(isText(prompt) || prompt === null ? { prompt } : {}),
  };
  return Object.keys(change).length > 0 ? change : null;
}
