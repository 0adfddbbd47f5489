/**
 * @file Shape rules of products of matrices, of attention, and of look-ups in a table.
 * @original
 */
import { RuntimeError } from "#c10/util/Exception";
import type { Expr } from "#torch/utils/_sympy/expr";
import { broadcast, promise_equal, type RuleArguments, register_shape_rule, type Shape } from "./registry.ts";

/** Rows of the first and columns of the second, whose inner sizes must be equal. */
function product(call: RuleArguments, a: readonly Expr[], b: readonly Expr[]): Expr[] {
  const { env } = call;
  if (a.length === 1 && b.length === 1) return inner(call, a[0], b[0]) ?? [];
  const rows = a.length > 1 ? [a.at(-2) as Expr] : [];
  const columns = b.length > 1 ? [b.at(-1) as Expr] : [];
  inner(call, a.at(-1), b.length > 1 ? b.at(-2) : b[0]);
  return [...broadcast(env, a.slice(0, -2), b.slice(0, -2)), ...rows, ...columns];
}

function inner(call: RuleArguments, a: Expr | undefined, b: Expr | undefined): null {
  const refusal = (): string => `a and b must have same reduction dim, but got ${a} and ${b}`;
  if (a === undefined || b === undefined) throw new RuntimeError(refusal());
  promise_equal(call.env, a, b, refusal);
  return null;
}

const two = (call: RuleArguments, a: string, b: string): readonly [Expr[], Expr[]] => [
  call.sizes(call.tensor(a) ?? undefined),
  call.sizes(call.tensor(b) ?? undefined),
];

register_shape_rule("mm bmm", (call) => [{ sizes: product(call, ...two(call, "self", "mat2")) }]);
register_shape_rule("mv", (call) => [{ sizes: product(call, ...two(call, "self", "vec")) }]);
register_shape_rule("dot", (call) => [{ sizes: product(call, ...two(call, "self", "tensor")) }]);
register_shape_rule("matmul", (call) => [{ sizes: product(call, ...two(call, "self", "other")) }]);
register_shape_rule("addmm", (call) => [{ sizes: product(call, ...two(call, "mat1", "mat2")) }]);
register_shape_rule("baddbmm", (call) => [{ sizes: product(call, ...two(call, "batch1", "batch2")) }]);
register_shape_rule("addmv", (call) => [{ sizes: product(call, ...two(call, "mat", "vec")) }]);

register_shape_rule("linear", (call) => {
  const [input, weight] = two(call, "input", "weight");
  inner(call, input.at(-1), weight.at(-1));
  return [{ sizes: [...input.slice(0, -1), ...weight.slice(0, -1)] }];
});

register_shape_rule("scaled_dot_product_attention", (call): Shape[] => {
  const [query, value] = two(call, "query", "value");
  return [{ sizes: [...query.slice(0, -1), value.at(-1) as Expr] }];
});

register_shape_rule("_scaled_dot_product_flash_attention_for_cpu", (call): Shape[] => {
  const [query, value] = two(call, "query", "value");
  return [{ sizes: [...query.slice(0, -1), value.at(-1) as Expr] }, { sizes: query.slice(0, -1) }];
});

register_shape_rule("embedding", (call) => {
  const [weight, indices] = two(call, "weight", "indices");
  return [{ sizes: [...indices, ...weight.slice(1)] }];
});

register_shape_rule("index_select", (call) => {
  const sizes = call.sizes();
  const dim = call.dim("dim", sizes.length);
  const count = call.sizes(call.tensor("index") ?? undefined)[0];
  return count === undefined ? null : [{ sizes: sizes.map((size, i) => (i === dim ? count : size)) }];
});
register_shape_rule("gather", (call) => [{ sizes: call.sizes(call.tensor("index") ?? undefined) }]);
register_shape_rule("take", (call) => [{ sizes: call.sizes(call.tensor("index") ?? undefined) }]);

/** Tensors as indices: their shapes together stand where the first of them stands, or in front if they are apart. */
register_shape_rule("index.Tensor _unsafe_index.Tensor", (call) => {
  const indices = call.get("indices") as readonly (Parameters<RuleArguments["sizes"]>[0] | null)[];
  const sizes = call.sizes();
  const places = indices.flatMap((index, i) => (index === null ? [] : [i]));
  if (indices.some((index) => index?.dtype.is_floating_point === false && String(index.dtype) === "torch.bool"))
    return null;
  const [first, last] = [places[0] ?? 0, places.at(-1) ?? 0];
  const joined = broadcast(call.env, ...places.map((i) => call.sizes(indices[i] ?? undefined)));
  const rest = sizes.filter((_, i) => !places.includes(i));
  const adjacent = last - first + 1 === places.length;
  return [{ sizes: adjacent ? [...sizes.slice(0, first), ...joined, ...sizes.slice(last + 1)] : [...joined, ...rest] }];
});
