/**
 * @file `torch.cond` in a followed program: both branches become graphs with the same inputs.
 * @mirrors torch/_dynamo/variables/higher_order_ops.py#CondHigherOrderVariable
 */
import { NotImplementedError, RuntimeError, warn } from "#c10/util/Exception";
import { repr, str } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { cond_op } from "#torch/_higher_order_ops/cond";
import { torch } from "#torch/_torch";
import { call_function } from "#torch/fx/callables";
import type { Graph } from "#torch/fx/graph/index";
import { map_arg_, type Node } from "#torch/fx/node";
import { flatten, type TreeSpec } from "#torch/utils/_pytree/index";
import { TorchRuntimeError } from "../../exc.ts";
import { format_graph_break_message, unimplemented } from "../../graph_break.ts";
import * as graph_break_hints from "../../graph_break_hints.ts";
import type { SubgraphTracer } from "../../subgraph_tracer.ts";
import type { Kwargs, Translator, VariableTracker } from "../base.ts";
import { ConstantVariable } from "../constant.ts";
import { type BaseListVariable, ListVariable, TupleVariable } from "../lists.ts";
import { SymNodeVariable, TensorVariable } from "../tensor.ts";
import { captured_completely, TorchHigherOrderOperatorVariable } from "./base.ts";
import { example_of, kwargs_dict, realize_all, speculate_subgraph } from "./speculate.ts";
import { leaves_of, map_leaves, spec_of } from "./trees.ts";

const HOP_NAME = "torch.cond";
const PARAMETERS = ["pred", "true_fn", "false_fn", "operands"] as const;

interface Branch {
  readonly output: VariableTracker;
  readonly spec: TreeSpec;
  readonly tracer: SubgraphTracer;
}

function refuse(gb_type: string, context: string, explanation: string): never {
  return unimplemented({
    gb_type: `torch.cond: ${gb_type}`,
    context,
    explanation,
    hints: [...graph_break_hints.USER_ERROR],
  });
}

export class CondHigherOrderVariable extends TorchHigherOrderOperatorVariable {
  override call_function(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    return captured_completely(HOP_NAME, () => call_cond(tx, args, kwargs));
  }
}

function call_cond(tx: Translator, given: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
  const args = realize_all([
    ...given,
    ...PARAMETERS.slice(given.length).flatMap((name) => {
      const it = kwargs.get(name);
      return it === undefined ? [] : [it];
    }),
  ]);
  if (args.length === PARAMETERS.length - 1) args.push(new TupleVariable([])); // the default of `operands`
  if (args.length !== PARAMETERS.length || kwargs.size > PARAMETERS.length - given.length)
    refuse(
      "improper args/kwargs",
      `args: ${args.map(String)}`,
      `torch.cond expects 4 positional arguments (got ${args.length}) and no keyword arguments (got ${kwargs.size}) Usage: cond(pred, cond_fn, body_fn, operands)`,
    );
  const [pred, true_fn, false_fn, operands] = args as [
    VariableTracker,
    VariableTracker,
    VariableTracker,
    VariableTracker,
  ];
  if (pred instanceof ConstantVariable) {
    warn(
      "UserWarning",
      "Pred is a Python constant. When used with torch.cond, it specializes on one of the branches. If you want torch.cond to preserve two branches, please make the predicate a boolean tensor or a SymBool.",
    );
    const chosen = pred.truth() === true ? true_fn : false_fn;
    return chosen.call_function(tx, tx.sequence(operands), new Map());
  }
  check_arguments(pred, operands);
  const items = (operands as BaseListVariable).items;
  const on = speculate_branch(tx, true_fn, items);
  const off = speculate_branch(tx, false_fn, items);
  // PyTorch's comparison of a leaf with a tree has no answer: then the operator refuses the call.
  const is_leaf = (of: Branch): boolean => leaves_of(of.output)[0] === of.output;
  if (!is_leaf(on) && !is_leaf(off) && !on.spec.__eq__(off.spec))
    refuse(
      "differing branch outputs",
      `true_spec: ${str(on.spec)}, false_spec: ${str(off.spec)}, same_spec: False`,
      "Expected branches to return the same pytree structure.",
    );
  return call_node(tx, pred, on, off);
}

function check_arguments(pred: VariableTracker, operands: VariableTracker): void {
  if (!(pred instanceof TensorVariable || pred instanceof SymNodeVariable))
    refuse(
      "improper predicate",
      String(pred),
      `Expected \`pred\` to be a bool or a boolean tensor with a single item but got <class 'torch._dynamo.variables.${pred.vt_name}'> with original python type ${pred.python_type().toString()}.`,
    );
  if (!(operands instanceof ListVariable || operands instanceof TupleVariable))
    refuse(
      "improper operands",
      String(operands),
      `Expected \`operands\` to be a list/tuple but got ${operands.python_type().toString()}.`,
    );
  const fits = (it: VariableTracker): boolean =>
    it instanceof TensorVariable || it instanceof ConstantVariable || it instanceof SymNodeVariable;
  if (!leaves_of(operands).every(fits))
    refuse(
      "improper operands contents",
      String(operands),
      "Expected `operands` to be a list/tuple of pytrees that only consists of tensor leaves.",
    );
}

