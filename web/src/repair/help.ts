// The keys of a repair session.

import { h } from "../dom";

const KEYS: [string, string][] = [
  ["1 · 2 · 3 …", "look at an option: the timeline moves, and its effect is counted"],
  ["↑ · ↓", "previous, next option"],
  ["Enter", "take the option that is marked; the first one is recommended"],
  ["s", "skip: leave this contradiction as it is"],
  ["u", "undo the last decision"],
  ["n", "write a note: why you decide so"],
  ["p", "see all decisions of the same pattern, and settle them together"],
  ["l", "later: go to the next contradiction without deciding"],
  ["w", "what if: try another type of any link, or a link more or less"],
  ["S", "save"],
  ["t · g", "go to the text, to the timeline; the arrow keys scroll it"],
  ["[ · ] · a", "previous, next unsettled document; all documents"],
  ["m", "the map of this document"],
  ["Esc", "back to the decision"],
  ["?", "this list"],
];

const dialog = h("dialog", { class: "help", "aria-label": "Keys and help" },
  h("h2", {}, "Keys"),
  h("dl", {}, ...KEYS.flatMap(([keys, words]) => [
    h("dt", {}, ...keys.split(" · ").flatMap((key, at) => [at ? " " : "", h("kbd", {}, key)])),
    h("dd", {}, words),
  ])),
  h("p", { class: "quiet" },
    "Every decision is kept at once. You can close this window and go on later. Nothing is written to a document " +
    "until you save, and then only the links that you decided about."),
  h("button", { type: "button", class: "action", onclick: () => dialog.close() }, "Close"));

export function openRepairHelp(): void {
  if (!dialog.isConnected) document.body.append(dialog);
  if (!dialog.open) dialog.showModal();
}
