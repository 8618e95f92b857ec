// The data of a page. Generated from types of `viewer/` and from `draw/picture.py` by `make docs`.

export type Data = DocumentData | IndexData | ErrorData | RepairData | RepairIndexData;

/**
 * A document and its timelines; `calendar` says whether values order its times.
 *
 * `view` is what the page opens with: *reading* or *map*. The reading view itself is HTML in the
 * page.
 *
 * `text` is a list of segments: some text, and the numbers of the nodes to whose words it
 * belongs, the shortest first. Of several documents as one, `texts` has the name of each and the
 * number of its first segment. `rows` are the constraints of links, by `PageLink.row`. `basic`
 * are the relations that two nodes can have, for two intervals, for an interval and an instant,
 * for an instant and an interval, and for two instants. `phrases` is the picture with phrases
 * instead of words, if the document is not too large.
 */
export interface DocumentData {
  page: "document";
  tlex: string;
  name: string;
  format: string;
  consistent: boolean;
  calendar: boolean;
  view: "map" | "reading";
  sentences: string[];
  text: [string, number[]][];
  texts: [string, number][];
  nodes: PageNode[];
  links: PageLink[];
  timelines: PageTimeline[];
  connections: Connection[];
  conflicts: Conflict[];
  conflicts_complete: boolean;
  problems: string[];
  rows: [number, boolean, number][][];
  instants: number[];
  basic: PageBasic[][];
  picture: Picture;
  phrases: Picture | null;
  place: Place;
}

/**
 * An event or time; `start` and `end` are the earliest and latest step of its points.
 *
 * `date` says in words when it was, as far as that is known. One on a `branch` may be on a
 * main timeline, if the calendar connects the two. `since` and `until` are the times by which
 * the order dates it. `sentence` is the number of its sentence, and where its words begin and
 * end there.
 */
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
  source?: string;
  date?: string;
  branch?: boolean;
  since?: number;
  until?: number;
  sentence?: [number, number, number];
}

/**
 * A link between nodes, given by number; `row` is the number of its constraints in `rows`.
 *
 * A link that is `left_out` to mend the contradictions has no such number. A link of the
 * calendar has `words` with its two values.
 */
export interface PageLink {
  id: string;
  kind: string;
  type?: string;
  source?: number;
  target?: number;
  line?: number;
  row?: number;
  left_out?: boolean;
  words?: string;
}

/**
 * A timeline, without its intervals: each node has the number of its timeline.
 */
export interface PageTimeline {
  id: number;
  role: string;
  consistent: boolean;
  size: number;
  length: number | null;
  sections: number;
}

/**
 * An SLINK that crosses from one timeline to another.
 */
export interface Connection {
  link: string;
  type: string | null;
  source: string;
  target: string;
  source_timeline: number;
  target_timeline: number;
}

/**
 * An irreducible set of links that contradict each other: any one less, and the rest can hold.
 *
 * `walk` is the proof, a closed walk over these links with at least one `<`. `kind` says
 * how many compounds are on it: i for one, ii for two, iii for more. `minimal` are the links of
 * the set and `links` those on the walk, which are the same. `same` gives the links that say
 * the same as one of them. `number` counts from 1 and is the same in every command.
 */
export interface Conflict {
  number: number;
  timeline: number;
  kind: string;
  walk: Constraint[];
  links: string[];
  minimal: string[];
  same: Record<string, string[]>;
}

/**
 * One step of a walk; `link` is null for an interval's own `I- < I+` (or `I- = I+`).
 */
export interface Constraint {
  left: string;
  order: string;
  right: string;
  link: string | null;
}

/**
 * One of the relations of which exactly one holds, such as Allen's thirteen.
 */
export interface PageBasic {
  name: string;
  type: string | null;
  orders: string;
}

/**
 * Everything to paint, in reading order.
 */
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
  trays: Tray[];
  step: number;
  row: number;
}

