// The timeline: d3 zooms and pans it; only the visible part is in the DOM.

import { select } from "d3-selection";
import "d3-transition";
import { zoom, zoomIdentity, zoomTransform, type ZoomTransform } from "d3-zoom";
import type { Choose, Shown } from "./app";
import { h, s } from "./dom";
import type { Model } from "./model";
import { Overview } from "./overview";
import type { Pointer } from "./pointer";
import { type Box, type Item, LAYERS, type Layer, Scene } from "./scene";
import type { Store, View } from "./state";

const READABLE = 0.42; // below this scale words are left out
const LEGIBLE = 1; // the smallest words have 11 pixels: what would need a smaller scale is scrolled
const LARGEST = 1.15; // no picture that fits is shown larger than this
const MANY = 1200; // things in view from which on bars are painted as one shape
const ALWAYS: ReadonlySet<Layer> = new Set(["bands", "strip", "rings"]); // what is painted one by one then, too
const STRIP = 46; // pixels of the overview
const AHEAD = 120; // pixels around the view that are painted as well
const CALM = matchMedia("(prefers-reduced-motion: reduce)");

export class TimelinePane {
  readonly element: HTMLElement;
  scene: Scene;
  private readonly svg: SVGSVGElement;
  private readonly world: SVGGElement;
  private readonly layers = new Map<Layer, SVGGElement>();
  private readonly arcs = s("g", { class: "arcs" });
  private readonly crowd = s("g", { class: "crowd" });
  private readonly overview: Overview;
  private readonly alive = new Map<string, SVGElement>();
  private readonly zoom = zoom<SVGSVGElement, unknown>();
  private shown: Shown | null = null;
  private current: number | null = null;
  private asked = 0;
  private saving = 0;
  private printing = false;
  /** The scale at which all of it was shown last, and the size of the view. */
  private held = 0;
  private room = "";
  /** What was brought into view last, until somebody moves the picture. */
  private sought: Box | null = null;

  constructor(
    private readonly model: Model,
    private readonly store: Store,
    private readonly pointer: Pointer,
    private readonly choose: Choose,
  ) {
    this.scene = new Scene(model, store.view.folded, store.view.hidden);
    this.world = s("g", { class: "world" });
    for (const layer of LAYERS) {
      this.layers.set(layer, s("g", { class: layer }));
      if (layer === "bars") this.world.append(this.crowd);
      if (layer === "folds") this.world.append(this.arcs);
      this.world.append(this.layers.get(layer)!);
    }
    this.svg = s("svg", { class: "picture", role: "group", "aria-label": "Timeline" },
      s("defs", {}, ...makePatterns()), this.world);
    this.overview = new Overview((x, y) => this.centre(x, y));
    this.element = h("section", { class: "timeline pane", "aria-label": "Timeline", id: "timeline" },
      h("div", { class: "stage" }, this.svg), this.overview.element);
    this.watchZoom();
    this.watchPointer();
    this.watchKeys();
    this.watchPrinter();
    pointer.listenAtRest((node, from) => {
      if (node !== null && from !== "timeline") this.reveal(node);
    });
    new ResizeObserver(() => this.resize()).observe(this.svg);
  }

  /** Lay the picture out anew after something was folded, hidden or shown again. */
  rebuild(view: View): void {
    const kept = this.middle();
    this.scene = new Scene(this.model, view.folded, view.hidden);
    for (const element of this.alive.values()) element.remove();
    this.alive.clear();
    this.resize();
    this.apply(zoomTransform(this.svg).k, kept[0], kept[1]);
  }

  dress(shown: Shown): void {
    this.shown = shown;
    for (const element of this.alive.values()) this.dressOne(element);
    this.paintArcs();
    this.ask();
  }

  dressNodes(nodes: number[]): void {
    for (const node of nodes) {
      for (const thing of this.svg.querySelectorAll<SVGElement>(`[data-node="${node}"]`)) this.dressOne(thing);
    }
  }

  /** Bring a node into view, unfolding and panning as far as need be. */
  reveal(node: number, calmly = true): void {
    let box = this.scene.boxes.get(node);
    if (!box) {
      this.unfold(node);
      box = this.scene.boxes.get(node);
    }
    if (box) this.show(box, calmly);
  }

  revealRing(conflict: number): void {
    const item = this.scene.items.find(({ key }) => key === `ring${conflict}`);
    if (item) this.show(item);
    else {
      const chip = this.model.find(this.model.data.conflicts[conflict]?.walk[0]?.left.slice(0, -1));
      if (chip !== undefined) this.reveal(chip);
    }
  }

