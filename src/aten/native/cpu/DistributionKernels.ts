/**
 * @file Entry points of the random distributions on the CPU: each finds the generator, then draws
 * (DistributionTemplates/index.ts).
 * @mirrors aten/src/ATen/native/cpu/DistributionKernels.cpp
 */
import { cpu_generator } from "#aten/CPUGeneratorImpl";
import type { Generator } from "#aten/core/Generator";
import type { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_DEFAULT_DISPATCH, REGISTER_DISPATCH } from "#aten/native/DispatchStub";
import {
  bernoulli_scalar_stub,
  bernoulli_tensor_stub,
  normal_stub,
  random_from_to_stub,
  random_full_64_bits_range_stub,
  random_stub,
  randperm_stub,
  uniform_stub,
} from "#aten/native/Distributions/index";
import type { TensorIterator } from "#aten/TensorIterator";
import * as templates from "./DistributionTemplates/index.ts";
import { randperm_kernel } from "./RandpermKernel.ts";

type Gen = Generator | null;

function bernoulli_tensor_kernel(self: Tensor, p: Tensor, gen: Gen): void {
  templates.bernoulli_tensor_kernel(self, p, cpu_generator(gen));
}

function bernoulli_scalar_kernel(self: Tensor, p: number, gen: Gen): void {
  templates.bernoulli_scalar_kernel(self, p, cpu_generator(gen));
}

function normal_kernel(self: Tensor, mean: number, std: number, gen: Gen): void {
  templates.normal_kernel(self, mean, std, cpu_generator(gen));
}

function uniform_kernel(iter: TensorIterator, from: number, to: number, gen: Gen): void {
  templates.uniform_kernel(iter, from, to, cpu_generator(gen));
}

function random_kernel(iter: TensorIterator, gen: Gen): void {
  templates.random_kernel(iter, cpu_generator(gen));
}

function random_from_to_kernel(iter: TensorIterator, range: bigint, base: bigint, gen: Gen): void {
  templates.random_from_to_kernel(iter, range, base, cpu_generator(gen));
}

function random_full_64_bits_range_kernel(iter: TensorIterator, gen: Gen): void {
  templates.random_full_64_bits_range_kernel(iter, cpu_generator(gen));
}

REGISTER_DISPATCH(bernoulli_tensor_stub, bernoulli_tensor_kernel, "bernoulli_tensor_kernel");
REGISTER_DISPATCH(bernoulli_scalar_stub, bernoulli_scalar_kernel, "bernoulli_scalar_kernel");
REGISTER_DISPATCH(normal_stub, normal_kernel, "normal_kernel");
REGISTER_DISPATCH(uniform_stub, uniform_kernel, "uniform_kernel");
REGISTER_DISPATCH(random_stub, random_kernel, "random_kernel");
REGISTER_DISPATCH(random_from_to_stub, random_from_to_kernel, "random_from_to_kernel");
REGISTER_DISPATCH(random_full_64_bits_range_stub, random_full_64_bits_range_kernel, "random_full_64_bits_range_kernel");
REGISTER_DEFAULT_DISPATCH(randperm_stub, randperm_kernel, "randperm_kernel");
