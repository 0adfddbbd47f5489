/**
 * @file The typed tree of a kernel for given dtypes: the author's statements and names, with the type of each
 * expression. Every implicit C++ conversion is a node. Its form on a machine (`Math.imul`, a table look-up) is left to
 * the printer.
 * @original The C++ compiler has such a tree while it instantiates a template.
 * @see typing.ts (makes it), print_js.ts (JavaScript of it)
 */
import type { ElementType } from "./element_types.ts";
import type { Helper } from "./source.ts";

/** The type of an expression. */
export type ValueType =
  /** One element of a dtype. */
  | { readonly k: "element"; readonly t: ElementType }
  /** A typed array of elements, read by `load` and written by `store`. */
  | { readonly k: "data"; readonly t: ElementType }
  /**
   * Elements at a constant distance; with `depth` 2, rows at a constant distance. `packed`: the elements are contiguous, and
   * their stride is no parameter. Only parameters and variables have this type: see rows.ts.
   */
  | { readonly k: "row"; readonly t: ElementType; readonly depth: number; readonly packed: boolean }
  /** A JavaScript array of elements. */
  | { readonly k: "array"; readonly t: ElementType }
  /** A literal, or an operation on literals: it takes the type of the other operand. */
  | { readonly k: "literal" }
  /** A plain number: a size, an index. */
  | { readonly k: "number" }
  | { readonly k: "truth" }
  | { readonly k: "void" }
  /** A value that kernel text does not compute with; `written` is the author's annotation, if there is one. */
  | { readonly k: "other"; readonly written: string | null };

export const NUMBER: ValueType = { k: "number" };
export const TRUTH: ValueType = { k: "truth" };
export const LITERAL: ValueType = { k: "literal" };
export const VOID: ValueType = { k: "void" };
export const OTHER: ValueType = { k: "other", written: null };

export function element(t: ElementType): ValueType {
  return { k: "element", t };
}

interface Base {
  readonly type: ValueType;
  /** Line in the author's file. */
  readonly line: number;
}

export type Expression = Base &
  (
    | { readonly node: "literal"; readonly text: string }
    | { readonly node: "truth"; readonly value: boolean }
    /** A string, `null`, or a constant of the file: a text with the same meaning in every instance. */
    | { readonly node: "verbatim"; readonly text: string }
    | { readonly node: "name"; readonly name: string }
    /** `Math.PI`, and the function in `Math.exp(x)`. */
    | { readonly node: "builtin"; readonly name: string }
    /** A bound of a dtype. */
    | { readonly node: "limit"; readonly limit: Limit; readonly of: ElementType }
    | { readonly node: "parenthesized"; readonly value: Expression }
    | { readonly node: "non_null"; readonly value: Expression }
    | { readonly node: "property"; readonly object: Expression; readonly name: string }
    | { readonly node: "index"; readonly object: Expression; readonly index: Expression }
    | { readonly node: "unary"; readonly operator: string; readonly operand: Expression }
    | { readonly node: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression }
    | { readonly node: "logical"; readonly operator: string; readonly left: Expression; readonly right: Expression }
    /** Whether a number or an element differs from 0. */
    | { readonly node: "nonzero"; readonly value: Expression }
    | { readonly node: "conditional"; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
    | { readonly node: "assign"; readonly operator: string; readonly target: Expression; readonly value: Expression }
    | { readonly node: "update"; readonly operator: string; readonly prefix: boolean; readonly target: Expression }
    | { readonly node: "list"; readonly elements: readonly Expression[] }
    | { readonly node: "new"; readonly callee: string; readonly args: readonly Expression[] }
    /** An implicit C++ conversion to an element of `type`. */
    | { readonly node: "convert"; readonly value: Expression }
    /** A conversion to `type`, an element or a number, that the author wrote: C++'s static_cast. */
    | { readonly node: "cast"; readonly value: Expression }
    /** The bits reinterpreted as a `type`. */
    | { readonly node: "bit_cast"; readonly value: Expression }
    /** The value as if it were stored as `type` and loaded again. */
    | { readonly node: "round"; readonly value: Expression }
    | { readonly node: "load"; readonly data: Expression; readonly index: Expression }
    | { readonly node: "store"; readonly data: Expression; readonly index: Expression; readonly value: Expression }
    /** A new typed array of `type`. */
    | { readonly node: "scratch"; readonly size: Expression }
    | {
        readonly node: "check";
        readonly name: string;
        readonly condition: Expression;
        readonly message: readonly Expression[];
      }
    /** An assertion, only on a GPU. `text`: the condition as it is written. */
    | { readonly node: "assert"; readonly condition: Expression; readonly text: string }
    | { readonly node: "call_helper"; readonly helper: Helper; readonly args: readonly Expression[] }
    | { readonly node: "call_instance"; readonly instance: string; readonly args: readonly Expression[] }
    | { readonly node: "call_method"; readonly callee: Expression; readonly args: readonly Expression[] }
  );

/** `lower_bound` and `upper_bound` are infinite if the dtype has infinities. */
export type Limit = "lower_bound" | "upper_bound" | "lowest" | "highest" | "epsilon";

export interface Declaration {
  readonly name: string;
  readonly type: ValueType;
  readonly annotated: boolean;
  readonly value: Expression | null;
}

export type Statement = { readonly line: number } & (
  | { readonly node: "declare"; readonly kind: "const" | "let"; readonly declarations: readonly Declaration[] }
  | { readonly node: "expression"; readonly value: Expression }
  /** One value per result. */
  | { readonly node: "return"; readonly values: readonly Expression[] }
  | { readonly node: "if"; readonly test: Expression; readonly yes: Block; readonly no: Block | null }
  | {
      readonly node: "for";
      readonly init: (Statement & { readonly node: "declare" }) | Expression | null;
      readonly test: Expression | null;
      readonly update: readonly Expression[];
      readonly body: Block;
    }
  | { readonly node: "while"; readonly test: Expression; readonly body: Block }
  | { readonly node: "do_while"; readonly test: Expression; readonly body: Block }
  | { readonly node: "block"; readonly body: Block }
  | { readonly node: "labeled"; readonly label: string; readonly body: Block }
  | { readonly node: "jump"; readonly word: "break" | "continue"; readonly label: string | null }
  | { readonly node: "switch"; readonly value: Expression; readonly cases: readonly Case[] }
);

export type Block = readonly Statement[];

export interface Case {
  /** The tested value; null for `default`. */
  readonly test: Expression | null;
  readonly body: Block;
}

export interface TypedFunction {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly type: ValueType }[];
  readonly returns: readonly ValueType[];
  readonly body: Block;
}

/** Calls `visit` for every expression of `statements`, the outer before the inner. */
export function eachExpression(statements: Block, visit: (e: Expression, parent: Expression | null) => void): void {
  const walk = (value: unknown, parent: Expression | null): void => {
    if (Array.isArray(value)) for (const v of value) walk(v, parent);
    else if (typeof value === "object" && value !== null) {
      const isExpression = "type" in value && "node" in value;
      if (isExpression) visit(value as Expression, parent);
      for (const [key, v] of Object.entries(value)) {
        if (key !== "type" && key !== "helper" && key !== "of") walk(v, isExpression ? (value as Expression) : parent);
      }
    }
  };
  walk(statements, null);
}
