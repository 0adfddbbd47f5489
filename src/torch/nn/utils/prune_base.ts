/**
 * @file The base class of pruning methods: a mask is stored next to the tensor, and a hook multiplies both before each forward.
 * @mirrors torch/nn/utils/prune.py#BasePruningMethod
 */
import { AssertionError, AttributeError, IndexError, TypeError_, ValueError } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import { size_repr } from "#torch/_prims_common/index";
import { split_keywords } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { attribute, hasattr } from "#torch/nn/modules/module/attributes";
import type { Module } from "#torch/nn/modules/module/index";
import type { Parameter } from "#torch/nn/parameter/index";
import { CallableHook, forward_pre_hooks_of } from "./callable_hook.ts";

const ALL = { start: null, stop: null, step: null };

/**
 * A pruning method. A subclass defines `compute_mask` and `PRUNING_TYPE`: "unstructured" (single elements), "structured" (slices along its
 * `dim`) or "global".
 */
export abstract class BasePruningMethod extends CallableHook {
  declare readonly PRUNING_TYPE: string;
  /** Name of the pruned tensor. */
  declare _tensor_name: string;

  override __call__(module: Module): void {
    module.__setattr__(this._tensor_name, this.apply_mask(module));
  }

  /** The new mask: 0 for elements to prune, 1 for the others, where `default_mask` is 1. */
  abstract compute_mask(t: Tensor, default_mask: Tensor): Tensor;

  apply_mask(module: Module): Tensor {
    if (this._tensor_name === undefined) throw new AssertionError(`Module ${module} has to be pruned`);
    const mask = attribute(module, `${this._tensor_name}_mask`) as Tensor;
    const orig = attribute(module, `${this._tensor_name}_orig`) as Tensor;
    return mask.to({ dtype: orig.dtype }).mul(orig);
  }

  /**
   * Prunes `module[name]`: the parameter moves to `name_orig`, the mask is the buffer `name_mask`. If the tensor is pruned already, the new
   * mask prunes the remaining elements.
   * @param given the arguments of the constructor; the keyword `importance_scores` gives values that are compared instead of the elements
   */
  // biome-ignore lint/suspicious/noExplicitAny: each subclass has its own arguments
  static override apply(module: Module, name: string, ...given: any[]): BasePruningMethod {
    const [args, { importance_scores = null, ...kwargs }] = split_keywords(given);
    const cls = this as unknown as new (...args: unknown[]) => BasePruningMethod;
    const named = Object.keys(kwargs).length > 0 ? [kwargs] : [];
    return apply_method(() => new cls(...args, ...named), module, name, importance_scores as Tensor | null);
  }

  /** A pruned copy of `t`, without a module. */
  prune(t: Tensor, default_mask: Tensor | null = null, importance_scores: Tensor | null = null): Tensor {
    if (importance_scores !== null && String(importance_scores.shape) !== String(t.shape))
      throw new AssertionError(
        `importance_scores should have the same shape as tensor t, got ${size_repr(importance_scores.shape)} vs ${size_repr(t.shape)}`,
      );
    return t.mul(this.compute_mask(importance_scores ?? t, default_mask ?? torch.ones_like(t)));
  }

  /** Makes the pruned tensor the parameter; the pruned elements cannot be restored. */
  remove(module: Module): void {
    const name = this._tensor_name;
    if (name === undefined) throw new AssertionError(`Module ${module} has to be pruned before pruning can be removed`);
    const weight = this.apply_mask(module);
    if (hasattr(module, name)) module.__delattr__(name);
    const orig = module._parameters.get(`${name}_orig`) as Parameter;
    orig.data = weight.data;
    module._parameters.delete(`${name}_orig`);
    module._buffers.delete(`${name}_mask`);
    module.__setattr__(name, orig);
  }
}

/** The method or, if the tensor is pruned already, a container with all its methods. It removes the hook from the module. */
function get_composite_method(make: () => BasePruningMethod, module: Module, name: string): BasePruningMethod {
  const old = forward_pre_hooks_of(module, BasePruningMethod).filter(([, hook]) => hook._tensor_name === name);
  if (old.length > 1)
    throw new AssertionError(
      `Avoid adding multiple pruning hooks to the same tensor ${name} of module ${module}. Use a PruningContainer.`,
    );
  for (const [id] of old) module._forward_pre_hooks.delete(id);
  const method = make();
  method._tensor_name = name;
  if (old.length === 0) return method;
  const [[, old_method]] = old;
  const container = old_method instanceof PruningContainer ? old_method : new PruningContainer(old_method);
  container.add_pruning_method(method);
  return container;
}

