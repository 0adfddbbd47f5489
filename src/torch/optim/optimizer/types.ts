/**
 * @file What an optimizer keeps: groups of parameters, state of each, and the form in which both are saved.
 * @mirrors torch/optim/optimizer.py
 */
import type { InitValues } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";

// biome-ignore lint/suspicious/noExplicitAny: options differ by optimizer
export type Options = Record<string, any>;
export type ParamGroup = Options & { params: Tensor[] };
/** Per parameter: what the optimizer remembers of it. */
export type State = Options;

/** The parts of an optimizer that are saved. */
export interface SavedState {
  state: Map<Tensor, State>;
  param_groups: ParamGroup[];
}

/** A parameter group of an optimizer whose constructor has the signature `I`: its parameters and its options. */
export type GroupOf<I> = { readonly params: Tensor[] } & Omit<InitValues<I>, "params">;

/** Parameters that have a gradient, their gradients, and lists `K` of what is remembered: one row of each belongs together. */
export type Lists<K extends string> = Record<"params" | "grads" | K, Tensor[]>;

/** @differs The numbers of parameters are keys of an object, which JavaScript has as text; PyTorch's dict has integers. */
export interface OptimizerStateDict {
  state: Record<number, State>;
  param_groups: (Options & { params: number[] })[];
}
