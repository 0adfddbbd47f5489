/**
 * @file Nodes that look at values while a graph runs, and what they saw: the types of tensors.
 * @mirrors torch/csrc/jit/runtime/profiling_record.cpp
 *
 * The mechanism in miniature: `prim::profile` stands in front of each use of a tensor that an optimization may ask about, and of each
 * output of a block. A run fills a table, value -> type, for its frame. At the end of the graph a node without inputs counts the run; the
 * last one merges the tables and writes the types into the nodes:
 *
 *     %3 : Tensor = prim::profile[profiled_type=Float(4, strides=[1], requires_grad=1, device=cpu), seen_none=0](%x)
 */
import type { IValue } from "#aten/core/ivalue";
import { OptionalType, TensorType, type Type } from "#aten/core/jit_type";
import { pop, type Stack } from "#aten/core/stack";
import { concrete_sizes, merge, tensor_facts, tensor_type_from, with_facts } from "#aten/core/tensor_type";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { GradMode } from "#c10/core/GradMode";
import { type Block, type Graph, Node, type Value } from "../ir/ir.ts";
import { unprofileBlock, unprofileGraphInputs } from "../passes/clear_profiling.ts";
import { isSupported } from "../passes/tensorexpr_fuser/supported.ts";
import { isDifferentiable } from "./autodiff.ts";
import { executor_settings } from "./executor_settings.ts";

type Callback = (stack: Stack) => void;

/** A node with a callback. It finds the number of the frame on top of the stack, and below it the value, which it leaves there. */
class ProfileNode extends Node {
  static readonly __name__ = "Node";
  private callback_: Callback;

  constructor(graph: Graph, kind: "prim::profile" | "prim::profile_ivalue", callback: Callback) {
    super(graph, kind);
    this.callback_ = callback;
  }

  getCallback(): Callback {
    return this.callback_;
  }
  setCallback(callback: Callback): void {
    this.callback_ = callback;
  }
  override allocNewInstance(graph: Graph): Node {
    return new ProfileNode(graph, this.kind() as "prim::profile", this.callback_);
  }
}

export type { ProfileNode };

const nothing: Callback = () => {};

/** The type of a tensor, as it matters now: without grad mode nothing requires gradients. */
export function tensorTypeInCurrentExecutionContext(tensor: Tensor): Type {
  if (!tensor.defined()) return with_facts(TensorType, { undefined: true });
  const type = tensor_type_from(tensor);
  return GradMode.is_enabled() ? type : with_facts(type, { requiresGrad: false });
}

/** Kinds whose inputs are worth a look, beside those that a fuser or autodiff takes. */
const with_profiled_inputs = new Set([
  ...["AutogradAdd", "AutogradAnyNonZero", "AutogradAllNonZero", "AutogradAllZero", "AutogradZero"].map(
    (name) => `prim::${name}`,
  ),
  ...["prim::dtype", "prim::device", "prim::is_cuda"],
  ...["dim", "size", "expand", "is_floating_point", "type_as", "t", "mm"].map((name) => `aten::${name}`),
]);
const with_profiled_outputs = new Set(["prim::AutogradAdd", "prim::AutogradZero"]);

function needsProfiledInputs(node: Node): boolean {
  return isSupported(node) || with_profiled_inputs.has(node.kind()) || isDifferentiable(node);
}

function needsProfiledOutput(node: Node): boolean {
  return isSupported(node) || with_profiled_outputs.has(node.kind()) || isDifferentiable(node);
}

function isOptionalTensor(type: Type): boolean {
  return type.kind() === "OptionalType" && type.isSubtypeOf(OptionalType.ofTensor());
}

/** Types by the values that profile nodes give. */
type ProfiledTypes = Map<Value, Type>;

export class ProfilingRecord {
  readonly profiled_graph_: Graph;
  private profiling_count_: number;
  private readonly profiled_types_per_frame_ = new Map<number, ProfiledTypes>();

  private constructor(graph: Graph) {
    this.profiled_graph_ = graph;
    this.profiling_count_ = executor_settings.num_profiled_runs;
  }

