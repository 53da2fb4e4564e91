// The panels. Each is created when it is first shown, and stays. The explorer also draws the compiled forms.
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { ExplorerPanel } from '../panels/explorerPanel';
import { RunsPanel } from '../panels/runsPanel';
import { TestsPanel } from '../panels/testsPanel';
import { Hint } from './hint';
import { bodyOf, narrow, panelInView } from './layout';
import { Tabs } from './tabs';

const VIEWS = { runs: RunsPanel, tests: TestsPanel, explorer: ExplorerPanel };

function Panel({ name, view: View }: { name: string; view: FunctionComponent }) {
  const shown = panelInView.value;
  const isShown = shown !== null && bodyOf(shown) === name;
  const created = useSignal(false);
  useEffect(() => { if (isShown) created.value = true; }, [isShown]);
  return (
    <div id={`panel-${name}`} class={`panel-body panel-${name}`} role="tabpanel" aria-labelledby={`tab-${isShown ? shown : name}`} hidden={!isShown} tabIndex={0}>
      {created.value && <View />}
    </div>
  );
}

export function Panels() {
  return (
    <section id="panels" class="panels" aria-label="Results" hidden={panelInView.value === null}>
      {!narrow.value && <Tabs />}
      <Hint />
      {Object.entries(VIEWS).map(([name, view]) => <Panel key={name} name={name} view={view} />)}
    </section>
  );
}