/** Follows one branch. A branch changes nothing outside. */
function speculate_branch(tx: Translator, fn: VariableTracker, operands: readonly VariableTracker[]): Branch {
  const is_free = !torch.is_grad_enabled();
  const { output, tracer } = speculate_subgraph(tx, fn, operands, {
    description: "<bound method HigherOrderOperator.name of torch.ops.higher_order.cond>",
    supports_input_mutation: is_free,
    supports_aliasing: is_free,
    outputs_of: (of) => {
      const leaves = leaves_of(of);
      // The names that the flattening of a tree gives to its items.
      if (!(leaves.length === 1 && leaves[0] === of))
        for (const it of leaves) if (it instanceof TensorVariable) it.set_name_hint("child");
      return leaves;
    },
  });
  for (const leaf of leaves_of(output)) {
    if (leaf instanceof TensorVariable) continue;
    if (!(leaf instanceof ConstantVariable))
      refuse(
        "unsupported branch return type",
        String(output),
        "Expected branches to return a possibly nested pytree of tensors or constant ints.",
      );
    if (!["int", "bool"].includes(leaf.python_type_name()))
      refuse(
        "unsupported branch return type (constant non-int)",
        String(output),
        "Constants returned from branches must be ints.",
      );
  }
  return { output, spec: spec_of(output), tracer };
}

const by_name = (nodes: readonly Node[]): Node[] => [...nodes].sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Gives both graphs the same inputs: first those that both use, then those of the first, then those of the second.
 * @returns the nodes outside that the inputs stand for
 */
function _merge_graph_inputs(on: SubgraphTracer, off: SubgraphTracer): Node[] {
  const [l, r] = [on.lifted_freevars, off.lifted_freevars];
  const shared = by_name([...l.keys()].filter((node) => r.has(node)));
  const unique_l = by_name([...l.keys()].filter((node) => !r.has(node)));
  const unique_r = by_name([...r.keys()].filter((node) => !l.has(node)));
  const fixup = (graph: Graph, lifted: ReadonlyMap<Node, Node>): void => {
    const first = [...graph.nodes].find((node) => node.op !== "placeholder") as Node;
    const at = graph.inserting_before(first);
    at.__enter__();
    const insert = (nodes: readonly Node[], suffix: string): void => {
      for (const node of nodes) {
        const input = graph.create_node("placeholder", node.name + suffix, [], kwargs_dict([]), null, null);
        (input.meta as Map<unknown, unknown>).set("example_value", example_of(node));
        const old = lifted.get(node);
        if (old === undefined) continue;
        (old.replace_all_uses_with as (by: Node) => unknown)(input);
        graph.erase_node(old);
      }
    };
    insert(shared, "");
    insert(unique_l, "_true_branch");
    insert(unique_r, "_false_branch");
    at.__exit__();
  };
  fixup(on.graph, l);
  fixup(off.graph, r);
  return [...shared, ...unique_l, ...unique_r];
}

/** The node of the call, and what the program goes on with. */
function call_node(tx: Translator, pred: VariableTracker, on: Branch, off: Branch): VariableTracker {
  const { output } = tx;
  const inputs = _merge_graph_inputs(on.tracer, off.tracer);
  const graphs = [
    output.install_subgraph("cond_true", on.tracer.graph),
    output.install_subgraph("cond_false", off.tracer.graph),
  ];
  const args = [pred.as_proxy(), ...graphs, tuple(inputs)];
  const examples = map_arg_(tuple(args) as never, example_of) as unknown[];
  const flat = output.call_with_example(cond_op, args, kwargs_dict([]), fake_result(tx, examples)) as BaseListVariable;
  let i = 0;
  return map_leaves(on.output, () => flat.items[i++] as VariableTracker);
}

function fake_result(tx: Translator, args: readonly unknown[]): unknown {
  try {
    return tx.output.fake_mode.with(() => call_function(cond_op, args));
  } catch (error) {
    if (!(error instanceof RuntimeError) || error instanceof NotImplementedError) throw error;
    throw new TorchRuntimeError(
      format_graph_break_message({
        gb_type: "RuntimeError when making fake tensor call",
        context: "",
        explanation: `Dynamo failed to run FX node with fake tensors: call_function cond(*${fake_text(args)}, **{}): got RuntimeError(${repr(error.message)})`,
        hints: [...graph_break_hints.USER_ERROR],
      }),
    );
  }
}
/** Arguments as the message has them: without the text of graphs. */
const fake_text = (arg: unknown): string =>
  Array.isArray(arg)
    ? `(${arg.map(fake_text).join(", ")}${arg.length === 1 ? "," : ""})`
    : flatten(arg)[0].length === 1 && typeof arg === "function"
      ? "GraphModule()"
      : repr(arg);
