// Light and dark.
import { computed, effect, signal } from '@preact/signals';
import { theme } from './layout';

const darkSystem = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(darkSystem.matches);
darkSystem.addEventListener('change', ({ matches }) => { systemIsDark.value = matches; });

export const dark = computed(() => (theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'));

export function followTheme(): void {
  effect(() => { document.documentElement.style.colorScheme = dark.value ? 'dark' : 'light'; });
}
