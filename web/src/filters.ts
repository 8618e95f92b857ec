// The filters: what is shown, by kind, factuality and timeline. Timelines are a list that can be searched.

import type { App } from "./app";
import { count, h } from "./dom";
import { sayRole } from "./model";
import type { View } from "./state";

const LISTED = 6; // timelines that are listed without a search

/** Something that can be shown or hidden: its key in the view, its words, and what a search looks at. */
interface Choice {
  key: string;
  words: string;
  searched: string;
}

export class Filters {
  readonly element: HTMLDetailsElement;
  private readonly groups: { name: string; choices: Choice[] }[];
  private readonly list = h("ul", { class: "timelines" });
  private readonly more = h("p", { class: "quiet", role: "status" });
  private readonly search = h("input", {
    type: "search", placeholder: "Find a timeline", "aria-label": "Find a timeline by a word or an id",
    oninput: () => this.listTimelines(),
  });
  /** The element that had the focus before the filters were opened. */
  private left: Element | null = null;

  constructor(private readonly app: App) {
    this.groups = [
      { name: "Kind", choices: this.tally("kind") },
      { name: "Factuality", choices: this.tally("factuality") },
      { name: "Timeline", choices: this.nameTimelines() },
    ];
    const [kinds, levels, timelines] = this.groups;
    const many = timelines!.choices.length > LISTED;
    this.element = h("details", { class: "filters" },
      h("summary", { title: "Choose what is shown" }, "Filter"),
      h("div", { class: "sheet" },
        ...[kinds!, levels!].map(({ name, choices }) =>
          h("fieldset", {}, h("legend", {}, name), h("ul", {}, ...choices.map((one) => this.makeRow(one))))),
        h("fieldset", {}, h("legend", {}, "Timeline"), many ? this.search : null, this.list, many ? this.more : null),
        h("button", { type: "button", onclick: () => this.app.store.set({ hidden: new Set() }) }, "Show all")));
    this.listTimelines();
    this.watch();
  }

  update({ hidden }: View): void {
    for (const box of this.element.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
      box.checked = !hidden.has(box.value);
    }
    for (const button of this.element.querySelectorAll<HTMLButtonElement>("button.only")) {
      button.setAttribute("aria-pressed", String(this.isOnly(button.value, hidden)));
    }
    this.element.classList.toggle("active", hidden.size > 0);
  }

  /** Open the filters and focus the first one; or close them and give the focus back. */
  toggle(): void {
    if (this.element.open) return this.shut();
    this.left = document.activeElement;
    this.element.open = true;
    this.element.querySelector("input")?.focus();
  }

  private shut(): void {
    this.element.open = false;
    const back = this.left !== document.body && this.left?.isConnected ? this.left : this.element.querySelector("summary");
    this.left = null;
    (back as HTMLElement | SVGElement).focus();
  }

  private watch(): void {
    document.addEventListener("pointerdown", (event) => {
      if (!(event.target instanceof Node) || this.element.contains(event.target)) return;
      this.element.open = false;
      this.left = null;
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.element.open) return;
      event.stopPropagation();
      this.shut();
    });
  }

  private makeRow({ key, words }: Choice): HTMLElement {
    const { hidden } = this.app.store.view;
    return h("li", {},
      h("label", {}, h("input", {
        type: "checkbox", value: key, checked: !hidden.has(key), onchange: () => this.app.store.toggleHidden(key),
      }), words),
      h("button", {
        type: "button", class: "only", value: key, "aria-label": `Show only ${words}`,
        "aria-pressed": String(this.isOnly(key, hidden)), onclick: () => this.showOnly(key),
      }, "only"));
  }

  /** Hide all others of its group; if they are hidden already, show them again. */
  private showOnly(key: string): void {
    const { hidden } = this.app.store.view;
    const others = this.othersOf(key);
    const next = new Set([...hidden].filter((one) => one !== key && !others.includes(one)));
    if (!this.isOnly(key, hidden)) for (const one of others) next.add(one);
    this.app.store.set({ hidden: next });
  }

  private isOnly(key: string, hidden: Set<string>): boolean {
    const others = this.othersOf(key);
    return others.length > 0 && !hidden.has(key) && others.every((one) => hidden.has(one));
  }

  private othersOf(key: string): string[] {
    const group = this.groups.find(({ choices }) => choices.some((one) => one.key === key));
    return (group?.choices ?? []).map((one) => one.key).filter((one) => one !== key);
  }

  /** List the timelines that have the words of the search; without a search, the largest ones. */
  private listTimelines(): void {
    const { choices } = this.groups[2]!;
    const wanted = this.search.value.trim().toLowerCase();
    const found = wanted ? choices.filter(({ searched }) => searched.includes(wanted)) : choices;
    const { hidden } = this.app.store.view;
    const shown = found.filter((one, at) => at < LISTED || (!wanted && hidden.size > 0 && this.isOnly(one.key, hidden)));
    this.list.replaceChildren(...shown.map((one) => this.makeRow(one)));
    const rest = found.length - shown.length;
    this.more.textContent = wanted && !found.length ? "no timeline has these words"
      : rest ? `and ${count(rest, "more timeline")}; find ${rest > 1 ? "them" : "it"} by a word or an id` : "";
  }

  private tally(key: "kind" | "factuality"): Choice[] {
    const counts = new Map<string, number>();
    for (const node of this.app.model.data.nodes) counts.set(node[key], (counts.get(node[key]) ?? 0) + 1);
    return [...counts].map(([value, number]) => ({ key: `${key}:${value}`, words: `${value} (${number})`, searched: value }));
  }

  /** The timelines, the largest first. */
  private nameTimelines(): Choice[] {
    const { data } = this.app.model;
    const members = new Map<number, number[]>();
    data.nodes.forEach(({ timeline }, number) => {
      if (!members.has(timeline)) members.set(timeline, []);
      members.get(timeline)!.push(number);
    });
    return [...data.timelines].sort((one, other) => other.size - one.size).map((one) => {
      const nodes = members.get(one.id) ?? [];
      const first = nodes[0] === undefined ? "" : this.app.model.words(nodes[0]);
      const words = `${sayRole(one)} ${one.id}: ${first} (${one.size})`;
      const inside = nodes.map((node) => `${data.nodes[node]!.text} ${data.nodes[node]!.id}`).join("\n");
      return { key: `timeline:${one.id}`, words, searched: `${words}\n${inside}`.toLowerCase() };
    });
  }
}
