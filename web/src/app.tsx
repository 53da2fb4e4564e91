import { useEffect } from 'preact/hooks';
import { ExportDialog } from './figure/dialog';
import { Grid } from './grid/grid';
import { GridHead } from './grid/head';
import { PaperRun } from './print/run';
import { ProgramPanel } from './program/program';
import { AloneView } from './shell/alone';
import { Help } from './shell/help';
import { pageKey } from './shell/keys';
import { Panels } from './shell/panels';
import { Splitter } from './shell/splitter';
import { alone, controlsOpen, detailsOpen, programOpen } from './shell/open';
import { TimeBar } from './time/bar';
import { Toolbar } from './toolbar/toolbar';

export function App() {
  useEffect(() => {
    document.addEventListener('keydown', pageKey);
    return () => document.removeEventListener('keydown', pageKey);
  }, []);
  if (alone.value !== null) return <AloneView part={alone.value} />;
  return (
    <div class={controlsOpen.value ? 'shell' : 'shell folded'}>
      <Toolbar />
      <main class={programOpen.value ? 'work' : 'work without-program'}>
        {programOpen.value && <ProgramPanel />}
        {programOpen.value && <Splitter label="Width of the program" property="--program" upright from="start" initial={27} />}
        <div class={detailsOpen.value ? 'run' : 'run without-panel'}>
          <section class="panel grid-panel" aria-label="Grid">
            <GridHead />
            <TimeBar />
            <Grid />
            <PaperRun />
          </section>
          {detailsOpen.value && <Splitter label="Height of the details" property="--details" upright={false} from="end" initial={38} />}
          {detailsOpen.value && <Panels />}
        </div>
      </main>
      <Help />
      <ExportDialog />
    </div>
  );
}
