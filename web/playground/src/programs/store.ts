// The user's own programs. Changes are in memory first, then in the database. Those that it does not have when the page closes go to
// the journal.
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { Database } from './database';
import { forget, forgetEntry, readJournal, writeJournal, type Entry } from './journal';
import { readLast, writeLast } from './last';
import { freeName, merged, otherName, type Change, type Kept, type Saved } from './program';
import { randomId, Tabs } from './tabs';

export type { Saved };
type New = Pick<Saved, 'name' | 'text'> & Partial<Pick<Saved, 'original' | 'prompt'>>;
export type Listed = Omit<Saved, 'text' | 'original'>;

/** The most ms until a change is written. */
const PAUSE = 200;

const NO_DATABASE = 'This browser keeps no data for this page, for example because the window is private. Save to disk what you want to keep.';

const DAMAGED = 'The browser has damaged data of this page. It stays as it is, and the list lacks the programs that cannot be read.';

export async function openPrograms(): Promise<Programs> {
  let database: Database | null = null;
  let found: (Kept | null)[] = [];
  try {
    database = await Database.open();
    found = await database.all();
  } catch {
    database = null;
  }
  const store = new Programs(database, found);
  await store.recover();
  return store;
}

export class Programs {
  /** The newest first. */
  readonly list: ReadonlySignal<readonly Listed[]>;
  /** A message for the user, with a remedy. */
  readonly problem: ReadonlySignal<string | null>;
  /** Whether the open program is open in another tab, too. */
  readonly otherTab: ReadonlySignal<boolean>;
  /** The id of the open program. It changes when the text becomes a copy because another tab has changed the program. */
  readonly open: ReadonlySignal<string | null>;
  /** The id of the program that was open last. */
  last = readLast();

  private readonly listed = signal<ReadonlyMap<string, Listed>>(new Map());
  private readonly failure = signal<string | null>(null);
  private readonly notice = signal<string | null>(null);
  private readonly tabs = new Tabs((id) => void this.refresh(id));
  /** Programs as this tab last read or wrote them. */
  private readonly known = new Map<string, Kept>();
  /** Changes that the database does not have. */
  private readonly pending = new Map<string, Change>();
  /** The ids of copies by those of their programs. */
  private readonly copies = new Map<string, string>();
  private readonly removed = new Set<string>();
  private writing: Promise<void> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `found` are all programs, with null for each that is damaged. */
  constructor(private readonly database: Database | null, found: readonly (Kept | null)[]) {
    const programs = found.filter((program) => program !== null);
    const damaged = programs.length < found.length ? DAMAGED : null;
    this.list = computed(() => [...this.listed.value.values()].sort((left, right) => right.changed - left.changed));
    this.problem = computed(() => this.failure.value ?? this.notice.value ?? damaged);
    this.otherTab = this.tabs.share;
    this.open = this.tabs.open;
    this.listed.value = new Map(programs.map((program) => [program.id, entryOf(program)]));
    if (database === null) this.failure.value = NO_DATABASE;
    document.addEventListener('visibilitychange', () => { if (document.hidden) this.hide(); });
    addEventListener('pagehide', () => this.hide());
    addEventListener('beforeunload', (event) => { if (!this.hide()) event.preventDefault(); });
  }

  async load(id: string): Promise<Saved | null> {
    // From now on, the id means the program itself again.
    this.copies.delete(id);
    if (!this.pending.has(id)) {
      const stored = await this.database?.get(id).catch(() => undefined);
      if (stored && !this.pending.has(id)) this.known.set(id, stored);
    }
    return this.known.has(id) ? saved(this.wholeOf(id)) : null;
  }

  /** Adds a program, which is written soon. Its name gets a number if another program has it. */
  add({ name, text, original = null, prompt = null }: New): Saved {
    const id = randomId();
    const program = { id, name: freeName(name, this.names()), text, original, prompt, changed: Date.now(), revision: 0 };
    this.known.set(id, program);
    this.show(program);
    this.save(id, { text });
    return saved(program);
  }

  /** Adds a program, and resolves when it is written. */
  async create(program: New): Promise<Saved> {
    const { id } = this.add(program);
    await this.flush();
    return saved(this.wholeOf(id));
  }

  /** Writes soon, and at once when the page is hidden. */
  save(id: string, change: Change): void {
    const own = this.current(id);
    if (this.removed.has(own)) return;
    this.pending.set(own, { ...this.pending.get(own), ...change });
    this.timer ??= setTimeout(() => void this.flush(), PAUSE);
  }

  async remove(id: string): Promise<void> {
    const own = this.current(id);
    this.removed.add(own);
    this.pending.delete(own);
    this.known.delete(own);
    forget(own, this.tabs.own);
    this.unlist(own);
    await this.writing;
    try {
      await this.database?.remove(own);
      this.tabs.changed(own);
    } catch (error) {
      this.notice.value = `The program could not be deleted: ${reason(error)}`;
    }
    // There may be room for others now.
    await this.flush();
  }

  /** Notes which program is open. */
  opened(id: string): void {
    const own = this.current(id);
    this.notice.value = null;
    this.tabs.opened(own);
    writeLast(own);
  }

  /** Takes over what tabs could not write before they closed. */
  async recover(): Promise<void> {
    for (const entry of readJournal()) await this.take(entry);
  }

