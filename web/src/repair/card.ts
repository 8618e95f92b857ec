// A decision as a card: the sentences, the links that disagree, what about, and the options.

import { count, h } from "../dom";
import type { PageDecision, RepairState } from "../data";

export interface Actions {
  select(option: number): void;
  take(): void;
  skip(): void;
  undo(): void;
  later(): void;
  together(): void;
  tryTypes(link: number | null): void;
}

export function showDecision(state: RepairState, decision: PageDecision, chosen: number, act: Actions): HTMLElement {
  const head = h("div", { class: "decision-head" },
    h("h2", { tabindex: -1 }, `Decision ${state.number} of ${state.total}`),
    h("progress", { max: Math.max(state.total, 1), value: state.number - 1, "aria-label": "Decided" }));
  return h("div", { class: "decision" },
    head,
    ...decision.sentences.map((pieces) => h("blockquote", {}, ...pieces.map(([words, marked]) =>
      marked ? h("mark", {}, words) : words))),
    h("p", { class: decision.says.length > 120 ? "says long" : "says" }, decision.says),
    h("ul", { class: "disagree", "aria-label": "The links that disagree" },
      ...decision.links.map((link) => h("li", {},
        h("span", { class: "id" }, link.id),
        h("span", { class: "link-words" }, `"${link.source}" `, h("b", {}, link.type ?? link.kind), ` "${link.target}"`),
        link.line === null ? null : h("span", { class: "quiet" }, `line ${link.line}`),
        link.link === null ? null : h("button", {
          type: "button", class: "inline", "aria-label": `Try other types of ${link.id}`,
          onclick: () => act.tryTypes(link.link),
        }, "other types"))),
      decision.more ? h("li", { class: "quiet" }, `and ${count(decision.more, "more link")}`) : null,
      ...decision.calendar.map((words) => h("li", {}, h("span", { class: "id" }, "calendar"), h("span", { class: "link-words" }, words)))),
    ...decision.proposals.map((words) => h("p", { class: "quiet" }, `Or a value is wrong: ${words}. Values are not changed here.`)),
    showOptions(decision, chosen, act));
}

function showOptions(decision: PageDecision, chosen: number, act: Actions): HTMLElement {
  const options = [...decision.options, { number: 0, says: "skip", about: "the contradiction stays as it is", reason: "" }];
  return h("div", { class: "options", role: "radiogroup", "aria-label": "Options" },
    ...options.map(({ number, says, about, reason }) => h("div", {
      class: "option", role: "radio", "aria-checked": String(number === chosen), tabindex: number === chosen ? 0 : -1,
      "data-option": number,
      onclick: () => act.select(number),
      ondblclick: () => act.take(),
    },
      h("kbd", {}, number === 0 ? "s" : String(number)),
      h("span", { class: "what" }, h("b", {}, upper(says)), " ", h("span", { class: "about" }, about)),
      number === 1 ? h("span", { class: "tag" }, "recommended") : null,
      reason ? h("span", { class: "reason" }, reason) : null)));
}

/** What is shown when nothing is left to decide. */
export function showEnd(state: RepairState, next: string | undefined, save: () => void): HTMLElement {
  const skipped = state.answers.filter((answer) => answer.says === "left as it is").length;
  const words = !state.answers.length
    ? (state.consistent ? "The document is consistent." : "There is nothing that can be decided here.")
    : state.consistent ? "With your decisions the document is consistent."
      : `${skipped} of them left as they are, so the document stays contradictory there.`;
  const button = !state.unsaved ? null : h("button", { type: "button", class: "main-action", onclick: save },
    h("kbd", {}, "S"), state.output ? ` Save in ${state.output}` : " Save");
  return h("div", { class: "decision end" },
    h("h2", { tabindex: -1 }, state.answers.length ? "All decided" : state.saved ? "Saved" : "Nothing to decide"),
    h("p", { class: "says" }, words),
    button ?? (next ? h("p", {}, h("a", { href: next, class: "main-action" }, "Next unsettled document")) : h("p", {}, "No other document is unsettled.")));
}

export function upper(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
