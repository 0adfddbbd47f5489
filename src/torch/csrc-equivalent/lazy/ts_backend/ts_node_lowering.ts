/**
 * @file The call of an operator in the graph of TorchScript: the front end of TorchScript chooses the overload and converts arguments.
 * @mirrors torch/csrc/lazy/ts_backend/ts_node_lowering.h
 */

import type { Generator } from "#aten/core/Generator";
import { IValue } from "#aten/core/ivalue";
import * as types from "#aten/core/jit_type";
import type { Device } from "#c10/core/Device";
import { SourceRange } from "../../jit/frontend/source_range.ts";
import type { SugaredValue } from "../../jit/frontend/sugared_value/base.ts";
import { BuiltinFunction } from "../../jit/frontend/sugared_value/simple_value.ts";
import { MagicMethod } from "../../jit/frontend/sugared_value/special.ts";
import type { Value as JitValue } from "../../jit/ir/ir.ts";
import { NamedValue } from "../../jit/ir/named_value.ts";
import type { OpKind } from "../core/ir.ts";
import type { TSLoweringContext } from "./ts_lowering_context.ts";
import type { TSOpVector } from "./ts_node.ts";

/** Types of attributes in schemas, and how their values become values of TorchScript. */
const constants = {
  int: (value: number) => IValue.fromInt(value),
  float: (value: number) => IValue.fromDouble(value),
  bool: (value: boolean) => IValue.fromBool(value),
  str: (value: string) => IValue.fromString(value),
  Device: (value: Device) => IValue.opaque("Device", value),
  Generator: (value: Generator) => IValue.opaque("Generator", value),
  "int[]": (value: readonly number[]) => IValue.from(value, types.ListType.create(types.IntType)),
  "float[]": (value: readonly number[]) => IValue.from(value, types.ListType.create(types.FloatType)),
  "bool[]": (value: readonly boolean[]) => IValue.from(value, types.ListType.create(types.BoolType)),
};
type Constants = typeof constants;

/** An attribute of a node, as an argument. */
export function attribute<K extends keyof Constants>(
  name: string,
  type: K,
  value: Parameters<Constants[K]>[0] | null,
): NamedValue {
  const make = constants[type] as (value: unknown) => IValue;
  return new NamedValue(value === null ? IValue.None : make(value), name);
}

/** An operand that a keyword passes. */
export function keyword(name: string, value: JitValue | null): NamedValue {
  return new NamedValue(value ?? IValue.None, name);
}

const isTuple = (value: SugaredValue, loctx: TSLoweringContext): boolean =>
  value.asValue(SourceRange.empty(), loctx.function()).type().kind() === "TupleType";

/**
 * Adds a call. An operand that is null becomes the constant None.
 * @returns a value for each result
 */
export function LowerTSBuiltin(
  loctx: TSLoweringContext,
  op: OpKind,
  args: readonly (JitValue | NamedValue | null)[],
  kwargs: readonly NamedValue[] = [],
): TSOpVector {
  const range = SourceRange.empty();
  const fn = loctx.function();
  const named = args.map((arg) => (arg instanceof NamedValue ? arg : new NamedValue(arg ?? IValue.None)));
  const call = { args: named, kwargs, n_binders: 1 };
  const result = new MagicMethod("", new BuiltinFunction(op.op)).call(range, fn, call);
  if (!isTuple(result, loctx)) return [result.asValue(range, fn)];
  return result.asTuple(range, fn).map((component) => component.asValue(range, fn));
}
