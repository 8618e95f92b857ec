// The reading view. Python has laid it out and painted it; here it becomes a pane that answers to mouse and keys.

import type { Choose, Shown } from "./app";
import { h } from "./dom";
import type { Pointer } from "./pointer";

const GROUPS = new Set(["before", "after", "overlapping", "unknown", "unrelated"]);
const STATES = ["chosen", "first", "second", "found", "end", "guilty", "out", "pointed"];

export class ReadingPane {
  readonly element: HTMLElement;
  /** The nodes from top to bottom; each once. */
  readonly order: number[] = [];
  private readonly phrases = new Map<number, HTMLElement[]>();
  private shown: Shown | null = null;
  private current: number | null = null;

  constructor(private readonly pointer: Pointer, private readonly choose: Choose) {
    this.element = document.getElementById("reading") ?? h("section", { class: "reading pane", id: "reading" });
    for (const phrase of this.element.querySelectorAll<HTMLElement>(".phrase")) {
      const node = Number(phrase.dataset.node);
      if (!this.phrases.has(node)) {
        this.phrases.set(node, []);
        this.order.push(node);
      }
      this.phrases.get(node)!.push(phrase);
      phrase.setAttribute("role", "button");
      phrase.setAttribute("tabindex", "-1");
      phrase.setAttribute("aria-pressed", "false");
    }
    this.turnTo(this.order[0] ?? null);
    this.watch();
    pointer.listenAtRest((node, from) => {
      if (node !== null && from !== "reading") this.reveal(node);
    });
  }

  dress(shown: Shown): void {
    this.shown = shown;
    this.dressNodes(this.phrases.keys());
  }

  dressNodes(nodes: Iterable<number>): void {
    if (!this.shown) return;
    for (const node of nodes) {
      const classes = this.shown.classes(node);
      const group = classes.find((name) => GROUPS.has(name)) ?? "";
      const look = ["phrase", ...STATES.filter((name) => classes.includes(name))].join(" ");
      for (const phrase of this.phrases.get(node) ?? []) {
        if (phrase.className !== look) {
          phrase.className = look;
          phrase.setAttribute("aria-pressed", String(classes.includes("chosen")));
        }
        if ((phrase.dataset.order ?? "") === group) continue;
        if (group) phrase.dataset.order = group;
        else delete phrase.dataset.order;
      }
    }
  }

  /** A copy of the phrase of a node: words and what stands around them. */
  quote(node: number): (Node | string)[] {
    const phrase = this.phrases.get(node)?.[0];
    return phrase ? [...phrase.childNodes].map((child) => child.cloneNode(true)) : [];
  }

  has(node: number): boolean {
    return this.phrases.has(node);
  }

  /** Bring a node into view, and unfold it if it is a reporting verb. */
  reveal(node: number): void {
    const phrase = this.phrases.get(node)?.[0];
    if (!phrase) return;
    const folded = phrase.closest<HTMLDetailsElement>("details.teller");
    if (folded) folded.open = true;
    const box = phrase.getBoundingClientRect();
    const pane = this.element.getBoundingClientRect();
    if (!pane.height || (box.top >= pane.top + 8 && box.bottom <= pane.bottom - 8 && box.height)) return;
    phrase.scrollIntoView({ block: "center", behavior: "instant" });
  }

  focus(node = this.current): void {
    if (node === null) return;
    this.turnTo(node);
    this.reveal(node);
    this.phrases.get(node)?.[0]?.focus({ preventScroll: true });
  }

  private watch(): void {
    const pane = this.element;
    pane.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.pointer.move(at(event.target), "reading");
    });
    pane.addEventListener("pointerleave", () => this.pointer.move(null, "reading"));
    pane.addEventListener("focusin", (event) => {
      const node = at(event.target);
      if (node !== null) this.pointer.move(node, "reading");
    });
    pane.addEventListener("mousedown", (event) => {
      if (event.shiftKey && at(event.target) !== null) event.preventDefault(); // it would select text
    });
    pane.addEventListener("click", (event) => {
      const node = at(event.target);
      if (node === null) return;
      this.turnTo(node);
      this.choose.take(node, event.shiftKey || event.ctrlKey || event.metaKey);
    });
    pane.addEventListener("keydown", (event) => {
      const node = at(event.target);
      if (node === null) return;
      const move = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (move && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        const next = this.order.indexOf(node) + move;
        this.focus(this.order[Math.min(Math.max(next, 0), this.order.length - 1)]);
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.choose.take(node, event.shiftKey);
      } else if (event.key === "Home" || event.key === "End") {
        event.preventDefault();
        this.focus(this.order.at(event.key === "Home" ? 0 : -1));
      }
    });
  }

  /** Make a node the one that the Tab key reaches. */
  private turnTo(node: number | null): void {
    if (node !== null && !this.phrases.has(node)) return;
    for (const [one, index] of [[this.current, "-1"], [node, "0"]] as const) {
      if (one !== null) this.phrases.get(one)?.[0]?.setAttribute("tabindex", index);
    }
    this.current = node;
  }
}

function at(target: EventTarget | null): number | null {
  const found = target instanceof Element ? target.closest<HTMLElement>("[data-node]") : null;
  return found ? Number(found.dataset.node) : null;
}
