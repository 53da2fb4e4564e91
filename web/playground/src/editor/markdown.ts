// The Markdown of the server as elements: only harmless ones, and links that leave the page in a new tab.
import type { EditorView } from '@codemirror/view';
import { LSPPlugin } from '@codemirror/lsp-client';
import type * as lsp from 'vscode-languageserver-protocol';

const TAGS = new Set([
  'P', 'BR', 'HR', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'UL', 'OL', 'LI', 'PRE', 'CODE', 'SPAN', 'STRONG', 'EM', 'DEL', 'BLOCKQUOTE',
  'TABLE', 'THEAD', 'TBODY', 'TR', 'TH', 'TD', 'A',
]);
/** Dropped with all that is inside. */
const DROPPED = new Set(['SCRIPT', 'STYLE', 'IFRAME', 'OBJECT', 'EMBED', 'TEMPLATE', 'SVG', 'MATH', 'NOSCRIPT']);

/** The address of a link if it may be followed. */
export function harmless(href: string, base: string): URL | null {
  const url = URL.parse(href, base);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

/** Makes a link to another document open in a new tab. Without an address that may be followed, it becomes text. */
export function link(element: HTMLAnchorElement, href: string): HTMLElement {
  const url = harmless(href, document.baseURI);
  if (url === null) {
    const text = document.createElement('span');
    text.append(...element.childNodes);
    return text;
  }
  element.href = url.href;
  element.target = '_blank';
  element.rel = 'noopener';
  return element;
}

function clean(node: Node): Node[] {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.textContent ?? '')];
  if (!(node instanceof Element) || DROPPED.has(node.tagName.toUpperCase())) return [];
  const children = [...node.childNodes].flatMap(clean);
  if (!TAGS.has(node.tagName)) return children;
  const made = document.createElement(node.tagName);
  if (node.tagName === 'SPAN' || node.tagName === 'CODE') made.className = node.className;
  made.append(...children);
  return [made instanceof HTMLAnchorElement ? link(made, node.getAttribute('href') ?? '') : made];
}

/** Cleans HTML. */
export function sanitized(html: string): HTMLElement[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return [...body.childNodes].flatMap(clean).map((node) => {
    if (node instanceof HTMLElement) return node;
    const text = document.createElement('span');
    text.append(node);
    return text;
  });
}

/** Renders documentation of the server. PSL in it has the colors of the simple tokenizer. */
export function rendered(view: EditorView, value: string | lsp.MarkupContent): HTMLElement {
  const element = document.createElement('div');
  element.className = 'cm-lsp-documentation';
  const html = LSPPlugin.get(view)?.docToHTML(value, 'markdown');
  element.append(...(html === undefined ? [] : sanitized(html)));
  for (const block of element.querySelectorAll('pre')) block.tabIndex = 0;
  return element;
}

/** Renders text in which backticks mark code. */
export function withCode(text: string): (HTMLElement | string)[] {
  return text.split(/`([^`]+)`/).map((part, index) => {
    if (index % 2 === 0) return part;
    const code = document.createElement('code');
    code.textContent = part;
    return code;
  });
}
