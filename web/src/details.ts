// The pane below the timeline: facts about the document, or about a selected node, pair, link or contradiction.

import type { App } from "./app";
import { count, h } from "./dom";
import { makeLegend } from "./legend";
import { describeChosen, describeWorlds } from "./readingChoice";
import { sayRole, steps } from "./model";
import type { Constraint, Group, Relation } from "./points";
import { sayRepair } from "./repair/words";
import type { View } from "./state";

/** Relations in words; A and B stand for the two. */
const SENTENCES: Record<string, string> = {
  "before": "A is before B",
  "meets": "A ends just when B begins",
  "overlaps": "A begins before B and ends during it",
  "starts": "A begins with B and ends before it",
  "during": "A happens within B",
  "finishes": "A begins after B and ends with it",
  "equal": "A and B happen at the same time",
  "finished-by": "A begins before B and ends with it",
  "includes": "A includes B",
  "started-by": "A begins with B and ends after it",
  "overlapped-by": "A begins during B and ends after it",
  "met-by": "A begins just when B ends",
  "after": "A is after B",
};
/** The groups of other nodes, relative to the selected one: key, colour, words for one node and for many. */
const GROUPS: [string, Group, string, string?][] = [
  ["before", "before", "before"],
  ["overlapping", "overlapping", "overlapping"],
  ["after", "after", "after"],
  ["unknown", "unknown", "in unknown order"],
  ["unrelated", "unrelated", "without an order (this timeline is contradictory)"],
  ["apart", "unrelated", "on another timeline", "on other timelines"],
];
/** The most links of a list that nobody asked for. */
const MOST = 200;

export class Details {
  readonly element = h("section", { class: "details pane", "aria-label": "Details", id: "details", tabindex: 0 });
  private readonly status = h("p", { class: "unseen", role: "status" });
  private readonly body = h("div", { class: "body" });

  constructor(private readonly app: App) {
    this.element.append(this.status, this.body);
  }

  update(view: View, relation: Relation | null = null): void {
    const chosen = this.app.model.findAll(view.selected);
    const parts = chosen.length === 2 && relation
      ? this.describePair(chosen[0]!, chosen[1]!, relation)
      : chosen.length ? this.describeNode(chosen[0]!) : this.describeDocument(view);
    if (view.conflict !== null && !chosen.length) parts.splice(0, 0, ...this.describeConflict(view.conflict));
    const link = this.app.model.findLink(view.link);
    if (link !== undefined) parts.unshift(this.describeLink(link));
    this.body.replaceChildren(...parts);
    this.element.scrollTop = 0;
    const news = this.body.querySelector("h2")?.textContent ?? "";
    if (this.status.textContent !== news) this.status.textContent = news;
  }

  focus(): void {
    (this.body.querySelector<HTMLElement>("button") ?? this.element).focus();
  }

  private describeDocument(view: View): HTMLElement[] {
    const { data } = this.app.model;
    const parts: HTMLElement[] = [
      h("h2", {}, data.consistent ? "Consistent" : "Contradictory"),
      h("p", { class: "facts" }, this.app.model.picture.facts.join(" · ")),
    ];
    if (data.conflicts.length) {
      parts.push(h("h3", {}, (data.conflicts_complete ? "" : "at least ") + count(data.conflicts.length, "contradiction")),
        h("ol", { class: "conflicts" }, ...data.conflicts.map((conflict, number) =>
          h("li", {}, h("button", {
            type: "button",
            class: "row guilty",
            "data-conflict": number,
            "aria-pressed": String(view.conflict === number),
            onclick: () => this.app.takeConflict(number),
          },
          h("span", { class: "number" }, `${conflict.number}.`), " ",
          h("span", { class: "words" }, [...new Set(this.app.model.constraints(conflict)
            .map(({ left }) => this.app.model.words(left >> 1)))].join(" → ")),
          h("span", { class: "quiet" }, [...new Set(conflict.minimal.map((id) => this.nameLink(id)))].join(", ")))))));
    }
    if (data.conflicts.length) parts.push(sayRepair(data.place));
    const leftOut = data.links.flatMap((link, number) => (link.left_out ? [number] : []));
    if (leftOut.length) {
      parts.push(h("h3", {}, `${count(leftOut.length, "link")} left out to mend the contradictions`),
        h("ul", { class: "links left-outs" }, ...leftOut.slice(0, MOST).map((link) => h("li", {}, this.linkRow(link)))));
      if (leftOut.length > MOST) parts.push(h("p", { class: "quiet" }, `and ${count(leftOut.length - MOST, "more link")}`));
    }
    parts.push(makeLegend(this.app.model.picture));
    if (data.problems.length) {
      parts.push(h("details", {},
        h("summary", {}, `${count(data.problems.length, "problem")} in the document`),
        h("ul", { class: "problems" }, ...data.problems.map((problem) => h("li", {}, problem)))));
    }
    parts.push(h("p", { class: "quiet hint" },
      "Select an event or time to see what is before and after it. Press ? for the list of keys."));
    return parts;
  }