/**
 * The area of one timeline; its first step is at `left`.
 *
 * `place` is *main*, *branch* or *detached*. `parent` and `link` are the timeline and the
 * SLINK from which a branch hangs; `depth` is the number of SLINKs from the root of its tree.
 * `offset` is the number of steps of the main timelines before it. `axis` is the row of its
 * step numbers; a lane of one interval has neither axis nor title. The box (`x`, `y`,
 * `width`, `height`) contains everything of this timeline, including the labels of connectors
 * that arrive. `block` is the number of its tree, in reading order. With `feet` a line leads
 * from each time down to the axis. Only each `every`-th step has a number, if there is little
 * room. A timeline that fits the page has no `lines`.
 */
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
  every: number;
  lines: Line[];
}

/**
 * A line of a timeline that flows: its steps from `first` to `last`.
 *
 * Step s is at `left + (s - 1) * stride`. The line reaches from the row `y` to `y + height`.
 * The title of a line says that it continues the one above; the first has the title of the lane.
 */
export interface Line {
  first: number;
  last: number;
  left: number;
  y: number;
  height: number;
  axis: number;
  title: string;
  title_row: number;
}

/**
 * An interval of a consistent timeline, from the step `first` to the step `last`.
 *
 * Its start can be as late as the step `first_latest`, its end as late as `last_latest`.
 * Whiskers show this. Long ones are cut off at `first_shown` and `last_shown`, to leave room
 * for other bars in the row. The label stands on the bar (`inside`) or to its right. The value
 * of a time is in its landmark.
 *
 * `date` says in words when it was, as far as that is known. `dated` is the left end and the
 * width of the date bands that its start and end are known to be in; null if they are not.
 *
 * A `loose` bar stands in a tray, not at its steps: it is as wide as its label, without
 * whiskers.
 *
 * The pieces of a bar that goes on in another `line` have the steps of all of it. Some piece has
 * the label, and those behind it have it again if there is room.
 */
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
  left: number;
  width: number;
  label: string;
  inside: boolean;
  label_left: number;
  label_width: number;
  first_shown: number;
  last_shown: number;
  date: string;
  dated: [number, number] | null;
  loose: boolean;
  line: number;
  torn: [boolean, boolean];
}

/**
 * The normalised value of a date or time, shown beside its bar.
 */
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
  line: number;
}

/**
 * A section of a timeline whose order is unknown: the steps `first` to `last`.
 *
 * The label says how many points and orders there are. It stands in the top row of the band, or
 * to the right of a narrow band.
 */
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
  torn: [boolean, boolean];
}

/**
 * An SLINK between two timelines: a line from the bar or chip of its source to its target's.
 *
 * `path` has the corners of the line, which are right angles. A connector that `carries` is
 * the one from which the target's lane hangs. In a picture of many branches a connector may be
 * `cut`: its line begins beside its label, which names the source, and `cut` is the place at
 * the source where it would begin.
 */
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
  cut: [number, number] | null;
}

/**
 * A line between two timelines that stand side by side, although no order of them is known.
 *
 * For neighbours in the text, the label names their closest expressions.
 */
export interface Gap {
  first_timeline: number;
  second_timeline: number;
  label: string;
  x: number;
  y: number;
  height: number;
}

/**
 * An interval of a contradictory timeline, which has no steps.
 */
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

/**
 * A contradiction: nodes and links in the order of its closed walk.
 *
 * Link i leads from node i to the next. The box contains everything; the caption is in its first
 * row. `path` has the corners of the line on which nodes and links stand, clockwise.
 */
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

/**
 * An interval on the walk of a contradiction, centred at `x`, `y`.
 */
export interface RingNode {
  interval: string;
  label: string;
  x: number;
  y: number;
  width: number;
}

/**
 * A link on the walk, between two nodes of the ring; its label is centred at `x`, `y`.
 *
 * `source` and `target` are the numbers of the nodes, in the direction of the walk. `order`
 * is `<` or `=`, in that direction too. `forward` says whether the link itself has this
 * direction, `needed` whether it belongs to the minimal set. The label of a link of the calendar
 * has the two values (`words`); other labels have the id and the type.
 */
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
  words: boolean;
}

