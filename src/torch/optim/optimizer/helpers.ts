/**
 * @file What optimizers' steps have in common: hyperparameters that may be tensors, checks, the choice between one tensor at a time and
 * lists of them.
 * @mirrors torch/optim/optimizer.py
 * @differs Sparse gradients and complex parameters have no branch: such tensors are not built.
 */
import { AssertionError, IndexError, KeyError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { py_format, python_type, repr } from "#torch/_C";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { at_least, below, type NumberOrTensor } from "#torch/optim/python_operators";
import type { dtype } from "#torch/types";
import {
  _get_foreach_kernels_supported_devices,
  _get_fused_kernels_supported_devices,
} from "#torch/utils/_foreach_utils";
import type { Options } from "./types.ts";

// Checks of constructors

export function check_lr(lr: unknown, text = "Invalid learning rate"): void {
  if (lr instanceof Tensor && lr.numel() !== 1) throw new ValueError("Tensor lr must be 1-element");
  check_nonnegative(lr, text);
}

/** @param text what is wrong otherwise; the value goes behind it */
export function check_nonnegative(value: unknown, text: string): void {
  if (!at_least(0, value)) throw new ValueError(`${text}: ${py_format(value)}`);
}

/** `values[i]` of what a caller gave for a tuple. */
export function subscript(values: unknown, i: number): unknown {
  const is_text = typeof values === "string";
  if (!is_text && !Array.isArray(values)) throw new TypeError_(`'${python_type(values)}' object is not subscriptable`);
  if (i >= values.length) throw new IndexError(`${is_text ? "string" : "tuple"} index out of range`);
  return values[i];
}

export function check_betas(betas: unknown): void {
  for (const i of [0, 1]) {
    const beta = subscript(betas, i);
    if (!at_least(0, beta) || !below(beta, 1))
      throw new ValueError(`Invalid beta parameter at index ${i}: ${py_format(beta)}`);
  }
}

// Values

/** `options[key]`, which is an error where there is none. */
export function getitem(options: Options, key: string): Options[string] {
  if (!(key in options)) throw new KeyError(key);
  return options[key];
}

/** The number in a tensor of one element. */
export function _get_value(x: NumberOrTensor): number {
  return x instanceof Tensor ? Number(x.item()) : x;
}

/** A tensor of one element loses its dims. */
export function _to_scalar(x: NumberOrTensor): NumberOrTensor {
  return x instanceof Tensor && x.dim() !== 0 ? x.squeeze() : x;
}

/** The dtype of a step count. */
export function _get_scalar_dtype(is_fused: boolean | null = null): dtype {
  if (is_fused) return torch.float32;
  return torch.get_default_dtype() === torch.float64 ? torch.float64 : torch.float32;
}

/** A step count at its beginning: on the CPU, unless it is to be computed with on the parameter's device. */
export function new_step(param: Tensor, on_device: boolean, is_fused: boolean | null = null): Tensor {
  const dtype = _get_scalar_dtype(is_fused);
  return on_device ? torch.zeros([], { dtype, device: param.device }) : torch.tensor(0, { dtype });
}

/** A number that a step counts on, beside the count. */
export function new_scalar(param: Tensor, on_device: boolean, value: number): Tensor {
  const dtype = _get_scalar_dtype();
  return torch.tensor(value, on_device ? { dtype, device: param.device } : { dtype });
}

/** Zeros of the shape and layout of a parameter, to be summed or averaged into. */
export function new_zeros(param: Tensor): Tensor {
  return torch.zeros_like(param, { memory_format: torch.preserve_format });
}

// capturable

export function _get_capturable_supported_devices(supports_xla = true): string[] {
  const devices = ["cuda", "xpu", "hpu", torch._C._get_privateuse1_backend_name()];
  return supports_xla ? [...devices, "xla"] : devices;
}

/** @param what the lists of which `tensors` has one row for each parameter */
export function check_capturable(
  tensors: readonly (readonly Tensor[])[],
  what = "params and state_steps",
  supports_xla = true,
): void {
  const devices = _get_capturable_supported_devices(supports_xla);
  for (const [first, ...others] of tensors) {
    const type = (first as Tensor).device.type;
    if (!devices.includes(type) || others.some((other) => other.device.type !== type))
      throw new AssertionError(`If capturable=True, ${what} must be on supported devices: ${repr(devices)}.`);
  }
}

export function check_state_steps(state_steps: readonly unknown[]): void {
  if (!state_steps.every((step) => step instanceof Tensor))
    throw new RuntimeError("API has changed, `state_steps` argument must contain a list of singleton tensors");
}

// foreach and fused

/** Whether lists of tensors are the default: not on the CPU, where they are no faster. */
export function _default_to_foreach(params: readonly Tensor[], differentiable: boolean): boolean {
  const devices = _get_foreach_kernels_supported_devices();
  return !differentiable && params.length > 0 && params.every((p) => devices.includes(p.device.type));
}

export function _device_dtype_check_for_fused(p: Tensor): void {
  const devices = _get_fused_kernels_supported_devices();
  if (!devices.includes(p.device.type) || !p.is_floating_point())
    throw new RuntimeError(
      "`fused=True` requires all the params to be floating point Tensors of " +
        `supported devices: ${repr(devices)} but ${p.dtype} and ${p.device.type}`,
    );
}

/** Refuses what cannot be fused. Who steps in one loop also divides by a gradient scaler's scale there. */
export function check_fused(optimizer: { readonly defaults: Options; _step_supports_amp_scaling?: boolean }): void {
  const { fused, foreach, differentiable } = optimizer.defaults;
  if (!fused) return;
  optimizer._step_supports_amp_scaling = true;
  if (differentiable) throw new RuntimeError("`fused` does not support `differentiable`");
  if (foreach) throw new RuntimeError("`fused` and `foreach` cannot be `True` together.");
}

/** What a gradient scaler hands to an optimizer whose step scales by itself. */
export interface AmpScaling {
  readonly grad_scale?: Tensor | null;
  readonly found_inf?: Tensor | null;
}

/** The same on the device of the parameters that are stepped. */
export function scaling_on(
  device: Tensor["device"],
  { grad_scale = null, found_inf = null }: AmpScaling,
): { grad_scale: Tensor | null; found_inf: Tensor | null } {
  return { grad_scale: grad_scale?.to(device) ?? null, found_inf: found_inf?.to(device) ?? null };
}

/** A step that was skipped is not counted. */
export function take_back(state_steps: readonly Tensor[], found_inf: Tensor | null): void {
  if (found_inf !== null)
    torch._foreach_sub_(
      state_steps,
      state_steps.map(() => found_inf),
    );
}
