/**
 * @file Typing of formulas: every part gets its type, and overloads are chosen as in C++, from schemas for operators
 * and methods, from our sources for helpers. An unknown name, a wrong number of arguments or a value of the wrong type
 * is an error here.
 * @original In PyTorch the C++ compiler does this. Here nothing else would notice before the node runs.
 */
import { SchemaError } from "../errors.ts";
import type { Expression, TemplateArgument } from "./cpp_expression.ts";
import { constant } from "./formula_constants.ts";
import { convert, default_of_type, made } from "./formula_conversions.ts";
import { choose_overload } from "./formula_overloads.ts";
import type { FormulaScope, Overload, Overloads } from "./formula_scope.ts";
import {
  BOOL,
  base,
  DOUBLE,
  type FormulaType,
  INT,
  is_base,
  is_number,
  list_of,
  NOTHING,
  SCALAR,
  STRING,
  same_type,
  show_type,
  TENSOR,
  type_of_cpp,
  UNKNOWN,
} from "./formula_types.ts";
import type { Typed, TypedCall } from "./typed_formula.ts";

export type Variables = ReadonlyMap<string, FormulaType>;

/** Methods that C++'s operators on tensors call: for `x OP y`, and for `s OP y` if that differs. */
const TENSOR_OPERATORS: Readonly<Record<string, { readonly method: string; readonly reversed: string | null }>> = {
  "+": { method: "add", reversed: "add" },
  "-": { method: "sub", reversed: null },
  "*": { method: "mul", reversed: "mul" },
  "/": { method: "div", reversed: null },
  "%": { method: "remainder", reversed: null },
  "&": { method: "bitwise_and", reversed: "bitwise_and" },
  "|": { method: "bitwise_or", reversed: "bitwise_or" },
  "^": { method: "bitwise_xor", reversed: "bitwise_xor" },
  "<": { method: "lt", reversed: "gt" },
  "<=": { method: "le", reversed: "ge" },
  ">": { method: "gt", reversed: "lt" },
  ">=": { method: "ge", reversed: "le" },
  "==": { method: "eq", reversed: "eq" },
  "!=": { method: "ne", reversed: "ne" },
};
const COMPARISONS = new Set(["<", "<=", ">", ">="]);
/** Types whose values compare in TypeScript as in C++. */
const COMPARED = ["bool", "string", "ScalarType", "Layout", "MemoryFormat"];

const MATH_FUNCTIONS = new Set([
  "sqrt",
  "exp",
  "log",
  "pow",
  "abs",
  "floor",
  "ceil",
  "sin",
  "cos",
  "tanh",
  "min",
  "max",
]);
const NUMBER_CASTS: Readonly<Record<string, FormulaType>> = {
  double: DOUBLE,
  float: DOUBLE,
  int64_t: INT,
  int: INT,
  "c10::SymInt": INT,
};

/** @throws {SchemaError} with a hint */
export function type_formula(root: Expression, scope: FormulaScope, variables: Variables): Typed {
  return new Typing(scope, variables).type(root);
}

/** `value` converted to the type on the left side. */
export function as_wanted(value: Typed, wanted: FormulaType, what: string): Typed {
  const found = convert(value, wanted);
  if (found !== null) return found.value;
  throw new SchemaError(
    `this is ${show_type(value.type)}, but ${what} is ${show_type(wanted)}`,
    is_number(value.type) && is_base(wanted, "Tensor")
      ? "write a tensor: at::zeros({}, grad.options()), at::scalar_tensor(x, grad.options())"
      : `write an expression that gives ${show_type(wanted)}`,
  );
}

/** A value as a C++ condition. */
export function as_condition(value: Typed): Typed {
  const { type } = value;
  if (type.kind === "unknown" || is_base(type, "bool")) return value;
  if (type.kind === "optional") return operator("!==", BOOL, [value, text("null", NOTHING)]);
  if (is_number(type)) return operator("!==", BOOL, [value, text("0", INT)]);
  throw new SchemaError(
    `${show_type(type)} is not a condition`,
    is_base(type, "Tensor") ? "use x.defined(), or choose for each element: at::where(x, a, b)" : "write a comparison",
  );
}

class Typing {
  private readonly scope: FormulaScope;
  private readonly variables: Variables;

  constructor(scope: FormulaScope, variables: Variables) {
    this.scope = scope;
    this.variables = variables;
  }

