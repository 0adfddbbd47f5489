/**
 * @file Instructions for phones: an operator gets only the arguments that have to be written; the interpreter that loads the file adds the
 * defaults of its own version.
 * @mirrors torch/csrc/jit/runtime/interpreter/code_impl.h#MobileCodeImpl
 */
import type { Graph, Node } from "../../ir/ir.ts";
import { CalculateNecessaryArgs } from "../calculate_necessary_args.ts";
import { allNodes } from "../graph_iterator.ts";
import { CodeImpl } from "./code_impl.ts";

/** Arguments of an operator that its calls in a graph write, and those of them that are `out=` arguments at the end. */
interface WrittenArgs {
  readonly specified: number;
  readonly out: number;
}

export class MobileCodeImpl extends CodeImpl {
  /** By the name of the operator: all its calls write as many arguments as the one that needs most. */
  private readonly written_args_ = new Map<string, WrittenArgs>();

  constructor(graph: Graph, function_name: string) {
    super(graph, function_name);
    for (const node of allNodes(this.graph_)) this.countArgs(node);
    this.run();
  }

  private countArgs(node: Node): void {
    const schema = node.maybeSchema();
    if (schema === null || schema.is_vararg()) return;
    const { num_necessary, num_out } = CalculateNecessaryArgs(schema.arguments(), node.inputs(), true);
    const name = String(schema.operator_name());
    const before = this.written_args_.get(name);
    this.written_args_.set(name, {
      specified: Math.max(num_necessary + num_out, before?.specified ?? 0),
      out: before?.out ?? num_out,
    });
  }

  /** The number of arguments that calls of an operator write; -1 if it has no fixed number. */
  num_specified_args(name: string): number {
    return this.written_args_.get(name)?.specified ?? -1;
  }

  protected override emitOperator(node: Node): void {
    const op = node.getOperator();
    const inputs = node.inputs();
    const written = this.written_args_.get(String(op.schema().operator_name()));
    if (written === undefined) {
      this.emitLoadInputs(inputs);
    } else {
      this.emitLoadInputs(inputs.slice(0, written.specified - written.out));
      this.emitLoadInputs(inputs.slice(inputs.length - written.out));
    }
    this.emitCallOf(node, op);
  }
}
