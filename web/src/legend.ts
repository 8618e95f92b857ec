// The legend: a sample of each sign that occurs in the picture, with its meaning; as in the static picture.

import type { Picture } from "./data";
import { h, s } from "./dom";

const LOOKS: [string, string[]][] = [
  ["solid", ["factual"]],
  ["pale", ["reported"]],
  ["outlined", ["possible", "conditional", "unasserted"]],
  ["hatched", ["negated", "counterfactual"]],
];

export function makeLegend(picture: Picture): HTMLElement {
  return h("ul", { class: "legend", "aria-label": "Legend" }, ...[...list(picture)].map(([words, ...shapes]) =>
    h("li", {}, s("svg", { class: "sample", "aria-hidden": "true" }, ...shapes), words)));
}

function* list(picture: Picture): Generator<[string, ...SVGElement[]]> {
  const { bars, bands, connectors, gaps, chips, rings, left_out } = picture;
  const events = [...bars, ...chips].filter(({ kind }) => kind !== "time");
  const levels = new Set(events.map(({ factuality }) => factuality));
  for (const [look, wanted] of LOOKS) {
    const found = wanted.filter((level) => levels.has(level));
    if (found.length) yield [found.join(" or "), bar(`event ${look}`)];
  }
  if (bars.some(({ kind }) => kind === "time")) yield ["time, with its value", bar("time solid")];
  else if (chips.some(({ kind }) => kind === "time")) yield ["time", bar("time solid")];
  if (bars.some((one) => !one.loose && (one.first_latest > one.first || one.last_latest > one.last))) {
    yield ["how far its start (above) and its end (below) can move", s("g", { class: "thing event solid" },
      s("path", { class: "whisker", d: "M2 2H24m0 -2.5v5M16 16H32m0 -2.5v5" }),
      s("rect", { class: "body", x: 2, y: 5, width: 14, height: 8, rx: 2 }))];
  }
  if (bars.some((one) => !one.loose && (one.first_shown < one.first_latest || one.last_shown < one.last_latest))) {
    yield ["farther than is drawn", s("g", { class: "thing event" },
      s("path", { class: "whisker", d: "M2 9H32m-4 -2.5l4 2.5 -4 2.5" }))];
  }
  if (bars.some(({ torn }) => torn[0] || torn[1])) {
    yield ["goes on in another line", s("g", { class: "thing event solid" },
      s("path", { class: "body", d: "M1 2H28l5 7 -5 7H1l5 -7z" }))];
  }
  if (bars.some(({ loose }) => loose)) {
    yield ["without a known place on an axis", s("g", { class: "thing event solid" },
      s("rect", { class: "body", x: 1, y: 1, width: 32, height: 16, rx: 8 }))];
  }
  yield* listDates(picture);
  if (bands.length) {
    yield ["order unknown: number of points and of possible orders", s("g", { class: "band" }, s("rect", { width: 34, height: 18, rx: 5 }))];
  }
  if (connectors.some(({ carries }) => carries)) {
    yield ["subordinated: a branch hangs by its SLINK", arrow("connector", "M6 0V5Q6 9 10 9H30")];
  }
  if (connectors.some(({ carries }) => !carries)) {
    yield ["another SLINK to it", arrow("connector pointing", "M2 9H30")];
  }
  if (left_out.length) {
    yield ["left out, so that the rest has an order", s("g", { class: "left-out" },
      s("path", { class: "line", d: "M2 9H26" }), s("path", { class: "tip", d: "M34 9l-8 -4v8z" }))];
  }
  if (gaps.length) yield ["between timelines: no order known", s("g", { class: "gap" }, s("path", { d: "M17 0V18" }))];
  if (chips.length) {
    yield ["without steps, because its timeline is contradictory", s("g", { class: "thing chip event solid" },
      s("rect", { class: "body", x: 1, y: 1, width: 32, height: 16, rx: 8 }))];
  }
  if (rings.length) {
    yield ["links that cannot all hold, read along the arrows", s("g", { class: "ring" },
      s("rect", { class: "track", x: 2, y: 2, width: 30, height: 14, rx: 6 }))];
  }
}

function* listDates({ bars, date_bands, date_marks, strands }: Picture): Generator<[string, ...SVGElement[]]> {
  const units = [...new Set(date_bands.flatMap(({ unit }) => (unit ? [unit] : [])))].join(" or ");
  const band = (look: string): SVGElement => s("g", { class: look }, s("rect", { y: 1, width: 34, height: 16, rx: 3 }));
  if (units) yield [`${units} of these steps, by the calendar`, band("date")];
  if (bars.some(({ dated, kind }) => dated && kind !== "time")) {
    yield [`known to be in the ${units} above`, s("rect", { class: "in-date", width: 34, height: 18 }),
      s("g", { class: "thing event solid" }, s("rect", { class: "body", x: 8, y: 4, width: 18, height: 10, rx: 3 }))];
  }
  if (date_bands.some(({ unit }) => !unit)) yield ["undated steps", band("date undated")];
  if (date_marks.length) yield ["here a date begins", s("g", { class: "start" }, s("path", { d: "M4 0V18" }))];
  if (strands.length) {
    yield ["branch on the same axis, by the calendar", s("g", { class: "strand" },
      s("rect", { x: 1, y: 1, width: 32, height: 16, rx: 5 }))];
  }
}

function bar(look: string): SVGElement {
  const rx = look.startsWith("time") ? 0 : 4;
  return s("g", { class: `thing ${look}` }, s("rect", { class: "body", x: 1, y: 2, width: 32, height: 14, rx }));
}

function arrow(look: string, line: string): SVGElement {
  return s("g", { class: look }, s("path", { class: "line", d: line }), s("path", { class: "tip", d: "M32 9l-6 -3.5v7z" }));
}
