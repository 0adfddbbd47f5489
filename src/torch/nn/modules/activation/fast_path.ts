/**
 * @file The test whether tensors allow a module to take its fast path in evaluation.
 * @mirrors torch/nn/modules/activation.py
 */
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { has_torch_function } from "#torch/overrides";

const devices = (): readonly string[] => ["cpu", "cuda", torch._C._get_privateuse1_backend_name()];

/** Whether no tensor is a subclass, each is on a device with kernels for the operator, and none requires a gradient. */
export function tensors_allow_fast_path(tensors: readonly (Tensor | null)[]): boolean {
  if (has_torch_function(tensors)) return false;
  const given = tensors.filter((t) => t !== null);
  if (!given.every((t) => devices().includes(t.device.type))) return false;
  return !(torch.is_grad_enabled() && given.some((t) => t.requires_grad));
}
