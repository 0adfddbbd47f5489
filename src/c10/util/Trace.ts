/**
 * @file The one hook through which every layer tells what it does. Off, it is a null check; on, each hop makes the same call inside
 * an event (Note [One road]). The recorder behind it lives in `src/trace`; nothing here knows about it.
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

/** Fields an event carries beside its kind and name. Tensors may be passed live: the recorder describes them at once. */
export type TraceData = { readonly [field: string]: unknown };

export interface Tracer {
  /** Opens an event below the innermost open one and returns its id; `fn` is our name for the function, which may not be PyTorch's. */
  begin(kind: TraceKind, name: string, data?: TraceData, fn?: string): number;
  /** Closes event `id` (and any left open below it), adding `data` to its fields. */
  end(id: number, data?: TraceData): void;
}

/** Invariant: null unless a recording is under way. Hot code tests it once per function and nothing else. */
export let tracer: Tracer | null = null;

/** Whether anybody wants to be told of a call: the tracer, or a callback (aten/record_function.ts). One test for both. */
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

/** What is called before a recording ends. */
const last_words = new Set<() => void>();

/** A device works on while its caller goes on: `tell` is its chance to say what it did, just before a recording ends. Returns the way to take that back. */
export function before_recording_ends(tell: () => void): () => void {
  last_words.add(tell);
  return () => void last_words.delete(tell);
}

/** Whoever records calls it, while `tracer` still hears. */
export function recording_ends(): void {
  for (const tell of last_words) tell();
}

// Note [One road]
// ~~~~~~~~~~~~~~~
// A recording shows the road of the plain call only if it takes that road. So a hop that is watched may do no more than wrap:
// begin, the same next function with the same arguments, end. `traceCall` is that wrapper. Where a hop has more to say than its
// arguments, a cold twin of it says so, and is called `callSlow`. These two names are all that watching puts on the JavaScript
// stack; test/trace/one_road.test.ts takes the stacks of many calls both ways and compares.

/**
 * `fn(...args)` inside one event. A method comes bound to its receiver. Precondition: `tracer !== null`.
 * @param data what the event says from the beginning
 * @param told what the result adds
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

/** For `traceCall`: the event of a call whose result another event tells, or that has none. */
export function nothing(): undefined {
  return undefined;
}

/** An event with no duration of its own. */
export function traceInstant(kind: TraceKind, name: string, data?: TraceData): void {
  if (tracer !== null) tracer.end(tracer.begin(kind, name, data));
}
