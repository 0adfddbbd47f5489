/**
 * @file Window functions of signal processing. A periodic window is the symmetric one with one more point, without its
 * last point.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import { arange } from "#aten/native/RangeFactories/index";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import type { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { Layout } from "#c10/core/Layout";
import { Scalar } from "#c10/core/Scalar";
import { isComplexType, isFloatingType, type ScalarType } from "#c10/core/ScalarType";
import { guard_int } from "#c10/core/SymInt";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { ones } from "./index.ts";

type Options = [dtype: ScalarType | null, layout: Layout | null, device: Device | null, pin_memory: boolean | null];

export const kaiser_window_stub =
  DEFINE_DISPATCH<(iter: TensorIteratorBase, window_length: number, beta: number) => void>("kaiser_window_stub");

function window_function_checks(function_name: string, options: TensorOptions, window_length: number): void {
  TORCH_CHECK(
    options.layout() !== Layout.Sparse,
    function_name,
    " is not implemented for sparse types, got: ",
    options,
  );
  const dtype = options.dtype();
  TORCH_CHECK(
    isFloatingType(dtype) || isComplexType(dtype),
    function_name,
    " expects floating point dtypes, got: ",
    options,
  );
  TORCH_CHECK(
    window_length >= 0,
    function_name,
    " requires non-negative window_length, got window_length=",
    window_length,
  );
}

/** Adds the default dtype if none is given, because `arange` would use integers. */
function with_dtype([dtype, ...rest]: Options): Options {
  return [dtype ?? get_default_dtype(), ...rest];
}

/** @param symmetric computes the symmetric window of `length` points from 0, 1, ...; there are at least two */
function window_of(
  function_name: string,
  window_length: number,
  periodic: boolean,
  options: Options,
  symmetric: (points: Tensor, length: number) => Tensor,
): Tensor {
  const with_default = with_dtype(options);
  const tensor_options = new TensorOptions(...with_default);
  window_function_checks(function_name, tensor_options, window_length);
  if (window_length === 0) return at.empty_memory_format([0], tensor_options);
  if (window_length === 1) return ones([1], ...with_default);
  const points = guard_int(window_length);
  const length = periodic ? points + 1 : points;
  const window = symmetric(arange(Scalar.fromInt(length), ...with_default), length);
  return periodic ? window.narrow(0, 0, points) : window;
}

// bartlett_window(int window_length, *, <options>) -> Tensor                        CompositeExplicitAutograd
export function bartlett_window(window_length: number, ...options: Options): Tensor {
  return bartlett_window_periodic(window_length, true, ...options);
}

// bartlett_window.periodic(int window_length, bool periodic, *, <options>) -> Tensor      CompositeExplicitAutograd
/** A triangle window: it rises linearly, then falls. */
export function bartlett_window_periodic(window_length: number, periodic: boolean, ...options: Options): Tensor {
  return window_of("bartlett_window", window_length, periodic, options, (points, length) => {
    const window = points.mul__Scalar(Scalar.fromDouble(2 / (length - 1)));
    const first_half_size = Math.floor((length - 1) / 2) + 1;
    window
      .narrow(0, first_half_size, length - first_half_size)
      .mul__Scalar(Scalar.fromInt(-1))
      .add__Scalar(Scalar.fromInt(2));
    return window;
  });
}

// blackman_window(int window_length, *, <options>) -> Tensor                        CompositeExplicitAutograd
export function blackman_window(window_length: number, ...options: Options): Tensor {
  return blackman_window_periodic(window_length, true, ...options);
}

// blackman_window.periodic(int window_length, bool periodic, *, <options>) -> Tensor      CompositeExplicitAutograd
export function blackman_window_periodic(window_length: number, periodic: boolean, ...options: Options): Tensor {
  return window_of("blackman_window", window_length, periodic, options, (points, length) => {
    const angle = points.mul__Scalar(Scalar.fromDouble(Math.PI / (length - 1)));
    const cosine = (times: number, weight: number): Tensor =>
      angle.mul_Scalar(Scalar.fromInt(times)).cos_().mul__Scalar(Scalar.fromDouble(weight));
    return cosine(4, 0.08).sub_Tensor(cosine(2, 0.5)).add_Scalar(Scalar.fromDouble(0.42));
  });
}

