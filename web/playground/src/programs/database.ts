// The programs in IndexedDB, with promises.
import { keptIn } from './kept';
import type { Kept } from './program';

const NAME = 'psl-playground';
const STORE = 'programs';
/** The version of the database's form. */
const VERSION = 1;
/** The most ms to wait for it: some browsers never answer. */
const PATIENCE = 3000;

export class Database {
  private constructor(private readonly database: IDBDatabase) {}

  /** Rejects if the browser has none, blocks it, or a newer version of the page has changed its form. */
  static open(): Promise<Database> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), PATIENCE);
      const request = indexedDB.open(NAME, VERSION);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        clearTimeout(timer);
        // A newer version of the page, in another tab, waits for this.
        request.result.onversionchange = () => request.result.close();
        resolve(new Database(request.result));
      };
    });
  }

  /** All programs. Those that are damaged are null. */
  all(): Promise<(Kept | null)[]> {
    return this.transaction('readonly', (store, give: (found: (Kept | null)[]) => void) => {
      const request: IDBRequest<unknown[]> = store.getAll();
      request.onsuccess = () => give(request.result.map(keptIn));
    });
  }

  get(id: string): Promise<Kept | undefined> {
    return this.transaction('readonly', (store, give: (found: Kept | undefined) => void) => {
      const request: IDBRequest<unknown> = store.get(id);
      request.onsuccess = () => give(keptIn(request.result) ?? undefined);
    });
  }

  /** Replaces a program by one that may have another id, in one transaction. Keeps it if there is none. */
  change(id: string, next: (current: Kept | undefined) => Kept | null): Promise<Kept | null> {
    return this.transaction('readwrite', (store, give: (put: Kept | null) => void) => {
      const request: IDBRequest<unknown> = store.get(id);
      request.onsuccess = () => {
        const program = next(keptIn(request.result) ?? undefined);
        if (program) store.put(program);
        give(program);
      };
    });
  }

  remove(id: string): Promise<void> {
    return this.transaction('readwrite', (store, give: (nothing: void) => void) => {
      store.delete(id).onsuccess = () => give();
    });
  }

  /** Resolves when the transaction has been written. */
  private transaction<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore, give: (result: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(STORE, mode);
      let result: T;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error);
      work(transaction.objectStore(STORE), (found) => { result = found; });
    });
  }
}
