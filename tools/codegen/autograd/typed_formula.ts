/**
 * @file A formula after typing: every overload is chosen, every conversion is explicit. `formula_printing.ts` prints this tree.
 * @original
 */
import type { Overload } from "./formula_scope.ts";
import type { FormulaType } from "./formula_types.ts";

export type Typed =
  /** A variable, literal or constant; `imports` is the class with which its text begins. */
  | { readonly kind: "text"; readonly type: FormulaType; readonly text: string; readonly imports: string | null }
  | TypedCall
  /** A TypeScript operator on values that are not tensors. */
  | { readonly kind: "operator"; readonly type: FormulaType; readonly op: string; readonly operands: readonly Typed[] }
  | {
      readonly kind: "conditional";
      readonly type: FormulaType;
      readonly test: Typed;
      readonly yes: Typed;
      readonly no: Typed;
    }
  | { readonly kind: "array"; readonly type: FormulaType; readonly items: readonly Typed[] }
  | { readonly kind: "index"; readonly type: FormulaType; readonly object: Typed; readonly index: Typed }
  | { readonly kind: "property"; readonly type: FormulaType; readonly object: Typed; readonly name: string }
  /** `{a, b}`, before its type is known. */
  | { readonly kind: "braces"; readonly type: FormulaType; readonly items: readonly Typed[] }
  | {
      readonly kind: "lambda";
      readonly type: FormulaType;
      readonly parameters: readonly string[];
      readonly body: Typed;
    }
  /** A value evaluated once and used in several places: the same object is in each place. */
  | { readonly kind: "once"; readonly type: FormulaType; readonly value: Typed };

export interface TypedCall {
  readonly kind: "call";
  readonly type: FormulaType;
  /** The text before the parenthesis; after the object and a dot if there is an object. */
  readonly name: string;
  /** `unknown`: not defined here, and reported elsewhere. */
  readonly from: Overload["from"] | "unknown";
  /** The class with which `name` begins. */
  readonly imports: string | null;
  readonly object: Typed | null;
  readonly args: readonly Typed[];
  readonly reads: boolean;
  /** The side of the object in `a * b`, which is a function of two arguments in C++ and a method here. */
  readonly infix: "left" | "right" | null;
}

export function children(node: Typed): readonly Typed[] {
  switch (node.kind) {
    case "text":
      return [];
    case "call":
      return node.object === null ? node.args : [node.object, ...node.args];
    case "operator":
      return node.operands;
    case "conditional":
      return [node.test, node.yes, node.no];
    case "array":
    case "braces":
      return node.items;
    case "index":
      return [node.object, node.index];
    case "property":
      return [node.object];
    case "lambda":
      return [node.body];
    default:
      return [node.value];
  }
}
