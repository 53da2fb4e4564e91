// The tabs of the panels. On a narrow page, the editor is one of them.
import { bodyOf, editorShown, narrow, panel, PANELS, panelInView, showPanel } from './layout';
import { counts } from '../panels/tests';

type Tab = { name: string; title: string; body: string; show(): void };

const EDITOR: Tab = { name: 'editor', title: 'Editor', body: 'editor', show: () => { editorShown.value = true; } };
const OTHERS: readonly Tab[] = PANELS.map(({ name, title }) => ({ name, title, body: `panel-${bodyOf(name)}`, show: () => showPanel(name) }));

const isChosen = (name: string): boolean => name === (panelInView.value ?? 'editor');

function move(event: KeyboardEvent, tabs: readonly Tab[]): void {
  const at = tabs.findIndex(({ name }) => isChosen(name));
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  const next = tabs.at(to % tabs.length);
  event.preventDefault();
  next?.show();
  document.getElementById(`tab-${next?.name ?? ''}`)?.focus();
}

export function Tabs() {
  const tabs = narrow.value ? [EDITOR, ...OTHERS] : OTHERS;
  const { failed } = counts.value;
  void panel.value;
  return (
    <div class="tabs" role="tablist" aria-label="Panels" onKeyDown={(event) => move(event, tabs)}>
      {tabs.map(({ name, title, body, show }) => (
        <button
          key={name} type="button" id={`tab-${name}`} role="tab" aria-selected={isChosen(name)} aria-controls={body}
          tabIndex={isChosen(name) ? 0 : -1} onClick={show}
        >{title}{name === 'tests' && failed > 0 && <span class="badge" title={`${failed} failed`}>{failed}<span class="visually-hidden"> failed</span></span>}</button>
      ))}
    </div>
  );
}
