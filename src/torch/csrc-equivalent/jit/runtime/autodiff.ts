/**
 * @file Differentiates a graph: a forward graph that gives what backward needs, and the graph of backward.
 * @mirrors torch/csrc/jit/runtime/autodiff.cpp
 *
 * The mechanism in miniature:
 *
 *     f:  graph(%x, %w):                      df: graph(%dy, %dt, %w, %t):
 *           %t = aten::mul(%x, %w)                  %1 = prim::GradOf[name="aten::tanh"](%dy)
 *           %y = aten::tanh(%t)                       block0(): ... -> (%2)
 *           return (%y, %w, %t)                     ...
 *
 * Nodes are visited from the last to the first. Each is replaced by its formula's forward, and the formula's backward goes into a
 * `prim::GradOf`, so that it can be left out where gradients are zero. This happens in one graph with a detached block for backward; in
 * the end the block becomes a graph of its own, and each value that it used from outside becomes an input (Note [Gradient graphs]).
 */
import { IValue } from "#aten/core/ivalue";
import { BoolType, IntType, ListType, TensorType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { concrete_sizes, tensor_facts } from "#aten/core/tensor_type";
import { RuntimeError, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { insert } from "../frontend/schema_matching.ts";
import { SourceRange } from "../frontend/source_range.ts";
import { OperatorSet } from "../ir/ir/operator_set.ts";
import {
  type Block,
  Graph,
  insertGraph,
  type Node,
  unpackOutputs,
  type Value,
  WithInsertPoint,
  withInsertPoint,
} from "../ir/ir.ts";
import { EliminateCommonSubexpression } from "../passes/common_subexpression_elimination.ts";
import { EliminateDeadCodeOfBlock } from "../passes/dead_code_elimination.ts";
import { Inline } from "../passes/inliner.ts";
import { LowerSimpleTuplesOfBlock } from "../passes/lower_tuples.ts";
import { UpdateDifferentiableGraphRequiresGrad } from "../passes/update_differentiable_graph_requires_grad.ts";
import { gradientInfoForSchema, hasGradientInfoForSchema } from "./symbolic_script/index.ts";

// Note [Gradient graphs]
// ~~~~~~~~~~~~~~~~~~~~~~
// f gives [results of the original graph], [temporaries that backward needs].
// df takes [gradients of the results], [gradients of the temporaries], [captured values]. A temporary has a gradient of its own, because
// in a second backward somebody may differentiate through it.
// The lists say which is which:
//   df_input_vjps              outputs of f for which df takes a gradient
//   df_input_captured_inputs   inputs of f that df takes
//   df_input_captured_outputs  outputs of f that df takes, behind those
//   df_output_vjps             inputs of f for which df gives a gradient
export class Gradient {
  f: Graph;
  df = new Graph();
  f_real_outputs = 0;
  readonly df_input_vjps: number[] = [];
  readonly df_input_captured_inputs: number[] = [];
  readonly df_input_captured_outputs: number[] = [];
  readonly df_output_vjps: number[] = [];

  constructor(f: Graph) {
    this.f = f;
  }
}

const SLOW_CONV2D =
  "aten::_slow_conv2d_forward(Tensor self, Tensor weight, int[] kernel_size, Tensor? bias, int[] stride, int[] padding) -> Tensor";
const NATIVE_BATCH_NORM =
  "aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)";
const DROPOUT = "aten::dropout(Tensor input, float p, bool train) -> Tensor";
const EXPAND = "aten::expand(Tensor self, int[] size, *, bool implicit) -> Tensor";

/** Operators whose gradients are nodes, not scripts. */
const differentiable_ops = new OperatorSet([SLOW_CONV2D, NATIVE_BATCH_NORM]);

/** Operators of which only the first result has a gradient. */
const need_trim_grad_ops = new OperatorSet([
  "aten::kthvalue(Tensor self, int k, int dim, bool keepdim) -> (Tensor, Tensor)",
  "aten::topk(Tensor self, int k, int dim, bool largest, bool sorted) -> (Tensor, Tensor)",
  "aten::max_pool2d(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool ceil_mode) -> Tensor",
  "aten::max_pool2d_with_indices(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, bool ceil_mode) -> (Tensor, Tensor)",
]);

const differentiable_kinds = new Set(
  ["Constant", "AutogradZero", "AutogradAdd", "ConstantChunk", "profile", "profile_ivalue"].map(
    (name) => `prim::${name}`,
  ),
);

/** Whether a node, or all nodes of a graph, can be differentiated here. */
export function isDifferentiable(what: Node | Graph): boolean {
  if (what instanceof Graph) return what.nodes().every(isDifferentiable);
  if (differentiable_kinds.has(what.kind()) || what.isMemberOf(differentiable_ops)) return true;
  if (what.kind() === "aten::dropout" && what.matches(DROPOUT, ["train"])) return what.get("train")?.toBool() === true;
  if (what.kind() === "aten::expand" && what.matches(EXPAND))
    return what.is_constant("size") && what.is_constant("implicit");
  const schema = what.maybeSchema();
  if (schema !== null && hasGradientInfoForSchema(schema)) return true;
  return what.kind() === "prim::GradOf" && what.blocks()[0].nodes().every(isDifferentiable);
}

const nowhere = SourceRange.empty();
const all_three = (): IValue => IValue.fromList(new List(BoolType, [IValue.True, IValue.True, IValue.True]));

/** Replaces the node by its formula's forward, and inserts the formula's backward. Null: there is no formula. */
function build_script_grad(node: Node, grads: readonly Value[]): readonly Value[] | null {
  const schema = node.maybeSchema();
  const pair = schema === null ? null : gradientInfoForSchema(schema);
  if (pair === null) return null;
  const graph = node.owningGraph();
  const results = withInsertPoint(node.next(), () => {
    const values = unpackOutputs(insertGraph(graph, pair.forward, node.inputs()));
    TORCH_INTERNAL_ASSERT(values.length === node.outputs().length + 1);
    for (const [i, output] of node.outputs().entries()) {
      values[i].setType(output.type());
      output.replaceAllUsesWith(values[i]);
    }
    return values;
  });
  const context = results[results.length - 1];
  const taken = node.isMemberOf(need_trim_grad_ops) ? grads.slice(0, 1) : grads;
  return unpackOutputs(insertGraph(graph, pair.backward, [context, ...taken]));
}

/** Three gradients of an operator that gives them as a tuple. */
function threeGradients(graph: Graph, name: string, args: readonly (Value | IValue)[]): readonly Value[] {
  const tuple = insert(graph, name, args, [], nowhere);
  return graph.insertNode(graph.createTupleUnpack(tuple)).outputs();
}

/** Gradients of a node's inputs; null for an input that has none. */
function gradientsOf(node: Node, grads: readonly Value[]): readonly (Value | null)[] {
  if (!isDifferentiable(node))
    throw new RuntimeError(
      `differentiation of ${node.kind()} is not supported, or it is missing necessary type information`,
    );
  const scripted = build_script_grad(node, grads);
  if (scripted !== null) return scripted;
  const graph = node.owningGraph();
  const inputs = node.inputs();
  switch (node.kind()) {
    case "prim::AutogradAdd":
      return [grads[0], grads[0]];
    case "prim::profile":
      return [grads[0]];
    case "prim::Constant":
    case "prim::AutogradZero":
      return [];
    case "prim::ConstantChunk": {
      const is_list = grads.length === 1 && grads[0].type().isSubtypeOf(ListType.create(TensorType));
      const list = is_list ? grads[0] : graph.insertNode(graph.createList(TensorType, grads)).output();
      const dim = graph.insertConstant(IValue.fromInt(node.i("dim")));
      return [graph.insertNode(graph.create("aten::cat", [list, dim])).output()];
    }
  }
  if (node.matches(SLOW_CONV2D)) {
    const sizes = ["kernel_size", "stride", "padding"].map((name) => node.namedInput(name));
    const [x, w, b] = threeGradients(graph, "aten::_slow_conv2d_backward", [
      ...[grads[0], inputs[0], inputs[1], ...sizes],
      all_three(),
    ]);
    return [x, w, null, b, null, null];
  }
  if (node.matches(NATIVE_BATCH_NORM)) {
    const [, mean, invstd] = node.outputs();
    const [x, w, b] = threeGradients(graph, "aten::native_batch_norm_backward", [
      ...[grads[0], inputs[0], inputs[1], inputs[3], inputs[4], mean, invstd, inputs[5], inputs[7]],
      all_three(),
    ]);
    return [x, w, b, null, null, null, null, null];
  }
  throw new RuntimeError(`failed to differentiate \`${node.kind()}\``);
}

/** Puts a node's backward into a `prim::GradOf`. It is linear: zeros give zeros, and then it need not run. */
function linearGradientForNode(node: Node, grads: readonly Value[]): (Value | null)[] {
  const graph = node.owningGraph();
  const taken = node.isMemberOf(need_trim_grad_ops) ? grads.slice(0, 1) : grads;
  const linear = graph.insertNode(graph.create("prim::GradOf", taken, 0)).s_("name", node.kind());
  const block = linear.addBlock();
  const results = withInsertPoint(block, () => gradientsOf(node, taken));
  return results.map((grad) => {
    if (grad === null || grad.mustBeNone()) return null;
    block.registerOutput(grad);
    return linear.addOutput().copyMetadata(grad);
  });
}

function createAutogradAdd(a: Value, b: Value): Value {
  const graph = a.owningGraph();
  return graph.insertNode(graph.create("prim::AutogradAdd", [a, b])).output();
}

function outputRequiresGrad(output: Value): boolean {
  if (output.type().kind() !== "TensorType") return output.requires_grad();
  const { requiresGrad } = tensor_facts(output.type());
  if (requiresGrad !== null) return requiresGrad;
  const node = output.node();
  if (node.kind() !== "prim::profile" || !node.hasAttribute("profiled_type")) return true;
  return tensor_facts(node.ty("profiled_type")).requiresGrad ?? true;
}

/** The block of backward, and the gradient of each value that has one. */
interface ReverseDetails {
  readonly grad_map: Map<Value, Value>;
  readonly reverse_block: Block;
}

/** Writes backward into a block of a node that is in no list. */
function addReverseInline(gradient: Gradient): ReverseDetails {
  const graph = gradient.f;
  const reverse_block = graph.create("prim::Reverse", 0).addBlock();
  const guard = new WithInsertPoint(reverse_block);
  const grad_map = new Map<Value, Value>();
  const get_grad = (value: Value): Value => {
    let grad = grad_map.get(value);
    if (grad === undefined) grad_map.set(value, (grad = graph.insertNode(graph.createAutogradZero()).output()));
    return grad;
  };
  const set_grad = (value: Value, grad: Value): void => {
    const before = grad_map.get(value);
    grad_map.set(value, before === undefined ? grad : createAutogradAdd(before, grad));
  };

  for (const [i, output] of graph.outputs().entries()) {
    if (!outputRequiresGrad(output)) continue;
    set_grad(output, reverse_block.addInput().setType(output.type()));
    gradient.df_input_vjps.push(i);
  }
  for (const node of graph.nodes().reverse()) {
    if (!node.outputs().some((output) => output.requires_grad())) continue;
    const inputs = node.inputs();
    const grads = linearGradientForNode(node, node.outputs().map(get_grad));
    LowerSimpleTuplesOfBlock(reverse_block);
    TORCH_INTERNAL_ASSERT(grads.length === inputs.length);
    for (const [i, grad] of grads.entries()) if (grad !== null && inputs[i].requires_grad()) set_grad(inputs[i], grad);
  }
  for (const [i, input] of graph.inputs().entries()) {
    if (!input.requires_grad() || !grad_map.has(input)) continue;
    reverse_block.registerOutput(get_grad(input));
    gradient.df_output_vjps.push(i);
  }
  guard.restore();
  Inline(graph);
  return { grad_map, reverse_block };
}

/** Values of forward that backward uses, in order. */
function getReverseCaptures({ f: graph }: Gradient): Value[] {
  const captures: Value[] = [];
  const values = [...graph.inputs(), ...graph.nodes().flatMap((node) => [...node.outputs()])];
  for (const value of values)
    if (value.uses().some(({ user }) => user.owningBlock() !== graph.block())) captures.push(value);
  return captures;
}

function isInside(node: Node, container: Block): boolean {
  for (let block: Block | null = node.owningBlock(); block !== null; ) {
    if (block === container) return true;
    block = block.owningNode()?.owningBlock() ?? null;
  }
  return false;
}

/** Constants of forward are copied into backward, so that they are no captures. */
function liftConstants(block: Block, target: Block): void {
  const graph = block.owningGraph();
  for (const node of [...block.nodes(), block.return_node()]) {
    for (const input of [...node.inputs()]) {
      if (input.node().kind() !== "prim::Constant" || isInside(input.node(), target)) continue;
      const copy = target.prependNode(graph.createClone(input.node(), (value) => value));
      node.replaceInputWith(input, copy.output());
    }
    for (const inner of node.blocks()) liftConstants(inner, target);
  }
}

/** The sizes that an `aten::size` gives, if the tensor's type has them. */
function knownSizes(size: Value): readonly number[] | null {
  const tensor = size.node().inputs()[0];
  if (tensor?.type().kind() !== "TensorType") return null;
  return concrete_sizes(tensor_facts(tensor.type()).sizes);
}

/** Where sizes are known now, the question whether two of them differ is answered now. */
function foldSizeIfNotEqual(block: Block): void {
  for (const node of [...block.nodes(), block.return_node()]) {
    for (const input of [...node.inputs()]) {
      if (input.node().kind() !== "aten::_size_if_not_equal") continue;
      const [from, to] = input.node().inputs().map(knownSizes);
      if (from === null || to === null) continue;
      const differs = from.length !== to.length || from.some((size, i) => size !== to[i]);
      const sizes = IValue.fromList(
        new List(
          IntType,
          from.map((size) => IValue.fromInt(size)),
        ),
      );
      const constant = withInsertPoint(node, () => node.owningGraph().insertConstant(differs ? sizes : IValue.None));
      node.replaceInputWith(input, constant);
    }
    for (const inner of node.blocks()) foldSizeIfNotEqual(inner);
  }
}

/** A size that only backward needs is read there, if the tensor is captured anyway. */
function deduplicateSizeCaptures(gradient: Gradient, { reverse_block }: ReverseDetails): void {
  const primal_block = gradient.f.block();
  const captures = new Set(getReverseCaptures(gradient));
  for (const capture of captures) {
    const node = capture.node();
    if (node.kind() !== "aten::size" || !node.matches("aten::size(Tensor self) -> int[]")) continue;
    if (capture.uses().some(({ user }) => user.owningBlock() === primal_block) || !captures.has(node.input())) continue;
    const size = withInsertPoint(reverse_block.param_node().next(), () =>
      insert(gradient.f, "aten::size", [node.input()], [], nowhere),
    );
    capture.replaceAllUsesWith(size);
    node.destroy();
  }
}

function Optimize(gradient: Gradient, reverse: ReverseDetails): void {
  liftConstants(reverse.reverse_block, reverse.reverse_block);
  foldSizeIfNotEqual(reverse.reverse_block);
  EliminateCommonSubexpression(gradient.f);
  deduplicateSizeCaptures(gradient, reverse);
  // Gradients were made for all inputs of a node if one of its outputs may need one.
  const live = EliminateDeadCodeOfBlock(reverse.reverse_block);
  for (const [value, grad] of reverse.grad_map) if (!live.has(grad)) reverse.grad_map.delete(value);
}

/** Makes the block of backward a graph: what it uses from outside becomes an input. */
function lambdaLiftReverse(gradient: Gradient, { grad_map, reverse_block }: ReverseDetails): void {
  const graph = gradient.f;
  gradient.f_real_outputs = graph.outputs().length;
  for (const capture of getReverseCaptures(gradient)) {
    const output = graph.outputs().slice(0, gradient.f_real_outputs).indexOf(capture);
    const input = graph.inputs().lastIndexOf(capture);
    if (output >= 0) gradient.df_input_captured_outputs.push(output);
    else if (input >= 0) gradient.df_input_captured_inputs.push(input);
    else gradient.df_input_captured_outputs.push(graph.registerOutput(capture));
  }

  for (let i = gradient.f_real_outputs; i < graph.outputs().length; i++) {
    const temporary = graph.outputs()[i];
    const grad = grad_map.get(temporary);
    if (grad === undefined) continue;
    const incoming = reverse_block.addInput().setType(temporary.type());
    // The sum takes the incoming gradient twice at first: every use of the old gradient is replaced by the sum, but not the sum's own.
    const sum = withInsertPoint(reverse_block, () => createAutogradAdd(incoming, incoming));
    if (grad.node().kind() === "prim::Param") sum.node().moveBefore(grad.node().owningBlock().param_node().next());
    else sum.node().moveAfter(grad.node());
    grad.replaceAllUsesWith(sum);
    sum.node().replaceInput(1, grad);
    gradient.df_input_vjps.push(i);
  }

  const formal_of = new Map<Value, number>();
  const captured = [
    ...gradient.df_input_captured_inputs.map((i) => graph.inputs()[i]),
    ...gradient.df_input_captured_outputs.map((i) => graph.outputs()[i]),
  ];
  for (const value of captured) {
    formal_of.set(value, reverse_block.inputs().length);
    reverse_block.addInput().copyMetadata(value);
  }
  gradient.df.block().cloneFrom(reverse_block, (value) => gradient.df.inputs()[formal_of.get(value) as number]);
  (reverse_block.owningNode() as Node).destroy();
}

function packReturnValuesIntoTuple(graph: Graph): void {
  const returns = graph.return_node();
  const tuple = graph.appendNode(graph.createTuple(returns.inputs()));
  returns.removeAllInputs();
  returns.addInput(tuple.output());
}

/** Takes the graph: it becomes `f`. */
export function differentiate(graph: Graph): Gradient {
  const gradient = new Gradient(graph);
  const reverse = addReverseInline(gradient);
  Optimize(gradient, reverse);
  EliminateDeadCodeOfBlock(graph.block());
  lambdaLiftReverse(gradient, reverse);
  packReturnValuesIntoTuple(gradient.df);
  UpdateDifferentiableGraphRequiresGrad(graph, false);
  return gradient;
}