/**
 * A link that a mended timeline leaves out: a dashed curve, and a line of a list.
 *
 * `path` is a cubic curve from the bar of the source to that of the target: its start, two
 * control points, and its end; empty if there are too many to be drawn. `tag` is the id, centred
 * on the curve at `tag_x`, `tag_y`; empty if there is no room. `label` is the line.
 */
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

/**
 * A year, month or day on the axis of a timeline: the steps `first` to `last` are in it.
 *
 * `unit` is *year*, *month* or *day*; a stretch without a known date has an empty unit. `date`
 * is the whole date in words, `label` what there is room for. A long band has its label several
 * times: `repeated` are the left ends of the others.
 */
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
  torn: [boolean, boolean];
}

/**
 * A landmark of the calendar: the `step` at which a date begins.
 *
 * `interval` is a time with this date. The label is empty if there is no room for it.
 */
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
  line: number;
}

/**
 * A branch on the axis of a timeline with which the calendar connects it.
 *
 * `world` is the number of the part that the links make. `place` is *branch* or *detached*.
 * `link` is the SLINK from which it hangs. The box contains its bars, and the labels of the
 * connectors that arrive.
 */
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
  torn: [boolean, boolean];
}

/**
 * A box for what has no place on an axis, with a label in its first row.
 *
 * `kind` is *loose* for events that can be almost anywhere on their `timeline`, *branches* for
 * its branches if they do not hang from their bars, *others* for the timelines besides the largest
 * one, and *unconnected* for events and times that no link connects with anything. Of the last two
 * kinds there is one tray each, without a timeline.
 */
export interface Tray {
  kind: string;
  timeline: number | null;
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
  label_row: number;
  label_left: number;
  label_width: number;
}

/**
 * The place of a page among others: addresses of the list and of the neighbours.
 *
 * `live` is the version of the library, and `stamp` the state of this document's file, when
 * the page was made. With them, a page that comes from a server asks it for changes. `repair` is
 * the address where the contradictions of this document can be decided.
 */
export interface Place {
  index?: string;
  previous?: string;
  next?: string;
  number?: number;
  total?: number;
  live?: number;
  stamp?: string;
  repair?: string;
}

/**
 * A list of documents.
 */
export interface IndexData {
  page: "index";
  tlex: string;
  name: string;
  entries: Entry[];
  place: Place;
}

/**
 * A document in the list.
 *
 * `version` is the version of the library at its last change; `stamp` is the state of the
 * file that it describes.
 */
