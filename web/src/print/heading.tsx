// The prompt and program that ran, at the top of the paper, since the toolbar is not printed.
import { data, machine, wantedRuns } from '../store';
import { machineName } from '../toolbar/machines';
import { ranPrompt } from '../toolbar/prompt';
import { printing } from './printing';

export function PaperHeading() {
  if (!printing.value || !wantedRuns.value[0]) return null;
  const { text, gold } = ranPrompt();
  return (
    <div class="paper-heading">
      <h1>{data.value.name}</h1>
      <dl>
        <dt>Prompt</dt><dd class="code">{text}</dd>
        {gold !== '' && <><dt>Expected</dt><dd class="code">{gold}</dd></>}
        <dt>Machine</dt><dd>{machineName(machine.value)}</dd>
      </dl>
    </div>
  );
}
