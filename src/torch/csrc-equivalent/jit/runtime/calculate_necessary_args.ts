/**
 * @file How many arguments of a call have to be written: those behind them have their default values.
 * @mirrors torch/csrc/jit/runtime/calculate_necessary_args.h
 */
import type { Argument } from "#aten/core/function_schema";
import { toIValue } from "../ir/constants.ts";
import type { Value } from "../ir/ir.ts";

function isDefault(argument: Argument, input: Value): boolean {
  const expected = argument.default_value();
  // A list that a node makes is no constant, so it is always written.
  const actual = expected === null ? null : toIValue(input);
  return expected !== null && actual !== null && expected.equals(actual);
}

/**
 * `num_out` is the number of `out=` arguments at the end of the schema.
 * @param allow_trailing_out_args whether `out=` arguments can follow arguments that are left out
 */
export function CalculateNecessaryArgs(
  schema_args: readonly Argument[],
  actual_inputs: readonly Value[],
  allow_trailing_out_args: boolean,
): { readonly num_necessary: number; readonly num_out: number } {
  let last = schema_args.length - 1;
  if (allow_trailing_out_args) while (last >= 0 && schema_args[last].is_out()) last--;
  const num_out = schema_args.length - 1 - last;
  if (schema_args.length < actual_inputs.length) return { num_necessary: actual_inputs.length, num_out };
  while (last >= 0 && isDefault(schema_args[last], actual_inputs[last])) last--;
  return { num_necessary: last + 1, num_out };
}