export interface Entry {
  name: string;
  href: string;
  verdict: "broken" | "consistent" | "inconsistent" | "waiting";
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

/**
 * The message that a document cannot be read, or that it is `missing`.
 */
export interface ErrorData {
  page: "error";
  tlex: string;
  name: string;
  message: string;
  place: Place;
  missing: boolean;
}

/**
 * The page on which the contradictions of a document are decided.
 */
export interface RepairData {
  page: "repair";
  tlex: string;
  name: string;
  headline: string;
  map: string;
  text: [string, number[]][];
  nodes: RepairNode[];
  links: RepairLink[];
  types: string[];
  state: RepairState;
  place: Place;
}

/**
 * An event or time.
 */
export interface RepairNode {
  id: string;
  kind: string;
  text: string;
  factuality: string;
}

/**
 * A link between nodes, given by number; `types` are others it could have, nearest first.
 */
export interface RepairLink {
  id: string;
  kind: string;
  type: string | null;
  source: number;
  target: number;
  line: number | null;
  types: string[];
}

/**
 * How far the session of a document is; `version` changes with it.
 *
 * `alike` are other contradictions of the same `pattern`, in words. `unsaved` says that
 * something is decided and not saved, `output` where it would be. `news` is something to tell.
 */
export interface RepairState {
  version: number;
  number: number;
  total: number;
  open: number;
  consistent: boolean;
  decision: PageDecision | null;
  answers: PageAnswer[];
  pattern: string;
  alike: string[];
  changes: number;
  unsaved: boolean;
  saved: boolean;
  output: string;
  kept: string;
  news: string;
  timeline: MendedTimeline;
}

/**
 * A decision: the sentences with marked words, the links, what they disagree about, options.
 *
 * `sentences` are lists of pieces; a piece is marked if it is the words of one of `nodes`. Of
 * a very long contradiction the first sentences and links are there; `more` counts the others.
 */
export interface PageDecision {
  conflict: number | null;
  says: string;
  sentences: [string, boolean][][];
  nodes: number[];
  links: DecisionLink[];
  more: number;
  calendar: string[];
  proposals: string[];
  options: PageOption[];
}

/**
 * One of the links that disagree; `link` is its number, or null for one of the calendar.
 */
export interface DecisionLink {
  id: string;
  kind: string;
  type: string | null;
  source: string;
  target: string;
  line: number | null;
  words: string;
  link: number | null;
}

/**
 * An option: what it does, what the link says then, and why the option stands where it does.
 */
export interface PageOption {
  number: number;
  says: string;
  about: string;
  reason: string;
}

/**
 * What was decided, in words.
 */
export interface PageAnswer {
  says: string;
  note: string;
}

/**
 * The timelines, mended where that is needed; `left_out` are the links left out for that.
 *
 * `alone` counts the events and times that have a timeline for themselves.
 */
export interface MendedTimeline {
  lanes: PageLane[];
  left_out: string[];
  alone: number;
}

/**
 * A timeline with more than one event or time.
 *
 * `rows` say where each stands: its number, its first and its last step.
 */
export interface PageLane {
  role: string;
  length: number;
  rows: [number, number, number][];
}

/**
 * The list of documents of a repair session; `output` says where it is saved.
 */
export interface RepairIndexData {
  page: "repairs";
  tlex: string;
  name: string;
  version: number;
  entries: RepairEntry[];
  output: string;
  place: Place;
}

/**
 * A document in the list of a repair session.
 */
export interface RepairEntry {
  name: string;
  href: string;
  verdict: "broken" | "consistent" | "decided" | "saved" | "unsettled" | "waiting";
  message?: string;
  headline?: string;
  date?: string;
  events?: number;
  conflicts?: number;
  conflicts_complete?: boolean;
  left?: number;
  decided?: number;
}

/**
 * What the server answers to a page that asks for changes.
 *
 * `entries` are those that changed since the version asked for; all of them if `whole`.
 */
export interface Changes {
  version: number;
  whole: boolean;
  entries: Entry[];
}

/**
 * The answer to a what-if.
 */
export interface Trial {
  effect: Effect;
  timeline: MendedTimeline;
}

/**
 * What a change does: how many contradictions it settles, creates, and leaves.
 *
 * `gains` is how many events get an order, to another event or time, that nobody disputes and
 * that they did not have; `loses` is how many lose one. `complete` says that no contradiction
 * is missing in the lists that were compared. `says` is all this in words.
 */
export interface Effect {
  consistent: boolean;
  settles: number;
  creates: number;
  left: number;
  gains: number;
  loses: number;
  complete: boolean;
  says: string;
}

/**
 * What a page asks for: to try something, or to do it at a version of the session.
 *
 * `action` is *choose* (an option; 0 leaves it as it is), *alike* (the option for all of one
 * pattern), *change* (a link gets a type, or null removes it), *later* (go to another
 * contradiction), *undo*, *save* or *reload*. A try needs none: it has an `option`, a `link`,
 * or a link to `add`.
 */
export interface Move {
  action?: string;
  version?: number;
  option?: number;
  link?: string;
  type?: string;
  add?: NewLink;
  note?: string;
}

/**
 * A TLINK that is not in the document, to see what it would do.
 */
export interface NewLink {
  source: string;
  type: string;
  target: string;
}
