// A whole matrix on paper, in parts with labels. If it would fill many pages, only the part in view.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { readColors } from '../transformer/colors';
import { drawMatrix, frameOf, type Matrix } from '../transformer/drawMatrix';
import { HEIGHT, WIDTH } from './printing';
import { type Sheet, sheets } from './sheets';

/** The maximum number of parts of a matrix. */
const MOST = 12;
/** Dots for each CSS pixel. */
const SCALE = 2;

/** `view` is the element that scrolls the picture. */
export function PaperMatrix({ picture, view }: { picture: Matrix; view: HTMLElement | null }) {
  const box = useRef<HTMLDivElement>(null);
  const { rows, columns, width, height } = picture;
  const frame = frameOf(picture);
  const high = Math.max(1, Math.floor((HEIGHT - frame.top - 1) / height));
  const wide = Math.max(1, Math.floor((WIDTH - frame.left - 1) / width));
  const all = sheets(rows, columns, high, wide);
  const parts = all.length <= MOST ? all : [inView(picture, view, high, wide)];
  const [part] = parts;
  useLayoutEffect(() => {
    if (box.current === null) return;
    const colors = readColors(box.current);
    box.current.querySelectorAll('canvas').forEach((canvas, index) => {
      const sheet = parts[index];
      const context = canvas.getContext('2d');
      if (sheet && context) draw(canvas, context, sheet);
    });
    function draw(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, sheet: Sheet): void {
      const size = { width: frame.left + sheet.columns * width + 1, height: frame.top + sheet.rows * height + 1 };
      [canvas.width, canvas.height] = [size.width * SCALE, size.height * SCALE];
      canvas.style.width = `${size.width}px`;
      context.scale(SCALE, SCALE);
      drawMatrix(context, picture, { ...frame, ...size }, { x: sheet.column * width, y: sheet.row * height }, colors);
    }
  }, []);
  return (
    <div class="paper-matrix" ref={box}>
      {all.length > MOST && part && (
        <p class="caption">
          {`The picture has ${rows} rows and ${columns} columns. The paper shows those in view: rows ${part.row + 1} to ${part.row + part.rows}, columns ${part.column + 1} to ${part.column + part.columns}.`}
        </p>
      )}
      {parts.map(({ row, column }) => <canvas key={`${row} ${column}`} />)}
    </div>
  );
}

function inView({ rows, columns, width, height }: Matrix, view: HTMLElement | null, high: number, wide: number): Sheet {
  const [row, column] = [Math.floor((view?.scrollTop ?? 0) / height), Math.floor((view?.scrollLeft ?? 0) / width)];
  return { row, column, rows: Math.min(high, rows - row), columns: Math.min(wide, columns - column) };
}
