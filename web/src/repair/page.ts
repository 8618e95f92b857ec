// A repair session of one document: the text, the decision, and the timeline that moves with it.

import { count, h } from "../dom";
import { type Actions, showDecision, showEnd, upper } from "./card";
import type { Move, RepairData, RepairState } from "../data";
import { openRepairHelp } from "./help";
import { address, decide, follow, isRefusal, mayChange, tryOut } from "./server";
import { RepairText } from "./text";
import { RepairTimeline } from "./timeline";
import { WhatIf } from "./what_if";
import { readOnly } from "./words";

const TYPED = "input, textarea, select";
const PRESSED = "button, a, summary";

export class RepairPage implements Actions {
  readonly element: HTMLElement;
  private state: RepairState;
  private chosen = 1;
  /** A change of one's own that is being tried, and its words. */
  private own: { move: Move; says: string } | null = null;
  private asked = 0;
  private busy = false;
  private readonly text: RepairText;
  private readonly timeline: RepairTimeline;
  private readonly whatIf: WhatIf;
  private readonly card = h("div", { class: "card-place" });
  private readonly effect = h("p", { class: "effect", role: "status" });
  private readonly news = h("div", { class: "news", role: "status" });
  private readonly past = h("details", { class: "past" });
  private readonly alike = h("dialog", { class: "help alike", "aria-label": "Decisions of the same pattern" });
  private readonly note = h("input", { type: "text", id: "note", maxlength: 1000, placeholder: "Why you decide so (n)", "aria-label": "Note" });
  private readonly buttons = h("div", { class: "buttons" });
  private readonly save = h("button", { type: "button", class: "save", title: "Save (S)", onclick: () => void this.send({ action: "save" }) }, "Save");
  private readonly verdict = h("span", { class: "verdict" });

  constructor(private readonly data: RepairData) {
    this.state = data.state;
    this.text = new RepairText(data);
    this.timeline = new RepairTimeline(data.nodes);
    this.whatIf = new WhatIf(data, (move, says) => this.tryOwn(move, says));
    const { place } = data;
    const go = (words: string, href: string | undefined, title: string): HTMLElement | null =>
      href === undefined ? null : h("a", { href: address(href), class: "go", title, "aria-label": title }, words);
    const middle = h("section", { class: "middle", "aria-label": "Decision" },
      mayChange ? null : readOnly(), this.news, this.card, this.whatIf.element, this.past,
      h("div", { class: "deck" }, this.effect, h("div", { class: "moves" }, this.buttons, this.note)));
    this.element = h("div", { class: "repair" },
      h("header", { class: "bar" },
        h("nav", { "aria-label": "Documents" },
          go("All", place.index, "All documents (a)"),
          go("‹", place.previous, "Previous unsettled document ([)"),
          go("›", place.next, "Next unsettled document (])")),
        h("div", { class: "name" }, h("h1", { title: data.name }, data.headline || data.name), this.verdict),
        h("span", { class: "quiet file" }, data.name),
        go("Map", data.map, "The map of this document (m)"),
        this.save,
        h("button", { type: "button", title: "Keys and help (?)", "aria-label": "Keys and help (?)", onclick: openRepairHelp }, "?")),
      h("main", {}, this.text.element, middle, this.timeline.element));
    this.watch();
    follow(`/state/${data.name.split("/").map(encodeURIComponent).join("/")}`, () => this.state.version,
      (news) => { if (!this.busy) this.show({ ...(news as RepairState), news: "Another window has decided something." }); },
      (gone) => this.miss(gone));
  }

  open(): void {
    document.body.append(this.alike);
    this.show(this.state);
    document.documentElement.dataset.ready = "true";
  }

  // --- what can be done ---------------------------------------------------------------------------

  select(option: number): void {
    this.chosen = option;
    this.own = null;
    for (const one of this.card.querySelectorAll<HTMLElement>("[data-option]")) {
      const is = Number(one.dataset.option) === option;
      one.setAttribute("aria-checked", String(is));
      one.tabIndex = is ? 0 : -1;
      if (is) one.scrollIntoView({ block: "nearest" });
      if (is && document.activeElement?.closest(".options")) one.focus({ preventScroll: true });
    }
    void this.tryMove({ option }, "");
  }

  take(): void {
    if (!this.state.decision) {
      this.card.querySelector<HTMLElement>(".main-action")?.focus(); // one Enter too many saves nothing
    } else if (this.own?.move.link !== undefined) {
      void this.send({ ...this.own.move, action: "change" });
    } else if (!this.own) void this.send({ action: "choose", option: this.chosen });
  }

