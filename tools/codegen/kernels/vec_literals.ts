/**
 * @file Expressions in `@vec` kernel text whose value is known from the text, or once the dtype is known.
 * @original The C++ compiler's constexpr.
 */
import type { Node } from "./source.ts";
import type { Shape } from "./vec_types.ts";

type Known = number | boolean | null;

/**
 * The value, or null if only a call determines it. `named` returns the values of names. This runs very often, so it makes
 * no closure.
 */
export function literal_of(node: Node, shape: Shape, named: (name: string) => Known): Known {
  switch (node.type) {
    case "NumericLiteral":
    case "BooleanLiteral":
      return node.value;
    case "Identifier":
      return node.name === "Infinity" ? Infinity : node.name === "NaN" ? Number.NaN : named(node.name);
    case "MemberExpression":
      return node.object.name === "Math"
        ? ((Math as unknown as Record<string, number>)[node.property.name] ?? null)
        : null;
    case "UnaryExpression": {
      const value = literal_of(node.argument, shape, named);
      if (node.operator === "-" && typeof value === "number") return -value;
      return node.operator === "!" && value !== null ? !value : null;
    }
    case "BinaryExpression": {
      const l = literal_of(node.left, shape, named);
      if (typeof l !== "number") return null;
      const r = literal_of(node.right, shape, named);
      return typeof r === "number" ? computed(node.operator, l, r) : null;
    }
    case "ConditionalExpression": {
      const test = literal_of(node.test, shape, named);
      return test === null ? null : literal_of(test ? node.consequent : node.alternate, shape, named);
    }
    case "CallExpression":
      if (node.callee.name === "sizeof") return shape.size;
      if (node.callee.name === "vec_bytes") return shape.size * (16 >> shape.log2);
      return node.callee.name === "lanes" ? 16 >> shape.log2 : null;
    default:
      return null;
  }
}

function computed(operator: string, l: number, r: number): Known {
  switch (operator) {
    case "+":
      return l + r;
    case "-":
      return l - r;
    case "*":
      return l * r;
    case "/":
      return l / r;
    case "**":
      return l ** r;
    case "<<":
      return l << r;
    case ">>":
      return l >> r;
    case "===":
      return l === r;
    case "!==":
      return l !== r;
    case "<":
      return l < r;
    case ">":
      return l > r;
    case "<=":
      return l <= r;
    case ">=":
      return l >= r;
    default:
      return null;
  }
}
