// The keys of the editor.
import { type KeyBinding } from '@codemirror/view';
import { findReferences } from '@codemirror/lsp-client';
import { listActions } from './actions';
import { listCalls } from './calls';
import { expandSelection, shrinkSelection } from './expand';
import { formatProgram } from './formatting';
import { showHover } from './hover';
import { listLenses } from './lenses';
import { goToDeclaration, goToDefinition, goToImplementation, openLink } from './navigation';
import { outline } from './outline';
import { rename } from './rename';
import { showSignature } from './signature';

interface Shortcut extends KeyBinding { what: string }

const SHORTCUTS: readonly Shortcut[] = [
  { key: 'Mod-.', what: 'List fixes and changes for the cursor or the selection', run: listActions },
  { key: 'Alt-Enter', what: 'List the actions above the line: run, test, explore', run: listLenses },
  { key: 'Mod-Shift-o', what: 'List the symbols of the program', run: outline },
  { key: 'Mod-k Mod-i', what: 'Show the documentation of the word at the cursor', run: showHover },
  { key: 'Mod-Shift-Space', what: 'Show the forms of a condition or an assignment', run: showSignature },
  { key: 'F12', what: 'Go to the declaration, or open the link', run: (view) => openLink(view) || goToDefinition(view) },
  { key: 'Alt-F12', what: 'Go to the declaration', run: goToDeclaration },
  { key: 'Mod-F12', what: 'Go to the assignments', run: goToImplementation },
  { key: 'Shift-F12', what: 'List all uses', run: findReferences },
  { key: 'Shift-Alt-h', what: 'List the productions before and after', run: listCalls },
  { key: 'F2', what: 'Rename', run: rename },
  { key: 'Shift-Alt-f', what: 'Format', run: formatProgram },
  { key: 'Shift-Alt-ArrowRight', mac: 'Ctrl-Shift-Cmd-ArrowRight', what: 'Grow the selection', run: expandSelection },
  { key: 'Shift-Alt-ArrowLeft', mac: 'Ctrl-Shift-Cmd-ArrowLeft', what: 'Shrink the selection', run: shrinkSelection },
];

export const bindings: readonly KeyBinding[] = SHORTCUTS.map(({ what: _, ...binding }) => ({ ...binding, preventDefault: true }));

/** All keys of the editor, for a help page. `Mod` is Ctrl, or Cmd on a Mac. */
export const shortcuts: readonly { keys: string; what: string }[] = [
  ...SHORTCUTS.map(({ key, what }) => ({ keys: key ?? '', what })),
  { keys: 'Mod-Space', what: 'Complete' },
  { keys: 'F8', what: 'Go to the next problem' },
  { keys: 'Mod-/', what: 'Comment or uncomment the lines' },
  { keys: 'Mod-f', what: 'Find and replace' },
  { keys: 'Mod-Shift-[', what: 'Fold' },
  { keys: 'Mod-Shift-]', what: 'Unfold' },
  { keys: 'Escape, then Tab', what: 'Leave the editor' },
];
