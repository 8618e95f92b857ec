// From the laid-out picture to things that can be painted one by one, in pixels of the picture.
//
// The layout counts in steps and rows. Rows that only folded or hidden timelines use are taken out.

import type { Bar, Chip, Connector, Landmark, Lane, Line, Picture, Ring } from "./data";
import { count, s } from "./dom";
import type { Model } from "./model";

/** What is painted over what. */
export const LAYERS = ["bands", "dates", "lanes", "axes", "strip", "connectors", "bars", "rings", "folds"] as const;
export type Layer = (typeof LAYERS)[number];

export interface Item {
  key: string;
  layer: Layer;
  left: number;
  top: number;
  right: number;
  bottom: number;
  node?: number;
  /** The box of its bar or chip, without words. */
  body?: Box;
  /** Its shape where it is painted together with many others. */
  line?: string;
  make: () => SVGElement;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const THICK = 18; // pixels of a bar
const WHISKER = 3; // pixels from a bar to the line that shows how far an end can move
const [CAP, GOES_ON] = ["m0 -2.5v5", "m-4 -2.5l4 2.5 -4 2.5"]; // how a whisker ends
const DASHES = "h3m2 0h3m2 0h4"; // at both ends of a line that goes on
const CHEVRON = 5; // pixels by which the torn end of a piece stands out
const FAR = 12; // rows: a longer line that carries nothing is drawn faintly, under all else
const TURN = 6; // radius of a connector's corners
const CHUNK = 24; // steps of an axis that are painted together
const MARGIN = 20; // pixels around the picture

export class Scene {
  readonly items: Item[] = [];
  readonly width: number;
  readonly height: number;
  /** The box of each node's bar or chip that is not hidden; of a bar in several lines that of its first piece. */
  readonly boxes = new Map<number, Box>();
  /** The same, and the pieces of bars in later lines. */
  readonly pieces: { node: number; box: Box }[] = [];
  /** The line in which the bar of a node begins. */
  readonly lines = new Map<number, number>();
  /** Which timelines hang from a node. */
  readonly hanging = new Map<number, number[]>();
  /** The links that connectors show. */
  readonly connected = new Set<string>();
  private readonly picture: Picture;
  private readonly shut: Set<number>;
  private readonly cuts: { from: number; to: number }[] = [];
  private readonly lanes: Map<number, Lane>;
  private marks = new Map<string, Landmark>();

