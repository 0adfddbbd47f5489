/**
 * @file `Module._apply`: replaces every tensor of a module by another, in place if both are of the same kind.
 * @mirrors torch/nn/modules/module.py#Module._apply
 */

import { isComplexType, isFloatingType } from "#c10/core/ScalarType";
import { NotImplementedError, TypeError_, warn } from "#c10/util/Exception";
import { get_overwrite_module_params_on_conversion, get_swap_module_params_on_conversion } from "#torch/__future__";
import { _C, getTHPDtype, maybe_initialize_device, THPVariable_Wrap } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Parameter } from "#torch/nn/parameter/index";
import { swap_tensors } from "#torch/utils/swap_tensors";
import type { Module } from "./index.ts";

/** Whether `.data` of the tensor may be set: it stays the object that it is. */
function should_use_set_data(tensor: Tensor, tensor_applied: Tensor): boolean {
  return (
    torch._has_compatible_shallow_copy_type(tensor, tensor_applied) && !get_overwrite_module_params_on_conversion()
  );
}

export function _apply(self: Module, fn: (t: Tensor) => Tensor, recurse: boolean): void {
  if (recurse) for (const module of self.children()) module._apply(fn);
  const should_use_swap_tensors = get_swap_module_params_on_conversion();
  for (const [key, param] of self._parameters) {
    if (param === null) continue;
    // Without grad mode: backward should not see the new values as a function of the old ones.
    const param_applied = torch.no_grad(() => fn(param));
    const { grad } = param;
    let out_param: Parameter = param;
    if (should_use_swap_tensors) {
      param.grad = null;
      swap_tensors(param, new Parameter(param_applied, param.requires_grad));
    } else if (should_use_set_data(param, param_applied)) {
      param.data = param_applied;
    } else {
      out_param = new Parameter(param_applied, param.requires_grad);
      self._parameters.set(key, out_param);
    }
    if (grad === null) continue;
    const grad_applied = torch.no_grad(() => fn(grad));
    if (should_use_swap_tensors) {
      swap_tensors(grad, grad_applied.requires_grad_(grad.requires_grad));
      out_param.grad = grad;
    } else if (should_use_set_data(grad, grad_applied)) {
      grad.data = grad_applied;
      out_param.grad = grad;
    } else {
      out_param.grad = grad_applied.requires_grad_(grad.requires_grad);
    }
  }
  for (const [key, buf] of self._buffers) if (buf !== null) self._buffers.set(key, fn(buf));
}

/** The conversion that the arguments of `module.to(...)` describe; a dtype applies to floating members only. */
export function parse_to(args: unknown[]): (t: Tensor) => Tensor {
  const { device, dtype, non_blocking, memory_format } = _C._nn._parse_to(...args);
  if (dtype !== null) {
    if (!isFloatingType(dtype) && !isComplexType(dtype)) {
      throw new TypeError_(
        `nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=${getTHPDtype(dtype)}`,
      );
    }
    if (isComplexType(dtype)) {
      warn(
        "UserWarning",
        "Complex modules are a new feature under active development whose design may change, and some modules might not work as expected when using complex tensors as parameters or buffers. Please file an issue at https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a complex module does not work as expected.",
      );
    }
  }
  const convert = (t: Tensor): Tensor => {
    maybe_initialize_device(device);
    const self = t.cdata;
    const options = self.options();
    const wanted = dtype !== null && (t.is_floating_point() || t.is_complex()) ? dtype : null;
    const with_memory_format = memory_format !== null && (t.dim() === 4 || t.dim() === 5) ? memory_format : null;
    if (device !== null && wanted !== null)
      return THPVariable_Wrap(self.to_device(device, wanted, non_blocking, false, with_memory_format)) as Tensor;
    if (device !== null)
      return THPVariable_Wrap(
        self.to_dtype_layout(options.device(device), non_blocking, false, with_memory_format),
      ) as Tensor;
    if (wanted !== null)
      return THPVariable_Wrap(self.to_dtype(wanted, non_blocking, false, with_memory_format)) as Tensor;
    if (with_memory_format !== null)
      return THPVariable_Wrap(self.to_dtype_layout(options, non_blocking, false, with_memory_format)) as Tensor;
    return t;
  };
  return (t) => {
    try {
      return convert(t);
    } catch (error) {
      if (!(error instanceof NotImplementedError) || error.message !== "Cannot copy out of meta tensor; no data!")
        throw error;
      throw new NotImplementedError(
        `${error.message} Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from meta to a different device.`,
      );
    }
  };
}
