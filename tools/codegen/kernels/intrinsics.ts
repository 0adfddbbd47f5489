/**
 * @file The functions that only kernel text has: they read and write elements, convert, and give facts about the dtype.
 * @original `static_cast`, `std::numeric_limits` and pointers in C++.
 * @see src/aten/Dispatch.ts, which declares them for TypeScript
 */
import { elementNamed } from "./annotations.ts";
import { type ElementType, isFloating } from "./element_types.ts";
import { offsetOf, rowOf } from "./rows.ts";
import type { Node } from "./source.ts";
import { type Expression, element, LITERAL, NUMBER, TRUTH, VOID } from "./tree.ts";
import type { Typing } from "./typing.ts";

const FLAGS: Readonly<Record<string, (t: ElementType) => boolean>> = {
  is_floating: isFloating,
  is_integral: (t) => t.class === "integral",
  is_bool: (t) => t.class === "bool",
};

/** Types a call of the intrinsic `name`; null if there is none of that name. */
export function typeIntrinsic(node: Node, name: string, typing: Typing): Expression | null {
  const line: number = node.loc.start.line;
  switch (name) {
    case "load":
      return load(node, typing);
    case "store":
      return store(node, typing);
    case "cast":
      return cast(node, typing);
    case "bit_cast": {
      const value = typing.expression(node.arguments[0]);
      const t = typeElement(node, typing);
      if (value.type.k !== "element" || value.type.t.size !== t.size)
        return typing.fail(node, "bit_cast between types of different sizes", "both must have the same size");
      return { node: "bit_cast", type: element(t), line, value };
    }
    case "round_to": {
      const t = typeElement(node, typing);
      const value = typing.convert(typing.expression(node.arguments[0]), t, node);
      return { node: "round", type: element(t), line, value };
    }
    case "lower_bound":
    case "upper_bound":
    case "lowest":
    case "highest":
    case "epsilon": {
      const t = typeElement(node, typing);
      return { node: "limit", type: element(t), line, limit: name, of: t };
    }
    case "is_floating":
    case "is_integral":
    case "is_bool": {
      const value = FLAGS[name](typeElement(node, typing));
      return { node: "truth", type: TRUTH, line, value };
    }
    case "sizeof":
      return { node: "literal", type: LITERAL, line, text: String(typeElement(node, typing).size) };
    case "scratch": {
      const t = typeElement(node, typing);
      return { node: "scratch", type: { k: "data", t }, line, size: typing.expression(node.arguments[0]) };
    }
    case "TORCH_CHECK":
    case "TORCH_CHECK_INDEX": {
      const condition = typing.condition(node.arguments[0]);
      return { node: "check", type: VOID, line, name, condition, message: typing.expressions(node.arguments.slice(1)) };
    }
    case "CUDA_KERNEL_ASSERT": {
      const [condition] = node.arguments;
      const text = typing.text(condition);
      return { node: "assert", type: VOID, line, condition: typing.condition(condition), text };
    }
    default:
      return null;
  }
}

function load(node: Node, typing: Typing): Expression {
  const { t, data, index } = place(node, typing, "load of");
  return { node: "load", type: element(t), line: node.loc.start.line, data, index };
}

function store(node: Node, typing: Typing): Expression {
  const { t, data, index } = place(node, typing, "store to");
  const value = typing.convert(typing.expression(node.arguments[2]), t, node);
  return { node: "store", type: VOID, line: node.loc.start.line, data, index, value };
}

/** Element `i` of a row or of a whole array. */
function place(node: Node, typing: Typing, verb: string): { t: ElementType; data: Expression; index: Expression } {
  const [x, i] = node.arguments;
  const row = rowOf(x, typing);
  if (row !== null) {
    if (row.strides.length > 1) typing.fail(node, `${verb} a row of rows`, "take one row first: row_at(x, i)");
    return { t: row.t, data: row.view, index: offsetOf(row, typing.expression(i)) };
  }
  const data = typing.expression(x);
  if (data.type.k !== "data")
    return typing.fail(node, `${verb} something that is neither row<T> nor data<T>`, "declare it row<T>");
  return { t: data.type.t, data, index: typing.expression(i) };
}

function cast(node: Node, typing: Typing): Expression {
  const line: number = node.loc.start.line;
  const value = typing.expression(node.arguments[0]);
  if (typeArgument(node, typing) === "number") return { node: "cast", type: NUMBER, line, value };
  return { node: "cast", type: element(typeElement(node, typing)), line, value };
}

function typeArgument(node: Node, typing: Typing): string {
  const argument = (node.typeArguments ?? node.typeParameters)?.params[0];
  if (!argument)
    return typing.fail(node, `${node.callee.name} without a type argument`, `write ${node.callee.name}<scalar_t>(...)`);
  return typing.text(argument);
}

function typeElement(node: Node, typing: Typing): ElementType {
  const type = typeArgument(node, typing);
  return (
    elementNamed(type, typing.bindings) ??
    typing.fail(node, `"${type}" is not an element type`, "use scalar_t, acc_t, opmath_t, a type variable or a dtype")
  );
}
