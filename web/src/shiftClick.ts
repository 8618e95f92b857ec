// Shift+click compares; it must not select the text between two clicks, as browsers do.

export function watchShiftClicks(): void {
  addEventListener("mousedown", (event) => {
    const target = event.shiftKey && event.target instanceof Element
      ? event.target.closest<HTMLElement | SVGElement>("[data-node], .picture") : null;
    if (!target) return;
    event.preventDefault();
    if (target.dataset.node !== undefined) target.focus({ preventScroll: true });
  });
}