  private describeNode(number: number): HTMLElement[] {
    const { model } = this.app;
    const node = model.node(number);
    const timeline = model.data.timelines[node.timeline]!;
    const about = [node.type ?? node.kind, node.value ?? "", node.date ?? "", node.factuality, steps(node),
      model.sayBranch(number), `${sayRole(timeline)} (timeline ${node.timeline})`, node.line === undefined ? "" : `line ${node.line}`, node.source ?? ""];
    const links = model.linksOf[number]!;
    const compare = h("button", {
      type: "button",
      class: "action",
      "aria-pressed": String(this.app.comparing),
      onclick: () => {
        this.app.comparing = !this.app.comparing;
        compare.setAttribute("aria-pressed", String(this.app.comparing));
        compare.textContent = this.app.comparing ? "Now select the other" : "Compare with another";
      },
    }, this.app.comparing ? "Now select the other" : "Compare with another");
    if (this.app.reads) {
      const phrase = this.app.reading.quote(number);
      const title = h("h2", { class: "phrase-head" }, ...(phrase.length ? phrase : [model.words(number)]));
      return [h("div", { class: "head" }, title, compare, this.closer()), ...describeChosen(this.app, number)];
    }
    return [
      h("div", { class: "head" }, h("h2", {}, model.name(number)), compare, this.closer()),
      h("p", { class: "facts" }, about.filter(Boolean).join(" · ")),
      this.describeGroups(number, "Order of the others relative to it"),
      h("h3", {}, count(links.length, "link")),
      h("ul", { class: "links" }, ...links.map((link) => h("li", {}, this.linkRow(link)))),
    ];
  }

  /** List the groups of other nodes, relative to a node: the colour, the number of nodes, the meaning. */
  private describeGroups(number: number, title: string): HTMLElement {
    const { model } = this.app;
    const tally = new Map<string, number>();
    model.groups(number).forEach((group, other) => {
      if (other === number) return;
      const apart = group === "unrelated" && model.node(other).timeline !== model.node(number).timeline;
      tally.set(apart ? "apart" : group, (tally.get(apart ? "apart" : group) ?? 0) + 1);
    });
    return h("ul", { class: "groups", "aria-label": title },
      ...GROUPS.filter(([key]) => tally.has(key)).map(([key, group, one, many]) => {
        const found = tally.get(key)!;
        return h("li", { class: group }, h("span", { class: `swatch thing solid ${group}` }),
          `${found.toLocaleString("en-GB")} ${found === 1 ? one : many ?? one}`);
      }));
  }

  private describePair(one: number, other: number, relation: Relation): HTMLElement[] {
    const { model } = this.app;
    const parts: HTMLElement[] = [h("div", { class: "head" }, h("h2", {}, this.sayRelation(one, other, relation)), this.closer())];
    if (relation.verdict === "entailed") {
      const { name, type } = relation.relations[0]!;
      parts.push(h("p", { class: "facts" }, `entailed: ${name}${type ? ` (${type})` : ""}`));
    } else if (relation.verdict === "possible") {
      const names = relation.relations.map(({ name }) => name);
      parts.push(...describeWorlds(relation, (name) => this.sayName(one, other, name)),
        h("p", { class: "facts" }, `possible: ${names.join(", ")}`));
    } else if (relation.verdict === "inconsistent") {
      const conflicts = model.data.conflicts.flatMap((conflict, number) =>
        conflict.timeline === model.node(one).timeline ? [number] : []);
      parts.push(h("p", { class: "facts" }, "This timeline is contradictory, so no order is known."),
        ...conflicts.slice(0, 1).map((number) => h("button", {
          type: "button", class: "action", onclick: () => this.app.takeConflict(number),
        }, "Show the contradiction")));
    } else {
      parts.push(h("p", { class: "facts" }, relation.path.length
        ? "They are on different timelines. These SLINKs connect the two:"
        : "They are on different timelines, and no SLINK connects the two."));
      parts.push(h("ul", { class: "links" }, ...relation.path.map((step) =>
        h("li", {}, this.linkRow(model.findLink(step.link)!)))));
    }
    const apart = new Set([one, other].map((each) => model.node(each).timeline));
    const leftOut = model.data.links.filter(({ left_out, source, target }) => left_out &&
      [source, target].some((end) => end !== undefined && apart.has(model.node(end).timeline)));
    if (leftOut.length) {
      const ids = leftOut.slice(0, 12).map(({ id }) => id).join(", ");
      const more = leftOut.length > 12 ? ` and ${leftOut.length - 12} more` : "";
      parts.push(h("p", { class: "quiet repair" }, `Mended: this is the answer without ${ids}${more}.`));
    }
    const title = `Relative to ${model.words(one)}`;
    parts.push(h("div", { class: "relative" }, h("span", { class: "quiet" }, `${title}:`), this.describeGroups(one, title)));
    for (const proof of relation.proofs) {
      parts.push(h("h3", {}, `${model.sayConstraint({ ...proof, link: -1 })}, because`),
        h("ol", { class: "proof", "data-left": proof.left, "data-right": proof.right },
          ...proof.walk.map((step) => this.describeStep(step))));
    }
    return parts;
  }

