/**
 * @file A trace as a text tree for a terminal: lane, function, our position, PyTorch's position. Colours and links are optional.
 * @original
 */
import {
  isProgramStep,
  type Lane,
  laneOf,
  lanes,
  type SourcePosition,
  type TensorRecord,
  type TraceEvent,
  type ValueRecord,
} from "./event.ts";
import type { Trace } from "./Trace.ts";

export interface TextOptions {
  /** Width of the terminal in columns. */
  readonly width?: number;
  readonly color?: boolean;
  /** Folder of the sources, for OSC 8 links; no links without it. */
  readonly linkRoot?: string;
  /** Lanes to omit; their children move up. */
  readonly hide?: readonly Lane[];
}

const laneColor: Readonly<Record<Lane, number>> = {
  initialization: 90,
  python: 96,
  "front end": 36,
  capture: 94,
  compile: 92,
  runtime: 93,
  binding: 34,
  dispatcher: 33,
  autograd: 35,
  native: 32,
  loop: 31,
  memory: 90,
  device: 95,
};

interface Line {
  readonly event: TraceEvent;
  readonly lane: Lane;
  readonly tree: string;
}

/** The trace as a tree for a terminal. */
export function toText(trace: Trace, options: TextOptions = {}): string {
  const width = Math.max(options.width ?? 120, 60);
  const lines = layOut(trace, new Set(options.hide ?? []));
  const laneWidth = Math.max(...lanes.map((lane) => lane.length)) + 1;
  const nameWidth = Math.min(
    Math.max(20, ...lines.map((l) => l.tree.length + label(l.event).length)),
    Math.floor((width - laneWidth) * 0.52),
  );
  const rest = width - laneWidth - nameWidth - 3;
  const out: string[] = [];
  for (const line of lines) {
    const name = clip(line.tree + label(line.event), nameWidth);
    const shownName = paint(name, laneColor[line.lane], options);
    const lane = paint(line.lane.padEnd(laneWidth), 90, options);
    out.push(
      ` ${lane}${shownName}${" ".repeat(nameWidth - name.length)}  ${details(line.event, rest, options)}`.trimEnd(),
    );
  }
  if (trace.dropped > 0) out.push(` ${trace.dropped} more events lie past the recording's cap and were dropped`);
  return out.join("\n");
}

/** The tree's lines in order of begin, with the branches drawn. */
function layOut(trace: Trace, hidden: ReadonlySet<Lane>): Line[] {
  const children = new Map<number | null, TraceEvent[]>();
  const lane = new Map<number, Lane>();
  for (const event of trace.events) {
    lane.set(event.id, laneOf(event, trace.parent(event)));
    let above = trace.parent(event);
    while (above !== null && hidden.has(lane.get(above.id) as Lane)) above = trace.parent(above);
    if (hidden.has(lane.get(event.id) as Lane)) continue;
    const key = above === null ? null : above.id;
    const list = children.get(key);
    if (list === undefined) children.set(key, [event]);
    else list.push(event);
  }
  const lines: Line[] = [];
  const walk = (parent: number | null, prefix: string): void => {
    const below = children.get(parent) ?? [];
    below.forEach((event, i) => {
      const last = i === below.length - 1;
      const root = parent === null;
      lines.push({ event, lane: lane.get(event.id) as Lane, tree: root ? "" : `${prefix}${last ? "└ " : "├ "}` });
      walk(event.id, root ? "" : `${prefix}${last ? "  " : "│ "}`);
    });
  };
  walk(null, "");
  return lines;
}

/** The name in the tree: a stub also shows the kernel it chose, a loop the dtype of its text, an instruction its argument. */
function label(event: TraceEvent): string {
  if (event.kind === "stub" && typeof event["kernel"] === "string") return `${event.name} → ${event["kernel"]}`;
  if (event.kind === "loop" && typeof event["dtype"] === "string") return `${event.name} ${event["dtype"]}`;
  if (event.kind === "instruction" && event.argrepr !== undefined && event.argrepr !== "")
    return `${event.name} ${event.argrepr}`;
  return event.name;
}

/** The text to the right of the name: for a dispatcher hop the choice, otherwise our position and PyTorch's file. */
function details(event: TraceEvent, width: number, options: TextOptions): string {
  if (event.error !== undefined) return paint(clip(`✗ ${event.error}`, width), 31, options);
  if (event.kind === "op") {
    const choice = `{${(event.keyset ?? []).join(", ")}} → ${event.key}`;
    const origin = event.origin === undefined ? "" : `[${event.origin}]`;
    return `${clip(choice, width - origin.length - 1)} ${paint(origin, 90, options)}`;
  }
  const note = noteOf(event);
  const source = event.source;
  if (source === undefined) return clip(note, width);
  if (isProgramStep(event)) return program_position(event, source, width, options);
  const position = `${source.file}:${source.line}`;
  const mirror = event.mirrors === undefined ? "" : event.mirrors.path;
  const ours = shorten(position, Math.max(24, Math.floor(width * 0.55)));
  const room = Math.max(width - ours.length - 2, 0);
  const right = note === "" ? shorten(mirror, room) : clip(note, room);
  const shownOurs =
    options.linkRoot === undefined ? ours : link(ours, `file://${options.linkRoot}/${source.file}#L${source.line}`);
  return `${shownOurs}  ${paint(right, 90, options)}`;
}

/** A place in the program: the instructions of a line lie in its place, so they show their offset. */
function program_position(event: TraceEvent, source: SourcePosition, width: number, options: TextOptions): string {
  if (event.kind === "instruction") return paint(clip(`offset ${event.offset}`, width), 90, options);
  const position = shorten(`${source.file}:${source.line}`, width);
  if (options.linkRoot === undefined || source.file.startsWith("<")) return position;
  const path = source.file.startsWith("/") ? source.file : `${options.linkRoot}/${source.file}`;
  return link(position, `file://${path}#L${source.line}`);
}

/** One phrase about the event's effect, from its fields. */
function noteOf(event: TraceEvent): string {
  if (typeof event["note"] === "string") return event["note"];
  if (event.kind === "iterator" || event.kind === "loop") {
    const shape = event["shape"];
    if (Array.isArray(shape))
      return `[${shape.join(", ")}]${typeof event["expression"] === "string" ? `  ${event["expression"]}` : ""}`;
  }
  if (event.kind === "memory" && typeof event["nbytes"] === "number") return `${event["nbytes"]} bytes`;
  return "";
}

/** A short description for headings: `float32 [3, 4]`. */
export function describeRecord(value: ValueRecord | undefined): string {
  if (value === undefined || value === null) return "None";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `(${value.map(describeRecord).join(", ")})`;
  const tensor = value as TensorRecord;
  return `${tensor.dtype} [${tensor.shape.join(", ")}]`;
}

function clip(text: string, width: number): string {
  if (text.length <= width) return text;
  return width <= 1 ? "" : `${text.slice(0, width - 1)}…`;
}

/** Shortens a path from the left: file name and line matter most. */
function shorten(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;
}

function paint(text: string, code: number, options: TextOptions): string {
  return options.color === true && text !== "" ? `\x1b[${code}m${text}\x1b[0m` : text;
}

function link(text: string, target: string): string {
  return `\x1b]8;;${target}\x1b\\${text}\x1b]8;;\x1b\\`;
}
