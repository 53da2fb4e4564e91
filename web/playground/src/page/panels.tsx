// The panels. Each is created when it is first shown, and stays.
import { useSignal } from '@preact/signals';
import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { CompiledPanel } from '../panels/compiledPanel';
import { ExplorerPanel } from '../panels/explorerPanel';
import { RunsPanel } from '../panels/runsPanel';
import { TestsPanel } from '../panels/testsPanel';
import type { PanelName } from '../share/link';
import { Hint } from './hint';
import { narrow, PANELS, panelInView } from './layout';
import { Tabs } from './tabs';

const VIEWS: Record<PanelName, FunctionComponent> = {
  runs: RunsPanel,
  tests: TestsPanel,
  explorer: ExplorerPanel,
  qkvl: () => <CompiledPanel form="qkvl" />,
  weights: () => <CompiledPanel form="weights" />,
};

function Panel({ name }: { name: PanelName }) {
  const isShown = panelInView.value === name;
  const created = useSignal(false);
  useEffect(() => { if (isShown) created.value = true; }, [isShown]);
  const View = VIEWS[name];
  return (
    <div id={`panel-${name}`} class={`panel-body panel-${name}`} role="tabpanel" aria-labelledby={`tab-${name}`} hidden={!isShown} tabIndex={0}>
      {created.value && <View />}
    </div>
  );
}

export function Panels() {
  return (
    <section id="panels" class="panels" aria-label="Results" hidden={panelInView.value === null}>
      {!narrow.value && <Tabs />}
      <Hint />
      {PANELS.map(({ name }) => <Panel key={name} name={name} />)}
    </section>
  );
}
