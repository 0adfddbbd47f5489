/**
 * @file Types of an optimizer's data: parameter groups, state, and their saved form.
 * @mirrors torch/optim/optimizer.py
 */
import type { Tensor } from "#torch/_tensor/index";

// biome-ignore lint/suspicious/noExplicitAny: options differ between optimizers
export type Options = Record<string, any>;
export type ParamGroup = Options & { params: Tensor[] };
/** The state that an optimizer keeps for one parameter. */
export type State = Options;

/** @differs Ours has the numbers of parameters as keys of an object, which JavaScript stores as text; PyTorch's dict has integers. */
export interface OptimizerStateDict {
  state: Record<number, State>;
  param_groups: (Options & { params: number[] })[];
}
