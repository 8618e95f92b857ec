// The mended timeline beside a decision: a row for each event and time, from its first to its last step.
// Rows move when an option is tried, so that one sees what it does.

import { count, h } from "../dom";
import type { MendedTimeline, RepairNode } from "../data";

const ROW = 24; // as high as a row of the stylesheet
const NAMES: Record<string, string> = { main: "Trunk", branch: "Branch", detached: "Not connected" };

interface Row {
  element: HTMLElement;
  bar: HTMLElement;
}

export class RepairTimeline {
  readonly element: HTMLElement;
  private readonly rows = new Map<number, Row>();
  private readonly stage = h("div", { class: "rows" });
  private readonly foot = h("p", { class: "quiet" });
  private base = new Map<number, string>();

  constructor(private readonly nodes: RepairNode[]) {
    this.element = h("section", { class: "repair-timeline", "aria-label": "Mended timeline", tabindex: 0 },
      h("h2", {}, "The mended timeline"), this.foot, this.stage);
  }

  /** Show timelines; those rows are marked that stand elsewhere than before anything was tried. */
  show(timeline: MendedTimeline, asked: number[], tried: boolean): void {
    const seen = new Set<number>();
    const titles: HTMLElement[] = [];
    const places = new Map<number, string>();
    let line = 0;
    let moved = 0;
    for (const lane of order(timeline, asked)) {
      titles.push(this.title(lane.role, line++));
      const steps = Math.max(lane.length - 1, 1);
      for (const [node, start, end] of lane.rows) {
        seen.add(node);
        const place = `${start} ${end}`;
        places.set(node, place);
        const differs = tried && this.base.get(node) !== place;
        if (differs) moved += 1;
        const { element, bar } = this.find(node);
        element.style.top = `${line++ * ROW}px`;
        bar.style.left = `${(start - 1) / steps * 96}%`;
        bar.style.width = `${Math.max((end - start) / steps * 96, 0)}%`;
        element.classList.toggle("asked", asked.includes(node));
        element.classList.toggle("moved", differs);
        element.setAttribute("aria-label", `${this.words(node)}, steps ${start} to ${end}`);
      }
    }
    for (const [node, row] of this.rows) {
      if (!seen.has(node)) {
        row.element.remove();
        this.rows.delete(node);
      }
    }
    for (const old of this.stage.querySelectorAll(".lane-title")) old.remove();
    this.stage.append(...titles);
    this.stage.style.height = `${line * ROW}px`;
    if (!tried) this.base = places;
    this.foot.textContent = describe(timeline, tried ? moved : 0);
    this.reveal(asked);
  }

  private title(role: string, line: number): HTMLElement {
    const title = h("div", { class: "lane-title" }, NAMES[role] ?? role);
    title.style.top = `${line * ROW}px`;
    return title;
  }

  private find(node: number): Row {
    const known = this.rows.get(node);
    if (known) return known;
    const bar = h("span", { class: "bar-of" });
    const element = h("div", { class: `line ${this.nodes[node]!.kind}`, role: "img", title: `${this.words(node)} (${this.nodes[node]!.id})` },
      h("span", { class: "name-of" }, this.words(node)), h("span", { class: "track" }, bar));
    const row = { element, bar };
    this.rows.set(node, row);
    this.stage.append(element);
    return row;
  }

  private words(node: number): string {
    const { text, id } = this.nodes[node]!;
    return text || id;
  }

  private reveal(asked: number[]): void {
    const tops = asked.flatMap((node) => {
      const row = this.rows.get(node);
      return row ? [parseInt(row.element.style.top, 10)] : [];
    });
    if (!tops.length) return;
    const top = Math.min(...tops) + this.stage.offsetTop - this.element.offsetTop;
    this.element.scrollTo({ top: top - this.element.clientHeight / 3, behavior: "instant" });
  }
}

/** Timelines in their order, those with the events of the decision first. */
function order(timeline: MendedTimeline, asked: number[]): MendedTimeline["lanes"] {
  const own = (lane: MendedTimeline["lanes"][number]): boolean => lane.rows.some(([node]) => asked.includes(node));
  return [...timeline.lanes.filter(own), ...timeline.lanes.filter((lane) => !own(lane))];
}

function describe(timeline: MendedTimeline, moved: number): string {
  const parts = [];
  if (moved) parts.push(`${count(moved, "row moves", "rows move")}`);
  if (timeline.left_out.length) {
    parts.push(`${count(timeline.left_out.length, "link")} still left out: ${timeline.left_out.slice(0, 6).join(", ")}${timeline.left_out.length > 6 ? " …" : ""}`);
  }
  if (timeline.alone) parts.push(`${count(timeline.alone, "event or time", "events and times")} without any order`);
  return parts.join(" · ");
}
