/**
 * @file `torch.fx`: graphs of a module's calls. Not built.
 * @mirrors torch/fx/__init__.py
 * @differs Ours raises at each call; PyTorch traces the module.
 */
import { type NotBuilt, not_built } from "#torch/_not_built";

/** @throws {NotImplementedError} always */
export const symbolic_trace: NotBuilt = not_built(
  "torch.fx.symbolic_trace",
  "symbolic_trace(root: object, concrete_args=None)",
  "a recording shows the operators that a call of the module runs, in order",
);
