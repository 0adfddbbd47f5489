/**
 * @file `row<T>`, the only aggregate in kernel text: elements at a constant distance in memory, or (`row<row<T>>`) rows
 * at a constant distance. No machine has rows: a row is expanded into its parts as soon as it is typed. A `pointer<T>`
 * is a row of contiguous elements: its stride is the literal 1, which is neither passed nor multiplied by.
 *
 *   x: row<row<scalar_t>>      ->  x: Float32Array, x_offset: number, x_stride: number, x_inner_stride: number
 *   load(row_at(x, j), i)      ->  x[x_offset + j * x_stride + i * x_inner_stride]
 *   y: row<pointer<scalar_t>>  ->  y: Float32Array, y_offset: number, y_stride: number
 *   load(row_at(y, j), i)      ->  y[y_offset + j * y_stride + i]
 *
 * @original PyTorch passes pointers and strides, or a TensorAccessor.
 * @see Note [Rows] in src/aten/Dispatch.ts
 */
import type { ElementType } from "./element_types.ts";
import type { Node } from "./source.ts";
import { type Declaration, type Expression, LITERAL, NUMBER, type ValueType } from "./tree.ts";
import type { Typing } from "./typing.ts";

export interface Row {
  readonly t: ElementType;
  readonly view: Expression;
  readonly offset: Expression;
  /** One stride for each `row` in the type, the outermost first; for a `pointer` the literal 1. */
  readonly strides: readonly [Expression, ...Expression[]];
}

type RowType = ValueType & { readonly k: "row" };

/** The variables that form a row of this name. */
export function rowVariables(name: string, type: RowType, line: number): Row {
  const variable = (variable: string, type: ValueType): Expression => ({ node: "name", type, line, name: variable });
  const stride = (_: unknown, k: number): Expression =>
    type.packed && k === type.depth - 1
      ? { node: "literal", type: LITERAL, line, text: "1" }
      : variable(`${name}${"_inner".repeat(k)}_stride`, NUMBER);
  const [first, ...more] = Array.from({ length: type.depth }, stride) as [Expression, ...Expression[]];
  return {
    t: type.t,
    view: variable(name, { k: "data", t: type.t }),
    offset: variable(`${name}_offset`, NUMBER),
    strides: [first, ...more],
  };
}

/** The parts in the order in which they are passed. */
export function parts(row: Row): Expression[] {
  return [row.view, row.offset, ...row.strides];
}

/** Whether its elements are known to be side by side. */
export function isPacked(row: Row): boolean {
  return isLiteral(row.strides.at(-1) as Expression, "1");
}

/** The type as kernel text has it. */
export function writtenRow({ t, depth, packed }: { t: ElementType; depth: number; packed: boolean }): string {
  const rows = packed ? depth - 1 : depth;
  return `${"row<".repeat(rows)}${packed ? `pointer<${t.name}>` : t.name}${">".repeat(rows)}`;
}

/** Offset of element (or row) `i`. */
export function offsetOf(row: Row, i: Expression): Expression {
  return plus(row.offset, times(i, row.strides[0]));
}

/** The row that an expression stands for; null if it is no row. */
export function rowOf(node: Node, typing: Typing): Row | null {
  switch (node.type) {
    case "Identifier":
      return typing.rows.get(node.name) ?? null;
    case "MemberExpression": {
      const row = !node.computed && node.property.name === "inner" ? rowOf(node.object, typing) : null;
      return row === null ? null : inner(row, row.offset, node, typing);
    }
    case "CallExpression": {
      const name = node.callee.name;
      if (name !== "row_at" && name !== "row_from") return null;
      const row = wantRow(node.arguments[0], typing);
      const offset = offsetOf(row, typing.expression(node.arguments[1]));
      return name === "row_from" ? { ...row, offset } : inner(row, offset, node, typing);
    }
    case "ObjectExpression":
      return literal(node, typing);
    default:
      return null;
  }
}

export function wantRow(node: Node, typing: Typing): Row {
  return rowOf(node, typing) ?? typing.fail(node, "no row", "pass a row<T>, row_at(x, i) or { view, offset, stride }");
}

function inner(row: Row, offset: Expression, node: Node, typing: Typing): Row {
  const [, stride, ...more] = row.strides;
  if (stride === undefined)
    return typing.fail(node, "a row inside a row of elements", "use load(x, i), or row_from(x, i)");
  return { ...row, offset, strides: [stride, ...more] };
}

/** `{ view: x.view, offset: 0, stride: 1 }`; with `inner`, a row of rows like `inner`. */
function literal(node: Node, typing: Typing): Row {
  const fields = new Map<string, Node>(node.properties.map((p: Node) => [p.key.name, p.value]));
  const field = (name: string): Node =>
    fields.get(name) ?? typing.fail(node, `a row without ${name}`, "write { view, offset, stride }");
  const view = typing.expression(field("view"));
  if (view.type.k !== "data")
    return typing.fail(node, "the view of a row is not data<T>", "use the view of another row");
  const within = fields.get("inner");
  const strides = within === undefined ? [] : wantRow(within, typing).strides;
  return {
    t: view.type.t,
    view,
    offset: typing.expression(field("offset")),
    strides: [typing.expression(field("stride")), ...strides],
  };
}

/** `x.view`, `x.offset`, `x.stride`; null if the object is no row or the property is another one. */
export function rowProperty(node: Node, typing: Typing): Expression | null {
  const row = rowOf(node.object, typing);
  if (row === null || node.computed) return null;
  switch (node.property.name) {
    case "view":
      return row.view;
    case "offset":
      return row.offset;
    case "stride":
      return row.strides[0];
    default:
      return typing.fail(
        node,
        `a row has no ${node.property.name}`,
        "it has view, offset and stride; a row of rows also has inner",
      );
  }
}

/** `const r = row_at(x, j)`: parts that must be computed become variables, the others keep their names. */
export function declareRow(name: string, row: Row, typing: Typing, line: number): Declaration[] {
  const variables = rowVariables(name, { k: "row", t: row.t, depth: row.strides.length, packed: false }, line);
  const declarations: Declaration[] = [];
  const keep = (value: Expression, variable: Expression): Expression => {
    if (value.node === "literal" || variable.node !== "name" || typing.isConstant(value)) return value;
    declarations.push({ name: variable.name, type: variable.type, annotated: false, value });
    return variable;
  };
  const view = keep(row.view, variables.view);
  const offset = keep(row.offset, variables.offset);
  const [first, ...more] = row.strides.map((s, k) => keep(s, variables.strides[k]));
  typing.declareRow(name, { t: row.t, view, offset, strides: [first, ...more] });
  return declarations;
}

// ---- arithmetic that omits `+ 0` and `* 1`

function isLiteral(e: Expression, text: string): boolean {
  return e.node === "literal" && e.text === text;
}

function plus(left: Expression, right: Expression): Expression {
  if (isLiteral(right, "0")) return left;
  if (isLiteral(left, "0")) return right;
  return { node: "binary", type: NUMBER, line: left.line, operator: "+", left, right };
}

function times(left: Expression, right: Expression): Expression {
  if (isLiteral(left, "0") || isLiteral(right, "0"))
    return { node: "literal", type: LITERAL, line: left.line, text: "0" };
  if (isLiteral(right, "1")) return left;
  if (isLiteral(left, "1")) return right;
  return { node: "binary", type: NUMBER, line: left.line, operator: "*", left, right };
}
