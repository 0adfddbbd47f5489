/**
 * @file The instruction `LOOP`, which both interpreters have.
 * @mirrors torch/csrc/jit/runtime/interpreter.cpp
 */
import { IValue } from "#aten/core/ivalue";
import type { Stack } from "#aten/core/stack";

/**
 * On the stack lie: rounds made, most rounds, condition, carried values. If another round is due, the number of the round takes the place of
 * the condition, as the body's first input; otherwise only the carried values stay.
 */
export function begin_round(stack: Stack, N: number): boolean {
  const start = stack.length - (N + 1);
  const trip_count = stack[start].payload as number;
  const max_trip_count = stack[start + 1].payload as number | bigint;
  if (trip_count < max_trip_count && stack[start + 2].toBool()) {
    stack[start + 2] = stack[start];
    stack[start] = IValue.fromInt(trip_count + 1);
    return true;
  }
  stack.splice(start, 3);
  return false;
}
