/**
 * @file The stack of boxed values on which boxed kernels find their arguments and leave their results.
 * @mirrors aten/src/ATen/core/stack.h
 */
import type { IValue } from "./ivalue.ts";

export type Stack = IValue[];

/** The i-th of the last N values: `peek(stack, 0, N)` is the first argument of an N-ary operator. */
export function peek(stack: Stack, i: number, N: number): IValue {
  return stack[stack.length - N + i];
}

export function last(stack: Stack, N: number): IValue[] {
  return stack.slice(stack.length - N);
}

/** Removes the last `n` values. */
export function drop(stack: Stack, n: number): void {
  stack.length -= n;
}

/** Removes and returns the top value. Precondition: the stack is not empty. */
export function pop(stack: Stack): IValue {
  return stack.pop() as IValue;
}

export function push(stack: Stack, ...values: IValue[]): void {
  for (const value of values) stack.push(value);
}

/** Removes and returns the last `n` values, in order. */
export function popn(stack: Stack, n: number): IValue[] {
  return stack.splice(stack.length - n, n);
}
