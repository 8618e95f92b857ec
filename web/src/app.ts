// The page of one document: the text on the left, the timeline on the right, the details below it.

import type { DocumentData } from "./data";
import { Details } from "./details";
import { h } from "./dom";
import { watchKeys } from "./keys";
import { followDocument } from "./live";
import { listBranches, Model } from "./model";
import { Pointer } from "./pointer";
import type { Group } from "./points";
import { ReadingPane } from "./reading";
import { Store, type View } from "./state";
import { TextPane } from "./text";
import { TimelinePane } from "./timeline";
import { Tools } from "./tools";

/** How nodes and links are shown at the moment. */
export interface Shown {
  /** The CSS classes of a node: `chosen`, `before`, `found`, `out` and others. */
  classes(node: number): string[];
  /** The name of the colour that a node has. */
  colour(node: number, classes: string[]): string;
  /** Whether a link is highlighted; whether it is dimmed because others are shown. */
  lit(link: string): boolean;
  dims(link: string): boolean;
  arcs: { link: number; lit: boolean }[];
  ring: number | null;
}

/** How the panes select nodes, links and contradictions. */
export interface Choose {
  take(node: number, add?: boolean): void;
  takeLink(id: string): void;
  takeConflict(number: number | null): void;
  isOnly(node: number): boolean;
  clear(): void;
}

const GROUPS = new Set<string>(["before", "after", "overlapping", "unknown", "unrelated"]);

export class App implements Choose {
  readonly element: HTMLElement;
  readonly model: Model;
  readonly store: Store;
  readonly text: TextPane;
  readonly reading: ReadingPane;
  readonly details: Details;
  readonly tools: Tools;
  /** Whether the next node that is taken is compared with the selected one. */
  comparing = false;
  private readonly pointer = new Pointer();
  private readonly state: string[][];
  private pointed: number | null = null;
  /** The map; it is made when it is looked at. */
  private map: TimelinePane | null = null;
  private readonly right = h("div", { class: "right" });

  constructor(data: DocumentData) {
    this.model = new Model(data);
    this.store = new Store(data.view);
    this.usePhrases();
    this.state = data.nodes.map(() => []);
    this.text = new TextPane(this.model, this.pointer, this);
    this.reading = new ReadingPane(this.pointer, this);
    this.details = new Details(this);
    this.tools = new Tools(this);
    this.right.append(this.details.element);
    // The reading view is on the page already; it would take long to move a large one.
    const main = this.reading.element.parentElement ?? h("main", {}, this.reading.element);
    this.element = main.parentElement ?? h("div", { class: "app" }, main);
    this.element.prepend(this.tools.element);
    main.prepend(this.text.element);
    main.append(this.right);
    this.store.listen((view, changed, byAddress) => {
      if (changed.has("phrases")) this.usePhrases();
      if (changed.has("folded") || changed.has("hidden") || changed.has("phrases")) this.map?.rebuild(view);
      if (byAddress || changed.has("view")) this.arrive();
      else if (changed.size > 1 || !changed.has("zoom")) this.show(view);
    });
    this.pointer.listen((node) => this.point(node));
    watchKeys(this);
    followDocument(data.place, data.name);
  }

  /** Whether the reading view is shown, and not the map. */
  get reads(): boolean {
    return this.store.view.view === "reading";
  }

  get timeline(): TimelinePane {
    if (!this.map) {
      this.map = new TimelinePane(this.model, this.store, this.pointer, this);
      this.right.prepend(this.map.element);
    }
    return this.map;
  }

  /** Show the map instead of the reading view, or the other way round. */
  turnView(): void {
    this.store.set({ view: this.reads ? "map" : "reading" });
  }

  /** Unfold all branches of the map; fold them if none is folded. */
  foldAll(): void {
    this.store.set({ folded: new Set(this.store.view.folded.size ? [] : listBranches(this.model.picture)) });
  }

  goToText(): void {
    if (this.reads) this.store.set({ text: true });
    this.text.focus();
  }

  goToView(): void {
    if (this.reads) this.reading.focus();
    else this.timeline.focus();
  }

  open(): void {
    this.arrive();
    document.documentElement.dataset.ready = "true";
  }

  take(node: number, add = false): void {
    const { id } = this.model.node(node);
    const { selected } = this.store.view;
    const known = this.model.findAll(selected).length ? selected : [];
    let next: string[];
    if (known.length === 1 && known[0] === id) next = [];
    else if ((add || this.comparing) && known.length) {
      next = known.includes(id) ? known.filter((one) => one !== id) : [known[0]!, id];
    } else next = [id];
    this.comparing = false;
    this.store.set({ selected: next, link: null, conflict: null });
    if (next.length) this.bring(node);
  }

  takeLink(id: string): void {
    const number = this.model.findLink(id);
    if (number === undefined) return;
    const link = this.store.view.link === id ? null : id;
    this.store.set({ link });
    if (link === null) return;
    const { source, target } = this.model.link(number);
    const chosen = this.model.findAll(this.store.view.selected);
    const other = [target, source].find((end) => end !== undefined && !chosen.includes(end));
    if (other !== undefined) this.bring(other);
  }

  takeConflict(number: number | null): void {
    const conflict = number === null ? undefined : this.model.data.conflicts[number];
    this.store.set({ conflict: conflict ? number : null, selected: [], link: null });
    if (conflict) this.bringConflict(number!);
  }

  isOnly(node: number): boolean {
    const { selected } = this.store.view;
    return selected.length === 1 && this.model.find(selected[0]) === node;
  }

