// The panel that explains the selected update.
import type { ComponentChildren } from 'preact';
import type { Layer, Program, Run, UpdateDetail } from '../protocol';
import { ablate, ablatedIn, layerOf, programOf, run as shownRun, running, runs, selected, useAnswer, type Coordinates } from '../store';
import { asked, chosen } from './asked';
import { Entries } from './entries';
import { explainStart, explainUpdate, type Explanation } from './explanation';
import { History } from './history';
import { Matches } from './matches';
import { Origin } from './origin';
import { Words } from './parts';
import { Production } from './production';
import { Registers, Start } from './registers';
import { Visited } from './visited';
import { Where } from './where';
import { WhyNot } from './why-not';
import { longName, rowNameAt, symbolOf, type Sentence } from './words';
import './why.css';

export function WhyPanel() {
  const at = selected.value;
  const known = programOf(at?.slot ?? 0);
  const run = at === null ? shownRun.value : runs.value[at.slot];
  const asks = at !== null && run != null && at.cell <= run.symbols.length && (at.row ?? -1) < run.rows.length;
  // For the start of a cell, the first update has its registers.
  const request = asks && run.rows.length > 0 ? { op: 'update' as const, slot: at.slot, row: at.row ?? 0, cell: at.cell } : null;
  const { answer, error } = useAnswer(request);
  if (!asks || known === null) {
    return (
      <div class="why">
        <p class="empty">Select a cell in the grid: a column is a cell, a row is a layer. This panel explains what the layer does there, and why.</p>
      </div>
    );
  }
  if (at.row === null) {
    const start = answer?.row === 0 && answer.cell === at.cell && !answer.rests ? answer.before : null;
    return (
      <div class="why">
        <Title at={at} run={run} layer={null} />
        <Where at={at} register={asked(null)} program={known} run={run} />
        <Summary events={explainStart(run, known, at.cell)} notes={[]} />
        {start !== null && <Start values={start} program={known} />}
        <Values at={at} update={null} program={known} run={run} />
      </div>
    );
  }
  // Until the next answer arrives, the last one is shown under its own title.
  const layer = answer === null ? null : layerOf(answer.layer, at.slot);
  const answered: Coordinates = answer === null ? at : { slot: at.slot, row: answer.row, cell: answer.cell };
  return (
    <div class="why">
      <Title at={answered} run={run} layer={layer} />
      {error !== null && <p class="message bad">{error}</p>}
      {answer !== null && layer !== null && (
        <>
          <Where at={answered} register={asked(answer)} program={known} run={run} />
          <Update at={answered} update={answer} layer={layer} program={known} run={run} />
          <Values at={answered} update={answer} program={known} run={run} />
        </>
      )}
    </div>
  );
}

function Title({ at: { row, cell }, run, layer }: { at: Coordinates; run: Run; layer: Layer | null }) {
  const start = symbolOf(run, cell);
  return (
    <div class="row why-title">
      <Visited />
      <h2 id="why-title" tabIndex={-1}>
        {`Cell ${cell}`}
        {start !== null && <> <span class="chip value">{start}</span></>}
        {`, ${rowNameAt(run, row)}`}
        {layer?.label != null && <span class="label">{` ${layer.label}`}</span>}
      </h2>
    </div>
  );
}

function Summary({ events, notes }: Explanation) {
  return (
    <div>
      <p class="summary"><Sentences of={events} /></p>
      {notes.length > 0 && <p class="caption"><Sentences of={notes} /></p>}
    </div>
  );
}

function Sentences({ of }: { of: Sentence[] }) {
  return <>{of.map((sentence, index) => <span key={index}><Words of={sentence} />{' '}</span>)}</>;
}

function Section({ title, children }: { title: ComponentChildren; children: ComponentChildren }) {
  return <section class="stack"><h3>{title}</h3>{children}</section>;
}

interface Shown { at: Coordinates; update: UpdateDetail; layer: Layer; program: Program; run: Run }

function Update({ at, update, layer, program, run }: Shown) {
  const { why, cell } = update;
  const ablated = ablatedIn(at.slot).includes(layer.number);
  return (
    <>
      <Summary {...explainUpdate(update, layer, program, ablated)} />
      <div class="sections">
        <Section title="Production">
          {at.slot === 0 && (
            <label>
              <input type="checkbox" checked={ablated} disabled={running.value} onChange={() => ablate(layer.number)} />
              Ablate layer {layer.number}: it attends, but writes nothing
            </label>
          )}
          <Production slot={at.slot} layer={layer} conditions={update.rests ? [] : (why?.conditions ?? [])} />
          {why !== null && !update.rests && <p class="caption">{marked(update, why.source)}</p>}
        </Section>
        {!update.rests && (
          <>
            <Section title={`What cell ${cell} writes`}>
              <Registers update={update} program={program} />
            </Section>
            {why !== null && (
              <Section title="Query and key">
                <Entries entries={update.entries} cell={cell} source={why.source} unmatched={update.attends === null} />
              </Section>
            )}
            {layer.bindsN && <Section title="Matching cells"><Matches update={update} layer={layer} run={run} /></Section>}
            <Section title="Why not another cell?">
              {layer.bindsN
                ? <WhyNot at={at} update={update} layer={layer} run={run} />
                : <p class="caption">The production does not mention n. A cell attends to itself, or to none.</p>}
            </Section>
          </>
        )}
      </div>
    </>
  );
}

/** A caption for the marks in the production. */
function marked({ attends, cell }: UpdateDetail, source: number): string {
  const pair = source === cell ? `N and n are both cell ${cell}` : `N is cell ${cell} and n is cell ${source}`;
  return attends === null && source !== cell ? `No cell matches. The marks are for the closest cell: ${pair}.` : `In the marks, ${pair}.`;
}

/** The history and origin of a register: the chosen one, or one that the update sets. */
function Values({ at, update, program, run }: { at: Coordinates; update: UpdateDetail | null; program: Program; run: Run }) {
  const register = asked(update);
  const choose = (value: string): void => { chosen.value = value === '' ? null : Number(value); };
  return (
    <div class="values" id="traced">
      <label class="field">
        <span>Register to trace</span>
        <select value={chosen.value ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          <option value="">one set here</option>
          {program.registers.map(({ long }, index) => <option key={index} value={index}>{long}</option>)}
        </select>
      </label>
      <div class="sections">
        <Section title={`Where ${longName(program, register)} of cell ${at.cell} comes from`}>
          <Origin at={at} register={register} program={program} run={run} />
        </Section>
        <Section title={`History of ${longName(program, register)} in cell ${at.cell}`}>
          <History at={at} register={register} program={program} run={run} />
        </Section>
      </div>
    </div>
  );
}
