// Talks to the server of a repair session. Only the printed address carries the token that changes need.

import type { Move, RepairState, Trial } from "../data";

const KEY = "tlex-token";
const EVERY = 1000;

export interface Refusal {
  error: string;
  state?: RepairState;
  difference?: string[];
}

/** Take the token out of the address, where nobody shall copy it from, and keep it for this window. */
function takeToken(): string {
  const found = /^#token=([\w-]+)$/.exec(location.hash);
  if (found) history.replaceState(null, "", location.pathname + location.search);
  try {
    if (found) sessionStorage.setItem(KEY, found[1]!);
    return sessionStorage.getItem(KEY) ?? "";
  } catch { // this browser keeps nothing
    return found?.[1] ?? "";
  }
}

const token = takeToken();

/** Whether this window may change anything. */
export const mayChange = token !== "";

/** An address for another page of the session, also if it is opened in a new window. */
export function address(href: string): string {
  return token ? `${href}#token=${token}` : href;
}

async function post<T>(where: string, name: string, move: Move): Promise<T | Refusal> {
  const path = name.split("/").map(encodeURIComponent).join("/");
  try {
    const answer = await fetch(`/${where}/${path}`, {
      method: "POST",
      cache: "no-store",
      headers: { "content-type": "application/json", "x-tlex-token": token },
      body: JSON.stringify(move),
    });
    return (await answer.json()) as T | Refusal;
  } catch {
    return { error: "" };
  }
}

export const tryOut = (name: string, move: Move): Promise<Trial | Refusal> => post("try", name, move);
export const decide = (name: string, move: Move): Promise<RepairState | Refusal> => post("decide", name, move);

export function isRefusal(thing: object): thing is Refusal {
  return "error" in thing;
}

/** Ask every second for news: what another window did, or that the server is gone. */
export function follow(path: string, version: () => number, tell: (news: object) => void, miss: (gone: boolean) => void): void {
  const ask = async (): Promise<void> => {
    if (!document.hidden) {
      try {
        const asked = version();
        const answer = await fetch(`${path}?version=${asked}`, { cache: "no-store" });
        const news = (await answer.json()) as { version?: number };
        miss(false);
        if (news.version !== undefined && news.version !== asked && version() === asked) tell(news);
      } catch {
        miss(true);
      }
    }
    setTimeout(ask, EVERY);
  };
  setTimeout(ask, EVERY);
}
