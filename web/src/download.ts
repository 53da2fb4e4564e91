// Files that the browser downloads.

/** The most bytes of a name before its end. File systems allow 255 in all. */
const LONGEST = 200;
/** What some system does not allow in the name of a file, and marks that reorder it. */
const FOREIGN = /[\p{Cs}\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\\/:*?"<>|]/gu;
/** A hidden file, and the devices of Windows, which it finds by the part before the first period. */
const SPECIAL = /^(?:\.|(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i;

/** A name that all systems accept, with an end such as `.psl`. */
export function fileName(name: string, end: string): string {
  const safe = name.trim().replace(FOREIGN, '_') || 'program';
  const bytes = new TextEncoder().encode(SPECIAL.test(safe) ? `_${safe}` : safe);
  // As a stream, a character that is cut is left out.
  return new TextDecoder().decode(bytes.subarray(0, LONGEST), { stream: true }) + end;
}

/** Downloads a text in UTF-8. The browser changes the name if there is such a file. */
export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