  type(x: Expression): Typed {
    switch (x.kind) {
      case "number":
        return text(String(x.value), x.is_integer ? INT : DOUBLE);
      case "string":
        return text(JSON.stringify(x.value), STRING);
      case "name":
        return this.name(x.name);
      case "call":
        return this.call(x.callee, x.args);
      case "member":
        throw new SchemaError(`'${x.name}' is not called`, `a formula calls methods: write .${x.name}()`);
      case "index":
        return this.index(this.type(x.object), this.type(x.index));
      case "unary":
        return this.unary(x.op, this.type(x.operand));
      case "binary":
        return this.binary(x.op, this.type(x.left), this.type(x.right));
      case "conditional":
        return conditional(as_condition(this.type(x.test)), this.type(x.yes), this.type(x.no));
      case "braces":
        return this.braces(x);
      default:
        return this.lambda(x);
    }
  }

  private types(list: readonly Expression[]): Typed[] {
    return list.map((x) => this.type(x));
  }

  // Names

  private name(name: string): Typed {
    const variable = this.variables.get(name);
    if (variable !== undefined) return text(name, variable);
    if (name === "true" || name === "false") return text(name, BOOL);
    const found = constant(name);
    if (found !== null) return found;
    if (/^k[A-Z]/.test(own(name)) && this.scope.is_unknown(name)) return text(name, UNKNOWN);
    throw new SchemaError(
      `unknown name '${name}'`,
      this.scope.functions.has(name)
        ? `call it: ${name}(...)`
        : `names in scope: ${[...this.variables.keys()].join(", ")}`,
    );
  }

  private lambda(x: Expression & { kind: "lambda" }): Typed {
    const inner = new Map(this.variables);
    for (const p of x.parameters) inner.set(p.name, type_of_cpp(p.type.name, p.type.template));
    const body = new Typing(this.scope, inner).type(x.body);
    return { kind: "lambda", type: base("function"), parameters: x.parameters.map((p) => p.name), body };
  }

  private braces(x: Expression & { kind: "braces" }): Typed {
    const braces: Typed = { kind: "braces", type: base("braces"), items: this.types(x.items) };
    if (x.type?.kind !== "name") return braces;
    return as_wanted(braces, type_of_cpp(x.type.name, x.type.template), `'${x.type.name}'`);
  }

  private index(object: Typed, index: Typed): Typed {
    const { type } = object;
    if (type.kind !== "list" && type.kind !== "unknown")
      throw new SchemaError(`${show_type(type)} cannot be indexed`, "write .select(dim, index) for a row of a tensor");
    return {
      kind: "index",
      type: type.kind === "list" ? type.elem : UNKNOWN,
      object,
      index: as_wanted(index, INT, "an index"),
    };
  }

  // Operators

  private unary(op: string, operand: Typed): Typed {
    const { type } = operand;
    if (type.kind === "unknown") return operator(op, UNKNOWN, [operand]);
    if (op === "!")
      return type.kind === "optional"
        ? operator("===", BOOL, [operand, text("null", NOTHING)])
        : operator("!", BOOL, [as_condition(operand)]);
    if (op === "*" && type.kind === "optional") return { ...operand, type: type.elem };
    if (is_base(type, "Tensor") && (op === "-" || op === "~"))
      return this.method_call(operand, op === "-" ? "neg" : "bitwise_not", []);
    if (is_base(type, "Scalar") && op === "-") return this.method_call(operand, "neg", []);
    if (is_number(type) && op === "+") return operand;
    if (is_number(type) && op === "-")
      return operand.kind === "text" && /^[\d.]/.test(operand.text)
        ? { ...operand, text: `-${operand.text}` }
        : operator("-", type, [operand]);
    throw new SchemaError(`'${op}' on ${show_type(type)}`, "it works on tensors, numbers and (for '*') optionals");
  }

  private binary(op: string, left: Typed, right: Typed): Typed {
    if (op === "&&" || op === "||") return operator(op, BOOL, [as_condition(left), as_condition(right)]);
    if (is_base(left.type, "Tensor") || is_base(right.type, "Tensor")) return this.tensor_operator(op, left, right);
    if (left.type.kind === "unknown" || right.type.kind === "unknown") return operator(op, UNKNOWN, [left, right]);
    if (is_number(left.type) && is_number(right.type)) return arithmetic(op, left, right);
    const equality = op === "==" || op === "!=";
    if (equality && same_type(left.type, right.type) && is_base(left.type, ...COMPARED))
      return operator(`${op}=`, BOOL, [left, right]);
    throw new SchemaError(
      `'${op}' between ${show_type(left.type)} and ${show_type(right.type)}`,
      equality ? "compare values of one type" : "move it to a function in FunctionsManual/index.ts",
    );
  }

