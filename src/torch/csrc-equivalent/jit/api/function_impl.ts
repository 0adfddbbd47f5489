/**
 * @file A function of TorchScript: its graph, which is made when it is first needed, and its schema.
 * @mirrors torch/csrc/jit/api/function_impl.cpp
 */
import type { Function } from "#aten/core/function";
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { OperatorName } from "#aten/core/operator_name";
import { unshapedType } from "#aten/core/type";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import type { Graph } from "../ir/ir.ts";
import { ConstantPooling } from "../passes/constant_pooling.ts";
import { ConstantPropagationImmutableTypes } from "../passes/constant_propagation.ts";
import { Inline } from "../passes/inliner.ts";
import { PeepholeOptimize } from "../passes/peephole.ts";
import { recorded_pass } from "../recording.ts";
import { executor_settings } from "../runtime/executor_settings.ts";

/** A function was called while it was being compiled, so its return type is not known yet. */
export class RecursiveMethodCallError extends RuntimeError {}

export class GraphFunction implements Function {
  private readonly name_: string;
  private readonly graph_: Graph;
  /** Null when the graph is complete. */
  private function_creator_: ((fn: GraphFunction) => void) | null;
  private schema_: FunctionSchema | null = null;
  private optimized_graph_: Graph | null = null;

  /** @param creator fills the graph when it is needed; null if it is complete */
  constructor(name: string, graph: Graph, creator: ((fn: GraphFunction) => void) | null = null) {
    this.name_ = name;
    this.graph_ = graph;
    this.function_creator_ = creator;
  }

  qualname(): string {
    return this.name_;
  }

  name(): string {
    return this.name_.slice(this.name_.lastIndexOf(".") + 1);
  }

  graph(): Graph {
    return this.graph_;
  }

  /** A copy with inlined calls and without what constants make needless. It is made once. */
  optimized_graph(): Graph {
    if (this.optimized_graph_ === null) {
      this.ensure_defined();
      this.optimized_graph_ = this.graph_.copy();
      if (executor_settings.optimize) preoptimizeGraph(this.optimized_graph_);
    }
    return this.optimized_graph_;
  }

  /** Forgets the copy, because the graph was changed. */
  clear_optimized_graphs(): void {
    this.optimized_graph_ = null;
  }

  isGraphFunction(): boolean {
    return true;
  }

  /** @throws RecursiveMethodCallError if it is being compiled */
  ensure_defined(): void {
    const creator = this.function_creator_;
    if (creator !== null) {
      this.function_creator_ = placeholderCreator;
      creator(this);
      this.function_creator_ = null;
    }
    TORCH_CHECK(
      this.graph_.outputs().length === 1,
      "Method (but not graphs in general) require a single output. Use None/Tuple for 0 or 2+ outputs",
    );
  }

  getSchema(): FunctionSchema {
    this.schema_ ??= defaultSchemaFor(this);
    return this.schema_;
  }

  setSchema(schema: FunctionSchema): void {
    this.schema_ = schema;
  }

  num_inputs(): number {
    return this.graph_.inputs().length;
  }
}

/** Optimizations that do not depend on arguments: inlining, simple patterns, constants of immutable types, one node for equal constants. */
function preoptimizeGraph(graph: Graph): void {
  recorded_pass(graph, Inline);
  recorded_pass(graph, (each) => PeepholeOptimize(each, true), "torch::jit::PeepholeOptimize");
  recorded_pass(graph, ConstantPropagationImmutableTypes);
  recorded_pass(graph, ConstantPooling);
}

function placeholderCreator(): never {
  throw new RecursiveMethodCallError();
}

/** The schema of a graph that nobody declared: its inputs, with their names if they have any. */
function defaultSchemaFor(fn: GraphFunction): FunctionSchema {
  const graph = fn.graph();
  const args = graph.inputs().map((input, i) => {
    const name = input.hasDebugName() ? input.debugNameBase() : `argument_${i}`;
    return new Argument(name, unshapedType(input.type()));
  });
  const returns = graph.outputs().map((output) => new Argument("", unshapedType(output.type())));
  return new FunctionSchema(new OperatorName(fn.name()), args, returns);
}
