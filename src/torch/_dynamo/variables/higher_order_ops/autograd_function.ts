/**
 * @file `torch.autograd.Function` in a followed program: forward and backward become two graphs, which one node calls.
 * @mirrors torch/_dynamo/variables/higher_order_ops.py#AutogradFunctionApplyVariable
 * @differs Ours breaks the graph where forward changes something outside of it; PyTorch captures such a forward.
 *
 *     class Sin(Function):                                  fwd_body_0(x):      sin = x.sin();  return ((sin,), (x,))
 *         forward(ctx, x): ctx.save_for_backward(x) ...     bwd_body_0(g, x):   return (g * x.cos(),)
 *         backward(ctx, g): ...                             autograd_function_apply(fwd_body_0, bwd_body_0, x, ...)
 * Everything that backward reads of forward becomes a further result of the first graph and an argument of the second one.
 */
import { CO, type Code } from "#python/compiler/code";
import { FUNCTION } from "#python/Objects/call";
import { tuple } from "#python/Objects/tupleobject";
import { foreign, full_name, object_type, type TypeObject } from "#python/Objects/typeobject";
import { autograd_function_apply } from "#torch/_functorch/autograd_function/apply";
import { torch } from "#torch/_torch";
import { FunctionCtx } from "#torch/autograd/function";
import { call_function } from "#torch/fx/callables";
import { Graph } from "#torch/fx/graph/index";
import type { Node } from "#torch/fx/node";
import { unimplemented } from "../../graph_break.ts";
import * as graph_break_hints from "../../graph_break_hints.ts";
import type { SubgraphTracer } from "../../subgraph_tracer.ts";
import { type Kwargs, MethodVariable, NO_KWARGS, type Translator, VariableTracker } from "../base.ts";
import { ConstantVariable } from "../constant.ts";
import { UserFunctionVariable, UserMethodVariable } from "../functions.ts";
import { BaseListVariable, TupleVariable } from "../lists.ts";
import { TensorVariable } from "../tensor.ts";
import { UserDefinedClassVariable, UserDefinedObjectVariable } from "../user_defined.ts";
import { with_hop_context } from "./base.ts";
import {
  example_of,
  kwargs_dict,
  nodes_in,
  overwrite_tensor_vt_proxy,
  realize_all,
  replace_output,
  returned_by,
  type Speculation,
  set_grad_enabled,
  speculate_subgraph,
} from "./speculate.ts";

const HOP_NAME = "autograd.Function";
const none = (): VariableTracker => new ConstantVariable(null);
const nodes_of = (of: readonly VariableTracker[]): Node[] =>
  of.flatMap((it) => (it instanceof TensorVariable ? [it.node] : []));

/** The tensors that a function's result consists of at its top. */
const items_of = (of: VariableTracker): readonly VariableTracker[] =>
  of instanceof BaseListVariable ? of.items.map((it) => it.realize()) : [of];

const type_of_class = (cls: unknown): TypeObject => foreign.class_of(cls) ?? object_type;

/** `ctx`: what forward keeps for backward. */
class AutogradFunctionContextVariable extends UserDefinedObjectVariable {
  saved_tensors: readonly VariableTracker[] = [];
  non_differentiable: readonly Node[] = [];
  dirty_tensors: readonly VariableTracker[] = [];
  private readonly needs_input_grad: readonly boolean[];

  constructor(args: readonly VariableTracker[]) {
    super(null, type_of_class(FunctionCtx), null, "new");
    this.needs_input_grad = args.map((it) => it instanceof TensorVariable && it.fake.requires_grad);
  }
  override var_getattr(tx: Translator, name: string): VariableTracker {
    if (METHODS.has(name)) return new MethodVariable(this, name);
    if (name === "saved_tensors") return new TupleVariable([...this.saved_tensors]);
    if (name === "needs_input_grad") return new ConstantVariable(tuple([...this.needs_input_grad]));
    return super.var_getattr(tx, name);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    if (name === "save_for_backward") this.saved_tensors = realize_all(args);
    else if (name === "mark_non_differentiable") this.non_differentiable = nodes_of(realize_all(args));
    else if (name === "mark_dirty") this.dirty_tensors = realize_all(args);
    else if (name.startsWith("__")) return super.call_method(tx, name, args, kwargs);
    else
      unimplemented({
        gb_type: "Unsupported autograd.Function context method",
        context: `call_method ${this.toString()} ${name}`,
        explanation: `Dynamo does not support calling the method \`${name}\` on \`autograd.Function\` context objects. Supported methods are \`__setattr__\`, \`save_for_backward\`, \`mark_dirty\` and \`mark_non_differentiable\`.`,
        hints: [...graph_break_hints.SUPPORTABLE],
      });
    return none();
  }
}
const METHODS: ReadonlySet<string> = new Set([
  "save_for_backward",
  "save_for_forward",
  "mark_non_differentiable",
  "mark_dirty",
  "set_materialize_grads",
]);

