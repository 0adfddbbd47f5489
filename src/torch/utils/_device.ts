/**
 * @file A mode in which functions that create tensors use another device.
 * @mirrors torch/utils/_device.py
 */
import { PythonTorchFunctionTLS } from "#aten/PythonTorchFunctionTLS";
import { set_device_context, THPDevice_pynew } from "../_C.ts";
import { torch } from "../_torch.ts";
import { TorchFunctionMode } from "../overrides.ts";
import type { DeviceLike, device } from "../types.ts";

let constructors: ReadonlySet<unknown> | null = null;

/** The functions that create tensors without an input tensor. */
function _device_constructors(): ReadonlySet<unknown> {
  constructors ??= new Set<unknown>([
    torch.empty,
    torch.empty_permuted,
    torch.empty_strided,
    torch.ones,
    torch.arange,
    torch.bartlett_window,
    torch.blackman_window,
    torch.eye,
    torch.full,
    torch.hamming_window,
    torch.hann_window,
    torch.kaiser_window,
    torch.linspace,
    torch.logspace,
    torch.rand,
    torch.randn,
    torch.randint,
    torch.randperm,
    torch.range,
    torch.tril_indices,
    torch.triu_indices,
    torch.zeros,
    torch.asarray,
    torch.tensor,
    torch.as_tensor,
    torch.scalar_tensor,
  ]);
  return constructors;
}

/** Removes all modes from the stack, and returns them latest first. */
function pop_all(): TorchFunctionMode[] {
  const modes: TorchFunctionMode[] = [];
  while (PythonTorchFunctionTLS.stack_len() > 0) modes.push(PythonTorchFunctionTLS.pop_stack() as TorchFunctionMode);
  return modes;
}

/** The mode of the default device. It lies below all other modes, so that these see calls without the added device. */
export class DeviceContext extends TorchFunctionMode {
  readonly device: device;
  private prev_mode: DeviceContext | null = null;

  constructor(device: DeviceLike) {
    super();
    this.device = THPDevice_pynew(device);
  }

  override __enter__(): this {
    const modes = pop_all();
    PythonTorchFunctionTLS.push_onto_stack(this);
    for (const mode of modes.reverse()) {
      if (mode instanceof DeviceContext) this.prev_mode = mode;
      else PythonTorchFunctionTLS.push_onto_stack(mode);
    }
    return this;
  }

  override __exit__(): void {
    const modes = pop_all().filter((mode) => !(mode instanceof DeviceContext));
    if (this.prev_mode !== null) PythonTorchFunctionTLS.push_onto_stack(this.prev_mode);
    for (const mode of modes.reverse()) PythonTorchFunctionTLS.push_onto_stack(mode);
  }

  __torch_function__(func: unknown, _types: readonly unknown[], args: unknown[] = [], kwargs: object = {}): unknown {
    const given = kwargs as { device?: DeviceLike | null };
    const makes = _device_constructors().has(func) && (given.device ?? null) === null;
    return (func as (...args: unknown[]) => unknown)(...args, makes ? { ...kwargs, device: this.device } : kwargs);
  }
}

set_device_context(DeviceContext);
