/**
 * @file The one hook through which every layer reports its steps to a trace. When it is off, it costs a null check.
 * When it is on, each hop makes the same call inside an event (Note [One road]). The recorder is in `src/trace`;
 * nothing here knows about it.
 * @original PyTorch has no such hook; its nearest relatives are `TORCH_SHOW_DISPATCH_TRACE` and `at::RecordFunction`.
 */

/** The layer an event belongs to; one vocabulary for recorder, viewer and text form. */
export type TraceKind =
  | "frame" // of a Python program that leads to a call of the library
  | "line" // of that frame
  | "instruction" // of that line (full detail)
  | "python" // front end: modules, functions written in Python in PyTorch
  | "binding" // THPVariable_*, argument parser
  | "capture" // a hook that records a node of a graph, or a graph that is complete
  | "pass" // a change of a graph, which names the graph before and after
  | "runtime" // a plan of a graph executor, a run of the interpreter, one of its instructions
  | "op" // dispatcher: at::_ops::X::call / redispatch / a boxed call
  | "kernel" // the function the dispatcher entered
  | "native" // at::native::* and at::meta::*
  | "iterator" // TensorIterator::build
  | "stub" // DispatchStub
  | "loop" // the inner loop
  | "autograd" // creation of a node
  | "engine" // the engine runs a node
  | "memory" // allocation
  | "device" // work on an accelerator
  | "init" // initModule's steps, Library def / impl
  | "function"; // any function in between (full detail)

/** Fields of an event beside its kind and name. Tensors may be passed as they are: the recorder describes them at once. */
export type TraceData = { readonly [field: string]: unknown };

/** A node of a captured graph: its name, and its line in both texts of the graph, from 1. */
export interface CapturedNode {
  readonly id: string;
  readonly op: string;
  readonly line: number;
  readonly code_line?: number;
  /** The place in the program, if the node knows it. Otherwise it is where the program stood when the node was recorded. */
  readonly source?: { readonly file: string; readonly line: number };
}

/** A line of a text, such as a syntax tree, and the line of the program from which it was made; 0 if that is not known. */
export type CapturedLine = readonly [text: string, source_line: number];

/**
 * A graph that is being captured. An event names it in the field `graph`, with the node that was added in `graph_node`; an event whose field `graphs`
 * names graphs by their roles says that they are complete, and the recorder then asks for their texts.
 */
export interface CapturedGraph {
  readonly ir: "torchscript" | "fx" | "lazy" | "loop" | "code";
  text(): string;
  /** The graph as a program, if there is such a form; of a graph that runs, its instructions. */
  code?(): string;
  /** The line of the program of each line of the code, or 0, if the nodes do not say where they stand in the code. */
  code_places?(): readonly number[];
  /** The syntax tree of a function that was compiled. */
  tree?(): readonly CapturedLine[];
  nodes(): readonly CapturedNode[];
}

export interface Tracer {
  /**
   * Opens an event inside the innermost open one and returns its id. `fn` is our name of the function, which may differ
   * from PyTorch's.
   */
  begin(kind: TraceKind, name: string, data?: TraceData, fn?: string): number;
  /** Closes event `id` (and any event still open inside it), adding `data` to its fields. */
  end(id: number, data?: TraceData): void;
}

/** Invariant: null unless a recording is in progress. Hot code tests it once per function and does nothing else. */
export let tracer: Tracer | null = null;

/** Whether anything observes calls: the tracer, or a callback (aten/record_function.ts). One test serves both. */
export let observed = false;
let has_callbacks = false;

/** The tracer, for files that are linked apart from this one: an entry of the package cannot import a variable that changes. */
export const current_tracer = (): Tracer | null => tracer;

export function setTracer(next: Tracer | null): void {
  tracer = next;
  observed = next !== null || has_callbacks;
}

/** @see observed */
export function setHasCallbacks(value: boolean): void {
  has_callbacks = value;
  observed = tracer !== null || value;
}

/**
 * A step of a program that is written in another language and leads to a call of the library: a frame, a line, an
 * instruction. One object is one step: the same object means that the program still stands there.
 */
export interface ProgramStep {
  readonly kind: "frame" | "line" | "instruction";
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** In milliseconds, as `performance.now()`; `end` is null while the step goes on. */
  readonly start: number;
  readonly end: number | null;
  /** The error that left this step, as text. */
  readonly error_text: string | null;
  /** Further fields of the event. */
  readonly data: TraceData | undefined;
  /** How many loops of the interpreter stand on JavaScript's stack, up to the one that runs this step. */
  readonly loops: number;
}

/** Runs programs of another language on the library, and knows where a program stands. */
export interface Interpreter {
  /** Begins to follow the program, also by its instructions if asked; returns what ends it. */
  follow(instructions: boolean): () => void;
  /** The steps that lead to the call that the library is making, outermost first. */
  path(): readonly ProgramStep[];
  /** The name of a program's file in a recording. */
  name_of(file: string): string;
  /** The text of a program's file; empty if it is not known. */
  text_of(file: string): string;
  /** Whether a function of JavaScript is the interpreter's loop, by its name and file. */
  is_loop(name: string, file: string): boolean;
}

/** Where calls may come from: null unless an interpreter is loaded. */
export const calling_program: { interpreter: Interpreter | null } = { interpreter: null };

/** Functions called before a recording ends. */
const last_words = new Set<() => void>();

/**
 * Registers `tell`, called just before a recording ends: a device still works while its caller goes on, and can report
 * then. Returns a function that unregisters it.
 */
export function before_recording_ends(tell: () => void): () => void {
  last_words.add(tell);
  return () => void last_words.delete(tell);
}

/** Called by the recorder before it ends, while `tracer` still receives events. */
export function recording_ends(): void {
  for (const tell of last_words) tell();
}

// Note [One road]
// ~~~~~~~~~~~~~~~
// A recording shows the path of an ordinary call only if it takes the same path. So an observed hop may only wrap:
// begin, the same next function with the same arguments, end. `traceCall` is that wrapper. If a hop must report more
// than its arguments, a cold twin of it, named `callSlow`, reports it. Observation adds only these two names to the
// JavaScript stack; test/trace/one_road.test.ts records the stacks of many calls both ways and compares them.

/**
 * Calls `fn(...args)` inside one event. A method is passed bound to its receiver. Precondition: `tracer !== null`.
 * @param data fields known at the beginning
 * @param told computes further fields from the result
 */
export function traceCall<A extends readonly unknown[], R>(
  kind: TraceKind,
  name: string,
  fn: (...args: A) => R,
  args: A,
  data: TraceData = { inputs: args },
  told: (result: R) => TraceData | undefined = outputsOf,
): R {
  const active = tracer as Tracer;
  const id = active.begin(kind, name, data, fn.name);
  try {
    const result = fn(...args);
    active.end(id, told(result));
    return result;
  } catch (error) {
    active.end(id, { error });
    throw error;
  }
}

function outputsOf(result: unknown): TraceData {
  return { outputs: result };
}

/** An argument of `traceCall` for a call whose result another event reports, or that has no result. */
export function nothing(): undefined {
  return undefined;
}

/** Records an event without a duration. */
export function traceInstant(kind: TraceKind, name: string, data?: TraceData): void {
  if (tracer !== null) tracer.end(tracer.begin(kind, name, data));
}
