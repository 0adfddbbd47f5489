/**
 * @file Expressions in `@vec` kernel text whose value is known from the text, or once the dtype is known.
 * @original The C++ compiler's constexpr.
 */
import type { Node } from "./source.ts";
import type { Shape } from "./vec_types.ts";

type Known = number | boolean | null;

/** The value, or null if only a call determines it. `named` returns the values of names. */
export function literal_of(node: Node, shape: Shape, named: (name: string) => Known): Known {
  const of = (n: Node): Known => literal_of(n, shape, named);
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
      const value = of(node.argument);
      if (node.operator === "-" && typeof value === "number") return -value;
      return node.operator === "!" && value !== null ? !value : null;
    }
    case "BinaryExpression": {
      const [l, r] = [of(node.left), of(node.right)];
      return typeof l === "number" && typeof r === "number" ? computed(node.operator, l, r) : null;
    }
    case "ConditionalExpression": {
      const test = of(node.test);
      return test === null ? null : of(test ? node.consequent : node.alternate);
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
