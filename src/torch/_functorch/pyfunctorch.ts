/**
 * @file The stack of transforms for what is not an operator: an `autograd.Function`, an operator's rule for vmap in a program.
 * @mirrors torch/_functorch/pyfunctorch.py
 */
import { ADInterpreter } from "#aten/functorch/ADInterpreters";
import { maybeCurrentDynamicLayer, without_top } from "#aten/functorch/DynamicLayer";
import { type Interpreter, RandomnessType } from "#aten/functorch/Interpreter";
import type { VmapInterpreter } from "#aten/functorch/VmapInterpreter";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";

/** The innermost transform. */
export function retrieve_current_functorch_interpreter(): Interpreter {
  const interpreter = maybeCurrentDynamicLayer();
  TORCH_INTERNAL_ASSERT(interpreter !== null, "interpreter must not be None");
  return interpreter as Interpreter;
}

/** Runs `fn` below the innermost transform, in the mode that was there before it. */
export function lower<R>(interpreter: Interpreter, fn: () => R): R {
  if (interpreter instanceof ADInterpreter) return interpreter.below(() => without_top(fn));
  return without_top(fn);
}

const names: Readonly<Record<RandomnessType, string>> = {
  [RandomnessType.Error]: "error",
  [RandomnessType.Same]: "same",
  [RandomnessType.Different]: "different",
  [RandomnessType.END]: "end",
};

/** `error`, `same` or `different`. */
export function randomness_of(interpreter: VmapInterpreter): string {
  return names[interpreter.randomness()];
}
