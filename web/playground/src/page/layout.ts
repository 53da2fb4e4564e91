// The layout of the page, which the browser keeps.
import { computed, effect, signal } from '@preact/signals';
import type { PanelName } from '../share/link';
import { embedded } from './state';

export const PANELS: readonly { name: PanelName; title: string }[] = [
  { name: 'runs', title: 'Runs' },
  { name: 'tests', title: 'Tests' },
  { name: 'explorer', title: 'Explorer' },
  { name: 'qkvl', title: 'QKVL' },
  { name: 'weights', title: 'Weights' },
];

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

interface Layout { version: 1; panel: PanelName; problems: boolean; theme: Theme; panels: number; bottom: number }

const KEY = 'psl playground layout';
const kept = readLayout();

/** A new reader sees the explorer, and one in the book what the program answers. */
export const panel = signal<PanelName>(kept.panel ?? (embedded ? 'runs' : 'explorer'));
export const problemsOpen = signal(kept.problems ?? true);
export const theme = signal<Theme>(kept.theme ?? 'system');
/** The width of the panels and the height of the problems, in percent. */
export const sizes = { panels: signal(kept.panels ?? 46), bottom: signal(kept.bottom ?? 20) };

const narrowScreen = matchMedia('(max-width: 799px)');
export const narrow = signal(narrowScreen.matches);
narrowScreen.addEventListener('change', ({ matches }) => { narrow.value = matches; });

/** Whether a narrow page shows the editor, and not the panel. */
export const editorShown = signal(true);
/** The panel in view, or null if a narrow page shows the editor. */
export const panelInView = computed<PanelName | null>(() => (narrow.value && editorShown.value ? null : panel.value));

/** The body that shows a panel: the explorer also draws the compiled forms. */
export const bodyOf = (name: PanelName): PanelName => (name === 'qkvl' || name === 'weights' ? 'explorer' : name);

/** Whether the compiled forms are shown as files, and not by the explorer. */
export const asFile = signal(false);
/** The compiled form in view, or null. */
export const formInView = computed(() => (panelInView.value === 'qkvl' || panelInView.value === 'weights' ? panelInView.value : null));

export function showPanel(name: PanelName): void {
  panel.value = name;
  editorShown.value = false;
}

/** A kept layout. Fields that are missing or invalid are left out. */
function readLayout(): Partial<Layout> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    if (typeof found !== 'object' || found === null || !('version' in found) || found.version !== 1) return {};
    const { panel: name, problems, theme: colors, panels, bottom } = found as Record<string, unknown>;
    const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 12 && value <= 80;
    const known = PANELS.find((it) => it.name === name)?.name;
    const wanted = THEMES.find((it) => it === colors);
    return {
      ...(known ? { panel: known } : {}),
      ...(typeof problems === 'boolean' ? { problems } : {}),
      ...(wanted ? { theme: wanted } : {}),
      ...(isShare(panels) ? { panels } : {}),
      ...(isShare(bottom) ? { bottom } : {}),
    };
  } catch {
    return {};
  }
}

export function keepLayout(): void {
  effect(() => {
    const layout: Layout = {
      version: 1, panel: panel.value, problems: problemsOpen.value, theme: theme.value,
      panels: sizes.panels.value, bottom: sizes.bottom.value,
    };
    try {
      localStorage.setItem(KEY, JSON.stringify(layout));
    } catch { /* The page works without it. */ }
  });
}