  /** A copy of the graph with profile nodes, and the record that they write to. */
  static instrumentGraph(graph: Graph): ProfilingRecord {
    const record = new ProfilingRecord(graph.copy());
    const profiled = record.profiled_graph_;
    unprofileGraphInputs(profiled);
    unprofileBlock(profiled.block());
    record.instrumentBlock(profiled.block());
    profiled.appendNode(new ProfileNode(profiled, "prim::profile", (stack) => record.countRun(stack)));
    return record;
  }

  graph(): Graph {
    return this.profiled_graph_;
  }
  /** Whether the graph ran often enough. */
  ready(): boolean {
    return this.profiling_count_ === 0;
  }

  /** A node that looks at values which are no tensors. */
  createProfileIValueNode(value: Value): ProfileNode {
    const node = new ProfileNode(this.profiled_graph_, "prim::profile_ivalue", nothing);
    node.addInput(value);
    node.addOutput().setType(value.type());
    return node;
  }

  private instrumentBlock(block: Block): void {
    for (const node of block.nodes()) {
      // This is asked of every node. A node that nothing else knows makes the formulas of its operator be compiled.
      const profiled = node.inputs().length > 0 && needsProfiledInputs(node);
      for (const [offset, input] of node.inputs().entries()) {
        const tensor = input.type().kind() === "TensorType";
        if ((tensor && (profiled || needsProfiledOutput(input.node()))) || (isOptionalTensor(input.type()) && profiled))
          this.insertShapeProfile(node, offset);
      }
      for (const inner of node.blocks()) this.instrumentBlock(inner);
    }
    // A use in the block itself lets later passes see the type without leaving the block.
    for (const [offset, output] of block.outputs().entries())
      if (output.type().kind() === "TensorType" || isOptionalTensor(output.type()))
        this.insertShapeProfile(block.return_node(), offset);
  }

  private insertShapeProfile(node: Node, offset: number): void {
    const input = node.input(offset);
    const profile = new ProfileNode(this.profiled_graph_, "prim::profile", nothing);
    profile.addInput(input);
    const output = profile.addOutput().setType(input.type());
    profile.ty_("profiled_type", TensorType).i_("seen_none", 0);
    profile.setCallback((stack) => {
      const frame_id = pop(stack).toInt();
      const value: IValue = stack[stack.length - 1];
      if (value.isTensor()) this.see(frame_id, output, value.toTensor());
      else if (value.isNone()) profile.i_("seen_none", 1);
    });
    profile.insertBefore(node);
    node.replaceInput(offset, output);
  }

  private see(frame_id: number, output: Value, tensor: Tensor): void {
    let types = this.profiled_types_per_frame_.get(frame_id);
    if (types === undefined) this.profiled_types_per_frame_.set(frame_id, (types = new Map()));
    const type = tensorTypeInCurrentExecutionContext(tensor);
    const seen = tensor.defined() ? types.get(output) : undefined;
    types.set(output, seen === undefined ? type : merge(seen, type));
  }

  private countRun(stack: Stack): void {
    pop(stack); // the frame
    if (this.profiling_count_ < 1) return;
    if (this.profiling_count_ === 1)
      for (const [output, type] of this.mergedTypes()) output.node().ty_("profiled_type", type);
    this.profiling_count_--;
  }

  private mergedTypes(): ProfiledTypes {
    const [first, ...others] = this.profiled_types_per_frame_.values();
    const merged: ProfiledTypes = new Map(first);
    for (const types of others) {
      for (const [output, type] of types) {
        const before = merged.get(output);
        merged.set(output, before === undefined ? type : mergeRuns(before, type));
      }
    }
    return merged;
  }

  /** Removes the node that counts runs. */
  static removeProfileCounter(block: Block): void {
    const is_counter = (node: Node): boolean => node.kind() === "prim::profile" && node.inputs().length === 0;
    block.nodes().reverse().find(is_counter)?.destroy();
  }
}

/** Sizes that differ become unknown. If the number of dimensions is the same, everything else stays as the first run had it. */
function mergeRuns(first: Type, next: Type): Type {
  const merged = merge(first, next);
  const { sizes } = tensor_facts(merged);
  if (sizes === null || concrete_sizes(sizes) !== null) return merged;
  return with_facts(first, { sizes });
}
