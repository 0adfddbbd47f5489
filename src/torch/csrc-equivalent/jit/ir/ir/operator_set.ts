/**
 * @file Sets of operators, and tables by operator, that are asked with a node.
 * @mirrors torch/csrc/jit/ir/ir.h#OperatorSet
 */
import type { FunctionSchema } from "#aten/core/function_schema";
import { getOperatorForLiteral, type Operator } from "../../runtime/operator.ts";
import type { Node } from "./node.ts";

/** The schemas of literals by the name of the operator; they are looked up when a node is asked about first. */
export class OperatorMap<T> {
  private pending: (readonly [string, T])[];
  private readonly map = new Map<string, { schema: FunctionSchema; value: T }[]>();

  constructor(entries: readonly (readonly [string, T])[] = []) {
    this.pending = [...entries];
  }

  insert(entries: readonly (readonly [string, T])[]): void {
    this.pending.push(...entries);
  }

  /** The value of the entry that a node's name and inputs fit, or null. */
  find(node: Node): T | null {
    this.lookUpAll();
    return this.map.get(node.kind())?.find(({ schema }) => node.matches(schema))?.value ?? null;
  }
  /** The value of an operator itself. */
  findOperator(op: Operator): T | null {
    this.lookUpAll();
    return this.map.get(op.schema().name())?.find(({ schema }) => schema === op.schema())?.value ?? null;
  }
  contains(node: Node): boolean {
    this.lookUpAll();
    return this.map.get(node.kind())?.some(({ schema }) => node.matches(schema)) ?? false;
  }

  private lookUpAll(): void {
    if (this.pending.length === 0) return;
    const pending = this.pending;
    this.pending = [];
    for (const [literal, value] of pending) {
      const schema = getOperatorForLiteral(literal).schema();
      const present = this.map.get(schema.name());
      if (present === undefined) this.map.set(schema.name(), [{ schema, value }]);
      else present.push({ schema, value });
    }
  }
}

export class OperatorSet extends OperatorMap<true> {
  constructor(literals: readonly string[]) {
    super(literals.map((literal) => [literal, true]));
  }
}
