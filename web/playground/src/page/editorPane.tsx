// The editor's part of the page.
import { useEffect, useRef } from 'preact/hooks';
import { createEditor } from '../editor/editor';
import { isShown } from '../panels/command';
import { runCommand } from './commands';
import { changed, uriOf } from './current';
import { narrow, panelInView } from './layout';
import { notify } from './notices';
import { editor, program, server, text } from './state';

const KINDS = { error: 'bad', warning: 'warn', info: 'info' } as const;

export function EditorPane() {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!parent.current) return;
    const made = createEditor({
      parent: parent.current, server, doc: { uri: uriOf(program.peek().name), text: text.peek() },
      onChange: changed, onCommand: runCommand,
    });
    made.onMessage((kind, message) => { if (!isShown()) notify(message, KINDS[kind]); });
    editor.value = made;
    return () => made.destroy();
  }, []);
  const asTab = narrow.value;
  return (
    <section
      id="editor" class="editor" hidden={asTab && panelInView.value !== null}
      {...(asTab ? { role: 'tabpanel' as const, 'aria-labelledby': 'tab-editor' } : { 'aria-label': 'Editor' })}
    >
      <div class="editor-view" ref={parent} />
    </section>
  );
}