  /** As in ATen's TensorOperators.h: with a number on the left, the tensor's method is still used. */
  private tensor_operator(op: string, left: Typed, right: Typed): Typed {
    const { method, reversed } = TENSOR_OPERATORS[op] as { method: string; reversed: string | null };
    if (is_base(left.type, "Tensor") || left.type.kind === "unknown")
      return { ...(this.method_call(left, method, [right]) as TypedCall), infix: "left" };
    if (reversed !== null) return { ...(this.method_call(right, reversed, [left]) as TypedCall), infix: "right" };
    const y: Typed = { kind: "once", type: right.type, value: right };
    const preserve = text("MemoryFormat.Preserve", base("MemoryFormat"), "MemoryFormat");
    const options = text("TensorOptions.EMPTY", base("TensorOptions"), "TensorOptions");
    const filled = this.method_call(
      this.choose("empty_like", this.scope.at_functions.get("empty_like"), [y, options, preserve]),
      "fill_",
      [left],
    );
    return this.method_call(filled, `${method}_`, [y]);
  }

  // Calls

  private call(callee: Expression, args: readonly Expression[]): Typed {
    if (callee.kind === "member") return this.method_call(this.type(callee.object), callee.name, this.types(args));
    if (callee.kind !== "name")
      throw new SchemaError("this is not a function", "call a function or method by its name");
    const name = callee.name;
    const cast = this.cast(name, callee.template, args);
    if (cast !== null) return cast;
    const scoped = /^(?:c10::|at::)?(\w+)::(\w+)$/.exec(name);
    const statics = scoped === null ? undefined : this.scope.methods.get(`${scoped[1]}::`);
    if (scoped !== null && statics !== undefined) {
      const found = this.choose(name, statics.get(scoped[2]), this.types(args)) as TypedCall;
      const class_ = scoped[1];
      return { ...found, from: "static", imports: class_, name: `${class_}.${found.name}` };
    }
    return this.function_call(name, this.types(args));
  }

  private function_call(name: string, args: readonly Typed[]): Typed {
    const own_name = own(name);
    const numbers = args.length > 0 && args.every((a) => is_number(a.type));
    if (MATH_FUNCTIONS.has(own_name) && numbers && !name.startsWith("at::"))
      return call(`Math.${own_name}`, "static", DOUBLE, args);
    if (name.startsWith("std::")) throw unknown_std(name);
    const table = name.startsWith("at::") ? this.scope.at_functions : this.scope.functions;
    const overloads = table.get(own_name) ?? table.get(own_name.replace(/_symint$/, ""));
    if (overloads === undefined && this.scope.is_unknown(own_name.replace(/_symint$/, "")))
      return call(own_name, "unknown", UNKNOWN, args);
    return this.choose(name, overloads, args);
  }

  /** Casts, constructors, and the functions of `std::` that formulas use. */
  private cast(name: string, template: readonly TemplateArgument[] | null, args: readonly Expression[]): Typed | null {
    const target = name === "static_cast" && template !== null ? template[0] : undefined;
    const number = NUMBER_CASTS[typeof target === "object" ? target.name : name];
    if (number !== undefined) return number_cast(this.only(name, args), number);
    switch (name) {
      case "Scalar":
      case "at::Scalar":
      case "c10::Scalar":
        return as_wanted(this.only(name, args), SCALAR, "a Scalar");
      case "Tensor":
      case "at::Tensor":
        if (args.length === 0) return made("new Tensor", "Tensor", []);
        return as_wanted(this.only(name, args), TENSOR, "a Tensor");
      case "TensorGeometry":
      case "at::TensorGeometry":
        return made("TensorGeometry.of", "TensorGeometry", [as_wanted(this.only(name, args), TENSOR, "its argument")]);
      case "IntArrayRef":
      case "at::IntArrayRef":
        return as_wanted(this.only(name, args), list_of(INT), "a list of ints");
      case "std::move":
        return this.only(name, args);
      case "std::get":
        return this.tuple_element(template, this.only(name, args));
      case "std::make_tuple": {
        const items = this.types(args);
        return call("", "static", { kind: "tuple", elems: items.map((i) => i.type) }, items);
      }
      default:
        return template === null ? null : this.construct(name, template, args);
    }
  }

