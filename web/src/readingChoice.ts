// What the reading view says of a chosen event: its sentence, its dates and why, and what is before and after it.

import type { App } from "./app";
import { count, h } from "./dom";
import { steps } from "./model";
import type { Group, Relation } from "./points";

/** The lists of other events: title, groups, and whether the list is open at first. */
const LISTS: [string, Group[], boolean][] = [
  ["Before it", ["before"], true],
  ["After it", ["after"], true],
  ["During it, at least in part", ["overlapping"], true],
  ["Not known", ["unknown", "unrelated"], false],
];
/** The most events of a list. */
const MOST = 300;

/** The parts of the pane below the head. */
export function describeChosen(app: App, number: number): HTMLElement[] {
  const { model } = app;
  const node = model.node(number);
  const parts: HTMLElement[] = [];
  if (node.sentence) {
    const [which, start, end] = node.sentence;
    const sentence = model.data.sentences[which]!;
    parts.push(h("blockquote", {}, sentence.slice(0, start), h("b", {}, sentence.slice(start, end)), sentence.slice(end)));
  }
  parts.push(...describeDates(app, number));
  const groups = model.groups(number);
  for (const [title, wanted, open] of LISTS) {
    const found = app.reading.order.filter((other) => other !== number &&
      model.node(other).kind === "event" && wanted.includes(groups[other]!));
    if (found.length) parts.push(list(app, title, found, open));
  }
  const facts = [node.id, node.type ?? node.kind, node.value ?? "", node.factuality, steps(node),
    `timeline ${node.timeline}`, node.line === undefined ? "" : `line ${node.line}`, node.source ?? ""];
  parts.push(h("p", { class: "facts more" }, facts.filter(Boolean).join(" · ")));
  return parts;
}

/** The two possible worlds of an open pair, in one line each. */
export function describeWorlds(relation: Relation, say: (name: string) => string): HTMLElement[] {
  if (relation.verdict !== "possible") return [];
  const names = relation.relations.map(({ name }) => name);
  const lines = [`It can be that ${say(names[0]!)}.`, `It can also be that ${say(names.at(-1)!)}.`];
  return [h("ul", { class: "worlds" }, ...lines.map((line) => h("li", {}, line)))];
}

function describeDates(app: App, number: number): HTMLElement[] {
  const { date, since, until } = app.model.node(number);
  if (!date) return [];
  const times = [...new Set([since, until])].filter((time) => time !== undefined);
  const why = times.map((time) => h("button", {
    type: "button", class: "inline", title: "Show the proof", onclick: () => app.take(time, true),
  }, app.model.words(time)));
  return [h("p", { class: "dates" }, h("strong", {}, date.charAt(0).toUpperCase() + date.slice(1)),
    ...(why.length ? [", because of ", ...why.flatMap((one, at) => [at ? " and " : "", one])] : []))];
}

function list(app: App, title: string, nodes: number[], open: boolean): HTMLElement {
  const more = nodes.length - MOST;
  return h("details", { class: "others", open },
    h("summary", {}, `${title}: ${nodes.length.toLocaleString("en-GB")}`),
    h("ul", {}, ...nodes.slice(0, MOST).map((node) => h("li", {}, h("button", {
      type: "button", class: "other", "data-other": node,
      onclick: (event) => app.take(node, (event as MouseEvent).shiftKey),
    }, ...app.reading.quote(node))))),
    more > 0 && h("p", { class: "quiet" }, `and ${count(more, "more event")}`));
}