  skip(): void {
    if (this.state.decision) void this.send({ action: "choose", option: 0 });
  }

  undo(): void {
    void this.send({ action: "undo" });
  }

  later(): void {
    if (this.state.decision) void this.send({ action: "later" });
  }

  /** Show the decisions of the same pattern; they are settled only after that. */
  together(): void {
    const { alike, pattern, decision } = this.state;
    const option = decision?.options[this.chosen - 1];
    if (!alike.length || !decision || !option) return;
    const settle = h("button", { type: "button", class: "main-action", onclick: () => {
      this.alike.close();
      void this.send({ action: "alike", option: option.number });
    } }, `Settle all ${alike.length + 1}: ${option.says}, and so on`);
    this.alike.replaceChildren(
      h("h2", {}, `${alike.length + 1} decisions: ${pattern}`),
      h("p", {}, `The option that is marked now would be taken for each: ${option.says} (${option.about}).`),
      h("ul", { class: "disagree" },
        h("li", {}, h("b", {}, "this one: "), decision.links.map((link) => `"${link.source}" ${link.type ?? ""} "${link.target}"`).join(" · ")),
        ...alike.map((words) => h("li", {}, words))),
      h("p", {}, settle, " ", h("button", { type: "button", class: "action", onclick: () => this.alike.close() }, "Not now")));
    this.alike.showModal();
    settle.focus();
  }

  tryTypes(link: number | null): void {
    this.whatIf.open(link);
  }

  private tryOwn(move: Move | null, says: string): void {
    if (move) {
      this.own = { move, says };
      void this.tryMove(move, says);
    } else if (this.own) {
      this.own = null;
      if (this.state.decision) this.select(this.chosen);
      else this.paintEffect(null, "");
    }
  }

  /** Ask what a change does; only the answer to the last question counts. */
  private async tryMove(move: Move, says: string): Promise<void> {
    const asked = ++this.asked;
    if (!mayChange) return;
    const trial = await tryOut(this.data.name, move);
    if (asked !== this.asked) return;
    if (isRefusal(trial)) return this.paintEffect(trial.error, says);
    const { effect, timeline } = trial;
    const verdict = effect.consistent ? "The document is consistent then." : "It is still contradictory then.";
    this.paintEffect(`${upper(effect.says)}. ${verdict}`, says, effect.consistent);
    this.timeline.show(timeline, this.state.decision?.nodes ?? [], true);
  }

  private paintEffect(words: string | null, says: string, good = false): void {
    const taken = this.own?.move.link !== undefined && this.state.decision && words;
    this.effect.classList.toggle("good", good);
    this.effect.hidden = !words && !this.state.decision;
    this.effect.replaceChildren(...(says ? [h("b", {}, `What if: ${says}. `)] : []), words ?? "",
      ...(taken ? [" ", h("button", { type: "button", class: "action", onclick: () => this.take() }, "Take it (Enter)")] : []));
  }

  private async send(move: Move): Promise<void> {
    if (this.busy || !mayChange) return;
    this.busy = true;
    const answer = await decide(this.data.name, { ...move, version: this.state.version, note: this.note.value });
    this.busy = false;
    if (!isRefusal(answer)) {
      if (move.action !== "later") this.note.value = "";
      this.show(answer);
    } else if (answer.state) this.show({ ...answer.state, news: upper(answer.error) + "." });
    else if (answer.error === "") this.miss(true);
    else this.refuse(answer.error, answer.difference);
  }

  private refuse(error: string, difference?: string[]): void {
    const again = h("button", { type: "button", class: "main-action", onclick: () => void this.send({ action: "reload" }) },
      "Read the file again, and keep the decisions that still fit");
    this.tell(h("p", { class: "bad" }, `${upper(error)}.`),
      ...(difference ? [h("pre", { tabindex: 0, "aria-label": "What has changed" }, ...difference.map((line) =>
        h("span", { class: line.startsWith("+") ? "more" : line.startsWith("-") ? "less" : "" }, `${line}\n`))), again] : []));
    if (difference) again.focus();
  }

  private tell(...things: HTMLElement[]): void {
    this.news.replaceChildren(...things);
    if (things.length) this.news.scrollIntoView({ block: "nearest" });
  }

  private miss(gone: boolean): void {
    const shown = this.news.querySelector(".gone");
    if (gone && !shown) {
      this.tell(h("p", { class: "gone bad" },
        "The server does not answer. Nothing is lost: what you decided is kept in ", h("code", {}, this.state.kept),
        ". Start tlex view again and open the address that it prints."));
    } else if (!gone && shown) this.tell();
  }

