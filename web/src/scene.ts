// From the laid-out picture to things that can be painted one by one, in pixels of the picture.
//
// The layout counts in steps and rows. Rows that only folded or hidden timelines use are taken out.

import type { Bar, Chip, Connector, Picture } from "./data";
import { count, s } from "./dom";
import type { Model } from "./model";

export type Layer = "lanes" | "bands" | "axes" | "connectors" | "bars" | "rings" | "folds";

export interface Item {
  key: string;
  layer: Layer;
  left: number;
  top: number;
  right: number;
  bottom: number;
  node?: number;
  make: () => SVGElement;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const BAR = 0.17; // of a row, above a bar and below it
const CHUNK = 24; // steps of an axis that are painted together
const MARGIN = 18; // pixels around the picture

export class Scene {
  readonly items: Item[] = [];
  readonly width: number;
  readonly height: number;
  /** The box of each node's bar or chip that is not hidden. */
  readonly boxes = new Map<number, Box>();
  /** Which timelines hang from a node. */
  readonly hanging = new Map<number, number[]>();
  private readonly picture: Picture;
  private readonly shut: Set<number>;
  private readonly cuts: { from: number; to: number }[] = [];

  constructor(
    private readonly model: Model,
    private readonly folded: Set<number>,
    hidden: Set<string>,
  ) {
    this.picture = model.data.picture;
    this.shut = findShut(this.picture, folded, hidden);
    this.cut();
    const removed = this.cuts.reduce((sum, { from, to }) => sum + to - from, 0);
    this.width = this.picture.width * this.picture.step + 2 * MARGIN;
    this.height = (this.picture.height - removed) * this.picture.row + 2 * MARGIN;
    this.addLanes();
    this.addBands();
    this.addConnectors();
    this.addBars();
    this.addRings();
  }

  shows(timeline: number): boolean {
    return !this.shut.has(timeline);
  }

  x = (steps: number): number => steps * this.picture.step + MARGIN;

  y = (rows: number): number => {
    let gone = 0;
    for (const { from, to } of this.cuts) {
      if (rows <= from) break;
      gone += Math.min(rows, to) - from;
    }
    return (rows - gone) * this.picture.row + MARGIN;
  };

  /** Find the rows that no timeline needs any more. */
  private cut(): void {
    if (!this.shut.size) return;
    const spans = this.picture.lanes
      .filter((lane) => this.shows(lane.timeline))
      .map((lane) => [lane.y, lane.y + lane.height] as const)
      .sort((one, other) => one[0] - other[0]);
    let end = 0;
    for (const [from, to] of [...spans, [this.picture.height, this.picture.height] as const]) {
      if (from - end > 1) this.cuts.push({ from: end + 0.5, to: from - (spans.length ? 0.25 : 0) });
      end = Math.max(end, to);
    }
  }

  private add(layer: Layer, key: string, box: Box, make: () => SVGElement, node?: number): void {
    this.items.push({ layer, key, ...box, make, ...(node === undefined ? {} : { node }) });
  }

  private box(x: number, y: number, width: number, height: number): Box {
    return { left: this.x(x), top: this.y(y), right: this.x(x + width), bottom: this.y(y + height) };
  }

  private addLanes(): void {
    const { step, row } = this.picture;
    for (const lane of this.picture.lanes) {
      if (!this.shows(lane.timeline)) continue;
      const box = this.box(lane.x, lane.y, lane.width, lane.height);
      if (lane.title_row !== null) {
        const titleRow = lane.title_row;
        this.add("lanes", `title${lane.timeline}`, box, () =>
          s("g", { class: `lane ${lane.place}${lane.consistent ? "" : " bad"}` },
            this.text("title", lane.title, lane.title_left, titleRow)));
      }
      if (lane.axis === null) continue;
      const axis = lane.axis;
      for (let first = 1; first <= lane.length; first += CHUNK) {
        const last = Math.min(first + CHUNK - 1, lane.length);
        const at = (number: number): number => this.x(lane.left + (number - 1) * lane.stride);
        const chunk = { left: at(first) - step, right: at(last) + step, top: box.top, bottom: box.bottom };
        this.add("axes", `axis${lane.timeline}.${first}`, chunk, () => {
          const y = this.y(axis + 0.5), low = box.bottom;
          const steps = Array.from({ length: last - first + 1 }, (_, k) => first + k);
          return s("g", { class: "axis" },
            s("path", { class: "grid", d: steps.map((k) => `M${at(k)} ${y + row * 0.32}V${low}`).join("") }),
            s("path", { class: "rule", d: `M${at(first)} ${y + row * 0.32}H${at(Math.min(last + 1, lane.length))}` }),
            ...steps.map((k) => s("text", { x: at(k), y: y + 3.5, class: "number" }, String(k))));
        });
      }
    }
    for (const gap of this.picture.gaps) {
      if (!this.shows(gap.first_timeline) || !this.shows(gap.second_timeline)) continue;
      const box = this.box(gap.x - 0.2, gap.y, 0.4, gap.height);
      this.add("lanes", `gap${gap.first_timeline}`, box, () =>
        s("g", { class: "gap" },
          s("title", {}, gap.label),
          s("path", { d: `M${this.x(gap.x)} ${box.top}V${box.bottom}` })));
    }
  }

