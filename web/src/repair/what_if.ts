// What if: any link with another type or none, or a link that is not there. The server works out what that does.

import { h } from "../dom";
import type { Move, RepairData, RepairLink } from "../data";

const GONE = "-";

export class WhatIf {
  readonly element: HTMLElement;
  private readonly head = h("button", {
    type: "button", class: "action", "aria-expanded": "false", onclick: () => (this.isOpen ? this.close() : this.open(null)),
  }, h("kbd", {}, "w"), " What if …");
  private readonly panel: HTMLElement;
  private readonly link: HTMLSelectElement;
  private readonly type: HTMLSelectElement;
  private readonly source: HTMLSelectElement;
  private readonly added: HTMLSelectElement;
  private readonly target: HTMLSelectElement;

  constructor(private readonly data: RepairData, private readonly ask: (move: Move | null, says: string) => void) {
    this.link = h("select", { onchange: () => this.listTypes() }, h("option", { value: "" }, "Choose a link"));
    this.type = h("select", { onchange: () => this.tryLink() });
    this.source = h("select", { onchange: () => this.tryNew() }, h("option", { value: "" }, "Choose"));
    this.added = h("select", { onchange: () => this.tryNew() }, ...data.types.map((type) => h("option", {}, type)));
    this.target = h("select", { onchange: () => this.tryNew() }, h("option", { value: "" }, "Choose"));
    const label = (words: string, select: HTMLSelectElement): HTMLElement => h("label", {}, h("span", {}, words), select);
    this.panel = h("div", { hidden: true },
      h("fieldset", {}, h("legend", {}, "Change or remove a link"),
        label("Link", this.link), label("becomes", this.type)),
      h("fieldset", {}, h("legend", {}, "Add a link (only to try: tlex adds none to a file)"),
        label("From", this.source), label("type", this.added), label("to", this.target)));
    this.element = h("div", { class: "what-if" }, this.head, this.panel);
    this.listTypes();
  }

  /** Open the panel with a link of the decision, so that all its types can be tried. */
  open(link: number | null): void {
    this.fill();
    this.panel.hidden = false;
    this.head.setAttribute("aria-expanded", "true");
    if (link !== null) this.link.value = String(link);
    this.listTypes();
    (link === null ? this.link : this.type).focus();
  }

  /** List all links, events and times; only when somebody wants them, for there may be thousands. */
  private fill(): void {
    if (this.link.length > 1) return;
    const { links, nodes } = this.data;
    this.link.append(...links.map((link, at) => h("option", { value: at }, this.say(link))));
    for (const select of [this.source, this.target]) {
      select.append(...nodes.map((node, at) => h("option", { value: at }, `${node.text || node.id} (${node.id})`)));
    }
  }

  get isOpen(): boolean {
    return !this.panel.hidden;
  }

  close(): void {
    if (!this.isOpen) return;
    this.panel.hidden = true;
    this.head.setAttribute("aria-expanded", "false");
    this.link.value = this.source.value = this.target.value = "";
    this.listTypes();
    this.ask(null, "");
  }

  private listTypes(): void {
    const link = this.data.links[Number(this.link.value || -1)];
    this.type.replaceChildren(
      h("option", { value: "" }, link ? `as it is: ${link.type ?? "no type"}` : "Choose a link first"),
      ...(link ? [h("option", { value: GONE }, "removed"), ...link.types.map((type) => h("option", {}, type))] : []));
    this.type.disabled = !link;
    if (link) this.ask(null, "");
  }

  private tryLink(): void {
    const link = this.data.links[Number(this.link.value || -1)];
    if (!link || !this.type.value) return this.ask(null, "");
    const gone = this.type.value === GONE;
    const says = gone ? `remove ${link.id}` : `make ${link.id} ${this.type.value}`;
    this.ask({ link: link.id, ...(gone ? {} : { type: this.type.value }) }, says);
  }

  private tryNew(): void {
    const [source, target] = [this.source, this.target].map((one) => this.data.nodes[Number(one.value || -1)]);
    if (!source || !target) return;
    this.ask({ add: { source: source.id, type: this.added.value, target: target.id } },
      `add ${source.text || source.id} ${this.added.value} ${target.text || target.id}`);
  }

  private say({ id, type, kind, source, target }: RepairLink): string {
    const words = (node: number): string => this.data.nodes[node]!.text || this.data.nodes[node]!.id;
    return `${id}: ${words(source)} ${type ?? kind} ${words(target)}`;
  }
}
