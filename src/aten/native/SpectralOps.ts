/**
 * @file Helpers of the discrete Fourier transform: sample frequencies, and shifts that move frequency zero to the
 * middle.
 * @mirrors aten/src/ATen/native/SpectralOps.cpp
 * @differs Ours has no transforms, because they need complex numbers; PyTorch has them.
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { maybe_wrap_dims } from "#aten/WrapDimUtils";
import { get_default_dtype } from "#c10/core/DefaultDtype";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import { Scalar } from "#c10/core/Scalar";
import { isComplexType, isFloatingType, type ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";

type Options = [dtype: ScalarType | null, layout: Layout | null, device: Device | null, pin_memory: boolean | null];

function check_freq_dtype(name: string, out: Tensor): void {
  const dtype = out.scalar_type();
  TORCH_CHECK(isFloatingType(dtype) || isComplexType(dtype), name, " requires a floating point or complex dtype");
}

function empty([dtype, ...rest]: Options, size: number): Tensor {
  return at.empty_memory_format([size], new TensorOptions(dtype ?? get_default_dtype(), ...rest));
}

/** Division by 2, rounded towards zero as in C++. */
function half_of(n: number): number {
  return Math.trunc(n / 2);
}

// fft_fftfreq(int n, float d=1.0, *, <options>) -> Tensor                           CompositeExplicitAutograd
export function fft_fftfreq(n: number, d: number, ...options: Options): Tensor {
  return fft_fftfreq_out(n, d, empty(options, n));
}
/** `0, 1, ..., -2, -1` divided by `n d`: negative frequencies come last. */
export function fft_fftfreq_out(n: number, d: number, out: Tensor): Tensor {
  check_freq_dtype("fftfreq", out);
  at.arange_out(Scalar.fromInt(n), out);
  const right_slice = out.slice_Tensor(0, half_of(n + 1), n);
  at.arange_start_out(Scalar.fromInt(-half_of(n)), Scalar.ZERO, Scalar.ONE, right_slice);
  return out.mul__Scalar(Scalar.fromDouble(1 / (n * d)));
}

// fft_rfftfreq(int n, float d=1.0, *, <options>) -> Tensor                          CompositeExplicitAutograd
export function fft_rfftfreq(n: number, d: number, ...options: Options): Tensor {
  return fft_rfftfreq_out(n, d, empty(options, half_of(n) + 1));
}
export function fft_rfftfreq_out(n: number, d: number, out: Tensor): Tensor {
  check_freq_dtype("rfftfreq", out);
  at.arange_out(Scalar.fromInt(half_of(n) + 1), out);
  return out.mul__Scalar(Scalar.fromDouble(1 / (n * d)));
}

/** The given dims; all dims if none are given. */
function default_alldims(self: Tensor, dim: readonly number[] | null): number[] {
  return dim === null ? [...self.sizes().keys()] : maybe_wrap_dims(dim, self.dim(), false);
}

// fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor                             CompositeImplicitAutograd
/** Reorders from the order of `fftfreq` to ascending frequencies. */
export function fft_fftshift(self: Tensor, dim_opt: readonly number[] | null): Tensor {
  const dim = default_alldims(self, dim_opt);
  return at.roll(
    self,
    dim.map((d) => half_of(self.size(d))),
    dim,
  );
}

// fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor                            CompositeImplicitAutograd
/** The inverse of fftshift. */
export function fft_ifftshift(self: Tensor, dim_opt: readonly number[] | null): Tensor {
  const dim = default_alldims(self, dim_opt);
  return at.roll(
    self,
    dim.map((d) => half_of(self.size(d) + 1)),
    dim,
  );
}
