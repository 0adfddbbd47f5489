/**
 * @file `torch.autograd.forward_ad`: tensors that carry a tangent, and the levels in which they exist.
 * @mirrors torch/autograd/forward_ad.py
 *
 *     with dual_level():                         dual_level(() => {
 *         inp = make_dual(x, v)                    const inp = make_dual(x, v);          x + v ε
 *         out = f(inp)                             const out = f(inp);                   f(x) + J v ε
 *         y, jvp = unpack_dual(out)                const [y, jvp] = unpack_dual(out);
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import {
  _C,
  _set_fwd_grad_enabled as _C_set_fwd_grad_enabled,
  _enter_dual_level,
  _exit_dual_level,
  _is_fwd_grad_enabled,
  AbstractContextManager,
  new_structseq_type,
} from "#torch/_C";
import { register_decompositions_for_jvp } from "#torch/_decomp/decompositions_for_jvp";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { def_context } from "#torch/utils/_contextlib";

/** The level that the functions use if none is given; -1 without a level. */
export let _current_level = -1;

/** Enters a new level, in which dual tensors can be made, and returns its number. */
export const enter_dual_level = def("enter_dual_level()", (): number => {
  const new_level = _enter_dual_level();
  if (new_level !== _current_level + 1)
    throw new RuntimeError(
      "Entering a new forward AD level but the current level is not valid. Make sure you did not modify it directly.",
    );
  _current_level = new_level;
  return new_level;
});

/** Leaves the level, by default the current one: its tangents are deleted. */
export const exit_dual_level = def("exit_dual_level(*, level=None)", (given: number | null): void => {
  const level = given ?? _current_level;
  if (level !== _current_level)
    throw new RuntimeError(
      "Trying to exit a forward AD level that was not the last one that was created. This is not supported.",
    );
  _exit_dual_level(level);
  _current_level = level - 1;
});

/**
 * A view of `tensor` with `tangent`, which an operator that uses it takes along: each result has the tangent J v. It is
 * differentiable backward.
 * @param tangent kept as it is if it has the layout of `tensor`; otherwise copied
 */
export const make_dual = def(
  "make_dual(tensor, tangent, *, level=None)",
  (tensor: Tensor, tangent: Tensor, given: number | null): Tensor => {
    register_decompositions_for_jvp();
    const level = given ?? _current_level;
    if (level < 0)
      throw new RuntimeError(
        "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() first.",
      );
    if (!(tensor.is_floating_point() || tensor.is_complex()))
      throw new ValueError(`Expected primal to be floating point or complex, but got: ${tensor.dtype}`);
    if (!(tangent.is_floating_point() || tangent.is_complex()))
      throw new ValueError(`Expected tangent to be floating point or complex, but got: ${tangent.dtype}`);
    return _C._VariableFunctions._make_dual(tensor, tangent, { level });
  },
);

/** A dual tensor in two: its value, and its tangent or null. */
export interface UnpackedDualTensor extends ReadonlyArray<Tensor | null> {
  readonly 0: Tensor;
  readonly 1: Tensor | null;
  readonly primal: Tensor;
  readonly tangent: Tensor | null;
}

const UnpackedDualTensor_type = new_structseq_type("UnpackedDualTensor", ["primal", "tangent"]);

/** The value of a dual tensor, as a view of it, and its tangent as it is; null where it has none. */
export const unpack_dual = def(
  "unpack_dual(tensor, *, level=None)",
  (tensor: Tensor, given: number | null): UnpackedDualTensor => {
    const level = given ?? _current_level;
    const [primal, dual] =
      level < 0
        ? [tensor, null]
        : (_C._VariableFunctions._unpack_dual(tensor, { level }) as unknown as readonly [Tensor, Tensor | null]);
    return new UnpackedDualTensor_type([primal, dual]) as unknown as UnpackedDualTensor;
  },
);

/** A context in which dual tensors can be made. Contexts cannot be nested. */
export const dual_level = def_context(
  "dual_level()",
  class dual_level extends AbstractContextManager {
    override __enter__(): number {
      return enter_dual_level();
    }

    override __exit__(): void {
      exit_dual_level();
    }
  },
);

/** Switches forward mode at once; used as a context, it restores the former state at its end. */
export const _set_fwd_grad_enabled = def_context(
  "_set_fwd_grad_enabled.__init__(self, mode)",
  class _set_fwd_grad_enabled extends AbstractContextManager {
    private readonly prev = _is_fwd_grad_enabled();

    constructor(mode: boolean) {
      super();
      _C_set_fwd_grad_enabled(mode);
    }

    override __enter__(): void {}

    override __exit__(): void {
      _C_set_fwd_grad_enabled(this.prev);
    }
  },
);
