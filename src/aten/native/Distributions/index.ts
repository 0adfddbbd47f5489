/**
 * @file In-place random operators: checks and shapes are here; the numbers are drawn in cpu/DistributionKernels.ts.
 * @mirrors aten/src/ATen/native/Distributions.cpp
 */

import type { CPUGeneratorImpl } from "#aten/CPUGeneratorImpl";
import type { Generator } from "#aten/core/Generator";
import { printDouble } from "#aten/core/ivalue";
import { expand_inplace } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { assert_no_internal_overlap } from "#aten/MemoryOverlap";
import { DEFINE_DISPATCH } from "#aten/native/DispatchStub";
import {
  check_from_to_in_range,
  check_uniform_bounds,
  largest_integer,
  update_from,
  update_to,
} from "#aten/native/DistributionTemplates";
import { TensorIterator } from "#aten/TensorIterator";
import { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { isFloatingType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";

type Gen = Generator | null;

const cpu = Device.of(DeviceType.CPU);

export const bernoulli_tensor_stub =
  DEFINE_DISPATCH<(self: Tensor, p: Tensor, gen: Gen) => void>("bernoulli_tensor_stub");
export const bernoulli_scalar_stub =
  DEFINE_DISPATCH<(self: Tensor, p: number, gen: Gen) => void>("bernoulli_scalar_stub");
export const normal_stub = DEFINE_DISPATCH<(self: Tensor, mean: number, std: number, gen: Gen) => void>("normal_stub");
export const uniform_stub =
  DEFINE_DISPATCH<(iter: TensorIterator, from: number, to: number, gen: Gen) => void>("uniform_stub");
export const random_stub = DEFINE_DISPATCH<(iter: TensorIterator, gen: Gen) => void>("random_stub");
export const random_from_to_stub =
  DEFINE_DISPATCH<(iter: TensorIterator, range: bigint, base: bigint, gen: Gen) => void>("random_from_to_stub");
export const random_full_64_bits_range_stub = DEFINE_DISPATCH<(iter: TensorIterator, gen: Gen) => void>(
  "random_full_64_bits_range_stub",
);
export const randperm_stub =
  DEFINE_DISPATCH<(result: Tensor, n: number, gen: CPUGeneratorImpl) => void>("randperm_stub");

// bernoulli -----------------------------------------------------------------------------------------------------------

// bernoulli(Tensor self, *, Generator? generator=None) -> Tensor                 CompositeExplicitAutograd
export function bernoulli(self: Tensor, gen: Gen): Tensor {
  // The result takes self's dtype and shape; self holds the probabilities.
  const result = at.empty_like(self, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  return result.bernoulli__Tensor(self, gen);
}

// bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor      CompositeExplicitAutogradNonFunctional
export function bernoulli_p(self: Tensor, p: number, gen: Gen): Tensor {
  const result = at.empty_like(self, TensorOptions.EMPTY, MemoryFormat.Contiguous);
  return result.bernoulli__float(p, gen);
}

// bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)     CPU
export function bernoulli_out(self: Tensor, gen: Gen, result: Tensor): Tensor {
  result.resize_(self.sizes());
  return result.bernoulli__Tensor(self, gen);
}

// bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)     CPU
export function bernoulli__Tensor(self: Tensor, p: Tensor, gen: Gen): Tensor {
  if (self.numel() === 0) return self;
  assert_no_internal_overlap(self);
  const p_cpu = p.to_dtype_layout(TensorOptions.EMPTY.device(cpu)); // the kernel reads the probabilities on the host
  bernoulli_tensor_stub.call(self.device().type(), self, expand_inplace(self, p_cpu), gen);
  return self;
}

// bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)     CPU
export function bernoulli__float(self: Tensor, p: number, gen: Gen): Tensor {
  TORCH_CHECK(0 <= p && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", printDouble(p));
  if (self.numel() === 0) return self;
  assert_no_internal_overlap(self);
  bernoulli_scalar_stub.call(self.device().type(), self, p, gen);
  return self;
}

// uniform -------------------------------------------------------------------------------------------------------------

// uniform_(Tensor(a!) self, float from=0, float to=1, *, Generator? generator=None) -> Tensor(a!)     CPU
export function uniform_(self: Tensor, from: number, to: number, gen: Gen): Tensor {
  check_uniform_bounds(self.scalar_type(), from, to);
  if (self.numel() === 0) return self;
  const iter = TensorIterator.borrowing_nullary_op(self);
  uniform_stub.call(iter.device_type(0), iter, from, to, gen);
  return self;
}

// Same schema                                                                    Meta
export function uniform_meta_(self: Tensor, _from: number, _to: number, _gen: Gen): Tensor {
  return self;
}

// normal --------------------------------------------------------------------------------------------------------------

export function check_normal_std(std: number): void {
  TORCH_CHECK(std >= 0, "normal expects std >= 0.0, but found std ", printDouble(std));
}

// normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)     CPU
export function normal_(self: Tensor, mean: number, std: number, gen: Gen): Tensor {
  check_normal_std(std);
  if (self.numel() === 0) return self;
  normal_stub.call(self.device().type(), self, mean, std, gen);
  return self;
}

// Same schema                                                                    Meta
export function normal_meta_(self: Tensor, _mean: number, std: number, _gen: Gen): Tensor {
  check_normal_std(std);
  return self;
}

// normal_functional(Tensor self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor     CompositeExplicitAutograd
export function normal_functional(self: Tensor, mean: number, std: number, gen: Gen): Tensor {
  return self.clone().normal_(mean, std, gen);
}

// random --------------------------------------------------------------------------------------------------------------

// random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)           CPU
export function random_(self: Tensor, gen: Gen): Tensor {
  if (self.numel() === 0) return self;
  const iter = TensorIterator.borrowing_nullary_op(self);
  random_stub.call(iter.device_type(0), iter, gen);
  return self;
}

// random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)     CPU
export function random__from(self: Tensor, from: number, to: number | null, gen: Gen): Tensor {
  const range = range_of(self, from, to);
  if (self.numel() === 0) return self;
  const iter = TensorIterator.borrowing_nullary_op(self);
  if (range === null) random_full_64_bits_range_stub.call(iter.device_type(0), iter, gen);
  else random_from_to_stub.call(iter.device_type(0), iter, range.range, range.base, gen);
  return self;
}

const INT64_MIN = -(2n ** 63n);

/** Count of possible integers and the smallest one; null means all of int64. */
function range_of(self: Tensor, from: number, to: number | null): { range: bigint; base: bigint } | null {
  const dtype = self.scalar_type();
  const base = BigInt(from);
  if (to !== null) {
    const end = BigInt(to);
    TORCH_CHECK(base < end, "random_ expects 'from' to be less than 'to', but got from=", base, " >= to=", end);
    const first = update_from(dtype, base);
    const last = update_to(dtype, end);
    TORCH_CHECK(
      first < last,
      "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got from=",
      first,
      " >= to=",
      last,
    );
    check_from_to_in_range(dtype, base, end - 1n);
    return { range: last - first, base: first };
  }
  if (base === INT64_MIN) return null;
  const to_inc = largest_integer(dtype);
  const first = update_from(dtype, base);
  TORCH_CHECK(
    first <= to_inc || !isFloatingType(dtype),
    "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but got from=",
    first,
    " > to_inc=",
    to_inc,
  );
  check_from_to_in_range(dtype, base, to_inc);
  return { range: to_inc - first + 1n, base: first };
}

// random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)     CPU
export function random__to(self: Tensor, to: number, gen: Gen): Tensor {
  return random__from(self, 0, to, gen);
}

// Same three schemas                                                             Meta
export function random_meta_(self: Tensor, _gen: Gen): Tensor {
  return self;
}

export function random_meta__from(self: Tensor, _from: number, _to: number | null, _gen: Gen): Tensor {
  return self;
}

export function random_meta__to(self: Tensor, _to: number, _gen: Gen): Tensor {
  return self;
}