  focus(node = this.current ?? this.first()): void {
    if (node === null) return;
    this.reveal(node, false);
    this.paint();
    this.turnTo(node);
    this.alive.get(`node${node}`)?.focus();
  }

  /** Show all of it, or as much as can be read; the side that is too long keeps its place. */
  fit(): void {
    this.overview.hide();
    const { width, height } = this.size();
    const whole = Math.min(width / this.scene.width, height / this.scene.height);
    const scale = Math.min(Math.max(whole, LEGIBLE), LARGEST);
    const [x, y] = this.middle();
    this.glide(scale, width / scale >= this.scene.width ? this.scene.width / 2 : x,
      height / scale >= this.scene.height ? this.scene.height / 2 : y);
  }

  /** Words at their natural size. */
  natural(): void {
    const [x, y] = this.middle();
    this.glide(1, x, y);
  }

  magnify(factor: number): void {
    const [x, y] = this.middle();
    this.glide(zoomTransform(this.svg).k * factor, x, y);
  }

  pan(x: number, y: number): void {
    this.sought = null;
    const { k } = zoomTransform(this.svg);
    const { width, height } = this.size();
    const [a, b] = this.middle();
    this.glide(k, a + (x * width) / k, b + (y * height) / k);
  }

  /** Go where the address says, or to a good place to start: all of it, or its upper left. */
  open(): void {
    this.overview.hide();
    this.resize();
    const given = this.store.view.zoom;
    if (given) return this.applyCorner(...given);
    if (!this.hold()) this.applyCorner(LEGIBLE, 0, 0);
  }

  private size(): { width: number; height: number } {
    return { width: this.svg.clientWidth || 1, height: this.svg.clientHeight || 1 };
  }

  private middle(): [number, number] {
    const { width, height } = this.size();
    return zoomTransform(this.svg).invert([width / 2, height / 2]);
  }

  private transformFor(scale: number, x: number, y: number): ZoomTransform {
    const { width, height } = this.size();
    const [least, most] = this.zoom.scaleExtent();
    const k = Math.min(Math.max(scale, least), most);
    const there = zoomIdentity.translate(width / 2 - x * k, height / 2 - y * k).scale(k);
    return this.zoom.constrain()(there, [[0, 0], [width, height]], this.zoom.translateExtent());
  }

  private apply(scale: number, x: number, y: number): void {
    select(this.svg).interrupt().call(this.zoom.transform, this.transformFor(scale, x, y));
  }

  private applyCorner(scale: number, left: number, top: number): void {
    const { width, height } = this.size();
    this.apply(scale, left + width / 2 / scale, top + height / 2 / scale);
  }

  private centre(x: number, y: number): void {
    this.apply(zoomTransform(this.svg).k, x, y);
  }

  private glide(scale: number, x: number, y: number): void {
    if (CALM.matches || document.hidden) return this.apply(scale, x, y);
    const there = this.transformFor(scale, x, y);
    select(this.svg).interrupt().transition().duration(220).call(this.zoom.transform, there);
  }

  private show(box: Box, calmly = true): void {
    if (!this.svg.clientWidth) return;
    this.sought = box;
    const view = zoomTransform(this.svg);
    const { width, height } = this.size();
    const k = Math.max(view.k, READABLE * 1.6);
    const [left, top] = view.invert([0, 0]);
    const [right, bottom] = view.invert([width, height]);
    const edge = 12 / view.k;
    const strip = this.overview.idle ? STRIP / view.k : 0; // it may come, and take its room
    const seen = Math.min(box.right, box.left + (right - left) * 0.7);
    const inside = box.left >= left + edge && seen <= right - edge - strip &&
      box.top >= top + edge && box.bottom <= bottom - edge - strip;
    if (inside && view.k === k) return;
    const wide = Math.min(box.right - box.left, (width / k) * 0.8);
    const [x, y] = [box.left + wide / 2, (box.top + box.bottom) / 2];
    if (calmly) this.glide(k, x, y);
    else this.apply(k, x, y);
  }

  private unfold(node: number): void {
    const parents = new Map(this.model.picture.lanes.map((lane) => [lane.timeline, lane.parent]));
    const folded = new Set(this.store.view.folded);
    const timeline = this.model.node(node).timeline;
    for (let at: number | null = timeline; at !== null; at = parents.get(at) ?? null) folded.delete(at);
    if (folded.size !== this.store.view.folded.size) this.store.set({ folded });
  }

