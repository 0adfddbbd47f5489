/**
 * @file One event of a trace, as in the file: a flat list in order of begin. Ids give the order; times are only additional data.
 * @original PyTorch's nearest relative is the profiler's event list.
 */
import type { TraceKind } from "#c10/util/Trace";

export interface SourcePosition {
  readonly file: string;
  readonly line: number;
}

/** PyTorch's file and symbol that this function mirrors. */
export interface Mirror {
  readonly path: string;
  /** PyTorch's symbol. Null if PyTorch has no such function; the file is then where it would be. */
  readonly symbol: string | null;
}

/** The fields of a tensor: enough to recognize a view, a copy, an in-place change. */
export interface TensorRecord {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  /** A small number per StorageImpl, in order of first occurrence; null on the meta device. */
  readonly storage: number | null;
  readonly offset: number;
  readonly version: number | null;
  readonly device: string;
  /** Only with `values`: an FNV-1a hash of the tensor's values, and their extremes. */
  readonly checksum?: string;
  readonly min?: number;
  readonly max?: number;
}

/** An edge of the autograd graph; nodes have small numbers, in order of first occurrence. */
export interface EdgeRecord {
  readonly node: number;
  readonly input_nr: number;
}

export type ValueRecord = TensorRecord | number | string | boolean | null | readonly ValueRecord[];

/** A node of a captured graph: its line in `text` and in `code`, from 1, and the line of the program at which it was recorded. */
export interface GraphNodeRecord {
  readonly id: string;
  readonly op: string;
  readonly line: number;
  readonly code_line?: number;
  /** Null if it was not recorded but made, for instance by a pass. */
  readonly source: SourcePosition | null;
}

/** A graph that was captured, as it was when it was complete. */
export interface GraphRecord {
  readonly id: number;
  readonly ir: "torchscript" | "fx" | "lazy" | "loop" | "code";
  /** The graph as its system prints it. */
  readonly text: string;
  /** The graph as a program; of a graph that runs, its instructions. */
  readonly code?: string;
  /** The line of the program of each line of the code, or 0. */
  readonly code_places?: readonly number[];
  /** The syntax tree of a function that was compiled: its lines, each with its line of the program, or 0. */
  readonly tree?: readonly (readonly [text: string, source_line: number])[];
  readonly nodes: readonly GraphNodeRecord[];
}

/** A value that forward saves for backward. */
export interface SavedRecord {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly nbytes: number;
}

export interface TraceEvent {
  readonly id: number;
  readonly parent: number | null;
  readonly kind: TraceKind;
  /** PyTorch's symbol; of a step of a program, its function, the text of its line, or the name of its instruction. */
  readonly name: string;
  /** Microseconds since the recording began. */
  readonly start: number;
  end: number;
  source?: SourcePosition;
  mirrors?: Mirror;
  /** The YAML entry from which a generated function was made: `native_functions.yaml#exp.out`. */
  from?: string;
  inputs?: ValueRecord;
  outputs?: ValueRecord;
  /** Message of the error with which this event ended, if any. */
  error?: string;
  // `instruction` events
  /** The meaning of the argument, as `dis` writes it. */
  argrepr?: string;
  /** In bytes. */
  offset?: number;
  // `op` events
  op?: string;
  operator?: string;
  how?: "call" | "redispatch" | "callBoxed" | "redispatchBoxed";
  args?: readonly { readonly name: string; readonly keys: readonly string[] }[];
  tls?: { readonly included: readonly string[]; readonly excluded: readonly string[] };
  keyset?: readonly string[];
  key?: string;
  kernel?: string;
  origin?: string;
  // creation of a node (`autograd`), and its run (`engine`)
  node?: number;
  sequence_nr?: number;
  /** Names of the nodes to which `edges` lead. */
  next_edges?: readonly (string | null)[];
  edges?: readonly (EdgeRecord | null)[];
  // `capture` events
  /** Number of the graph to which a node was added, and the node's name. */
  graph?: number;
  graph_node?: string;
  /** Numbers of graphs by their roles. Those of a pass are `before` and `after`, and equal if it changed nothing. */
  graphs?: Readonly<Record<string, number>>;
  /** Values that the forward part of a joint graph saves. */
  saved?: readonly SavedRecord[];
  // `pass` and `runtime` events
  /** The title that the executor's log gives to the moment before a pass. */
  title?: string;
  /** Which plan an executor took. */
  plan?: string;
  /** Index of the instruction that begins, in the function `function` at depth `depth`. */
  pc?: number;
  depth?: number;
  /** Values on the stack, the top last, and in the registers that are in use, before the instruction. */
  stack?: ValueRecord;
  registers?: Readonly<Record<string, ValueRecord>>;
  /** Any other field that the recorded code adds (shape of an iterator, nodes and edges, ...). */
  [field: string]: unknown;
}

/** Lane and label of each kind, in the order of the layers. */
export const lanes = [
  "initialization",
  "python",
  "front end",
  "capture",
  "compile",
  "runtime",
  "binding",
  "dispatcher",
  "autograd",
  "native",
  "loop",
  "memory",
  "device",
] as const;
export type Lane = (typeof lanes)[number];

/** Whether an event is a frame, a line or an instruction of a Python program. */
export function isProgramStep(event: TraceEvent): boolean {
  return event.kind === "frame" || event.kind === "line" || event.kind === "instruction";
}

const autogradKey = /^(Autograd|ADInplaceOrView$)/;

/** The dispatcher's reason for a cell that holds a composite kernel: such a kernel belongs to ATen under every key. */
const composite = /^(?:math|default backend) kernel$/;

/**
 * The lane of an event. A kernel belongs to autograd if its key does, except a composite kernel; a function in between
 * belongs to the lane of its layer.
 */
export function laneOf(event: TraceEvent, parent: TraceEvent | null): Lane {
  switch (event.kind) {
    case "frame":
    case "line":
    case "instruction":
      return "python";
    case "python":
      return "front end";
    case "capture":
      return "capture";
    case "pass":
      return "compile";
    case "runtime":
      return "runtime";
    case "binding":
      return "binding";
    case "op":
      return "dispatcher";
    case "kernel": {
      const key = event.key ?? parent?.key ?? "";
      if (key === "Functionalize") return "capture";
      return autogradKey.test(key) && !composite.test(event.origin ?? parent?.origin ?? "") ? "autograd" : "native";
    }
    case "native":
      return "native";
    case "iterator":
    case "stub":
    case "loop":
      return "loop";
    case "autograd":
    case "engine":
      return "autograd";
    case "memory":
      return "memory";
    case "device":
      return "device";
    case "init":
      return "initialization";
    case "function":
      return laneOfFile(event.source?.file ?? "");
  }
}

function laneOfFile(file: string): Lane {
  if (file.startsWith("src/python/bridge/") || file === "src/torch/_python.ts") return "binding";
  if (file.startsWith("src/python/")) return "python";
  if (file.startsWith("src/c10/core/") && /Alloc|Storage/.test(file)) return "memory";
  if (/^src\/aten\/(core\/|generated\/(Operators|Functions|core))/.test(file)) return "dispatcher";
  if (/Loops|TensorIterator|DispatchStub|native\/cpu\//.test(file)) return "loop";
  if (/^src\/(aten|c10)\//.test(file)) return "native";
  if (/csrc-equivalent\/autograd\/(generated\/)?python_|csrc-equivalent\/(utils|[A-Z])/.test(file)) return "binding";
  if (file.startsWith("src/torch/csrc-equivalent/")) return "autograd";
  return "front end";
}