  constructor(
    private readonly model: Model,
    private readonly folded: Set<number>,
    hidden: Set<string>,
  ) {
    this.picture = model.picture;
    this.lanes = new Map(this.picture.lanes.map((lane) => [lane.timeline, lane]));
    this.shut = findShut(this.picture, folded, hidden);
    this.cut();
    const removed = this.cuts.reduce((sum, { from, to }) => sum + to - from, 0);
    this.width = this.picture.width * this.picture.step + 2 * MARGIN;
    this.height = (this.picture.height - removed) * this.picture.row + 2 * MARGIN;
    this.addLanes();
    this.addBands();
    this.addTrays();
    this.addDates();
    this.addConnectors();
    this.addLeftOut();
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

  private add(layer: Layer, key: string, box: Box & { line?: string }, make: () => SVGElement, node?: number): void {
    this.items.push({ layer, key, ...box, make, ...(node === undefined ? {} : { node }) });
  }

  private box(x: number, y: number, width: number, height: number): Box {
    return { left: this.x(x), top: this.y(y), right: this.x(x + width), bottom: this.y(y + height) };
  }

  private addLanes(): void {
    const { step } = this.picture;
    for (const lane of this.picture.lanes) {
      if (!this.shows(lane.timeline)) continue;
      const box = this.box(lane.x, lane.y, lane.width, lane.height);
      const titleRow = lane.title_row;
      const titles = [{ title: lane.title, title_row: titleRow }, ...lane.lines.slice(1)];
      for (const [number, { title, title_row }] of titles.entries()) {
        if (title_row === null || !title) continue;
        this.add("axes", `lane${lane.timeline}.${number}`, box, () =>
          s("g", { class: lane.consistent ? "lane" : "lane bad" },
            this.text("title", title, lane.title_left, title_row)));
      }
      if (!lane.consistent) {
        const [left, top] = [this.x(lane.left - 0.25), this.y(titleRow ?? lane.y)];
        this.add("bands", `broken${lane.timeline}`, box, () => s("rect", {
          class: "broken", x: left, y: top, width: box.right + 0.25 * step - left, height: box.bottom - top, rx: 8,
        }));
      }
      for (const line of listLines(lane)) this.addAxis(lane, line);
    }
    for (const gap of this.picture.gaps) {
      if (!this.shows(gap.first_timeline) || !this.shows(gap.second_timeline)) continue;
      const box = this.box(gap.x - 0.2, gap.y, 0.4, gap.height);
      this.add("lanes", `gap${gap.first_timeline}`, box, () =>
        s("g", { class: "gap" },
          s("title", {}, gap.label),
          s("path", { d: `M${this.x(gap.x)} ${box.top + 6}V${box.bottom - 6}` })));
    }
  }

  private addAxis(lane: Lane, line: Line): void {
    const { step } = this.picture;
    const at = (number: number): number => this.x(line.left + (number - 1) * lane.stride);
    const y = this.y(line.axis) + 20;
    const [top, bottom] = [this.y(line.y), this.y(line.y + line.height)];
    for (let first = line.first; first <= line.last; first += CHUNK) {
      const last = Math.min(first + CHUNK - 1, line.last);
      const chunk = { left: at(first) - step, right: at(last) + step, top, bottom };
      this.add("axes", `axis${lane.timeline}.${first}`, chunk, () => {
        const numbers = Array.from({ length: last - first + 1 }, (_, k) => first + k).filter((k) => k % lane.every === 0);
        const rule = `M${at(first)} ${y}H${at(Math.min(last + 1, line.last))}`;
        const before = first === line.first && first > 1 ? `M${at(first) - 14} ${y}${DASHES}` : "";
        const after = last === line.last && last < lane.length ? `M${at(last)} ${y}${DASHES}m-4 -4l4 4 -4 4` : "";
        return s("g", { class: "axis" },
          s("path", { class: "grid", d: numbers.map((k) => `M${at(k)} ${y}V${bottom}`).join("") }),
          s("path", { class: "rule", d: rule + numbers.map((k) => `M${at(k)} ${y - 3}v6`).join("") }),
          before || after ? s("path", { class: "rule goes-on", d: before + after }) : null,
          ...numbers.map((k) => s("text", { x: at(k), y: y - 6, class: "step" }, String(k))));
      });
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
          s("title", {}, `Order unknown: ${band.label}`),
          shape({ ...box, top: box.top + 2 }, 6, band.torn),
          !band.label ? null : s("rect", {
            class: "flag", x: box.left, y: this.y(band.label_row) + 2, rx: 6, height: this.picture.row - 4,
            width: box.right - box.left,
          }),
          this.text("label", band.label, band.label_left, band.label_row)));
    }
  }

  /** The trays: loose events, the other timelines, and what no link connects. */
  private addTrays(): void {
    for (const [number, tray] of this.picture.trays.entries()) {
      if (tray.timeline !== null && !this.shows(tray.timeline)) continue;
      const box = this.box(tray.x, tray.y, tray.width, tray.height);
      if (box.bottom - box.top < this.picture.row) continue; // all of it is hidden
      const wide = Math.max(box.right, this.width - MARGIN) - box.left;
      this.add("bands", `tray${number}`, { ...box, right: box.left + wide }, () =>
        s("g", { class: `tray ${tray.kind}` },
          tray.kind === "others" || tray.kind === "branches"
            ? s("path", { d: `M${box.left} ${box.top + 2}h${wide}` })
            : s("rect", { x: box.left, y: box.top + 2, width: box.right - box.left, height: box.bottom - box.top - 2, rx: 8 }),
          this.text("label", tray.label, tray.label_left, tray.label_row)));
    }
  }

