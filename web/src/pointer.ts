// The node that is under the pointer or has the focus. Both sides show it.

export type Side = "text" | "timeline" | "reading" | "details";
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

  /** Call when the pointer has come to rest, so that passing over a node scrolls nothing. */
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
