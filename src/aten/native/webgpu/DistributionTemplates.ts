/**
 * @file Kernels of `uniform_`, `normal_`, `cauchy_`, `log_normal_`, `exponential_`, `geometric_`, `bernoulli_` and
 * `random_`. For the same seed they draw the same numbers as CUDA.
 * @mirrors aten/src/ATen/native/cuda/DistributionTemplates.h
 * @see philox.ts
 */
import type { Generator } from "#aten/core/Generator";
import { check_all_types_and2, check_floating_types_and2 } from "#aten/Dispatch";
import { expand_inplace } from "#aten/ExpandUtils";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { assert_no_internal_overlap } from "#aten/MemoryOverlap";
import { REGISTER_PRIVATEUSE1_DISPATCH } from "#aten/native/DispatchStub";
import { cauchy_stub, exponential_stub, geometric_stub, log_normal_stub } from "#aten/native/Distributions/Continuous";
import * as stubs from "#aten/native/Distributions/index";
import { largest_integer } from "#aten/native/DistributionTemplates";
import { TensorIterator, type TensorIteratorBase } from "#aten/TensorIterator";
import { webgpu_generator } from "#aten/webgpu/WebGPUGeneratorImpl";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK } from "#c10/util/Exception";
import { GpuKernel, type KernelContext, view_of } from "./KernelText.ts";
import { converted, rounded } from "./MemoryAccess.ts";
import { draw_for, PHILOX_FIELDS, PHILOX_TEXT, philox_values } from "./philox.ts";
import {
  operand_view,
  reversed_sizes,
  reversed_strides,
  STRIDED_WORKGROUP,
  strided_fields,
  strided_groups,
  strided_indices,
  strided_offset,
  strided_values,
} from "./strided.ts";

type Gen = Generator | null;

function out_dtype({ dtypes }: KernelContext): ScalarType {
  return dtypes[dtypes.length - 1] as ScalarType;
}

/**
 * Kernel that fills a tensor. `lines` is WGSL that defines `value` for element i. The variant is the number of
 * dimensions.
 */
function nullary(name: string, fields: readonly string[], lines: (context: KernelContext) => string): GpuKernel {
  return new GpuKernel(name, {
    reads: [],
    writes: ["out"],
    fields: ({ variant }) => [...strided_fields(variant, ["out"]), ...PHILOX_FIELDS, ...fields],
    workgroup_size: [STRIDED_WORKGROUP, 1, 1],
    code: (context) => ({
      declarations: PHILOX_TEXT,
      main: `${strided_indices(context.variant)}
${lines(context)}
  store_out(${strided_offset(context.variant, "out")}, value);`,
    }),
  });
}

function distribution_nullary_kernel(
  kernel: GpuKernel,
  iter: TensorIteratorBase,
  generator: Gen,
  numbers: readonly number[],
  per_step: 4 | 2 = 4,
): void {
  const n = iter.numel();
  if (n === 0) return;
  const shape = iter.shape();
  const draw = draw_for(webgpu_generator(generator), n, per_step);
  const values = [...strided_values(n, shape, [iter.strides(0)]), ...philox_values(draw), ...numbers];
  const groups = strided_groups(n);
  kernel.launch(shape.length, [operand_view(iter, 0)], values, ...groups, 1);
}

// ---- floats

/** Maps (0, 1] to [from, to): a result equal to `to` is replaced by `from`. */
const uniform = nullary("uniform", ["low: f32", "high: f32"], (context) => {
  const dtype = out_dtype(context);
  return `  let drawn = ${rounded(dtype, "fma(uniform_of(philox_of(i)), p.high - p.low, p.low)")};
  let value = select(drawn, ${rounded(dtype, "p.low")}, drawn == ${rounded(dtype, "p.high")});`;
});

const normal = nullary(
  "normal",
  ["mean: f32", "deviation: f32"],
  () => "  let value = fma(normal_of(i), p.deviation, p.mean);",
);

function uniform_kernel(iter: TensorIterator, from: number, to: number, gen: Gen): void {
  distribution_nullary_kernel(uniform, iter, gen, [from, to]);
}

function normal_kernel(self: Tensor, mean: number, std: number, gen: Gen): void {
  distribution_nullary_kernel(normal, TensorIterator.borrowing_nullary_op(self), gen, [mean, std]);
}

