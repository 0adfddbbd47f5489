/**
 * @file Operators whose result is a number, or has a size, that depends on data: symbols stand for them.
 * @mirrors torch/_subclasses/fake_impls.py#local_scalar_dense
 *
 *     x.item()         u0, or zuf0 for a float
 *     x.nonzero()      size (u0, 2); u0 is at least 0 and at most the number of elements
 *     x[x > 0]         x[i], where i are the columns of nonzero
 * The same question about the same tensor has the same answer, until somebody writes to the tensor.
 */
import { NotImplementedError, RuntimeError } from "#c10/util/Exception";
import { truth } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { NotImplemented, type OpOverload, ops } from "#torch/_ops";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { SymBool, SymInt } from "#torch/fx/experimental/sym_node";
import type { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { type Expr, integer, mul, ONE, Relation } from "#torch/utils/_sympy/expr";
import { by_name } from "./fake_tensor/call_arguments.ts";
import { DataDependentOutputException, DynamicOutputShapeException } from "./fake_tensor/exceptions.ts";
import type { FakeTensor, FakeTensorMode } from "./fake_tensor/index.ts";
import { type OpImplementation, register_symbolic_impl } from "./fake_tensor/op_implementations.ts";
import { sizes_of, sym_sizes } from "./fake_tensor/symbolic_sizes.ts";

const MAX_SIZE = 2 ** 63;

// Numbers ----------------------------------------------------------------------------------------------------------------

const local_scalar_dense: OpImplementation = (fake_mode, func, args) => {
  const { shape_env } = fake_mode;
  const arg = args[0] as FakeTensor;
  const known = arg.memo.get("item", arg);
  if (known !== null) return known;
  if (shape_env === null || !shape_env.allow_scalar_outputs) throw new DataDependentOutputException(func);
  const { dtype } = arg;
  if (dtype.is_complex) throw new NotImplementedError(`local_scalar_dense/item NYI for ${String(dtype)}`);
  const made = dtype.is_floating_point
    ? shape_env.create_unbacked_symfloat()
    : dtype === torch.bool
      ? shape_env.create_unbacked_symbool()
      : shape_env.create_unbacked_symint();
  arg.memo.set("item", arg, made);
  return made;
};
register_symbolic_impl("item _local_scalar_dense", local_scalar_dense);

/** A promise about such a number. */
register_symbolic_impl("_assert_scalar", (_mode, func, args, kwargs) => {
  const { self, assert_msg } = by_name(func, args, kwargs) as { self: unknown; assert_msg: string };
  const holds = self instanceof SymBool ? self.expect_true() : truth(self);
  if (!holds) throw new RuntimeError(assert_msg);
  return null;
});

// Sizes ------------------------------------------------------------------------------------------------------------------

type Size = number | SymInt;

/** The environment that makes symbols of sizes. @throws {DynamicOutputShapeException} if there is none */
function env_of({ shape_env }: FakeTensorMode, func: OpOverload): ShapeEnv {
  if (shape_env === null || !shape_env.allow_dynamic_output_shape_ops) throw new DynamicOutputShapeException(func);
  return shape_env;
}

/** A symbol for a size from 0 to `most`. */
function fresh_size(env: ShapeEnv, most = MAX_SIZE): SymInt {
  const size = env.create_unbacked_symint();
  env.constrain_range_for_size(size, most >= MAX_SIZE ? Number.POSITIVE_INFINITY : most);
  return size;
}

/** The largest number of elements that the sizes allow. */
const most_elements = (sizes: readonly Expr[], env: ShapeEnv): number => env.bound_sympy(sizes.reduce(mul, ONE)).upper;

/** How many of the elements are chosen: none of none. */
function chosen_size(env: ShapeEnv, sizes: readonly Expr[]): Size {
  return sizes.some((size) => env.replace(size).constant === 0) ? 0 : fresh_size(env, most_elements(sizes, env));
}

register_symbolic_impl("nonzero", (fake_mode, func, args) => {
  const env = env_of(fake_mode, func);
  const arg = args[0] as FakeTensor;
  const size = (arg.memo.get("nonzero", arg) ?? chosen_size(env, sizes_of(arg))) as Size;
  arg.memo.set("nonzero", arg, size);
  return fake_mode.with(() =>
    ops.aten.new_empty_strided.default(arg, [size, arg.dim()], [1, size], { dtype: torch.int64 }),
  );
});

/** The places of what is not zero, one tensor for each dimension. */
function columns(of: FakeTensor): unknown[] {
  const places = ops.aten.nonzero.default(of);
  return Array.from({ length: of.dim() }, (_, i) => ops.aten.select.int(places, 1, i));
}
register_symbolic_impl("nonzero_numpy", (fake_mode, _func, [self]) =>
  fake_mode.with(() => columns(self as FakeTensor)),
);

register_symbolic_impl("masked_select", (fake_mode, func, args) => {
  const env = env_of(fake_mode, func);
  const self = args[0] as FakeTensor;
  const most = most_elements(sizes_of(self), env);
  const size = fresh_size(env, most > 2 ? most : MAX_SIZE);
  return fake_mode.with(() => ops.aten.new_empty.default(self, [size]));
});

register_symbolic_impl("bincount", (fake_mode, func, args, kwargs) => {
  const { self, weights, minlength } = by_name(func, args, kwargs) as Record<string, unknown>;
  const env = env_of(fake_mode, func);
  const size = fresh_size(env);
  const least = minlength instanceof SymInt ? (minlength.node.expr as Expr) : integer(Number(minlength ?? 0));
  env.guard_or_defer_runtime_assert(new Relation(">=", size.node.expr as Expr, least));
  const of_weights = (weights as Tensor | null | undefined)?.dtype ?? null;
  const dtype = of_weights === null ? torch.int64 : of_weights === torch.float32 ? torch.float32 : torch.float64;
  return fake_mode.with(() => ops.aten.new_empty.default(self, [size], { dtype }));
});

register_symbolic_impl("repeat_interleave.Tensor", (fake_mode, func, args, kwargs) => {
  const { repeats, output_size } = by_name(func, args, kwargs) as { repeats: FakeTensor; output_size?: Size | null };
  const size = output_size ?? fresh_size(env_of(fake_mode, func));
  return fake_mode.with(() => ops.aten.new_empty.default(repeats, [size]));
});

/** @param along the dimension whose slices are compared; null: elements are */
function unique(
  fake_mode: FakeTensorMode,
  func: OpOverload,
  arg: FakeTensor,
  along: number | null,
  {
    inverse,
    counts,
    key,
  }: { readonly inverse: boolean; readonly counts: boolean; readonly key: "unique" | "unique_consecutive" },
): unknown {
  const env = env_of(fake_mode, func);
  const sizes = [...sym_sizes(arg)] as unknown as Size[];
  const exprs = sizes_of(arg);
  const known = along === null ? arg.memo.get(key, arg) : null;
  const size = (known ?? chosen_size(env, along === null ? exprs : [exprs[along] as Expr])) as Size;
  if (along === null) arg.memo.set(key, arg, size);
  const ints = (shape: readonly Size[]): unknown => ops.aten.new_empty.default(arg, shape, { dtype: torch.int64 });
  const always = along !== null && arg.fake_device.type === "cpu";
  return fake_mode.with(() =>
    tuple([
      ops.aten.new_empty.default(arg, along === null ? [size] : sizes.with(along, size)),
      ints(inverse || always ? (along === null ? sizes : [sizes[along] as Size]) : [0]),
      ints(counts || always ? [size] : [0]),
    ]),
  );
}

const from_front = (dim: unknown, rank: number): number => (Number(dim) < 0 ? Number(dim) + rank : Number(dim));

register_symbolic_impl(
  "_unique2 _unique unique_dim unique_consecutive unique_dim_consecutive",
  (fake_mode, func, args, kwargs) => {
    const named = by_name(func, args, kwargs) as Record<string, unknown>;
    const self = named["self"] as FakeTensor;
    const dim = named["dim"] ?? null;
    const how = {
      inverse: named["return_inverse"] === true,
      counts: named["return_counts"] === true,
      key: func.name().includes("consecutive") ? ("unique_consecutive" as const) : ("unique" as const),
    };
    const result = unique(fake_mode, func, self, dim === null ? null : from_front(dim, self.dim()), how) as Tensor[];
    return func._schema.returns.length === 2 ? tuple(result.slice(0, 2)) : result;
  },
);

// Masks ------------------------------------------------------------------------------------------------------------------

/** A mask as an index stands for the places where it is true. */
register_symbolic_impl("index.Tensor", (fake_mode, func, args) => {
  const [self, indices] = args as [FakeTensor, (FakeTensor | null)[]];
  const is_mask = (i: FakeTensor | null): boolean => i?.dtype === torch.bool || i?.dtype === torch.uint8;
  if (!indices.some(is_mask)) return NotImplemented;
  env_of(fake_mode, ops.aten.nonzero.default as OpOverload);
  const places = (index: FakeTensor | null): unknown[] => (index !== null && is_mask(index) ? columns(index) : [index]);
  return fake_mode.with(() => func(self, indices.flatMap(places)));
});
