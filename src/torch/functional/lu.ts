/**
 * @file `torch.lu`, which is deprecated in favour of `torch.linalg.lu_factor`.
 * @mirrors torch/functional.py
 */
import { TypeError_ } from "#c10/util/Exception";
import { _C } from "#torch/_C";
import { boolean_dispatch } from "#torch/_jit_internal";
import { def_overridable } from "#torch/_overridable";
import type { Def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";

const LU = "(A: Tensor, pivot=True, get_infos=False, out=None)";
type Arguments = [A: Tensor, pivot: boolean, get_infos: boolean, out: readonly Tensor[] | null];

function lu_of(name: string, pick: (result: Tensor[]) => Tensor[]): Def<typeof LU, (...args: Arguments) => Tensor[]> {
  const fn = (...[A, pivot, get_infos, out]: Arguments): Tensor[] => {
    const result = _C._VariableFunctions._lu_with_info(A, { pivot, check_errors: !get_infos });
    if (out === null) return pick(result);
    const expected = get_infos ? 3 : 2;
    if (out.length !== expected) throw new TypeError_(`expected tuple of ${expected} elements but got ${out.length}`);
    for (const [i, tensor] of out.entries()) tensor.resize_as_(result[i]).copy_(result[i]);
    return [...out];
  };
  return def_overridable(`${name}${LU}`, fn, null, { public_api: (): unknown => lu }) as Def<string, typeof fn> as Def<
    typeof LU,
    typeof fn
  >;
}

/**
 * Deprecated: `L` and `U` packed in one matrix, and the row exchanges, numbered from 1; with `get_infos` also the number of the first zero
 * pivot, or 0.
 */
export const lu: Def<typeof LU, (...args: Arguments) => Tensor[]> = boolean_dispatch(
  { arg_name: "get_infos", arg_index: 2 },
  lu_of("_lu_with_infos", (result) => result),
  lu_of("_lu_no_infos", ([LU, pivots]) => [LU, pivots]),
  "lu",
) as never; // its type distinguishes a list from a single tensor, but both results are lists here
