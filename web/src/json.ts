// JSON for modules, which take UTF-8.

/** JSON in which U+FFFD replaces lone surrogates, of the same length. `JSON.stringify` escapes only those. */
export const withoutLoneSurrogates = (json: string): string =>
  (json.includes('\\ud') ? json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') : json);
