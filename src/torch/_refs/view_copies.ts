/**
 * @file References of views as copies: the view followed by `clone`.
 * @mirrors torch/_refs/__init__.py
 */

import type { Tensor } from "#torch/_tensor/index";
import { register_decomposition } from "../_decomp/index.ts";
import { _maybe_resize_out, _safe_copy_out, type Keywords, out_wrapper } from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";

type View = (...args: unknown[]) => Tensor | Tensor[];

function clone(view: Tensor): Tensor {
  return view.clone({ memory_format: torch.contiguous_format });
}

/** Registers `aten::name_copy` and its form with an output, for any overload. */
function _make_copy_from_view(name: string, overloads: string, return_none_on_out_variant = false): void {
  const view = out_wrapper((...args) => (torch.ops.aten[name] as unknown as View)(...args.slice(0, -1), rest(args)), {
    exact_dtype: true,
  });
  register_decomposition(overloads, (...args) => {
    const out = (args.at(-1) as Keywords).out ?? null;
    const result = view(...args) as Tensor | Tensor[];
    if (out !== null) return return_none_on_out_variant ? null : result;
    return Array.isArray(result) ? result.map(clone) : clone(result);
  });
}

/** The keywords for the view: all except `out`. */
function rest(args: readonly unknown[]): object {
  const { out: _, ...keywords } = args.at(-1) as Keywords;
  return keywords;
}

_make_copy_from_view("alias", "alias_copy alias_copy.out");
_make_copy_from_view("as_strided", "as_strided_copy as_strided_copy.out");
_make_copy_from_view("diagonal", "diagonal_copy diagonal_copy.out");
_make_copy_from_view("expand", "expand_copy expand_copy.out");
_make_copy_from_view("narrow", "narrow_copy narrow_copy.out");
_make_copy_from_view(
  "squeeze",
  "squeeze_copy squeeze_copy.out squeeze_copy.dim squeeze_copy.dim_out squeeze_copy.dims squeeze_copy.dims_out",
);
_make_copy_from_view("permute", "permute_copy permute_copy.out");
_make_copy_from_view("t", "t_copy t_copy.out");
_make_copy_from_view("transpose", "transpose_copy.int transpose_copy.int_out");
_make_copy_from_view("unbind", "unbind_copy.int unbind_copy.int_out", true);
_make_copy_from_view("unsqueeze", "unsqueeze_copy unsqueeze_copy.out");
_make_copy_from_view("view", "view_copy view_copy.out view_copy.dtype view_copy.dtype_out");

register_decomposition(
  "unfold_copy unfold_copy.out",
  out_wrapper((self: Tensor, dimension: number, size: number, step: number) =>
    clone(self.unfold(dimension, size, step)),
  ),
);

register_decomposition(
  "split_with_sizes_copy split_with_sizes_copy.out",
  (self: Tensor, split_sizes: number[], dim: number, { out }: Keywords) => {
    const splits = self.split(split_sizes, dim) as Tensor[];
    if (out === null || out === undefined) return splits.map(clone);
    for (const [i, split] of splits.entries()) {
      const to = (out as unknown as Tensor[])[i];
      if (to !== undefined) _safe_copy_out(split, _maybe_resize_out(to, split.shape), true);
    }
    return null;
  },
);
