// The text, with marks on the words of events and times. The Tab key reaches one mark; the arrow keys
// move to the others.

import { h } from "./dom";
import type { Model } from "./model";
import type { Pointer } from "./pointer";
import type { Choose, Shown } from "./app";

export class TextPane {
  readonly element: HTMLElement;
  private readonly marks: HTMLElement[][];
  private readonly segments: { element: HTMLElement; nodes: number[] }[] = [];
  private readonly order: number[] = [];
  private current = 0;
  private shown: Shown | null = null;

  constructor(
    private readonly model: Model,
    private readonly pointer: Pointer,
    private readonly choose: Choose,
  ) {
    this.marks = model.data.nodes.map(() => []);
    const article = h("div", { class: "prose" });
    const names = new Map(model.data.texts.map(([name, first]) => [first, name]));
    const head = (segment: number) => {
      const name = names.get(segment);
      if (name !== undefined) article.append(h("h2", { class: "caption source" }, name));
    };
    model.data.text.forEach(([piece, nodes], segment) => {
      head(segment);
      article.append(nodes.length ? this.mark(piece, nodes) : piece);
    });
    head(model.data.text.length);
    const absent = model.data.nodes.flatMap((_, n) => (this.marks[n]!.length ? [] : [n]));
    this.element = h("section", { class: "text pane", "aria-label": "Text", id: "text" }, article);
    if (!model.data.text.some(([piece]) => piece.trim())) {
      article.replaceChildren(h("p", { class: "quiet" }, "The document has no text."));
    }
    if (absent.length) {
      this.element.append(
        h("h2", { class: "caption" }, "Not in the text"),
        h("div", { class: "absent" },
          ...absent.map((n) => this.mark(model.node(n).text || model.node(n).id, [n]))),
      );
    }
    const seen = new Set<number>();
    for (const { nodes } of this.segments) for (const n of nodes) seen.add(n);
    this.order.push(...[...seen].sort((a, b) => a - b));
    this.current = this.order[0] ?? 0;
    this.marks[this.current]?.[0]?.setAttribute("tabindex", "0");
    this.watch();
    pointer.listenAtRest((node, from) => {
      if (node !== null && from !== "text") this.reveal(node);
    });
  }

  /** Show what is selected, found and hidden. */
  dress(shown: Shown): void {
    this.shown = shown;
    for (const segment of this.segments) this.dressOne(segment);
  }

  dressNodes(nodes: number[]): void {
    for (const segment of this.segments) {
      if (segment.nodes.some((n) => nodes.includes(n))) this.dressOne(segment);
    }
  }

  focus(node?: number): void {
    this.turnTo(node ?? this.current);
    this.marks[this.current]?.[0]?.focus();
  }

  reveal(node: number): void {
    const mark = this.marks[node]?.[0];
    if (!mark) return;
    const box = mark.getBoundingClientRect();
    const pane = this.element.getBoundingClientRect();
    if (box.top >= pane.top + 8 && box.bottom <= pane.bottom - 8) return;
    this.element.scrollBy({ top: box.top - pane.top - pane.height / 2.5, behavior: "instant" });
  }

  /** A mark that several nodes share has the classes of all of them; it is `out` only if all are. */
  private dressOne({ element, nodes }: { element: HTMLElement; nodes: number[] }): void {
    if (!this.shown) return;
    const classes = new Set(nodes.flatMap((n) => this.shown!.classes(n)));
    if (!nodes.every((n) => this.shown!.classes(n).includes("out"))) classes.delete("out");
    const words = `mark ${element.dataset.look} ${[...classes].join(" ")}`;
    if (element.className === words) return;
    element.className = words;
    element.setAttribute("aria-pressed", String(classes.has("chosen")));
  }

  private mark(piece: string, nodes: number[]): HTMLElement {
    const look = this.model.look(nodes[0]!);
    const element = h("span", {
      role: "button",
      tabindex: -1,
      class: `mark ${look}`,
      "data-look": look,
      "data-node": nodes[0],
      "data-count": nodes.length > 1 ? nodes.length : undefined,
      "aria-pressed": "false",
      title: nodes.map((n) => this.model.describe(n)).join("\n"),
    }, piece);
    this.segments.push({ element, nodes });
    for (const n of nodes) this.marks[n]!.push(element);
    return element;
  }

  private watch(): void {
    const pane = this.element;
    pane.addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch") return;
      this.pointer.move(this.at(event.target), "text");
    });
    pane.addEventListener("pointerleave", () => this.pointer.move(null, "text"));
    pane.addEventListener("focusin", (event) => {
      const node = this.at(event.target);
      if (node !== null) this.pointer.move(this.sameMark(node) ? this.current : node, "text");
    });
    pane.addEventListener("click", (event) => {
      const node = this.at(event.target);
      if (node === null) return;
      // If several nodes share the words, each click selects the next one.
      const nodes = this.segments.find(({ element }) => element === event.target)!.nodes;
      const last = nodes.findIndex((n) => this.choose.isOnly(n));
      const taken = nodes[(last + 1) % nodes.length]!;
      this.turnTo(taken);
      this.choose.take(taken, event.shiftKey || event.ctrlKey || event.metaKey);
    });
    pane.addEventListener("keydown", (event) => {
      if (this.at(event.target) === null) return;
      const move = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (move && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        const at = this.order.indexOf(this.current);
        this.focus(this.order[Math.min(Math.max(at + move, 0), this.order.length - 1)]);
        this.pointer.move(this.current, "text");
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.choose.take(this.current, event.shiftKey);
      } else if (event.key === "Home" || event.key === "End") {
        event.preventDefault();
        this.focus(this.order.at(event.key === "Home" ? 0 : -1));
      }
    });
  }

  private sameMark(node: number): boolean {
    return this.marks[node]![0] === this.marks[this.current]?.[0];
  }

  private turnTo(node: number): void {
    this.marks[this.current]?.[0]?.setAttribute("tabindex", "-1");
    this.current = node;
    this.marks[node]?.[0]?.setAttribute("tabindex", "0");
  }

  private at(target: EventTarget | null): number | null {
    const mark = target instanceof Element ? target.closest<HTMLElement>(".mark") : null;
    return mark ? Number(mark.dataset.node) : null;
  }
}
