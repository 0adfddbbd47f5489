/**
 * @file Makes a graph of TorchScript from nodes, and the computation that runs it.
 * @mirrors torch/csrc/lazy/ts_backend/ts_lowering_context.h
 */
import * as types from "#aten/core/jit_type";
import { TORCH_CHECK } from "#c10/util/Exception";
import { GraphFunction } from "../../jit/api/function_impl.ts";
import { Graph, type Value as JitValue } from "../../jit/ir/ir.ts";
import { graph_made } from "../../jit/recording.ts";
import { executor_factory, type GraphExecutorImplBase } from "../../jit/runtime/graph_executor/index.ts";
import "../../jit/runtime/profiling_graph_executor_impl.ts";
import type { BackendData } from "../backend/backend_data.ts";
import type { BackendDevice } from "../backend/backend_device.ts";
import { Computation, LoweringContext } from "../backend/lowering_context.ts";
import type { Node, Output } from "../core/ir.ts";
import { ComputePostOrder, type EmissionMap } from "../core/ir_util.ts";
import { TsNode } from "./ts_node.ts";

export class TSComputation extends Computation {
  private readonly graph_: Graph;
  private executor_: GraphExecutorImplBase | null = null;

  constructor(graph: Graph) {
    super();
    this.graph_ = graph;
  }

  graph(): Graph {
    return this.graph_;
  }

  /** It profiles at the first run and specializes at the second, as for any function of TorchScript. */
  graph_executor(): GraphExecutorImplBase {
    this.executor_ ??= executor_factory.make(this.graph_, "");
    return this.executor_;
  }

  parameters_size(): number {
    return this.graph_.inputs().length;
  }

  parameter_names(): readonly string[] {
    return this.graph_.inputs().map((input) => input.debugName());
  }

  to_string(): string {
    return String(this.graph_);
  }
}

export class TSLoweringContext extends LoweringContext {
  private readonly graph_ = new Graph();
  private readonly function_: GraphFunction;
  private readonly parameters_map_ = new Map<BackendData, JitValue>();
  private readonly root_tuple_: JitValue[] = [];
  private readonly emitted_outputs_ = new Map<Node, JitValue[]>();

  constructor(name: string, device: BackendDevice, post_order: readonly Node[], emit_status: EmissionMap) {
    super(name, device, emit_status);
    this.function_ = new GraphFunction(name, this.graph_);
    for (const node of post_order) this.Lower(node);
  }

  /** The function that is being made; its graph has only the nodes so far. */
  function(): GraphFunction {
    return this.function_;
  }

  graph(): Graph {
    return this.graph_;
  }

  private Lower(node: Node): void {
    TORCH_CHECK(node instanceof TsNode, "Expected torch::lazy::TsNode but could not dynamic cast");
    const ops = (node as TsNode).Lower(this);
    TORCH_CHECK(ops.length === node.num_outputs(), "Failed to lower: ", node);
    this.emitted_outputs_.set(node, ops);
  }

  /** The value of TorchScript for an output. What is below it is lowered if it has not been. */
  GetOutputOp(output: Output): JitValue {
    if (!this.emitted_outputs_.has(output.node))
      for (const node of ComputePostOrder([output.node], this.emit_status_)) this.Lower(node);
    const ops = this.emitted_outputs_.get(output.node);
    TORCH_CHECK(ops !== undefined, "No TS operation emitted for output: ", output);
    return (ops as JitValue[])[output.index];
  }

  /** The graph's input for a value on the device. Nodes with the same value have the same input. */
  GetParameter(data: BackendData): JitValue {
    let param = this.parameters_map_.get(data);
    if (param === undefined) {
      param = this.graph_.addInput(`p${this.parameters_.length}`);
      this.parameters_map_.set(data, param);
      this.parameters_.push(data);
    }
    return param;
  }

  CreateTensorList(elements: readonly JitValue[]): JitValue {
    return this.graph_.insertNode(this.graph_.createList(types.TensorType, elements)).output();
  }

  override AddResult(output: Output): number {
    return this.root_tuple_.push(this.GetOutputOp(output)) - 1;
  }

  override Build(): TSComputation {
    for (const output of this.root_tuple_) this.graph_.registerOutput(output);
    graph_made("torch::lazy::TSLoweringContext::Build", this.graph_, "lowered to TorchScript");
    return new TSComputation(this.graph_);
  }
}
