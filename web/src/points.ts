// The constraints of the links on end points, and the relations that follow from them. Exact; computed on demand.
//
// Node i has the points 2i (its start) and 2i + 1 (its end). In a consistent timeline the step rises
// along `<` and stays the same along `=`. So a point that can be reached is equal if its step is the
// same, and later if its step is larger.

import type { Connection, DocumentData, PageBasic } from "./data";

export type Group = "before" | "after" | "overlapping" | "unknown" | "unrelated";

export interface Constraint {
  left: number;
  order: "<" | "=";
  right: number;
  /** The number of the link; -1 for an interval's own constraint. */
  link: number;
}

export interface Proof {
  left: number;
  order: "<" | "=";
  right: number;
  walk: Constraint[];
}

export interface Relation {
  verdict: "entailed" | "possible" | "unrelated" | "inconsistent";
  relations: PageBasic[];
  proofs: Proof[];
  /** The chain of SLINKs between two timelines. */
  path: Connection[];
}

/** The pairs of end points, one of A and one of B; 0 to 3 stand for A-, A+, B-, B+. */
const CROSSING = [[0, 2], [0, 3], [1, 2], [1, 3]] as const;
// If one of the four can be left out, the order of a start and an end goes first.
const THIN_OUT = [1, 2, 3, 0] as const;
const OWN = -1;

type Edge = { to: number; strict: boolean; link: number };
type Order = { left: number; order: "<" | "="; right: number };

export class Points {
  private readonly forth: Edge[][];
  private readonly back: Edge[][];
  private readonly level: Int32Array;
  private readonly instant: Set<number>;
  private around: { node: number; reached: Uint8Array[] } | null = null;

  constructor(private readonly data: DocumentData) {
    const size = 2 * data.nodes.length;
    this.forth = Array.from({ length: size }, () => []);
    this.back = Array.from({ length: size }, () => []);
    this.level = new Int32Array(size);
    this.instant = new Set(data.instants);
    data.nodes.forEach((node, i) => {
      this.level[2 * i] = node.start?.[0] ?? 0;
      this.level[2 * i + 1] = node.end?.[0] ?? 0;
      this.add(2 * i, !this.instant.has(i), 2 * i + 1, OWN);
    });
    data.links.forEach((link, number) => {
      if (link.row === undefined) return;
      const source = 2 * link.source!, target = 2 * link.target!;
      const ends = [source, source + 1, target, target + 1];
      for (const [left, strict, right] of data.rows[link.row]!) {
        this.add(ends[left]!, strict, ends[right]!, number);
      }
    });
  }

  /** The group of every other node, relative to one node: `unknown` if the possible relations are in several groups. */
  groups(node: number): Group[] {
    return this.data.nodes.map((_, other) => {
      if (!this.comparable(node, other)) return "unrelated";
      const found = new Set(this.possible(other, node).map((basic) => groupOf(basic.name)));
      return found.size === 1 ? [...found][0]! : "unknown";
    });
  }

  relate(one: number, other: number): Relation {
    const [first, second] = [this.data.nodes[one]!.timeline, this.data.nodes[other]!.timeline];
    if (first !== second) {
      const path = findPath(this.data.connections, first, second);
      return { verdict: "unrelated", relations: [], proofs: [], path };
    }
    if (!this.data.timelines[first]!.consistent) {
      return { verdict: "inconsistent", relations: [], proofs: [], path: [] };
    }
    const relations = this.possible(one, other);
    const ends = [2 * one, 2 * one + 1, 2 * other, 2 * other + 1];
    const instants = [this.instant.has(one), this.instant.has(other)] as const;
    const proofs = thin(this.orders(one, other), instants).map(({ left, order, right }) => ({
      left: ends[left]!,
      order,
      right: ends[right]!,
      walk: this.findWay(ends[left]!, ends[right]!),
    }));
    return { verdict: relations.length === 1 ? "entailed" : "possible", relations, proofs, path: [] };
  }

  private add(left: number, strict: boolean, right: number, link: number): void {
    this.forth[left]!.push({ to: right, strict, link });
    this.back[right]!.push({ to: left, strict, link });
    if (!strict) {
      this.forth[right]!.push({ to: left, strict, link });
      this.back[left]!.push({ to: right, strict, link });
    }
  }

  private comparable(one: number, other: number): boolean {
    const timeline = this.data.nodes[one]!.timeline;
    return timeline === this.data.nodes[other]!.timeline && this.data.timelines[timeline]!.consistent;
  }

  private possible(one: number, other: number): PageBasic[] {
    const known = this.orders(one, other);
    const table = Number(this.instant.has(one)) * 2 + Number(this.instant.has(other));
    return this.data.basic[table]!.filter((basic) =>
      [...known].every((order, at) => order === "?" || order === basic.orders[at]),
    );
  }

  /** The order of each crossing pair of end points: one of `<=>`, or `?` if it is unknown. */
  private orders(one: number, other: number): string {
    // The last node is cached, because `groups` compares one node with all others.
    const turned = this.around?.node === other;
    const [reached, pivot] = turned ? [this.around!.reached, other] : [this.look(one), one];
    const ends = [2 * one, 2 * one + 1, 2 * other, 2 * other + 1];
    return CROSSING.map(([left, right]) => {
      const near = turned ? ends[right]! : ends[left]!;
      const far = turned ? ends[left]! : ends[right]!;
      const sign = this.sign(reached, near - 2 * pivot, near, far);
      return turned ? { "<": ">", ">": "<" }[sign] ?? sign : sign;
    }).join("");
  }