/** log(1) would give a waiting time of 0; instead, the logarithm of the largest number below 1 is used. */
const exponential = nullary(
  "exponential",
  ["lambda: f32"],
  () => `  let drawn = uniform_of(philox_of(i));
  let log_of_drawn = select(log_f32(drawn), -5.9604645e-08f, drawn >= 0.99999994f);
  let value = (-1.0f / p.lambda) * log_of_drawn;`,
);

function exponential_kernel(iter: TensorIteratorBase, lambda: number, gen: Gen): void {
  distribution_nullary_kernel(exponential, iter, gen, [lambda]);
}

/** The tangent has no value at the two ends of the interval. */
const cauchy = nullary(
  "cauchy",
  ["median: f32", "sigma: f32"],
  () => `  let drawn = clamp(uniform_of(philox_of(i)), 1.1920929e-07f, 1.0f - 1.1920929e-07f);
  let value = p.median + p.sigma * tan_f32(3.14159265f * (drawn - 0.5f));`,
);

function cauchy_kernel(iter: TensorIterator, median: number, sigma: number, gen: Gen): void {
  check_floating_types_and2(iter.dtype(), "cauchy_webgpu");
  distribution_nullary_kernel(cauchy, iter, gen, [median, sigma]);
}

const log_normal = nullary(
  "log_normal",
  ["mean: f32", "deviation: f32"],
  () => "  let value = exp_f32(fma(normal_of(i), p.deviation, p.mean));",
);

function log_normal_kernel(iter: TensorIterator, mean: number, std: number, gen: Gen): void {
  check_floating_types_and2(iter.dtype(), "log_normal_webgpu");
  distribution_nullary_kernel(log_normal, iter, gen, [mean, std]);
}

/** Number of trials until the first success, in every dtype. */
const geometric = nullary("geometric", ["p: f32"], (context) => {
  const trials = "ceil(log_f32(uniform_of(philox_of(i))) / log1p_f32(-p.p))";
  return `  let value = ${converted(out_dtype(context), ScalarType.Float, trials)};`;
});

function geometric_kernel(iter: TensorIterator, p: number, gen: Gen): void {
  check_all_types_and2(iter.dtype(), "geometric_webgpu");
  distribution_nullary_kernel(geometric, iter, gen, [p]);
}

// ---- Bernoulli

/** 1 or 0 in the type of the output. */
function flag(type: string, condition: string): string {
  if (type === "f32") return `select(0.0f, 1.0f, ${condition})`;
  return type === "i32" ? `select(0i, 1i, ${condition})` : `vec2<u32>(select(0u, 1u, ${condition}), 0u)`;
}

const bernoulli = nullary(
  "bernoulli",
  ["p: f32"],
  (context) => `  let value = ${flag(context.type("out"), "uniform_of(philox_of(i)) < p.p")};`,
);

function bernoulli_scalar_kernel(self: Tensor, p: number, gen: Gen): void {
  distribution_nullary_kernel(bernoulli, TensorIterator.borrowing_nullary_op(self), gen, [p]);
}

/** Bernoulli with a probability per element. A thread of CUDA handles four consecutive elements. */
const bernoulli_tensor = new GpuKernel("bernoulli_tensor", {
  reads: ["probability"],
  writes: ["out"],
  fields: ({ variant }) => [...strided_fields(variant, ["out", "probability"]), ...PHILOX_FIELDS],
  workgroup_size: [STRIDED_WORKGROUP, 1, 1],
  asserts: "src/aten/native/webgpu/DistributionTemplates.ts: bernoulli_tensor",
  conditions: ["0 <= p1 && p1 <= 1"],
  code: (context) => ({
    declarations: PHILOX_TEXT,
    main: `${strided_indices(context.variant)}
  let drawn = uniform_of(philox(i / 4u, 0u)[i % 4u]);
  let probability = load_probability(${strided_offset(context.variant, "probability")});
  kernel_assert((0.0f <= probability) && (probability <= 1.0f), 0u);
  store_out(${strided_offset(context.variant, "out")}, ${flag(context.type("out"), "drawn <= probability")});`,
  }),
});

/** Count of random numbers that CUDA reserves per thread for this kernel. */
const BERNOULLI_TENSOR_NUMBERS = 10;

// bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)
export function bernoulli__Tensor(self: Tensor, p_: Tensor, gen: Gen): Tensor {
  if (self.numel() === 0) return self;
  assert_no_internal_overlap(self);
  TORCH_CHECK(
    isFloatingType(p_.scalar_type()),
    "expected probabilities tensor to have floating type, got ",
    p_.dtype(),
  );
  const p = expand_inplace(self, p_.to_device(self.device(), p_.scalar_type()));
  const n = self.numel();
  const state = webgpu_generator(gen).philox_engine_inputs(BERNOULLI_TENSOR_NUMBERS);
  const strides = [reversed_strides(self), reversed_strides(p)];
  const values = [...strided_values(n, reversed_sizes(self), strides), ...philox_values({ state, threads: 1 })];
  const groups = strided_groups(n);
  bernoulli_tensor.launch(self.dim(), [view_of(p), view_of(self)], values, ...groups, 1);
  return self;
}

// ---- integers

const RANGE = ["range_low: u32", "range_high: u32", "base_low: u32", "base_high: u32"];

/** `bits` (64 of them) modulo the range, plus the base. */
function in_range(context: KernelContext, bits: string): string {
  const type = context.type("out");
  const wide = `i64_add(u64_divide(${bits}, vec2<u32>(p.range_low, p.range_high)).zw, vec2<u32>(p.base_low, p.base_high))`;
  const dtype = out_dtype(context);
  if (type === "f32") return `  let value = ${rounded(dtype, `i64_to_f32(${wide})`)};`;
  return `  let value = ${type === "i32" ? rounded(dtype, `bitcast<i32>((${wide}).x)`) : wide};`;
}
const random32 = nullary("random_from_to", RANGE, (context) => in_range(context, "vec2<u32>(philox_of(i), 0u)"));
const random64 = nullary("random_from_to_64", RANGE, (context) => in_range(context, "philox64_of(i)"));
const full_range = nullary("random_full_64_bits_range", [], (context) => {
  const bits = "philox64_of(i)";
  if (context.type("out") === "f32") return `  let value = ${rounded(out_dtype(context), `i64_to_f32(${bits})`)};`;
  return `  let value = ${context.type("out") === "i32" ? `bitcast<i32>((${bits}).x)` : bits};`;
});

/** Smallest range for which 64 bits are drawn: with 32 bits, small numbers would be favoured by more than 5 %. */
const LEAST_64_BIT_RANGE = 1n << 28n;

function words(value: bigint): number[] {
  return [Number(BigInt.asUintN(32, value)), Number(BigInt.asUintN(32, value >> 32n))];
}

function random_from_to_kernel(iter: TensorIterator, range: bigint, base: bigint, gen: Gen): void {
  const numbers = [...words(range), ...words(base)];
  if (range >= LEAST_64_BIT_RANGE) distribution_nullary_kernel(random64, iter, gen, numbers, 2);
  else distribution_nullary_kernel(random32, iter, gen, numbers);
}

function random_kernel(iter: TensorIterator, gen: Gen): void {
  const dtype = iter.dtype();
  const numbers = [...words(largest_integer(dtype) + 1n), 0, 0];
  if (dtype === ScalarType.Long) distribution_nullary_kernel(random64, iter, gen, numbers, 2);
  else distribution_nullary_kernel(random32, iter, gen, numbers);
}

function random_full_64_bits_range_kernel(iter: TensorIterator, gen: Gen): void {
  distribution_nullary_kernel(full_range, iter, gen, [], 2);
}

REGISTER_PRIVATEUSE1_DISPATCH(stubs.uniform_stub, uniform_kernel, "uniform_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(stubs.normal_stub, normal_kernel, "normal_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(cauchy_stub, cauchy_kernel, "cauchy_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(log_normal_stub, log_normal_kernel, "log_normal_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(geometric_stub, geometric_kernel, "geometric_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(exponential_stub, exponential_kernel, "exponential_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(stubs.bernoulli_scalar_stub, bernoulli_scalar_kernel, "bernoulli_scalar_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(stubs.random_stub, random_kernel, "random_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(stubs.random_from_to_stub, random_from_to_kernel, "random_from_to_kernel_webgpu");
REGISTER_PRIVATEUSE1_DISPATCH(
  stubs.random_full_64_bits_range_stub,
  random_full_64_bits_range_kernel,
  "random_full_64_bits_range_kernel_webgpu",
);