  private async take({ key, known, change }: Entry): Promise<void> {
    const text = change.text ?? (await this.textOf(known.id));
    // Without a text there is nothing to change.
    if (text === undefined) return;
    const copy = change.text === undefined ? undefined : await this.writtenCopy({ ...known, ...change, text });
    if (copy) {
      if (this.last === known.id) this.last = copy.id;
      forgetEntry(key);
      return;
    }
    // If it stays in memory and so does another change of the program, it gets an id of its own.
    const id = this.pending.has(known.id) ? randomId() : known.id;
    const name = id === known.id ? known.name : otherName(known.name);
    this.known.set(id, { ...known, id, name, text });
    this.pending.set(id, change);
    await this.flush();
    // What the database still does not have is now in the care of this tab.
    if (!this.pending.has(id) || this.writeJournal()) forgetEntry(key);
  }

  /** The copy that a tab could still write while it closed, if another one has changed the program. */
  private async writtenCopy({ id, name, text, prompt, revision }: Kept): Promise<Kept | undefined> {
    const all = ((await this.database?.all().catch(() => [])) ?? []).filter((program) => program !== null);
    const isChanged = all.some((program) => program.id === id && program.revision !== revision);
    const isCopy = (program: Kept) => program.name === otherName(name) && program.text === text && program.prompt === prompt;
    return isChanged ? all.find(isCopy) : undefined;
  }

  private async textOf(id: string): Promise<string | undefined> {
    return (await this.database?.get(id).catch(() => undefined))?.text;
  }

  private current(id: string): string {
    return this.copies.get(id) ?? id;
  }

  private names(): string[] {
    return [...this.listed.value.values()].map(({ name }) => name);
  }

  /** A known program with its pending change. */
  private wholeOf(id: string): Kept {
    const known = this.known.get(id);
    if (!known) throw new Error('the program is unknown');
    return { ...known, ...this.pending.get(id) };
  }

  private flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(async () => {
      for (const id of [...this.pending.keys()]) await this.write(id);
      if (this.database && this.pending.size === 0) this.failure.value = null;
    });
    return this.writing;
  }

  private async write(id: string): Promise<void> {
    const change = this.pending.get(id);
    if (!change) return;
    const known = this.known.get(id);
    if (this.database === null) return this.show(known && this.wholeOf(id));
    let written: Kept | null;
    try {
      written = await this.database.change(id, (current) => merged(current, known, change, Date.now(), randomId()));
    } catch (error) {
      this.fail(id, error);
      return;
    }
    if (this.removed.has(id)) return;
    const later = this.pending.get(id);
    this.pending.delete(id);
    forget(id, this.tabs.own);
    if (!written) return;
    this.known.set(written.id, written);
    if (later && later !== change) this.pending.set(written.id, later);
    if (written.id !== id) this.copied(id, written);
    this.show(written);
    this.tabs.changed(written.id);
  }

  /** A change has become a copy. */
  private copied(id: string, { id: copy, name }: Kept): void {
    for (const [from, to] of this.copies) if (to === id) this.copies.set(from, copy);
    this.copies.set(id, copy);
    this.known.delete(id);
    if (this.tabs.open.value === id) this.opened(copy);
    // A change from the journal is what the user has seen last.
    if (this.last === id) this.last = copy;
    this.notice.value = `Another tab has changed the same program. Your text is now “${name}”, and the other one is in the list.`;
    void this.refresh(id);
  }

  private fail(id: string, error: unknown): void {
    const known = this.known.get(id);
    this.show(known && this.wholeOf(id));
    const name = known ? `“${this.wholeOf(id).name}”` : 'The program';
    this.failure.value = isFull(error)
      ? `The browser has no space left for ${name}. It stays on this page until you close it: save it to disk, or delete programs that you no longer need.`
      : `The browser could not keep ${name} (${reason(error)}). It stays on this page until you close it: save it to disk, or reload.`;
  }

  /** Another tab has saved or deleted a program. */
  private async refresh(id: string): Promise<void> {
    const stored = await this.database?.get(id).catch(() => undefined);
    const known = this.known.get(id);
    if (!stored) {
      if (!known) this.unlist(id);
      return;
    }
    this.show(stored);
    if (this.tabs.open.value !== id || !known || known.revision === stored.revision) return;
    if (known.text === stored.text) this.known.set(id, stored);
    else {
      this.notice.value = `Another tab has changed “${stored.name}”. Reload the page to see its text. If you go on here, your text becomes “${otherName(stored.name)}”.`;
    }
  }

  /** Saves while the page may end. Returns whether all changes survive it. */
  private hide(): boolean {
    const isKept = this.writeJournal();
    void this.flush();
    return isKept;
  }

  private writeJournal(): boolean {
    const changes = [...this.pending].flatMap(([id, change]): [Kept, Change][] => {
      const known = this.known.get(id);
      return known ? [[known, change]] : [];
    });
    return writeJournal(this.tabs.own, changes);
  }

  private show(program: Kept | undefined): void {
    if (program) this.listed.value = new Map(this.listed.value).set(program.id, entryOf(program));
  }

  private unlist(id: string): void {
    const listed = new Map(this.listed.value);
    if (listed.delete(id)) this.listed.value = listed;
  }
}

const entryOf = ({ id, name, changed, prompt }: Kept): Listed => ({ id, name, changed, prompt });
const saved = ({ revision: _, ...program }: Kept): Saved => program;
const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError';
const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
