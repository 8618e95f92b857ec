// What is under the pointer or has the focus, on either side; the other side shows it as well.

export type Side = "text" | "timeline" | "details";
type Listener = (node: number | null, from: Side) => void;

export class Pointer {
  node: number | null = null;
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  move(node: number | null, from: Side): void {
    if (node === this.node) return;
    this.node = node;
    for (const listener of this.listeners) listener(node, from);
  }
}
