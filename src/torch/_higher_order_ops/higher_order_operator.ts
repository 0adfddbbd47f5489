/**
 * @file Operators whose arguments are graphs or functions: `torch.ops.higher_order.NAME`.
 * @mirrors torch/_ops.py#HigherOrderOperator
 * @differs Ours asks the mode that records operators above autograd, and otherwise runs the operator's own function; PyTorch has a table by key.
 */
import { TAKES_VALUES } from "#python/Objects/allocated";
import {
  _get_dispatch_mode_pre_dispatch,
  _set_mode_pre_dispatch,
  unset_mode_pre_dispatch,
} from "#torch/_dispatch/pre_dispatch";
import { ops } from "#torch/_ops";

/** Runs the operator: `mode` is that of the recording, which is off meanwhile; null if nothing records. */
type Implementation = (mode: object | null, args: readonly unknown[]) => unknown;

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor returns a callable object
export class HigherOrderOperator {
  static readonly [TAKES_VALUES] = true;
  static readonly __module__ = "torch._ops";
  declare readonly _name: string;
  declare readonly __name__: string;
  declare readonly __qualname__: string;
  declare readonly __module__: string;
  declare readonly namespace: string;

  constructor(name: string, implementation: Implementation) {
    const self = ((...args: unknown[]) => run(implementation, args)) as unknown as HigherOrderOperator;
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

function run(implementation: Implementation, args: readonly unknown[]): unknown {
  if (_get_dispatch_mode_pre_dispatch() === null) return implementation(null, args);
  const mode = unset_mode_pre_dispatch() as object;
  try {
    return implementation(mode, args);
  } finally {
    _set_mode_pre_dispatch(mode);
  }
}
