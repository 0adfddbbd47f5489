/**
 * @file `x[:n]` and `x[n - 1]` where `n` is a symbol: each index is one operator on the view before it, with the bounds that were written.
 * @mirrors torch/csrc/autograd/python_variable_indexing.cpp
 * @see python_variable_indexing.ts (all other indices, whose missing bounds become numbers)
 *
 *     x[:n, 1:]  ->  slice(x, 0, None, n), slice(_, 1, 1)
 */
import type { Tensor as AtTensor } from "#aten/generated/core/TensorBody";
import { Ellipsis } from "#aten/TensorIndexing";
import { is_symbolic } from "#c10/core/SymInt";
import { TORCH_CHECK_INDEX } from "#c10/util/Exception";
import { PySlice, Ellipsis as PythonEllipsis } from "#python/Objects/slice_values";

const is_ellipsis = (item: unknown): boolean => item === "..." || item === Ellipsis || item === PythonEllipsis;
const is_bound = (value: unknown): boolean => value == null || typeof value === "number" || is_symbolic(value);

/** None, `...`, a number or a slice of numbers, symbols among them. */
function is_view_index(item: unknown): boolean {
  if (item instanceof PySlice) return [item.start, item.stop, item.step].every(is_bound);
  return item === null || is_ellipsis(item) || typeof item === "number" || is_symbolic(item);
}

const has_symbol = (item: unknown): boolean =>
  is_symbolic(item) || (item instanceof PySlice && [item.start, item.stop, item.step].some(is_symbolic));

/** Whether a symbol is among indices that only take a view. */
export const is_symbolic_view = (items: readonly unknown[]): boolean =>
  items.some(has_symbol) && items.every(is_view_index);

/** The view that the indices take. Precondition: `is_symbolic_view(items)` */
export function symbolic_view(self: AtTensor, items: readonly unknown[]): AtTensor {
  const taken = items.filter((item) => item !== null && !is_ellipsis(item)).length;
  TORCH_CHECK_INDEX(taken <= self.dim(), "too many indices for tensor of dimension ", self.dim());
  let result = self;
  let dim = 0;
  for (const item of items) {
    if (item === null) result = result.unsqueeze(dim++);
    else if (is_ellipsis(item)) dim += self.dim() - taken;
    else if (item instanceof PySlice) result = sliced(result, dim++, item);
    else result = result.select_int(dim, item as number);
  }
  return result;
}

function sliced(self: AtTensor, dim: number, { start, stop, step }: PySlice): AtTensor {
  if (start == null && stop == null && step == null) return self;
  return self.slice_Tensor(
    dim,
    (start ?? null) as number | null,
    (stop ?? null) as number | null,
    (step ?? 1) as number,
  );
}
