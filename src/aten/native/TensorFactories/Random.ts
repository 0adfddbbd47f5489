/**
 * @file Random tensors: an empty tensor, filled by one of the in-place distributions of ../Distributions/index.ts.
 * @mirrors aten/src/ATen/native/TensorFactories.cpp
 */
import { cpu_generator } from "#aten/CPUGeneratorImpl";
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { randperm_stub } from "#aten/native/Distributions/index";
import type { Device } from "#c10/core/Device";
import type { Layout } from "#c10/core/Layout";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType, toString } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { optionsOf } from "./index.ts";

type Dtype = ScalarType | null;
type OptLayout = Layout | null;
type OptDevice = Device | null;
type Flag = boolean | null;

// rand ----------------------------------------------------------------------------------------------------------------

// rand(SymInt[] size, *, <options>) -> Tensor                                    CompositeExplicitAutograd
export function rand(size: number[], dtype: Dtype, layout: OptLayout, device: OptDevice, pin_memory: Flag): Tensor {
  return rand_generator(size, null, dtype, layout, device, pin_memory);
}

// rand.generator(SymInt[] size, *, Generator? generator, <options>) -> Tensor    CompositeExplicitAutograd
export function rand_generator(
  size: number[],
  generator: Generator | null,
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
): Tensor {
  const result = at.empty_memory_format(size, optionsOf(dtype, layout, device, pin_memory));
  return result.uniform_(0, 1, generator);
}

// rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)                       CompositeExplicitAutograd
export function rand_out(size: number[], result: Tensor): Tensor {
  return rand_out_generator_out(size, null, result);
}

// rand.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)     CompositeImplicitAutograd
export function rand_out_generator_out(size: number[], generator: Generator | null, result: Tensor): Tensor {
  result.resize_(size);
  return result.uniform_(0, 1, generator);
}

// rand_like(Tensor self, *, <options>, MemoryFormat? memory_format=None) -> Tensor     CompositeExplicitAutograd
export function rand_like(
  self: Tensor,
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
  memory_format: MemoryFormat | null,
): Tensor {
  return rand_like_generator(self, null, dtype, layout, device, pin_memory, memory_format);
}

// rand_like.generator(Tensor self, *, Generator? generator, <options>, MemoryFormat? memory_format=None) -> Tensor
export function rand_like_generator(
  self: Tensor,
  generator: Generator | null,
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
  memory_format: MemoryFormat | null,
): Tensor {
  const result = at.empty_like(self, optionsOf(dtype, layout, device, pin_memory), memory_format);
  return result.uniform_(0, 1, generator);
}

// randint -------------------------------------------------------------------------------------------------------------

// randint(SymInt high, SymInt[] size, *, ScalarType? dtype=long, ...) -> Tensor  CompositeExplicitAutograd
export function randint(
  high: number,
  size: number[],
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
): Tensor {
  return randint_low_generator(0, high, size, null, dtype, layout, device, pin_memory);
}

// randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ...) -> Tensor     CompositeExplicitAutograd
export function randint_generator(
  high: number,
  size: number[],
  generator: Generator | null,
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
): Tensor {
  return randint_low_generator(0, high, size, generator, dtype, layout, device, pin_memory);
}

// randint.low(SymInt low, SymInt high, SymInt[] size, *, ...) -> Tensor          CompositeExplicitAutograd
export function randint_low(
  low: number,
  high: number,
  size: number[],
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
): Tensor {
  return randint_low_generator(low, high, size, null, dtype, layout, device, pin_memory);
}

// randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ...) -> Tensor     CompositeExplicitAutograd
export function randint_low_generator(
  low: number,
  high: number,
  size: number[],
  generator: Generator | null,
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
): Tensor {
  const result = at.empty_memory_format(size, optionsOf(dtype, layout, device, pin_memory));
  return result.random__from(low, high, generator);
}

// randint.out(SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)       CompositeExplicitAutograd
export function randint_out(high: number, size: number[], result: Tensor): Tensor {
  return randint_out_low_generator_out(0, high, size, null, result);
}

// randint.generator_out(SymInt high, SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)
export function randint_out_generator_out(
  high: number,
  size: number[],
  generator: Generator | null,
  result: Tensor,
): Tensor {
  return randint_out_low_generator_out(0, high, size, generator, result);
}

// randint.low_out(SymInt low, SymInt high, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)
export function randint_out_low_out(low: number, high: number, size: number[], result: Tensor): Tensor {
  return randint_out_low_generator_out(low, high, size, null, result);
}

// randint.low_generator_out(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)
export function randint_out_low_generator_out(
  low: number,
  high: number,
  size: number[],
  generator: Generator | null,
  result: Tensor,
): Tensor {
  result.resize_(size);
  return result.random__from(low, high, generator);
}

// randn ---------------------------------------------------------------------------------------------------------------

