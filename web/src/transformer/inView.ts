// Scrolls a wide table or tree, and nothing around it.

/** Brings an element into the middle of the element that scrolls it sideways. */
export function center(element: HTMLElement | null | undefined, scroller: Element | null | undefined): void {
  if (!element || !scroller) return;
  const [box, view] = [element.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (box.left >= view.left && box.right <= view.right) return;
  scroller.scrollLeft += (box.left + box.right) / 2 - (view.left + view.right) / 2;
}
