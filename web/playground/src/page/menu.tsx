// A button that opens a menu: the ARIA pattern for menu buttons.
import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface Item { title: string; detail?: string; disabled?: boolean; current?: boolean; run(): void }
export interface Group { title?: string; items: readonly Item[] }

export function Menu({ title, groups }: { title: string; groups: readonly Group[] }) {
  const open = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const items = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  const close = (focus: boolean): void => {
    open.value = false;
    if (focus) button.current?.focus();
  };
  useLayoutEffect(() => {
    if (!open.value) return;
    items()[0]?.focus();
    const outside = ({ target }: Event): void => { if (!root.current?.contains(target as Node)) close(false); };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open.value]);
  const key = (event: KeyboardEvent): void => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) all.at(to % all.length)?.focus();
    else if (event.key === 'Escape') close(true);
    else if (event.key === 'Tab') return close(true);
    else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      // Letters move to the next item that starts with them.
      const later = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      later.find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={root}>
      <button
        type="button" ref={button} id={`${id}-button`} aria-haspopup="menu" aria-expanded={open.value} aria-controls={open.value ? id : undefined}
        onClick={() => { open.value = !open.value; }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open.value = true;
        }}
      >{title} <span aria-hidden="true">▾</span></button>
      {open.value && (
        <div class="menu-body" id={id} role="menu" aria-labelledby={`${id}-button`} onKeyDown={key}>
          {groups.filter((group) => group.items.length > 0).map((group, index) => (
            <div key={index} class="menu-group" role="group" aria-label={group.title ?? title}>
              {group.title && <p class="caption" aria-hidden="true">{group.title}</p>}
              {group.items.map((item) => (
                <button
                  key={item.title} type="button" tabIndex={-1} disabled={item.disabled ?? false}
                  {...(item.current === undefined ? { role: 'menuitem' as const } : { role: 'menuitemradio' as const, 'aria-checked': item.current })}
                  onClick={() => { close(true); item.run(); }}
                >
                  <span>{item.title}</span>{item.detail && <span class="caption">{item.detail}</span>}
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
