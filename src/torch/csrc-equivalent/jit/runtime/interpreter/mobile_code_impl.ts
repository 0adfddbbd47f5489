/**
 * @file The instructions as an archive for the light interpreter holds them: arguments that equal the defaults are left out.
 * @mirrors torch/csrc/jit/runtime/interpreter/code_impl.h#MobileCodeImpl
 */
import type { Argument } from "#aten/core/function_schema";
import type { IValue } from "#aten/core/ivalue";
import { equal_ivalues } from "#aten/core/ivalue.impl";
import { toIValue } from "../../ir/constants.ts";
import type { Block, Graph, Node, Value } from "../../ir/ir.ts";
import { type Instruction, Op } from "../instruction.ts";
import { CodeImpl } from "./code_impl.ts";

/** How many arguments a call needs, and how many of them are `out` arguments at the end. */
interface NecessaryArgs {
  readonly needed: number;
  readonly out: number;
}

/** The leading arguments up to the last one that is not the constant of its default. `out` arguments behind it do not count. */
function CalculateNecessaryArgs(schema_args: readonly Argument[], inputs: readonly Value[]): NecessaryArgs {
  let last = schema_args.length - 1;
  while (last >= 0 && schema_args[last].is_out()) last--;
  const out = schema_args.length - last - 1;
  if (schema_args.length < inputs.length) return { needed: inputs.length, out };
  for (; last >= 0; last--) {
    const default_value = schema_args[last].default_value();
    const given = default_value === null ? null : toIValue(inputs[last]);
    if (default_value === null || given === null || !equal_ivalues(default_value, given)) break;
  }
  return { needed: last + 1, out };
}

/** The tables of one method in an archive for the light interpreter. */
export interface BytecodeTable {
  readonly instructions: readonly Instruction[];
  /** Name, overload name, and number of arguments; -1 for a vararg operator. */
  readonly operators: readonly (readonly [name: string, overload: string, num_args: number])[];
  readonly constants: readonly IValue[];
  readonly types: readonly string[];
  readonly register_size: number;
}

export class MobileCodeImpl extends CodeImpl {
  /** The most arguments that any call of an operator in this graph needs. */
  private readonly op_to_num_specified_args_ = new Map<string, NecessaryArgs>();

  constructor(graph: Graph, function_name: string) {
    super(graph, function_name);
    this.process_ops_for_mobile(this.graph_.block());
  }

  private process_ops_for_mobile(block: Block): void {
    for (const node of block.nodes()) {
      const op = node.maybeOperator();
      if (op !== null && !op.schema().is_vararg()) {
        const name = String(op.schema().operator_name());
        const { needed, out } = CalculateNecessaryArgs(op.schema().arguments(), node.inputs());
        const before = this.op_to_num_specified_args_.get(name)?.needed ?? 0;
        this.op_to_num_specified_args_.set(name, { needed: Math.max(needed + out, before), out });
      }
      for (const inner of node.blocks()) this.process_ops_for_mobile(inner);
    }
  }

  protected override emitOperator(node: Node): void {
    const op = node.getOperator();
    const counts = this.op_to_num_specified_args_.get(String(op.schema().operator_name()));
    const inputs = node.inputs();
    if (counts === undefined) this.emitLoadInputs(inputs);
    else {
      this.emitLoadInputs(inputs.slice(0, counts.needed - counts.out));
      this.emitLoadInputs(inputs.slice(inputs.length - counts.out));
    }
    this.emitCallOf(node, op);
  }

  /** The tables; operators stand in the order in which the instructions meet them. */
  bytecode(): BytecodeTable {
    const operators: [string, string, number][] = [];
    for (const [i, { op, X }] of this.instructions_.entries()) {
      if ((op !== Op.OP && op !== Op.OPN) || X !== operators.length) continue;
      const schema = this.instructions_source_[i].schema();
      const counts = this.op_to_num_specified_args_.get(String(schema.operator_name()));
      operators.push([schema.name(), schema.overload_name(), counts?.needed ?? -1]);
    }
    return {
      instructions: this.instructions_,
      operators,
      constants: this.constant_table_,
      types: this.type_table_.map((type) => type.annotation_str()),
      register_size: this.register_size_,
    };
  }
}
