// Many buttons with one tab stop. The arrow keys move between them.

/** Moves the focus between the buttons of the element with this listener. */
export function moveFocus(event: KeyboardEvent): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button')];
  const index = buttons.findIndex((button) => button === document.activeElement);
  const to: Record<string, number> = {
    ArrowLeft: index - 1, ArrowUp: index - 1, ArrowRight: index + 1, ArrowDown: index + 1, Home: 0, End: buttons.length - 1,
  };
  const next = to[event.key];
  if (next === undefined || index === -1 || event.altKey || event.ctrlKey || event.metaKey) return;
  buttons[next]?.focus();
  // Otherwise, keys of the page would move through the layers.
  event.preventDefault();
  event.stopPropagation();
}
