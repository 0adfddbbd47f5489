/**
 * @file A function whose graph is the subgraph of a node: what `fork` starts, and what runs if a guard fails.
 * @original PyTorch makes a GraphFunction for it; here that class stands above the interpreter.
 */
import type { Function } from "#aten/core/function";
import { Argument, FunctionSchema } from "#aten/core/function_schema";
import { OperatorName } from "#aten/core/operator_name";
import type { Graph } from "../ir/ir.ts";

export class SubgraphFunction implements Function {
  private readonly name_: string;
  private readonly graph_: Graph;

  constructor(name: string, graph: Graph) {
    this.name_ = name;
    this.graph_ = graph;
  }

  qualname(): string {
    return this.name_;
  }
  name(): string {
    return this.name_;
  }
  graph(): Graph {
    return this.graph_;
  }
  getSchema(): FunctionSchema {
    const args = this.graph_.inputs().map((input, i) => new Argument(`argument_${i}`, input.type()));
    const returns = this.graph_.outputs().map((output) => new Argument("", output.type()));
    return new FunctionSchema(new OperatorName(this.name_), args, returns);
  }
  isGraphFunction(): boolean {
    return true;
  }
  ensure_defined(): void {}
}
