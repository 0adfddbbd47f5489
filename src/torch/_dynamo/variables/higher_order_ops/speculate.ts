/**
 * @file Following a function that an operator takes: its operations go into a graph of their own.
 * @mirrors torch/_dynamo/variables/higher_order_ops.py#speculate_subgraph
 */
import { PyDict } from "#python/Objects/dictobject";
import { tuple } from "#python/Objects/tupleobject";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { Graph } from "#torch/fx/graph/index";
import type { Node } from "#torch/fx/node";
import { unimplemented } from "../../graph_break.ts";
import * as graph_break_hints from "../../graph_break_hints.ts";
import type { SubgraphTracer } from "../../subgraph_tracer.ts";
import { type Kwargs, NO_KWARGS, type Translator, type VariableTracker } from "../base.ts";
import { ConstDictVariable } from "../dicts.ts";
import { BaseListVariable } from "../lists.ts";
import { NodeVariable, SymNodeVariable } from "../tensor.ts";

/** A function that was followed. */
export interface Speculation {
  /** The result of the function; its tensors are nodes of the inner graph. */
  readonly output: VariableTracker;
  /** The variables that the inner graph returns. */
  readonly graph_outputs: readonly VariableTracker[];
  readonly tracer: SubgraphTracer;
}

export interface SpeculateOptions {
  /** The operator as messages name it. */
  readonly description: string;
  readonly kwargs?: Kwargs;
  readonly tracer?: SubgraphTracer;
  /** The state of gradients inside; null: that of the caller. */
  readonly enable_grad?: boolean | null;
  readonly supports_input_mutation?: boolean;
  readonly supports_aliasing?: boolean;
  /** Variables that the graph returns, for what the function returns. The default is all tensors and numbers in it. */
  readonly outputs_of?: (output: VariableTracker) => readonly VariableTracker[];
}

export const example_of = (node: Node): unknown => (node.meta as Map<unknown, unknown>).get("example_value");
const storage_of = (t: Tensor): unknown => t.cdata.storage().unsafeGetStorageImpl();

/** All tensors and numbers of the graph in a value. */
export function nodes_in(of: VariableTracker): NodeVariable[] {
  const found = new Set<NodeVariable>();
  const seen = new Set<VariableTracker>();
  const visit = (given: VariableTracker): void => {
    const it = given.realize();
    if (seen.has(it)) return;
    seen.add(it);
    if (it instanceof NodeVariable) found.add(it);
    const items = it instanceof ConstDictVariable ? it.entries().map(([, item]) => item) : it.children();
    for (const item of items) visit(item);
  };
  visit(of);
  return [...found];
}

/** Looks at a value and everything in it, so that guards on it belong to the frame. */
export function realize_all(args: readonly VariableTracker[]): VariableTracker[] {
  return args.map((arg) => {
    const it = arg.realize();
    if (it instanceof BaseListVariable) for (const item of it.items) realize_all([item]);
    if (it instanceof ConstDictVariable) for (const [, item] of it.entries()) realize_all([item]);
    return it;
  });
}

/** Adds the node that changes the state of gradients. */
export function set_grad_enabled(tx: Translator, mode: boolean): void {
  tx.output.add_node(torch._C._set_grad_enabled, [mode]);
  torch._C._set_grad_enabled(mode);
}

/** @throws {Unsupported} unless all are tensors, whole numbers or booleans */
function validate_subgraph_output_types(outputs: readonly VariableTracker[]): void {
  for (const out of outputs) {
    if (out.is_tensor()) continue;
    const name = out.python_type_name();
    if (out instanceof SymNodeVariable && (name === "int" || name === "bool")) continue;
    if (out.is_python_constant() && ["int", "bool", "NoneType"].includes(name)) continue;
    unimplemented({
      gb_type: "HOP body output unsupported",
      context: `non-tensor outputs: [${outputs.map(String).join(", ")}]`,
      explanation: `HigherOrderOperator body's output must consist of tensors or ints/bools only but got ${out.python_type().toString()}.`,
      hints: [...graph_break_hints.USER_ERROR],
    });
  }
}