export function apply_method(
  make: () => BasePruningMethod,
  module: Module,
  name: string,
  importance_scores: Tensor | null = null,
): BasePruningMethod {
  const method = get_composite_method(make, module, name);
  const orig = attribute(module, name) as Parameter;
  if (importance_scores !== null && String(importance_scores.shape) !== String(orig.shape))
    throw new AssertionError(
      `importance_scores should have the same shape as parameter ${name} of ${module}, got ${size_repr(importance_scores.shape)} vs ${size_repr(orig.shape)}`,
    );
  const first = !(method instanceof PruningContainer);
  let default_mask: Tensor;
  if (first) {
    module.register_parameter(`${name}_orig`, orig);
    module._parameters.delete(name);
    default_mask = torch.ones_like(orig);
  } else {
    const mask = attribute(module, `${name}_mask`) as Tensor;
    default_mask = mask.detach().clone({ memory_format: torch.contiguous_format });
  }
  try {
    const mask = method.compute_mask(importance_scores ?? orig, default_mask);
    module.register_buffer(`${name}_mask`, mask);
    module.__setattr__(name, method.apply_mask(module));
    module.register_forward_pre_hook(method);
  } catch (error) {
    if (first) {
      module.register_parameter(name, attribute(module, `${name}_orig`) as Parameter);
      module._parameters.delete(`${name}_orig`);
    }
    throw error;
  }
  return method;
}

/** A sequence of methods for one tensor; the last one prunes what the others left. */
export class PruningContainer extends BasePruningMethod {
  static readonly __module__: string = "torch.nn.utils.prune";

  private readonly _pruning_methods: BasePruningMethod[] = [];

  constructor(...methods: (BasePruningMethod | null)[]) {
    super();
    const [first] = methods;
    if (methods.length === 1 && first) this._tensor_name = first._tensor_name;
    for (const method of methods) this.add_pruning_method(method);
  }

  add_pruning_method(method: BasePruningMethod | null): void {
    if (method !== null) {
      if (!(method instanceof BasePruningMethod))
        throw new TypeError_(`<class '${python_type(method)}'> is not a BasePruningMethod subclass`);
      if (this._tensor_name === undefined)
        throw new AttributeError("'PruningContainer' object has no attribute '_tensor_name'");
      if (this._tensor_name !== method._tensor_name)
        throw new ValueError(
          `Can only add pruning methods acting on the parameter named '${this._tensor_name}' to PruningContainer ${this}. Found '${method._tensor_name}'`,
        );
    }
    this._pruning_methods.push(method as BasePruningMethod);
  }

  __len__(): number {
    return this._pruning_methods.length;
  }

  /** `len` in JavaScript's spelling. */
  override get length(): number {
    return this.__len__();
  }

  __getitem__(idx: number): BasePruningMethod {
    return this._pruning_methods.at(idx) as BasePruningMethod;
  }

  [Symbol.iterator](): IterableIterator<BasePruningMethod> {
    return this._pruning_methods.values();
  }

  override toString(): string {
    return "<torch.nn.utils.prune.PruningContainer object>";
  }

  /** Applies the last method to the elements (or slices) that `default_mask` keeps. */
  override compute_mask(t: Tensor, default_mask: Tensor): Tensor {
    const method = this.__getitem__(-1);
    const new_mask = default_mask.to({ dtype: t.dtype });
    const slc = left_of(method, t, default_mask);
    const partial_mask = method.compute_mask(t.__getitem__(slc), default_mask.__getitem__(slc));
    new_mask.__setitem__(slc, partial_mask.to({ dtype: new_mask.dtype }));
    return new_mask;
  }
}

/** The index of the part that `mask` keeps, in the form that `method` needs. */
function left_of(method: BasePruningMethod, t: Tensor, mask: Tensor): (typeof ALL | Tensor)[] {
  const n_dims = t.dim();
  if (method.PRUNING_TYPE === "unstructured") return [mask.eq(1)];
  const everything = new Array<typeof ALL | Tensor>(n_dims).fill(ALL);
  if (method.PRUNING_TYPE === "global") return everything;
  if (method.PRUNING_TYPE !== "structured") throw new ValueError(`Unrecognized PRUNING_TYPE ${method.PRUNING_TYPE}`);
  const { dim: given } = method as { dim?: number };
  if (given === undefined)
    throw new AttributeError('Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.');
  const dim = given < 0 ? given + n_dims : given;
  if (dim < 0) throw new IndexError(`Index is out of bounds for tensor with dimensions ${n_dims}`);
  const others = [...mask.shape.keys()].filter((d) => d !== dim);
  return everything.with(dim, mask.sum(others).ne(0));
}