  clear(): void {
    const { selected, link, conflict } = this.store.view;
    this.comparing = false;
    if (link !== null) this.store.set({ link: null });
    else if (selected.length > 1) this.store.set({ selected: selected.slice(0, 1) });
    else if (selected.length || conflict !== null) this.store.set({ selected: [], conflict: null });
    else this.details.update(this.store.view);
  }

  /** The nodes that the search finds, in text order. */
  found(query = this.store.view.query): number[] {
    const wanted = query.trim().toLowerCase();
    if (!wanted) return [];
    return this.model.data.nodes.flatMap((node, number) => {
      const hit = node.text.toLowerCase().includes(wanted) || node.id.toLowerCase() === wanted;
      return hit ? [number] : [];
    });
  }

  private usePhrases(): void {
    const { picture, phrases } = this.model.data;
    this.model.picture = this.store.view.phrases && phrases || picture;
  }

  /** Go where the address says. */
  private arrive(): void {
    if (!this.reads) void this.timeline; // its pane must be there before anything is shown in it
    this.show(this.store.view); // first: the picture gets the room that the details leave
    if (!this.reads) this.timeline.open();
    const { selected, conflict, zoom } = this.store.view;
    const [first] = this.model.findAll(selected);
    if (first !== undefined) this.bring(first, false, !zoom);
    else if (conflict !== null) this.bringConflict(conflict, !zoom);
  }

  /** Bring a node into view on both sides; if its timeline was filtered out, it comes back. */
  private bring(node: number, calmly = true, move = true): void {
    this.unhide(this.model.node(node).timeline);
    this.text.reveal(node);
    if (this.reads) this.reading.reveal(node);
    else if (move) this.timeline.reveal(node, calmly);
  }

  private bringConflict(number: number, move = true): void {
    const conflict = this.model.data.conflicts[number];
    if (!conflict) return;
    this.unhide(conflict.timeline);
    const first = this.model.find(conflict.walk[0]?.left.slice(0, -1));
    if (first !== undefined) this.text.reveal(first);
    if (this.reads) this.reading.reveal(first ?? -1);
    else if (move) this.timeline.revealRing(number);
  }

  private unhide(timeline: number): void {
    const key = `timeline:${timeline}`;
    if (this.store.view.hidden.has(key)) this.store.toggleHidden(key);
  }

  private point(node: number | null): void {
    for (const one of [this.pointed, node]) {
      if (one === null) continue;
      const classes = this.state[one]!.filter((name) => name !== "pointed");
      this.state[one] = one === node ? [...classes, "pointed"] : classes;
    }
    const touched = [this.pointed, node].filter((one) => one !== null);
    this.pointed = node;
    this.text.dressNodes(touched);
    this.reading.dressNodes(touched);
    this.map?.dressNodes(touched);
  }

  private show(view: View): void {
    const { model } = this;
    const chosen = model.findAll(view.selected);
    const groups: Group[] | null = chosen.length ? model.groups(chosen[0]!) : null;
    const found = new Set(this.found(view.query));
    const link = model.findLink(view.link);
    const ends = link === undefined ? [] : [model.link(link).source, model.link(link).target];
    const conflict = view.conflict === null ? undefined : model.data.conflicts[view.conflict];
    const guilty = new Set(conflict ? model.constraints(conflict).map(({ left }) => left >> 1) : []);
    model.data.nodes.forEach((node, number) => {
      const classes: string[] = [];
      if (chosen.includes(number)) classes.push("chosen", chosen[0] === number ? "first" : "second");
      else if (groups) classes.push(groups[number]!);
      if (found.has(number)) classes.push("found");
      if (ends.includes(number)) classes.push("end");
      if (guilty.has(number)) classes.push("guilty");
      if (view.hidden.has(`kind:${node.kind}`) || view.hidden.has(`factuality:${node.factuality}`) ||
          view.hidden.has(`timeline:${node.timeline}`)) classes.push("out");
      if (number === this.pointed) classes.push("pointed");
      this.state[number] = classes;
    });
    const relation = chosen.length === 2 ? model.relate(chosen[0]!, chosen[1]!) : null;
    const used = relation
      ? relation.proofs.flatMap(({ walk }) => walk.map((step) => step.link))
        .concat(relation.path.map((one) => model.findLink(one.link) ?? -1))
      : chosen.length ? model.linksOf[chosen[0]!]!
        : conflict ? conflict.minimal.map((id) => model.findLink(id) ?? -1) : [];
    const arcs = [...new Set([...used, link ?? -1])].filter((one) => one >= 0)
      .map((one) => ({ link: one, lit: one === link }));
    const own = new Set(arcs.map((one) => model.link(one.link).id));
    const shown: Shown = {
      classes: (node) => this.state[node]!,
      colour: (node, classes) => {
        if (classes.includes("chosen")) return "chosen";
        return classes.find((name) => GROUPS.has(name)) ?? model.node(node).kind;
      },
      lit: (id) => id === view.link || Boolean(conflict?.minimal.includes(id)),
      dims: (id) => chosen.length > 0 && !own.has(id),
      arcs,
      ring: view.conflict,
    };
    this.element.classList.toggle("choosing", chosen.length > 0);
    this.element.classList.toggle("reads", this.reads);
    this.element.classList.toggle("with-text", view.text);
    this.right.classList.toggle("idle", !chosen.length && conflict === undefined && link === undefined);
    this.text.dress(shown);
    this.reading.dress(shown);
    this.map?.dress(shown);
    this.details.update(view, relation);
    if (!this.reads) this.timeline.resize();
    this.tools.update(view);
  }
}
