/**
 * @file Types of an optimizer's data: parameter groups, state, and their saved form.
 * @mirrors torch/optim/optimizer.py
 */
import type { InitValues } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";

// biome-ignore lint/suspicious/noExplicitAny: options differ between optimizers
export type Options = Record<string, any>;
export type ParamGroup = Options & { params: Tensor[] };
/** The state that an optimizer keeps for one parameter. */
export type State = Options;

/** The parts of an optimizer that are saved. */
export interface SavedState {
  state: Map<Tensor, State>;
  param_groups: ParamGroup[];
}

/** A parameter group of an optimizer whose constructor has the signature `I`: its parameters and its options. */
export type GroupOf<I> = { readonly params: Tensor[] } & Omit<InitValues<I>, "params">;

/** Lists over the parameters that have a gradient: these, their gradients, and state `K`. Entry i of each list belongs to parameter i. */
export type Lists<K extends string> = Record<"params" | "grads" | K, Tensor[]>;

/** The states by the numbers of their parameters: `state.get(0)`, or `state[0]`. */
export type StateByNumber = Map<unknown, State> & Record<number, State>;

export interface OptimizerStateDict {
  state: StateByNumber;
  param_groups: (Options & { params: number[] })[];
}
