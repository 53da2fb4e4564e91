import { useEffect } from 'preact/hooks';
import { Splitter } from '../../../src/shell/splitter';
import { Explanation } from '../panels/explanation';
import { Problems } from '../panels/problems';
import { DifferenceDialog } from './difference';
import { EditorPane } from './editorPane';
import { Help } from './help';
import { pageKey } from './keys';
import { narrow, problemsOpen, sizes } from './layout';
import { Notices } from './notices';
import { Panels } from './panels';
import { ProgramsDialog } from './programsDialog';
import { ShareDialog } from './shareDialog';
import { dialog, embedded } from './state';
import { Tabs } from './tabs';
import { Toolbar } from './toolbar';

function Dialogs() {
  switch (dialog.value) {
    case 'help': return <Help />;
    case 'share': return <ShareDialog />;
    case 'programs': return <ProgramsDialog />;
    case 'difference': return <DifferenceDialog />;
    case null: return null;
  }
}

/** The class names for a state of the page. */
const classes = (...names: (string | false)[]): string => names.filter((name) => name !== false).join(' ');

export function App() {
  useEffect(() => {
    // Before the editor, which has other commands for some of the keys.
    addEventListener('keydown', pageKey, { capture: true });
    return () => removeEventListener('keydown', pageKey, { capture: true });
  }, []);
  const wide = !narrow.value;
  return (
    <div class={classes('page', narrow.value && 'narrow', embedded && 'embedded')}>
      <Toolbar />
      <Notices />
      {narrow.value && <nav class="narrow-tabs" aria-label="Parts of the page"><Tabs /></nav>}
      <main class="work" style={{ '--panels': `${sizes.panels.peek()}%` }}>
        <div class={classes('left', !problemsOpen.value && 'without-problems')} style={{ '--bottom': `${sizes.bottom.peek()}%` }}>
          <EditorPane />
          {wide && problemsOpen.value && <Splitter label="Height of the problems" property="--bottom" upright={false} from="end" initial={sizes.bottom.peek()} moved={(percent) => { sizes.bottom.value = percent; }} />}
          {wide && <Problems />}
        </div>
        {wide && <Splitter label="Width of the panels" property="--panels" upright from="end" initial={sizes.panels.peek()} moved={(percent) => { sizes.panels.value = percent; }} />}
        <Panels />
        {!wide && <Problems />}
      </main>
      <Dialogs />
      <Explanation />
    </div>
  );
}
