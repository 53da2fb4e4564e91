// Scrolls a wide table or tree, but nothing around it.

/** Centers an element horizontally in the element that scrolls it. */
export function center(element: HTMLElement | null | undefined, scroller: Element | null | undefined): void {
  if (!element || !scroller) return;
  const [box, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (box.left >= view.left && box.right <= view.right) return;
  scroller.scrollLeft += (box.left + box.right) / 2 - (view.left + view.right) / 2;
}
