// The document with indexes for fast lookup, and words for its nodes and constraints.

import type { Conflict, DocumentData, PageLink, PageNode, PageTimeline, Picture } from "./data";
import { type Constraint, type Group, Points, type Relation } from "./points";

const LONGEST = 48;

/** The look for each degree of factuality; it does not depend on colour. */
const LOOKS: Record<string, string> = {
  factual: "solid",
  reported: "pale",
  possible: "outlined",
  conditional: "outlined",
  unasserted: "outlined",
  negated: "hatched",
  counterfactual: "hatched",
};

export class Model {
  readonly points: Points;
  readonly linksOf: number[][];
  private readonly numbers: Map<string, number>;
  private readonly linkNumbers: Map<string, number>;
  private grouped: { node: number; groups: Group[] } | null = null;

  /** The map: with words or with phrases. */
  picture: Picture;

  constructor(readonly data: DocumentData) {
    this.picture = data.picture;
    this.points = new Points(data);
    this.numbers = new Map(data.nodes.map((node, number) => [node.id, number]));
    this.linkNumbers = new Map(data.links.map((link, number) => [link.id, number]));
    this.linksOf = data.nodes.map(() => []);
    data.links.forEach((link, number) => {
      if (link.words) return; // no annotator's link
      for (const end of new Set([link.source, link.target])) {
        if (end !== undefined) this.linksOf[end]!.push(number);
      }
    });
  }

  node(number: number): PageNode {
    return this.data.nodes[number]!;
  }

  /** The classes that say what a node is. */
  look(number: number): string {
    const { kind, factuality } = this.node(number);
    return `${kind} ${LOOKS[factuality] ?? "outlined"}`;
  }

  link(number: number): PageLink {
    return this.data.links[number]!;
  }

  find(id: string | null | undefined): number | undefined {
    return id === null || id === undefined ? undefined : this.numbers.get(id);
  }

  findLink(id: string | null): number | undefined {
    return id === null ? undefined : this.linkNumbers.get(id);
  }

  findAll(ids: string[]): number[] {
    return ids.map((id) => this.find(id)).filter((number) => number !== undefined);
  }

  /** The group of every other node, relative to one node. The last answer is kept. */
  groups(node: number): Group[] {
    if (this.grouped?.node !== node) this.grouped = { node, groups: this.points.groups(node) };
    return this.grouped.groups;
  }

  relate(one: number, other: number): Relation {
    return this.points.relate(one, other);
  }

  words(number: number): string {
    const { text, id } = this.node(number);
    return text ? `“${shorten(text)}”` : id;
  }

  name(number: number): string {
    const { text, id } = this.node(number);
    return text ? `“${shorten(text)}” (${id})` : id;
  }

  nameId(id: string): string {
    const number = this.find(id);
    return number === undefined ? id : this.name(number);
  }

  /** A constraint as a sentence: which one begins or ends before or with which. */
  sayConstraint({ left, order, right }: Constraint): string {
    const one = Math.floor(left / 2), other = Math.floor(right / 2);
    const verbs = [left, right].map((point) => (point % 2 ? "ends" : "begins"));
    const joint = order === "<" ? "before" : "when";
    if (one === other) {
      return order === "<" ? `${this.words(one)} begins before it ends`
        : `${this.words(one)} is a single moment`;
    }
    return `${this.words(one)} ${verbs[0]} ${joint} ${this.words(other)} ${verbs[1]}`;
  }

  /** The walk of a conflict as a list of constraints. */
  constraints(conflict: Conflict): Constraint[] {
    const point = (name: string): number =>
      2 * (this.find(name.slice(0, -1)) ?? 0) + Number(name.endsWith("+"));
    return conflict.walk.map(({ left, order, right, link }) => ({
      left: point(left),
      order: order === "<" ? "<" : "=",
      right: point(right),
      link: this.findLink(link) ?? -1,
    }));
  }

  /** Whether a node on a branch stands on a main timeline, because the calendar connects them. */
  sayBranch(number: number): string {
    const { branch, timeline } = this.node(number);
    return branch && this.data.timelines[timeline]!.role === "main" ? "on a branch" : "";
  }

  describe(number: number): string {
    const node = this.node(number);
    const parts = [node.text || node.id, node.text ? node.id : "", node.type ?? "", node.value ?? ""];
    parts.push(node.date ?? "", this.sayBranch(number));
    parts.push(node.factuality === "factual" ? "" : node.factuality, steps(node));
    return parts.filter(Boolean).join(", ");
  }
}

/** The role of a timeline, in words for people. */
export function sayRole({ role }: PageTimeline): string {
  return role === "main" ? "trunk" : role;
}

/** The steps of a node in words, and how far its start and end can move. */
export function steps(node: PageNode): string {
  if (!node.start || !node.end) return "no steps: its timeline is contradictory";
  const say = ([earliest, latest]: [number, number]): string =>
    earliest === latest ? `${earliest}` : `${earliest}–${latest}`;
  if (node.start[0] === node.end[0]) return `step ${say(node.start)}`;
  const loose = node.start[0] !== node.start[1] || node.end[0] !== node.end[1];
  return loose ? `begins at step ${say(node.start)}, ends at ${say(node.end)}`
    : `steps ${node.start[0]} to ${node.end[0]}`;
}

function shorten(words: string): string {
  return words.length > LONGEST ? `${words.slice(0, LONGEST - 1).trimEnd()}…` : words;
}

/** The branches that hang from a main timeline. */
export function listBranches(picture: Picture): number[] {
  return picture.lanes.filter((lane) => lane.parent !== null && lane.depth === 1).map((lane) => lane.timeline);
}
