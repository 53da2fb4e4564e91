// The Markdown of the server as elements: only harmless ones, and links that leave the page in a new tab.
import type { EditorView } from '@codemirror/view';
import { LSPPlugin } from '@codemirror/lsp-client';
import type * as lsp from 'vscode-languageserver-protocol';
import { session } from './session';

const TAGS = new Set([
  'P', 'BR', 'HR', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'UL', 'OL', 'LI', 'PRE', 'CODE', 'SPAN', 'STRONG', 'EM', 'DEL', 'BLOCKQUOTE',
  'TABLE', 'THEAD', 'TBODY', 'TR', 'TH', 'TD', 'A',
]);
/** Dropped with all that is inside. */
const DROPPED = new Set(['SCRIPT', 'STYLE', 'IFRAME', 'OBJECT', 'EMBED', 'TEMPLATE', 'SVG', 'MATH', 'NOSCRIPT']);

/** The address of a link if it may be followed. */
export function harmless(href: string): URL | null {
  const url = URL.parse(href);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

/** The command that shows a text of the server in the page: the explanation of a code, or a section of the reference. */
function commandOf(href: string): { command: string; args: string[] } | null {
  const [, kind, name = '', section = ''] = /^psl:\/(explain|reference)\/([^#]*)#?(.*)$/.exec(href) ?? [];
  if (kind === 'explain') return { command: 'psl.explain', args: [decodeURIComponent(name)] };
  if (kind === 'reference') return { command: 'page.reference', args: [name, decodeURIComponent(section)] };
  // The pages of the reference link to each other.
  const [, page, heading = ''] = /^([a-z-]*)(?:\.md)?(?:#(.*))?$/.exec(href) ?? [];
  return page === undefined || href === '' ? null : { command: 'page.reference', args: [page, heading] };
}

/** A link that opens a new tab, or shows a text in the page. Without an address that may be followed, it is text. */
export function link(view: EditorView, href: string, content: (Node | string)[]): HTMLElement {
  const shown = commandOf(href);
  const url = harmless(href);
  const element = document.createElement(shown ? 'button' : url ? 'a' : 'span');
  element.append(...content);
  if (element instanceof HTMLButtonElement && shown) {
    element.type = 'button';
    element.className = 'psl-page-link';
    element.addEventListener('click', () => view.state.facet(session)?.command(shown.command, shown.args));
  } else if (element instanceof HTMLAnchorElement && url) {
    element.href = url.href;
    element.target = '_blank';
    element.rel = 'noopener';
  }
  return element;
}

const clean = (view: EditorView) => (node: Node): Node[] => {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.textContent ?? '')];
  if (!(node instanceof Element) || DROPPED.has(node.tagName.toUpperCase())) return [];
  const children = [...node.childNodes].flatMap(clean(view));
  if (!TAGS.has(node.tagName)) return children;
  if (node.tagName === 'A') return [link(view, node.getAttribute('href') ?? '', children as (Node | string)[])];
  const made = document.createElement(node.tagName);
  if (node.tagName === 'SPAN' || node.tagName === 'CODE') made.className = node.className;
  made.append(...children);
  return [made];
};

/** Renders documentation of the server. PSL in it has the colors of the simple tokenizer. */
export function rendered(view: EditorView, value: string | lsp.MarkupContent): HTMLElement {
  const element = document.createElement('div');
  element.className = 'cm-lsp-documentation';
  const html = LSPPlugin.get(view)?.docToHTML(value, 'markdown') ?? '';
  element.append(...[...new DOMParser().parseFromString(html, 'text/html').body.childNodes].flatMap(clean(view)));
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
