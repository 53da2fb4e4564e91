// The panel that explains the selected update.
import type { ComponentChildren } from 'preact';
import type { Layer, Program, Run, UpdateDetail } from '../protocol';
import { ablate, ablatedIn, layerOf, programOf, run as shownRun, running, runs, selected, useAnswer, type Place } from '../store';
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
import { WhyNot } from './why-not';
import { longName, rowNameAt, symbolOf, type Sentence } from './words';
import './why.css';

export function WhyPanel() {
  const place = selected.value;
  const known = programOf(place?.slot ?? 0);
  const run = place === null ? shownRun.value : runs.value[place.slot];
  const asks = place !== null && run != null && place.cell <= run.symbols.length && (place.row ?? -1) < run.rows.length;
  // The first row knows the registers at the start.
  const request = asks && run.rows.length > 0 ? { op: 'update' as const, slot: place.slot, row: place.row ?? 0, cell: place.cell } : null;
  const { answer, error } = useAnswer(request);
  if (!asks || known === null) {
    return (
      <div class="why">
        <p class="empty">Select a cell in the grid: a column is a cell, a row is a layer. This panel explains what the layer does there, and why.</p>
      </div>
    );
  }
  if (place.row === null) {
    const start = answer?.row === 0 && answer.cell === place.cell && !answer.rests ? answer.before : null;
    return (
      <div class="why">
        <Title place={place} run={run} layer={null} />
        <Summary events={explainStart(run, known, place.cell)} notes={[]} />
        {start !== null && <Start values={start} program={known} />}
        <Values place={place} update={null} program={known} run={run} />
      </div>
    );
  }
  // Until the next answer comes, the last one is shown under its own title.
  const layer = answer === null ? null : layerOf(answer.layer, place.slot);
  const at: Place = answer === null ? place : { slot: place.slot, row: answer.row, cell: answer.cell };
  return (
    <div class="why">
      <Title place={at} run={run} layer={layer} />
      {error !== null && <p class="message bad">{error}</p>}
      {answer !== null && layer !== null && (
        <>
          <Update place={at} update={answer} layer={layer} program={known} run={run} />
          <Values place={at} update={answer} program={known} run={run} />
        </>
      )}
    </div>
  );
}

function Title({ place: { row, cell }, run, layer }: { place: Place; run: Run; layer: Layer | null }) {
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

interface Shown { place: Place; update: UpdateDetail; layer: Layer; program: Program; run: Run }

function Update({ place, update, layer, program, run }: Shown) {
  const { why, cell } = update;
  const ablated = ablatedIn(place.slot).includes(layer.number);
  return (
    <>
      <Summary {...explainUpdate(update, layer, program, ablated)} />
      <div class="sections">
        <Section title="Production">
          {place.slot === 0 && (
            <label>
              <input type="checkbox" checked={ablated} disabled={running.value} onChange={() => ablate(layer.number)} />
              Ablate layer {layer.number}: it attends, but writes nothing
            </label>
          )}
          <Production slot={place.slot} layer={layer} conditions={update.rests ? [] : (why?.conditions ?? [])} />
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
                ? <WhyNot place={place} update={update} layer={layer} run={run} />
                : <p class="caption">The production does not mention n. A cell attends to itself, or to none.</p>}
            </Section>
          </>
        )}
      </div>
    </>
  );
}

/** What the marks in the production are about. */
function marked({ attends, cell }: UpdateDetail, source: number): string {
  const pair = source === cell ? `N and n are both cell ${cell}` : `N is cell ${cell} and n is cell ${source}`;
  return attends === null && source !== cell ? `No cell matches. The marks are for the closest cell: ${pair}.` : `In the marks, ${pair}.`;
}

/** The history and the origin of a register: of the chosen one, else of one that the update sets. */
function Values({ place, update, program, run }: { place: Place; update: UpdateDetail | null; program: Program; run: Run }) {
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
        <Section title={`Where ${longName(program, register)} of cell ${place.cell} comes from`}>
          <Origin place={place} register={register} program={program} run={run} />
        </Section>
        <Section title={`History of ${longName(program, register)} in cell ${place.cell}`}>
          <History place={place} register={register} program={program} run={run} />
        </Section>
      </div>
    </div>
  );
}