  /** `std::tuple<Tensor, Tensor>()`, `std::vector<c10::SymInt>(n, 0)`, `std::optional<Tensor>(x)`. */
  private construct(name: string, template: readonly TemplateArgument[], args: readonly Expression[]): Typed {
    const type = type_of_cpp(name, template);
    const values = this.types(args);
    if (values.length === 0) {
      const empty = default_of_type(type);
      if (empty !== null) return empty;
    }
    if (type.kind === "tuple")
      return as_wanted({ kind: "braces", type: base("braces"), items: values }, type, `'${name}'`);
    const count = values[0];
    if (type.kind === "list" && values.length > 0 && own(name) === "vector") {
      const value = values[1] ?? default_of_type(type.elem);
      if (value === null) throw new SchemaError(`no empty ${show_type(type.elem)}`, "give the value to repeat");
      const array = call("new Array", "static", type, [as_wanted(count, INT, "its length")]);
      return { ...call("fill", "method", type, [as_wanted(value, type.elem, "its value")]), object: array };
    }
    if (values.length !== 1) throw new SchemaError(`'${name}' of ${values.length} values`, "give one");
    return as_wanted(count, type, `'${name}'`);
  }

  private only(name: string, args: readonly Expression[]): Typed {
    if (args.length !== 1) throw new SchemaError(`'${name}' takes one value, not ${args.length}`, "give one");
    return this.type(args[0]);
  }

  private tuple_element(template: readonly TemplateArgument[] | null, object: Typed): Typed {
    const i = template?.[0];
    const { type } = object;
    const elem =
      type.kind === "tuple" && typeof i === "number" ? type.elems[i] : type.kind === "unknown" ? UNKNOWN : undefined;
    if (elem === undefined || typeof i !== "number")
      throw new SchemaError(
        `std::get<${String(i)}> of ${show_type(type)}`,
        "name an element that the tuple has, from 0",
      );
    return { kind: "index", type: elem, object, index: text(String(i), INT) };
  }

  private method_call(object: Typed, name: string, args: readonly Typed[]): Typed {
    const { type } = object;
    if (type.kind === "unknown") return { ...call(name, "method", UNKNOWN, args), object };
    if (type.kind === "optional") return this.optional_method(object, type.elem, name, args);
    if (type.kind === "list") return list_method(object, type.elem, name, args);
    const table = type.kind === "base" ? this.scope.methods.get(type.name) : undefined;
    const overloads =
      table?.get(name) ?? table?.get(name.replace(/_symint$/, "")) ?? table?.get(name.replace(/^sym_/, ""));
    if (overloads !== undefined) return { ...(this.choose(name, overloads, args) as TypedCall), object };
    if (is_base(type, "Tensor") && this.scope.is_unknown(name.replace(/_symint$/, "")))
      return { ...call(name, "method", UNKNOWN, args), object };
    throw new SchemaError(`${show_type(type)} has no method '${name}'`, way_out_of_method(name, type, table));
  }

  private optional_method(object: Typed, elem: FormulaType, name: string, args: readonly Typed[]): Typed {
    if (name === "has_value" && args.length === 0) return as_condition(object);
    if (name === "value" && args.length === 0) return { ...object, type: elem };
    if (name === "value_or" && args.length === 1)
      return operator("??", elem, [object, as_wanted(args[0], elem, "the other value")]);
    return this.method_call({ ...object, type: elem }, name, args);
  }

  private choose(name: string, overloads: readonly Overload[] | undefined, args: readonly Typed[]): TypedCall {
    if (overloads === undefined) throw this.no_function(name);
    return choose_overload(name, overloads, args);
  }

  private no_function(name: string): SchemaError {
    const overloaded = without_overload(name, this.scope.functions);
    return new SchemaError(
      `no function '${name}'`,
      overloaded === null
        ? "export it from src/torch/csrc-equivalent/autograd/FunctionsManual/index.ts, or add the operator to native_functions.yaml"
        : `write ${overloaded}(...) as PyTorch does: the overload follows from the arguments`,
    );
  }
}

/** The C++ name for a name that only our sources have: `mul` for `mul_Tensor`. */
function without_overload(name: string, table: Overloads | undefined): string | null {
  const base_name = /^(\w+?)_[A-Za-z0-9]+$/.exec(name)?.[1] ?? "";
  return table?.get(base_name)?.some((o) => o.name === name) === true ? base_name : null;
}

