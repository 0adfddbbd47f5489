/**
 * @file Results that are views of arguments, where sizes are symbols: the view is taken anew from the argument, with this call's numbers.
 * @mirrors torch/_functorch/_aot_autograd/functional_utils.py#gen_alias_from_base
 */
import type { StorageImpl } from "#c10/core/StorageImpl";
import { ops } from "#torch/_ops";
import { is_symbol, sizes_of, storage_offset_of, strides_of } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import type { Tensor } from "#torch/_tensor/index";
import type { ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import type { Expr } from "#torch/utils/_sympy/expr";
import { evaluate } from "#torch/utils/_sympy/functions";

/** Where a view lies in the memory of its base. */
interface Place {
  readonly size: readonly Expr[];
  readonly stride: readonly Expr[];
  /** Elements between the first ones of base and view. */
  readonly offset: readonly [view: Expr, base: Expr];
}

const storage_of = (t: Tensor): StorageImpl => t.cdata.storage().unsafeGetStorageImpl();

/** The numbers of this call by the symbols' names, as the arguments give them. */
function values_of(fake_args: readonly unknown[], args: readonly unknown[]): Map<string, number> {
  const values = new Map<string, number>();
  for (const [i, fake] of fake_args.entries()) {
    if (!is_symbol(fake)) continue;
    const { symbol } = fake.node.expr as Expr;
    if (symbol !== null) values.set(symbol, Number(args[i]));
  }
  return values;
}

/** The base as a tensor of the view's elements. */
function with_elements_of(base: Tensor, out: Tensor): Tensor {
  if (base.dtype === out.dtype) return base;
  const [from, to] = [base.is_complex(), out.is_complex()];
  if (from !== to) return (from ? ops.aten.view_as_real : ops.aten.view_as_complex).default(base) as Tensor;
  return base.view(out.dtype as never);
}

/**
 * A function that takes the view from an argument.
 * @param fake_view the view while the program was traced
 * @param fake_args arguments of the program, which bind its symbols
 * @param env knows what became of symbols after the program was traced: some were fixed
 */
export function view_at_run_time(
  fake_view: Tensor,
  fake_base: Tensor,
  fake_args: readonly unknown[],
  env: ShapeEnv | null,
): (base: Tensor, out: Tensor, args: readonly unknown[]) => Tensor {
  const place: Place = {
    size: sizes_of(fake_view),
    stride: strides_of(fake_view),
    offset: [storage_offset_of(fake_view), storage_offset_of(fake_base)],
  };
  return (base, out, args) => {
    const typed = with_elements_of(base, out);
    // The compiled code took the view itself: then its result tells the place.
    if (storage_of(out) === storage_of(base))
      return typed.as_strided([...out.shape], out.stride() as number[], out.storage_offset());
    const values = values_of(fake_args, args);
    const value_of = (expr: Expr): number | null =>
      evaluate(env?.replace(expr) ?? expr, (name) => values.get(name) ?? null);
    // Where data decides, the graph's own result has the numbers.
    if ([...place.size, ...place.stride, ...place.offset].some((expr) => value_of(expr) === null))
      return typed.as_strided(
        [...out.shape],
        out.stride() as number[],
        typed.storage_offset() + (out.storage_offset() as number),
      );
    const number_of = (expr: Expr): number => value_of(expr) as number;
    const [of_view, of_base] = place.offset.map(number_of) as [number, number];
    return typed.as_strided(
      place.size.map(number_of),
      place.stride.map(number_of),
      typed.storage_offset() + of_view - of_base,
    );
  };
}
