/**
 * @file Reports to a trace what TorchScript does: graphs, passes with the graph before and after, plans, instructions. Without a recording nothing here
 * does more than test whether there is one.
 * @original
 * @see src/c10/util/Trace.ts#CapturedGraph
 *
 * Note [Versions of a graph]
 * ~~~~~~~~~~~~~~~~~~~~~~~~~~
 * Passes change a graph in place, and a recording wants to show how it was before. So what is recorded is a version: the text at one moment. Two moments
 * with the same text are one version. Then a pass has changed the graph if and only if the versions before and after it differ.
 *
 *     graph ----------- Inline ---------- ConstantPropagation ---------- DeadCode
 *     version 0                 version 1                      version 1          version 2
 */
import type { Function } from "#aten/core/function";
import type { IValue } from "#aten/core/ivalue";
import {
  type CapturedGraph,
  type CapturedLine,
  type CapturedNode,
  current_tracer,
  setTracer,
  type TraceData,
  traceCall,
  traceInstant,
} from "#c10/util/Trace";
import type { Block, Graph, Node } from "./ir/ir.ts";

/** Runs what the library does for itself, such as the compilation of its own scripts, outside of a recording. */
export function unrecorded<R>(run: () => R): R {
  const active = current_tracer();
  setTracer(null);
  try {
    return run();
  } finally {
    setTracer(active);
  }
}

let nodes_seen = 0;
const numbers = new WeakMap<Node, string>();

/** The name of a node in recordings: names of values change with the passes. */
function id_of(node: Node): string {
  let id = numbers.get(node);
  if (id === undefined) {
    id = `n${nodes_seen++}`;
    numbers.set(node, id);
  }
  return id;
}

function record_of(node: Node, line: number): CapturedNode {
  const range = node.sourceRange();
  const place = (range.findSourceRangeThatGenerated() ?? range).file_line_col();
  const record = { id: id_of(node), op: node.kind(), line };
  return place === null ? record : { ...record, source: { file: place.file, line: place.line } };
}

/** The nodes of a graph with their lines in its text, in the order in which it prints them. */
function nodes_of(graph: Graph): CapturedNode[] {
  const nodes: CapturedNode[] = [];
  let line = 1;
  const walk = (block: Block, groups: Node[]): void => {
    for (const node of block.nodes()) {
      nodes.push(record_of(node, line++));
      if (node.hasAttribute("Subgraph")) groups.push(node);
      for (const inner of node.blocks()) {
        line++; // `block0(...):`
        walk(inner, groups);
        line++; // `-> (...)`
      }
    }
  };
  const print = (of: Graph): void => {
    const groups: Node[] = [];
    line += Math.max(of.inputs().length, 1);
    walk(of.block(), groups);
    line++; // `return (...)`
    for (const group of groups) print(group.g("Subgraph"));
  };
  print(graph);
  return nodes;
}