  /** Show all of it, if that can still be read. */
  private hold(): boolean {
    const { width, height } = this.size();
    const whole = Math.min(width / this.scene.width, height / this.scene.height, LARGEST);
    if (whole < LEGIBLE) return false;
    this.held = whole;
    this.apply(whole, this.scene.width / 2, this.scene.height / 2);
    return true;
  }

  /** Take the room that there is; a picture that was in view as a whole stays so. */
  resize(): void {
    if (!this.svg.clientWidth) return; // the reading view is shown instead
    const { width, height } = this.size();
    const { k } = zoomTransform(this.svg);
    const whole = Math.min(width / this.scene.width, height / this.scene.height);
    this.zoom
      .extent([[0, 0], [width, height]])
      .scaleExtent([Math.min(whole, 0.6), 4])
      .translateExtent([[0, 0], [this.scene.width, this.scene.height]]);
    this.overview.resize(this.scene, { width: this.element.clientWidth, height: this.element.clientHeight });
    const moved = `${width} ${height}` !== this.room;
    this.room = `${width} ${height}`;
    if (moved && this.overview.idle && !this.printing && (k > whole || k === this.held)) this.hold();
    else if (moved && this.sought) this.show(this.sought, false);
    this.ask();
  }

  private watchZoom(): void {
    this.zoom
      .filter((event: MouseEvent | WheelEvent | TouchEvent) => {
        if (event.type === "wheel") return event.ctrlKey || event.metaKey;
        return !event.ctrlKey && !("button" in event && event.button);
      })
      .clickDistance(4)
      .on("zoom", (event: { sourceEvent: Event | null }) => {
        if (event.sourceEvent) this.sought = null;
        this.ask();
        clearTimeout(this.saving);
        this.saving = window.setTimeout(() => {
          const view = zoomTransform(this.svg);
          this.store.set({ zoom: [view.k, ...view.invert([0, 0])] });
        }, 250);
      });
    select(this.svg).call(this.zoom).on("dblclick.zoom", null);
    this.svg.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.sought = null;
      const { k } = zoomTransform(this.svg);
      const unit = event.deltaMode ? 24 : 1;
      const [x, y] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      select(this.svg).interrupt().call(this.zoom.translateBy, (-x * unit) / k, (-y * unit) / k);
    }, { passive: false });
  }

  private watchPointer(): void {
    this.svg.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch" && !event.buttons) this.pointer.move(this.at(event), "timeline");
    });
    this.svg.addEventListener("pointerleave", () => this.pointer.move(null, "timeline"));
    this.svg.addEventListener("focusin", (event) => {
      const node = this.at(event);
      if (node === null) return;
      this.turnTo(node);
      this.pointer.move(node, "timeline");
    });
    this.svg.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target : null;
      const fold = target?.closest<SVGElement>("[data-fold]")?.dataset.fold;
      const link = target?.closest<SVGElement>("[data-link]")?.dataset.link;
      const node = this.at(event);
      if (fold !== undefined) this.store.toggleFolded(this.scene.hanging.get(Number(fold)) ?? []);
      else if (node !== null) {
        this.choose.take(node, event.shiftKey || event.ctrlKey || event.metaKey);
        this.turnTo(node);
      } else if (link !== undefined) this.choose.takeLink(link);
      else this.choose.clear();
    });
  }

  private watchKeys(): void {
    this.svg.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || this.current === null) return;
      const moves: Record<string, () => number | undefined> = {
        ArrowRight: () => this.beside(1),
        ArrowLeft: () => this.beside(-1),
        ArrowDown: () => this.above(1),
        ArrowUp: () => this.above(-1),
        Home: () => this.inOrder().at(0),
        End: () => this.inOrder().at(-1),
      };
      if (event.key in moves && !event.shiftKey) {
        event.preventDefault();
        const next = moves[event.key]!();
        if (next !== undefined) this.focus(next);
      } else if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.choose.take(this.current, event.shiftKey);
      }
    });
  }

  /** On paper there is nothing to move: all of it is painted, as wide as the page at most. */
  private watchPrinter(): void {
    const print = matchMedia("print");
    const turn = (printing: boolean): void => {
      if (printing === this.printing) return;
      this.printing = printing;
      const { width, height } = this.scene;
      if (printing) this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      else this.svg.removeAttribute("viewBox");
      this.svg.style.maxWidth = printing ? `${width}px` : "";
      this.paint();
    };
    print.addEventListener("change", () => turn(print.matches));
    addEventListener("beforeprint", () => turn(true));
    addEventListener("afterprint", () => turn(false));
  }

  private first(): number | null {
    return this.inOrder()[0] ?? null;
  }

  /** The nodes in the order of the picture: by timeline, then by line, then from left to right. */
  private inOrder(): number[] {
    const things = [...this.scene.boxes].map(([node, box]) => {
      return { node, box, timeline: this.model.node(node).timeline };
    });
    const place = new Map(this.model.picture.lanes.map((lane, at) => [lane.timeline, at]));
    things.sort((one, other) =>
      place.get(one.timeline)! - place.get(other.timeline)! ||
      (this.scene.lines.get(one.node) ?? 0) - (this.scene.lines.get(other.node) ?? 0) ||
      one.box.left - other.box.left || one.box.top - other.box.top);
    return things.map(({ node }) => node);
  }

  private beside(move: number): number | undefined {
    const order = this.inOrder();
    return order[order.indexOf(this.current!) + move];
  }

  /** The nearest thing in the rows above (-1) or below (1). */
  private above(move: number): number | undefined {
    const here = this.scene.boxes.get(this.current!);
    if (!here) return undefined;
    const middle = (box: Box): number => (box.left + box.right) / 2;
    let best: number | undefined;
    let least = Infinity;
    for (const [node, box] of this.scene.boxes) {
      const rows = (box.top - here.top) * move;
      if (rows <= 1) continue;
      const beside = Math.max(box.left - here.right, here.left - box.right, 0);
      const far = rows + 2 * beside + Math.abs(middle(box) - middle(here)) / 50;
      if (far < least) [best, least] = [node, far];
    }
    return best;
  }

  private turnTo(node: number): void {
    if (this.current !== null) this.alive.get(`node${this.current}`)?.setAttribute("tabindex", "-1");
    this.current = node;
    this.alive.get(`node${node}`)?.setAttribute("tabindex", "0");
  }

  private at(event: Event): number | null {
    const target = event.target instanceof Element ? event.target : null;
    const found = target?.closest<SVGElement>("[data-node]")?.dataset.node;
    if (found !== undefined) return Number(found);
    if (!this.crowd.childElementCount || !(event instanceof MouseEvent)) return null;
    const frame = this.svg.getBoundingClientRect();
    const [x, y] = zoomTransform(this.svg).invert([event.clientX - frame.left, event.clientY - frame.top]);
    for (const { node, box } of this.scene.pieces) {
      if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return node;
    }
    return null;
  }

  private ask(): void {
    this.asked ||= requestAnimationFrame(() => this.paint());
  }

  /** Add what is visible to the DOM, and remove the rest. */
  private paint(): void {
    cancelAnimationFrame(this.asked);
    this.asked = 0;
    const view = this.printing ? zoomIdentity : zoomTransform(this.svg);
    const { width, height } = this.printing ? this.scene : this.size();
    this.world.setAttribute("transform", view.toString());
    this.svg.classList.toggle("far", view.k < READABLE);
    const [left, top] = view.invert([-AHEAD, -AHEAD]);
    const [right, bottom] = view.invert([width + AHEAD, height + AHEAD]);
    const seen = this.scene.items.filter((item) =>
      item.left <= right && item.right >= left && item.top <= bottom && item.bottom >= top);
    const crowded = seen.length > MANY && !this.printing;
    const wanted = new Set<string>();
    for (const item of seen) {
      if (crowded && !ALWAYS.has(item.layer)) continue;
      wanted.add(item.key);
      if (!this.alive.has(item.key)) this.bear(item);
    }
    for (const [key, element] of this.alive) {
      if (wanted.has(key) || element === document.activeElement) continue;
      element.remove();
      this.alive.delete(key);
    }
    this.paintCrowd(crowded ? seen : []);
    if (this.printing) return;
    const [x, y] = view.invert([0, 0]), [x2, y2] = view.invert([width, height]);
    this.overview.frame({ left: x, top: y, right: x2, bottom: y2 }, view.k, this.shown);
    if (this.current === null || !this.scene.boxes.has(this.current)) {
      const first = seen.find((item) => item.node !== undefined)?.node;
      if (first !== undefined) this.turnTo(first);
    }
  }

  private bear(item: Item): void {
    const element = item.make();
    this.alive.set(item.key, element);
    this.dressOne(element);
    if (item.node !== undefined && item.node === this.current && element.hasAttribute("role")) element.setAttribute("tabindex", "0");
    this.layers.get(item.layer)!.append(element);
  }

  /** Very many bars become one shape for each look, and all connectors one line. */
  private paintCrowd(items: Item[]): void {
    const shapes = new Map<string, string[]>();
    for (const { node, body, line } of items) {
      const look = node === undefined ? "connector"
        : ["thing bar", this.model.look(node), ...(this.shown?.classes(node) ?? [])].join(" ");
      if (node === undefined && line === undefined) continue;
      if (!shapes.has(look)) shapes.set(look, []);
      shapes.get(look)!.push(line ?? outline(body!));
    }
    this.crowd.replaceChildren(...[...shapes].map(([look, lines]) =>
      s("g", { class: look }, s("path", { class: look === "connector" ? "line" : "body", d: lines.join("") }))));
  }

  private dressOne(element: SVGElement): void {
    if (!this.shown) return;
    const things = element.dataset.node ? [element] : element.querySelectorAll<SVGElement>("[data-node]");
    for (const thing of things) {
      const classes = this.shown.classes(Number(thing.dataset.node));
      thing.setAttribute("class", `${thing.dataset.look} ${classes.join(" ")}`);
      if (thing.hasAttribute("role")) thing.setAttribute("aria-pressed", String(classes.includes("chosen")));
    }
    const links = element.dataset.link ? [element] : element.querySelectorAll<SVGElement>("[data-link]");
    for (const one of links) one.classList.toggle("lit", this.shown.lit(one.dataset.link!));
    if (element.dataset.link) element.classList.toggle("dim", this.shown.dims(element.dataset.link));
    if (element.dataset.ring) element.classList.toggle("lit", this.shown.ring === Number(element.dataset.ring));
  }

  /** The links that are shown: those of what is chosen, or those of a proof. */
  private paintArcs(): void {
    const arcs: SVGElement[] = [];
    for (const { link, lit } of this.shown?.arcs ?? []) {
      const { source, target, type, kind, id } = this.model.link(link);
      const from = this.scene.boxes.get(source ?? -1), to = this.scene.boxes.get(target ?? -1);
      if (!from || !to || from === to || this.scene.connected.has(id)) continue;
      arcs.push(s("g", { class: `arc ${kind.toLowerCase()}${lit ? " lit" : ""}`, "data-link": id },
        s("title", {}, `${id}: ${this.model.name(source!)} ${type ?? kind} ${this.model.name(target!)}`),
        s("path", { class: "touch", d: bend(from, to) }),
        s("path", { class: "line", d: bend(from, to), "marker-end": "url(#tip)" })));
    }
    this.arcs.replaceChildren(...arcs);
  }
}

