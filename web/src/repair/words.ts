// Sentences that several pages of a repair session share.

import type { Place } from "../data";
import { h } from "../dom";
import { address } from "./server";

export function readOnly(): HTMLElement {
  return h("p", { class: "notice", role: "note" },
    "This window can only look. To decide, open the address that tlex view has printed.");
}

/** How the contradictions of a document can be decided: not on a page that is a file, or that only shows. */
export function sayRepair({ repair }: Place): HTMLElement {
  return h("p", { class: "quiet" }, ...(repair === undefined
    ? ["This page only shows. To decide the contradictions: ", h("code", {}, "tlex view FILE --repair")]
    : [h("a", { href: address(repair) }, "Decide the contradictions one by one")]));
}
