/**
 * @file Pruning: elements or slices of a parameter are set to zero and stay zero.
 * @mirrors torch/nn/utils/prune.py
 * @differs In ours a fraction is a number that is not an integer, or `new torch.Float(1)`; PyTorch distinguishes 1 from 1.0. Ours takes the
 * scores of a global pruning in a Map by `[module, name]`, and `apply` takes scores by keyword only; PyTorch takes a dict and a positional
 * argument.
 */
import { AssertionError, IndexError, TypeError_, ValueError } from "#c10/util/Exception";
import { nearbyint } from "#c10/util/math";
import { class_repr, isDict, py_str, python_type } from "#torch/_C";
import { size_repr } from "#torch/_prims_common/index";
import { def, def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { is_iterable } from "#torch/nn/modules/container/index";
import { attribute, hasattr } from "#torch/nn/modules/module/attributes";
import type { Module } from "#torch/nn/modules/module/index";
import type { _float } from "#torch/types";
import { forward_pre_hooks_of } from "./callable_hook.ts";
import { parameters_to_vector } from "./convert_parameters.ts";
import { apply_method, BasePruningMethod, PruningContainer } from "./prune_base.ts";

export { BasePruningMethod, PruningContainer } from "./prune_base.ts";

/** Whether `amount` is a fraction and not a count. */
function is_share(amount: unknown): boolean {
  return python_type(amount) === "float";
}

function _validate_pruning_amount_init(amount: _float): void {
  if (!["int", "float", "bool"].includes(python_type(amount)))
    throw new TypeError_(`Invalid type for amount: ${py_str(amount)}. Must be int or float.`);
  if (Number(amount) < 0 || (is_share(amount) && Number(amount) > 1))
    throw new ValueError(
      `amount=${py_str(amount)} should either be a float in the range [0, 1] or a non-negative integer`,
    );
}

/** The number of elements to prune among `size`. */
function nparams_toprune(amount: _float, size: number): number {
  const n = is_share(amount) ? nearbyint(Number(amount) * size) : Number(amount);
  if (n > size) throw new ValueError(`amount=${n} should be smaller than the number of parameters to prune=${size}`);
  return n;
}

/** The number of slices of `t` along `dim` to prune; a vector or an invalid `dim` is refused. */
function slices_toprune(t: Tensor, dim: number, amount: _float): number {
  if (t.dim() <= 1)
    throw new ValueError(
      `Structured pruning can only be applied to multidimensional tensors. Found tensor of shape ${size_repr(t.shape)} with ${t.dim()} dims`,
    );
  if (dim >= t.dim()) throw new IndexError(`Invalid index ${dim} for tensor of size ${size_repr(t.shape)}`);
  return nparams_toprune(amount, t.size(dim));
}

function contiguous_copy(mask: Tensor): Tensor {
  return mask.clone({ memory_format: torch.contiguous_format });
}

/** A mask of `t` that keeps the slices along `dim` selected by `kept`, as far as `default_mask` keeps them. */
function mask_of_slices(t: Tensor, dim: number, kept: Tensor, default_mask: Tensor): Tensor {
  const mask = torch.zeros_like(t);
  const everything = { start: null, stop: null, step: null };
  const index = t.shape.map((): typeof everything | Tensor => everything);
  mask.__setitem__(index.with(dim, kept), 1);
  return mask.mul_(default_mask.to({ dtype: mask.dtype }));
}

/** Prunes nothing, but creates the members of a pruned tensor. */
export class Identity extends BasePruningMethod {
  static readonly __module__: string = "torch.nn.utils.prune";
  override readonly PRUNING_TYPE = "unstructured";

  override compute_mask(_t: Tensor, default_mask: Tensor): Tensor {
    return default_mask;
  }
}

abstract class Unstructured extends BasePruningMethod {
  static readonly __module__: string = "torch.nn.utils.prune";
  override readonly PRUNING_TYPE = "unstructured";
  readonly amount: _float;

  constructor(amount: _float) {
    super();
    _validate_pruning_amount_init(amount);
    this.amount = amount;
  }

  /** The `n` elements to prune, as indices into the flattened tensor. */
  protected abstract chosen(t: Tensor, n: number): Tensor;

  override compute_mask(t: Tensor, default_mask: Tensor): Tensor {
    const n = nparams_toprune(this.amount, t.numel());
    const mask = contiguous_copy(default_mask);
    if (n !== 0) mask.view(-1).__setitem__([this.chosen(t, n)], 0);
    return mask;
  }
}

const RandomUnstructured_init = new Init("RandomUnstructured.__init__(self, amount)", types<[amount: _float]>);

/** Prunes random elements. */
export class RandomUnstructured extends Unstructured {
  static {
    def_methods(RandomUnstructured, { __init__: RandomUnstructured_init });
  }

  constructor(...args: InitArgs<typeof RandomUnstructured_init>) {
    super(...RandomUnstructured_init.bind(args));
  }

  protected override chosen(t: Tensor, n: number): Tensor {
    return torch.topk(torch.rand_like(t).view(-1), n)[1];
  }
}

const L1Unstructured_init = new Init("L1Unstructured.__init__(self, amount)", types<[amount: _float]>);

/** Prunes the elements with the smallest absolute values. */
export class L1Unstructured extends Unstructured {
  static {
    def_methods(L1Unstructured, { __init__: L1Unstructured_init });
  }

  constructor(...args: InitArgs<typeof L1Unstructured_init>) {
    super(...L1Unstructured_init.bind(args));
  }

  protected override chosen(t: Tensor, n: number): Tensor {
    return torch.topk(torch.abs(t).view(-1), n, { largest: false })[1];
  }
}

const RandomStructured_init = new Init(
  "RandomStructured.__init__(self, amount, dim=-1)",
  types<[amount: _float, dim: number]>,
);

/** Prunes random slices along `dim`. */
export class RandomStructured extends BasePruningMethod {
  static readonly __module__: string = "torch.nn.utils.prune";
  override readonly PRUNING_TYPE = "structured";
  readonly amount: _float;
  readonly dim: number;

  static {
    def_methods(RandomStructured, { __init__: RandomStructured_init });
  }

  constructor(...args: InitArgs<typeof RandomStructured_init>) {
    const [amount, dim] = RandomStructured_init.bind(args);
    super();
    _validate_pruning_amount_init(amount);
    this.amount = amount;
    this.dim = dim;
  }

  override compute_mask(t: Tensor, default_mask: Tensor): Tensor {
    const n = slices_toprune(t, this.dim, this.amount);
    if (n === 0) return default_mask;
    const prob = torch.rand([t.size(this.dim)]);
    const [threshold] = torch.kthvalue(prob, n);
    return mask_of_slices(t, positive(this.dim, t), prob.gt(threshold), default_mask);
  }
}

function positive(dim: number, t: Tensor): number {
  return dim < 0 ? dim + t.dim() : dim;
}

const LnStructured_init = new Init(
  "LnStructured.__init__(self, amount, n, dim=-1)",
  types<[amount: _float, n: _float, dim: number]>,
);

/** Prunes the slices along `dim` with the smallest `n`-norm. */
export class LnStructured extends BasePruningMethod {
  static readonly __module__: string = "torch.nn.utils.prune";
  override readonly PRUNING_TYPE = "structured";
  readonly amount: _float;
  readonly n: _float;
  readonly dim: number;

  static {
    def_methods(LnStructured, { __init__: LnStructured_init });
  }

  constructor(...args: InitArgs<typeof LnStructured_init>) {
    const [amount, n, dim] = LnStructured_init.bind(args);
    super();
    _validate_pruning_amount_init(amount);
    this.amount = amount;
    this.n = n;
    this.dim = dim;
  }

  override compute_mask(t: Tensor, default_mask: Tensor): Tensor {
    const n = slices_toprune(t, this.dim, this.amount);
    const dim = positive(this.dim, t);
    const others = [...t.shape.keys()].filter((d) => d !== dim);
    const norm = torch.norm(t, Number(this.n), others);
    if (n === 0) return default_mask;
    return mask_of_slices(t, dim, torch.topk(norm, t.size(dim) - n, { largest: true })[1], default_mask);
  }
}

const CustomFromMask_init = new Init("CustomFromMask.__init__(self, mask)", types<[mask: Tensor]>);

/** Prunes the elements where a given mask is 0. */
export class CustomFromMask extends BasePruningMethod {
  static readonly __module__: string = "torch.nn.utils.prune";
  override readonly PRUNING_TYPE = "global";
  readonly mask: Tensor;

  static {
    def_methods(CustomFromMask, { __init__: CustomFromMask_init });
  }

  constructor(...args: InitArgs<typeof CustomFromMask_init>) {
    const [mask] = CustomFromMask_init.bind(args);
    super();
    this.mask = mask;
  }

  override compute_mask(_t: Tensor, default_mask: Tensor): Tensor {
    if (String(default_mask.shape) !== String(this.mask.shape))
      throw new AssertionError(
        `default_mask shape ${size_repr(default_mask.shape)} must match self.mask shape ${size_repr(this.mask.shape)}`,
      );
    return default_mask.mul(this.mask.to({ dtype: default_mask.dtype }));
  }
}

/** Prunes nothing, but gives a parameter the members of a pruned one. */
export const identity = def("identity(module, name)", <M extends Module>(module: M, name: string): M => {
  apply_method(() => new Identity(), module, name);
  return module;
});

/** Prunes `amount` random elements. */
export const random_unstructured = def(
  "random_unstructured(module, name, amount)",
  <M extends Module>(module: M, name: string, amount: _float): M => {
    apply_method(() => new RandomUnstructured(amount), module, name);
    return module;
  },
);

/** Prunes the `amount` elements with the smallest absolute values or scores. */
export const l1_unstructured = def(
  "l1_unstructured(module, name, amount, importance_scores=None)",
  <M extends Module>(module: M, name: string, amount: _float, importance_scores: Tensor | null): M => {
    apply_method(() => new L1Unstructured(amount), module, name, importance_scores);
    return module;
  },
);

/** Prunes `amount` random slices along `dim`. */
export const random_structured = def(
  "random_structured(module, name, amount, dim)",
  <M extends Module>(module: M, name: string, amount: _float, dim: number): M => {
    apply_method(() => new RandomStructured(amount, dim), module, name);
    return module;
  },
);

/** Prunes the `amount` slices along `dim` with the smallest `n`-norm. */
export const ln_structured = def(
  "ln_structured(module, name, amount, n, dim, importance_scores=None)",
  <M extends Module>(
    module: M,
    name: string,
    amount: _float,
    n: _float,
    dim: number,
    importance_scores: Tensor | null,
  ): M => {
    apply_method(() => new LnStructured(amount, n, dim), module, name, importance_scores);
    return module;
  },
);

type Place = readonly [module: Module, name: string];
type Scores = ReadonlyMap<Place, Tensor>;
type PruningMethod = new (...args: never[]) => BasePruningMethod;

/** Prunes several parameters together: the elements that are the smallest among all of them. */
export const global_unstructured = def(
  "global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs)",
  (
    given: Iterable<Place>,
    pruning_method: PruningMethod,
    importance_scores: Scores | null,
    kwargs: Readonly<Record<string, unknown>>,
  ): void => {
    if (!is_iterable(given)) throw new TypeError_("global_unstructured(): parameters is not an Iterable");
    if (importance_scores !== null && !(importance_scores instanceof Map) && !isDict(importance_scores))
      throw new TypeError_("global_unstructured(): importance_scores must be of type dict");
    const parameters = [...given];
    const scores = importance_scores instanceof Map ? [...importance_scores] : [];
    const score_of = (module: Module, name: string): Tensor =>
      scores.find(([place]) => place[0] === module && place[1] === name)?.[1] ?? (attribute(module, name) as Tensor);
    const mask_of = (module: Module, name: string): Tensor =>
      hasattr(module, `${name}_mask`)
        ? (attribute(module, `${name}_mask`) as Tensor)
        : torch.ones_like(attribute(module, name) as Tensor);
    const relevant_importance_scores = parameters_to_vector(parameters.map((place) => score_of(...place)));
    const default_mask = parameters_to_vector(parameters.map((place) => mask_of(...place)));

    const container = new PruningContainer();
    container._tensor_name = "temp";
    const make = pruning_method as new (...args: unknown[]) => BasePruningMethod;
    const method = Object.keys(kwargs).length > 0 ? new make(kwargs) : new make();
    method._tensor_name = "temp";
    if (method.PRUNING_TYPE !== "unstructured")
      throw new TypeError_(
        `Only "unstructured" PRUNING_TYPE supported for the \`pruning_method\`. Found method ${class_repr(pruning_method)} of type ${method.PRUNING_TYPE}`,
      );
    container.add_pruning_method(method);
    const final_mask = container.compute_mask(relevant_importance_scores, default_mask);
    let pointer = 0;
    for (const [module, name] of parameters) {
      const param = attribute(module, name) as Tensor;
      const stop = pointer + param.numel();
      const param_mask = final_mask.__getitem__([{ start: pointer, stop, step: null }]).view_as(param);
      custom_from_mask(module, name, param_mask);
      pointer = stop;
    }
  },
);

/** Prunes the elements where `mask` is 0. */
export const custom_from_mask = def(
  "custom_from_mask(module, name, mask)",
  <M extends Module>(module: M, name: string, mask: Tensor): M => {
    apply_method(() => new CustomFromMask(mask), module, name);
    return module;
  },
);

/** Makes the pruned tensor the parameter; the pruned elements cannot be restored. */
export const remove = def("remove(module, name)", <M extends Module>(module: M, name: string): M => {
  for (const [id, hook] of forward_pre_hooks_of(module, BasePruningMethod)) {
    if (hook._tensor_name !== name) continue;
    hook.remove(module);
    module._forward_pre_hooks.delete(id);
    return module;
  }
  throw new ValueError(`Parameter '${name}' of module ${module} has to be pruned before pruning can be removed`);
});

/** Whether this module or a submodule has a pruned tensor. */
export const is_pruned = def("is_pruned(module)", (module: Module): boolean =>
  [...module.modules()].some((m) => forward_pre_hooks_of(m, BasePruningMethod).length > 0),
);
