/**
 * @file `torch.autograd.forward_ad`: tensors that carry a tangent.
 * @mirrors torch/autograd/forward_ad.py
 * @differs Ours raises NotImplementedError at each call, since the formulas of forward mode in `derivatives.yaml` are not built; PyTorch
 * computes tangents.
 */
import { AbstractContextManager } from "#torch/_C";
import { type NotBuilt, not_built } from "#torch/_not_built";
import { def_context } from "#torch/utils/_contextlib";

function forward_mode(signature: string): NotBuilt {
  return not_built(
    "torch.autograd.forward_ad",
    signature,
    "torch.autograd.functional.jvp computes products with a Jacobian by two backward passes",
  );
}

export const enter_dual_level: NotBuilt = forward_mode("enter_dual_level()");
export const exit_dual_level: NotBuilt = forward_mode("exit_dual_level(*, level=None)");
export const make_dual: NotBuilt = forward_mode("make_dual(tensor, tangent, *, level=None)");
export const unpack_dual: NotBuilt = forward_mode("unpack_dual(tensor, *, level=None)");

/** A context in which dual tensors can be created. */
export const dual_level = def_context(
  "dual_level()",
  class dual_level extends AbstractContextManager {
    override __enter__(): never {
      return enter_dual_level();
    }

    override __exit__(): void {}
  },
);
