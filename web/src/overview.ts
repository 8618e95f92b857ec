// The whole picture in a strip, however long it is, with a frame around what is in view. The strip
// lies below a wide picture and stands beside a tall one; where all is in view there is none.

import type { Shown } from "./app";
import { h } from "./dom";
import type { Box, Scene } from "./scene";

const EDGE = 12; // pixels of the margin that need not be seen

export class Overview {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { "aria-hidden": "true" });
  private readonly view = h("div", { class: "frame" });
  private scene: Scene | null = null;
  private painted: { scene: Scene; shown: Shown | null; size: string } | null = null;

  constructor(go: (x: number, y: number) => void) {
    this.element = h("div", { class: "overview", "aria-hidden": "true" }, this.canvas, this.view);
    const move = (event: PointerEvent): void => {
      if (!this.scene) return;
      const frame = this.element.getBoundingClientRect();
      go(((event.clientX - frame.left) / frame.width) * this.scene.width,
        ((event.clientY - frame.top) / frame.height) * this.scene.height);
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      move(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (event.buttons) move(event);
    });
  }

  /** Whether the whole picture is in view. */
  get idle(): boolean {
    return this.element.classList.contains("idle");
  }

  /** Make room for the whole picture. */
  hide(): void {
    this.element.classList.add("idle");
  }

  resize(scene: Scene, { width, height }: { width: number; height: number }): void {
    this.scene = scene;
    this.element.classList.toggle("tall", scene.height / scene.width > height / width);
  }

  frame({ left, top, right, bottom }: Box, scale: number, shown: Shown | null): void {
    const scene = this.scene!;
    const { offsetWidth: across, offsetHeight: down } = this.element;
    const tall = this.element.classList.contains("tall");
    // What the strip itself covers counts as seen: it goes if that is enough.
    const [more, below] = [tall ? across / scale : 0, tall ? 0 : down / scale];
    const whole = left <= EDGE && top <= EDGE &&
      right + more >= scene.width - EDGE && bottom + below >= scene.height - EDGE;
    this.element.classList.toggle("idle", whole);
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const clip = (value: number, most: number): number => Math.min(Math.max(value / most, 0), 1) * 100;
    const [x, y] = [clip(left, scene.width), clip(top, scene.height)];
    Object.assign(this.view.style, {
      left: `${x}%`, width: `${clip(right, scene.width) - x}%`,
      top: `${y}%`, height: `${clip(bottom, scene.height) - y}%`,
    });
    const size = `${width} ${height}`;
    if (this.painted?.scene === scene && this.painted.shown === shown && this.painted.size === size) return;
    this.painted = { scene, shown, size };
    this.paint(scene, shown, width, height);
  }

  private paint(scene: Scene, shown: Shown | null, width: number, height: number): void {
    const sharp = devicePixelRatio || 1;
    this.canvas.width = width * sharp;
    this.canvas.height = height * sharp;
    const brush = this.canvas.getContext("2d")!;
    brush.scale(sharp, sharp);
    const style = getComputedStyle(this.element);
    const colours = new Map<string, string>();
    const colour = (name: string): string => {
      if (!colours.has(name)) colours.set(name, style.getPropertyValue(`--${name}`).trim());
      return colours.get(name)!;
    };
    const [across, down] = [width / scene.width, height / scene.height];
    for (const { node, box } of scene.pieces) {
      const classes = shown?.classes(node) ?? [];
      brush.fillStyle = colour(shown?.colour(node, classes) ?? "event");
      brush.globalAlpha = classes.includes("out") ? 0.2 : 1;
      brush.fillRect(box.left * across, box.top * down,
        Math.max((box.right - box.left) * across, 1.2), Math.max((box.bottom - box.top) * down, 1.2));
    }
  }
}
