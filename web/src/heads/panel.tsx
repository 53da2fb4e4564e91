// The schedule of the program, and the codes of one of its layers in the run.
import { program, run, useAnswer } from '../store';
import '../transformer/transformer.css';
import { limit } from './chosen';
import { CodesView } from './codes';
import './heads.css';
import { PlanPicture } from './picture';

export function HeadsPanel() {
  const known = program.value;
  const { answer: schedule, error } = useAnswer(known === null || known.error !== null ? null : { op: 'schedule', ...limited() });
  if (known?.error != null) return <p class="empty">This program has errors, so it has no schedule.</p>;
  if (error !== null) return <p class="message bad">{error}</p>;
  if (schedule === null) return null;
  if (schedule.layers.length === 0) return <p class="empty">This program has no productions to schedule.</p>;
  return (
    <div class="heads transformer">
      <section class="stack" aria-label="Schedule">
        <div class="row">
          <p class="grow" role="status">{schedule.summary}</p>
          <label class="field">
            <span>Heads per layer, at most</span>
            <input
              type="number" min={1} step={1} placeholder="any" value={limit.value ?? ''}
              onChange={({ currentTarget: { value } }) => { limit.value = Number.parseInt(value, 10) > 0 ? Number.parseInt(value, 10) : null; }}
            />
          </label>
        </div>
        <PlanPicture schedule={schedule} />
        <p class="caption">
          Productions in one row do not affect each other, so they can be the heads of one layer. A line is a register that flows from one head to
          another. Those with a thick frame wait for each other. Select a head to go to its production.
        </p>
      </section>
      <CodesView schedule={schedule} run={run.value} limited={limited()} />
    </div>
  );
}

const limited = (): { limit?: number } => (limit.value === null ? {} : { limit: limit.value });
