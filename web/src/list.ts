// The list of documents with their verdicts. It can be sorted by any column and filtered by name.

import type { Entry, IndexData } from "./data";
import { count, h } from "./dom";
import { follow } from "./live";

type Key = "name" | "verdict" | "nodes" | "links" | "timelines" | "sections" | "conflicts";

const COLUMNS: [Key, string][] = [
  ["name", "Document"],
  ["verdict", "Verdict"],
  ["nodes", "Events and times"],
  ["links", "Links"],
  ["timelines", "Timelines"],
  ["sections", "Order unknown"],
  ["conflicts", "Contradictions"],
];
/** The verdicts in the order in which they are sorted, and their words. */
const VERDICTS: Record<Entry["verdict"], string> = {
  broken: "cannot be read",
  inconsistent: "contradictory",
  waiting: "waiting",
  consistent: "consistent",
};
const SORTED = Object.keys(VERDICTS);

export function showList(data: IndexData): HTMLElement {
  let entries = data.entries;
  let [key, down] = readOrder();
  const summary = h("p", { class: "quiet", role: "status" });
  const body = h("tbody");
  const search = h("input", {
    type: "search", placeholder: "Find a document", "aria-label": "Find a document", id: "search",
    oninput: () => paint(),
  });
  const heads = COLUMNS.map(([column, title]) => {
    const button = h("button", { type: "button", onclick: () => sortBy(column) }, title);
    return h("th", { scope: "col" }, button);
  });

  function sortBy(column: Key): void {
    down = column === key ? !down : column !== "name" && column !== "verdict";
    key = column;
    history.replaceState(null, "", `#${down ? "-" : ""}${key}`);
    paint();
  }

  function paint(): void {
    const wanted = search.value.trim().toLowerCase();
    const shown = entries.filter((entry) => entry.name.toLowerCase().includes(wanted));
    const place = new Map(shown.map((entry, at) => [entry, at]));
    shown.sort((one, other) => {
      const order = compare(one, other, key);
      return (down ? -order : order) || place.get(one)! - place.get(other)!;
    });
    body.replaceChildren(...shown.map(row));
    COLUMNS.forEach(([column], at) => {
      const order = column !== key ? "none" : down ? "descending" : "ascending";
      heads[at]!.setAttribute("aria-sort", order);
    });
    summary.textContent = summarise(entries);
  }

  follow(data.place, (news) => {
    if (news.whole) entries = news.entries;
    else {
      const fresh = new Map(news.entries.map((entry) => [entry.name, entry]));
      entries = entries.map((entry) => fresh.get(entry.name) ?? entry);
      const known = new Set(entries.map((entry) => entry.name));
      entries = [...entries, ...news.entries.filter((entry) => !known.has(entry.name))];
    }
    paint();
  });
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    }
  });
  addEventListener("hashchange", () => {
    [key, down] = readOrder();
    paint();
  });
  paint();
  return h("main", { class: "list" },
    h("header", { class: "bar" }, h("h1", {}, data.name), search),
    summary,
    h("div", { class: "table", tabindex: 0, role: "region", "aria-label": "Documents" },
      h("table", {}, h("thead", {}, h("tr", {}, ...heads)), body)),
    h("footer", { class: "quiet" }, `tlex ${data.tlex}`),
  );
}

function row(entry: Entry): HTMLElement {
  const numbers = COLUMNS.slice(2).map(([column]) => {
    const value = entry[column] as number | undefined;
    const known = entry.verdict === "consistent" || entry.verdict === "inconsistent";
    const more = column === "conflicts" && entry.conflicts_complete === false ? "+" : "";
    return h("td", { class: "number" }, known ? (value ?? 0).toLocaleString("en-GB") + more : "");
  });
  return h("tr", {},
    h("td", {}, h("a", { href: entry.href }, entry.name)),
    h("td", {},
      h("span", { class: `verdict ${entry.verdict}` }, VERDICTS[entry.verdict]),
      entry.message ? h("span", { class: "message" }, entry.message) : null),
    ...numbers);
}

function compare(one: Entry, other: Entry, key: Key): number {
  if (key === "name") return one.name < other.name ? -1 : Number(one.name > other.name);
  if (key === "verdict") return SORTED.indexOf(one.verdict) - SORTED.indexOf(other.verdict);
  return (one[key] ?? 0) - (other[key] ?? 0);
}

function summarise(entries: Entry[]): string {
  const tally = (verdict: string): number =>
    entries.filter((entry) => entry.verdict === verdict).length;
  const parts = [count(entries.length, "document"), `${tally("inconsistent")} contradictory`];
  if (tally("broken")) parts.push(`${tally("broken")} cannot be read`);
  if (tally("waiting")) parts.push(`${tally("waiting")} waiting`);
  return parts.join(" · ");
}

function readOrder(): [Key, boolean] {
  const given = location.hash.slice(1);
  const down = given.startsWith("-");
  const key = COLUMNS.map(([column]) => column).find((one) => one === given.slice(Number(down)));
  return [key ?? "name", key !== undefined && down];
}
