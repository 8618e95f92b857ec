// The data of a page; `src/tlex/viewer/data.py` and `src/tlex/draw/picture.py` describe it.

export interface Place {
  index?: string;
  previous?: string;
  next?: string;
  number?: number;
  total?: number;
  live?: number;
  stamp?: string;
}

export interface PageNode {
  id: string;
  kind: string;
  text: string;
  factuality: string;
  timeline: number;
  start?: [number, number];
  end?: [number, number];
  value?: string;
  type?: string;
  line?: number;
  /** The document that it comes from, of several as one. */
  source?: string;
  /** When it was, in words, as far as that is known. */
  date?: string;
  branch?: boolean;
}

export interface Link {
  id: string;
  kind: string;
  type?: string;
  source?: number;
  target?: number;
  line?: number;
  row?: number;
  left_out?: boolean;
  /** What a link of the calendar says: the two values. */
  words?: string;
}

export interface Timeline {
  id: number;
  role: "main" | "branch" | "detached";
  consistent: boolean;
  size: number;
  length: number | null;
  sections: number;
}

export interface Basic {
  name: string;
  type: string | null;
  orders: string;
}

export interface Connection {
  link: string;
  type: string | null;
  source: string;
  target: string;
  source_timeline: number;
  target_timeline: number;
}

export interface Conflict {
  number: number;
  timeline: number;
  kind: string;
  walk: { left: string; order: string; right: string; link: string | null }[];
  links: string[];
  minimal: string[];
}

export interface DocumentData {
  page: "document";
  tlex: string;
  name: string;
  format: string;
  consistent: boolean;
  calendar: boolean;
  text: [string, number[]][];
  /** Of several documents as one: the name of each, and the number of its first segment. */
  texts: [string, number][];
  nodes: PageNode[];
  links: Link[];
  timelines: Timeline[];
  connections: Connection[];
  conflicts: Conflict[];
  conflicts_complete: boolean;
  problems: string[];
  rows: [number, boolean, number][][];
  instants: number[];
  basic: Basic[][];
  picture: Picture;
  place: Place;
}

export interface Entry {
  name: string;
  href: string;
  verdict: "waiting" | "consistent" | "inconsistent" | "broken";
  message?: string;
  nodes?: number;
  links?: number;
  timelines?: number;
  sections?: number;
  conflicts?: number;
  conflicts_complete?: boolean;
  version?: number;
  stamp?: string;
}

export interface IndexData {
  page: "index";
  tlex: string;
  name: string;
  entries: Entry[];
  place: Place;
}

export interface ErrorData {
  page: "error";
  tlex: string;
  name: string;
  message: string;
  place: Place;
  missing: boolean;
}

export type Data = DocumentData | IndexData | ErrorData;

// --- the laid-out picture: x in steps, y in rows ---------------------------------------------

export interface Lane {
  timeline: number;
  place: string;
  consistent: boolean;
  depth: number;
  parent: number | null;
  link: string | null;
  block: number;
  length: number;
  offset: number;
  left: number;
  stride: number;
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  title_row: number | null;
  title_left: number;
  title_width: number;
  axis: number | null;
  feet: boolean;
}

export interface Bar {
  interval: string;
  timeline: number;
  kind: string;
  value: string | null;
  factuality: string;
  row: number;
  first: number;
  last: number;
  first_latest: number;
  last_latest: number;
  first_shown: number;
  last_shown: number;
  left: number;
  width: number;
  label: string;
  inside: boolean;
  label_left: number;
  label_width: number;
  date: string;
  dated: [number, number] | null;
}

export interface Chip {
  interval: string;
  timeline: number;
  kind: string;
  value: string | null;
  factuality: string;
  row: number;
  left: number;
  width: number;
  label: string;
}

export interface Landmark {
  interval: string;
  timeline: number;
  value: string;
  first: number;
  last: number;
  row: number;
  label: string;
  label_left: number;
  label_width: number;
}

export interface Band {
  timeline: number;
  first: number;
  last: number;
  points: number;
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
  label_row: number;
  label_left: number;
  label_width: number;
}

export interface Connector {
  link: string;
  type: string | null;
  source: string;
  target: string;
  source_timeline: number;
  target_timeline: number;
  carries: boolean;
  path: [number, number][];
  label: string;
  label_row: number;
  label_left: number;
  label_width: number;
}

export interface Gap {
  first_timeline: number;
  second_timeline: number;
  first: string;
  second: string;
  words: number | null;
  label: string;
  x: number;
  y: number;
  height: number;
}

export interface RingNode {
  interval: string;
  label: string;
  x: number;
  y: number;
  width: number;
}

export interface RingLink {
  link: string;
  type: string | null;
  source: number;
  target: number;
  order: string;
  forward: boolean;
  needed: boolean;
  label: string;
  x: number;
  y: number;
  width: number;
}

export interface Ring {
  timeline: number;
  kind: string;
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
  nodes: RingNode[];
  links: RingLink[];
  path: [number, number][];
}

export interface LeftOut {
  link: string;
  type: string | null;
  source: string;
  target: string;
  source_timeline: number;
  target_timeline: number;
  label: string;
  path: [number, number][];
  tag: string;
  tag_x: number;
  tag_y: number;
  tag_width: number;
}

export interface DateBand {
  timeline: number;
  unit: string;
  first: number;
  last: number;
  x: number;
  width: number;
  row: number;
  date: string;
  label: string;
  label_left: number;
  label_width: number;
  repeated: number[];
}

export interface DateMark {
  timeline: number;
  interval: string;
  step: number;
  x: number;
  row: number;
  date: string;
  label: string;
  label_left: number;
  label_width: number;
}

export interface Strand {
  timeline: number;
  world: number;
  place: string;
  link: string | null;
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
  label_row: number;
  label_left: number;
  label_width: number;
}

export interface Picture {
  name: string;
  consistent: boolean;
  facts: string[];
  width: number;
  height: number;
  lanes: Lane[];
  bars: Bar[];
  landmarks: Landmark[];
  bands: Band[];
  connectors: Connector[];
  gaps: Gap[];
  chips: Chip[];
  rings: Ring[];
  left_out: LeftOut[];
  date_bands: DateBand[];
  date_marks: DateMark[];
  strands: Strand[];
  step: number;
  row: number;
}
