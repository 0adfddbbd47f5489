/**
 * @file Helpers of optimizer steps: hyperparameters that may be tensors, checks, and the choice between single tensors and lists of
 * tensors.
 * @mirrors torch/optim/optimizer.py
 * @differs Ours has no code for sparse gradients and complex parameters; PyTorch has.
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

// Checks in constructors

export function check_lr(lr: unknown, text = "Invalid learning rate"): void {
  if (lr instanceof Tensor && lr.numel() !== 1) throw new ValueError("Tensor lr must be 1-element");
  check_nonnegative(lr, text);
}

/** @param text the beginning of the error message; the value is appended */
export function check_nonnegative(value: unknown, text: string): void {
  if (!at_least(0, value)) throw new ValueError(`${text}: ${py_format(value)}`);
}

/** `values[i]`, where the caller should have passed a tuple. */
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

/** `options[key]`; it raises KeyError if the key is missing. */
export function getitem(options: Options, key: string): Options[string] {
  if (!(key in options)) throw new KeyError(key);
  return options[key];
}

/** The number in a tensor of one element. */
export function _get_value(x: NumberOrTensor): number {
  return x instanceof Tensor ? Number(x.item()) : x;
}

/** A tensor of one element without its dims; a number is returned unchanged. */
export function _to_scalar(x: NumberOrTensor): NumberOrTensor {
  return x instanceof Tensor && x.dim() !== 0 ? x.squeeze() : x;
}

/** The dtype of a step count. */
export function _get_scalar_dtype(is_fused: boolean | null = null): dtype {
  if (is_fused) return torch.float32;
  return torch.get_default_dtype() === torch.float64 ? torch.float64 : torch.float32;
}

/** A new step count: on the CPU, unless the steps are computed on the device of the parameter. */
export function new_step(param: Tensor, on_device: boolean, is_fused: boolean | null = null): Tensor {
  const dtype = _get_scalar_dtype(is_fused);
  return on_device ? torch.zeros([], { dtype, device: param.device }) : torch.tensor(0, { dtype });
}

/** A number that is part of the state besides the step count. */
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

/** @param what names the lists in `tensors`, each of which has one entry per parameter */
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

/** Whether steps over lists of tensors are the default; not on the CPU, where they are no faster. */
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

/** Checks the option `fused`. A fused step also divides by the scale of a gradient scaler. */
export function check_fused(optimizer: { readonly defaults: Options; _step_supports_amp_scaling?: boolean }): void {
  const { fused, foreach, differentiable } = optimizer.defaults;
  if (!fused) return;
  optimizer._step_supports_amp_scaling = true;
  if (differentiable) throw new RuntimeError("`fused` does not support `differentiable`");
  if (foreach) throw new RuntimeError("`fused` and `foreach` cannot be `True` together.");
}

/** Values that a gradient scaler passes to an optimizer whose step divides by the scale itself. */
export interface AmpScaling {
  readonly grad_scale?: Tensor | null;
  readonly found_inf?: Tensor | null;
}

/** The values of a gradient scaler, on the device of the parameters. */
export function scaling_on(
  device: Tensor["device"],
  { grad_scale = null, found_inf = null }: AmpScaling,
): { grad_scale: Tensor | null; found_inf: Tensor | null } {
  return { grad_scale: grad_scale?.to(device) ?? null, found_inf: found_inf?.to(device) ?? null };
}

/** Subtracts a skipped step from the step counts. */
export function take_back(state_steps: readonly Tensor[], found_inf: Tensor | null): void {
  if (found_inf !== null)
    torch._foreach_sub_(
      state_steps,
      state_steps.map(() => found_inf),
    );
}
