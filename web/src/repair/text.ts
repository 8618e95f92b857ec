// The text of the document. The words that a decision is about are marked, and it scrolls to them.

import { h } from "../dom";
import type { RepairData } from "../data";

export class RepairText {
  readonly element: HTMLElement;
  private readonly marks: HTMLElement[][];

  constructor(data: RepairData) {
    this.marks = data.nodes.map(() => []);
    const prose = h("div", { class: "prose" });
    for (const [piece, nodes] of data.text) {
      if (!nodes.length) {
        prose.append(piece);
        continue;
      }
      const { kind, id } = data.nodes[nodes[0]!]!;
      const mark = h("span", { class: `said ${kind}`, title: nodes.map((n) => data.nodes[n]!.id).join(", ") || id }, piece);
      for (const node of nodes) this.marks[node]!.push(mark);
      prose.append(mark);
    }
    if (!data.text.some(([piece]) => piece.trim())) {
      prose.replaceChildren(h("p", { class: "quiet" }, "The document has no text."));
    }
    this.element = h("section", { class: "repair-text", "aria-label": "Text", tabindex: 0 }, prose);
  }

  show(nodes: number[]): void {
    for (const marks of this.marks) for (const mark of marks) mark.classList.remove("asked");
    const asked = nodes.flatMap((node) => this.marks[node] ?? []);
    for (const mark of asked) mark.classList.add("asked");
    const tops = asked.map((mark) => mark.getBoundingClientRect().top);
    if (!tops.length) return;
    const pane = this.element.getBoundingClientRect();
    this.element.scrollBy({ top: Math.min(...tops) - pane.top - pane.height / 3, behavior: "instant" });
  }
}
