/**
 * @file Conversion of sizes: one number for all spatial dims, or one number for each.
 * @mirrors torch/nn/modules/utils.py
 */
import { TypeError_, ValueError } from "#c10/util/Exception";
import { tuple } from "#python/Objects/tupleobject";
import { py_str, python_type, repr, THPUtils_checkDouble, THPUtils_unpackDouble } from "#torch/_C";

export type Sizes<T = number> = T | readonly T[];

export function _ntuple(n: number) {
  return <T>(x: Sizes<T>): T[] => tuple(Array.isArray(x) ? (x as T[]) : new Array<T>(n).fill(x as T));
}

export const _single = _ntuple(1);
export const _pair = _ntuple(2);
export const _triple = _ntuple(3);
export const _quadruple = _ntuple(4);

/** The numbers in reverse order, each repeated `n` times: the order in which `F.pad` reads paddings. */
export function _reverse_repeat_tuple(t: readonly number[], n: number): number[] {
  return tuple(t.toReversed().flatMap((x) => new Array<number>(n).fill(x)));
}

/** A tuple or a number as Python prints it. */
export function sizes_repr(x: Sizes<unknown> | null): string {
  if (!Array.isArray(x)) return py_str(x);
  return `(${x.map(repr).join(", ")}${x.length === 1 ? "," : ""})`;
}

/** A factor; a caller may have passed a value of any type. */
export function factor(x: unknown): number {
  if (!THPUtils_checkDouble(x))
    throw new TypeError_(`unsupported operand type(s) for *: 'int' and '${python_type(x)}'`);
  return THPUtils_unpackDouble(x);
}

/** `out_size`, with each null replaced by the size of `defaults` at the same position from the end. */
export function _list_with_default(out_size: Sizes<number | null>, defaults: readonly number[]): Sizes {
  if (!Array.isArray(out_size)) {
    if (!THPUtils_checkDouble(out_size) && typeof out_size !== "string")
      throw new TypeError_(`object of type '${python_type(out_size)}' has no len()`);
    return out_size as number;
  }
  if (defaults.length <= out_size.length)
    throw new ValueError(`Input dimension should be at least ${out_size.length + 1}`);
  const last = defaults.slice(-out_size.length);
  return out_size.map((v, i) => v ?? last[i]);
}
