/**
 * @file The variable of each function of the library that takes functions, for those that become nodes.
 * @mirrors torch/_dynamo/variables/higher_order_ops.py#_hop_name_to_variable_class
 */
import { cond, cond_op } from "#torch/_higher_order_ops/cond";
import { tag_activation_checkpoint } from "#torch/_higher_order_ops/tag_activation_checkpoint";
import { checkpoint } from "#torch/utils/checkpoint";
import type { Source } from "../../source.ts";
import type { VariableTracker } from "../base.ts";
import { CheckpointHigherOrderVariable } from "./checkpoint.ts";
import { CondHigherOrderVariable } from "./cond.ts";

type Make = new (value: unknown, source: Source | null) => VariableTracker;

const VARIABLES = new Map<unknown, Make>([
  [cond, CondHigherOrderVariable],
  [cond_op, CondHigherOrderVariable],
  [checkpoint, CheckpointHigherOrderVariable],
  [tag_activation_checkpoint, CheckpointHigherOrderVariable],
]);

/** The variable of such a function; null for another value. */
export function higher_order_variable(value: unknown, source: Source | null): VariableTracker | null {
  const make = VARIABLES.get(value);
  return make === undefined ? null : new make(value, source);
}