  private addBands(): void {
    for (const [number, band] of this.picture.bands.entries()) {
      if (!this.shows(band.timeline)) continue;
      const box = this.box(band.x, band.y, band.width, band.height);
      const reach = { ...box, left: Math.min(box.left, this.x(band.label_left)) };
      reach.right = Math.max(box.right, this.x(band.label_left + band.label_width));
      reach.top = Math.min(box.top, this.y(band.label_row));
      this.add("bands", `band${number}`, reach, () =>
        s("g", { class: "band" },
          s("title", {}, `Undetermined: ${band.label}`),
          s("rect", { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, rx: 5 }),
          this.text("label", band.label, band.label_left, band.label_row)));
    }
  }

  private addConnectors(): void {
    const shut = new Map<number, { connector: Connector; timelines: number[] }>();
    for (const [number, connector] of this.picture.connectors.entries()) {
      const source = this.model.find(connector.source)!;
      if (connector.carries) {
        const timelines = [...(shut.get(source)?.timelines ?? []), connector.target_timeline];
        shut.set(source, { connector: shut.get(source)?.connector ?? connector, timelines });
      }
      if (!this.shows(connector.source_timeline) || !this.shows(connector.target_timeline)) continue;
      const path = connector.path.map(([x, y]) => [this.x(x), this.y(y)] as const);
      const xs = path.map(([x]) => x), ys = path.map(([, y]) => y);
      const box = {
        left: Math.min(...xs, this.x(connector.label_left)),
        right: Math.max(...xs, this.x(connector.label_left + connector.label_width)),
        top: Math.min(...ys) - 8,
        bottom: Math.max(...ys) + 8,
      };
      this.add("connectors", `connector${number}`, box, () =>
        s("g", { class: `connector${connector.carries ? "" : " aside"}`, "data-link": connector.link },
          s("title", {}, `${connector.type ?? "SLINK"} (${connector.link}): ` +
            `${this.model.nameId(connector.source)} to ${this.model.nameId(connector.target)}`),
          s("path", { d: `M${path.map((place) => place.join(" ")).join("L")}`, "marker-end": "url(#tip)" }),
          this.text("label", connector.label, connector.label_left, connector.label_row)));
    }
    for (const [source, { connector, timelines }] of shut) {
      this.hanging.set(source, timelines);
      if (!this.shows(connector.source_timeline)) continue;
      const [x, y] = [this.x(connector.path[0]![0]), this.y(connector.path[0]![1])];
      const folded = timelines.every((one) => this.folded.has(one));
      const box = { left: x - 6, top: y - 6, right: x + 6, bottom: y + 6 };
      this.add("folds", `fold${source}`, box, () =>
        s("g", { class: `fold${folded ? " shut" : ""}`, "data-fold": source, transform: `translate(${x} ${y})` },
          s("title", {}, `${folded ? "Unfold" : "Fold"} ${count(timelines.length, "branch", "branches")}`),
          s("circle", { r: 9, class: "touch" }),
          s("circle", { r: 5 }),
          s("path", { d: folded ? "M-2.5 0H2.5M0 -2.5V2.5" : "M-2.5 0H2.5" })));
    }
  }

  private addBars(): void {
    for (const bar of this.picture.bars) this.addThing(bar, bar.timeline, () => this.makeBar(bar));
    for (const chip of this.picture.chips) this.addThing(chip, chip.timeline, () => this.makeChip(chip));
    for (const mark of this.picture.landmarks) {
      if (!this.shows(mark.timeline)) continue;
      const node = this.model.find(mark.interval)!;
      const box = this.box(mark.label_left, mark.row, mark.label_width, 1);
      this.add("axes", `mark${node}`, box, () =>
        s("g", { class: "landmark" }, this.text("label", mark.label, mark.label_left, mark.row)));
    }
  }

  private addThing(thing: Bar | Chip, timeline: number, make: () => SVGElement): void {
    if (!this.shows(timeline)) return;
    const node = this.model.find(thing.interval)!;
    const body = this.box(thing.left, thing.row + BAR, thing.width, 1 - 2 * BAR);
    this.boxes.set(node, body);
    const reach = { ...body };
    if ("label_left" in thing) {
      const { stride, left } = this.lane(timeline);
      reach.right = Math.max(
        body.right,
        this.x(thing.label_left + thing.label_width),
        this.x(left + (thing.last_latest - 1) * stride),
      );
    }
    this.add("bars", `node${node}`, reach, make, node);
  }

