// The bar at the top: the name of the document, search, filters, zoom, help.

import type { App } from "./app";
import { count, h } from "./dom";
import { openHelp } from "./keys";
import { sayRole } from "./model";
import type { View } from "./state";

const SHOWN = 300; // timelines that can be filtered one by one

export class Tools {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  private readonly hits = h("span", { class: "hits quiet", role: "status" });
  private readonly filters: HTMLDetailsElement;
  private at = -1;
  /** The element that had the focus before the filters were opened. */
  private left: Element | null = null;

  constructor(private readonly app: App) {
    const { data } = app.model;
    const { place } = data;
    this.search = h("input", {
      type: "search", id: "search", placeholder: "Find a word or an id",
      "aria-label": "Find a word or an id", value: app.store.view.query,
      oninput: () => {
        this.at = -1;
        app.store.set({ query: this.search.value });
      },
      onkeydown: (event) => {
        const { key, shiftKey } = event as KeyboardEvent;
        if (key === "Enter") this.next(shiftKey ? -1 : 1);
        if (key === "Escape") this.search.value ? this.clearSearch(event) : app.timeline.focus();
      },
    });
    this.filters = this.makeFilters();
    const go = (words: string, href: string | undefined, title: string): HTMLElement | null =>
      href === undefined ? null : h("a", { href, class: "go", title, "aria-label": title }, words);
    this.element = h("header", { class: "bar" },
      h("nav", { "aria-label": "Documents" },
        go("All", place.index, "All documents (a)"),
        go("‹", place.previous, "Previous document ([)"),
        go("›", place.next, "Next document (])")),
      h("div", { class: "name" },
        h("h1", { title: data.name }, data.name.split("/").at(-1) || data.name),
        h("span", { class: `verdict ${data.consistent ? "consistent" : "inconsistent"}` },
          data.consistent ? "consistent"
            : (data.conflicts_complete ? "" : "at least ") + count(data.conflicts.length, "contradiction"))),
      h("div", { class: "search" }, this.search, this.hits),
      this.filters,
      this.makeSwitch(),
      h("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
        this.button("−", "Zoom out (-)", () => app.timeline.magnify(1 / 1.5)),
        this.button("+", "Zoom in (+)", () => app.timeline.magnify(1.5)),
        this.button("Fit", "Fit the picture into the view; if it is very long, only its shorter side (0)", () => app.timeline.fit()),
        this.button("1:1", "Original size (1)", () => app.timeline.natural())),
      this.button("?", "Keys and help (?)", openHelp));
  }

  update(view: View): void {
    if (document.activeElement !== this.search) this.search.value = view.query;
    const found = this.app.found();
    this.hits.textContent = !view.query.trim() ? "" : this.at >= 0
      ? `${this.at + 1} of ${found.length}` : count(found.length, "match", "matches");
    for (const box of this.filters.querySelectorAll("input")) box.checked = !view.hidden.has(box.value);
    this.filters.classList.toggle("active", view.hidden.size > 0);
  }

  /** Select the next match of the search (1), or the previous one (-1). */
  next(move: number): void {
    const found = this.app.found();
    if (!found.length) return;
    this.at = (this.at + move + found.length) % found.length;
    if (this.at < 0) this.at = found.length - 1;
    const node = found[this.at]!;
    if (!this.app.isOnly(node)) this.app.take(node);
    this.update(this.app.store.view);
  }

  /** Open the filters and focus the first one; or close them and give the focus back. */
  toggleFilters(): void {
    if (this.filters.open) return this.shutFilters();
    this.left = document.activeElement;
    this.filters.open = true;
    this.filters.querySelector("input")?.focus();
  }

  private shutFilters(): void {
    this.filters.open = false;
    const back = this.left !== document.body && this.left?.isConnected ? this.left : this.filters.querySelector("summary");
    this.left = null;
    (back as HTMLElement | SVGElement).focus();
  }

  private clearSearch(event: Event): void {
    event.preventDefault();
    event.stopPropagation();
    this.search.value = "";
    this.at = -1;
    this.app.store.set({ query: "" });
  }

  private button(words: string, title: string, onclick: () => void): HTMLElement {
    return h("button", { type: "button", title, "aria-label": title, onclick }, words);
  }

  /** A page from the server can be asked for with the calendar or without it; the view stays in the address. */
  private makeSwitch(): HTMLElement | null {
    const { calendar, place } = this.app.model.data;
    if (place.live === undefined) return null;
    const title = calendar ? "Order times by links alone" : "Order times by their values too";
    return h("button", {
      type: "button", class: "calendar", title, "aria-pressed": String(calendar),
      onclick: () => { location.search = calendar ? "?calendar=off" : "?calendar=on"; },
    }, "Calendar");
  }

  private makeFilters(): HTMLDetailsElement {
    const { data } = this.app.model;
    const tally = (key: "kind" | "factuality"): [string, string][] => {
      const counts = new Map<string, number>();
      for (const node of data.nodes) counts.set(node[key], (counts.get(node[key]) ?? 0) + 1);
      return [...counts].map(([value, number]) => [value, `${value} (${number})`]);
    };
    const firsts = new Map<number, string>();
    data.nodes.forEach((node, number) => {
      if (!firsts.has(node.timeline)) firsts.set(node.timeline, this.app.model.words(number));
    });
    const timelines = [...data.timelines].sort((one, other) => other.size - one.size).slice(0, SHOWN)
      .map((one): [string, string] => [
        String(one.id), `${sayRole(one)} ${one.id}: ${firsts.get(one.id) ?? ""} (${one.size})`,
      ]);
    const group = (title: string, key: string, choices: [string, string][]): HTMLElement =>
      h("fieldset", {}, h("legend", {}, title), ...choices.map(([value, words]) =>
        h("label", {}, h("input", {
          type: "checkbox", value: `${key}:${value}`, checked: true,
          onchange: () => this.app.store.toggleHidden(`${key}:${value}`),
        }), words)));
    const panel = h("details", { class: "filters" },
      h("summary", { title: "Choose what is shown" }, "Filter"),
      h("div", { class: "sheet" },
        group("Kind", "kind", tally("kind")),
        group("Factuality", "factuality", tally("factuality")),
        group("Timeline", "timeline", timelines),
        h("button", { type: "button", onclick: () => this.app.store.set({ hidden: new Set() }) }, "Show all")));
    document.addEventListener("pointerdown", (event) => {
      if (!(event.target instanceof Node) || panel.contains(event.target)) return;
      panel.open = false;
      this.left = null;
    });
    panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !panel.open) return;
      event.stopPropagation();
      this.shutFilters();
    });
    return panel;
  }
}
