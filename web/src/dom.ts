// Makes elements without markup: what a document holds becomes text, never HTML.

type Value = string | number | boolean | undefined | null | ((event: Event) => void);
type Child = Node | string | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, given: Record<string, Value>, children: Child[]): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child || child === "") element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, given: Record<string, Value> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, given, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K, given: Record<string, Value> = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, given, children);
  return element;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en-GB")} ${number === 1 ? one : many}`;
}
