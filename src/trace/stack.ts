/**
 * @file The JavaScript stack at an event, reduced to this library's frames, and the tree of functions between events.
 * Positions are already mapped: with tsx, vitest and Node's own type stripping, `error.stack` names the TypeScript
 * line.
 * @original
 */
import { below_root, parse_frame } from "#c10/util/Backtrace";
import { isProgramStep, type TraceEvent } from "./event.ts";

export interface Frame {
  readonly name: string;
  /** Below the package's root, e.g. `src/aten/native/Activation/index.ts`. */
  readonly file: string;
  /** The frame's present line (that of the call), not the first line of its function. */
  readonly line: number;
  /** The line, and the column. */
  readonly place: string;
  /** Place of the call in the calling frame: it distinguishes two calls of one function, unless a loop makes both. */
  readonly calledFrom: string;
}

/** The trace's own files, module loaders, and the argument binding, for which Python's interpreter has no frame. */
const machinery =
  /^(?:node_modules|tools\/module_loader)\/|^src\/(trace\/|c10\/util\/Trace\.ts|aten\/core\/dispatch\/Dispatcher\.slow\.ts|torch\/_signature\.ts)/;
/** The machine's loop, whose part in a program is shown by the program's frames and lines. */
const loop_of_program = /^src\/python\/vm\/ceval\.ts#run$/;
/** Functions that stand between two hops only because a recording is in progress: Note [One road]. */
const twin = /^(traceCall|callSlow)$/;

/** Parses stacks. Most lines of a stack also occur in the next one, so each line is parsed once, and its frame is one object. */
export class FrameReader {
  /** Frames by the calling place and the line. */
  private readonly known = new Map<string, Frame | null>();

  /** Frames of this library from the outermost to the innermost, without the trace's own code. */
  capture(): readonly Frame[] {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 200;
    const text = new Error().stack ?? "";
    Error.stackTraceLimit = limit;
    const frames: Frame[] = [];
    let calledFrom = "";
    for (const entry of text.split("\n").slice(1).reverse()) {
      const key = `${calledFrom} ${entry}`;
      let frame = this.known.get(key);
      if (frame === undefined) {
        frame = readFrame(entry, calledFrom);
        this.known.set(key, frame);
      }
      if (frame === null) continue;
      frames.push(frame);
      calledFrom = frame.place;
    }
    return frames;
  }
}

/** Parses a frame; null for one that no recording shows. */
function readFrame(entry: string, calledFrom: string): Frame | null {
  const found = parse_frame(entry);
  if (found === null) return null;
  const file = below_root(found.file);
  if (file === null || machinery.test(file)) return null;
  const name = plainName(found.name ?? (calledFrom === "" ? "<module>" : "<anonymous>"));
  if (twin.test(name.slice(name.lastIndexOf(".") + 1))) return null;
  return { name, file, line: found.line, place: `${found.line}:${found.column}`, calledFrom };
}

/** `Function.call [as add_Tensor]` -> `call`, `new TensorImpl` -> `TensorImpl`; `__module` is a module's body. */
function plainName(name: string): string {
  if (name === "__module") return "<module>";
  return name.replace(/ \[as .*\]$/, "").replace(/^(new|Function|Object|Module|Class)[. ]/, "");
}

/** The last component of an event's name, to find the event's own frame. */
function lastName(symbol: string): string {
  return symbol.replace(/^.*(::|\.)/, "");
}

/**
 * Inserts a `function` event for every frame between an event and its parent that has no event, so that the list shows
 * every function on the path. Frames below the same parent are one call if the same place called them. Returns a new
 * list with new ids, of at most `cap` events, and the number of the given events beyond it.
 */
export function weaveFrames(
  events: readonly TraceEvent[],
  stacks: ReadonlyMap<number, readonly Frame[]>,
  cap: number,
): { readonly events: TraceEvent[]; readonly dropped: number } {
  const woven: TraceEvent[] = [];
  const newId = new Map<number, number>();
  // Function events open below each (new) event: the frames on the path to its latest child.
  const openBelow = new Map<number | null, { frame: Frame; id: number }[]>();
  for (const [i, event] of events.entries()) {
    const parent = event.parent === null ? null : events[event.parent];
    const parentId = parent === null ? null : (newId.get(parent.id) as number);
    const between = framesBetween(parent, event, stacks);
    const open = openBelow.get(parentId) ?? [];
    let same = 0;
    while (
      same < open.length &&
      same < between.length &&
      sameCall((open[same] as { frame: Frame }).frame, between[same])
    )
      same++;
    // Counted together with the functions before it: a function without the event that it leads to shows nothing.
    if (woven.length + between.length - same >= cap) return { events: woven, dropped: events.length - i };
    open.length = same;
    for (const frame of between.slice(same)) {
      const below = open.length === 0 ? parentId : (open[open.length - 1] as { id: number }).id;
      const id = woven.length;
      woven.push({
        id,
        parent: below,
        kind: "function",
        name: frame.name,
        start: event.start,
        end: event.end,
        source: { file: frame.file, line: frame.line },
      });
      open.push({ frame, id });
    }
    openBelow.set(parentId, open);
    for (const { id } of open) woven[id].end = event.end;
    const id = woven.length;
    newId.set(event.id, id);
    woven.push({ ...event, id, parent: open.length === 0 ? parentId : (open[open.length - 1] as { id: number }).id });
  }
  return { events: woven, dropped: 0 };
}

function sameFunction(a: Frame, b: Frame): boolean {
  return a.name === b.name && a.file === b.file;
}

function sameCall(a: Frame, b: Frame): boolean {
  return sameFunction(a, b) && a.calledFrom === b.calledFrom;
}

function framesBetween(
  parent: TraceEvent | null,
  event: TraceEvent,
  stacks: ReadonlyMap<number, readonly Frame[]>,
): Frame[] {
  const mine = stacks.get(event.id) ?? [];
  const theirs = parent === null ? [] : (stacks.get(parent.id) ?? []);
  let shared = 0;
  while (shared < theirs.length && shared < mine.length && sameFunction(theirs[shared], mine[shared])) shared++;
  const own = isProgramStep(event) ? null : lastName(event.name);
  const parents = parent === null || isProgramStep(parent) ? null : lastName(parent.name);
  return mine.slice(shared).filter((frame) => {
    if (loop_of_program.test(`${frame.file}#${frame.name}`)) return false;
    if (parent === null && !frame.file.startsWith("src/")) return false; // the caller's own program
    const name = frame.name.slice(frame.name.lastIndexOf(".") + 1);
    return name !== own && name !== parents;
  });
}
