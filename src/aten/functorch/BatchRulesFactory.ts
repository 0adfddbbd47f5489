/**
 * @file Batching rules of operators that make a tensor like another one.
 * @mirrors aten/src/ATen/functorch/BatchRulesFactory.cpp
 */

import { IValue } from "#aten/core/ivalue";
import { IntType, ListType } from "#aten/core/jit_type";
import { TORCH_LIBRARY_IMPL } from "#aten/core/library";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import {
  batch_rules,
  call_on,
  currentVmap,
  decomposed,
  moveBatchDimToFront,
  names,
  rules_for,
  unwrapTensorAtCurrentLevel,
} from "./BatchRulesHelper.ts";
import { boxed, push_batched, unary } from "./BoxedBatchRules.ts";

const INT_LIST = ListType.create(IntType);

/** `new_zeros(self, size)`: the new tensor has the batch dimension, too, since it may be written with batched values. */
const new_blah = boxed((op, values, stack) => {
  const [value, bdim] = unwrapTensorAtCurrentLevel(values[0].toTensor());
  const sizes = [value.size(bdim as number), ...values[1].toIntList()];
  const given = [IValue.fromTensor(value), IValue.from(sizes, INT_LIST), ...values.slice(2)];
  push_batched(op, values, call_on(op, given), stack, 0);
}, "new_blah_hack");

/** `new_empty_strided`: each sample has the strides; the batch dimension has the stride of a whole sample. */
const new_empty_strided = boxed((op, values, stack) => {
  const value = moveBatchDimToFront(...unwrapTensorAtCurrentLevel(values[0].toTensor()));
  const [size, stride] = [values[1].toIntList(), values[2].toIntList()];
  const storage = size.some((n) => n === 0) ? 0 : size.reduce((end, n, d) => end + (n - 1) * stride[d], 1);
  const given = [
    IValue.fromTensor(value),
    IValue.from([value.size(0), ...size], INT_LIST),
    IValue.from([storage, ...stride], INT_LIST),
    ...values.slice(3),
  ];
  push_batched(op, values, call_on(op, given), stack, 0);
}, "new_empty_strided_batching_rule");

/** One call for each sample: the kernel takes numbers. */
const boxed_loop = boxed((op, values, stack) => {
  const rows = Array.from({ length: currentVmap().batchSize() }, (_, i) => {
    const own = values.map((value) => {
      if (!value.isTensor()) return value;
      const [t, bdim] = unwrapTensorAtCurrentLevel(value.toTensor());
      return bdim === null ? value : IValue.fromTensor(at.select_int(t, bdim, i));
    });
    return call_on(op, own)[0].toTensor() as Tensor;
  });
  push_batched(op, values, [IValue.fromTensor(at.stack(rows))], stack, 0);
}, "linspace_logspace_batch_rule");

TORCH_LIBRARY_IMPL(
  "aten",
  "FuncTorchBatched",
  batch_rules({
    ...rules_for(names("empty_like full_like ones_like zeros_like"), unary),
    ...rules_for(names("new_empty new_full new_ones new_zeros"), new_blah),
    new_empty_strided,
    ...rules_for(
      names(`
        linspace.Scalar_Tensor linspace.Tensor_Scalar linspace.Tensor_Tensor logspace.Scalar_Tensor logspace.Tensor_Scalar
        logspace.Tensor_Tensor
      `),
      boxed_loop,
    ),
    // Storages of batched tensors cannot be asked; the layouts of their samples are compared.
    _has_same_storage_numel: decomposed(() => true),
    _new_zeros_with_same_feature_meta: decomposed((self: Tensor, other: Tensor) => {
      // The tangent of a batched tensor is one, too.
      const sizes = [...other.sizes()];
      return at.add_Tensor(self.new_zeros(sizes), at.zeros_like(other));
    }),
  }),
);
