/**
 * @file Fake tensors whose sizes are symbols: how the symbols are attached, and how they are read.
 * @mirrors torch/_subclasses/fake_tensor.py
 * @see src/c10/core/SymbolicShapeMeta.ts (the impl that keeps symbols and examples)
 */

import { FunctionalTensorWrapper } from "#aten/FunctionalTensorWrapper";
import { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { type SizeOrSymbol, type SymbolicShapeMeta, SymbolicTensorImpl, settled } from "#c10/core/SymbolicShapeMeta";
import { Tensor } from "#torch/_tensor/index";
import { SymBool, SymFloat, SymInt } from "#torch/fx/experimental/sym_node";
import type { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { compare, type Expr, integer, mul, ONE, Relation } from "#torch/utils/_sympy/expr";

/** Lets the impl of a fake tensor have symbols. */
export function with_symbolic_impl(data: AtTensor): AtTensor {
  const impl = SymbolicTensorImpl.of(data.impl_);
  impl.set_python_custom_device(true);
  impl.set_allow_tensor_metadata_change(true);
  const symbolic = new AtTensor(impl);
  symbolic.set_requires_grad(data.requires_grad());
  return symbolic;
}

const impl_of = (t: Tensor): SymbolicTensorImpl | null => {
  const impl = t.cdata.unsafeGetTensorImpl();
  return impl instanceof SymbolicTensorImpl ? impl : null;
};

/** A functional tensor has the symbols of its value. */
function meta_of(t: Tensor): SymbolicShapeMeta | null {
  const impl = t.cdata.unsafeGetTensorImpl();
  const has_symbols = impl instanceof SymbolicTensorImpl || impl instanceof FunctionalTensorWrapper;
  return has_symbols ? impl.symbolic_shape_meta() : null;
}

/** Whether some size, stride or offset is a symbol. */
export const has_symbolic_sizes = (t: Tensor): boolean => meta_of(t) !== null;

const expr_of = (size: SizeOrSymbol): Expr =>
  typeof size === "number" ? integer(size) : ((size as unknown as SymInt).node.expr as Expr);

export const sizes_of = (t: Tensor): Expr[] => (meta_of(t)?.sizes ?? t.cdata.sizes()).map(expr_of);
export const strides_of = (t: Tensor): Expr[] => (meta_of(t)?.strides ?? t.cdata.strides()).map(expr_of);
export const storage_offset_of = (t: Tensor): Expr =>
  expr_of(meta_of(t)?.storage_offset ?? t.cdata.unsafeGetTensorImpl().storage_offset());

/** The sizes as a program sees them: symbols are `SymInt`s. */
export const sym_sizes = (t: Tensor): readonly SizeOrSymbol[] => meta_of(t)?.sizes ?? t.cdata.sizes();
export const sym_strides = (t: Tensor): readonly SizeOrSymbol[] => meta_of(t)?.strides ?? t.cdata.strides();
export const sym_numel = (t: Tensor): SizeOrSymbol => meta_of(t)?.numel ?? t.cdata.numel();
export const sym_storage_offset = (t: Tensor): SizeOrSymbol =>
  meta_of(t)?.storage_offset ?? t.cdata.unsafeGetTensorImpl().storage_offset();

/** The symbols of sizes of these tensors, by their texts: a result has those of its arguments. */
export function symbols_among(tensors: readonly Tensor[]): Map<string, SizeOrSymbol> {
  const symbols = new Map<string, SizeOrSymbol>();
  for (const t of tensors)
    for (const size of meta_of(t)?.sizes ?? [])
      if (typeof size !== "number" && !symbols.has(String(size))) symbols.set(String(size), size);
  return symbols;
}

/**
 * Gives a fake tensor its symbols. Its impl already has the examples.
 * @param known symbols to use again
 */
export function attach_symbols(
  t: Tensor,
  env: ShapeEnv,
  shape: { readonly sizes: readonly Expr[]; readonly strides: readonly Expr[]; readonly storage_offset: Expr },
  known: ReadonlyMap<string, SizeOrSymbol> = new Map(),
): void {
  const impl = impl_of(t);
  if (impl === null) return;
  const own = (expr: Expr): SizeOrSymbol => expr.constant ?? (env.create_symintnode(expr) as unknown as SizeOrSymbol);
  const meta = {
    sizes: shape.sizes.map((size) => known.get(String(size)) ?? own(size)),
    strides: shape.strides.map(own),
    storage_offset: own(shape.storage_offset),
    numel: own(shape.sizes.reduce(mul, ONE)),
  };
  const is_symbolic = [...meta.sizes, ...meta.strides, meta.storage_offset].some((int) => typeof int !== "number");
  impl.set_symbolic_shape_meta(is_symbolic ? meta : null);
}

/** Gives a fake tensor of the same sizes the symbols of another. */
export function copy_symbols(to: Tensor, from: Tensor): void {
  const meta = meta_of(from);
  if (meta !== null) impl_of(to)?.set_symbolic_shape_meta(meta);
}

/** Takes the symbols away: the examples are the sizes. */
export function detach_symbols(t: Tensor): void {
  impl_of(t)?.set_symbolic_shape_meta(null);
}

export const is_symbol = (value: unknown): value is SymInt | SymFloat | SymBool =>
  value instanceof SymInt || value instanceof SymFloat || value instanceof SymBool;

/** The names of the symbols in a value: a symbol, a tensor, or a list of them. */
export function symbols_of_value(value: unknown): Set<string> {
  if (is_symbol(value)) return new Set(value.node.expr.free_symbols());
  if (value instanceof Tensor && has_symbolic_sizes(value)) {
    const exprs = [...sizes_of(value), ...strides_of(value), storage_offset_of(value)];
    return new Set(exprs.flatMap((expr) => [...expr.free_symbols()]));
  }
  return new Set(Array.isArray(value) ? value.flatMap((each) => [...symbols_of_value(each)]) : []);
}

/** A symbol's value in this run, which fixes nothing; a number that stands for it, if the value depends on data. */
export function hint_of(symbol: SymInt | SymFloat | SymBool): number | boolean {
  const { hint, expr, shape_env } = symbol.node;
  if (hint !== null) return hint;
  if (!(expr instanceof Relation)) return shape_env.example_of(expr);
  return compare(expr.op, shape_env.example_of(expr.lhs), shape_env.example_of(expr.rhs));
}

/** The memory of a tensor without data reaches as far as its sizes. */
function grow_storage(impl: SymbolicTensorImpl): void {
  const [sizes, strides] = [impl.sizes(), impl.strides()];
  const last = sizes.includes(0) ? -1 : sizes.reduce((at, size, i) => at + (size - 1) * (strides[i] as number), 0);
  const bytes = (impl.storage_offset() + last + 1) * impl.itemsize();
  const storage = impl.storage().unsafeGetStorageImpl();
  if (storage.nbytes() < bytes) storage.set_nbytes(bytes);
}

/** Gives a tensor the numbers that stand for its symbols now: news of a symbol may have changed them. */
export function refresh_examples(t: Tensor, env: ShapeEnv): void {
  const [impl, meta] = [impl_of(t), meta_of(t)];
  if (impl === null || meta === null) return;
  const example = (int: SizeOrSymbol): number => env.example_of(expr_of(int));
  settled(() => {
    const [sizes, strides] = [meta.sizes.map(example), meta.strides.map(example)];
    const offset = example(meta.storage_offset);
    const is_same =
      offset === impl.storage_offset() &&
      String(sizes) === String(impl.sizes()) &&
      String(strides) === String(impl.strides());
    if (is_same) return;
    impl.set_sizes_and_strides(sizes, strides, offset);
    grow_storage(impl);
  });
}

/** Fixes all symbols of a tensor. */
export function specialize(t: Tensor): void {
  const meta = meta_of(t);
  if (meta === null) return;
  for (const int of [...meta.sizes, ...meta.strides, meta.storage_offset]) if (typeof int !== "number") int.guard();
}

/** The strides of the examples, in which no symbol is fixed. */
export const example_strides = (t: Tensor): readonly number[] => settled(() => [...t.cdata.strides()]);
export const example_sizes = (t: Tensor): readonly number[] => settled(() => [...t.cdata.sizes()]);
