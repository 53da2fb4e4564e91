// A canvas that draws SVG elements.
import { escape, round } from './svg';

/** The part of a canvas that pictures use. */
export interface Pen extends Pick<CanvasRenderingContext2D,
  'fillStyle' | 'strokeStyle' | 'lineWidth' | 'globalAlpha' | 'font' | 'textAlign' | 'textBaseline' | 'save' | 'restore' | 'translate' | 'rotate' |
  'clearRect' | 'fillRect' | 'strokeRect' | 'fillText' | 'beginPath' | 'rect' | 'clip'> {
  measureText(text: string): { width: number };
}

interface State {
  fillStyle: Pen['fillStyle']; strokeStyle: Pen['strokeStyle']; lineWidth: number; globalAlpha: number;
  font: string; textAlign: CanvasTextAlign; textBaseline: CanvasTextBaseline;
  /** The translation, and whether text is rotated. */
  x: number; y: number; turned: boolean;
}

const START: State = {
  fillStyle: '#000', strokeStyle: '#000', lineWidth: 1, globalAlpha: 1, font: '', textAlign: 'left', textBaseline: 'alphabetic', x: 0, y: 0, turned: false,
};
const ANCHOR: Partial<Record<CanvasTextAlign, string>> = { center: 'middle', right: 'end' };
/** The distance from the middle of a line to its baseline, and the width of a character, relative to the font size. */
const BASE = 0.35;
const CHARACTER = 0.62;
const SIZE = 11;

interface Rectangle { x: number; y: number; width: number; height: number }
interface Shape { path: string[]; last: Rectangle | null; start: [number, number] | null }

/** Joins rectangles that look alike into one path. Does not clip, since the whole picture is visible. */
export class SvgPen implements Pen {
  readonly parts: string[] = [];
  /** Paths by their attributes, in the order of the first drawing. Rectangles between a save and its restore do not overlap. */
  private readonly shapes = new Map<string, Shape>();
  private texts: string[] = [];
  private readonly saved: State[] = [];
  private state: State = { ...START };

  get fillStyle() { return this.state.fillStyle; }
  set fillStyle(style) { this.state.fillStyle = style; }
  get strokeStyle() { return this.state.strokeStyle; }
  set strokeStyle(style) { this.state.strokeStyle = style; }
  get lineWidth() { return this.state.lineWidth; }
  set lineWidth(width) { this.state.lineWidth = width; }
  get globalAlpha() { return this.state.globalAlpha; }
  set globalAlpha(alpha) { this.state.globalAlpha = alpha; }
  get font() { return this.state.font; }
  set font(font) { this.state.font = font; }
  get textAlign() { return this.state.textAlign; }
  set textAlign(align) { this.state.textAlign = align; }
  get textBaseline() { return this.state.textBaseline; }
  set textBaseline(baseline) { this.state.textBaseline = baseline; }

  save(): void { this.saved.push({ ...this.state }); }

  restore(): void {
    this.state = this.saved.pop() ?? { ...START };
    if (this.saved.length === 0) this.flush();
  }

  translate(x: number, y: number): void {
    this.state.x += x;
    this.state.y += y;
  }

  /** Only a quarter turn to the left is used. */
  rotate(): void { this.state.turned = true; }

  clearRect(): void { /* The background is white. */ }
  beginPath(): void { /* Only clips have paths. */ }
  rect(): void { /* Only clips have paths. */ }
  clip(): void { /* Pictures are drawn whole. */ }

  fillRect(x: number, y: number, width: number, height: number): void {
    const { globalAlpha, fillStyle } = this.state;
    const alpha = globalAlpha === 1 ? '' : ` fill-opacity="${Math.round(globalAlpha * 20) / 20}"`;
    this.draw(`fill="${escape(String(fillStyle))}"${alpha}`, { x, y, width, height }, true);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    const { strokeStyle, lineWidth } = this.state;
    this.draw(`fill="none" stroke="${escape(String(strokeStyle))}" stroke-width="${lineWidth}"`, { x, y, width, height }, false);
  }

  fillText(text: string, x: number, y: number): void {
    const { x: left, y: top, turned, font, fillStyle, textAlign, textBaseline } = this.state;
    const base = y + (textBaseline === 'middle' ? BASE * SIZE : 0);
    const position = turned ? `transform="translate(${round(left)} ${round(top)}) rotate(-90)" x="${round(x)}" y="${round(base)}"` : `x="${round(left + x)}" y="${round(top + base)}"`;
    const anchor = ANCHOR[textAlign] === undefined ? '' : ` text-anchor="${ANCHOR[textAlign]}"`;
    const weight = font.startsWith('bold') ? ' font-weight="bold"' : '';
    this.texts.push(`<text ${position}${anchor}${weight} fill="${escape(String(fillStyle))}">${escape(text)}</text>`);
  }

  measureText(text: string): { width: number } { return { width: text.length * SIZE * CHARACTER }; }

  private draw(attributes: string, box: Rectangle, joins: boolean): void {
    const shape = this.shapes.get(attributes) ?? { path: [], last: null, start: null };
    this.shapes.set(attributes, shape);
    const { last } = shape;
    if (joins && last !== null && last.y === box.y && last.height === box.height && Math.abs(last.x + last.width - box.x) < 0.01) {
      last.width += box.width;
      return;
    }
    finish(shape);
    shape.last = { ...box };
  }

  private flush(): void {
    for (const [attributes, shape] of this.shapes) {
      finish(shape);
      this.parts.push(`<path ${attributes} d="${shape.path.join('')}"/>`);
    }
    this.parts.push(...this.texts);
    this.shapes.clear();
    this.texts = [];
  }
}

/** Adds the last rectangle to the path, relative to the one before, which is short since most are neighbors. */
function finish(shape: Shape): void {
  const { last, start, path } = shape;
  if (last === null) return;
  const [x, y, width, height] = [last.x, last.y, last.width, last.height].map(round) as [number, number, number, number];
  path.push(`${start === null ? `M${x} ${y}` : `m${round(x - start[0])} ${round(y - start[1])}`}h${width}v${height}h${-width}z`);
  shape.start = [x, y];
  shape.last = null;
}
