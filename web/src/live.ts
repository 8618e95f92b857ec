// A page that comes from the server asks it every second what has changed.

import type { Changes, Place } from "./data";

const EVERY = 1000;

/** Ask for changes as long as the page is open. A page that is a file asks nothing. */
export function follow(place: Place, notify: (changes: Changes) => void): void {
  if (place.live === undefined) return;
  let since = place.live;
  const ask = async (): Promise<void> => {
    if (!document.hidden) {
      try {
        const answer = await fetch(`/changes?since=${since}`, { cache: "no-store" });
        const changes = (await answer.json()) as Changes;
        if (changes.version !== since) {
          since = changes.version;
          notify(changes);
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
  follow(place, (changes) => {
    const entry = changes.entries.find((one) => one.name === name);
    if (entry ? entry.stamp !== place.stamp : changes.whole) location.reload();
  });
}
