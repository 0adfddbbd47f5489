/**
 * @file Operators that a profiler does not record, because they are too small.
 * @mirrors aten/src/ATen/core/dispatch/ObservedOperators.h
 */
import type { OperatorName } from "#aten/core/operator_name";

const notObserved = new Set([
  "aten::size",
  "aten::is_leaf",
  "aten::output_nr",
  "aten::_version",
  "aten::is_complex",
  "profiler::_record_function_enter",
  "profiler::_record_function_enter_new",
  "profiler::_record_function_exit",
]);

export function isObserved(name: OperatorName): boolean {
  return !notObserved.has(name.name);
}
