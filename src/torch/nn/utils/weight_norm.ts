/**
 * @file Weight normalization by a hook that computes the weight before each forward; parametrizations.ts has the newer form.
 * @mirrors torch/nn/utils/weight_norm.py
 */
import { RuntimeError, ValueError, warn } from "#c10/util/Exception";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { attribute } from "#torch/nn/modules/module/attributes";
import type { Module } from "#torch/nn/modules/module/index";
import { Parameter } from "#torch/nn/parameter/index";
import { CallableHook, forward_pre_hooks_of } from "./callable_hook.ts";

export class WeightNorm extends CallableHook {
  override readonly name: string;
  readonly dim: number;

  constructor(name: string, dim: number | null) {
    super();
    this.name = name;
    this.dim = dim ?? -1;
  }

  compute_weight(module: Module): Tensor {
    const g = attribute(module, `${this.name}_g`) as Tensor;
    const v = attribute(module, `${this.name}_v`) as Tensor;
    return torch._weight_norm(v, g, this.dim);
  }

  static override apply(module: Module, name: string, dim: number | null): WeightNorm {
    warn(
      "FutureWarning",
      "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
    );
    if (forward_pre_hooks_of(module, WeightNorm).some(([, hook]) => hook.name === name))
      throw new RuntimeError(`Cannot register two weight_norm hooks on the same parameter ${name}`);
    const fn = new WeightNorm(name, dim);
    const weight = attribute(module, name) as Tensor;
    module._parameters.delete(name);
    module.register_parameter(`${name}_g`, new Parameter(torch.norm_except_dim(weight, 2, fn.dim).data));
    module.register_parameter(`${name}_v`, new Parameter(weight.data));
    module.__setattr__(name, fn.compute_weight(module));
    module.register_forward_pre_hook(fn);
    return fn;
  }

  remove(module: Module): void {
    const weight = this.compute_weight(module);
    module.__delattr__(this.name);
    module._parameters.delete(`${this.name}_g`);
    module._parameters.delete(`${this.name}_v`);
    module.__setattr__(this.name, new Parameter(weight.data));
  }

  override __call__(module: Module): void {
    module.__setattr__(this.name, this.compute_weight(module));
  }
}

/** Replaces a parameter by `weight_g`, the length of each slice along `dim`, times the direction of `weight_v`. */
export const weight_norm = def(
  "weight_norm(module, name='weight', dim=0)",
  <M extends Module>(module: M, name: string, dim: number | null): M => {
    WeightNorm.apply(module, name, dim);
    return module;
  },
);

/** Removes the hook and makes the weight a parameter again. */
export const remove_weight_norm = def(
  "remove_weight_norm(module, name='weight')",
  <M extends Module>(module: M, name: string): M => {
    for (const [id, hook] of forward_pre_hooks_of(module, WeightNorm)) {
      if (hook.name !== name) continue;
      hook.remove(module);
      module._forward_pre_hooks.delete(id);
      return module;
    }
    throw new ValueError(`weight_norm of '${name}' not found in ${module}`);
  },
);
