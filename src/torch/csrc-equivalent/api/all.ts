/**
 * @file The namespace `torch` of C++ programs. Importing it registers every operator and kernel, and the operators of scripts.
 * @mirrors torch/csrc/api/include/torch/all.h
 */
import { IValue } from "#aten/core/ivalue";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import "#aten/generated/RegisterAll";
import "../autograd/generated/RegisterAll.ts";
import "../jit/frontend/builtin_functions.ts";
import "../jit/runtime/profiling_graph_executor_impl.ts";
import "../jit/runtime/register_batch_mm_ops.ts";
import "../jit/runtime/register_prim_ops/index.ts";
import "../jit/runtime/register_prim_ops_fulljit.ts";
import "../jit/runtime/register_special_ops.ts";
import "../jit/runtime/register_tensor_members.ts";
import { tensor_from_numpy } from "../utils/tensor_numpy.ts";
import { load, Module } from "./jit.ts";

/** A tensor with the numbers of a typed array, in a shape; the array's type says the dtype. */
function from_array(array: ArrayBufferView, sizes: readonly number[]): Tensor {
  return tensor_from_numpy(array as never).view([...sizes]);
}

export const torch = { ...at, from_array, IValue, jit: { load, Module } };