/** Whether a class of the program derives from `torch.autograd.Function`. */
export const is_autograd_function = (type: TypeObject): boolean =>
  type.heap && type.mro.some((base) => full_name(base) === "torch.autograd.function.Function");

/** Whether a class of the program defines the method itself. */
const defines = (type: TypeObject, name: string): boolean =>
  type.mro.find((base) => base.dict.has(name))?.heap === true && is_autograd_function_member(type, name);
const is_autograd_function_member = (type: TypeObject, name: string): boolean => {
  const owner = type.mro.find((base) => base.dict.has(name)) as TypeObject;
  return full_name(owner) !== "torch.autograd.function.Function";
};

/** A class of the program with its own forward and backward. */
export class AutogradFunctionVariable extends UserDefinedClassVariable {
  override var_getattr(tx: Translator, name: string): VariableTracker {
    return name === "apply" ? new MethodVariable(this, name) : super.var_getattr(tx, name);
  }
  override call_method(
    tx: Translator,
    name: string,
    args: readonly VariableTracker[],
    kwargs: Kwargs,
  ): VariableTracker {
    return name === "apply" ? this.apply(tx, realize_all(args), kwargs) : super.call_method(tx, name, args, kwargs);
  }

  private apply(tx: Translator, args: readonly VariableTracker[], kwargs: Kwargs): VariableTracker {
    if (kwargs.size > 0) return super.call_method(tx, "apply", args, kwargs);
    const has_setup = defines(this.type, "setup_context");
    const forward = this.var_getattr(tx, "forward").realize();
    const needs = new TupleVariable([...args]);
    const wants = nodes_in(needs).some((it) => it instanceof TensorVariable && it.fake.requires_grad);
    if (!wants || !torch.is_grad_enabled()) {
      const ctx = new AutogradFunctionContextVariable(args);
      return forward.call_function(tx, has_setup ? args : [ctx, ...args], NO_KWARGS);
    }
    for (const name of ["vjp", "jvp"] as const) if (defines(this.type, name)) this.refuse_custom(name, args);
    const setup = has_setup ? this.var_getattr(tx, "setup_context").realize() : null;
    const backward = this.var_getattr(tx, "backward").realize();
    return with_hop_context(HOP_NAME, () => new FunctionCall(tx, args, forward, setup, backward).run());
  }

  private refuse_custom(name: "vjp" | "jvp", args: readonly VariableTracker[]): never {
    return unimplemented({
      gb_type: `Unsupported custom ${name}`,
      context: `call_apply ${this.toString()} [${args.map(String).join(", ")}] {}`,
      explanation: `Dynamo does not support tracing \`torch.autograd.Function\` subclasses that define a custom \`${name}\` method.`,
      hints: [
        `Remove the custom \`${name}\` method if possible.`,
        ...(name === "vjp" ? ["Use standard `backward` instead if applicable."] : []),
        ...graph_break_hints.SUPPORTABLE,
      ],
    });
  }
}

/** Forward as autograd runs it: without gradients, and with new views of arguments that it returns. */
class ForwardVariable extends VariableTracker {
  private readonly forward: VariableTracker;
  private readonly setup: VariableTracker | null;