  private makeBar(bar: Bar): SVGElement {
    const node = this.model.find(bar.interval)!;
    const { left, top, right, bottom } = this.boxes.get(node)!;
    const lane = this.lane(bar.timeline);
    const at = (step: number): number => this.x(lane.left + (step - 1) * lane.stride);
    const middle = (top + bottom) / 2;
    const whisker = (from: number, to: number, y: number): string =>
      from === to ? "" : `M${at(from)} ${y}H${at(to)}M${at(to)} ${y - 3}V${y + 3}`;
    const ends = whisker(bar.first, bar.first_latest, bottom - 2.5) + whisker(bar.last, bar.last_latest, middle);
    return s("g", this.given(node, bar.inside ? "bar inside" : "bar"),
      s("title", {}, this.model.describe(node)),
      s("rect", { class: "body", x: left, y: top, width: right - left, height: bottom - top, rx: 4 }),
      ends ? s("path", { class: "whisker", d: ends }) : null,
      this.text("label", bar.label, bar.label_left, bar.row));
  }

  private makeChip(chip: Chip): SVGElement {
    const node = this.model.find(chip.interval)!;
    const { left, top, right, bottom } = this.boxes.get(node)!;
    return s("g", this.given(node, "chip"),
      s("title", {}, this.model.describe(node)),
      s("rect", { class: "body", x: left, y: top, width: right - left, height: bottom - top, rx: 9 }),
      s("text", { class: "label middle", x: (left + right) / 2, y: (top + bottom) / 2 + 4 }, chip.label));
  }

  private addRings(): void {
    for (const [number, ring] of this.picture.rings.entries()) {
      if (!this.shows(ring.timeline)) continue;
      const box = this.box(ring.x, ring.y, ring.width, ring.height);
      this.add("rings", `ring${number}`, box, () => {
        const track = ring.path.map(([x, y]) => `${this.x(x)} ${this.y(y)}`).join("L");
        return s("g", { class: "ring", "data-ring": number },
          s("rect", { class: "box", x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, rx: 8 }),
          this.text("caption", ring.label, ring.x + 0.25, ring.y),
          s("path", { class: "track", d: `M${track}Z` }),
          ...ring.links.map((link) => {
            const half = (link.width * this.picture.step) / 2 + 4;
            const [x, y] = [this.x(link.x), this.y(link.y)];
            return s("g", { class: `tie${link.needed ? " needed" : ""}`, "data-link": link.link },
              s("rect", { x: x - half, y: y - 8, width: 2 * half, height: 16, rx: 3 }),
              s("text", { class: "label middle", x, y: y + 3.5 }, link.label));
          }),
          ...ring.nodes.map((spot) => {
            const node = this.model.find(spot.interval)!;
            const half = (spot.width * this.picture.step) / 2;
            const [x, y] = [this.x(spot.x), this.y(spot.y)];
            return s("g", this.given(node, "chip"),
              s("title", {}, this.model.describe(node)),
              s("rect", { class: "body", x: x - half, y: y - 9.5, width: 2 * half, height: 19, rx: 9 }),
              s("text", { class: "label middle", x, y: y + 4 }, spot.label));
          }));
      });
    }
  }

  private given(node: number, look: string): Record<string, string | number> {
    const { kind, factuality } = this.model.node(node);
    return {
      class: "thing",
      "data-look": `thing ${look} ${kind} ${factuality}`,
      "data-node": node,
      role: "button",
      tabindex: -1,
      "aria-pressed": "false",
      "aria-label": this.model.describe(node),
    };
  }

  private lane(timeline: number): { left: number; stride: number } {
    return (this.lanes ??= new Map(this.picture.lanes.map((lane) => [lane.timeline, lane]))).get(timeline)!;
  }

  private lanes: Map<number, { left: number; stride: number }> | undefined;

  private text(look: string, words: string, left: number, row: number): SVGElement {
    return s("text", { class: look, x: this.x(left), y: this.y(row + 0.5) + 4 }, words);
  }
}

/** The timelines that are not shown: folded ones with all that hangs from them, and hidden ones. */
function findShut(picture: Picture, folded: Set<number>, hidden: Set<string>): Set<number> {
  const shut = new Set<number>();
  const parents = new Map(picture.lanes.map((lane) => [lane.timeline, lane.parent]));
  for (const lane of picture.lanes) {
    if (hidden.has(`timeline:${lane.timeline}`)) shut.add(lane.timeline);
    // Timelines hang from each other in a tree, as deep as the document likes.
    for (let at: number | null = lane.timeline; at !== null; at = parents.get(at) ?? null) {
      if (folded.has(at) && parents.get(at) !== null) {
        shut.add(lane.timeline);
        break;
      }
    }
  }
  return shut;
}
