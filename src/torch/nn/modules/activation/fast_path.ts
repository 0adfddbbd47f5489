/**
 * @file Whether tensors let a module take its shorter way in evaluation.
 * @mirrors torch/nn/modules/activation.py
 */
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { has_torch_function } from "#torch/overrides";

const devices = (): readonly string[] => ["cpu", "cuda", torch._C._get_privateuse1_backend_name()];

/** None is a subclass, all are where the operator has kernels, and none wants a gradient. */
export function tensors_allow_fast_path(tensors: readonly (Tensor | null)[]): boolean {
  if (has_torch_function(tensors)) return false;
  const given = tensors.filter((t) => t !== null);
  if (!given.every((t) => devices().includes(t.device.type))) return false;
  return !(torch.is_grad_enabled() && given.some((t) => t.requires_grad));
}
