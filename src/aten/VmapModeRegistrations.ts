/**
 * @file Registrations for the inside of the first vmap: random operators throw an error, all others skip the key.
 * @mirrors aten/src/ATen/VmapModeRegistrations.cpp
 */
import { TORCH_CHECK } from "#c10/util/Exception";
import { CppFunction, for_each_operator, TORCH_LIBRARY_IMPL } from "./core/library.ts";

function unsupportedRandomOp(): never {
  TORCH_CHECK(
    false,
    "vmap: We do not yet support calling random operations inside of vmap. ",
    "Please perform random operations outside of vmap as a workaround",
  );
}

TORCH_LIBRARY_IMPL("_", "VmapMode", (m) => {
  m.fallback(CppFunction.makeFallthrough());
});

const randomOperators = [
  "bernoulli",
  "bernoulli.out",
  "bernoulli.p",
  "bernoulli_.Tensor",
  "bernoulli_.float",
  "rand_like",
  "rand_like.generator",
  "randn_like",
  "randn_like.generator",
  "randint",
  "randint.generator",
  "randint.low",
  "randint.low_generator",
  "randint.out",
  "randint.generator_out",
  "randint.low_out",
  "randint.low_generator_out",
  "rand",
  "rand.generator",
  "rand.out",
  "rand.generator_out",
  "randn",
  "randn.generator",
  "randn.out",
  "randn.generator_out",
  "random_.from",
  "random_.to",
  "random_",
  "normal_",
  "uniform_",
  "randperm",
  "randperm.generator",
  "randperm.out",
  "randperm.generator_out",
];

TORCH_LIBRARY_IMPL(
  "aten",
  "VmapMode",
  for_each_operator(randomOperators, (m, name) => m.impl(name, unsupportedRandomOp, "unsupportedRandomOp")),
);
