// What is under the pointer or has the focus, on either side; the other side shows it as well.

export type Side = "text" | "timeline" | "details";
const REST = 90; // milliseconds

type Listener = (node: number | null, from: Side) => void;

export class Pointer {
  node: number | null = null;
  private readonly listeners: Listener[] = [];
  private readonly followers: Listener[] = [];
  private resting = 0;

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Tell when it has come to rest: whoever only passes by moves nothing. */
  listenAtRest(listener: Listener): void {
    this.followers.push(listener);
  }

  move(node: number | null, from: Side): void {
    if (node === this.node) return;
    this.node = node;
    for (const listener of this.listeners) listener(node, from);
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => {
      for (const listener of this.followers) listener(node, from);
    }, REST);
  }
}
