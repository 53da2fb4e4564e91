// Places of the program, which the reader goes to from the panels.
import { editorShown, narrow } from './layout';
import { editor } from './state';

/** Moves to a 1-based line and column of the editor. */
export function reveal(line: number, column?: number): void {
  if (!narrow.peek() || editorShown.peek()) return editor.peek()?.reveal(line, column);
  editorShown.value = true;
  // The editor scrolls only once it is in view.
  requestAnimationFrame(() => editor.peek()?.reveal(line, column));
}