function outline({ left, top, right, bottom }: Box): string {
  return `M${left} ${top}H${right}V${bottom}H${left}Z`;
}

/** A curve from one bar to another, from the ends that are nearest to each other. */
function bend(from: Box, to: Box): string {
  const [x, y] = [nearest(from, to), (from.top + from.bottom) / 2];
  const [a, b] = [nearest(to, from), (to.top + to.bottom) / 2];
  const lift = Math.min(Math.abs(a - x) * 0.3 + 18, 90);
  if (Math.abs(b - y) < 4) return `M${x} ${from.top}C${x} ${y - lift} ${a} ${b - lift} ${a} ${to.top}`;
  const down = b > y;
  const [start, end] = [down ? from.bottom : from.top, down ? to.top : to.bottom];
  const reach = Math.max(Math.abs(end - start) * 0.5, 16) * (down ? 1 : -1);
  return `M${x} ${start}C${x} ${start + reach} ${a} ${end - reach} ${a} ${end}`;
}

function nearest(one: Box, other: Box): number {
  const inset = Math.min(8, (one.right - one.left) / 2);
  const middle = (other.left + other.right) / 2;
  return Math.min(Math.max(middle, one.left + inset), one.right - inset);
}

/** Hatching takes no colour from what it fills: there is one for each. */
function makePatterns(): SVGElement[] {
  const hues = ["event", "time", "before", "after", "overlapping", "unknown", "unrelated", "chosen"];
  const hatches = hues.map((hue) =>
    s("pattern", {
      id: `hatch-${hue}`, class: hue, width: 6, height: 6,
      patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
    }, s("rect", { width: 6, height: 6, class: "ground" }), s("path", { d: "M0 0V6", class: "stroke" })));
  const tip = s("marker", {
    id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse",
  }, s("path", { d: "M0 1L7 4L0 7Z", fill: "context-stroke" }));
  const undated = s("pattern", {
    id: "undated", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(-45)",
  }, s("rect", { width: 5, height: 5, class: "ground" }), s("path", { d: "M0 0V5", class: "undated-line" }));
  const open = s("pattern", {
    id: "open", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(-45)",
  }, s("path", { d: "M0 0V7", class: "open-line" }));
  return [...hatches, undated, open, tip];
}
