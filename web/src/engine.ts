// Two instances of the module: one has the runs that are shown, the other computes the next ones.
import { Instance, Trap } from './module';
import type { Answers, Machine, PageData, PagePrompt, Program, Request, Run, SetValue } from './protocol';

/** A run to compute for a slot. Slot 0 is shown, and slot 1 is compared with it. */
export interface RunRequest {
  prompt: PagePrompt;
  machine: Machine;
  /** The continuation that the user expects. A test has its own. */
  gold?: string;
  /** Layers that write nothing, in ascending order. */
  ablated?: number[];
  /** Values that the run has in place of its own. */
  set?: SetValue[];
}

export const testOf = (prompt: PagePrompt | undefined): number | null =>
  (typeof prompt === 'object' && 'test' in prompt ? prompt.test : null);

/** Whether a program has the test that a run names, if any. */
export const exists = ({ prompt }: RunRequest, { tests }: Program): boolean => (testOf(prompt) ?? -1) < tests.length;

/** A program and, if there is one, another version of it. */
interface Versions { program: Program; against: Program | null }

/** A program with its runs. */
export interface State extends Versions { runs: (Run | null)[] }

/** The pause before a new spare is created, in ms. */
const AFTER = 150;

/** The most values of a grid that comes with its run, as one tile. */
export const WHOLE = 20_000;

/** The state to compute: a program, the runs in its slots, and the registers that the grid shows. The run of another version has the prompt of the first run. */
export interface Wanted { data: Pick<PageData, 'text' | 'stop' | 'prompts' | 'against'>; runs: (RunRequest | null)[]; registers: number[] }

async function openVersions(instance: Instance, { text, stop, prompts, against }: Wanted['data']): Promise<Versions> {
  const program = await instance.ask({ op: 'open', text, prompts, ...(stop === undefined ? {} : { stop }) });
  if (!against) return { program, against: null };
  const { stop: other } = against;
  const version = { op: 'open' as const, slot: 1 as const, text: against.text, prompts: against.prompts };
  return { program, against: await instance.ask({ ...version, ...(other === undefined ? {} : { stop: other }) }) };
}

/** The same prompt for another version, without ablations and set values. Its test may have another index there, or be missing. */
function inVersion(run: RunRequest | null, { program, against }: Versions): RunRequest | null {
  if (run === null) return null;
  const { prompt, machine } = run;
  const index = testOf(prompt);
  if (index === null) return { prompt, machine };
  const test = program.tests[index];
  if (!test) return null;
  if (test.prompt !== null) return { prompt: test.prompt, machine };
  const same = against?.tests.findIndex(({ file }) => file === test.file) ?? -1;
  return same < 0 ? null : { prompt: { test: same }, machine };
}

/**
 * Computes a new program or prompt in a spare instance while the current one answers. After a success, the spare becomes the
 * current one. So an endless run or a trap costs only the spare.
 */
export class Engine {
  private current: Instance | undefined;
  private spare: Instance | undefined;
  /** The data that the spare has open, so that it does not open it again. */
  private opened: { key: string; versions: Versions } | undefined;
  private wanted: Wanted | undefined;
  /** The latest computation. Older ones are dropped even if they end later. */
  private latest = 0;

  /** Computes a state. Resolves to null if a later call replaces it. */
  async compute(wanted: Wanted): Promise<State | null> {
    const turn = ++this.latest;
    this.stop();
    const spare = (this.spare ??= new Instance());
    try {
      const versions = await this.open(spare, wanted);
      const { program, against } = versions;
      const [first = null, second = null] = wanted.runs;
      const runs: (Run | null)[] = [];
      for (const [slot, run] of [first, against ? inVersion(first, versions) : second].entries()) {
        const version = slot === 1 && against ? against : program;
        const can = run && version.error === null && exists(run, version);
        if (!can) { runs.push(null); continue; }
        const { prompt, machine, ablated, set } = run;
        const tile = slot === 0 ? { tile: { registers: wanted.registers, most: WHOLE } } : {};
        runs.push(await spare.ask({ op: 'run', slot, prompt, machine, ...tile, ...(ablated ? { ablated } : {}), ...(set ? { set } : {}) }));
      }
      if (turn !== this.latest) return null;
      this.current?.end();
      this.current = spare;
      this.wanted = wanted;
      this.busy = false;
      this.spare = undefined;
      this.opened = undefined;
      // A new worker would delay showing the answer, so it starts later.
      setTimeout(() => { if (!this.spare) this.renew(); }, AFTER);
      return { ...versions, runs };
    } catch (failure) {
      if (turn !== this.latest) return null;
      this.busy = false;
      this.spare?.end();
      this.renew();
      throw failure;
    }
  }

  private busy = false;

  /** Ends the current computation. */
  stop(): void {
    if (this.busy) {
      this.spare?.end();
      this.renew();
    }
  }

  private async open(spare: Instance, { data }: Wanted): Promise<Versions> {
    this.busy = true;
    const key = JSON.stringify(data);
    if (this.opened?.key === key) return this.opened.versions;
    const versions = await openVersions(spare, data);
    this.opened = { key, versions };
    return versions;
  }

  /** Starts a spare and opens the current program in it. */
  private renew(): void {
    const spare = (this.spare = new Instance());
    this.opened = undefined;
    const wanted = this.wanted;
    if (wanted) {
      void openVersions(spare, wanted.data).then((versions) => {
        if (this.spare === spare && !this.busy) this.opened = { key: JSON.stringify(wanted.data), versions };
      }, () => undefined);
    }
  }

  /** Ends what is being asked about the shown runs, which must be computed again. */
  interrupt(): void {
    this.current?.end();
  }

  /** Asks about the shown runs. After a trap, asks again in a new instance. */
  async ask<R extends Request>(request: R): Promise<Answers[R['op']]> {
    const asked = this.current;
    if (asked === undefined) throw new Error('nothing has run yet');
    try {
      return await asked.ask(request);
    } catch (failure) {
      if (!(failure instanceof Trap) || this.wanted === undefined) throw failure;
      if (this.current === asked) await this.compute(this.wanted);
      if (this.current === undefined) throw failure;
      return this.current.ask(request);
    }
  }
}
