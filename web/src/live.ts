// A page from the server asks it now and then what is new.

import type { Entry, Place } from "./data";

const EVERY = 1000;

export interface News {
  version: number;
  whole: boolean;
  entries: Entry[];
}

/** Ask for news as long as the page is open; nothing is asked of a page that is a file. */
export function follow(place: Place, tell: (news: News) => void): void {
  if (place.live === undefined) return;
  let since = place.live;
  const ask = async (): Promise<void> => {
    if (!document.hidden) {
      try {
        const answer = await fetch(`/changes?since=${since}`, { cache: "no-store" });
        const news = (await answer.json()) as News;
        if (news.version !== since) {
          since = news.version;
          tell(news);
        }
      } catch {
        // The server is gone; it may come back.
      }
    }
    setTimeout(ask, EVERY);
  };
  setTimeout(ask, EVERY);
}

/** Load the page anew when its document has changed on the disk. */
export function followDocument(place: Place, name: string): void {
  follow(place, (news) => {
    const entry = news.entries.find((one) => one.name === name);
    if (entry ? entry.stamp !== place.stamp : news.whole) location.reload();
  });
}
