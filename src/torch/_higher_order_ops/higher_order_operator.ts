/**
 * @file Operators whose arguments are graphs or functions: `torch.ops.higher_order.NAME`.
 * @mirrors torch/_ops.py#HigherOrderOperator
 * @differs Ours asks a fixed list of layers, each of which may have a kernel; PyTorch computes a key set and has a table by key and by mode.
 *
 *     cond(pred, f, g, (x,))
 *       proxy mode above autograd   notes the call, with `f` and `g` as graphs
 *       autograd                    x needs a gradient: one node for both branches
 *       functionalization           x is functional: branches without mutation
 *       proxy mode, fake mode       note the call; run both branches without data
 *       dense                       runs one branch
 */
import { TAKES_VALUES } from "#python/Objects/allocated";
import { tuple } from "#python/Objects/tupleobject";
import { _get_dispatch_mode, _set_dispatch_mode, _TorchDispatchModeKey, _unset_dispatch_mode } from "#torch/_C";
import {
  _get_dispatch_mode_pre_dispatch,
  _set_mode_pre_dispatch,
  unset_mode_pre_dispatch,
} from "#torch/_dispatch/pre_dispatch";
import { _is_functional_tensor } from "#torch/_functorch/_C";
import { ops } from "#torch/_ops";
import type { FakeTensorMode } from "#torch/_subclasses/fake_tensor/index";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { ProxyTorchDispatchMode } from "#torch/fx/experimental/proxy_tensor/index";
import { flatten } from "#torch/utils/_pytree/index";

type Args = readonly unknown[];

/** An operator's function for each layer; without a kernel the layer passes the call on. */
export interface Kernels {
  /** The mode that notes operators is off meanwhile. */
  readonly proxy?: (mode: ProxyTorchDispatchMode, args: Args) => unknown;
  readonly autograd?: (args: Args) => unknown;
  readonly functionalize?: (args: Args) => unknown;
  readonly fake?: (mode: FakeTensorMode, args: Args) => unknown;
  readonly dense: (args: Args) => unknown;
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor returns a callable object
export class HigherOrderOperator {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch._ops";
  declare readonly _name: string;
  declare readonly __name__: string;
  declare readonly __qualname__: string;
  declare readonly __module__: string;
  declare readonly namespace: string;

  constructor(name: string, kernels: Kernels) {
    const self = ((...args: unknown[]) => run(kernels, args)) as unknown as HigherOrderOperator;
    Reflect.deleteProperty(self, "name");
    Object.setPrototypeOf(self, new.target.prototype);
    const fields = {
      _name: name,
      __name__: name,
      __qualname__: name,
      __module__: "torch.ops.higher_order",
      namespace: "higher_order",
      [TAKES_VALUES]: true,
    };
    Object.assign(self, fields);
    ops.higher_order.cache.set(name, self);
    // biome-ignore lint/correctness/noConstructorReturn: a callable object
    return self;
  }

  name(): string {
    return this._name;
  }

  toString(): string {
    return this._name;
  }

  __repr__(): string {
    return this._name;
  }
}

/** The call. */
export interface HigherOrderOperator {
  // biome-ignore lint/style/useShorthandFunctionType: merged with the class
  (...args: unknown[]): unknown;
}

Object.setPrototypeOf(HigherOrderOperator.prototype, Function.prototype); // an operator is a function

const { PROXY, FAKE } = _TorchDispatchModeKey;

/** Runs `fn` while no mode notes operators, above autograd or below it. */
export function without_proxy_modes<R>(fn: () => R): R {
  const above = unset_mode_pre_dispatch();
  const below = _get_dispatch_mode(PROXY) == null ? null : _unset_dispatch_mode(PROXY);
  try {
    return fn();
  } finally {
    if (below != null) _set_dispatch_mode(below);
    if (above !== null) _set_mode_pre_dispatch(above);
  }
}

/** Lets a mode note the call; it is off meanwhile. */
function note({ proxy, dense }: Kernels, mode: ProxyTorchDispatchMode, args: Args): unknown {
  return without_proxy_modes(() => (proxy === undefined ? dense(args) : proxy(mode, mode.known(tuple(args)))));
}

function run(kernels: Kernels, args: Args): unknown {
  const above = _get_dispatch_mode_pre_dispatch() as ProxyTorchDispatchMode | null;
  if (above !== null) return note(kernels, above, args);
  const tensors = flatten(tuple(args))[0].filter((leaf) => leaf instanceof Tensor);
  if (kernels.autograd !== undefined && torch.is_grad_enabled() && tensors.some(({ requires_grad }) => requires_grad))
    return kernels.autograd(args);
  if (kernels.functionalize !== undefined && tensors.some(_is_functional_tensor)) return kernels.functionalize(args);
  const proxy_mode = _get_dispatch_mode(PROXY) as ProxyTorchDispatchMode | null | undefined;
  if (proxy_mode != null && kernels.proxy !== undefined) return note(kernels, proxy_mode, args);
  const fake_mode = _get_dispatch_mode(FAKE) as FakeTensorMode | null | undefined;
  if (fake_mode != null && kernels.fake !== undefined) return kernels.fake(fake_mode, args);
  return kernels.dense(args);
}
