/**
 * @file Sets of operators, and tables by operator, that are asked with a node.
 * @mirrors torch/csrc/jit/ir/ir.h#OperatorSet
 */
import type { FunctionSchema } from "#aten/core/function_schema";
import { getOperatorForLiteral, type Operator } from "../../runtime/operator.ts";
import type { Node } from "./node.ts";

interface Entry<T> {
  readonly schema: FunctionSchema;
  readonly value: T;
}

/** Literals by the name of the operator. The schemas of a name are looked up when a node of that name is asked about first. */
export class OperatorMap<T> {
  private readonly literals = new Map<string, (readonly [string, T])[]>();
  private readonly entries = new Map<string, readonly Entry<T>[]>();

  constructor(entries: readonly (readonly [string, T])[] = []) {
    this.insert(entries);
  }

  insert(entries: readonly (readonly [string, T])[]): void {
    for (const entry of entries) {
      const name = entry[0].slice(0, entry[0].search(/[.(]/));
      const present = this.literals.get(name);
      if (present === undefined) this.literals.set(name, [entry]);
      else present.push(entry);
      this.entries.delete(name);
    }
  }

  /** The value of the entry that a node's name and inputs fit, or null. */
  find(node: Node): T | null {
    return this.of(node.kind()).find(({ schema }) => node.matches(schema))?.value ?? null;
  }
  /** The value of an operator itself. */
  findOperator(op: Operator): T | null {
    return this.of(op.schema().name()).find(({ schema }) => schema === op.schema())?.value ?? null;
  }
  contains(node: Node): boolean {
    return this.of(node.kind()).some(({ schema }) => node.matches(schema));
  }

  private of(name: string): readonly Entry<T>[] {
    let entries = this.entries.get(name);
    if (entries === undefined) {
      entries = (this.literals.get(name) ?? []).map(([literal, value]) => ({
        schema: getOperatorForLiteral(literal).schema(),
        value,
      }));
      this.entries.set(name, entries);
    }
    return entries;
  }
}

export class OperatorSet extends OperatorMap<true> {
  constructor(literals: readonly string[]) {
    super(literals.map((literal) => [literal, true]));
  }
}
