// The last runs with their results. They are stored across sessions.
import { EventEmitter, type Memento } from 'vscode';
import type { RunResult } from './protocol';

export interface Run {
  uri: string;
  prompt: string;
  continuation: string;
  stopped: RunResult['stopped'];
  seconds: number;
  /** The time of the run, in milliseconds since 1970. */
  when: number;
}

const KEY = 'psl.runs';
const MOST = 20;

export class RunHistory {
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly memento: Memento) {}

  /** The runs, newest first. */
  get runs(): readonly Run[] {
    return this.memento.get<Run[]>(KEY, []);
  }

  /** The prompts of a program without duplicates. */
  prompts(uri: string): string[] {
    return [...new Set(this.runs.filter((run) => run.uri === uri).map((run) => run.prompt))];
  }

  /** Adds a run. It replaces an earlier run of the same prompt with the same program. */
  async add(run: Run): Promise<void> {
    const others = this.runs.filter(({ uri, prompt }) => uri !== run.uri || prompt !== run.prompt);
    await this.memento.update(KEY, [run, ...others].slice(0, MOST));
    this.changed.fire();
  }

  async clear(): Promise<void> {
    await this.memento.update(KEY, []);
    this.changed.fire();
  }
}