  /** The calendar: bands of years, months or days, landmarks, and what is known to be in a band. */
  private addDates(): void {
    const { step, row } = this.picture;
    for (const [number, bar] of this.picture.bars.entries()) {
      if (!bar.dated || bar.kind === "time" || !this.shows(bar.timeline)) continue;
      const box = this.box(bar.dated[0], bar.row, bar.dated[1], 1);
      this.add("dates", `dated${number}`, box, () => s("rect", {
        class: "in-date", x: box.left + 1, y: box.top + 1, width: box.right - box.left - 2, height: row - 2,
      }));
    }
    for (const [number, strand] of this.picture.strands.entries()) {
      if (!this.shows(strand.timeline)) continue;
      const box = this.box(strand.x, strand.y, strand.width, strand.height);
      this.add("dates", `strand${number}`, box, () => s("g", { class: "strand" },
        s("title", {}, strand.place),
        shape({ ...box, top: box.top + 1, bottom: box.bottom - 1 }, 6, strand.torn),
        this.text("label", strand.label, strand.label_left, strand.label_row)));
    }
    for (const [number, band] of this.picture.date_bands.entries()) {
      if (!this.shows(band.timeline)) continue;
      const box = this.box(band.x, band.row, band.width, 1);
      const steps = band.last > band.first ? `steps ${band.first} to ${band.last}` : `step ${band.first}`;
      this.add("strip", `date${number}`, box, () => s("g", { class: band.unit ? "date" : "date undated" },
        s("title", {}, `${band.date || "undated"}: ${steps}`),
        shape({ left: box.left + 1, top: box.top + 7, right: box.right - 1, bottom: box.top + 24 }, 3, band.torn),
        ...[band.label_left, ...band.repeated].map((left) => this.text("label", band.label, left, band.row))));
    }
    for (const mark of this.picture.date_marks) {
      if (!this.shows(mark.timeline)) continue;
      const x = this.x(mark.x);
      const bottom = this.y(listLines(this.lane(mark.timeline))[mark.line]!.axis) + 20;
      const box = { left: x, top: this.y(mark.row), right: x + (mark.label_width + 1) * step, bottom };
      this.add("strip", `start${mark.interval}`, box, () => s("g", { class: "start" },
        s("title", {}, `${mark.date} begins at step ${mark.step}`),
        s("path", { d: `M${x} ${box.top + (mark.label ? 8 : row)}V${bottom}` }),
        this.text("label", mark.label, mark.label_left, mark.row)));
    }
  }

