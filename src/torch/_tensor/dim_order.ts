/**
 * @file `Tensor.dim_order`: the order of the dims in memory, outermost first, and the check whether it is unique.
 * @mirrors torch/_tensor.py#dim_order
 */
import { RuntimeError, TypeError_ } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import { torch } from "#torch/_torch";
import type { memory_format } from "#torch/types";
import type { Tensor } from "./index.ts";

const MemoryFormat = (x: unknown): x is memory_format => x instanceof torch.contiguous_format.constructor;

/** Whether several orders fit: a dim of size 1 can be anywhere, and two dims of equal stride in either order. */
function has_multiple_dim_order(tensor: Tensor): boolean {
  const [sizes, strides] = [tensor.size(), tensor.stride()];
  return sizes.includes(1) || strides.some((stride, d) => d > 0 && stride === strides[d - 1]);
}

/**
 * @param ambiguity_check true: an ambiguous order is an error; a list of formats: the tensor must match exactly one of them, or have one
 * order
 */
export function dim_order(self: Tensor, ambiguity_check: unknown): number[] {
  const formats: unknown[] = Array.isArray(ambiguity_check) ? ambiguity_check : [];
  if (!(typeof ambiguity_check === "boolean" || Array.isArray(ambiguity_check)) || !formats.every(MemoryFormat))
    throw new TypeError_("The ambiguity_check argument must be a bool or a list of memory formats.");
  const fitting = formats.filter((format) => self.is_contiguous({ memory_format: format }));
  const checked = typeof ambiguity_check === "boolean" ? ambiguity_check : true;
  if (checked && has_multiple_dim_order(self) && fitting.length !== 1)
    throw new RuntimeError(
      "The tensor does not have unique dim order, or cannot map to exact one of the given memory formats.",
    );
  const { compute_elementwise_output_logical_to_physical_perm, is_order_ambiguous } = torch._prims_common; // this module imports Tensor
  const out_perm = compute_elementwise_output_logical_to_physical_perm([self]);
  const asked = typeof ambiguity_check === "boolean" ? ambiguity_check : formats.length > 0;
  if (asked && is_order_ambiguous(self, out_perm)) throw new RuntimeError("The tensor does not have unique dim order.");
  return tuple(out_perm);
}
