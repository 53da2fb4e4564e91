// The effects of values of the second run in the first one: rows are layers and passes, columns are cells of the prompt.
import type { RunRequest } from '../engine';
import type { PatchEffect, Patches, Run } from '../protocol';
import { compute, program, useAnswer, wantedRuns } from '../store';
import { paintNumber } from '../transformer/colors';
import { Matrix } from '../transformer/matrix';
import { Prose, sentence } from '../transformer/prose';
import { rowName } from '../why/words';
import { aligned, patched } from './patched';

/** The maximum width, and the sizes of an entry. */
const SIDE = 700;
const LARGEST = 16;
const SMALLEST = 6;

export function PatchMap({ runs: [first, second] }: { runs: [Run, Run] }) {
  if (patched.value === null) {
    return (
      <section class="row" aria-label="Patches">
        <button type="button" onClick={() => { patched.value = ''; }}>Patch each value</button>
        <span class="caption">Put the values of the second run into the first one, one at a time, and see which of them change the continuation.</span>
      </section>
    );
  }
  const sameLength = first.promptCells === second.promptCells;
  return (
    <section class="stack" aria-label="Patches">
      {!sameLength && <Alignment first={first} second={second} />}
      {(sameLength || aligned.value !== '') && <Measured run={first} align={sameLength ? {} : { align: aligned.value }} />}
    </section>
  );
}

function Alignment({ first, second }: { first: Run; second: Run }) {
  return (
    <label class="field">
      <span>Cells that correspond: the prompts have {first.promptCells} and {second.promptCells}</span>
      <input
        type="text" placeholder="1-3:1-3,4:6" spellcheck={false} autocomplete="off" value={aligned.value}
        onChange={(event) => { aligned.value = event.currentTarget.value.trim(); }}
      />
    </label>
  );
}

function Measured({ run, align }: { run: Run; align: { align?: string } }) {
  const registers = program.value?.registers ?? [];
  const register = registers.findIndex(({ long }) => long === patched.value);
  const { answer, error } = useAnswer({ op: 'patch', ...align, ...(register < 0 ? {} : { register }) });
  if (error !== null) {
    return (
      <>
        <p class="message bad"><Prose text={sentence(error)} /></p>
        {register >= 0 && <button type="button" onClick={() => { patched.value = ''; }}>Choose another register</button>}
      </>
    );
  }
  if (answer === null) return <p class="running">Running the patches…</p>;
  if (answer.places.every((count) => count === 0)) return <p>The runs have the same value at each place that is compared.</p>;
  return <EffectMap run={run} answer={answer} />;
}

function EffectMap({ run, answer }: { run: Run; answer: Patches }) {
  const registers = program.value?.registers ?? [];
  const name = registers[answer.register]?.long ?? '';
  const { rows, effects } = answer;
  const count = run.promptCells;
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(SIDE / Math.max(1, count))));
  const most = Math.max(1, ...effects.map(({ changes }) => changes ?? 0));
  const byPlace = new Map(effects.map((effect) => [`${effect.row} ${effect.cell}`, effect]));
  const effectAt = (row: number, column: number): PatchEffect | undefined => byPlace.get(`${row} ${column + 1}`);
  const changing = effects.filter(({ changes }) => changes !== 0);
  const restoring = effects.filter(({ restores }) => restores).length;
  const wanted = wantedRuns.value[0];
  const opened = effects.find((effect) => isOpen(wanted, answer, name, effect));
  const first = opened ?? changing[0] ?? effects[0];
  const describe = (row: number, column: number): string => {
    const at = rows[row];
    const effect = effectAt(row, column);
    return at === undefined ? '' : `${rowName(at)}, cell ${column + 1}: ${effect ? words(effect, name) : 'the same value in both runs'}`;
  };
  return (
    <div class="beside">
      <Matrix
        {...(first === undefined ? {} : { start: { row: first.row, column: first.cell - 1 } })}
        {...(opened === undefined ? {} : { marked: { row: opened.row, column: opened.cell - 1 } })}
        label={`Effects of patches of ${name}, ${rows.length} layers and passes by ${count} cells.`} file={`patches-${name}`}
        rows={rows.length} columns={count} width={size} height={12}
        rowLabel={(row) => { const at = rows[row]; return at ? [at.layer, ...at.pass].join('.') : ''; }}
        columnLabel={(column) => `${column + 1} ${run.symbols[column] ?? ''}`}
        describe={describe}
        onPick={({ row, column }) => {
          const [at, effect] = [rows[row], effectAt(row, column)];
          if (!wanted || !at || !effect) return;
          const place = { ...at, cell: effect.cell, register: name, value: effect.value };
          void compute([{ ...wanted, set: [place] }, wantedRuns.value[1] ?? null]);
        }}
        paint={(context, { row, column, x, y, width, height }, colors) => {
          const effect = effectAt(row, column);
          if (effect === undefined) return;
          const box = { x: x + 1, y: y + 1, width: width - 1, height: height - 1 };
          context.fillStyle = effect.restores ? colors.negative : colors.shade;
          context.fillRect(box.x, box.y, box.width, box.height);
          if (!effect.restores) paintNumber(context, box, effect.changes ?? most, most, colors);
        }}
      />
      <aside aria-label="About the patches">
        <h3>Patches</h3>
        <label class="field">
          <span>Register</span>
          <select value={name} onChange={({ currentTarget }) => { patched.value = currentTarget.value; }}>
            {registers.map(({ long }, index) => ((answer.places[index] ?? 0) > 0
              ? <option key={long} value={long}>{long} ({answer.places[index]})</option>
              : null))}
          </select>
        </label>
        <p>
          {changing.length} of {effects.length} patches change the continuation,
          {' '}{restoring === 0 ? 'none restores' : restoring === 1 ? '1 restores' : `${restoring} restore`} that of the second run.
        </p>
        <p class="caption">
          Each row is a layer and its passes, each column a cell. A square is a value that is different in the second run{wanted?.set ? ', compared with the first run without its set values' : ''}.
          A patch puts it into the first run right after the layer. Select a square to open that run.
        </p>
        <ul class="plain marks" aria-label="Legend">
          <li><span class="square hidden" />no effect</li>
          <li><span class="square some" />changes the continuation, the darker, the more of its symbols</li>
          <li><span class="square differs" />restores that of the second run</li>
        </ul>
        <button type="button" onClick={() => { patched.value = null; }}>Close the patches</button>
      </aside>
    </div>
  );
}

/** Whether the first run is that of this patch. */
function isOpen(wanted: RunRequest | null | undefined, { rows }: Patches, name: string, effect: PatchEffect): boolean {
  const [set] = wanted?.set ?? [];
  const row = rows[effect.row];
  return wanted?.set?.length === 1 && set?.register === name && set.cell === effect.cell && set.layer === row?.layer && String(set.pass) === String(row.pass);
}

function words({ before, value, continuation, changes, restores, error }: PatchEffect, name: string): string {
  const effect = error !== null ? `the run fails: ${error}`
    : restores ? 'restores the continuation of the second run'
    : changes === 0 ? 'no effect' : `changes the continuation to ${continuation.join(' ')}`;
  return `${name} ${before ?? '∅'} becomes ${value ?? '∅'}, ${effect}`;
}
