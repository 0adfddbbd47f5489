/**
 * @file `linearize`: the function's linear part at a point, as a graph.
 * @mirrors torch/_functorch/eager_transforms.py#linearize
 * @differs The part of the graph without the tangents is not folded into constants; PyTorch does that.
 */
import { RuntimeError } from "#c10/util/Exception";
import { pack, tuple } from "#python/Objects/tupleobject";
import type { Tensor } from "#torch/_tensor/index";
import * as fwAD from "#torch/autograd/forward_ad";
import { call_function } from "#torch/fx/callables";
import { make_fx } from "#torch/fx/experimental/proxy_tensor/index";
import { flatten, map_leaves } from "#torch/utils/_pytree/index";
import { returned } from "../transformed.ts";
import { safe_unpack_dual } from "./jvp.ts";

export function linearize_impl(func: unknown, primals: readonly unknown[]): unknown {
  const given = tuple(primals);
  const output = call_function(func, given);
  const output_spec = flatten(output)[1];
  const [flat, primals_argspec] = flatten(given);
  const flat_primals = flat as Tensor[];
  const example = flat_primals.map((p) => p.new_empty([]).expand_as(p));
  const trace_fn = (flat_tangents: readonly Tensor[]): unknown =>
    fwAD.dual_level(() => {
      const duals = primals_argspec.unflatten(flat_primals.map((p, i) => fwAD.make_dual(p, flat_tangents[i])));
      const dual_output = call_function(func, duals as readonly unknown[]);
      return map_leaves(dual_output, (dual) => safe_unpack_dual(dual, false)[1]);
    });
  const jvp_graph = call_function(make_fx(trace_fn), [example]);
  const jvp_fn = returned((...tangents: unknown[]) => {
    const [flat_tangents, tangent_argspec] = flatten(tuple(tangents));
    if (!tangent_argspec.equals(primals_argspec))
      throw new RuntimeError(
        `Expected the tangents ${tangent_argspec} to have the same argspec as the primals ${primals_argspec}`,
      );
    for (const [idx, t] of (flat_tangents as Tensor[]).entries()) check_tangent(idx, t, flat_primals[idx]);
    return output_spec.unflatten(flatten(call_function(jvp_graph, [flat_tangents]))[0]);
  });
  return pack(output, jvp_fn);
}

function check_tangent(idx: number, t: Tensor, primal: Tensor): void {
  for (const what of ["shape", "device", "dtype"] as const)
    if (String(t[what]) !== String(primal[what]))
      throw new RuntimeError(
        `tangent:${idx} with ${what} ${t[what]} in flattened pytree doesn't match the ${what} ${primal[what]} ` +
          "of the corresponding primal.",
      );
}