// hamming_window(int window_length, *, <options>) -> Tensor                         CompositeExplicitAutograd
export function hamming_window(window_length: number, ...options: Options): Tensor {
  return hamming_window_periodic(window_length, true, ...options);
}

// hamming_window.periodic(int window_length, bool periodic, *, <options>) -> Tensor       CompositeExplicitAutograd
export function hamming_window_periodic(window_length: number, periodic: boolean, ...options: Options): Tensor {
  return hamming_window_periodic_alpha(window_length, periodic, 0.54, ...options);
}

// hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, <options>) -> Tensor      CompositeExplicitAutograd
export function hamming_window_periodic_alpha(
  window_length: number,
  periodic: boolean,
  alpha: number,
  ...options: Options
): Tensor {
  return hamming_window_periodic_alpha_beta(window_length, periodic, alpha, 0.46, ...options);
}

// hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, <options>) -> Tensor
//                                                                                   CompositeExplicitAutograd
/** alpha - beta * cos(2 pi n / N) */
export function hamming_window_periodic_alpha_beta(
  window_length: number,
  periodic: boolean,
  alpha: number,
  beta: number,
  ...options: Options
): Tensor {
  return window_of("hamming_window", window_length, periodic, options, (points, length) =>
    points
      .mul__Scalar(Scalar.fromDouble((Math.PI * 2) / (length - 1)))
      .cos_()
      .mul__Scalar(Scalar.fromDouble(-beta))
      .add__Scalar(Scalar.fromDouble(alpha)),
  );
}

// hann_window(int window_length, *, <options>) -> Tensor                            CompositeExplicitAutograd
export function hann_window(window_length: number, ...options: Options): Tensor {
  return hann_window_periodic(window_length, true, ...options);
}

// hann_window.periodic(int window_length, bool periodic, *, <options>) -> Tensor    CompositeExplicitAutograd
export function hann_window_periodic(window_length: number, periodic: boolean, ...options: Options): Tensor {
  window_function_checks("hann_window", new TensorOptions(...options), window_length);
  return hamming_window_periodic_alpha_beta(window_length, periodic, 0.5, 0.5, ...options);
}

// kaiser_window(int window_length, *, <options>) -> Tensor                          CompositeExplicitAutograd
export function kaiser_window(window_length: number, ...options: Options): Tensor {
  return kaiser_window_beta(window_length, true, 12, ...options);
}

// kaiser_window.periodic(int window_length, bool periodic, *, <options>) -> Tensor  CompositeExplicitAutograd
export function kaiser_window_periodic(window_length: number, periodic: boolean, ...options: Options): Tensor {
  return kaiser_window_beta(window_length, periodic, 12, ...options);
}

// kaiser_window.beta(int window_length, bool periodic, float beta, *, <options>) -> Tensor     CompositeExplicitAutograd
export function kaiser_window_beta(
  window_length: number,
  periodic: boolean,
  beta: number,
  ...options: Options
): Tensor {
  const tensor_options = new TensorOptions(...with_dtype(options));
  window_function_checks("kaiser_window", tensor_options, window_length);
  if (tensor_options.device().type() === DeviceType.Meta)
    return at.empty_memory_format([guard_int(window_length)], tensor_options);
  if (window_length === 0) return at.empty_memory_format([0], tensor_options);
  if (window_length === 1) return at.ones([1], tensor_options);
  const points = guard_int(window_length);
  const length = periodic ? points + 1 : points;
  const initial = at.arange(Scalar.fromInt(length), tensor_options);
  const window = at.empty_memory_format([length], tensor_options);
  const iter = TensorIterator.unary_op(window, initial);
  kaiser_window_stub.call(iter.device_type(), iter, length, beta);
  return periodic ? window.narrow(0, 0, points) : window;
}