  private addConnectors(): void {
    const shut = new Map<number, { connector: Connector; timelines: number[] }>();
    for (const [number, connector] of this.picture.connectors.entries()) {
      const source = this.model.find(connector.source)!;
      if (connector.carries && connector.source_timeline !== connector.target_timeline) {
        const timelines = [...(shut.get(source)?.timelines ?? []), connector.target_timeline];
        shut.set(source, { connector: shut.get(source)?.connector ?? connector, timelines });
      }
      if (!this.shows(connector.source_timeline) || !this.shows(connector.target_timeline)) continue;
      this.connected.add(connector.link);
      const path = connector.path.map(([x, y]) => [this.x(x), this.y(y)] as const);
      const far = !connector.carries && Math.abs(connector.path[0]![1] - connector.path.at(-1)![1]) > FAR;
      const xs = path.map(([x]) => x), ys = path.map(([, y]) => y);
      const box = {
        left: Math.min(...xs, this.x(connector.label_left)),
        right: Math.max(...xs, this.x(connector.label_left + connector.label_width)),
        top: Math.min(...ys) - 8,
        bottom: Math.max(...ys) + 8,
      };
      const line = bend(path);
      this.add(far ? "lanes" : "connectors", `connector${number}`, { ...box, line }, () =>
        s("g", { class: `connector${connector.carries ? "" : " pointing"}${far ? " long" : ""}`, "data-link": connector.link },
          s("title", {}, `${connector.type ?? "SLINK"} (${connector.link}): ` +
            `${this.model.nameId(connector.source)} to ${this.model.nameId(connector.target)}`),
          s("path", { class: "line", d: line }),
          connector.cut && s("path", { class: "line", d: `M${this.x(connector.cut[0])} ${this.y(connector.cut[1])}v4` }),
          s("path", { class: "tip", d: tip(path) }),
          s("rect", {
            class: "under", x: this.x(connector.label_left) - 3, y: this.y(connector.label_row) + 6,
            width: connector.label_width * this.picture.step + 6, height: 16,
          }),
          this.text("label", connector.label, connector.label_left, connector.label_row)));
    }
    for (const [source, { connector, timelines }] of shut) {
      this.hanging.set(source, timelines);
      if (!this.shows(connector.source_timeline)) continue;
      const [[left, top], [a, b]] = (connector.cut ? [connector.cut, [connector.cut[0], connector.cut[1] + 1]]
        : connector.path) as [[number, number], [number, number]];
      // Beside the bar, on the line that hangs from it.
      const [x, y] = [this.x(left) + 5 * Math.sign(a - left), this.y(top) + 5 * Math.sign(b - top)];
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

  /** The links that are left out to mend the contradictions: dashed curves, with their ids. */
  private addLeftOut(): void {
    for (const one of this.picture.left_out) {
      if (!one.path.length || !this.shows(one.source_timeline) || !this.shows(one.target_timeline)) continue;
      this.connected.add(one.link);
      const [start, first, second, end] = one.path.map(([x, y]) => [this.x(x), this.y(y)] as const) as
        [Spot, Spot, Spot, Spot];
      const turn = end[1] >= second[1] ? 1 : -1;
      const line = `M${start.join(" ")}C${first.join(" ")} ${second.join(" ")} ${end[0]} ${end[1] - 5 * turn}`;
      const places = [start, first, second, end];
      const xs = places.map(([x]) => x), ys = places.map(([, y]) => y);
      const box = { left: Math.min(...xs) - 8, right: Math.max(...xs) + 8, top: Math.min(...ys) - 8, bottom: Math.max(...ys) + 8 };
      const [x, y, half] = [this.x(one.tag_x), this.y(one.tag_y), (one.tag_width * this.picture.step) / 2];
      this.add("connectors", `out${one.link}`, { ...box, line }, () =>
        s("g", { class: "left-out", "data-link": one.link },
          s("title", {}, `Left out: ${one.link}, ${this.model.nameId(one.source)} ${one.type ?? "?"} ${this.model.nameId(one.target)}`),
          s("path", { class: "touch", d: line }),
          s("path", { class: "line", d: line }),
          s("path", { class: "tip", d: `M${end.join(" ")}l-4 ${-7 * turn}h8z` }),
          one.tag ? s("rect", { class: "under", x: x - half, y: y - 6, width: 2 * half, height: 12, rx: 3 }) : null,
          one.tag ? s("text", { class: "tag", x, y: y + 3.8 }, one.tag) : null));
    }
  }

  private addBars(): void {
    this.marks = new Map(this.picture.landmarks.map((mark) => [mark.interval, mark]));
    for (const bar of this.picture.bars) this.addThing(bar, (body) => this.makeBar(bar, body));
    for (const chip of this.picture.chips) this.addThing(chip, (body) => this.makeChip(chip, body));
    for (const mark of this.picture.landmarks) this.addFoot(mark);
  }

  private addThing(thing: Bar | Chip, make: (body: Box) => SVGElement): void {
    if (!this.shows(thing.timeline)) return;
    const node = this.model.find(thing.interval)!;
    const top = this.y(thing.row) + (this.picture.row - THICK) / 2;
    const body = { left: this.x(thing.left), top, right: this.x(thing.left + thing.width), bottom: top + THICK };
    if (!thing.width) [body.left, body.right] = [body.left - 7, body.right + 7];
    const later = this.boxes.has(node); // a piece in another line
    this.pieces.push({ node, box: body });
    if (!later) {
      this.boxes.set(node, body);
      if ("line" in thing) this.lines.set(node, thing.line);
    }
    const reach = { ...body };
    if ("label_left" in thing) {
      const { stride, lines, left } = this.lane(thing.timeline);
      const mark = this.findMark(thing);
      reach.right = Math.max(
        body.right,
        this.x(thing.label_left + thing.label_width),
        mark ? this.x(mark.label_left + mark.label_width) : 0,
        thing.torn[1] ? 0 : this.x((lines[thing.line]?.left ?? left) + (thing.last_shown - 1) * stride),
      );
    }
    const key = later ? `node${node}.${(thing as Bar).line}` : `node${node}`;
    const item: Item = { layer: "bars", key, ...reach, body, make: () => make(body), node };
    this.items.push(item);
  }

  /** The line by which a time stands on the axis. */
  private addFoot(mark: Landmark): void {
    const lane = this.lane(mark.timeline);
    const line = listLines(lane)[mark.line];
    if (!this.shows(mark.timeline) || !line || !lane.feet || mark.row > line.axis || mark.first < line.first) return;
    const x = this.x(line.left + (mark.first - 1) * lane.stride);
    const box = { left: x, right: x, top: this.y(mark.row + 0.5), bottom: this.y(line.axis) + 20 };
    this.add("axes", `foot${mark.interval}`, box, () =>
      s("path", { class: "foot", d: `M${x} ${box.top}V${box.bottom}` }));
  }

  private findMark(bar: Bar): Landmark | undefined {
    const mark = this.marks.get(bar.interval);
    return mark?.line === bar.line ? mark : undefined;
  }

  private makeBar(bar: Bar, box: Box): SVGElement {
    const node = this.model.find(bar.interval)!;
    const { left, top, bottom } = box;
    const lane = this.lane(bar.timeline);
    const origin = lane.lines[bar.line]?.left ?? lane.left;
    const at = (step: number): number => this.x(origin + (step - 1) * lane.stride);
    const whisker = (from: number, shown: number, to: number, y: number, torn: boolean): string =>
      from === to || bar.loose || torn ? "" : `M${at(from)} ${y}H${at(shown)}${shown === to ? CAP : GOES_ON}`;
    const ends = whisker(bar.first, bar.first_shown, bar.first_latest, top - WHISKER, bar.torn[0]) +
      whisker(bar.last, bar.last_shown, bar.last_latest, bottom + WHISKER, bar.torn[1]);
    const label = this.text("label", bar.label, bar.label_left, bar.row);
    const mark = this.findMark(bar);
    let value: SVGElement | null = null;
    if (mark && bar.inside) value = this.text("value", mark.label, mark.label_left, mark.row);
    else if (mark) label.append(s("tspan", { class: "value", dx: 7 }, mark.label));
    const body = bar.width
      ? shape(box, bar.loose ? THICK / 2 : bar.kind === "time" ? 0 : 4, bar.torn, "body")
      : s("path", { class: "body", d: `M${left + 7} ${top}l7 9 -7 9 -7 -9z` });
    return s("g", this.given(node, bar.inside ? "bar on" : "bar", bar.torn[0]),
      s("title", {}, this.model.describe(node)),
      ends ? s("path", { class: "whisker", d: ends }) : null, body, label, value);
  }

  private makeChip(chip: Chip, { left, top, right }: Box): SVGElement {
    const node = this.model.find(chip.interval)!;
    return s("g", this.given(node, "chip on"),
      s("title", {}, this.model.describe(node)),
      s("rect", { class: "body", x: left, y: top, width: right - left, height: THICK, rx: THICK / 2 }),
      this.text("label", chip.label, chip.left + chip.width / 2, chip.row));
  }

  private addRings(): void {
    // The picture has the rings of each timeline in the order of its conflicts.
    const waiting = new Map<number, number[]>();
    this.model.data.conflicts.forEach(({ timeline }, number) => {
      waiting.set(timeline, [...(waiting.get(timeline) ?? []), number]);
    });
    for (const ring of this.picture.rings) {
      const number = waiting.get(ring.timeline)!.shift()!;
      if (!this.shows(ring.timeline)) continue;
      const box = this.box(ring.x, ring.y, ring.width, ring.height);
      this.add("rings", `ring${number}`, box, () => this.makeRing(ring, number, box));
    }
  }

  private makeRing(ring: Ring, number: number, box: Box): SVGElement {
    const { step } = this.picture;
    const [[left, top], , [right, bottom]] = ring.path.map(([x, y]) => [this.x(x), this.y(y)] as const) as
      [readonly [number, number], unknown, readonly [number, number]];
    const heads = ring.links.map((link) => {
      const node = ring.nodes[link.forward ? link.target : link.source]!;
      const upper = node.y < ring.y + ring.height / 2;
      const turn = (link.forward ? upper : !upper) ? 1 : -1;
      return `M${this.x(node.x) - (turn * node.width * step) / 2} ${this.y(node.y)}l${-8 * turn} -4.5v9z`;
    });
    return s("g", { class: "ring", "data-ring": number },
      s("rect", { class: "box", x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, rx: 8 }),
      this.text("caption", ring.label, ring.x + 0.3, ring.y),
      s("rect", { class: "track", x: left, y: top, width: right - left, height: bottom - top, rx: 14 }),
      ...ring.links.map((link) => {
        const half = (link.width * step) / 2 + 3;
        const [x, y] = [this.x(link.x), this.y(link.y)];
        return s("g", { class: `tie${link.needed ? " needed" : ""}`, "data-link": link.link },
          s("rect", { class: "under", x: x - half, y: y - 8, width: 2 * half, height: 16 }),
          s("text", { class: "label", x, y: y + 3.8 }, link.label));
      }),
      ...ring.nodes.map((spot) => {
        const node = this.model.find(spot.interval)!;
        const wide = spot.width * step;
        const [x, y] = [this.x(spot.x), this.y(spot.y)];
        return s("g", this.given(node, "stop"),
          s("title", {}, this.model.describe(node)),
          s("rect", { class: "body", x: x - wide / 2, y: y - 10, width: wide, height: 20, rx: 10 }),
          s("text", { class: "label", x, y: y + 4.3 }, spot.label));
      }),
      s("path", { class: "tip", d: heads.join("") }));
  }

  /** The attributes of a thing. The first piece of a bar is a button; a later one only takes clicks. */
  private given(node: number, look: string, later = false): Record<string, string | number> {
    const thing = {
      class: "thing",
      "data-look": `thing ${look} ${this.model.look(node)}`,
      "data-node": node,
    };
    if (later) return { ...thing, "aria-hidden": "true" };
    return {
      ...thing,
      role: "button",
      tabindex: -1,
      "aria-pressed": "false",
      "aria-label": this.model.describe(node),
    };
  }

  private lane(timeline: number): Lane {
    return this.lanes.get(timeline)!;
  }

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

/** The lines of a timeline; one that fits the page has one. */
function listLines(lane: Lane): Line[] {
  if (lane.lines.length || lane.axis === null) return lane.lines;
  const { left, y, height, axis, title } = lane;
  return [{ first: 1, last: lane.length, left, y, height, axis, title, title_row: axis }];
}

/** A rectangle; where it is torn, it has a point instead of a side: it goes on there. */
function shape({ left, top, right, bottom }: Box, rx: number, torn: [boolean, boolean], look?: string): SVGElement {
  const known = look ? { class: look } : {};
  if (!torn[0] && !torn[1]) return s("rect", { ...known, x: left, y: top, width: right - left, height: bottom - top, rx });
  const half = (bottom - top) / 2;
  const side = torn[1] ? `l${CHEVRON} ${half} ${-CHEVRON} ${half}` : `V${bottom}`;
  const back = torn[0] ? `l${CHEVRON} ${-half}z` : "z";
  return s("path", { class: look ?? "torn", d: `M${left} ${top}H${right}${side}H${left}${back}` });
}

type Spot = readonly [number, number];

/** A path through some places, with round corners. */
function bend(places: Spot[]): string {
  const parts = [`M${places[0]!.join(" ")}`];
  for (let at = 1; at < places.length - 1; at += 1) {
    const [before, here, after] = [places[at - 1]!, places[at]!, places[at + 1]!];
    // What it goes twice, it goes once.
    if (before[1] === here[1] && here[1] === after[1] && here[0] < before[0] === here[0] < after[0]) {
      const farther = Math.abs(after[0] - here[0]) > Math.abs(before[0] - here[0]) ? before : after;
      parts.push(`L${here.join(" ")}M${farther.join(" ")}`);
      continue;
    }
    const turn = Math.min(TURN, distance(before, here) / 2, distance(here, after) / 2);
    parts.push(`L${toward(here, before, turn)}Q${here.join(" ")} ${toward(here, after, turn)}`);
  }
  return `${parts.join("")}L${places.at(-1)!.join(" ")}`;
}

function tip(places: Spot[]): string {
  const [[a, b], [x, y]] = [places.at(-2)!, places.at(-1)!];
  if (a === x) return `M${x} ${y}l-3.5 ${y > b ? -6 : 6}h7z`;
  return `M${x} ${y}l${x > a ? -6 : 6} -3.5v7z`;
}

function distance(one: Spot, other: Spot): number {
  return Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]);
}

function toward(start: Spot, end: Spot, pixels: number): string {
  const whole = distance(start, end);
  const share = whole ? pixels / whole : 0;
  return `${start[0] + (end[0] - start[0]) * share} ${start[1] + (end[1] - start[1]) * share}`;
}
