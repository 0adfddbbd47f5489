/**
 * @file The docstrings of `torch`'s operators. Each comment stands before its operator's name; codegen puts it on the typed
 * signatures of the function and of the method, and refuses a public operator without one. A test runs the examples.
 * @mirrors torch/_torch_docs.py
 */

/** A name that carries a docstring. */
export type Documented = never;

export interface TorchDocs {
  /**
   * Absolute value of each element.   `(*) -> (*)`
   * @example torch.abs(torch.tensor([-1.5, 2])); // tensor([1.5000, 2.0000])
   */
  abs: Documented;
  /**
   * `input + alpha * other`, broadcast.   `(*), (*) -> (*)`
   * @param other a tensor, or a number, which does not raise the dtype within its kind.
   * @throws {RuntimeError} "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0" where shapes do not broadcast.
   * @example torch.add(torch.tensor([1.5, 2]), 10, { alpha: 2 }); // tensor([21.5000, 22.0000])
   */
  add: Documented;
  /**
   * `beta * input + alpha * (mat1 @ mat2)`.   `(n, m), (n, k), (k, m) -> (n, m)`
   * @param input broadcasts to the product's shape; with `beta` 0 it is not read.
   * @example torch.addmm(torch.ones(2, 2), torch.ones(2, 3), torch.ones(3, 2)); // tensor([[4., 4.], [4., 4.]])
   */
  addmm: Documented;
  /**
   * `beta * input + alpha * (mat @ vec)`.   `(n), (n, m), (m) -> (n)`
   * @param input broadcasts to `(n)`; with `beta` 0 it is not read.
   * @example torch.addmv(torch.ones(2), torch.ones(2, 3), torch.ones(3)); // tensor([4., 4.])
   */
  addmv: Documented;
  /**
   * Whether all elements are nonzero, of the tensor or along `dim`.   `(*) -> ()`
   * @returns bool; uint8 of a uint8 tensor.
   * @example torch.all(torch.tensor([true, false])); // tensor(False)
   */
  all: Documented;
  /**
   * Whether every `|input - other| <= atol + rtol * |other|`.
   * @returns a JavaScript boolean.
   * @param kwargs `rtol` 1e-5, `atol` 1e-8; with `equal_nan` two NaNs are close.
   * @example torch.allclose(torch.tensor([1.5]), torch.tensor([1.5000001])); // True
   */
  allclose: Documented;
  /**
   * Largest element along one or several dimensions; ties share the gradient evenly.
   * @param dim all dimensions if empty.
   * @example torch.amax(torch.tensor([[1, 3], [4, 2]]), 1); // tensor([3, 4])
   */
  amax: Documented;
  /**
   * Smallest element along one or several dimensions; ties share the gradient evenly.
   * @param dim all dimensions if empty.
   * @example torch.amin(torch.tensor([[1, 3], [4, 2]]), 1); // tensor([1, 2])
   */
  amin: Documented;
  /**
   * Whether any element is nonzero, of the tensor or along `dim`.   `(*) -> ()`
   * @returns bool; uint8 of a uint8 tensor.
   * @example torch.any(torch.tensor([true, false])); // tensor(True)
   */
  any: Documented;
  /**
   * Numbers from `start` (0) to before `end`, `step` (1) apart.   `-> (ceil((end - start) / step))`
   * @returns int64 if all three are ints, else the default dtype.
   * @throws {RuntimeError} "upper bound and lower bound inconsistent with step sign" where `end` lies the other way.
   * @example torch.arange(1, 2.5, 0.5); // tensor([1.0000, 1.5000, 2.0000])
   */
  arange: Documented;
  /**
   * Index of the largest element, of the flattened tensor or along `dim`.
   * @returns int64; of equal elements the first.
   * @example torch.argmax(torch.tensor([1, 3, 2])); // tensor(1)
   */
  argmax: Documented;
  /**
   * Index of the smallest element, of the flattened tensor or along `dim`.
   * @returns int64; of equal elements the first.
   * @example torch.argmin(torch.tensor([3, 1, 2])); // tensor(1)
   */
  argmin: Documented;
  /**
   * A view of `input`'s storage with the given size, strides and offset.
   * @param stride in elements, one per dimension.
   * @param storage_offset of the first element, in elements; `input`'s own if not given.
   * @throws {RuntimeError} "setStorage: sizes ..., requiring a storage size of ..." if it runs out of the storage.
   * @example torch.as_strided(torch.arange(6), [2, 2], [2, 1]); // tensor([[0, 1], [2, 3]])
   */
  as_strided: Documented;
  /**
   * `beta * input + alpha * (batch1 @ batch2)`, matrix by matrix.   `(b, n, m), (b, n, k), (b, k, m) -> (b, n, m)`
   * @example torch.baddbmm(torch.ones(1, 2, 2), torch.ones(1, 2, 3), torch.ones(1, 3, 2)); // tensor([[[4., 4.], [4., 4.]]])
   */
  baddbmm: Documented;
  /**
   * 0 or 1 for each element, 1 with the probability that the element gives.
   * @throws {RuntimeError} where an element is no probability.
   * @example torch.bernoulli(torch.tensor([0.0, 1.0]).float()); // tensor([0., 1.])
   */
  bernoulli: Documented;
  /**
   * Bits set in both; logical and for bool.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for floating dtypes.
   * @example torch.bitwise_and(torch.tensor([6]), 3); // tensor([2])
   */
  bitwise_and: Documented;
  /**
   * The bits moved up by `other` places; zeros follow, and a shift by all of the dtype's bits leaves 0.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for bool and floating dtypes.
   * @example torch.bitwise_left_shift(torch.tensor([1, 3]), 2); // tensor([ 4, 12])
   */
  bitwise_left_shift: Documented;
  /**
   * Every bit turned over; logical not for bool.   `(*) -> (*)`
   * @example torch.bitwise_not(torch.tensor([0, 5])); // tensor([-1, -6])
   */
  bitwise_not: Documented;
  /**
   * Bits set in either; logical or for bool.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for floating dtypes.
   * @example torch.bitwise_or(torch.tensor([6]), 1); // tensor([7])
   */
  bitwise_or: Documented;
  /**
   * The bits moved down by `other` places; the sign stays.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for bool and floating dtypes.
   * @example torch.bitwise_right_shift(torch.tensor([12, -12]), 2); // tensor([ 3, -3])
   */
  bitwise_right_shift: Documented;
  /**
   * Bits set in one and not in the other; logical xor for bool.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for floating dtypes.
   * @example torch.bitwise_xor(torch.tensor([6]), 3); // tensor([5])
   */
  bitwise_xor: Documented;
  /**
   * Views of the tensors, all of the shape that they broadcast to.
   * @example torch.broadcast_tensors(torch.tensor([[1], [2]]), torch.tensor([3])); // [tensor([[1], [2]]), tensor([[3], [3]])]
   */
  broadcast_tensors: Documented;
  /**
   * A view of `input` in the shape `size`: dimensions of size 1 are stretched, new ones stand before the others.
   * @throws {RuntimeError} "The expanded size of the tensor (2) must match the existing size (3) at non-singleton dimension 0" where it does not fit.
   * @example torch.broadcast_to(torch.tensor([1, 2]), [2, 2]); // tensor([[1, 2], [1, 2]])
   */
  broadcast_to: Documented;
  /**
   * Matrix products of two batches.   `(b, n, k), (b, k, m) -> (b, n, m)`
   * @throws {RuntimeError} "batch1 must be a 3D tensor": nothing is broadcast.
   * @example torch.bmm(torch.ones(1, 2, 3), torch.ones(1, 3, 2)).shape; // [1, 2, 2]
   */
  bmm: Documented;
  /**
   * Whether a value of dtype `from_` may be put into dtype `to` under the promotion rules.
   * @returns a JavaScript boolean.
   * @example torch.can_cast(torch.float32, torch.int64); // False
   */
  can_cast: Documented;
  /**
   * Tensors one after the other along `dim`, which must be the only one to differ.
   * @throws {RuntimeError} "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list."
   * @example torch.cat([torch.tensor([1, 2]), torch.tensor([3])]); // tensor([1, 2, 3])
   */
  cat: Documented;
  /**
   * The least integer that is not below, of each element.   `(*) -> (*)`
   * @returns the dtype of `input`; integers as they are.
   * @throws {NotImplementedError} "\"ceil_vml_cpu\" not implemented for 'Bool'"
   * @example torch.ceil(torch.tensor([1.25, -1.25])); // tensor([ 2., -1.])
   */
  ceil: Documented;
  /**
   * Views that cut `dim` into at most `chunks` parts of equal size, the last one smaller.
   * @example torch.chunk(torch.arange(5), 2); // [tensor([0, 1, 2]), tensor([3, 4])]
   */
  chunk: Documented;
  /**
   * Elements below `min` become `min`, above `max` become `max`.   `(*) -> (*)`
   * @throws {RuntimeError} "torch.clamp: At least one of 'min' or 'max' must not be None"
   * @example torch.clamp(torch.tensor([-2.5, 0.5, 4]), 0, 1); // tensor([0.0000, 0.5000, 1.0000])
   */
  clamp: Documented;
  /**
   * Elements above `max` become `max`.   `(*) -> (*)`
   * @example torch.clamp_max(torch.tensor([1, 5]), 3); // tensor([1, 3])
   */
  clamp_max: Documented;
  /**
   * Elements below `min` become `min`.   `(*) -> (*)`
   * @example torch.clamp_min(torch.tensor([1, 5]), 3); // tensor([3, 5])
   */
  clamp_min: Documented;
  /**
   * A copy with its own storage; the gradient passes through.
   * @param kwargs `memory_format`: `preserve_format` keeps dense strides.
   * @example torch.clone(torch.tensor([1, 2])); // tensor([1, 2])
   */
  clone: Documented;
  /**
   * The complex conjugate; a real tensor itself.
   * @example torch.conj(torch.tensor([1.5])); // tensor([1.5000])
   */
  conj: Documented;
  /**
   * A view without history: gradients stop here.
   * @example torch.detach(torch.tensor([1.5], { requires_grad: true })); // tensor([1.5000])
   */
  detach: Documented;
  /**
   * `input / other`, broadcast; true division unless `rounding_mode` says otherwise.   `(*), (*) -> (*)`
   * @param kwargs `rounding_mode`: "trunc" rounds towards zero, "floor" down.
   * @throws {RuntimeError} "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'x'"
   * @example torch.div(torch.tensor([7, -7]), 2); // tensor([ 3.5000, -3.5000])
   */
  div: Documented;
  /**
   * The same as `div`.   `(*), (*) -> (*)`
   * @example torch.divide(torch.tensor([7, -7]), 2); // tensor([ 3.5000, -3.5000])
   */
  divide: Documented;
  /**
   * Sum of products of two vectors.   `(n), (n) -> ()`
   * @throws {RuntimeError} "1D tensors expected, but got 2D and 1D tensors"
   * @example torch.dot(torch.tensor([2, 3]), torch.tensor([2, 1])); // tensor(7)
   */
  dot: Documented;
  /**
   * With `train`, zeroes elements with probability `p` and scales the others by `1 / (1 - p)`.
   * @param p between 0 and 1.
   * @example torch.dropout(torch.ones(3), 0.5, false); // tensor([1., 1., 1.])
   */
  dropout: Documented;
  /**
   * A tensor of the given size whose elements are whatever lay in memory.
   * @param kwargs `dtype`, `device`, `layout`, `memory_format`, `requires_grad`.
   * @example torch.empty(2, 3).shape; // [2, 3]
   */
  empty: Documented;
  /**
   * `empty` of `input`'s size, dtype and device.
   * @example torch.empty_like(torch.ones(2, 3)).shape; // [2, 3]
   */
  empty_like: Documented;
  /**
   * `empty` with given strides.
   * @param stride in elements, one per dimension.
   * @example torch.empty_strided([2, 3], [1, 2]).stride(); // [1, 2]
   */
  empty_strided: Documented;
  /**
   * Where the two are equal, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.eq(torch.tensor([1, 2]), 2); // tensor([False,  True])
   */
  eq: Documented;
  /**
   * Whether both have one shape and the same elements.
   * @returns a JavaScript boolean.
   * @example torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2])); // True
   */
  equal: Documented;
  /**
   * `e` to the power of each element.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.exp(torch.tensor([0, 1])); // tensor([1.0000, 2.7183])
   */
  exp: Documented;
  /**
   * A copy of `input`'s shape with every element `value`.
   * @example torch.fill(torch.zeros(2), 7); // tensor([7., 7.])
   */
  fill: Documented;
  /**
   * Dimensions `start_dim` to `end_dim` made one; a view where strides allow.
   * @example torch.flatten(torch.ones(2, 3)).shape; // [6]
   */
  flatten: Documented;
  /**
   * A tensor of the given size, every element `fill_value`.
   * @returns the value's kind of dtype unless `dtype` is given: int64 for ints.
   * @example torch.full([2], 2.5); // tensor([2.5000, 2.5000])
   */
  full: Documented;
  /**
   * `full` of `input`'s size, dtype and device.
   * @example torch.full_like(torch.zeros(2), 7); // tensor([7., 7.])
   */
  full_like: Documented;
  /**
   * Along `dim`, the elements that `index` names: `out[i][j] = input[index[i][j]][j]` for dim 0.
   * @param index int64, as many dimensions as `input`.
   * @throws {RuntimeError} "index 5 is out of bounds for dimension 0 with size 2"
   * @example torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[1], [0]])); // tensor([[2], [3]])
   */
  gather: Documented;
  /**
   * Where `input >= other`, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.ge(torch.tensor([1, 2]), 2); // tensor([False,  True])
   */
  ge: Documented;
  /**
   * The same as `outer`.   `(n), (m) -> (n, m)`
   * @example torch.ger(torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([[3, 4], [6, 8]])
   */
  ger: Documented;
  /**
   * Where `input > other`, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.gt(torch.tensor([1, 2]), 1); // tensor([False,  True])
   */
  gt: Documented;
  /**
   * A copy of `input` with `values` at the places that the index tensors name.
   * @param indices one int64 or bool tensor per dimension.
   * @param accumulate adds instead of replacing.
   * @example torch.index_put(torch.zeros(3), [torch.tensor([2])], torch.tensor([7.5])); // tensor([0.0000, 0.0000, 7.5000])
   */
  index_put: Documented;
  /**
   * Whether the dtype is complex.
   * @returns a JavaScript boolean.
   * @example torch.is_complex(torch.ones(1)); // False
   */
  is_complex: Documented;
  /**
   * Whether the tensor is marked to be read as a conjugate.
   * @returns a JavaScript boolean.
   * @example torch.is_conj(torch.ones(1)); // False
   */
  is_conj: Documented;
  /**
   * Whether the dtype is floating.
   * @returns a JavaScript boolean.
   * @example torch.is_floating_point(torch.ones(1)); // True
   */
  is_floating_point: Documented;
  /**
   * Whether the tensor was made in inference mode.
   * @returns a JavaScript boolean.
   * @example torch.is_inference(torch.ones(1)); // False
   */
  is_inference: Documented;
  /**
   * Whether the tensor is marked to be read with its sign turned.
   * @returns a JavaScript boolean.
   * @example torch.is_neg(torch.ones(1)); // False
   */
  is_neg: Documented;
  /**
   * Whether the only element is not zero.
   * @returns a JavaScript boolean.
   * @throws {RuntimeError} "Boolean value of Tensor with more than one value is ambiguous"
   * @example torch.is_nonzero(torch.tensor([2.5])); // True
   */
  is_nonzero: Documented;
  /**
   * Whether both have one shape.
   * @returns a JavaScript boolean.
   * @example torch.is_same_size(torch.ones(2), torch.ones(3)); // False
   */
  is_same_size: Documented;
  /**
   * Where `|input - other| <= atol + rtol * |other|`.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.isclose(torch.tensor([1.5, 2.5]), torch.tensor([1.5, 2.6])); // tensor([ True, False])
   */
  isclose: Documented;
  /**
   * Where elements are neither infinite nor NaN.   `(*) -> (*)`
   * @returns bool.
   * @example torch.isfinite(torch.tensor([1.5, Infinity])); // tensor([ True, False])
   */
  isfinite: Documented;
  /**
   * Where elements are infinite.   `(*) -> (*)`
   * @returns bool.
   * @example torch.isinf(torch.tensor([1.5, Infinity])); // tensor([False,  True])
   */
  isinf: Documented;
  /**
   * Where elements are NaN.   `(*) -> (*)`
   * @returns bool.
   * @example torch.isnan(torch.tensor([1.5, NaN])); // tensor([False,  True])
   */
  isnan: Documented;
  /**
   * Where `input <= other`, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.le(torch.tensor([1, 2]), 1); // tensor([ True, False])
   */
  le: Documented;
  /**
   * Natural logarithm of each element.   `(*) -> (*)`
   * @returns NaN for negative elements, -inf for 0.
   * @example torch.log(torch.tensor([1.0, 2.5])); // tensor([0.0000, 0.9163])
   */
  log: Documented;
  /**
   * Logarithm of `softmax` along `dim`, computed in one so that nothing overflows.   `(*) -> (*)`
   * @example torch.log_softmax(torch.tensor([0.5, 0.5]), 0); // tensor([-0.6931, -0.6931])
   */
  log_softmax: Documented;
  /**
   * Where both are nonzero, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.logical_and(torch.tensor([1, 0]), torch.tensor([1, 1])); // tensor([ True, False])
   */
  logical_and: Documented;
  /**
   * Where elements are zero.   `(*) -> (*)`
   * @returns bool.
   * @example torch.logical_not(torch.tensor([1, 0])); // tensor([False,  True])
   */
  logical_not: Documented;
  /**
   * Where either is nonzero, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.logical_or(torch.tensor([1, 0]), torch.tensor([0, 0])); // tensor([ True, False])
   */
  logical_or: Documented;
  /**
   * Where exactly one is nonzero, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.logical_xor(torch.tensor([0, 0, 2]), torch.tensor([0, 1, 1])); // tensor([False,  True, False])
   */
  logical_xor: Documented;
  /**
   * Where `input < other`, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.lt(torch.tensor([1, 2]), 2); // tensor([ True, False])
   */
  lt: Documented;
  /**
   * A copy with `value` where `mask` is true.   `(*), (*) -> (*)`
   * @param mask bool; broadcasts to `input`.
   * @example torch.masked_fill(torch.tensor([1, 2]), torch.tensor([true, false]), 7); // tensor([7, 2])
   */
  masked_fill: Documented;
  /**
   * A copy with elements of `source`, one after the other, where `mask` is true.
   * @throws {RuntimeError} if `source` has too few.
   * @example torch.masked_scatter(torch.zeros(3), torch.tensor([true, false, true]), torch.tensor([1.5, 2.5])); // tensor([1.5000, 0.0000, 2.5000])
   */
  masked_scatter: Documented;
  /**
   * The elements where `mask` is true, in a row.   `(*), (*) -> (n)`
   * @example torch.masked_select(torch.tensor([1, 2, 3]), torch.tensor([true, false, true])); // tensor([1, 3])
   */
  masked_select: Documented;
  /**
   * Matrix product by the number of dimensions: dot, matrix by vector, matrix by matrix, or batches of these.
   * @throws {RuntimeError} "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
   * @example torch.matmul(torch.ones(2, 3), torch.ones(3)); // tensor([3., 3.])
   */
  matmul: Documented;
  /**
   * Largest element; with `dim`, values and their indices along it; with a tensor, elementwise as `maximum`.
   * @example torch.max(torch.tensor([1, 3, 2])); // tensor(3)
   */
  max: Documented;
  /**
   * The larger of the two, element by element; NaN wins.   `(*), (*) -> (*)`
   * @example torch.maximum(torch.tensor([1, 4]), torch.tensor([2, 3])); // tensor([2, 4])
   */
  maximum: Documented;
  /**
   * Average of all elements, or along `dim`.   `(*) -> ()`
   * @throws {RuntimeError} "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long"
   * @example torch.mean(torch.tensor([1.5, 2.5])); // tensor(2.)
   */
  mean: Documented;
  /**
   * Smallest element; with `dim`, values and their indices along it; with a tensor, elementwise as `minimum`.
   * @example torch.min(torch.tensor([3, 1, 2])); // tensor(1)
   */
  min: Documented;
  /**
   * The smaller of the two, element by element; NaN wins.   `(*), (*) -> (*)`
   * @example torch.minimum(torch.tensor([1, 4]), torch.tensor([2, 3])); // tensor([1, 3])
   */
  minimum: Documented;
  /**
   * Product of two matrices.   `(n, k), (k, m) -> (n, m)`
   * @throws {RuntimeError} "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
   * @example torch.mm(torch.ones(2, 3), torch.ones(3, 1)); // tensor([[3.], [3.]])
   */
  mm: Documented;
  /**
   * `input * other`, broadcast.   `(*), (*) -> (*)`
   * @param other a tensor or a number.
   * @example torch.mul(torch.tensor([1.5, 2]), 2); // tensor([3., 4.])
   */
  mul: Documented;
  /**
   * The same as `mul`.   `(*), (*) -> (*)`
   * @example torch.multiply(torch.tensor([1.5, 2]), 2); // tensor([3., 4.])
   */
  multiply: Documented;
  /**
   * Product of a matrix and a vector.   `(n, m), (m) -> (n)`
   * @example torch.mv(torch.ones(2, 3), torch.ones(3)); // tensor([3., 3.])
   */
  mv: Documented;
  /**
   * A view of `length` elements along `dim`, from `start` on.
   * @throws {RuntimeError} "start (1) + length (3) exceeds dimension size (2)."
   * @example torch.narrow(torch.arange(5), 0, 1, 3); // tensor([1, 2, 3])
   */
  narrow: Documented;
  /**
   * Where the two differ, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.ne(torch.tensor([1, 2]), 2); // tensor([ True, False])
   */
  ne: Documented;
  /**
   * Every element with its sign turned.   `(*) -> (*)`
   * @throws {RuntimeError} for bool.
   * @example torch.neg(torch.tensor([1.5, -2])); // tensor([-1.5000,  2.0000])
   */
  neg: Documented;
  /**
   * The same as `neg`.   `(*) -> (*)`
   * @example torch.negative(torch.tensor([1.5, -2])); // tensor([-1.5000,  2.0000])
   */
  negative: Documented;
  /**
   * A tensor of the given size, every element 1.
   * @param kwargs `dtype`, `device`, `layout`, `requires_grad`, `out`.
   * @example torch.ones(2); // tensor([1., 1.])
   */
  ones: Documented;
  /**
   * `ones` of `input`'s size, dtype and device.
   * @example torch.ones_like(torch.tensor([5, 6])); // tensor([1, 1])
   */
  ones_like: Documented;
  /**
   * Every product of an element of one vector with one of the other.   `(n), (m) -> (n, m)`
   * @example torch.outer(torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([[3, 4], [6, 8]])
   */
  outer: Documented;
  /**
   * A view with dimensions in another order.
   * @param dims each dimension once.
   * @throws {RuntimeError} "permute(): duplicate dims are not allowed."
   * @example torch.permute(torch.ones(2, 3), [1, 0]).shape; // [3, 2]
   */
  permute: Documented;
  /**
   * `input` to the power of `exponent`, broadcast.   `(*), (*) -> (*)`
   * @throws {RuntimeError} "Integers to negative integer powers are not allowed."
   * @example torch.pow(torch.tensor([2, 3]), 2); // tensor([4, 9])
   */
  pow: Documented;
  /**
   * `max(0, x) + weight * min(0, x)`, element by element.   `(N, C, *), (C) -> (N, C, *)`
   * @param input  `(N, C, *)`, floating. Dim 1 is the channel; with fewer than two dims there is one channel.
   * @param weight `(C)` or `(1)`, dtype of `input`; a plain ratio, no unit.
   * @throws {RuntimeError} "Type promoting not supported" if dtypes differ; "Mismatch of parameter numbers" if `C` is wrong.
   * @example torch.prelu(torch.tensor([-2.5, 3]), torch.tensor([0.25])); // tensor([-0.6250,  3.0000])
   */
  prelu: Documented;
  /**
   * The dtype that holds the values of both dtypes: `torch.int8` and `torch.uint8` give `torch.int16`.
   * @returns a dtype.
   * @example torch.promote_types(torch.int32, torch.float32); // torch.float32
   */
  promote_types: Documented;
  /**
   * Random numbers, evenly in [0, 1).
   * @param kwargs `generator`, `dtype`, `device`, `requires_grad`.
   * @example torch.rand(2, 3).shape; // [2, 3]
   */
  rand: Documented;
  /**
   * `rand` of `input`'s size, dtype and device.
   * @example torch.rand_like(torch.ones(2)).shape; // [2]
   */
  rand_like: Documented;
  /**
   * Random integers from `low` (0) to before `high`.
   * @returns int64 unless `dtype` is given.
   * @example torch.randint(1, [2]); // tensor([0, 0])
   */
  randint: Documented;
  /**
   * Random numbers from the normal distribution of mean 0 and deviation 1.
   * @param kwargs `generator`, `dtype`, `device`, `requires_grad`.
   * @example torch.randn(2, 3).shape; // [2, 3]
   */
  randn: Documented;
  /**
   * `randn` of `input`'s size, dtype and device.
   * @example torch.randn_like(torch.ones(2)).shape; // [2]
   */
  randn_like: Documented;
  /**
   * The numbers 0 to `n - 1` in random order.   `-> (n)`
   * @returns int64 unless `dtype` is given.
   * @example torch.randperm(1); // tensor([0])
   */
  randperm: Documented;
  /**
   * `1 / x` of each element.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.reciprocal(torch.tensor([2, 4])); // tensor([0.5000, 0.2500])
   */
  reciprocal: Documented;
  /**
   * `max(0, x)`, element by element.   `(*) -> (*)`
   * @example torch.relu(torch.tensor([-1.5, 2])); // tensor([0., 2.])
   */
  relu: Documented;
  /**
   * Gives `input`, which must not require grad, the size of `the_template`, in place.
   * @example torch.resize_as_(torch.ones(4), torch.zeros(2, 2)); // tensor([[1., 1.], [1., 1.]])
   */
  resize_as_: Documented;
  /**
   * The elements in another shape: a view where strides allow, else a copy.
   * @param shape one size may be -1, found from the others.
   * @throws {RuntimeError} "shape '[3]' is invalid for input of size 2"
   * @example torch.reshape(torch.arange(4), [2, 2]); // tensor([[0, 1], [2, 3]])
   */
  reshape: Documented;
  /**
   * The tensor with a conjugate mark carried out.
   * @example torch.resolve_conj(torch.tensor([1.5])); // tensor([1.5000])
   */
  resolve_conj: Documented;
  /**
   * The tensor with a negative mark carried out.
   * @example torch.resolve_neg(torch.tensor([1.5])); // tensor([1.5000])
   */
  resolve_neg: Documented;
  /**
   * The dtype that an operation on both would give.
   * @returns a dtype.
   * @example torch.result_type(torch.tensor([1, 2]), 2.5); // torch.float32
   */
  result_type: Documented;
  /**
   * `1 / sqrt(x)` of each element.   `(*) -> (*)`
   * @returns NaN for negative elements, inf for 0.
   * @example torch.rsqrt(torch.tensor([4.0, 16.0])); // tensor([0.5000, 0.2500])
   */
  rsqrt: Documented;
  /**
   * `other - alpha * input`.   `(*), (*) -> (*)`
   * @example torch.rsub(torch.tensor([1, 2]), 10); // tensor([9, 8])
   */
  rsub: Documented;
  /**
   * A 0-dim tensor of the number.
   * @returns the default dtype unless `dtype` is given.
   * @example torch.scalar_tensor(2.5); // tensor(2.5000)
   */
  scalar_tensor: Documented;
  /**
   * A copy of `input` with `src` (or `value`) put along `dim` where `index` says.
   * @param index int64.
   * @example torch.scatter(torch.zeros(3), 0, torch.tensor([2]), torch.tensor([1.5])); // tensor([0.0000, 0.0000, 1.5000])
   */
  scatter: Documented;
  /**
   * A copy of `input` with `src` added along `dim` where `index` says.
   * @param index int64; places named twice get both.
   * @example torch.scatter_add(torch.zeros(3), 0, torch.tensor([2, 2]), torch.tensor([1.5, 1.5])); // tensor([0., 0., 3.])
   */
  scatter_add: Documented;
  /**
   * A view of the slice at `index` along `dim`, which disappears.
   * @throws {IndexError} "select(): index 5 out of range for tensor of size [2] at dimension 0"
   * @example torch.select(torch.tensor([[1, 2], [3, 4]]), 0, 1); // tensor([3, 4])
   */
  select: Documented;
  /**
   * -1, 0 or 1 by the sign of each element.   `(*) -> (*)`
   * @example torch.sgn(torch.tensor([-2.5, 0, 3])); // tensor([-1.,  0.,  1.])
   */
  sgn: Documented;
  /**
   * `1 / (1 + exp(-x))`, element by element.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.sigmoid(torch.tensor([0.0]).float()); // tensor([0.5000])
   */
  sigmoid: Documented;
  /**
   * Exponentials along `dim`, divided by their sum.   `(*) -> (*)`
   * @param dtype converted to before computing.
   * @example torch.softmax(torch.tensor([0.5, 0.5]), 0); // tensor([0.5000, 0.5000])
   */
  softmax: Documented;
  /**
   * Views that cut `dim` into parts of a size each, or of the sizes listed.
   * @throws {RuntimeError} "split_with_sizes expects split_sizes to sum exactly to 5 (input tensor's size at dimension 0), but got split_sizes=[1, 2]"
   * @example torch.split(torch.arange(5), 2); // [tensor([0, 1]), tensor([2, 3]), tensor([4])]
   */
  split: Documented;
  /**
   * Views that cut `dim` into parts of the sizes listed.
   * @example torch.split_with_sizes(torch.arange(3), [1, 2]); // [tensor([0]), tensor([1, 2])]
   */
  split_with_sizes: Documented;
  /**
   * Square root of each element.   `(*) -> (*)`
   * @returns NaN for negative elements; floating also for integers.
   * @example torch.sqrt(torch.tensor([4, 9])); // tensor([2., 3.])
   */
  sqrt: Documented;
  /**
   * A view without dimensions of size 1: all of them, or those of `dim` that are.
   * @example torch.squeeze(torch.ones(1, 2, 1)).shape; // [2]
   */
  squeeze: Documented;
  /**
   * Tensors of one shape side by side along a new dimension.
   * @throws {RuntimeError} "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1"
   * @example torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[1, 2], [3, 4]])
   */
  stack: Documented;
  /**
   * `input - alpha * other`, broadcast.   `(*), (*) -> (*)`
   * @throws {RuntimeError} for two bool tensors.
   * @example torch.sub(torch.tensor([1.5, 2]), 1); // tensor([0.5000, 1.0000])
   */
  sub: Documented;
  /**
   * The same as `sub`.   `(*), (*) -> (*)`
   * @example torch.subtract(torch.tensor([1.5, 2]), 1); // tensor([0.5000, 1.0000])
   */
  subtract: Documented;
  /**
   * Sum of all elements, or along `dim`.   `(*) -> ()`
   * @returns int64 for integers and bool unless `dtype` is given.
   * @example torch.sum(torch.tensor([[1, 2], [3, 4]]), 0); // tensor([4, 6])
   */
  sum: Documented;
  /**
   * A view of a matrix with rows and columns swapped; a vector itself.
   * @throws {RuntimeError} "t() expects a tensor with <= 2 dimensions, but self is 3D"
   * @example torch.t(torch.ones(2, 3)).shape; // [3, 2]
   */
  t: Documented;
  /**
   * Hyperbolic tangent of each element.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.tanh(torch.tensor([0, 1])); // tensor([0.0000, 0.7616])
   */
  tanh: Documented;
  /**
   * Elements not above `threshold` become `value`.   `(*) -> (*)`
   * @example torch.threshold(torch.tensor([0.5, 2.5]), 1, 7); // tensor([7.0000, 2.5000])
   */
  threshold: Documented;
  /**
   * A view with two dimensions swapped.
   * @throws {IndexError} "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
   * @example torch.transpose(torch.ones(2, 3), 0, 1).shape; // [3, 2]
   */
  transpose: Documented;
  /**
   * Views of the slices along `dim`, which disappears.
   * @example torch.unbind(torch.tensor([1, 2])); // [tensor(1), tensor(2)]
   */
  unbind: Documented;
  /**
   * A view with a dimension of size 1 put in at `dim`.
   * @example torch.unsqueeze(torch.tensor([1, 2]), 0); // tensor([[1, 2]])
   */
  unsqueeze: Documented;
  /**
   * `dot` with the first vector conjugated.   `(n), (n) -> ()`
   * @example torch.vdot(torch.tensor([2, 3]), torch.tensor([2, 1])); // tensor(7)
   */
  vdot: Documented;
  /**
   * Elements of `input` where `condition` holds, of `other` elsewhere; alone, the indices where it does.   `(*), (*), (*) -> (*)`
   * @param condition bool.
   * @example torch.where(torch.tensor([true, false]), torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([1, 4])
   */
  where: Documented;
  /**
   * Writes 0 to every element of the tensor given, and returns it.
   * @example torch.zero_(torch.ones(2)); // tensor([0., 0.])
   */
  zero_: Documented;
  /**
   * A tensor of the given size, every element 0.
   * @param kwargs `dtype`, `device`, `layout`, `requires_grad`, `out`.
   * @example torch.zeros(2); // tensor([0., 0.])
   */
  zeros: Documented;
  /**
   * `zeros` of `input`'s size, dtype and device.
   * @example torch.zeros_like(torch.tensor([5, 6])); // tensor([0, 0])
   */
  zeros_like: Documented;
}
