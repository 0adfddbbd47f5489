/**
 * @file Functions that make tensors and take none: in a graph that moves to another device, each of them must be told the device.
 * @mirrors torch/_lazy/tensor_factory_functions.py
 */
import { torch } from "#torch/_torch";

const NAMES = [
  "_cudnn_init_dropout_state",
  "arange",
  "bartlett_window",
  "blackman_window",
  "_empty_affine_quantized",
  "empty_strided",
  "eye",
  "full",
  "from_file",
  "hann_window",
  "hamming_window",
  "kaiser_window",
  "linspace",
  "logspace",
  "ones",
  "scalar_tensor",
  "rand",
  "randint",
  "randn",
  "randperm",
  "range",
  "_efficientzerotensor",
  "zeros",
  "tril_indices",
  "triu_indices",
  "tensor",
] as const;

/** The functions of `torch` with these names; this build lacks some of them. */
export const tensor_factory_functions: ReadonlySet<unknown> = new Set(
  NAMES.filter((name) => Object.hasOwn(torch, name)).map((name) => Reflect.get(torch, name)),
);
