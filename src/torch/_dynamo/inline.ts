/**
 * @file Following a call: the callee's instructions run in a translator of their own, which writes into the caller's graph.
 * @mirrors torch/_dynamo/symbolic_convert.py#InliningInstructionTranslator
 */
import type { Kwargs, Translator, VariableTracker } from "./variables/base.ts";
import type { Callee } from "./variables/functions.ts";

/** symbolic_convert.ts sets it: the classes of variables stand below the translator. */
export const inlining: {
  run: (tx: Translator, callee: Callee, args: readonly VariableTracker[], kwargs: Kwargs) => VariableTracker;
} = {
  run: () => {
    throw new Error("the translator is not loaded");
  },
};

export const inline_call = (
  tx: Translator,
  callee: Callee,
  args: readonly VariableTracker[],
  kwargs: Kwargs,
): VariableTracker => inlining.run(tx, callee, args, kwargs);
