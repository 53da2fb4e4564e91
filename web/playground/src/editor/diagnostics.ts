// The diagnostics of the server: marks in the text and the gutter, tooltips with fixes, and the list of problems.
import { linter, lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from '@codemirror/lint';
import { type EditorView, keymap } from '@codemirror/view';
import { type LSPClient, LSPPlugin } from '@codemirror/lsp-client';
import { signal } from '@preact/signals';
import type * as lsp from 'vscode-languageserver-protocol';
import { fixesOf, run } from './actions';
import { reveal } from './apply';
import { link, withCode } from './markdown';
import { forEachMarked, type Marked } from './marked';
import { offsetOf, sameUri } from './text/edits';

export interface Problem {
  severity: 'error' | 'warning' | 'info' | 'hint';
  message: string;
  code: string | null;
  docs: string | null;
  /** 1-based. */
  line: number;
  column: number;
  from: number;
  to: number;
}

const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const;
const LIMIT = 1000;

/** Shows the diagnostics that the server publishes. */
export class Diagnostics {
  readonly problems = signal<readonly Problem[]>([]);
  /** The diagnostics in the text. */
  private last: readonly Marked[] = [];

  /** Handles `textDocument/publishDiagnostics`. */
  publish(client: LSPClient, { uri, version, diagnostics }: lsp.PublishDiagnosticsParams): boolean {
    const file = client.workspace.files.find((open) => sameUri(open.uri, uri));
    const view = file?.getView();
    const plugin = view && LSPPlugin.get(view);
    if (!file || !view || !plugin || plugin.uri !== file.uri) return true;
    // The diagnostics of an older text come before those of the text that was sent meanwhile.
    if (version !== undefined && version !== file.version) return true;
    const { syncedDoc, unsyncedChanges } = plugin;
    const offset = (position: lsp.Position) => unsyncedChanges.mapPos(offsetOf(syncedDoc, position));
    const marked = diagnostics.slice(0, LIMIT).map((about): Marked => {
      const from = offset(about.range.start);
      return {
        from,
        to: Math.max(from, offset(about.range.end)),
        severity: SEVERITIES[(about.severity ?? 1) - 1] ?? 'error',
        message: about.message as string,
        renderMessage: (inside) => message(inside, about),
        about,
      };
    });
    if (!shown(view, this.last, marked)) {
      view.dispatch(setDiagnostics(view.state, marked));
      this.last = marked;
    }
    this.problems.value = marked.map(problem(view));
    return true;
  }

  clear(): void {
    this.problems.value = [];
    this.last = [];
  }
}

const problem = ({ state: { doc } }: EditorView) => ({ from, to, severity, about }: Marked): Problem => {
  const line = doc.lineAt(from);
  return {
    severity: severity as Problem['severity'], message: about.message as string, from, to,
    code: about.code === undefined ? null : String(about.code), docs: about.codeDescription?.href ?? null,
    line: line.number, column: from - line.from + 1,
  };
};

/** Whether these are shown already, as after most keys. */
function shown(view: EditorView, last: readonly Marked[], marked: readonly Marked[]): boolean {
  if (last.length !== marked.length) return false;
  const places = new Map<lsp.Diagnostic, { from: number; to: number }>();
  forEachMarked(view.state, (old, from, to) => places.set(old, { from, to }));
  return places.size === last.length && last.every(({ about: old }, index) => {
    const next = marked[index];
    const place = places.get(old);
    return next !== undefined && place?.from === next.from && place.to === next.to && alike(old, next.about);
  });
}

const alike = (a: lsp.Diagnostic, b: lsp.Diagnostic): boolean =>
  a.message === b.message && a.severity === b.severity && a.code === b.code
  && (a.relatedInformation === b.relatedInformation || JSON.stringify(a.relatedInformation) === JSON.stringify(b.relatedInformation));

/** The text of a diagnostic, the places it names, and its fixes as soon as the server has answered. */
function message(view: EditorView, about: lsp.Diagnostic): HTMLElement {
  const element = document.createElement('div');
  element.className = 'psl-message';
  for (const line of (about.message as string).split('\n')) {
    element.appendChild(document.createElement('p')).append(...withCode(line));
  }
  if (about.code !== undefined) {
    element.lastElementChild?.append(' ', link(view, about.codeDescription?.href ?? '', [String(about.code)]));
  }
  for (const { location, message: text } of about.relatedInformation ?? []) {
    const { start, end } = location.range;
    const button = element.appendChild(document.createElement('button'));
    button.type = 'button';
    button.className = 'psl-related';
    button.append(`Line ${start.line + 1}: `, ...withCode(text));
    button.addEventListener('click', () => reveal(view, offsetOf(view.state.doc, start), offsetOf(view.state.doc, end)));
  }
  const fixes = element.appendChild(document.createElement('div'));
  fixes.className = 'psl-fixes';
  void fixesOf(view, about).then((actions) => {
    for (const action of actions) {
      const button = fixes.appendChild(document.createElement('button'));
      button.type = 'button';
      button.append(...withCode(action.title));
      button.addEventListener('click', () => run(view, action));
    }
    if (actions.length > 0) view.requestMeasure();
  });
  return element;
}

export const diagnosticExtensions = [
  // Without a source: this puts the tooltips before those of the hover.
  linter(null),
  lintGutter(),
  keymap.of([{ key: 'F8', run: nextDiagnostic }, { key: 'Shift-F8', run: previousDiagnostic }]),
];
