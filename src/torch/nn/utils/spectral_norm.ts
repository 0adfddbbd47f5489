/**
 * @file Spectral normalization by a hook that computes the weight before each forward; parametrizations.ts has the newer form.
 * @mirrors torch/nn/utils/spectral_norm.py
 * @differs Ours refuses a checkpoint without `weight_v`, from before it was saved; PyTorch computes the vector with a pseudoinverse.
 */
import { NotImplementedError, RuntimeError, TypeError_, ValueError } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import * as F from "#torch/nn/functional/index";
import { attribute } from "#torch/nn/modules/module/attributes";
import type { Module } from "#torch/nn/modules/module/index";
import type { LoadArgs } from "#torch/nn/modules/module/state_dict";
import { Parameter } from "#torch/nn/parameter/index";
import type { RemovableHandle } from "#torch/utils/hooks";
import { CallableHook, forward_pre_hooks_of } from "./callable_hook.ts";
import { output_dim } from "./parametrizations.ts";

/** The entry for this hook in the metadata of a checkpoint. */
interface Metadata {
  spectral_norm?: Record<string, number>;
}

export class SpectralNorm extends CallableHook {
  /** Version 1 also saves `v`. */
  static readonly _version: number = 1;

  override readonly name: string;
  readonly dim: number;
  readonly n_power_iterations: number;
  readonly eps: number;
  /** The handles of the hooks around saving and loading. */
  private handles: readonly RemovableHandle[] = [];

  constructor(name: string, n_power_iterations: number, dim: number, eps: number) {
    super();
    this.name = name;
    this.dim = dim;
    if (n_power_iterations <= 0)
      throw new ValueError(
        `Expected n_power_iterations to be positive, but got n_power_iterations=${n_power_iterations}`,
      );
    this.n_power_iterations = n_power_iterations;
    this.eps = eps;
  }

  /** The weight as a matrix: `dim` first, all other dims merged. */
  reshape_weight_to_matrix(weight: Tensor): Tensor {
    const others = [...weight.shape.keys()].filter((d) => d !== this.dim);
    const weight_mat = this.dim === 0 ? weight : weight.permute([this.dim, ...others]);
    return weight_mat.reshape([weight_mat.size(0), -1]);
  }

  compute_weight(module: Module, do_power_iteration: boolean): Tensor {
    const { name, eps, n_power_iterations } = this;
    if (!Number.isInteger(n_power_iterations))
      throw new TypeError_(`'${python_type(n_power_iterations)}' object cannot be interpreted as an integer`);
    const weight = attribute(module, `${name}_orig`) as Tensor;
    let u = attribute(module, `${name}_u`) as Tensor;
    let v = attribute(module, `${name}_v`) as Tensor;
    const weight_mat = this.reshape_weight_to_matrix(weight);
    if (do_power_iteration)
      torch.no_grad(() => {
        for (let i = 0; i < n_power_iterations; i++) {
          v = F.normalize(torch.mv(weight_mat.t(), u), { dim: 0, eps, out: v });
          u = F.normalize(torch.mv(weight_mat, v), { dim: 0, eps, out: u });
        }
        // The next forward changes the buffers in place, but backward needs their current values.
        u = u.clone({ memory_format: torch.contiguous_format });
        v = v.clone({ memory_format: torch.contiguous_format });
      });
    return weight.div(torch.dot(u, torch.mv(weight_mat, v)));
  }

  static override apply(
    module: Module,
    name: string,
    n_power_iterations: number,
    dim: number,
    eps: number,
  ): SpectralNorm {
    if (forward_pre_hooks_of(module, SpectralNorm).some(([, hook]) => hook.name === name))
      throw new RuntimeError(`Cannot register two spectral_norm hooks on the same parameter ${name}`);
    const fn = new SpectralNorm(name, n_power_iterations, dim, eps);
    const weight = module._parameters.get(name) ?? null;
    if (weight === null) throw new ValueError(`\`SpectralNorm\` cannot be applied as parameter \`${name}\` is None`);
    const [u, v] = torch.no_grad(() => {
      const size = fn.reshape_weight_to_matrix(weight).shape;
      const start = (n: number) => F.normalize(weight.new_empty([n]).normal_(0, 1), { dim: 0, eps });
      return [start(size[0]), start(size[1])];
    });
    module.__delattr__(name);
    module.register_parameter(`${name}_orig`, weight);
    // This is a plain attribute, not a parameter: the hook replaces it before each forward.
    module.__setattr__(name, weight.data);
    module.register_buffer(`${name}_u`, u);
    module.register_buffer(`${name}_v`, v);
    module.register_forward_pre_hook(fn);
    fn.handles = [
      module.register_state_dict_post_hook(
        (_module: Module, _state_dict: unknown, _prefix: string, metadata: Metadata) => fn.remember(metadata),
      ),
      module._register_load_state_dict_pre_hook((...args: LoadArgs) => fn.before_load(...args)),
    ];
    return fn;
  }

  private remember(local_metadata: Metadata): void {
    const of_module = (local_metadata.spectral_norm ??= {});
    const key = `${this.name}.version`;
    if (key in of_module) throw new RuntimeError(`Unexpected key in metadata['spectral_norm']: ${key}`);
    of_module[key] = SpectralNorm._version;
  }

  private before_load(...[state_dict, prefix, local_metadata, strict, missing_keys]: LoadArgs): void {
    const version = (local_metadata as Metadata).spectral_norm?.[`${this.name}.version`];
    if (version !== undefined && version >= 1) return;
    const weight_key = prefix + this.name;
    const has = (suffix: string) => state_dict.has(weight_key + suffix);
    // A dictionary without metadata, for example a copy, can still be complete.
    if (version === undefined && ["_orig", "_u", "_v"].every(has) && !has("")) return;
    const missing = ["_orig", "", "_u"].filter((suffix) => !has(suffix));
    if (strict) missing_keys.push(...missing.map((suffix) => weight_key + suffix));
    if (missing.length === 0)
      throw new NotImplementedError(`${weight_key}_v: spectral_norm cannot load a checkpoint without this vector`);
  }

  remove(module: Module): void {
    const weight = torch.no_grad(() => this.compute_weight(module, false));
    for (const suffix of ["", "_u", "_v", "_orig"]) module.__delattr__(this.name + suffix);
    module.register_parameter(this.name, new Parameter(weight.detach()));
    for (const handle of this.handles) handle.remove();
  }

  override __call__(module: Module): void {
    module.__setattr__(this.name, this.compute_weight(module, module.training));
  }
}

/** Divides a parameter by its largest singular value; each forward in training improves the estimate by one step of the power method. */
export const spectral_norm = def(
  "spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None)",
  <M extends Module>(module: M, name: string, n_power_iterations: number, eps: number, dim: number | null): M => {
    SpectralNorm.apply(module, name, n_power_iterations, dim ?? output_dim(module), eps);
    return module;
  },
);

/** Removes the hook and makes the weight a parameter again. */
export const remove_spectral_norm = def(
  "remove_spectral_norm(module, name='weight')",
  <M extends Module>(module: M, name: string): M => {
    for (const [id, hook] of forward_pre_hooks_of(module, SpectralNorm)) {
      if (hook.name !== name) continue;
      hook.remove(module);
      module._forward_pre_hooks.delete(id);
      return module;
    }
    throw new ValueError(`spectral_norm of '${name}' not found in ${module}`);
  },
);
