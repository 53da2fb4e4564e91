// Cuts columns that are too wide for paper into bands, one below the other.

/** A half-open range of indices. */
export type Band = [number, number];

/** Bands of as many columns as fit `room`, but at least one. */
export function bands(widths: number[], room: number): Band[] {
  const found: Band[] = [];
  let from = 0;
  let wide = 0;
  widths.forEach((width, index) => {
    if (index > from && wide + width > room) {
      found.push([from, index]);
      from = index;
      wide = 0;
    }
    wide += width;
  });
  if (widths.length > from) found.push([from, widths.length]);
  return found;
}
