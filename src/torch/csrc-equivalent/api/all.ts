/**
 * @file The namespace `torch` of C++ programs. Importing it registers every operator and kernel, and the operators of scripts.
 * @mirrors torch/csrc/api/include/torch/all.h
 */
import { getDefaultCPUGenerator } from "#aten/CPUGeneratorImpl";
import { IValue } from "#aten/core/ivalue";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import "#aten/generated/RegisterAll";
import { AutoGradMode, NoGradGuard } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";
import { ScalarType } from "#c10/core/ScalarType";
import { TensorOptions } from "#c10/core/TensorOptions";
import "../autograd/generated/RegisterAll.ts";
import "../jit/frontend/builtin_functions.ts";
import "../jit/runtime/profiling_graph_executor_impl.ts";
import "../jit/runtime/register_batch_mm_ops.ts";
import "../jit/runtime/register_prim_ops/index.ts";
import "../jit/runtime/register_prim_ops_fulljit.ts";
import "../jit/runtime/register_special_ops.ts";
import "../jit/runtime/register_tensor_members.ts";
import { tensor_from_numpy } from "../utils/tensor_numpy.ts";
import * as data from "./data.ts";
import { enumtype } from "./enum.ts";
import { load as load_script, Module } from "./jit.ts";
import * as nn from "./nn.ts";
import * as optim from "./optim.ts";
import { OrderedDict } from "./ordered_dict.ts";
import { InputArchive } from "./serialize/input-archive.ts";
import { OutputArchive } from "./serialize/output-archive.ts";
import { load, pickle_load, pickle_save, save } from "./serialize.ts";

/** A tensor with the numbers of a typed array, in a shape; the array's type says the dtype. */
function from_array(array: ArrayBufferView, sizes: readonly number[]): Tensor {
  return tensor_from_numpy(array as never).view([...sizes]);
}

/** Seeds the generator of the CPU. */
function manual_seed(seed: number | bigint): void {
  getDefaultCPUGenerator().set_current_seed(BigInt(seed));
}

/** Runs a function without gradients; C++ writes a `NoGradGuard` in a block. */
function no_grad<T>(fn: () => T): T {
  const guard = new NoGradGuard();
  try {
    return fn();
  } finally {
    guard.restore();
  }
}

/** The types of elements, by the names of C++. */
const dtypes = {
  kByte: ScalarType.Byte,
  kChar: ScalarType.Char,
  kShort: ScalarType.Short,
  kInt: ScalarType.Int,
  kLong: ScalarType.Long,
  kHalf: ScalarType.Half,
  kFloat: ScalarType.Float,
  kDouble: ScalarType.Double,
  kComplexFloat: ScalarType.ComplexFloat,
  kComplexDouble: ScalarType.ComplexDouble,
  kBool: ScalarType.Bool,
  kBFloat16: ScalarType.BFloat16,
} as const;

export const torch = {
  ...at,
  ...enumtype,
  ...dtypes,
  from_array,
  manual_seed,
  no_grad,
  NoGradGuard,
  AutoGradMode,
  IValue,
  OrderedDict,
  Scalar,
  Tensor,
  TensorOptions,
  nn,
  optim,
  data,
  serialize: { InputArchive, OutputArchive },
  save,
  load,
  pickle_save,
  pickle_load,
  jit: { load: load_script, Module },
};
