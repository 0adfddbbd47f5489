/**
 * @file Gradient clipping: by the norm of all gradients, or element by element.
 * @mirrors torch/nn/utils/clip_grad.py
 */
import { RuntimeError, warn } from "#c10/util/Exception";
import { float_repr, PyNumber_Float, PySequence_Tuple, refuse_other_copies } from "#torch/_C";
import { def } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { _float } from "#torch/types";
import { _group_tensors_by_device_and_dtype, takes_foreach } from "#torch/utils/_foreach_utils";

type Tensors = Tensor | Iterable<Tensor>;

function list_of(tensors: Tensors): Tensor[] {
  if (tensors instanceof Tensor) return [tensors];
  const list = PySequence_Tuple(tensors);
  list.forEach(refuse_other_copies);
  return list;
}

function gradients(parameters: readonly Tensor[]): Tensor[] {
  return parameters.flatMap(({ grad }) => (grad === null ? [] : [grad as Tensor]));
}

function total_norm_of(
  tensors: readonly Tensor[],
  norm_type: _float,
  error_if_nonfinite: boolean,
  foreach: boolean | null,
): Tensor {
  const ord = PyNumber_Float(norm_type);
  if (tensors.length === 0) return torch.tensor(0, { dtype: torch.float32 });
  const norms = _group_tensors_by_device_and_dtype({ tensors }).flatMap(({ lists, device }) => {
    return takes_foreach(foreach, lists.tensors, device)
      ? torch._foreach_norm(lists.tensors, ord)
      : lists.tensors.map((t) => torch.linalg.vector_norm(t, ord));
  });
  const total_norm = torch.linalg.vector_norm(torch.stack(norms.map((norm) => norm.to(tensors[0].device))), ord);
  if (error_if_nonfinite && !Number.isFinite(Number(total_norm.item()))) {
    throw new RuntimeError(
      `The total norm of order ${float_repr(ord)} for gradients from \`parameters\` is non-finite, so it cannot be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set \`error_if_nonfinite=False\``,
    );
  }
  return total_norm;
}

/** The norm of all elements of the tensors together, computed as the norm of the tensors' norms. */
export const get_total_norm = def(
  "_get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None)",
  (tensors: Tensors, norm_type: _float, error_if_nonfinite: boolean, foreach: boolean | null): Tensor =>
    torch.no_grad(() => total_norm_of(list_of(tensors), norm_type, error_if_nonfinite, foreach)),
);

function scale(parameters: readonly Tensor[], max_norm: _float, total_norm: Tensor, foreach: boolean | null): void {
  const most = PyNumber_Float(max_norm);
  const grads = gradients(parameters);
  if (grads.length === 0) return;
  // If the norm is small enough the factor is 1. It is not compared on the host, since this would wait for the device.
  const clip_coef = total_norm.add(1e-6).reciprocal().mul(most);
  const clamped = torch.clamp(clip_coef, { max: 1 });
  for (const { lists, device } of _group_tensors_by_device_and_dtype({ grads })) {
    const factor = clamped.to(device);
    if (takes_foreach(foreach, lists.grads, device)) torch._foreach_mul_(lists.grads, factor);
    else for (const g of lists.grads) g.mul_(factor);
  }
}

/** Scales the gradients by `max_norm / total_norm` if `total_norm` is larger than `max_norm`. */
export const clip_grads_with_norm_ = def(
  "_clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None)",
  (parameters: Tensors, max_norm: _float, total_norm: Tensor, foreach: boolean | null): void =>
    torch.no_grad(() => scale(list_of(parameters), max_norm, total_norm, foreach)),
);

/** Scales the gradients in place so that the norm of all of them is at most `max_norm`. @returns the norm before scaling */
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
      const total_norm = total_norm_of(gradients(list), norm_type, error_if_nonfinite, foreach);
      scale(list, max_norm, total_norm, foreach);
      return total_norm;
    }),
);

/** Deprecated name of `clip_grad_norm_`. */
export const clip_grad_norm = def(
  "clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None)",
  (parameters: Tensors, max_norm: _float, norm_type: _float, error_if_nonfinite: boolean, foreach: boolean | null) => {
    warn(
      "FutureWarning",
      "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of `torch.nn.utils.clip_grad_norm_`.",
    );
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach);
  },
);

/** Clamps every element of the gradients to the range from `-clip_value` to `clip_value`, in place. */
export const clip_grad_value_ = def(
  "clip_grad_value_(parameters, clip_value, foreach=None)",
  (parameters: Tensors, clip_value: _float, foreach: boolean | null): void =>
    torch.no_grad(() => {
      const most = PyNumber_Float(clip_value);
      const grads = gradients(list_of(parameters));
      for (const { lists, device } of _group_tensors_by_device_and_dtype({ grads })) {
        if (takes_foreach(foreach, lists.grads, device)) {
          torch._foreach_clamp_min_(lists.grads, -most);
          torch._foreach_clamp_max_(lists.grads, most);
        } else {
          for (const grad of lists.grads) grad.clamp_({ min: -most, max: most });
        }
      }
    }),
);
