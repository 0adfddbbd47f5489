/**
 * @file The states of an optimizer's parameters: reading the state of a parameter that has none makes an empty one, in Python.
 * @mirrors torch/optim/optimizer.py#Optimizer
 * @differs From TypeScript, `get` gives nothing for a parameter without state, as a Map does. PyTorch's `defaultdict(dict)` makes the state.
 */
import { py_global, type Reduced } from "#torch/_pickle/index";
import type { Tensor } from "#torch/_tensor/index";
import type { State } from "./types.ts";

export class States extends Map<Tensor, State> {
  static readonly __name__: string = "defaultdict";

  /** A pickle has the dictionary of `collections`. */
  __reduce_ex__(_protocol: number): Reduced {
    return { func: py_global("collections", "defaultdict"), args: [py_global("__builtin__", "dict")], dictitems: this };
  }

  /** Python asks this for a key that is missing. */
  __missing__(param: Tensor): State {
    const state: State = {};
    this.set(param, state);
    return state;
  }
}
