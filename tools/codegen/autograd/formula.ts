/**
 * @file A formula of derivatives.yaml: parsed as C++, typed, and converted to statements that evaluate in PyTorch's order.
 * @original In PyTorch a formula is C++ text that the compiler checks.
 *
 *     cpp_expression.ts      "grad * 2"        -> a tree of names, numbers, operators
 *     formula_typing.ts      grad: Tensor      -> mul.Scalar(grad, Scalar of the int 2)
 *     formula_printing.ts                      -> grad.mul_Scalar(Scalar.fromInt(2))
 */
import type { SavedAttribute } from "../api/autograd.ts";
import { CodegenError, type Place, SchemaError } from "../errors.ts";
import { parse_expression } from "./cpp_expression.ts";
import { type FormulaImports, print_expression, print_statements } from "./formula_printing.ts";
import type { FormulaScope } from "./formula_scope.ts";
import { BOOL, DOUBLE, type FormulaType, INT, list_of, TENSOR, type_of_typescript } from "./formula_types.ts";
import { as_condition, as_wanted, type_formula, type Variables } from "./formula_typing.ts";
import type { Typed } from "./typed_formula.ts";

/** A formula and its line in the file. */
export interface FormulaLine {
  readonly text: string;
  /** The formula for messages, if a part of `text` has been replaced. */
  readonly shown?: string;
  readonly place: Place;
  readonly field: string;
}

export class Formula {
  private readonly typed: Typed;

  /** @param wanted the type of the gradient, or the tuple of gradients, that it must give */
  constructor(line: FormulaLine, scope: FormulaScope, variables: Variables, wanted: FormulaType) {
    this.typed = in_formula(line, () =>
      as_wanted(type_formula(parse_expression(line.text), scope, variables), wanted, `the gradient of '${line.field}'`),
    );
  }

  /** Statements that store the formula's value with `assign`. */
  statements(assign: (value: string) => string, imports: FormulaImports): string[] {
    return print_statements(this.typed, assign, imports);
  }
}

/** A condition on the arguments, in TypeScript. */
export function condition_in_typescript(line: FormulaLine, scope: FormulaScope, variables: Variables): string {
  return in_formula(line, () =>
    print_expression(as_condition(type_formula(parse_expression(line.text), scope, variables))),
  );
}

/** Runs `work`; if it throws, the error names the formula. */
export function in_formula<T>(line: FormulaLine, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new CodegenError(line.place, line.field, `in '${line.shown ?? line.text}': ${error.message}`, error.way_out);
  }
}

/** The type of a saved value in a formula: an optional tensor that was not given is an undefined one. */
export function type_of_attribute(a: SavedAttribute): FormulaType {
  if (a.kind === "tensor" || a.kind === "optional_tensor") return TENSOR;
  if (a.kind === "tensor_list") return list_of(TENSOR);
  if (a.kind === "optional_tensor_list") return list_of({ kind: "optional", elem: TENSOR });
  return type_of_typescript(a.type, a.is_integer === true ? INT : DOUBLE);
}

/** The names that every formula can use beside saved values. */
export const GRADIENTS: Variables = new Map([
  ["grads", list_of(TENSOR)],
  ["retain_variables", BOOL],
]);
