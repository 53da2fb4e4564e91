// The errors and warnings of the program, with their help.
import type { Diagnostic } from '../protocol';
import { program } from '../store';
import { Prose } from '../transformer/prose';
import { goToDiagnostic } from './link';

/** The listed diagnostics. */
const MOST = 20;

export function Diagnostics() {
  const of = (severity: Diagnostic['severity']): Diagnostic[] => (program.value?.diagnostics ?? []).filter((found) => found.severity === severity);
  const errors = of('error');
  const serious = [...errors, ...of('warning')];
  if (serious.length === 0) return null;
  return (
    <div class="diagnostics" role={errors.length > 0 ? 'alert' : undefined}>
      <ul class="plain" aria-label="Diagnostics">
        {serious.slice(0, MOST).map((diagnostic, index) => (
          <li key={index} class={diagnostic.severity === 'error' ? 'message bad' : 'message warn'}>
            <button type="button" class="link" onClick={() => goToDiagnostic(diagnostic)}>Line {diagnostic.line}</button>{': '}<Prose text={diagnostic.message} />
            {diagnostic.help !== undefined && <p>Help: <Prose text={diagnostic.help} /></p>}
          </li>
        ))}
        {serious.length > MOST && <li class="message">{`… ${serious.length - MOST} more`}</li>}
      </ul>
    </div>
  );
}
