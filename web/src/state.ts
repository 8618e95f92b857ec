// The current view. All of it except the pointer is in the address, so that it can be shared.

import type { Conflict } from "./data";

export interface View {
  /** The reading view, or the map. */
  view: "reading" | "map";
  /** Whether the text stands beside the reading view. */
  text: boolean;
  /** Ids of up to two events or times. */
  selected: string[];
  /** The id of a link that is pointed out. */
  link: string | null;
  /** The number of a conflict, from 0. */
  conflict: number | null;
  query: string;
  /** What is hidden: `kind:event`, `factuality:possible`, `timeline:3`. */
  hidden: Set<string>;
  /** Timelines that are folded away, with all that hangs from them. */
  folded: Set<number>;
  /** Whether the bars of the map have phrases instead of words. */
  phrases: boolean;
  /** Scale, and the point of the picture in the upper left corner of the view. */
  zoom: [number, number, number] | null;
}

let conflictKeys: string[] = [];

/** In the address, a contradiction is its links: its number changes when the file does. */
export function nameConflicts(conflicts: Conflict[]): void {
  conflictKeys = conflicts.map(({ minimal }) => [...minimal].sort().join(" "));
}

type Listener = (view: View, changed: Set<keyof View>, byAddress: boolean) => void;

export class Store {
  view: View;
  private readonly listeners: Listener[] = [];
  private written = location.hash;

  /** `first` is what is shown if the address does not say. */
  constructor(private readonly first: View["view"] = "reading") {
    this.view = read(location.hash, first);
    addEventListener("hashchange", (event) => {
      const fragment = new URL(event.newURL).hash;
      if (fragment !== this.written) this.set(read(fragment, first), true);
    });
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  set(patch: Partial<View>, byAddress = false): void {
    const keys = Object.keys(patch) as (keyof View)[];
    const changed = new Set(keys.filter((key) => !same(this.view[key], patch[key])));
    this.view = { ...this.view, ...patch };
    for (const listener of changed.size ? this.listeners : []) listener(this.view, changed, byAddress);
    this.write();
  }

  toggleHidden(key: string): void {
    this.set({ hidden: toggle(this.view.hidden, key) });
  }

  toggleFolded(timelines: number[]): void {
    const shut = timelines.every((one) => this.view.folded.has(one));
    const folded = new Set(this.view.folded);
    for (const one of timelines) shut ? folded.delete(one) : folded.add(one);
    this.set({ folded });
  }

  private write(): void {
    const fragment = write(this.view, this.first);
    if (fragment === this.written) return;
    this.written = fragment;
    history.replaceState(null, "", fragment || location.pathname + location.search);
  }
}

/** Whether two parts of a view are equal; lists and sets go by what they hold. */
function same(one: unknown, other: unknown): boolean {
  if (one instanceof Set && other instanceof Set) return same([...one].sort(), [...other].sort());
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((part, at) => part === other[at]);
}

function toggle<T>(set: Set<T>, value: T): Set<T> {
  const copy = new Set(set);
  if (!copy.delete(value)) copy.add(value);
  return copy;
}

function read(fragment: string, first: View["view"]): View {
  const given = new URLSearchParams(fragment.slice(1));
  const zoom = (given.get("z") ?? "").split(",").map(Number);
  const conflict = conflictKeys.indexOf(given.get("c") ?? "");
  const view = given.get("v");
  return {
    view: view === "map" || view === "reading" ? view : first,
    text: given.has("t"),
    selected: given.getAll("s").slice(0, 2),
    link: given.get("l"),
    conflict: conflict < 0 ? null : conflict,
    query: given.get("q") ?? "",
    hidden: new Set(given.getAll("h")),
    folded: new Set(given.getAll("f").map(Number).filter(Number.isInteger)),
    phrases: given.has("p"),
    zoom: zoom.length === 3 && zoom.every(Number.isFinite) && zoom[0]! > 0
      ? (zoom as [number, number, number]) : null,
  };
}

function write(view: View, first: View["view"]): string {
  const given = new URLSearchParams();
  for (const id of view.selected) given.append("s", id);
  if (view.link !== null) given.set("l", view.link);
  if (view.conflict !== null) given.set("c", conflictKeys[view.conflict] ?? "");
  if (view.query) given.set("q", view.query);
  for (const key of [...view.hidden].sort()) given.append("h", key);
  for (const timeline of [...view.folded].sort((a, b) => a - b)) given.append("f", String(timeline));
  if (view.phrases) given.set("p", "1");
  if (view.zoom) given.set("z", view.zoom.map((part) => +part.toPrecision(5)).join(","));
  if (view.view !== first) given.set("v", view.view);
  if (view.text) given.set("t", "1");
  const fragment = given.toString();
  return fragment && `#${fragment}`;
}
