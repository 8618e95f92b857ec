// The keys of a repair session.

import { makeHelp } from "../help";

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
  ["S · Ctrl+S", "save"],
  ["t · g", "go to the text, to the timeline; the arrow keys scroll it"],
  ["[ · ] · a", "previous, next unsettled document; all documents"],
  ["m", "the map of this document"],
  ["Esc", "back to the decision"],
  ["?", "this list"],
];

export const openRepairHelp = makeHelp(KEYS,
  "Every decision is kept at once. You can close this window and go on later. Nothing is written to a document " +
  "until you save, and then only the links that you decided about.");
