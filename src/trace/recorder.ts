/**
 * @file The recorder behind the hook: it turns begin and end into a flat list of events, and describes tensors at that
 * moment. It imports only the hook from the library, so that importing the library can itself be recorded.
 * @original PyTorch's nearest relative is torch/csrc/profiler/collection.h (RecordQueue).
 */
import {
  type CapturedGraph,
  calling_program,
  type Interpreter,
  type ProgramStep,
  type TraceData,
  type TraceKind,
  type Tracer,
} from "#c10/util/Trace";
import { type DescribeOptions, describeEdges, describeNode, describeValue } from "./describe.ts";
import type { TraceEvent, ValueRecord } from "./event.ts";
import { CapturedGraphs } from "./graphs.ts";
import { type Frame, FrameReader } from "./stack.ts";

export interface RecordOptions {
  /** `layers`: the events of the layers; `full`: also every function between them. */
  readonly detail?: "layers" | "full";
  /** Whether to add a hash and the extremes of the values to each tensor. */
  readonly values?: boolean;
  /** Largest number of events kept, including functions between them; further ones are counted in `dropped`. */
  readonly cap?: number;
}

/** Returned by `begin` for a call of another program: there is no event. */
const NOT_OWN = -2;

/** An open event; `step` is the program's, if the event is one of a program. */
interface Open {
  /** -1 for an event beyond the limit. */
  readonly id: number;
  readonly step: ProgramStep | null;
}

// Note [Steps of a program]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// A frame or a line of a Python program gets an event only if the library reports an event below it. So nobody reports the
// beginning of a frame. Instead, before each event of the library, the recorder asks where the program stands, ends the steps
// that the program has left since the last event, and begins those that it has entered:
//
//   open:  <module>, line 9, Module.__call__, forward, line 4      a program, inside it the library, inside it the program
//   path:  <module>, line 9, forward, line 5                       line 4 ends, line 5 begins
//
// An event of the library that is open keeps the steps below it open: the program cannot leave them before the call returns.

export class Recorder implements Tracer {
  readonly events: TraceEvent[] = [];
  /** Texts of the program's files, by their names in the events. */
  readonly sources = new Map<string, string>();
  /** Stack of each event, outermost frame first; filled only with full detail. */
  readonly stacks = new Map<number, readonly Frame[]>();
  /** Our name of an event's function, if the recorded code passed it. */
  readonly functions = new Map<number, string>();
  /** Graphs that the recorded program had captured. */
  readonly graphs = new CapturedGraphs((file) => this.name_of_source(file));
  dropped = 0;
  /** Says whether this call belongs to the recorded program; set once other programs may call in between. */
  is_own_call: (() => boolean) | null = null;
  private readonly open: Open[] = [];
  private readonly origin = performance.now();
  readonly full: boolean;
  private readonly frames = new FrameReader();
  readonly cap: number;
  private readonly describe: DescribeOptions;

  constructor(options: RecordOptions = {}) {
    this.full = options.detail === "full";
    this.cap = options.cap ?? 200_000;
    this.describe = { values: options.values ?? false, storages: new Map(), nodes: new Map() };
  }

  private now(): number {
    return this.since(performance.now());
  }

  /** Microseconds from the beginning of the recording. */
  private since(time: number): number {
    return Math.max(Math.round((time - this.origin) * 1e4) / 10, 0);
  }

  begin(kind: TraceKind, name: string, data?: TraceData, fn?: string): number {
    if (this.is_own_call?.() === false) return NOT_OWN;
    const entered = this.leave_steps();
    if (this.events.length + entered.length >= this.cap) {
      this.dropped++;
      this.open.push({ id: -1, step: null });
      return -1;
    }
    const stack = this.full ? this.frames.capture() : null;
    for (const step of entered) this.enter_step(step, stack, entered[entered.length - 1] as ProgramStep);
    const id = this.add(kind, name, this.now());
    if (data !== undefined) this.merge(this.events[id] as TraceEvent, data);
    if (stack !== null) this.stacks.set(id, stack);
    if (fn !== undefined && fn !== "") this.functions.set(id, fn);
    this.open.push({ id, step: null });
    return id;
  }

  private add(kind: TraceKind, name: string, start: number): number {
    const id = this.events.length;
    this.events.push({ id, parent: this.innermost(), kind, name, start, end: 0 });
    return id;
  }

  end(id: number, data?: TraceData): void {
    if (!this.open.some((each) => each.id === id)) return; // it was closed with an enclosing event
    for (;;) {
      const top = this.open.pop() as Open;
      this.close(top);
      if (top.id === id) break;
    }
    if (id !== -1 && data !== undefined) this.merge(this.events[id], data);
  }