function way_out_of_method(name: string, type: FormulaType, table: Overloads | undefined): string {
  if (!is_base(type, "Tensor")) return `its methods: ${[...(table?.keys() ?? [])].join(", ") || "(none)"}`;
  if (["has_value", "value", "value_or"].includes(name))
    return "a missing tensor is an undefined tensor: use .defined()";
  const overloaded = without_overload(name, table);
  return overloaded === null
    ? "add the operator to native_functions.yaml with 'variants: method', or call a function"
    : `write .${overloaded}(...) as PyTorch does: the overload follows from the arguments`;
}

function list_method(object: Typed, elem: FormulaType, name: string, args: readonly Typed[]): Typed {
  const length: Typed = { kind: "property", type: INT, object, name: "length" };
  if (args.length === 0)
    switch (name) {
      case "size":
        return length;
      case "empty":
        return operator("===", BOOL, [length, text("0", INT)]);
      case "vec":
        return object;
      case "front":
        return { kind: "index", type: elem, object, index: text("0", INT) };
      case "back": {
        const once: Typed = { kind: "once", type: object.type, value: object };
        const last = operator("-", INT, [
          { kind: "property", type: INT, object: once, name: "length" },
          text("1", INT),
        ]);
        return { kind: "index", type: elem, object: once, index: last };
      }
      default:
    }
  throw new SchemaError(`a list has no method '${name}'`, "use size(), empty(), front(), back(), or an index");
}

/** Arithmetic of C++ numbers: the quotient of two ints is an int. */
function arithmetic(op: string, left: Typed, right: Typed): Typed {
  if (op === "==" || op === "!=") return operator(`${op}=`, BOOL, [left, right]);
  if (COMPARISONS.has(op)) return operator(op, BOOL, [left, right]);
  if (!["+", "-", "*", "/", "%"].includes(op))
    throw new SchemaError(`'${op}' between numbers`, "move it to a function in FunctionsManual/index.ts");
  const type = common_number(left.type, right.type);
  const found = operator(op, type, [left, right]);
  if (op !== "/") return found;
  if (is_base(type, "number"))
    throw new SchemaError("'/' between numbers that may be ints", "state their type: double(x) or int64_t(x)");
  return is_base(type, "int") ? call("Math.trunc", "static", INT, [found]) : found;
}

function common_number(a: FormulaType, b: FormulaType): FormulaType {
  if (is_base(a, "double") || is_base(b, "double")) return DOUBLE;
  return is_base(a, "int") && is_base(b, "int") ? INT : base("number");
}

function conditional(test: Typed, yes: Typed, no: Typed): Typed {
  const make = (type: FormulaType, a: Typed, b: Typed): Typed => ({ kind: "conditional", type, test, yes: a, no: b });
  if (same_type(yes.type, no.type)) return make(yes.type, yes, no);
  if (is_number(yes.type) && is_number(no.type)) return make(common_number(yes.type, no.type), yes, no);
  if (is_base(yes.type, "nullopt")) return make({ kind: "optional", elem: no.type }, yes, no);
  if (is_base(no.type, "nullopt")) return make({ kind: "optional", elem: yes.type }, yes, no);
  const to_yes = convert(no, yes.type);
  if (to_yes !== null) return make(yes.type, yes, to_yes.value);
  const to_no = convert(yes, no.type);
  if (to_no !== null) return make(no.type, to_no.value, no);
  throw new SchemaError(
    `one side of '?' is ${show_type(yes.type)}, the other ${show_type(no.type)}`,
    "give both the same type",
  );
}

function number_cast(value: Typed, to: FormulaType): Typed {
  if (!is_number(value.type) && value.type.kind !== "unknown")
    throw new SchemaError(`${show_type(value.type)} as a number`, "ask a Scalar: s.toDouble(), s.toLong()");
  if (is_base(to, "int") && !is_base(value.type, "int")) return call("Math.trunc", "static", INT, [value]);
  return { ...value, type: to };
}

function unknown_std(name: string): SchemaError {
  return new SchemaError(`no function '${name}'`, "move it to a function in FunctionsManual/index.ts");
}

/** The name without namespaces. */
function own(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

function text(text_: string, type: FormulaType, imports: string | null = null): Typed {
  return { kind: "text", type, text: text_, imports };
}

function operator(op: string, type: FormulaType, operands: readonly Typed[]): Typed {
  return { kind: "operator", type, op, operands };
}

function call(name: string, from: TypedCall["from"], type: FormulaType, args: readonly Typed[]): TypedCall {
  return { kind: "call", type, name, from, imports: null, object: null, args, reads: from === "static", infix: null };
}
