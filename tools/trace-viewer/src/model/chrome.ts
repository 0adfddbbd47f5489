/**
 * @file A Chrome trace as an event list: the export of PyTorch's profiler, or glasstorch's own with `--format chrome`.
 * Times and durations determine the tree; PyTorch's categories and names determine the kind.
 * @mirrors torch/csrc/profiler/kineto_shim.h
 */
import type { TraceEvent, ValueRecord } from "../../../../src/trace/event.ts";
import type { Recording } from "./TraceModel.ts";

/** One entry of `traceEvents`; only the fields read here. */
export interface ChromeEvent {
  readonly ph: string;
  readonly name: string;
  readonly cat?: string;
  readonly ts?: number;
  readonly dur?: number;
  readonly pid?: number | string;
  readonly tid?: number | string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export interface ChromeTrace {
  readonly traceEvents: readonly ChromeEvent[];
  readonly traceName?: unknown;
  readonly dropped?: unknown;
}

type Kind = TraceEvent["kind"];
type Draft = { -readonly [K in keyof TraceEvent]: TraceEvent[K] };

export function fromChrome(file: ChromeTrace): Recording {
  const ours = file.traceName === "glasstorch";
  const threads = new Map<string, ChromeEvent[]>();
  const names = new Map<string, string>();
  for (const [i, entry] of file.traceEvents.entries()) {
    if (!hasForm(entry)) throw new Error(`Entry ${i} of traceEvents does not have the form of an event.`);
    const thread = `${entry.pid}/${entry.tid}`;
    if (entry.ph === "M" && entry.name === "thread_name") names.set(thread, String(entry.args?.["name"] ?? thread));
    if (!isEvent(entry)) continue;
    const list = threads.get(thread);
    if (list === undefined) threads.set(thread, [entry]);
    else list.push(entry);
  }
  const events: TraceEvent[] = [];
  for (const [thread, entries] of threads) {
    entries.sort((a, b) => timeOf(a) - timeOf(b) || (b.dur ?? 0) - (a.dur ?? 0) || indexOf(a) - indexOf(b));
    const root = threads.size > 1 ? threadRoot(events, names.get(thread) ?? `thread ${thread}`, entries) : null;
    nest(entries, root, events, ours);
  }
  const kept = ours ? events : withoutProfiler(events);
  return {
    origin: ours ? "glasstorch" : "pytorch",
    torch: null,
    events: kept,
    dropped: typeof file.dropped === "number" ? file.dropped : 0,
    folded: events.length - kept.length,
  };
}

/** Whether it is a frame of the profiler itself: its work before and after the program is not part of the program's path. */
const isProfiler = ({ python }: TraceEvent): boolean =>
  typeof python === "string" && /(^|\/)torch\/(profiler|autograd\/profiler)[/.]/.test(python);

/** The events without the profiler's own frames and their calls, unless an operator is called below one. */
function withoutProfiler(events: readonly TraceEvent[]): TraceEvent[] {
  const below = new Map<number, boolean>();
  const calls = new Set<number>();
  // Backwards, because a child follows its parent.
  for (const event of [...events].reverse())
    if (event.parent !== null && (event.kind !== "python" || calls.has(event.id))) calls.add(event.parent);
  return events.filter((event) => {
    const inside = event.parent !== null && below.get(event.parent) === true;
    below.set(event.id, inside || (isProfiler(event) && !calls.has(event.id)));
    return below.get(event.id) !== true;
  });
}

/** Whether the fields that are read here have their types: somebody else may have written the file. */
function hasForm(entry: unknown): entry is ChromeEvent {
  if (typeof entry !== "object" || entry === null) return false;
  const { ph, name, cat, ts, dur, args } = entry as { readonly [field in keyof ChromeEvent]?: unknown };
  return (
    typeof ph === "string" &&
    (typeof name === "string" || ph === "M" || cat === undefined) &&
    (cat === undefined || typeof cat === "string") &&
    (ts === undefined || typeof ts === "number") &&
    (dur === undefined || typeof dur === "number") &&
    (args === undefined || (typeof args === "object" && args !== null))
  );
}

/**
 * Whether it is an event: marks that the profiler sets for itself (`Record Window End`, the span of the whole profile)
 * have no category.
 */
const isEvent = ({ ph, cat }: ChromeEvent): boolean =>
  (ph === "X" || ph === "i" || ph === "I") && cat !== undefined && cat !== "Trace";
const timeOf = (entry: ChromeEvent): number => entry.ts ?? 0;
const endOf = (entry: ChromeEvent): number => timeOf(entry) + (entry.dur ?? 0);
const indexOf = (entry: ChromeEvent): number => Number(entry.args?.["Ev Idx"] ?? 0);

function threadRoot(events: TraceEvent[], name: string, entries: readonly ChromeEvent[]): number {
  const id = events.length;
  const end = entries.reduce((latest, entry) => Math.max(latest, endOf(entry)), 0);
  events.push({ id, parent: null, kind: "python", name, start: timeOf(entries[0] as ChromeEvent), end });
  return id;
}

/** An entry's parent is the innermost one that is still running when it begins. */
function nest(entries: readonly ChromeEvent[], root: number | null, events: TraceEvent[], ours: boolean): void {
  const open: { id: number; end: number }[] = [];
  for (const entry of entries) {
    // Times have three decimals, so a child may seem to end a nanosecond after its parent.
    while (open.length > 0 && (open[open.length - 1] as { end: number }).end <= timeOf(entry)) open.pop();
    const id = events.length;
    const parent = open[open.length - 1]?.id ?? root;
    events.push(ours ? ownEvent(entry, id, parent) : torchEvent(entry, id, parent));
    open.push({ id, end: endOf(entry) });
  }
}

/** glasstorch's export keeps every field of the event; only the tensors are in the profiler's columns. */
function ownEvent(entry: ChromeEvent, id: number, parent: number | null): TraceEvent {
  const args = entry.args ?? {};
  const { kind, parent: _parent, op, ...rest } = args as Record<string, unknown>;
  const name =
    typeof op === "string" && rest["how"] !== undefined
      ? `at::_ops::${String(rest["operator"])}::${String(rest["how"])}`
      : entry.name;
  const event: Draft = { id, parent, kind: kind as Kind, name, start: timeOf(entry), end: endOf(entry) };
  // An assignment to `__proto__` would not make a field, and nobody would check it.
  for (const [field, value] of Object.entries(rest))
    if (!/[A-Z ]/.test(field) && field !== "__proto__") event[field] = value;
  if (typeof op === "string") event.op = op;
  const inputs = inputsOf(args);
  if (inputs !== null) event.inputs = inputs;
  return event;
}

function torchEvent(entry: ChromeEvent, id: number, parent: number | null): TraceEvent {
  const args = entry.args ?? {};
  const kind = kindOf(entry);
  const event: Draft = { id, parent, kind, name: entry.name, start: timeOf(entry), end: endOf(entry) };
  if (kind === "op") event.op = entry.name.includes("::") ? entry.name : `aten::${entry.name}`;
  if (kind === "op") event.how = "call";
  if (kind === "python") placeInPython(event);
  if (kind === "memory" && typeof args["Bytes"] === "number") event["nbytes"] = args["Bytes"];
  if (typeof args["Sequence number"] === "number") event["sequence_nr"] = args["Sequence number"];
  if (args["Fwd thread id"] !== undefined) event["forward_thread"] = args["Fwd thread id"];
  const inputs = inputsOf(args);
  if (inputs !== null) event.inputs = inputs;
  return event;
}

function kindOf(entry: ChromeEvent): Kind {
  switch (entry.cat) {
    case "python_function":
    case "user_annotation":
      return "python";
    case "cpu_instant_event":
      return "memory";
    case "kernel":
    case "gpu_memcpy":
    case "gpu_memset":
    case "cuda_runtime":
    case "gpu_user_annotation":
      return "device";
    default:
      return /^(autograd::|torch::autograd::)|Backward\d*$/.test(entry.name) ? "engine" : "op";
  }
}

/** `torch/nn/modules/activation.py(1529): forward` -> the function, and its place in PyTorch's tree. */
function placeInPython(event: Draft): void {
  const found = /^(.*\.py)\((\d+)\): (.*)$/.exec(event.name);
  if (found === null) return;
  const [, path, line, name] = found as unknown as [string, string, string, string];
  event.name = name;
  event["python"] = `${path}:${line}`;
  if (path.startsWith("torch/")) {
    event.mirrors = { path, symbol: name };
    event["mirrors_line"] = Number(line);
  }
}

const dtypes: Readonly<Record<string, string>> = {
  float: "float32",
  double: "float64",
  "long int": "int64",
  long: "int64",
  int: "int32",
  short: "int16",
  "signed char": "int8",
  "unsigned char": "uint8",
  bool: "bool",
  "c10::Half": "float16",
  "c10::BFloat16": "bfloat16",
  "c10::complex<float>": "complex64",
  "c10::complex<double>": "complex128",
};

/** The profiler's four parallel columns as values; storage and version are not in the file. */
function inputsOf(args: Readonly<Record<string, unknown>>): ValueRecord[] | null {
  const dims = args["Input Dims"];
  const types = args["Input type"];
  if (!Array.isArray(dims) || !Array.isArray(types)) return null;
  const strides = args["Input Strides"] as unknown[] | undefined;
  const concrete = args["Concrete Inputs"] as unknown[] | undefined;
  return types.map((type: string, i) => {
    const dtype = dtypes[type] ?? (/^(u?int|float|bfloat|complex)\d+$|^bool$/.test(type) ? type : undefined);
    if (dtype === undefined) return scalarOf(concrete?.[i]);
    const shape = dims[i] as number[];
    return {
      dtype,
      shape,
      strides: (strides?.[i] as number[] | undefined) ?? [],
      storage: null,
      offset: 0,
      version: null,
      device: "",
    };
  });
}

function scalarOf(text: unknown): ValueRecord {
  if (typeof text !== "string" || text === "") return null;
  try {
    return JSON.parse(text.replace(/\.(?=\D|$)/, ".0")) as ValueRecord;
  } catch {
    return text === "True" ? true : text === "False" ? false : text;
  }
}
