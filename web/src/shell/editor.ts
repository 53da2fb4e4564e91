// The editor that shows or serves the page. It sends programs, shows lines, and hears what the user runs.
import { effect } from '@preact/signals';
import { data, ranLast } from '../store';
import { openHome } from '../toolbar/programs';
import { cursorLine } from './cursor';
import { inFrame, isData, tell } from './frame';
import { alone, isAlone } from './open';

declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const webview = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : null;

export function listen(): void {
  if (webview) {
    addEventListener('message', ({ data: message }: MessageEvent<{ program?: unknown; line?: unknown; alone?: unknown } | null>) => {
      if (message && isData(message.program)) openHome(message.program);
      if (isAlone(message?.alone)) alone.value = message.alone;
      if (typeof message?.line === 'number') cursorLine.value = message.line;
    });
    webview.postMessage({ ready: true });
    effect(() => {
      if (ranLast.value !== null) webview.postMessage({ ran: ranLast.value });
    });
  }
  if (data.peek().serve) {
    new EventSource('events').addEventListener('message', ({ data: text }: MessageEvent<string>) => {
      const message: unknown = JSON.parse(text);
      if (isData(message)) openHome(message);
    });
  }
}

/** Whether an editor can show lines of the program. */
export const besideEditor = (): boolean => webview !== null || inFrame || data.peek().serve?.reveal === true;

/** Shows a line of the program in the editor. */
export function reveal(line: number): void {
  if (webview) webview.postMessage({ reveal: { line } });
  else if (inFrame) tell({ reveal: { line } });
  else if (besideEditor()) {
    void fetch('reveal', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ line }) }).catch(() => undefined);
  }
}