// randn(SymInt[] size, *, <options>) -> Tensor                                   CompositeExplicitAutograd
export function randn(size: number[], dtype: Dtype, layout: OptLayout, device: OptDevice, pin_memory: Flag): Tensor {
  return randn_generator(size, null, dtype, layout, device, pin_memory);
}

// randn.generator(SymInt[] size, *, Generator? generator, <options>) -> Tensor   CompositeExplicitAutograd
export function randn_generator(
  size: number[],
  generator: Generator | null,
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
): Tensor {
  const result = at.empty_memory_format(size, optionsOf(dtype, layout, device, pin_memory));
  return result.normal_(0, 1, generator);
}

// randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)                      CompositeImplicitAutograd
export function randn_out(size: number[], result: Tensor): Tensor {
  return randn_out_generator_out(size, null, result);
}

// randn.generator_out(SymInt[] size, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)     CompositeImplicitAutograd
export function randn_out_generator_out(size: number[], generator: Generator | null, result: Tensor): Tensor {
  result.resize_(size);
  return result.normal_(0, 1, generator);
}

// randn_like(Tensor self, *, <options>, MemoryFormat? memory_format=None) -> Tensor     CompositeExplicitAutograd
export function randn_like(
  self: Tensor,
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
  memory_format: MemoryFormat | null,
): Tensor {
  return randn_like_generator(self, null, dtype, layout, device, pin_memory, memory_format);
}

// randn_like.generator(Tensor self, *, Generator? generator, <options>, MemoryFormat? memory_format=None) -> Tensor
export function randn_like_generator(
  self: Tensor,
  generator: Generator | null,
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
  memory_format: MemoryFormat | null,
): Tensor {
  const result = at.empty_like(self, optionsOf(dtype, layout, device, pin_memory), memory_format);
  return result.normal_(0, 1, generator);
}

// randperm ------------------------------------------------------------------------------------------------------------

/** Largest n such that every integer up to n is exact in a floating dtype. */
const largestExact: ReadonlyMap<ScalarType, readonly [number, string]> = new Map([
  [ScalarType.Half, [2 ** 11 + 1, "2049"]],
  [ScalarType.Float, [2 ** 24 + 1, "2^24+1"]],
  [ScalarType.Double, [Number.MAX_SAFE_INTEGER, "2^53+1"]],
] as [ScalarType, [number, string]][]);

function check_supported_max_int_with_precision(n: number, tensor: Tensor): void {
  // Creating the tensor is the check: a number that does not fit into the dtype is refused.
  at.scalar_tensor(Scalar.fromInt(n), tensor.options());
  const limit = largestExact.get(tensor.scalar_type());
  if (limit === undefined) return;
  TORCH_CHECK(n <= limit[0], "n cannot be greater than ", limit[1], " for ", toString(tensor.scalar_type()), " type.");
}

// randperm(SymInt n, *, ScalarType? dtype=long, ...) -> Tensor                   CompositeExplicitAutograd
export function randperm(n: number, dtype: Dtype, layout: OptLayout, device: OptDevice, pin_memory: Flag): Tensor {
  return randperm_generator(n, null, dtype, layout, device, pin_memory);
}

// randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=long, ...) -> Tensor     CompositeExplicitAutograd
export function randperm_generator(
  n: number,
  generator: Generator | null,
  dtype: Dtype,
  layout: OptLayout,
  device: OptDevice,
  pin_memory: Flag,
): Tensor {
  const options = new TensorOptions(dtype ?? ScalarType.Long, layout, device, pin_memory);
  return at.randperm_generator_out(n, generator, at.empty_memory_format([Number(n)], options)); // beyond 2^53 it is a bigint
}

// randperm.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)                        CompositeExplicitAutograd
export function randperm_out(n: number, result: Tensor): Tensor {
  return at.randperm_generator_out(n, null, result);
}

/** `n` as a number, after checks. */
export function check_randperm(n_: number, generator: Generator | null, result: Tensor): number {
  const n = Number(n_); // beyond 2^53 it is a bigint
  TORCH_CHECK(n >= 0, "n must be non-negative, got", n);
  TORCH_CHECK(
    generator === null || generator.device().type() === result.device().type(),
    "Expected a '",
    result.device(),
    "' generator device but found '",
    generator?.device(),
    "'",
  );
  check_supported_max_int_with_precision(n, result);
  return n;
}

// randperm.generator_out(SymInt n, *, Generator? generator, Tensor(a!) out) -> Tensor(a!)     CPU
export function randperm_out_cpu(n_: number, generator: Generator | null, result: Tensor): Tensor {
  const n = check_randperm(n_, generator, result);
  result.resize_([n]);
  const gen = cpu_generator(generator);
  result.resize_([n]);
  randperm_stub.call(result.device().type(), result, n, gen);
  return result;
}
