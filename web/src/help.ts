// The dialog that lists the keys of a page.

import { h } from "./dom";

/** A function that opens the list; `keys` are pairs of keys and what they do. */
export function makeHelp(keys: [string, string][], more: string): () => void {
  const dialog = h("dialog", { class: "help", "aria-label": "Keys and help" },
    h("h2", {}, "Keys"),
    h("dl", {}, ...keys.flatMap(([names, words]) => [
      h("dt", {}, ...names.split(" · ").flatMap((key, at) => [at ? " " : "", h("kbd", {}, key)])),
      h("dd", {}, words),
    ])),
    h("p", { class: "quiet" }, more),
    h("button", { type: "button", class: "action", onclick: () => dialog.close() }, "Close"));
  return () => {
    if (!dialog.isConnected) document.body.append(dialog);
    if (!dialog.open) dialog.showModal();
  };
}
