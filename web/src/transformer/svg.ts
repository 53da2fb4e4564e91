// The pictures of a layer as one SVG file for a paper, in black, white and two tints.
import { save, writable } from '../figure/svg';

const PAPER = `
text { font: 11px sans-serif; fill: #000 }
.title { font-weight: bold; font-size: 13px }
.rules { stroke: #ddd }
.frame { fill: none; stroke: #000 }
.area { fill: none; stroke: #000 }
.glyph { stroke: #1f5fbf; stroke-width: 2.5; fill: none }
.dotted { stroke: #777; stroke-dasharray: 2 3; fill: none }
.full { fill: #c05a00 }
.hole { stroke: #fff; stroke-width: 4 }
`;
const NAMESPACE = 'http://www.w3.org/2000/svg';
const MARGIN = 12;
const HEAD = 46;

interface Picture { id: string; title: string }

/** Saves the pictures of a layer's matrices side by side. */
export function downloadLayer(number: number, label: string | null, pictures: Picture[]): void {
  const title = label === null ? `Layer ${number}` : `Layer ${number}: ${label}`;
  save(serialize(layerSvg(title, pictures)), `layer-${number}.svg`);
}

function layerSvg(title: string, pictures: Picture[]): SVGSVGElement {
  const root = document.createElementNS(NAMESPACE, 'svg');
  const style = document.createElementNS(NAMESPACE, 'style');
  style.textContent = PAPER;
  root.append(style, text(title, MARGIN, 20, 'title'));
  let [width, height] = [MARGIN, 0];
  for (const { id, title } of pictures) {
    const shown = document.getElementById(id);
    if (!(shown instanceof SVGSVGElement)) continue;
    const picture = plain(shown);
    picture.setAttribute('x', String(width));
    picture.setAttribute('y', String(HEAD));
    root.append(text(title, width, HEAD - 6), picture);
    width += Number(shown.getAttribute('width')) + 2 * MARGIN;
    height = Math.max(height, Number(shown.getAttribute('height')));
  }
  const size = [Math.max(width, MARGIN * 2 + title.length * 8), HEAD + height + MARGIN];
  root.setAttribute('width', String(size[0]));
  root.setAttribute('height', String(size[1]));
  root.setAttribute('viewBox', `0 0 ${size.join(' ')}`);
  return root;
}

/** A copy without the parts that only the page needs. */
function plain(shown: SVGSVGElement): SVGSVGElement {
  const copy = shown.cloneNode(true) as SVGSVGElement;
  for (const name of ['id', 'role', 'aria-label', 'class']) copy.removeAttribute(name);
  return copy;
}

function text(content: string, x: number, y: number, className?: string): SVGTextElement {
  const element = document.createElementNS(NAMESPACE, 'text');
  element.textContent = content;
  element.setAttribute('x', String(x));
  element.setAttribute('y', String(y));
  if (className !== undefined) element.setAttribute('class', className);
  return element;
}

const serialize = (svg: SVGSVGElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${writable(new XMLSerializer().serializeToString(svg))}\n`;
