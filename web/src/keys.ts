// Everything by keyboard, and the list of the keys.

import type { App } from "./app";
import { h } from "./dom";

const KEYS: [string, string][] = [
  ["t · g · d", "to the text, to the timeline (the graph), to the details"],
  ["← →", "the event or time before, the next: in the text, or in time"],
  ["↑ ↓", "the row above, the row below (timeline)"],
  ["Enter", "choose it: what is before, after, overlapping, undetermined"],
  ["Shift+Enter · x", "compare it with what is chosen: their relation and its proof"],
  ["Esc", "clear the choice, one by one"],
  ["/ · n · N", "find a word or an id; the next match, the one before"],
  ["+ · - · 0 · 1", "zoom in, zoom out, fit the picture (a very long one by its shorter side), natural size"],
  ["Shift+arrows", "move the picture"],
  ["f · F", "fold or unfold the branches of the chosen, all branches"],
  ["c · C", "the next contradiction, the one before"],
  ["v", "open the filters, or shut them"],
  ["[ · ] · a", "the document before, the next, all documents"],
  ["?", "this list"],
];

const dialog = h("dialog", { class: "help", "aria-label": "Keys and help" },
  h("h2", {}, "Keys"),
  h("dl", {}, ...KEYS.flatMap(([keys, words]) => [
    h("dt", {}, ...keys.split(" · ").flatMap((key, at) => [at ? " " : "", h("kbd", {}, key)])),
    h("dd", {}, words),
  ])),
  h("p", { class: "quiet" },
    "With the pointer: click to choose, Shift+click to compare, drag or scroll to move, Ctrl+scroll to zoom. " +
    "What you see is in the address: copy it to share the view."),
  h("button", { type: "button", class: "action", onclick: () => dialog.close() }, "Close"));

export function openHelp(): void {
  if (!dialog.isConnected) document.body.append(dialog);
  if (!dialog.open) dialog.showModal();
}

export function watchKeys(app: App): void {
  const { data } = app.model;
  const go = (href: string | undefined): void => {
    if (href !== undefined) location.assign(href);
  };
  const actions: Record<string, () => void> = {
    "?": openHelp,
    "/": () => {
      app.tools.search.focus();
      app.tools.search.select();
    },
    "t": () => app.text.focus(),
    "g": () => app.timeline.focus(),
    "d": () => app.details.focus(),
    "n": () => app.tools.next(1),
    "N": () => app.tools.next(-1),
    "+": () => app.timeline.magnify(1.5),
    "=": () => app.timeline.magnify(1.5),
    "-": () => app.timeline.magnify(1 / 1.5),
    "0": () => app.timeline.fit(),
    "1": () => app.timeline.natural(),
    "x": () => compare(app),
    "f": () => fold(app),
    "F": () => foldAll(app),
    "c": () => turn(app, 1),
    "C": () => turn(app, -1),
    "v": () => app.tools.toggleFilters(),
    "[": () => go(data.place.previous),
    "]": () => go(data.place.next),
    "a": () => go(data.place.index),
    "Escape": () => app.clear(),
  };
  const moves: Record<string, [number, number]> = {
    ArrowLeft: [-0.3, 0], ArrowRight: [0.3, 0], ArrowUp: [0, -0.3], ArrowDown: [0, 0.3],
  };
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target instanceof HTMLInputElement && event.target.type !== "checkbox") return;
    const move = event.shiftKey ? moves[event.key] : undefined;
    const action = move ? () => app.timeline.pan(...move) : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** Compare what has the focus with what is chosen; without a focus, wait for the other. */
function compare(app: App): void {
  const node = (document.activeElement as HTMLElement | SVGElement | null)?.dataset.node;
  if (node !== undefined && !app.isOnly(Number(node))) app.take(Number(node), true);
  else {
    app.comparing = !app.comparing;
    app.details.update(app.store.view);
  }
}

function fold(app: App): void {
  const active = (document.activeElement as HTMLElement | SVGElement | null)?.dataset.node;
  const node = app.model.findAll(app.store.view.selected)[0] ?? (active === undefined ? undefined : Number(active));
  if (node === undefined) return;
  const hanging = app.timeline.scene.hanging.get(node);
  const { timeline } = app.model.node(node);
  const branch = app.model.data.picture.lanes.find((lane) => lane.timeline === timeline)?.parent !== null;
  if (hanging) app.store.toggleFolded(hanging);
  else if (branch) app.store.toggleFolded([timeline]);
}

function foldAll(app: App): void {
  const branches = app.model.data.picture.lanes.filter((lane) => lane.parent !== null && lane.depth === 1);
  app.store.set({ folded: new Set(app.store.view.folded.size ? [] : branches.map((lane) => lane.timeline)) });
}

function turn(app: App, move: number): void {
  const many = app.model.data.conflicts.length;
  if (!many) return;
  const at = app.store.view.conflict;
  app.takeConflict(at === null ? (move > 0 ? 0 : many - 1) : (at + move + many) % many);
}
