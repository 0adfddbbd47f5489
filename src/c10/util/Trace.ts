/**
 * @file The one hook through which every layer reports its steps to a trace. When it is off, it costs a null check.
 * When it is on, each hop makes the same call inside an event (Note [One road]). The recorder is in `src/trace`;
 * nothing here knows about it.
 * @original PyTorch has no such hook; its nearest relatives are `TORCH_SHOW_DISPATCH_TRACE` and `at::RecordFunction`.
 */

/** The layer an event belongs to; one vocabulary for recorder, viewer and text form. */
export type TraceKind =
  | "python" // front end: modules, functions written in Python in PyTorch
  | "binding" // THPVariable_*, argument parser
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

export function setTracer(next: Tracer | null): void {
  tracer = next;
  observed = next !== null || has_callbacks;
}

/** @see observed */
export function setHasCallbacks(value: boolean): void {
  has_callbacks = value;
  observed = tracer !== null || value;
}

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