/** Refuses an inner graph that writes to its inputs. */
function check_input_mutation(tracer: SubgraphTracer, description: string): void {
  const mutated = tracer.mutated_inputs();
  if (mutated.length === 0) return;
  unimplemented({
    gb_type: "Encountered input mutation during higher order op tracing",
    context: `Input mutation detected at [${mutated.map((node) => node.name).join(", ")}]`,
    explanation: `Higher order ops do not support input mutation. Found in ${description}`,
    hints: ["Consider using the debug context to change user code to avoid mutation.", "Please open an issue."],
  });
}

/** Refuses an inner graph whose results share memory with its inputs or with each other. */
function check_aliasing(tracer: SubgraphTracer, outs: readonly unknown[], description: string): void {
  const names = new Map<unknown, string>();
  const refuse = (kind: string, a: string, b: string): never =>
    unimplemented({
      gb_type: "Encountered aliasing during higher order op tracing",
      context: `${kind} aliasing detected at nodes ${a} and ${b}`,
      explanation: `Higher order ops do not support aliasing. Found in ${description}`,
      hints: [
        "Replace `return input` with `return input.clone()` to avoid aliasing.",
        "Consider using the debug context to change user code to avoid aliasing.",
        "Please open an issue.",
      ],
    });
  const check = (nodes: readonly Node[], kind: string): void => {
    const added: [unknown, string][] = [];
    for (const node of nodes) {
      const example = example_of(node);
      if (!(example instanceof Tensor)) continue;
      const storage = storage_of(example);
      const known = names.get(storage) ?? added.find(([it]) => it === storage)?.[1];
      if (known !== undefined) refuse(names.has(storage) ? "Input-to-output" : kind, known, node.name);
      added.push([storage, node.name]);
    }
    for (const [storage, name] of added) names.set(storage, name);
  };
  check(tracer.placeholders(), "Input-to-input");
  check(
    outs.filter((out): out is Node => out !== null && typeof out === "object" && "graph" in out),
    "Output-to-output",
  );
}

/** Follows `fn` in a graph of its own, which returns the tensors of the result. */
export function speculate_subgraph(
  tx: Translator,
  fn: VariableTracker,
  args: readonly VariableTracker[],
  options: SpeculateOptions,
): Speculation {
  const { kwargs = NO_KWARGS, enable_grad = null, outputs_of = nodes_in, description } = options;
  const { tracers } = tx.output;
  const tracer = options.tracer ?? tracers.inner();
  return tracers.inside(tracer, () => {
    const before = torch.is_grad_enabled();
    if (enable_grad !== null) set_grad_enabled(tx, enable_grad);
    const output = fn.realize().call_function(tx, args, kwargs).realize();
    if (enable_grad !== null) set_grad_enabled(tx, before);
    const graph_outputs = outputs_of(output).map((it) => it.realize());
    validate_subgraph_output_types(graph_outputs);
    const outs = graph_outputs.map((it) => tracer.lift_all(it.as_proxy()));
    tracer.graph.output(tuple(outs), null);
    if (options.supports_input_mutation === false) check_input_mutation(tracer, description);
    if (options.supports_aliasing === false) check_aliasing(tracer, outs, description);
    return { output, graph_outputs, tracer };
  });
}

/** The value of the output node of a finished inner graph. */
export const returned_by = (graph: Graph): readonly unknown[] => graph.output_node().args[0] as readonly unknown[];

/** Gives a finished graph another result. */
export function replace_output(graph: Graph, result: unknown): void {
  graph.erase_node(graph.output_node());
  graph.output(result, null);
}

/**
 * The variables that the caller goes on with are now results of the call, no longer nodes of the inner graph.
 * @param flat the results of the call, in the order of `graph_outputs`
 */
export function overwrite_tensor_vt_proxy(graph_outputs: readonly VariableTracker[], flat: VariableTracker): void {
  const items = (flat as BaseListVariable).items;
  for (const [i, it] of graph_outputs.entries()) {
    const result = items[i]?.realize();
    if (it instanceof NodeVariable && result instanceof NodeVariable) it.replace_node(result.node);
  }
}

export function kwargs_dict(kwargs: Iterable<readonly [string, unknown]>): PyDict {
  const made = new PyDict();
  for (const [name, value] of kwargs) made.set(name, value);
  return made;
}