  // --- what is shown ------------------------------------------------------------------------------

  private show(state: RepairState): void {
    this.state = state;
    this.chosen = 1;
    this.own = null;
    this.whatIf.close();
    const { decision } = state;
    this.tell(...(state.news ? [h("p", {}, state.news)] : []));
    this.verdict.className = `verdict ${state.consistent ? "consistent" : "inconsistent"}`;
    this.verdict.textContent = state.consistent ? "consistent" : count(state.open, "contradiction") + " left";
    this.save.disabled = !state.unsaved || !mayChange;
    this.save.textContent = state.saved && !state.unsaved ? "Saved" : state.unsaved ? `Save ${count(state.changes, "change")}` : "Save";
    const next = this.data.place.next;
    this.card.replaceChildren(decision
      ? showDecision(state, decision, this.chosen, this)
      : showEnd(state, next && address(next), () => void this.send({ action: "save" })));
    this.paintButtons();
    this.past.replaceChildren(h("summary", {}, `${count(state.answers.length, "decision")} taken`),
      h("ol", {}, ...state.answers.map(({ says, note }) => h("li", {}, upper(says), note ? h("span", { class: "quiet" }, ` (${note})`) : null))));
    this.past.hidden = !state.answers.length;
    this.text.show(decision?.nodes ?? []);
    this.timeline.show(state.timeline, decision?.nodes ?? [], false);
    this.paintEffect(null, "");
    if (decision) void this.tryMove({ option: 1 }, "");
    else if (document.activeElement === document.body) this.card.querySelector<HTMLElement>("h2")?.focus();
  }

  private paintButtons(): void {
    const { decision, alike, answers } = this.state;
    const button = (key: string, words: string, act: () => void, name = "action"): HTMLElement =>
      h("button", { type: "button", class: name, onclick: act }, h("kbd", {}, key), ` ${words}`);
    this.note.hidden = !decision;
    this.buttons.replaceChildren(
      ...(decision ? [button("Enter", "Take it", () => this.take(), "main-action")] : []),
      ...(decision && alike.length ? [button("p", `All ${alike.length + 1} of this pattern`, () => this.together())] : []),
      ...(answers.length ? [button("u", "Undo", () => this.undo())] : []),
      ...(decision && this.state.open > 1 ? [button("l", "Later", () => this.later())] : []));
  }

  private watch(): void {
    const go = (href: string | undefined): void => {
      if (href !== undefined) location.assign(address(href));
    };
    const { place } = this.data;
    const actions: Record<string, () => void> = {
      "?": openRepairHelp,
      "s": () => this.skip(), "u": () => this.undo(), "l": () => this.later(), "p": () => this.together(),
      "n": () => this.note.focus(), "w": () => this.whatIf.open(this.state.decision?.links[0]?.link ?? null),
      "S": () => { if (!this.save.disabled) this.save.click(); },
      "t": () => this.text.element.focus(), "g": () => this.timeline.element.focus(),
      "a": () => go(place.index), "[": () => go(place.previous), "]": () => go(place.next), "m": () => go(this.data.map),
      "Enter": () => this.take(),
    };
    addEventListener("keydown", (event) => {
      const target = event.target instanceof Element ? event.target : document.body;
      if ((event.ctrlKey || event.metaKey) && event.key === "s" && !event.repeat && !document.querySelector("dialog[open]")) {
        event.preventDefault(); // the browser would save the page
        return actions.S?.();
      }
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (event.repeat && event.key === "Enter") return event.preventDefault(); // one press, one decision
      if (event.key === "Escape") return this.leave(event);
      if (target === this.note && event.key === "Enter") return this.leave(event);
      if (target.matches("select") && event.key === "Enter" && this.own) {
        event.preventDefault();
        return this.take();
      }
      if (target.matches(TYPED) || (target.matches(PRESSED) && (event.key === "Enter" || event.key === " "))) return;
      const move = this.moveBy(event.key, target);
      const action = move !== null ? () => this.select(move) : actions[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }

  /** The option that a number or an arrow key leads to; null if it leads to none. */
  private moveBy(key: string, target: Element): number | null {
    const many = this.state.decision?.options.length ?? 0;
    if (/^[1-9]$/.test(key)) return Number(key) <= many ? Number(key) : null;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (!step || !many || target === this.text.element || target === this.timeline.element) return null;
    return (this.chosen + step + many + 1) % (many + 1);
  }

  private leave(event: Event): void {
    event.preventDefault();
    this.whatIf.close();
    (document.activeElement as HTMLElement | null)?.blur();
  }
}