  private sign(reached: Uint8Array[], side: number, near: number, far: number): string {
    const same = this.level[near] === this.level[far];
    if (reached[side]![far]) return same ? "=" : "<";
    return reached[2 + side]![far] ? ">" : "?";
  }

  /** The points that can be reached from the two points of a node, forward and backward. */
  private look(node: number): Uint8Array[] {
    if (this.around?.node !== node) {
      const points = [2 * node, 2 * node + 1];
      const reached = [this.forth, this.back].flatMap((edges) => points.map((p) => reach(edges, p)));
      this.around = { node, reached };
    }
    return this.around!.reached;
  }

  /** A walk with the fewest links; an interval's own constraint is no link. */
  private findWay(start: number, goal: number): Constraint[] {
    const cost = new Map([[start, 0]]);
    const came = new Map<number, Constraint>();
    let edge = [start];
    for (let spent = 0; edge.length && !(cost.get(goal)! <= spent); spent += 1) {
      const following: number[] = [];
      for (let at = 0; at < edge.length; at += 1) {
        const point = edge[at]!;
        if (cost.get(point)! < spent) continue;
        for (const { to, strict, link } of this.forth[point]!) {
          const total = spent + Number(link !== OWN);
          if (this.level[to]! > this.level[goal]! || total >= (cost.get(to) ?? Infinity)) continue;
          cost.set(to, total);
          came.set(to, { left: point, order: strict ? "<" : "=", right: to, link });
          (link === OWN ? edge : following).push(to);
        }
      }
      edge = following;
    }
    const walk: Constraint[] = [];
    for (let point = goal; point !== start; ) {
      const step = came.get(point)!;
      walk.push(step);
      point = step.left;
    }
    return walk.reverse();
  }
}

function groupOf(name: string): Group {
  if (name === "before" || name === "meets") return "before";
  return name === "after" || name === "met-by" ? "after" : "overlapping";
}

function reach(edges: Edge[][], start: number): Uint8Array {
  const seen = new Uint8Array(edges.length);
  seen[start] = 1;
  const queue = [start];
  for (const point of queue) {
    for (const { to } of edges[point]!) {
      if (!seen[to]) {
        seen[to] = 1;
        queue.push(to);
      }
    }
  }
  return seen;
}

/** The known orders without those that follow from the rest. */
function thin(orders: string, instants: readonly [boolean, boolean]): Order[] {
  let known = new Map<number, Order>();
  CROSSING.forEach(([left, right], place) => {
    const sign = orders[place];
    if (sign === ">") known.set(place, { left: right, order: "<", right: left });
    else if (sign === "<" || sign === "=") known.set(place, { left, order: sign, right });
  });
  for (const place of THIN_OUT) {
    const order = known.get(place);
    if (!order) continue;
    const rest = new Map([...known].filter(([other]) => other !== place));
    if (close([...rest.values()], instants)[order.left]![order.right] === order.order) known = rest;
  }
  return [...known.values()];
}

/** All orders that follow for the four end points. */
function close(orders: Order[], instants: readonly [boolean, boolean]): string[][] {
  const closed: string[][] = [0, 1, 2, 3].map((one) =>
    [0, 1, 2, 3].map((other) => (one === other ? "=" : "")));
  const own = [0, 1].map((one): Order => {
    return { left: 2 * one, order: instants[one] ? "=" : "<", right: 2 * one + 1 };
  });
  for (const { left, order, right } of [...own, ...orders]) {
    closed[left]![right] = order;
    if (order === "=") closed[right]![left] = order;
  }
  for (let middle = 0; middle < 4; middle += 1) {
    for (let left = 0; left < 4; left += 1) {
      for (let right = 0; right < 4; right += 1) {
        const [first, second] = [closed[left]![middle]!, closed[middle]![right]!];
        if (first && second && closed[left]![right] !== "<") {
          closed[left]![right] = first === "<" || second === "<" ? "<" : "=";
        }
      }
    }
  }
  return closed;
}

/** The shortest chain of SLINKs from one timeline to another, read in either direction. */
function findPath(connections: Connection[], start: number, goal: number): Connection[] {
  const touching = new Map<number, [number, Connection][]>();
  for (const connection of connections) {
    const { source_timeline: one, target_timeline: other } = connection;
    for (const [from, to] of [[one, other], [other, one]] as const) {
      if (!touching.has(from)) touching.set(from, []);
      touching.get(from)!.push([to, connection]);
    }
  }
  const came = new Map<number, [number, Connection]>();
  const queue = [start];
  for (const number of queue) {
    if (number === goal) break;
    for (const [other, connection] of touching.get(number) ?? []) {
      if (other !== start && !came.has(other)) {
        came.set(other, [number, connection]);
        queue.push(other);
      }
    }
  }
  const path: Connection[] = [];
  for (let at = goal; came.has(at); ) {
    const [before, connection] = came.get(at)!;
    path.push(connection);
    at = before;
  }
  return path.reverse();
}
