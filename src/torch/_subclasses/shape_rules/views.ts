/**
 * @file Shape rules of views: the same elements under other sizes and strides.
 * @original
 */
import type { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { add, type Expr, integer, mul, ONE, type Operator, Relation, sub, ZERO } from "#torch/utils/_sympy/expr";
import { FloorDiv, Max, Min, Mod } from "#torch/utils/_sympy/functions";
import { storage_offset_of } from "../fake_tensor/symbolic_sizes.ts";
import {
  broadcast,
  contiguous_strides,
  is_one,
  known_equal,
  numel,
  promise,
  promise_equal,
  promise_sizes,
  type RuleArguments,
  register_shape_rule,
  type Shape,
} from "./registry.ts";

const offset = (call: RuleArguments): Expr => call.env.replace(storage_offset_of(call.self));

/** The sizes that a program asks for, with -1 replaced by what is left. */
export function infer_size(call: RuleArguments, wanted: readonly Expr[], elements: Expr): Expr[] {
  promise_sizes(call.env, wanted);
  const at = wanted.findIndex((size) => size.constant === -1);
  const refusal = (): string => `shape '[${wanted.join(", ")}]' is invalid for input of size ${elements}`;
  if (at < 0) {
    promise_equal(call.env, numel(wanted), elements, refusal);
    return [...wanted];
  }
  const known = numel(wanted.filter((_, i) => i !== at));
  const left = FloorDiv(elements, known);
  promise_equal(call.env, Mod(elements, known), ZERO, refusal);
  return wanted.map((size, i) => (i === at ? call.env.replace(left) : size));
}

function view(call: RuleArguments): Shape[] {
  const sizes = infer_size(call, call.ints("size"), numel(call.sizes()));
  return [{ sizes, strides: strides_of_view(call, sizes), storage_offset: offset(call) }];
}

/** A contiguous tensor's view is contiguous; in another tensor each run of dimensions that lie one in the other is divided by itself. */
function strides_of_view(call: RuleArguments, sizes: readonly Expr[]): Expr[] | undefined {
  return call.self.is_contiguous()
    ? contiguous_strides(sizes, call.env)
    : computeStride(call.env, [call.sizes(), call.strides()], sizes);
}

/** The strides of a view; undefined if the order of the Meta kernel's strides decides. (aten/src/ATen/TensorUtils.cpp) */
function computeStride(
  env: ShapeEnv,
  [old, steps]: readonly [Expr[], Expr[]],
  sizes: readonly Expr[],
): Expr[] | undefined {
  const result = new Array<Expr>(sizes.length);
  let view_d = sizes.length - 1;
  let base = steps.at(-1);
  let elements = ONE;
  let view_elements = ONE;
  for (let d = old.length - 1; d >= 0 && base !== undefined; d--) {
    elements = mul(elements, old[d] as Expr);
    const outer = d === 0 ? null : (old[d - 1] as Expr);
    const joins = outer !== null && (is_one(env, outer) || known_equal(env, steps[d - 1] as Expr, mul(elements, base)));
    if (joins) continue;
    while (view_d >= 0 && (!known_equal(env, view_elements, elements) || is_one(env, sizes[view_d] as Expr))) {
      result[view_d] = mul(view_elements, base);
      view_elements = mul(view_elements, sizes[view_d] as Expr);
      view_d--;
    }
    if (!known_equal(env, view_elements, elements)) return undefined;
    if (outer === null) break;
    base = steps[d - 1] as Expr;
    elements = ONE;
    view_elements = ONE;
  }
  return view_d < 0 ? result : undefined;
}
register_shape_rule("view _unsafe_view reshape _reshape_alias", (call) =>
  call.get("size") === null && call.get("shape") === null
    ? null
    : call.get("size") === null
      ? reshape(call)
      : view(call),
);

function reshape(call: RuleArguments): Shape[] {
  return [{ sizes: infer_size(call, call.ints("shape"), numel(call.sizes())) }];
}

register_shape_rule("flatten.using_ints", (call) => {
  const sizes = call.sizes();
  const [start, end] = [call.dim("start_dim", sizes.length, 0), call.dim("end_dim", sizes.length, -1)];
  if (sizes.length === 0) return [{ sizes: [ONE] }];
  return [{ sizes: [...sizes.slice(0, start), numel(sizes.slice(start, end + 1)), ...sizes.slice(end + 1)] }];
});

register_shape_rule("unflatten.int", (call) => {
  const sizes = call.sizes();
  const dim = call.dim("dim", sizes.length);
  const parts = infer_size(call, call.ints("sizes"), sizes[dim] as Expr);
  return [{ sizes: [...sizes.slice(0, dim), ...parts, ...sizes.slice(dim + 1)] }];
});

/** Rearranges sizes and strides alike. */
function permuted(call: RuleArguments, order: readonly number[]): Shape[] {
  const [sizes, strides] = [call.sizes(), call.strides()];
  return [
    {
      sizes: order.map((i) => sizes[i] as Expr),
      strides: order.map((i) => strides[i] as Expr),
      storage_offset: offset(call),
    },
  ];
}

register_shape_rule("permute", (call) => {
  const rank = call.sizes().length;
  return permuted(
    call,
    (call.get("dims") as number[]).map((d) => (Number(d) < 0 ? Number(d) + rank : Number(d))),
  );
});
const swapped = (rank: number, a: number, b: number): number[] =>
  Array.from({ length: rank }, (_, i) => (i === a ? b : i === b ? a : i));
register_shape_rule("transpose.int transpose_", (call) => {
  const rank = call.sizes().length;
  return permuted(call, swapped(rank, call.dim("dim0", rank), call.dim("dim1", rank)));
});
register_shape_rule("t t_ numpy_T", (call) => {
  const rank = call.sizes().length;
  return permuted(call, rank < 2 ? [...Array(rank).keys()] : [...Array(rank).keys()].reverse());
});
register_shape_rule("mT adjoint", (call) => {
  const rank = call.sizes().length;
  return permuted(call, swapped(rank, rank - 2, rank - 1));
});

register_shape_rule("unsqueeze unsqueeze_", (call) => {
  const [sizes, strides] = [call.sizes(), call.strides()];
  const dim = call.dim("dim", sizes.length + 1);
  const stride = dim < sizes.length ? mul(sizes[dim] as Expr, strides[dim] as Expr) : ONE;
  return [
    {
      sizes: [...sizes.slice(0, dim), ONE, ...sizes.slice(dim)],
      strides: [...strides.slice(0, dim), stride, ...strides.slice(dim)],
      storage_offset: offset(call),
    },
  ];
});

register_shape_rule("squeeze squeeze_", (call) => {
  const [sizes, strides] = [call.sizes(), call.strides()];
  const named = call.get("dim") === null ? null : call.dims("dim", sizes.length);
  const kept = [...sizes.keys()].filter(
    (i) => (named !== null && !named.has(i)) || !is_one(call.env, sizes[i] as Expr),
  );
  return [
    {
      sizes: kept.map((i) => sizes[i] as Expr),
      strides: kept.map((i) => strides[i] as Expr),
      storage_offset: offset(call),
    },
  ];
});

function expanded(call: RuleArguments, wanted: readonly Expr[]): Shape[] {
  const [sizes, strides] = [call.sizes(), call.strides()];
  const added = wanted.length - sizes.length;
  const result: Expr[] = [];
  const steps: Expr[] = [];
  for (const [i, want] of wanted.entries()) {
    const size = sizes[i - added];
    if (size === undefined) {
      result.push(want);
      steps.push(ZERO);
    } else if (want.constant === -1 || want.equals(size)) {
      result.push(size);
      steps.push(strides[i - added] as Expr);
    } else if (is_one(call.env, size) && !is_one(call.env, want)) {
      result.push(want);
      steps.push(ZERO);
    } else {
      promise_equal(
        call.env,
        want,
        size,
        () => `expand: attempting to expand a dimension of length ${size} -> ${want}!`,
      );
      result.push(size);
      steps.push(strides[i - added] as Expr);
    }
  }
  return [{ sizes: result, strides: steps, storage_offset: offset(call) }];
}
register_shape_rule("expand", (call) => expanded(call, call.ints("size")));
register_shape_rule("expand_as", (call) => expanded(call, call.sizes(call.tensor("other") ?? call.self)));
register_shape_rule("broadcast_to", (call) => expanded(call, call.ints("size")));
register_shape_rule("broadcast_tensors", (call) => {
  const sizes = broadcast(call.env, ...call.tensors().map((t) => call.sizes(t)));
  return call.tensors().map(() => ({ sizes }));
});

/** A bound of a slice within `0 <= bound <= size`; null if the bound depends on data and may count from either end. */
function clamp(call: RuleArguments, bound: Expr, size: Expr): Expr | null {
  const { env } = call;
  const known = (op: Operator, a: Expr, b: Expr): boolean => env.guard_or(new Relation(op, a, b), false);
  if (!env.depends_on_data(bound) && !env.depends_on_data(size)) {
    const from_front = known("<", bound, ZERO) ? add(bound, size) : bound;
    if (known(">", from_front, size)) return size;
    return known("<", from_front, ZERO) ? ZERO : from_front;
  }
  const from_back = add(bound, size);
  if (known(">=", bound, ZERO))
    return known("<=", bound, size) ? bound : known(">", bound, size) ? size : Min(bound, size);
  if (!known("<", bound, ZERO)) return null;
  return known(">=", from_back, ZERO) ? from_back : known("<", from_back, ZERO) ? ZERO : Max(from_back, ZERO);
}

const INT64_MAX = 2 ** 53 - 1;

/** A symbol that is at least 0. */
function new_size(env: ShapeEnv): Expr {
  const made = env.create_unbacked_symint().node.expr as Expr;
  promise_sizes(env, [made]);
  return made;
}

/** The number of elements from `start` to `end`; a new symbol if the bounds are not known. */
function slice_length(env: ShapeEnv, start: Expr | null, end: Expr | null, size: Expr, step: Expr): Expr {
  if (start === null || end === null) {
    const length = new_size(env);
    promise(env, "<=", length, size);
    return length;
  }
  const parts = (of: Expr): Expr => FloorDiv(sub(add(of, step), ONE), step);
  const between = sub(end, start);
  if (env.guard_or(new Relation("<", end, start), false)) return ZERO;
  return env.guard_or(new Relation(">=", end, start), false) ? parts(between) : parts(Max(between, ZERO));
}

register_shape_rule("slice.Tensor", (call) => {
  const [sizes, strides] = [call.sizes(), call.strides()];
  const dim = call.dim("dim", sizes.length);
  const size = sizes[dim] as Expr;
  const { env } = call;
  const step = call.int("step", 1);
  const start = clamp(call, call.int("start", 0), size);
  const wanted = call.get("end") === null ? size : call.int("end");
  const end = (wanted.constant ?? 0) >= INT64_MAX ? size : clamp(call, wanted, size);
  const length = slice_length(env, start, end, size, step);
  const stride = strides[dim] as Expr;
  return [
    {
      sizes: sizes.map((s, i) => (i === dim ? env.replace(length) : s)),
      strides: strides.map((s, i) => (i === dim ? mul(stride, step) : s)),
      storage_offset: start === null ? new_size(env) : add(offset(call), mul(start, stride)),
    },
  ];
});

register_shape_rule("narrow", (call) => {
  const [sizes, strides] = [call.sizes(), call.strides()];
  const dim = call.dim("dim", sizes.length);
  const start = call.int("start");
  const first = (start.constant ?? 0) < 0 ? add(start, sizes[dim] as Expr) : start;
  return [
    {
      sizes: sizes.map((s, i) => (i === dim ? call.int("length") : s)),
      strides,
      storage_offset: add(offset(call), mul(first, strides[dim] as Expr)),
    },
  ];
});

register_shape_rule("select.int", (call) => {
  const [sizes, strides] = [call.sizes(), call.strides()];
  const dim = call.dim("dim", sizes.length);
  const index = call.int("index");
  const { env } = call;
  const from_front = env.guard_or(new Relation(">=", index, ZERO), false)
    ? index
    : env.guard_or(new Relation("<", index, ZERO), false)
      ? add(index, sizes[dim] as Expr)
      : null;
  return [
    {
      sizes: sizes.filter((_, i) => i !== dim),
      strides: strides.filter((_, i) => i !== dim),
      storage_offset:
        from_front === null
          ? (env.create_unbacked_symint().node.expr as Expr)
          : add(offset(call), mul(from_front, strides[dim] as Expr)),
    },
  ];
});

/** Parts of a dimension: the number of parts must be known. */
function parts(call: RuleArguments, lengths: readonly Expr[], dim: number): Shape[] {
  const [sizes, strides] = [call.sizes(), call.strides()];
  let start = offset(call);
  return lengths.map((length) => {
    const part = { sizes: sizes.map((s, i) => (i === dim ? length : s)), strides, storage_offset: start };
    start = add(start, mul(length, strides[dim] as Expr));
    return part;
  });
}

/** Lengths that depend on data have to fit. */
function promise_lengths(env: ShapeEnv, lengths: readonly Expr[], size: Expr): void {
  for (const length of lengths) {
    promise(env, ">=", length, ZERO);
    promise(env, "<=", length, size);
  }
  const sum = lengths.reduce(add, ZERO);
  promise_equal(env, sum, size, () => `Split sizes add up to ${sum} but got the tensor's size of ${size}`);
}

register_shape_rule("split.Tensor split.sizes split_with_sizes chunk", (call) => {
  const sizes = call.sizes();
  const dim = call.dim("dim", sizes.length);
  const size = sizes[dim] as Expr;
  const { env } = call;
  const given = call.get("split_sizes") ?? call.get("split_size");
  if (Array.isArray(given)) {
    const lengths = given.map((item) => call.expr(item));
    if (lengths.some((length) => env.depends_on_data(length))) promise_lengths(env, lengths, size);
    return parts(call, lengths, dim);
  }
  const chunks = call.get("chunks");
  const wanted =
    chunks === null ? call.expr(given) : FloorDiv(add(size, integer(Number(chunks) - 1)), integer(Number(chunks)));
  const length = env.replace(wanted);
  const count = env.specialize(FloorDiv(sub(add(size, length), ONE), length));
  const last = sub(size, mul(length, integer(count - 1)));
  return parts(
    call,
    Array.from({ length: count }, (_, i) => (i === count - 1 ? env.replace(last) : length)),
    dim,
  );
});

register_shape_rule("unbind.int", (call) => {
  const [sizes, strides] = [call.sizes(), call.strides()];
  const dim = call.dim("dim", sizes.length);
  const count = call.env.specialize(sizes[dim] as Expr);
  return Array.from({ length: count }, (_, i) => ({
    sizes: sizes.filter((_s, k) => k !== dim),
    strides: strides.filter((_s, k) => k !== dim),
    storage_offset: add(offset(call), mul(integer(i), strides[dim] as Expr)),
  }));
});

register_shape_rule("diagonal", (call) => {
  const [sizes, strides] = [call.sizes(), call.strides()];
  const [a, b] = [call.dim("dim1", sizes.length, 0), call.dim("dim2", sizes.length, 1)];
  const shift = call.number("offset", 0);
  const [rows, columns] = [sizes[a] as Expr, sizes[b] as Expr];
  const length = shift >= 0 ? Min(rows, sub(columns, integer(shift))) : Min(add(rows, integer(shift)), columns);
  const rest = [...sizes.keys()].filter((i) => i !== a && i !== b);
  const first = shift >= 0 ? mul(integer(shift), strides[b] as Expr) : mul(integer(-shift), strides[a] as Expr);
  return [
    {
      sizes: [...rest.map((i) => sizes[i] as Expr), Max(length, ZERO)],
      strides: [...rest.map((i) => strides[i] as Expr), add(strides[a] as Expr, strides[b] as Expr)],
      storage_offset: add(offset(call), first),
    },
  ];
});

register_shape_rule("as_strided", (call) => [
  {
    sizes: call.ints("size"),
    strides: call.ints("stride"),
    storage_offset: call.get("storage_offset") === null ? offset(call) : call.int("storage_offset"),
  },
]);
