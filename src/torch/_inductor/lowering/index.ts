/**
 * @file The table of lowerings: for each operator a function that makes IR of it. An operator without one becomes a call of the library.
 * @mirrors torch/_inductor/lowering.py
 */

import { promoteTypes, ScalarType, toString } from "#c10/core/ScalarType";
import { overload_of } from "#torch/_decomp/index";
import type { OpOverload } from "#torch/_ops";
import { has_vector_form } from "../codegen/vector_kernels.ts";
import { type Index, type Loader, Pointwise, TensorBox } from "../ir/index.ts";
import { ZERO } from "../sizevars.ts";
import { type OpsValue, V } from "../virtualized.ts";

export type Keywords = Readonly<Record<string, unknown>>;
/** A lowering gets positional arguments with defaults filled in, then keywords. It answers undefined where it does not apply. */
export type Lowering = (args: readonly unknown[], kwargs: Keywords) => TensorBox | readonly TensorBox[] | undefined;

export const lowerings = new Map<OpOverload, Lowering>();

/** Registers a lowering for overloads of `aten`, whose names are separated by spaces. */
export function register_lowering(names: string, lowering: Lowering): void {
  for (const name of names.split(" ")) lowerings.set(overload_of(name), lowering);
}

// ---- dtypes ------------------------------------------------------------------------------------------------------------

const BY_NAME = new Map<string, ScalarType>(Object.values(ScalarType).map((type) => [names_of(type), type] as const));

function names_of(type: ScalarType): string {
  const c10 = toString(type);
  const own: Readonly<Record<string, string>> = {
    Byte: "uint8",
    Char: "int8",
    Short: "int16",
    Int: "int32",
    Long: "int64",
    Half: "float16",
    Float: "float32",
    Double: "float64",
    Bool: "bool",
    BFloat16: "bfloat16",
  };
  return own[c10] ?? c10;
}

/** The name of a `torch.dtype`. */
export const dtype_name = (dtype: unknown): string => String(dtype).replace(/^torch\./, "");
export const is_float = (dtype: string): boolean => dtype.includes("float");
export const is_integer = (dtype: string): boolean => dtype.includes("int");
export const default_float = (dtype: string): string => (is_float(dtype) ? dtype : "float32");

const category = (dtype: string): number => (dtype === "bool" ? 0 : is_integer(dtype) ? 1 : 2);

/** A number of the program: a Python float is an object, because JavaScript has no 2.0. */
export interface Numeric {
  readonly value: number | bigint | boolean;
  readonly dtype: "float" | "int64" | "bool";
}

/** The number that an argument is, or null. */
export function as_number(arg: unknown): Numeric | null {
  if (typeof arg === "boolean") return { value: arg, dtype: "bool" };
  if (typeof arg === "bigint") return { value: arg, dtype: "int64" };
  if (typeof arg === "number")
    return { value: arg, dtype: Number.isInteger(arg) && !Object.is(arg, -0) ? "int64" : "float" };
  if (typeof arg === "object" && arg !== null && !(arg instanceof TensorBox) && typeof arg.valueOf() === "number")
    return { value: Number(arg.valueOf()), dtype: "float" };
  return null;
}

/** The dtype in which operands meet: a number counts only by its kind, a tensor of no dimensions only if no other has the kind. */
export function promoted_dtype(args: readonly unknown[]): string {
  const groups: string[][] = [[], [], []]; // with dimensions, without, numbers
  for (const arg of args) {
    if (arg instanceof TensorBox) groups[arg.size.length > 0 ? 0 : 1].push(arg.dtype);
    else {
      const number = as_number(arg);
      if (number !== null) groups[2].push(number.dtype === "float" ? "float32" : number.dtype);
    }
  }
  let result: string | null = null;
  for (const group of groups) {
    if (group.length === 0) continue;
    const own = group.reduce((a, b) =>
      names_of(promoteTypes(BY_NAME.get(a) as ScalarType, BY_NAME.get(b) as ScalarType)),
    );
    if (result === null || category(own) > category(result)) result = own;
  }
  return result ?? "float32";
}

// ---- broadcasting ------------------------------------------------------------------------------------------------------

export function broadcast_shapes(shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(0, ...shapes.map((s) => s.length));
  return Array.from({ length: rank }, (_, d) => {
    const sizes = shapes.map((s) => s[s.length - rank + d] ?? 1);
    return sizes.find((s) => s !== 1) ?? 1;
  });
}

/** Reads `box` at an index of a larger shape. */
export function broadcast_loader(box: TensorBox): Loader {
  const load = box.make_loader();
  const { size } = box;
  return (index: Index) => load(index.slice(index.length - size.length).map((i, d) => (size[d] === 1 ? ZERO : i)));
}

/** Reads an operand as `dtype`: a tensor at the index, or a number. */
export function operand(arg: unknown, dtype: string): Loader {
  if (arg instanceof TensorBox) {
    const load = broadcast_loader(arg);
    const from = arg.dtype;
    return from === dtype ? load : (index) => V.ops.to_dtype(load(index), dtype, from);
  }
  const number = as_number(arg);
  if (number === null) throw new TypeError(`an operand that is neither a tensor nor a number: ${String(arg)}`);
  return () => V.ops.constant(number.value, dtype);
}

export const tensors_of = (args: readonly unknown[]): TensorBox[] => args.filter((arg) => arg instanceof TensorBox);

/** A loop over the broadcast shape of its operands. @param dtype the dtype in which it computes @param out that of the result */
export function make_pointwise(
  fn: (...values: OpsValue[]) => OpsValue,
  args: readonly unknown[],
  dtype: string,
  out: string = dtype,
): TensorBox {
  const loaders = args.map((arg) => operand(arg, dtype));
  const size = broadcast_shapes(tensors_of(args).map((t) => t.size));
  return Pointwise.create(out, (index) => fn(...loaders.map((load) => load(index))), size);
}

/** The loop of one operator; undefined if kernels do not have it for this dtype. */
export function pointwise(op: string, args: readonly unknown[], dtype: string, out = dtype): TensorBox | undefined {
  if (!has_vector_form(op, dtype)) return undefined;
  return make_pointwise((...values) => V.ops.pointwise(op, dtype, values), args, dtype, out);
}

/** Converts to another dtype. */
export function to_dtype(box: TensorBox, dtype: string): TensorBox {
  if (box.dtype === dtype) return box;
  return make_pointwise((x) => x, [box], dtype);
}

/** A dimension counted from the start. */
export const wrap_dim = (dim: number, rank: number): number => (dim < 0 ? dim + Math.max(1, rank) : dim);