  constructor(forward: VariableTracker, setup: VariableTracker | null) {
    super();
    this.forward = forward;
    this.setup = setup;
  }
  override call_function(tx: Translator, args: readonly VariableTracker[]): VariableTracker {
    const [ctx, ...inputs] = args as [AutogradFunctionContextVariable, ...VariableTracker[]];
    const before = torch.is_grad_enabled();
    if (before) set_grad_enabled(tx, false);
    const outs = this.forward.call_function(tx, this.setup === null ? args : inputs, NO_KWARGS).realize();
    if (this.setup !== null && outs instanceof TensorVariable) outs.set_name_hint("output");
    this.setup?.call_function(tx, [ctx, new TupleVariable(inputs), outs], NO_KWARGS);
    if (before) set_grad_enabled(tx, true);
    const dirty = nodes_of(ctx.dirty_tensors);
    const tensors = inputs.filter((it) => it instanceof TensorVariable);
    const is_tensor_arg = (of: TensorVariable): boolean =>
      tensors.some((it) => {
        it.set_name_hint("arg");
        return it.node === of.node;
      });
    const fresh = (it: VariableTracker): VariableTracker =>
      it instanceof TensorVariable && is_tensor_arg(it) && !dirty.includes(it.node)
        ? it.call_method(tx, "view_as", [it], NO_KWARGS)
        : it;
    if (outs instanceof TensorVariable) {
      outs.set_name_hint("outs");
      return fresh(outs);
    }
    if (!(outs instanceof BaseListVariable)) return outs;
    for (const it of items_of(outs)) if (it instanceof TensorVariable) it.set_name_hint("out");
    return new TupleVariable(items_of(outs).map(fresh));
  }
}

/** Names of the parameters by position; null if the function takes any number of them. */
function positional_names(fn: VariableTracker): readonly string[] | null {
  const func = fn instanceof UserMethodVariable ? fn.func : fn;
  if (!(func instanceof UserFunctionVariable)) return null;
  const code: Code = func.fn[FUNCTION].code;
  if ((code.co_flags & CO.VARARGS) !== 0) return null;
  const names = code.co_varnames.slice(0, code.co_argcount).map((name) => (name === "self" ? "self_" : name));
  return fn instanceof UserMethodVariable ? names.slice(1) : names;
}

/** One call of `apply`. */
class FunctionCall {
  private readonly tx: Translator;
  private readonly args: readonly VariableTracker[];
  private readonly forward: VariableTracker;
  private readonly backward: VariableTracker;
  private readonly fwd_tracer: SubgraphTracer;
  private readonly ctx: AutogradFunctionContextVariable;

  constructor(
    tx: Translator,
    args: readonly VariableTracker[],
    forward: VariableTracker,
    setup: VariableTracker | null,
    backward: VariableTracker,
  ) {
    const { tracers } = tx.output;
    this.tx = tx;
    this.args = args;
    this.forward = new ForwardVariable(forward, setup);
    this.backward = backward;
    this.fwd_tracer = tracers.inner();
    // Forward may change it, so it belongs to forward.
    this.ctx = tracers.inside(this.fwd_tracer, () => new AutogradFunctionContextVariable(args));
  }

  run(): VariableTracker {
    const fwd = this.trace_forward_graph();
    const bwd = this.trace_backward_graph(fwd.output);
    const [fwd_freevars, bwd_freevars] = [this.fwd_tracer.lifted_freevars, bwd.tracer.lifted_freevars];
    this.rewire_bwd_graph_outputs(bwd);
    const bwd_graph = this.handle_saved_tensors_wiring(fwd, bwd);
    const out_items = items_of(fwd.output);
    const indices = (wanted: readonly Node[]): number[] =>
      out_items.flatMap((it, i) => (it instanceof TensorVariable && wanted.includes(it.node) ? [i] : []));
    const dirty = nodes_of(this.ctx.dirty_tensors);
    const dirty_idx = indices(dirty);
    if (dirty_idx.length < new Set(dirty).size) refuse_dirty();
    const saved = new Set(nodes_of(this.ctx.saved_tensors));
    const kwargs = kwargs_dict([
      ["non_differentiable_idx", indices(this.ctx.non_differentiable)],
      ["saved_for_backward_idx", [...bwd_freevars.keys()].flatMap((node, i) => (saved.has(node) ? [i] : []))],
      ...(dirty_idx.length > 0 ? [["dirty_idx", dirty_idx] as const] : []),
    ]);
    const { output } = this.tx;
    const graphs = [
      output.install_subgraph("fwd_body", this.fwd_tracer.graph),
      output.install_subgraph("bwd_body", bwd_graph),
    ];
    const operands = [...graphs, ...fwd_freevars.keys()];
    const example = output.fake_mode.with(() =>
      call_function(autograd_function_apply, operands.map(example_of), kwargs as never),
    );
    const flat = output.call_with_example(autograd_function_apply, operands, kwargs, example);
    overwrite_tensor_vt_proxy(fwd.graph_outputs, flat);
    return fwd.output;
  }

