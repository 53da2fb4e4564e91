// The problems of the program, below the editor. Below a panel of a narrow page, there is only their number.
import { editorShown, narrow, panelInView, problemsOpen } from '../page/layout';
import { reveal } from '../page/reveal';
import { editor } from '../page/state';
import type { Problem } from '../editor/editor';
import { explain } from './explanation';
import { Prose } from './prose';
import { counted } from './words';

const SIGNS = { error: ['✗', 'bad'], warning: ['⚠', 'warn'], info: ['ℹ', 'muted'], hint: ['·', 'muted'] } as const;

function summary(problems: readonly Problem[]): string {
  const of = (severity: Problem['severity']): number => problems.filter((problem) => problem.severity === severity).length;
  const [errors, warnings] = [of('error'), of('warning')];
  const others = problems.length - errors - warnings;
  const parts = [...(errors > 0 ? [counted(errors, 'error')] : []), ...(warnings > 0 ? [counted(warnings, 'warning')] : []), ...(others > 0 ? [counted(others, 'hint')] : [])];
  return parts.join(', ') || 'none';
}

/** More problems than this are not listed. */
const MOST = 100;

function Line({ problem: { severity, message, code, line, column } }: { problem: Problem }) {
  const [sign, color] = SIGNS[severity];
  return (
    <li class="problem">
      <button type="button" class="problem-place" onClick={() => reveal(line, column)}>
        <span class={color} aria-hidden="true">{sign}</span>
        <span class="visually-hidden">{severity}: </span>
        <span class="grow problem-message"><Prose text={message} /></span>
        <span class="caption">{line}:{column}</span>
      </button>
      {code !== null && <button type="button" class="link code problem-code" title="Explain" onClick={() => void explain(code)}>{code}</button>}
    </li>
  );
}

export function Problems() {
  const problems = editor.value?.problems.value ?? [];
  const isBelowPanel = narrow.value && panelInView.value !== null;
  const open = problemsOpen.value && !isBelowPanel;
  const toggle = (): void => {
    problemsOpen.value = !open;
    if (isBelowPanel) editorShown.value = true;
  };
  return (
    <section class="problems" aria-label="Problems" id="problems">
      <h2>
        <button type="button" class="problems-head" aria-expanded={open} aria-controls="problems-list" onClick={toggle}>
          <span aria-hidden="true">{open ? '▾' : '▸'}</span> Problems <span class="caption" role="status">{summary(problems)}</span>
        </button>
      </h2>
      <ul id="problems-list" class="plain" hidden={!open}>
        {problems.slice(0, MOST).map((problem, index) => <Line key={index} problem={problem} />)}
        {problems.length > MOST && <li class="muted problem-more">{counted(problems.length - MOST, 'more problem')}.</li>}
      </ul>
    </section>
  );
}
