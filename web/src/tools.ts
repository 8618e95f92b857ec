// The bar at the top: the name of the document, search, filters, zoom, help.

import type { App } from "./app";
import { count, h } from "./dom";
import { Filters } from "./filters";
import { openHelp } from "./keys";
import { listBranches } from "./model";
import type { View } from "./state";

export class Tools {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  private readonly hits = h("span", { class: "hits quiet", role: "status" });
  private readonly filters: Filters;
  private readonly views: HTMLElement;
  private readonly withText: HTMLElement;
  private readonly branches: HTMLElement;
  private readonly phrases: HTMLElement;
  private at = -1;

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
        if (key === "Escape") this.search.value ? this.clearSearch(event) : app.goToView();
      },
    });
    this.filters = new Filters(app);
    const view = (name: View["view"], words: string): HTMLElement => h("button", {
      type: "button", "data-view": name, title: `${words} (m)`, onclick: () => app.store.set({ view: name }),
    }, words);
    this.views = h("div", { class: "views", role: "group", "aria-label": "View" }, view("reading", "Reading"), view("map", "Map"));
    this.withText = h("button", {
      type: "button", class: "with-text", title: "Show the text beside it (t)",
      onclick: () => app.store.set({ text: !app.store.view.text }),
    }, "Text");
    this.branches = h("button", { type: "button", title: "Show or fold all branches (F)", onclick: () => app.foldAll() });
    this.phrases = h("button", {
      type: "button", class: "phrases", title: "Write phrases on the map instead of words (p)",
      onclick: () => app.store.set({ phrases: !app.store.view.phrases }),
    }, "Phrases");
    this.branches.hidden = !listBranches(data.picture).length;
    this.phrases.hidden = !data.phrases;
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
      this.views,
      this.withText,
      this.filters.element,
      this.makeSwitch(),
      h("div", { class: "zoom", role: "group", "aria-label": "Map" }, this.branches, this.phrases),
      h("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
        this.button("−", "Zoom out (-)", () => app.timeline.magnify(1 / 1.5)),
        this.button("+", "Zoom in (+)", () => app.timeline.magnify(1.5)),
        this.button("Fit", "Fit the picture into the view, as far as its words stay readable (0)", () => app.timeline.fit()),
        this.button("1:1", "Original size (1)", () => app.timeline.natural())),
      this.button("?", "Keys and help (?)", openHelp));
  }

  update(view: View): void {
    if (document.activeElement !== this.search) this.search.value = view.query;
    const found = this.app.found();
    this.hits.textContent = !view.query.trim() ? "" : this.at >= 0
      ? `${this.at + 1} of ${found.length}` : count(found.length, "match", "matches");
    for (const button of this.views.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === view.view));
    }
    this.withText.setAttribute("aria-pressed", String(view.text));
    const many = count(listBranches(this.app.model.picture).length, "branch", "branches");
    this.branches.textContent = view.folded.size ? `Show ${many}` : `Fold ${many}`;
    this.phrases.setAttribute("aria-pressed", String(view.phrases));
    this.filters.update(view);
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

  toggleFilters(): void {
    this.filters.toggle();
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
}