/** The graph's text without the places in the program, which the nodes have. */
const text_of = (graph: Graph): string =>
  graph
    .toString()
    .replace(/ # [^"\n]*:\d+:\d+$/gm, "")
    .trimEnd();

interface Version {
  readonly text: string;
  readonly captured: CapturedGraph;
}

const versions = new WeakMap<Graph, Version>();

/** Texts that the front end adds to a graph that it has compiled. */
export interface Origin {
  /** The syntax tree, a line of it with the line of the program from which it was made. */
  tree?(): readonly CapturedLine[];
  /** The graph as a program, or its instructions. */
  code?(): string;
  /** The line of the program of each line of the code, or 0. */
  code_places?(): readonly number[];
}

/** The graph as it is now. */
function version_of(graph: Graph, origin: Origin = {}): CapturedGraph {
  const text = unrecorded(() => text_of(graph)); // printing a constant calls operators
  const known = versions.get(graph);
  if (known?.text === text && origin.code === undefined) return known.captured;
  const nodes = nodes_of(graph);
  const captured: CapturedGraph = { ir: "torchscript", text: () => text, nodes: () => nodes, ...origin };
  versions.set(graph, { text, captured });
  return captured;
}

/** Prints functions as programs; the layer that has the printer sets it. */
export const printer: { code_of: ((fn: Function, is_method: boolean) => CapturedLine[]) | null } = { code_of: null };

/** The code of a function that has just been compiled, for `graph_made`; nothing if it cannot be printed yet. */
export function code_in_recordings(fn: Function, is_method: boolean): Pick<Origin, "code" | "code_places"> {
  if (current_tracer() === null || printer.code_of === null) return {};
  const { code_of } = printer;
  try {
    const lines = unrecorded(() => code_of(fn, is_method));
    return { code: () => lines.map(([text]) => text).join("\n"), code_places: () => lines.map(([, line]) => line) };
  } catch {
    return {}; // it calls a function whose compilation has not ended
  }
}

/** Tells that a graph was made: by the compiler, or by running a program. */
export function graph_made(name: string, graph: Graph, note: string, origin?: Origin): void {
  if (current_tracer() !== null)
    traceInstant("capture", name, { graphs: { captured: version_of(graph, origin) }, note });
}

/** Tells that a graph got a node while a program runs. */
export function node_traced(node: Node): void {
  if (current_tracer() === null) return;
  traceInstant("capture", "torch::jit::tracer::TracingState::insertNode", {
    graph_node: id_of(node),
    note: node.kind(),
  });
}

/**
 * Runs a pass, inside one event if there is a recording.
 * @param title what the log calls this moment
 */
export function recorded_pass<R>(
  graph: Graph,
  pass: (graph: Graph) => R,
  name = `torch::jit::${pass.name}`,
  title = "",
): R {
  if (current_tracer() === null) return pass(graph);
  const before = version_of(graph);
  const told = (): TraceData => {
    const after = version_of(graph);
    return { graphs: { before, after }, note: before === after ? "no change" : "changed the graph" };
  };
  const data = title === "" ? {} : { title };
  return traceCall("pass", name, pass, [graph], data, told);
}

/** Tells of the two graphs that were made of one: the graph of backward, and that of forward, which keeps what backward needs. */
export function gradient_made(forward: Graph, backward: Graph): void {
  if (current_tracer() === null) return;
  traceInstant("pass", "torch::jit::differentiate", {
    graphs: { forward: version_of(forward), backward: version_of(backward) },
  });
}

/** Tells that an executor made a plan, or took the one that it has. */
export function plan_chosen(graph: Graph, plan: string): void {
  if (current_tracer() === null) return;
  const name = "torch::jit::GraphExecutorImplBase::getPlanFor";
  traceInstant("runtime", name, { graphs: { plan: version_of(graph) }, plan, note: plan });
}

/** A value for the recorder: a tensor as it is, anything else as a number or a text. */
function value_for(value: IValue): unknown {
  if (value.isTensor()) return value.toTensor().defined() ? value.toTensor() : "undefined tensor";
  if (value.isNone()) return null;
  if (value.isBool()) return value.toBool();
  if (value.isInt() || value.isDouble() || value.isString()) return value.payload;
  if (value.isList()) return value.toList().vec().slice(0, 8).map(value_for);
  if (value.isTuple()) return value.toTuple().slice(0, 8).map(value_for);
  return value.tag;
}

/** Values on top of the stack that a recording keeps. */
const STACK_SHOWN = 8;

/** A call that has not returned, as the interpreter keeps it. */
interface RunningFrame {
  readonly function: {
    readonly function_name_: string;
    readonly graph_: Graph;
    readonly instructions_: readonly { toString(): string }[];
    readonly instructions_source_: readonly Node[];
  };
  readonly pc: number;
  readonly registers: readonly IValue[];
}

interface RunningState {
  frames(): readonly RunningFrame[];
}

type Stack = readonly IValue[];

/** The interpreter's hook for steps. */
interface Steps<State> {
  step: ((state: State, stack: IValue[]) => void) | null;
}

function step_data({ function: code, pc, registers }: RunningFrame, depth: number, stack: Stack): TraceData {
  const node = code.instructions_source_[pc];
  return {
    pc,
    function: code.function_name_,
    depth,
    graph_node: id_of(node),
    note: node.kind(),
    stack: stack.slice(-STACK_SHOWN).map(value_for),
    registers: Object.fromEntries(
      registers.flatMap((value, i) => (i === 0 || value.isNone() ? [] : [[i, value_for(value)]])),
    ),
  };
}

/**
 * Runs the interpreter's loop with an event for each instruction, which lasts until the next instruction: what an operator calls is inside it.
 * Precondition: there is a recording.
 */
export function recorded_run<State extends RunningState, R>(state: State, hooks: Steps<State>, run: () => R): R {
  const { function: code } = state.frames()[state.frames().length - 1];
  const instructions = (): string =>
    code.instructions_
      .map((instruction, i) => {
        const text = `${i} ${instruction}`;
        return /\bOPN? /.test(text) ? `${text}  ${code.instructions_source_[i].kind()}` : text;
      })
      .join("\n");
  const running = version_of(code.graph_, { code: instructions });
  const before = hooks.step;
  let open: number | null = null;
  const end = (): void => {
    if (open !== null) current_tracer()?.end(open);
    open = null;
  };
  hooks.step = (at, stack) => {
    before?.(at, stack);
    end();
    const frames = at.frames();
    const frame = frames[frames.length - 1];
    const text = String(frame.function.instructions_[frame.pc]);
    open = current_tracer()?.begin("runtime", text, step_data(frame, frames.length, stack)) ?? null;
  };
  const name = "torch::jit::InterpreterState::run";
  try {
    return traceCall("runtime", name, run, [], { graphs: { running }, note: code.function_name_ }, () => {
      end();
      return undefined;
    });
  } finally {
    hooks.step = before;
  }
}
