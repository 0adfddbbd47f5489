/**
 * @file `linspace` and `logspace`: a given number of values between two ends, both included.
 * @mirrors aten/src/ATen/native/RangeFactories.cpp
 * @see index.ts (`arange`, from the same PyTorch file)
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { optionsOf } from "#aten/native/TensorFactories/index";
import { TensorIterator } from "#aten/TensorIterator";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import { Scalar } from "#c10/core/Scalar";
import type { ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";

export const linspace_stub =
  DEFINE_DISPATCH<(iter: TensorIterator, start: Scalar, end: Scalar, steps: number) => void>("linspace_stub");
/** PyTorch has no stub: its loop is next to the operator. */
export const logspace_stub =
  DEFINE_DISPATCH<(r: Tensor, start: Scalar, end: Scalar, steps: number, base: number) => void>("logspace_stub");

type Options = [dtype: ScalarType | null, layout: Layout | null, device: Device | null, pin_memory: boolean | null];
type End = Scalar | Tensor;

/** Both ends of a range as numbers; they are given as numbers or as tensors with one element. */
function numbers(name: string, start: End, end: End): [Scalar, Scalar] {
  const given = { start, end };
  const tensors = Object.entries(given).flatMap(([which, value]) =>
    value instanceof Scalar ? [] : [{ which, value }],
  );
  TORCH_CHECK(
    tensors.every(({ value }) => value.dim() === 0),
    name,
    " only supports 0-dimensional start and end tensors, but got ",
    tensors.map(({ which, value }) => `${which} with ${value.dim()} dimension(s)`).join(" and "),
    ".",
  );
  return [start instanceof Scalar ? start : start.item(), end instanceof Scalar ? end : end.item()];
}

function check_steps(steps: number): void {
  TORCH_CHECK(steps >= 0, "number of steps must be non-negative");
}

/** Calls `fill` with `result`, or with a contiguous tensor that is copied to it. */
function into(result: Tensor, steps: number, fill: (r: Tensor) => void): Tensor {
  check_steps(steps);
  if (result.numel() !== steps) result.resize_([steps]);
  if (result.is_meta()) return result;
  const r = result.is_contiguous() ? result : result.contiguous();
  if (steps > 0) fill(r);
  return result.is_contiguous() ? result : result.copy_(r);
}

// linspace ---------------------------------------------------------------------------------------------------------------

function linspace_of(start: End, end: End, steps: number, options: Options): Tensor {
  const [first, last] = numbers("linspace", start, end);
  check_steps(steps);
  if (first !== start || last !== end) return at.linspace(first, last, steps, optionsOf(...options)); // of tensors
  return at.linspace_out(first, last, steps, at.empty_memory_format([steps], optionsOf(...options)));
}

// linspace(Scalar start, Scalar end, int steps, *, <options>) -> Tensor          CompositeExplicitAutograd
export function linspace(start: Scalar, end: Scalar, steps: number, ...options: Options): Tensor {
  return linspace_of(start, end, steps, options);
}
export function linspace_Tensor_Tensor(start: Tensor, end: Tensor, steps: number, ...options: Options): Tensor {
  return linspace_of(start, end, steps, options);
}
export function linspace_Tensor_Scalar(start: Tensor, end: Scalar, steps: number, ...options: Options): Tensor {
  return linspace_of(start, end, steps, options);
}
export function linspace_Scalar_Tensor(start: Scalar, end: Tensor, steps: number, ...options: Options): Tensor {
  return linspace_of(start, end, steps, options);
}

// linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)     CPU, Meta
export function linspace_out(start: Scalar, end: Scalar, steps: number, result: Tensor): Tensor {
  return into(result, steps, (r) => {
    if (steps === 1) r.fill__Scalar(start);
    else linspace_stub.call(r.device().type(), TensorIterator.borrowing_nullary_op(r), start, end, steps);
  });
}

function linspace_into(start: End, end: End, steps: number, result: Tensor): Tensor {
  return at.linspace_out(...numbers("linspace", start, end), steps, result);
}
export function linspace_out_Tensor_Tensor_out(start: Tensor, end: Tensor, steps: number, result: Tensor): Tensor {
  return linspace_into(start, end, steps, result);
}
export function linspace_out_Tensor_Scalar_out(start: Tensor, end: Scalar, steps: number, result: Tensor): Tensor {
  return linspace_into(start, end, steps, result);
}
export function linspace_out_Scalar_Tensor_out(start: Scalar, end: Tensor, steps: number, result: Tensor): Tensor {
  return linspace_into(start, end, steps, result);
}

// logspace ---------------------------------------------------------------------------------------------------------------

function logspace_of(start: End, end: End, steps: number, base: number, options: Options): Tensor {
  const [first, last] = numbers("logspace", start, end);
  check_steps(steps);
  if (first !== start || last !== end) return at.logspace(first, last, steps, base, optionsOf(...options)); // of tensors
  return at.logspace_out(first, last, steps, base, at.empty_memory_format([steps], optionsOf(...options)));
}

// logspace(Scalar start, Scalar end, int steps, float base=10.0, *, <options>) -> Tensor     CompositeExplicitAutograd
export function logspace(start: Scalar, end: Scalar, steps: number, base: number, ...options: Options): Tensor {
  return logspace_of(start, end, steps, base, options);
}
export function logspace_Tensor_Tensor(
  start: Tensor,
  end: Tensor,
  steps: number,
  base: number,
  ...options: Options
): Tensor {
  return logspace_of(start, end, steps, base, options);
}
export function logspace_Tensor_Scalar(
  start: Tensor,
  end: Scalar,
  steps: number,
  base: number,
  ...options: Options
): Tensor {
  return logspace_of(start, end, steps, base, options);
}
export function logspace_Scalar_Tensor(
  start: Scalar,
  end: Tensor,
  steps: number,
  base: number,
  ...options: Options
): Tensor {
  return logspace_of(start, end, steps, base, options);
}

// logspace.out(Scalar start, Scalar end, int steps, float base=10.0, *, Tensor(a!) out) -> Tensor(a!)     CPU, Meta
export function logspace_out(start: Scalar, end: Scalar, steps: number, base: number, result: Tensor): Tensor {
  return into(result, steps, (r) => {
    if (steps === 1) r.fill__Scalar(Scalar.fromDouble(base ** start.toDouble()));
    else logspace_stub.call(r.device().type(), r, start, end, steps, base);
  });
}

function logspace_into(start: End, end: End, steps: number, base: number, result: Tensor): Tensor {
  const [first, last] = numbers("logspace", start, end);
  return at.logspace_out(first, last, steps, base, result);
}
export function logspace_out_Tensor_Tensor_out(
  start: Tensor,
  end: Tensor,
  steps: number,
  base: number,
  result: Tensor,
): Tensor {
  return logspace_into(start, end, steps, base, result);
}
export function logspace_out_Tensor_Scalar_out(
  start: Tensor,
  end: Scalar,
  steps: number,
  base: number,
  result: Tensor,
): Tensor {
  return logspace_into(start, end, steps, base, result);
}
export function logspace_out_Scalar_Tensor_out(
  start: Scalar,
  end: Tensor,
  steps: number,
  base: number,
  result: Tensor,
): Tensor {
  return logspace_into(start, end, steps, base, result);
}
