// All actions by keyboard, and the list of keys.

import type { App } from "./app";
import { makeHelp } from "./help";

const KEYS: [string, string][] = [
  ["m", "the map, or the reading view again"],
  ["t · g · d", "go to the text, to the reading view or the map, to the details"],
  ["← →", "previous, next event or time: in the text, in the reading view, or on the map"],
  ["↑ ↓", "row above, row below (on the timeline)"],
  ["Enter", "select it; the others are coloured: before, after, overlapping, unknown"],
  ["Shift+Enter · x", "compare it with the selected one: their relation and its proof"],
  ["Esc", "clear the selection, one at a time"],
  ["/ · n · N", "find a word or an id; next match, previous match"],
  ["+ · - · 0 · 1", "zoom in, zoom out, fit the picture (as far as its words stay readable), original size"],
  ["Shift+arrows", "move the picture"],
  ["f · F", "fold or unfold the branches of the selected one; all branches"],
  ["p", "write phrases on the map instead of words"],
  ["c · C", "next contradiction, previous contradiction"],
  ["v", "open or close the filters"],
  ["[ · ] · a", "previous document, next document, all documents"],
  ["?", "this list"],
];

export const openHelp = makeHelp(KEYS,
  "With the mouse: click to select, Shift+click to compare, drag or scroll to move, Ctrl+scroll to zoom. " +
  "The address holds the current view: copy it to share the view.");

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
    "m": () => app.turnView(),
    "t": () => app.goToText(),
    "g": () => app.goToView(),
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
    "p": () => app.model.data.phrases && app.store.set({ phrases: !app.store.view.phrases }),
    "F": () => app.foldAll(),
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
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target instanceof HTMLInputElement && event.target.type !== "checkbox") return;
    const move = event.shiftKey ? moves[event.key] : undefined;
    const action = move ? () => app.timeline.pan(...move) : actions[event.key];
    if (!action || (app.reads && (move || "+=-01fFp".includes(event.key)))) return;
    event.preventDefault();
    action();
  });
}

/** Compare the node that has the focus with the selected one; if none has it, wait for the next selection. */
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
  const branch = app.model.picture.lanes.find((lane) => lane.timeline === timeline)?.parent !== null;
  if (hanging) app.store.toggleFolded(hanging);
  else if (branch) app.store.toggleFolded([timeline]);
}

function turn(app: App, move: number): void {
  const many = app.model.data.conflicts.length;
  if (!many) return;
  const at = app.store.view.conflict;
  app.takeConflict(at === null ? (move > 0 ? 0 : many - 1) : (at + move + many) % many);
}
