/**
 * @file Decompositions of reductions and of operators that split tensors.
 * @mirrors torch/_decomp/decompositions.py
 * @see ../_refs/reductions.ts
 */

import type { Tensor } from "#torch/_tensor/index";
import type { NumberType } from "../_prims_common/index.ts";
import { type Keywords, out_wrapper, type Reference } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import type { dtype } from "../types.ts";
import { overload_of, register_decomposition } from "./index.ts";

/** Calls an overload of `aten`. */
function aten<R>(name: string, ...args: unknown[]): R {
  return (overload_of(name) as unknown as Reference<R>)(...args);
}

/** A row in which all elements are -inf (fully masked) gives zeros. */
register_decomposition("_safe_softmax", (self: Tensor, dim: number, dtype: dtype | null) => {
  const out = torch.softmax(self, dim, { dtype });
  const masked_rows = torch.all(torch.eq(self, -Infinity), dim, true);
  return torch.where(masked_rows, torch.zeros_like(out), out);
});

register_decomposition(
  "dist dist.out",
  out_wrapper((input: Tensor, other: Tensor, p: NumberType, _: Keywords) =>
    aten<Tensor>("norm.Scalar", torch.sub(input, other), p),
  ),
);

register_decomposition("unsafe_split.Tensor", (input: Tensor, split_size: number, dim: number) =>
  aten<Tensor[]>("split.Tensor", input, split_size, dim),
);
register_decomposition("unsafe_split_with_sizes", (input: Tensor, split_sizes: number[], dim: number) =>
  aten<Tensor[]>("split_with_sizes", input, split_sizes, dim),
);
