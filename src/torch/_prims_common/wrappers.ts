/**
 * @file Wrappers around references: type promotion of the operands, and an `out=` argument for the result.
 * @mirrors torch/_prims_common/wrappers.py
 */
import { RuntimeError, TORCH_WARN } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import { python_type } from "../_C.ts";
import type { dtype, memory_format } from "../types.ts";
import {
  assert,
  can_safe_cast_to,
  check,
  type ELEMENTWISE_TYPE_PROMOTION_KIND,
  elementwise_dtypes,
  is_tensor,
  type Shape,
  same_shape,
  size_repr,
  suggest_memory_format,
  type TensorOrNumber,
} from "./index.ts";

/** Keyword-only arguments of an operator by name; those of an out overload are collected in `out`. */
export interface Keywords {
  readonly out: Tensor | readonly Tensor[] | null;
  readonly [name: string]: unknown;
}

/** A function with the arguments of an operator: first the positional ones in order, then the keywords. */
// biome-ignore lint/suspicious/noExplicitAny: references have any signature
export type Reference<R = unknown> = (...args: any[]) => R;

/** Converts a tensor; a number is returned unchanged, since it takes the dtype of the other operand. */
export function _maybe_convert_to_dtype<T>(a: T, t: dtype): T {
  if (is_tensor(a)) return (a.dtype === t ? a : a.to(t)) as T;
  return Array.isArray(a) ? (a.map((x) => _maybe_convert_to_dtype(x, t)) as T) : a;
}

/** @param promoting positions of the arguments that take part; all elements of a list take part */
export function elementwise_type_promotion_wrapper(
  promoting: readonly number[],
  kind: ELEMENTWISE_TYPE_PROMOTION_KIND,
  fn: Reference<Tensor>,
): Reference<Tensor> {
  return (...args) => {
    const taking_part = promoting.flatMap((place) => args[place] as TensorOrNumber | null);
    const [compute_dtype, result_dtype] = elementwise_dtypes(taking_part, kind);
    for (const place of promoting) args[place] = _maybe_convert_to_dtype(args[place], compute_dtype);
    return _maybe_convert_to_dtype(fn(...args), result_dtype);
  };
}

/** Whether `out` must be resized; it warns if elements are lost. */
export function _resize_output_check(out: Tensor, shape: Shape): boolean {
  if (same_shape(out.shape, shape)) return false;
  if (out.numel() !== 0)
    TORCH_WARN(
      `An output with one or more elements was resized since it had shape ${size_repr(out.shape)} `,
      "which does not match the required output shape {str(shape)}. ", // PyTorch prints these braces literally
      "This behavior is deprecated, and in a future PyTorch release outputs will not ",
      "be resized unless they have zero elements. ",
      "You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).",
    );
  return true;
}

export function _maybe_resize_out(out: Tensor, shape: Shape, memory_format: memory_format | null = null): Tensor {
  return _resize_output_check(out, shape) ? out.resize_([...shape], { memory_format }) : out;
}

function check_copy_devices(copy_from: Tensor, copy_to: Tensor): void {
  if (String(copy_from.device) === String(copy_to.device)) return;
  throw new RuntimeError(
    `Attempting to copy from device ${copy_from.device} to device ${copy_to.device}, but cross-device copies are not allowed!`,
  );
}

export function _safe_copy_out(copy_from: Tensor, copy_to: Tensor, exact_dtype = false): Tensor {
  if (!(copy_from.dim() === 0 && copy_from.device.type === "cpu")) check_copy_devices(copy_from, copy_to);
  const [from, to] = [copy_from.dtype, copy_to.dtype];
  if (exact_dtype) check(from === to, () => `Expected out tensor to have dtype ${from} but got ${to} instead`);
  else
    check(
      can_safe_cast_to(to, from),
      () =>
        `Attempting to cast from ${from} to out tensor with dtype ${to}, but this can't be cast because it is not safe!`,
    );
  return copy_to.copy_(copy_from);
}

export interface OutOptions {
  readonly exact_dtype?: boolean;
  readonly preserve_memory_format?: boolean;
  /** True for a function that creates tensors: device and dtype default to those of `out`. */
  readonly factory?: boolean;
}

function to_list(x: unknown): Tensor[] {
  return (Array.isArray(x) ? x : [x]) as Tensor[];
}

/** Adds the argument `out` to a reference: `out` is resized to the result, which is then copied into it if the cast is safe. */
export function out_wrapper(fn: Reference, options: OutOptions = {}): Reference {
  return (...args) => {
    const { out, ...keywords }: { out: Keywords["out"]; [name: string]: unknown } = args.at(-1);
    if (out === null) return fn(...args);
    const outs = to_list(out);
    if (options.factory) for (const name of ["device", "dtype"]) keywords[name] ??= outs[0][name as "device" | "dtype"];
    for (const o of outs) if (is_tensor(args[0]) && is_tensor(o)) check_copy_devices(args[0], o);
    const results = to_list(fn(...args.slice(0, -1), { ...keywords, out: null }));
    for (const [i, result] of results.entries()) {
      assert(is_tensor(outs[i]), () => `out must be TensorLike, got <class '${python_type(outs[i])}'>`);
      const format = options.preserve_memory_format ? suggest_memory_format(result) : null;
      _maybe_resize_out(outs[i], result.shape, format);
      _safe_copy_out(result, outs[i], options.exact_dtype);
    }
    return out;
  };
}
