/**
 * @file Gradients kept small: by their norm together, or each element by itself.
 * @mirrors torch/nn/utils/clip_grad.py
 * @differs `foreach` is taken where it is asked for; of itself it is not, as in PyTorch on the CPU. Without `_foreach_norm` the norms of its tensors
 *   are taken one by one.
 */
import { RuntimeError, warn } from "#c10/util/Exception";
import { float_repr } from "#torch/_C";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import type { _float } from "#torch/types";

type Tensors = Tensor | Iterable<Tensor>;

function list_of(tensors: Tensors): Tensor[] {
  return tensors instanceof Tensor ? [tensors] : [...tensors];
}

function gradients(parameters: readonly Tensor[]): Tensor[] {
  return parameters.flatMap(({ grad }) => (grad === null ? [] : [grad as Tensor]));
}

/** `_group_tensors_by_device_and_dtype`, of one device. */
function by_dtype(tensors: readonly Tensor[]): Tensor[][] {
  const groups = new Map<unknown, Tensor[]>();
  for (const t of tensors) groups.set(t.dtype, [...(groups.get(t.dtype) ?? []), t]);
  return [...groups.values()];
}

function total_norm_of(tensors: readonly Tensor[], norm_type: _float, error_if_nonfinite: boolean): Tensor {
  if (tensors.length === 0) return torch.tensor(0, { dtype: torch.float32 });
  const ord = Number(norm_type);
  const norms = by_dtype(tensors).flatMap((group) => group.map((t) => torch.linalg.vector_norm(t, ord)));
  const total_norm = torch.linalg.vector_norm(torch.stack(norms), ord);
  if (error_if_nonfinite && !Number.isFinite(Number(total_norm.item()))) {
    throw new RuntimeError(
      `The total norm of order ${float_repr(ord)} for gradients from \`parameters\` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set \`error_if_nonfinite=False\``,
    );
  }
  return total_norm;
}

/** The norm of all tensors' elements together: the norm of their norms. */
export const get_total_norm = def(
  "_get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None)",
  (tensors: Tensors, norm_type: _float, error_if_nonfinite: boolean, _foreach: boolean | null): Tensor =>
    torch.no_grad(() => total_norm_of(list_of(tensors), norm_type, error_if_nonfinite)),
);

function scale(parameters: readonly Tensor[], max_norm: _float, total_norm: Tensor, foreach: boolean | null): void {
  const grads = gradients(parameters);
  if (grads.length === 0) return;
  // Where the norm is small enough the factor is 1: no need to look at it, which would wait for a device.
  const clip_coef = total_norm.add(1e-6).reciprocal().mul(Number(max_norm));
  const clamped = torch.clamp(clip_coef, { max: 1 });
  for (const group of by_dtype(grads)) {
    if (foreach === true) torch._foreach_mul_(group, clamped);
    else for (const g of group) g.mul_(clamped);
  }
}

/** Scales the gradients so that a total norm beyond `max_norm` becomes that. */
export const clip_grads_with_norm_ = def(
  "_clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None)",
  (parameters: Tensors, max_norm: _float, total_norm: Tensor, foreach: boolean | null): void =>
    torch.no_grad(() => scale(list_of(parameters), max_norm, total_norm, foreach)),
);

/** Scales the gradients so that their norm together is at most `max_norm`, in place. @returns the norm that they had */
export const clip_grad_norm_ = def(
  "clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None)",
  (
    parameters: Tensors,
    max_norm: _float,
    norm_type: _float,
    error_if_nonfinite: boolean,
    foreach: boolean | null,
  ): Tensor =>
    torch.no_grad(() => {
      const list = list_of(parameters);
      const is_generator = Object.prototype.toString.call(parameters) === "[object Generator]";
      if (is_generator && list.length === 0)
        warn("UserWarning", "`parameters` is an empty generator, no gradient clipping will occur.");
      const total_norm = total_norm_of(gradients(list), norm_type, error_if_nonfinite);
      scale(list, max_norm, total_norm, foreach);
      return total_norm;
    }),
);

/** Puts every element of the gradients between `-clip_value` and `clip_value`, in place. */
export const clip_grad_value_ = def(
  "clip_grad_value_(parameters, clip_value, foreach=None)",
  (parameters: Tensors, clip_value: _float, _foreach: boolean | null): void =>
    torch.no_grad(() => {
      const most = Number(clip_value);
      for (const grad of gradients(list_of(parameters))) grad.clamp_({ min: -most, max: most });
    }),
);
