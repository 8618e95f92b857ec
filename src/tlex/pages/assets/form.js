"use strict";
const sheet = JSON.parse(document.getElementById("sheet").textContent);
const items = [...document.querySelectorAll("fieldset")];
const key = "tlex " + sheet.name;
const given = load();

function load() {
  try { return JSON.parse(localStorage.getItem(key)) || {}; } catch { return {}; }
}
function keep() {
  try { localStorage.setItem(key, JSON.stringify(given)); } catch { /* it stays in this page */ }
}
function own(number) {
  return given[number] ||= { answer: "", comment: "" };
}
function show() {
  let done = 0;
  items.forEach((item, place) => {
    const answered = Boolean(given[place + 1]?.answer);
    item.classList.toggle("done", answered);
    done += answered;
  });
  document.querySelector("progress").value = done;
  document.querySelector("output").textContent =
    done.toLocaleString("en") + " of " + items.length.toLocaleString("en") + " answered";
}
function answer(item, word) {
  const place = items.indexOf(item);
  own(place + 1).answer = word;
  item.querySelector("input[value=" + word + "]").checked = true;
  keep();
  show();
}
function goOn(from) {
  const open = (item, place) => place > from && !given[place + 1]?.answer;
  const next = items.find(open) || items.find((item, place) => !given[place + 1]?.answer);
  if (!next) return;
  next.querySelector("input").focus({ preventScroll: true });
  next.scrollIntoView({ block: "center" });
}
function cell(words) {
  return /[",\r\n]/.test(words) ? '"' + words.replaceAll('"', '""') + '"' : words;
}
function disarm(words) {
  return /^[=+@-]/.test(words) ? "'" + words : words;
}
function write() {
  const rows = sheet.rows.map((row, place) => {
    const mine = given[place + 1] || { answer: "", comment: "" };
    return [...row, mine.answer, disarm(mine.comment)];
  });
  return "\ufeff" + [sheet.columns, ...rows].map(row => row.map(cell).join(",") + "\r\n").join("");
}
function tell(words) {
  document.getElementById("said").textContent = words;
}

items.forEach((item, place) => {
  const mine = given[place + 1];
  if (mine?.answer === "yes" || mine?.answer === "no") {
    item.querySelector("input[value=" + mine.answer + "]").checked = true;
  }
  if (mine?.comment) item.querySelector("input[type=text]").value = mine.comment;
});
document.addEventListener("change", event => {
  const item = event.target.closest("fieldset");
  if (item && event.target.type === "radio") answer(item, event.target.value);
});
document.addEventListener("input", event => {
  const item = event.target.closest("fieldset");
  if (!item || event.target.type !== "text") return;
  own(items.indexOf(item) + 1).comment = event.target.value;
  keep();
});
document.addEventListener("keydown", event => {
  const item = event.target.closest?.("fieldset");
  const word = { y: "yes", n: "no" }[event.key.toLowerCase()];
  if (!item || !word || event.target.type === "text") return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  answer(item, word);
  goOn(items.indexOf(item));
});
document.getElementById("next").addEventListener("click", () => goOn(-1));
document.getElementById("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([write()], { type: "text/csv" }));
  link.download = sheet.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  tell("The sheet is being saved as " + sheet.file + ".");
});
document.getElementById("copy").addEventListener("click", async () => {
  const words = write();
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    const box = document.createElement("textarea");
    box.value = words;
    box.className = "hidden";
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
  tell("The sheet is in the clipboard, as CSV.");
});
show();