  private trace_forward_graph(): Speculation {
    const { tx, fwd_tracer: tracer } = this;
    const made = speculate_subgraph(tx, this.forward, [this.ctx, ...this.args], { description: HOP_NAME, tracer });
    // Backward has a gradient for arguments that forward does not read, too.
    for (const node of nodes_of(this.args)) tracer.lift(node);
    return made;
  }

  private trace_backward_graph(fwd_out: VariableTracker): Speculation {
    const { tracers } = this.tx.output;
    const tracer = tracers.inner(this.fwd_tracer);
    const grads = items_of(fwd_out).map((it) => (it instanceof TensorVariable ? it : none()));
    const names = positional_names(this.backward);
    const named = names !== null && names.length > grads.length ? names.slice(1) : null;
    const args = grads.map((it, i) => {
      if (!(it instanceof TensorVariable)) return it;
      const { node } = it;
      return new TensorVariable(tracer.create_graph_input(named?.[i] ?? node.name, torch.Tensor, example_of(node)));
    });
    return tracers.inside(this.fwd_tracer, () =>
      speculate_subgraph(this.tx, this.backward, [this.ctx, ...args], {
        description: HOP_NAME,
        tracer,
        enable_grad: false,
      }),
    );
  }

  /** Backward returns a gradient, or nothing, for each input of the forward graph. */
  private rewire_bwd_graph_outputs({ output, tracer }: Speculation): void {
    const given = nodes_of(this.args);
    if (new Set(given).size < given.length)
      unimplemented({
        gb_type: "autograd.Function.apply: duplicate tensor input",
        context: "",
        explanation:
          "Dynamo does not support tracing autograd.Function.apply when the same tensor is passed to multiple forward inputs.",
        hints: [...graph_break_hints.SUPPORTABLE],
      });
    const gradients = items_of(output);
    const by_input = new Map<Node, Node | null>();
    for (const [i, arg] of this.args.entries()) {
      const gradient = gradients[i];
      if (arg instanceof TensorVariable)
        by_input.set(arg.node, gradient instanceof TensorVariable ? tracer.lift(gradient.node) : null);
    }
    replace_output(
      tracer.graph,
      tuple([...this.fwd_tracer.lifted_freevars.keys()].map((node) => by_input.get(node) ?? null)),
    );
  }

  /**
   * The forward graph also returns what backward reads of it, and backward takes a gradient for each result and then these values.
   * @returns the backward graph with its inputs in this order
   */
  private handle_saved_tensors_wiring(fwd: Speculation, bwd: Speculation): Graph {
    const { lifted_freevars } = bwd.tracer;
    const lifted = new Set(lifted_freevars.values());
    const grads = bwd.tracer.placeholders().filter((node) => !lifted.has(node));
    const of_result = new Map<VariableTracker, Node>();
    for (const it of items_of(fwd.output))
      if (it instanceof TensorVariable) of_result.set(it, grads[of_result.size] as Node);
    const inputs = [...fwd.graph_outputs.map((it) => of_result.get(it) ?? null), ...lifted_freevars.values()];
    const extra = [...lifted_freevars.keys()].map((node) => this.fwd_tracer.lift(node));
    const { graph } = this.fwd_tracer;
    replace_output(graph, tuple([returned_by(graph), tuple(extra)]));
    return with_inputs(bwd.tracer.graph, inputs);
  }
}

function refuse_dirty(): never {
  return unimplemented({
    gb_type: "autograd.Function.apply: mark_dirty input not returned",
    context: "",
    explanation: "Dynamo only supports ctx.mark_dirty when each dirty input is also returned from forward.",
    hints: [...graph_break_hints.USER_ERROR],
  });
}

/** A copy of a graph with its inputs in this order; null: an input that nobody reads. */
function with_inputs(graph: Graph, inputs: readonly (Node | null)[]): Graph {
  const made = new (Graph as unknown as new () => Graph)();
  const env = new Map<Node, Node>();
  let unused = 0;
  for (const node of inputs) {
    const name = node === null ? `unused_${unused++}` : node.name;
    const input = made.create_node("placeholder", name, [], kwargs_dict([]), null, null);
    if (node === null) continue;
    (input.meta as Map<unknown, unknown>).set("example_value", example_of(node));
    env.set(node, input);
  }
  for (const node of graph.nodes)
    if (node.op !== "placeholder")
      env.set(
        node,
        made.node_copy(node, (of: Node) => env.get(of)),
      );
  return made;
}
