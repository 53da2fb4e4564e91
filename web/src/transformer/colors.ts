// The colors of canvases, from the style sheet.
import type { Pen } from '../figure/pen';

const NAMES = ['ink', 'line', 'paper', 'shade', 'accent', 'positive', 'negative', 'code0', 'code1', 'code2', 'code3', 'code4', 'code5', 'code6'] as const;
export type Colors = Record<(typeof NAMES)[number], string>;

/** The colors of the style sheet at an element, for light or dark. */
export function readColors(element: Element): Colors {
  const style = getComputedStyle(element);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--matrix-${name}`).trim()])) as Colors;
}

/** Calls back when the system, the editor or printing changes the colors. Returns a function that stops it. */
export function watchColors(changed: () => void): () => void {
  const media = ['(prefers-color-scheme: dark)', 'print'].map((query) => matchMedia(query));
  const theme = new MutationObserver(changed);
  theme.observe(document.body, { attributeFilter: ['class'] });
  media.forEach((query) => query.addEventListener('change', changed));
  return () => {
    theme.disconnect();
    media.forEach((query) => query.removeEventListener('change', changed));
  };
}

/** Paints a number: a color for its sign, paler towards zero. */
export function paintNumber(
  context: Pen, box: { x: number; y: number; width: number; height: number },
  value: number, most: number, colors: Colors,
): void {
  if (value === 0 || most === 0) return;
  context.globalAlpha = Math.max(0.08, Math.min(1, Math.abs(value) / most));
  context.fillStyle = value > 0 ? colors.positive : colors.negative;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.globalAlpha = 1;
}
