// Cuts a matrix into parts that fit paper.

export interface Sheet { row: number; column: number; rows: number; columns: number }

/** Parts of at most `high` rows and `wide` columns, left to right and then down. */
export function sheets(rows: number, columns: number, high: number, wide: number): Sheet[] {
  const found: Sheet[] = [];
  for (let row = 0; row < rows; row += high) {
    for (let column = 0; column < columns; column += wide) {
      found.push({ row, column, rows: Math.min(high, rows - row), columns: Math.min(wide, columns - column) });
    }
  }
  return found;
}
