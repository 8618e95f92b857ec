// A page that comes from the server asks it every second what has changed.

import type { Entry, Place } from "./data";

const EVERY = 1000;

export interface News {
  version: number;
  whole: boolean;
  entries: Entry[];
}

/** Ask for changes as long as the page is open. A page that is a file asks nothing. */
export function follow(place: Place, notify: (news: News) => void): void {
  if (place.live === undefined) return;
  let since = place.live;
  const ask = async (): Promise<void> => {
    if (!document.hidden) {
      try {
        const answer = await fetch(`/changes?since=${since}`, { cache: "no-store" });
        const news = (await answer.json()) as News;
        if (news.version !== since) {
          since = news.version;
          notify(news);
        }
      } catch {
        // The server is gone; it may come back.
      }
    }
    setTimeout(ask, EVERY);
  };
  setTimeout(ask, EVERY);
}

/** Reload the page when its document has changed on the disk. */
export function followDocument(place: Place, name: string): void {
  follow(place, (news) => {
    const entry = news.entries.find((one) => one.name === name);
    if (entry ? entry.stamp !== place.stamp : news.whole) location.reload();
  });
}
