/**
 * @file What an optimizer keeps: groups of parameters, state of each, and the form in which both are saved.
 * @mirrors torch/optim/optimizer.py
 */
import type { Tensor } from "#torch/_tensor/index";

// biome-ignore lint/suspicious/noExplicitAny: options differ by optimizer
export type Options = Record<string, any>;
export type ParamGroup = Options & { params: Tensor[] };
/** Per parameter: what the optimizer remembers of it. */
export type State = Options;

/** @differs The numbers of parameters are keys of an object, which JavaScript has as text; PyTorch's dict has integers. */
export interface OptimizerStateDict {
  state: Record<number, State>;
  param_groups: (Options & { params: number[] })[];
}
