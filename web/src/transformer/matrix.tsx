// A matrix on a canvas, of which only the entries in view are drawn. The keyboard moves a cursor, whose entry is described below.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { save } from '../figure/svg';
import { PaperMatrix } from '../print/matrix';
import { printing } from '../print/printing';
import { readColors, watchColors } from './colors';
import { type At, clamp, drawMatrix, frameOf, type Matrix as Picture, outline } from './drawMatrix';
import { type Extent, matrixPicture, partOf } from './matrixPicture';

export interface MatrixProps extends Picture {
  /** The name for screen readers. */
  label: string;
  /** The name of its file, without extension. */
  file: string;
  /** The entry in words. */
  describe(row: number, column: number): string;
  /** The initial cursor. */
  start?: At;
  onMove?(at: At): void;
  /** Called on a click or Enter. */
  onPick?(at: At): void;
}

/** The number of rows that PageUp and PageDown move. */
const STEP = 10;
/** The distance of the initial entry from the top, in pixels. */
const NEAR = 70;

export function Matrix(props: MatrixProps) {
  const { rows, columns, width, height } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [cursor, setCursor] = useState<At>(props.start ?? { row: 0, column: 0 });
  const [hovered, setHovered] = useState<(At & { x: number; y: number }) | null>(null);
  const [focused, setFocused] = useState(false);
  const frame = frameOf(props);
  const { left, top } = frame;
  const total = { width: left + columns * width + 1, height: top + rows * height + 1 };
  const at = { row: clamp(cursor.row, rows), column: clamp(cursor.column, columns) };

  const draw = (): void => {
    const [view, picture] = [scroller.current, canvas.current];
    const context = picture?.getContext('2d');
    if (!view || !picture || !context) return;
    const size = { width: Math.min(view.clientWidth, total.width), height: Math.min(view.clientHeight, total.height) };
    const scale = globalThis.devicePixelRatio || 1;
    const [wide, high] = [Math.round(size.width * scale), Math.round(size.height * scale)];
    if (picture.width !== wide || picture.height !== high) {
      [picture.width, picture.height] = [wide, high];
      picture.style.width = `${size.width}px`;
      picture.style.height = `${size.height}px`;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const colors = readColors(view);
    const scroll = { x: view.scrollLeft, y: view.scrollTop };
    const shown = { ...frame, ...size };
    drawMatrix(context, props, shown, scroll, colors);
    if (focused || props.onPick) outline(context, props, shown, scroll, at, colors);
  };
  const latest = useRef(draw);
  latest.current = draw;
  useLayoutEffect(draw);
  useEffect(() => {
    const redraw = (): void => latest.current();
    const observer = new ResizeObserver(redraw);
    if (scroller.current) observer.observe(scroller.current);
    const ignore = watchColors(redraw);
    return () => { observer.disconnect(); ignore(); };
  }, []);
  const started = props.start;
  useEffect(() => {
    if (!started) return;
    move(started, false);
    const view = scroller.current;
    if (!view) return;
    // The top of the picture is always in view.
    view.scrollTop = Math.max(0, (started.row + 0.5) * height - NEAR);
    view.scrollLeft = Math.max(0, (started.column + 0.5) * width - (view.clientWidth - left) / 2);
  }, [started?.row, started?.column, rows]);

  const move = (to: At, tell = true): void => {
    const next = { row: clamp(to.row, rows), column: clamp(to.column, columns) };
    setCursor(next);
    if (tell) props.onMove?.(next);
    const view = scroller.current;
    if (!view) return;
    const [x, y] = [next.column * width, next.row * height];
    if (x < view.scrollLeft) view.scrollLeft = x;
    if (x + width > view.scrollLeft + view.clientWidth - left) view.scrollLeft = x + width - view.clientWidth + left;
    if (y < view.scrollTop) view.scrollTop = y;
    if (y + height > view.scrollTop + view.clientHeight - top) view.scrollTop = y + height - view.clientHeight + top;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to: Record<string, At> = {
      ArrowLeft: { row: at.row, column: at.column - 1 },
      ArrowRight: { row: at.row, column: at.column + 1 },
      ArrowUp: { row: at.row - 1, column: at.column },
      ArrowDown: { row: at.row + 1, column: at.column },
      Home: { row: at.row, column: 0 },
      End: { row: at.row, column: columns - 1 },
      PageUp: { row: at.row - STEP, column: at.column },
      PageDown: { row: at.row + STEP, column: at.column },
    };
    const next = to[event.key];
    if (next) move(next);
    else if (event.key === 'Enter' || event.key === ' ') props.onPick?.(at);
    else return;
    // Otherwise, keys of the page would move through the layers.
    event.preventDefault();
    event.stopPropagation();
  };

  const under = (event: MouseEvent): (At & { x: number; y: number }) | null => {
    const view = scroller.current;
    if (!view) return null;
    const box = view.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - view.clientLeft, event.clientY - box.top - view.clientTop];
    if (x < left || y < top) return null;
    const column = Math.floor((x - left + view.scrollLeft) / width);
    const row = Math.floor((y - top + view.scrollTop) / height);
    return row < rows && column < columns ? { row, column, x, y } : null;
  };

  const inView = (): [Extent, Extent] | null => {
    const view = scroller.current;
    if (!view) return null;
    const extent = (scrolled: number, room: number, size: number, count: number): Extent =>
      [Math.min(count, Math.floor(scrolled / size)), Math.min(count, Math.ceil((scrolled + room) / size))];
    return [extent(view.scrollTop, view.clientHeight - top, height, rows), extent(view.scrollLeft, view.clientWidth - left, width, columns)];
  };

  const named = hovered ?? at;
  const words = rows > 0 && columns > 0 ? props.describe(clamp(named.row, rows), clamp(named.column, columns)) : '';
  return (
    <div class="matrix">
      <div
        class="matrix-view" ref={scroller} tabIndex={0} role="application" aria-label={`${props.label} Arrow keys move through it.`}
        onScroll={() => latest.current()} onKeyDown={onKeyDown}
        onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}
        onPointerMove={(event) => setHovered(under(event))} onPointerLeave={() => setHovered(null)}
        onClick={(event) => {
          const picked = under(event);
          if (picked) { move(picked); props.onPick?.(picked); }
        }}
      >
        <div class="matrix-all" style={{ width: `${total.width}px`, height: `${total.height}px` }}>
          <canvas ref={canvas} aria-hidden="true" />
        </div>
      </div>
      {hovered && words !== '' && (
        <span class="matrix-tip" aria-hidden="true" style={{ left: `${hovered.x + 14}px`, top: `${hovered.y + 16}px` }}>{words}</span>
      )}
      {printing.value && <PaperMatrix picture={props} view={scroller.current} />}
      <div class="matrix-line row">
        <p class="grow" role="status">{words}</p>
        <SavePicture matrix={props} inView={inView} />
      </div>
    </div>
  );
}

function SavePicture({ matrix, inView }: { matrix: MatrixProps; inView(): [Extent, Extent] | null }) {
  const [message, setMessage] = useState<string | null>(null);
  const saveAll = (part: Picture): void => {
    try {
      save(matrixPicture(part, matrix.label), `${matrix.file}.svg`);
      setMessage(null);
    } catch (error) {
      setMessage((error as Error).message);
    }
  };
  const savePart = (): void => {
    const shown = inView();
    if (shown) saveAll(partOf(matrix, ...shown));
  };
  return (
    <>
      {message !== null && <p class="message bad" role="alert">{message}</p>}
      {message !== null && <button type="button" onClick={savePart}>Save what is in view</button>}
      <button type="button" title="Save the picture for a paper" onClick={() => saveAll(matrix)}>Save SVG</button>
    </>
  );
}