  private close({ id, step }: Open): void {
    if (id === -1) return;
    const event = this.events[id] as TraceEvent;
    event.end = step?.end == null ? this.now() : this.since(step.end);
    if (step?.error_text != null) event.error = step.error_text;
  }

  /** Closes the steps that the program has left. Returns those that it has entered: Note [Steps of a program]. */
  private leave_steps(): readonly ProgramStep[] {
    if (calling_program.interpreter === null) return [];
    const path = calling_program.interpreter.path();
    let shared = 0;
    const stands = ({ step }: Open): boolean => step === null || step === path[shared++];
    const left = this.open.findIndex((each) => !stands(each));
    if (left === -1) return path.slice(shared);
    while (this.open.length > left && this.open[this.open.length - 1]?.step !== null)
      this.close(this.open.pop() as Open);
    return path.slice(shared - 1);
  }

  /** The name of a file of the program in this recording, which keeps its text. */
  private name_of_source(file: string): string {
    const program = calling_program.interpreter;
    const name = program?.name_of(file) ?? file;
    if (!this.sources.has(name)) this.sources.set(name, program?.text_of(file) ?? "");
    return name;
  }

  /** Begins an event for a step. `innermost` is the step that makes the call, on top of `stack`. */
  private enter_step(step: ProgramStep, stack: readonly Frame[] | null, innermost: ProgramStep): void {
    const program = calling_program.interpreter as Interpreter;
    const file = this.name_of_source(step.file);
    const id = this.add(step.kind, step.name, this.since(step.start));
    const event = this.events[id] as TraceEvent;
    event.source = { file, line: step.line };
    if (step.data !== undefined) this.merge(event, step.data);
    if (stack !== null) this.stacks.set(id, below_loops(stack, innermost.loops - step.loops, program));
    this.open.push({ id, step });
  }

  /** Closes events that an interrupted call left open. */
  finish(): void {
    for (let top = this.open.pop(); top !== undefined; top = this.open.pop()) this.close(top);
  }

  private innermost(): number | null {
    for (let i = this.open.length - 1; i >= 0; i--) {
      const { id } = this.open[i] as Open;
      if (id !== -1) return id;
    }
    return null;
  }

  private merge(event: TraceEvent, data: TraceData): void {
    for (const field in data) {
      const value = data[field];
      if (value === undefined) continue;
      if (field === "error") event.error = value instanceof Error ? value.message : String(value);
      else if (field === "inputs" || field === "outputs" || field === "stack")
        event[field] = describeValue(value, this.describe);
      else if (field === "node") event[field] = describeNode(value as object, this.describe);
      else if (field === "edges") event[field] = describeEdges(value, this.describe);
      else if (field === "graph") event.graph = this.graphs.number_of(value as CapturedGraph);
      else if (field === "graph_node") this.add_node(event, value as string);
      else if (field === "graphs") event.graphs = this.complete(value as Readonly<Record<string, CapturedGraph>>);
      else if (field === "kwargs" || field === "registers")
        event[field] = this.keywords(value as Readonly<Record<string, unknown>>);
      else event[field] = value;
    }
  }

  /** The line at which the program stood when a node was recorded is that of the innermost step. */
  private add_node(event: TraceEvent, node: string): void {
    event.graph_node = node;
    if (event.graph === undefined) return; // the node knows its place, and has one name in all graphs
    const line = this.open.findLast(({ id, step }) => id !== -1 && step?.kind === "line");
    const source = line === undefined ? null : (this.events[line.id]?.source ?? null);
    this.graphs.add_node(event.graph as number, node, source);
  }

  /** The numbers of complete graphs. The first is the one from which the others were made. */
  private complete(graphs: Readonly<Record<string, CapturedGraph>>): Record<string, number> {
    const numbers = Object.entries(graphs).map(([role, graph]) => [role, this.graphs.number_of(graph)] as const);
    for (const [, number] of numbers) this.graphs.complete(number, numbers[0]?.[1] ?? null);
    return Object.fromEntries(numbers);
  }

  /** Describes keyword arguments, which may be tensors (`out`). */
  private keywords(kwargs: Readonly<Record<string, unknown>>): Record<string, ValueRecord> {
    return Object.fromEntries(
      Object.entries(kwargs).map(([name, value]) => [name, describeValue(value, this.describe)]),
    );
  }
}

/** The stack up to the loop that has so many further loops of the interpreter above it. */
function below_loops(stack: readonly Frame[], loops: number, program: Interpreter): readonly Frame[] {
  let left = loops;
  for (let i = stack.length - 1; i >= 0; i--) {
    const { name, file } = stack[i] as Frame;
    if (program.is_loop(name, file) && left-- === 0) return stack.slice(0, i + 1);
  }
  return [];
}
