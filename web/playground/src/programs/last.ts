// The program that was open last: in this tab, or else in any.

const KEY = 'psl-playground last';

export function readLast(): string | null {
  try {
    return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function writeLast(id: string): void {
  try {
    sessionStorage.setItem(KEY, id);
    localStorage.setItem(KEY, id);
  } catch { /* The next start then shows another program. */ }
}
