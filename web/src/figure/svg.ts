// SVG files for papers: their text, their size, and saving them.
import { download } from '../download';

/** The maximum size of a picture, in bytes. Programs that show or print SVG are slow with larger ones. */
const MOST = 2_000_000;

/** Removes the control characters that XML cannot contain. */
export const writable = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');

export const escape = (text: string): string =>
  writable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The first characters of a text, with `…` if there are more. */
export function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('').trimEnd()}…` : text;
}

/** A text element. If it is too long, it is cut, and its title has the whole text. */
export function textAt(x: number, y: number, text: string, most = Infinity, attributes = ''): string {
  const shown = cut(text, most);
  const title = shown === text ? '' : `<title>${escape(text)}</title>`;
  return `<text x="${round(x)}" y="${round(y)}"${attributes}>${title}${escape(shown)}</text>`;
}

/** Breaks a text between words into lines of at most `most` characters, if possible. */
export function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export const round = (number: number): number => Math.round(number * 10) / 10;

/** A picture on a white background. Throws if it is too large. */
export function picture(width: number, height: number, title: string, parts: string[], advice: string): string {
  const size = `${Math.ceil(width)} ${Math.ceil(height)}`;
  const [wide, high] = size.split(' ');
  const content = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${high}" viewBox="0 0 ${size}" font-family="sans-serif" font-size="11">`,
    `<title>${escape(title)}</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...parts,
    '</svg>\n',
  ].join('\n');
  checkSize(new Blob([content]).size, advice);
  return content;
}

/** Throws if a picture of this many bytes is too large. `advice` is a way to make it smaller. */
export function checkSize(bytes: number, advice: string): void {
  if (bytes > MOST) throw new Error(`The picture would be ${(bytes / 1_000_000).toFixed(1)} MB, and the most is ${MOST / 1_000_000} MB. ${advice}`);
}

export const save = (content: string, name: string): void => download(name, content, 'image/svg+xml');
