// The script of every page: a document, a list of documents, or the message that a document cannot be read.

import "./style.css";
import "./repair/style.css";
import "./reading.css";
import { App } from "./app";
import type { Data, ErrorData } from "./data";
import { h } from "./dom";
import { followDocument } from "./live";
import { showList } from "./list";
import { showRepairs } from "./repair/list";
import { RepairPage } from "./repair/page";
import { watchShiftClicks } from "./shiftClick";
import { nameConflicts } from "./state";

const data = JSON.parse(document.getElementById("data")!.textContent!) as Data;

function showError({ name, message, place, missing }: ErrorData): HTMLElement {
  followDocument(place, name);
  const go = (words: string, href: string | undefined): HTMLElement | null =>
    href === undefined ? null : h("a", { href, class: "go" }, words);
  return h("main", { class: "list" },
    h("header", { class: "bar" }, h("nav", { "aria-label": "Documents" },
      go("All", place.index), go("‹", place.previous), go("›", place.next)), h("h1", {}, name)),
    h("p", {}, h("span", { class: "verdict broken" }, missing ? "missing" : "cannot be read"), " ", message),
    h("p", { class: "quiet" },
      `This page is loaded again when the file ${missing ? "exists" : "changes"}.`));
}

if (data.page === "document") {
  nameConflicts(data.conflicts);
  watchShiftClicks();
  const app = new App(data);
  if (!app.element.isConnected) document.body.append(app.element);
  app.open();
} else if (data.page === "repair") {
  const page = new RepairPage(data);
  document.body.append(page.element);
  page.open();
} else {
  const list = data.page === "index" ? showList(data) : data.page === "repairs" ? showRepairs(data) : showError(data);
  document.body.append(list);
  document.documentElement.dataset.ready = "true";
}
