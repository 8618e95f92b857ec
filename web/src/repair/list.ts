// The documents of a repair session, worst first. Each verdict at the top is a filter.

import { count, h } from "../dom";
import type { RepairEntry, RepairIndexData } from "../data";
import { address, follow, mayChange } from "./server";
import { readOnly } from "./words";

type Verdict = RepairEntry["verdict"];

export const VERDICTS: Record<Verdict, string> = {
  unsettled: "unsettled",
  decided: "decided, not saved",
  saved: "saved in the patch",
  consistent: "consistent",
  broken: "cannot be read",
  waiting: "waiting",
};
const COLUMNS = ["Document", "Date", "Verdict", "Events", "Contradictions", "Decisions left"];

export function showRepairs(data: RepairIndexData): HTMLElement {
  let { entries, version } = data;
  let wanted = new Set(new URLSearchParams(location.search).getAll("v"));
  const body = h("tbody");
  const filters = h("div", { class: "verdicts", role: "group", "aria-label": "Show only" });
  const status = h("p", { class: "quiet", role: "status" });
  const search = h("input", {
    type: "search", id: "search", placeholder: "Find a document", "aria-label": "Find a document", oninput: () => paint(),
  });

  function choose(verdict: string): void {
    wanted = wanted.has(verdict) ? new Set() : new Set([verdict]);
    const query = [...wanted].map((one) => `?v=${one}`).join("");
    history.replaceState(null, "", location.pathname + query);
    paint();
  }

  function paint(): void {
    const words = search.value.trim().toLowerCase();
    const shown = entries.filter((entry) => (!wanted.size || wanted.has(entry.verdict)) &&
      `${entry.name} ${entry.headline ?? ""}`.toLowerCase().includes(words));
    body.replaceChildren(...shown.map(row));
    const active = document.activeElement?.getAttribute("data-verdict");
    filters.replaceChildren(...(Object.keys(VERDICTS) as Verdict[]).flatMap((verdict) => {
      const many = entries.filter((entry) => entry.verdict === verdict).length;
      if (!many && !wanted.has(verdict)) return [];
      return [h("button", {
        type: "button", class: `verdict ${verdict}`, "data-verdict": verdict,
        "aria-pressed": String(wanted.has(verdict)), onclick: () => choose(verdict),
      }, `${many} ${VERDICTS[verdict]}`)];
    }));
    if (active) filters.querySelector<HTMLElement>(`[data-verdict="${active}"]`)?.focus();
    const left = entries.reduce((sum, entry) => sum + (entry.left ?? 0), 0);
    status.textContent = `${count(entries.length, "document")} · ${count(left, "decision")} left` +
      (shown.length < entries.length ? ` · ${shown.length} shown` : "");
  }

  follow("/repairs", () => version, (news) => {
    const fresh = news as { version: number; entries?: RepairEntry[] };
    version = fresh.version;
    if (fresh.entries) {
      entries = fresh.entries;
      const focused = (document.activeElement as HTMLAnchorElement | null)?.getAttribute("href");
      paint();
      [...body.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
    }
  }, () => undefined);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.activeElement === search) return;
    if (event.key === "/") {
      event.preventDefault();
      search.focus();
    } else if (event.key === "]") {
      const first = entries.find((entry) => entry.verdict === "unsettled");
      if (first) location.assign(address(first.href));
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const links = [...body.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      const next = links[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) {
        event.preventDefault();
        next.focus();
      }
    }
  });
  paint();
  return h("main", { class: "list repairs" },
    h("header", { class: "bar" }, h("h1", {}, data.name), search),
    mayChange ? null : readOnly(),
    filters, status,
    h("div", { class: "table", tabindex: 0, role: "region", "aria-label": "Documents" },
      h("table", {}, h("thead", {}, h("tr", {}, ...COLUMNS.map((title) => h("th", { scope: "col" }, title)))), body)),
    h("footer", { class: "quiet" },
      `Decisions are saved in ${data.output}. ] opens the first unsettled document, the arrow keys go through the list. tlex ${data.tlex}`));
}

function row(entry: RepairEntry): HTMLElement {
  const known = entry.verdict !== "waiting" && entry.verdict !== "broken";
  const number = (title: string, value: number | undefined, more = ""): HTMLElement =>
    h("td", { class: "number", "data-title": title }, known ? (value ?? 0).toLocaleString("en-GB") + more : "");
  return h("tr", {},
    h("td", {},
      h("a", { href: address(entry.href) }, entry.headline || entry.name),
      entry.headline ? h("span", { class: "file" }, entry.name) : null),
    h("td", { class: "when" }, entry.date ?? ""),
    h("td", {}, h("span", { class: `verdict ${entry.verdict}` }, VERDICTS[entry.verdict]),
      entry.message ? h("span", { class: "message" }, entry.message) : null),
    number("events", entry.events),
    number("contradictions", entry.conflicts, entry.conflicts_complete === false ? "+" : ""),
    h("td", { class: "number", "data-title": "decisions left" }, !known ? "" : entry.verdict === "consistent" ? "" :
      entry.decided ? `${entry.left ?? 0} of ${(entry.left ?? 0) + entry.decided}` : String(entry.left ?? 0)));
}