  private describeConflict(number: number): HTMLElement[] {
    const { model } = this.app;
    const conflict = model.data.conflicts[number];
    if (!conflict) return [];
    const many = conflict.minimal.length;
    return [
      h("div", { class: "head" },
        h("h2", {}, `Contradiction ${conflict.number}: ` +
          (many === 1 ? "this link contradicts itself" : `these ${many} links cannot all hold`)),
        this.closer()),
      h("ul", { class: "links" }, ...conflict.minimal.map((id) =>
        h("li", {}, this.linkRow(model.findLink(id)!)))),
      h("h3", {}, "Because together they form a cycle"),
      h("ol", { class: "proof" }, ...model.constraints(conflict).map((step) => this.describeStep(step))),
    ];
  }

  private describeLink(number: number): HTMLElement {
    const { model } = this.app;
    const { id, kind, type, source, target, line, left_out, words } = model.link(number);
    if (words) return h("p", { class: "card" }, h("strong", {}, "By the calendar"), ` ${words}`);
    const end = (node: number | undefined): HTMLElement | string => node === undefined ? "?"
      : h("button", { type: "button", class: "inline", onclick: () => this.app.take(node) }, model.name(node));
    return h("p", { class: "card" }, h("strong", {}, `${kind} ${id}`), " ", end(source), ` ${type ?? ""} `,
      end(target), line === undefined ? "" : `, line ${line}`,
      left_out ? "; left out to mend the contradictions" : "");
  }

  private describeStep(step: Constraint): HTMLElement {
    const { model } = this.app;
    const words = model.sayConstraint(step);
    if (step.link < 0) return h("li", { class: "own quiet" }, words);
    const { id, kind, type, line, words: values } = model.link(step.link);
    return h("li", { "data-link": id }, h("button", {
      type: "button",
      class: "row",
      "aria-pressed": String(this.app.store.view.link === id),
      onclick: () => this.app.takeLink(id),
    },
    h("span", { class: "words" }, words),
    h("span", { class: "quiet" }, values || `${id} ${type ?? kind}${line === undefined ? "" : `, line ${line}`}`)));
  }

  private linkRow(number: number): HTMLElement {
    const { model } = this.app;
    const { id, kind, type, source, target, line, left_out, words } = model.link(number);
    const name = (end: number | undefined): string => (end === undefined ? "?" : model.words(end));
    return h("button", {
      type: "button",
      class: `row ${kind.toLowerCase()}${left_out ? " left-out" : ""}`,
      "data-link": id,
      "aria-pressed": String(this.app.store.view.link === id),
      onclick: () => this.app.takeLink(id),
    },
    words ? h("span", { class: "words" }, words)
      : h("span", { class: "words" }, name(source), " ", h("b", {}, type ?? kind), " ", name(target)),
    h("span", { class: "quiet" }, words ? "the calendar" : `${id}${line === undefined ? "" : `, line ${line}`}${left_out ? ", left out" : ""}`));
  }

  private sayRelation(one: number, other: number, { verdict, relations }: Relation): string {
    const { model } = this.app;
    const [a, b] = [model.name(one), model.name(other)];
    if (verdict === "unrelated") return `${a} and ${b} are not related in time`;
    if (verdict === "inconsistent") return `${a} and ${b} are on a contradictory timeline`;
    if (verdict === "entailed") {
      return this.sayName(one, other, relations[0]!.name);
    }
    return `The order of ${a} and ${b} is ${relations.length === 13 ? "unknown" : "partly unknown"}`;
  }

  /** A relation of two nodes as a sentence. */
  private sayName(one: number, other: number, name: string): string {
    const [a, b] = [this.app.model.name(one), this.app.model.name(other)];
    return (SENTENCES[name] ?? `A ${name} B`).replace(/\b[AB]\b/g, (letter) => (letter === "A" ? a : b));
  }

  /** A link in a list of links: its id, or that it is one of the calendar. */
  private nameLink(id: string): string {
    const link = this.app.model.findLink(id);
    return link !== undefined && this.app.model.link(link).words ? "the calendar" : id;
  }

  private closer(): HTMLElement {
    return h("button", {
      type: "button", class: "close", "aria-label": "Clear the selection",
      onclick: () => this.app.store.set({ selected: [], link: null, conflict: null }),
    }, "×");
  }
}
