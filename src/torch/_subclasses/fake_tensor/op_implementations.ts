/**
 * @file The table of operators that fake tensors treat in a way of their own, in the order in which they are asked.
 * @mirrors torch/_subclasses/fake_impls.py#register_op_impl
 */
import { NotImplemented, type OpOverload } from "#torch/_ops";
import type { FakeTensorMode } from "./index.ts";

/** Computes an operator's result, or answers `NotImplemented`. */
export type OpImplementation = (
  fake_mode: FakeTensorMode,
  func: OpOverload,
  args: readonly unknown[],
  kwargs: Readonly<Record<string, unknown>>,
) => unknown;

const by_operator = new Map<string, OpImplementation>();
const by_check: (readonly [check: (func: OpOverload) => boolean, implementation: OpImplementation])[] = [];

/**
 * Registers an implementation.
 * @param which names of operators, separated by spaces, without `aten::`; or a test of an operator
 */
export function register_op_impl(
  which: string | ((func: OpOverload) => boolean),
  implementation: OpImplementation,
): void {
  if (typeof which === "string") for (const name of which.split(" ")) by_operator.set(`aten::${name}`, implementation);
  else by_check.push([which, implementation]);
}

const with_symbols = new Set<string>();

/** Registers implementations that give symbols and take them, so that nothing else need know their results' shapes. */
export function register_symbolic_impl(which: string, implementation: OpImplementation): void {
  register_op_impl(which, implementation);
  for (const name of which.split(" ")) with_symbols.add(`aten::${name}`);
}

export const makes_symbols = (func: OpOverload): boolean => with_symbols.has(func.name());

/** The first implementation's answer. */
export const run_op_implementation: OpImplementation = (fake_mode, func, args, kwargs) => {
  const own = by_operator.get(func.name());
  let out: unknown = own === undefined ? NotImplemented : own(fake_mode, func, args, kwargs);
  for (let i = 0; out === NotImplemented && i < by_check.length; i++) {
    const [check, implementation] = by_check[i];
    if (check(func)) out = implementation(fake_mode, func, args, kwargs);
  }
  return out;
};
