// The instances of the module: one holds the shown runs, the other computes the next ones.
import { Instance, Trap } from './module';
import type { Answers, Machine, PageData, Program, Prompt, Request, Run } from './protocol';

/** A run of the program in a slot: 0 is shown, 1 is compared with it. */
export interface RunRequest {
  prompt: Prompt;
  machine: Machine;
  /** The continuation that the user expects. A test has its own. */
  gold?: string;
  /** The layers that write nothing, ascending. */
  ablated?: number[];
}

export const testOf = (prompt: Prompt | undefined): number | null =>
  (typeof prompt === 'object' && 'test' in prompt ? prompt.test : null);

/** Whether a program has the test of a run, if it is one. */
export const exists = ({ prompt }: RunRequest, { tests }: Program): boolean => (testOf(prompt) ?? -1) < tests.length;

/** A program with its runs. */
export interface State { program: Program; runs: (Run | null)[] }

/** The pause before a new spare is made, in ms. */
const AFTER = 150;

/** What to compute: a program and the runs in its slots. */
export interface Wanted { data: Pick<PageData, 'text' | 'stop' | 'prompts'>; runs: (RunRequest | null)[] }

/**
 * A new program or prompt is computed by a spare instance while the current one continues to answer. If it succeeds, the
 * two change places: a run without end or a trap costs only the spare.
 */
export class Engine {
  private current: Instance | undefined;
  private spare: Instance | undefined;
  /** The text that the spare has open, to open each once. */
  private opened: { key: string; program: Program } | undefined;
  private wanted: Wanted | undefined;
  /** The latest computation. An older one that ends later is dropped. */
  private latest = 0;

  /** Computes a state. Resolves to null if a later call replaced it. */
  async compute(wanted: Wanted): Promise<State | null> {
    const turn = ++this.latest;
    this.stop();
    const spare = (this.spare ??= new Instance());
    try {
      const program = await this.open(spare, wanted);
      const runs: (Run | null)[] = [];
      for (const [slot, run] of wanted.runs.entries()) {
        const can = run && program.error === null && exists(run, program);
        if (!can) { runs.push(null); continue; }
        const { prompt, machine, ablated } = run;
        runs.push(await spare.ask({ op: 'run', slot, prompt, machine, ...(ablated ? { ablated } : {}) }));
      }
      if (turn !== this.latest) return null;
      this.current?.end();
      this.current = spare;
      this.wanted = wanted;
      this.busy = false;
      this.spare = undefined;
      this.opened = undefined;
      // The answer is shown first: a new worker takes time that it needs.
      setTimeout(() => { if (!this.spare) this.renew(); }, AFTER);
      return { program, runs };
    } catch (failure) {
      if (turn !== this.latest) return null;
      this.busy = false;
      this.spare?.end();
      this.renew();
      throw failure;
    }
  }

  private busy = false;

  /** Ends the computation under way. */
  stop(): void {
    if (this.busy) {
      this.spare?.end();
      this.renew();
    }
  }

  private async open(spare: Instance, { data }: Wanted): Promise<Program> {
    this.busy = true;
    const key = JSON.stringify(data);
    if (this.opened?.key === key) return this.opened.program;
    const { text, stop, prompts } = data;
    const program = await spare.ask({ op: 'open', text, prompts, ...(stop === undefined ? {} : { stop }) });
    this.opened = { key, program };
    return program;
  }

  /** Starts a spare that has the current program open already. */
  private renew(): void {
    const spare = (this.spare = new Instance());
    this.opened = undefined;
    const wanted = this.wanted;
    if (wanted) {
      const { text, stop, prompts } = wanted.data;
      void spare.ask({ op: 'open', text, prompts, ...(stop === undefined ? {} : { stop }) }).then((program) => {
        if (this.spare === spare && !this.busy) this.opened = { key: JSON.stringify(wanted.data), program };
      }, () => undefined);
    }
  }

  /** Asks about the shown runs. After a trap, a new instance takes over and is asked again. */
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
