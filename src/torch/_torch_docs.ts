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
   * Another name of `torch.abs`.   `(*) -> (*)`
   * @example torch.absolute(torch.tensor([-1.5, 2])); // tensor([1.5000, 2.0000])
   */
  absolute: Documented;
  /**
   * The angle between 0 and π that has this cosine; NaN beyond -1 and 1.   `(*) -> (*)`
   * @example torch.acos(torch.tensor([-0.5, 1])); // tensor([2.0944, 0.0000])
   */
  acos: Documented;
  /**
   * The number from 0 on that has this hyperbolic cosine; NaN below 1.   `(*) -> (*)`
   * @example torch.acosh(torch.tensor([1, 2.5])); // tensor([0.0000, 1.5668])
   */
  acosh: Documented;
  /**
   * Means of `output_size` parts of the last dim.   `(N, C, L) -> (N, C, output_size)`
   * @example torch.adaptive_avg_pool1d(torch.tensor([[1.5, 2, 3, 5]]), 2); // tensor([[1.7500, 4.0000]])
   */
  adaptive_avg_pool1d: Documented;
  /**
   * The greatest element of each of `output_size` parts, and where it stands.   `(N, C, L) -> (N, C, output_size), (N, C, output_size)`
   * @example torch.adaptive_max_pool1d(torch.tensor([[1.5, 2, 3, 5]]), 2)[0]; // tensor([[2., 5.]])
   */
  adaptive_max_pool1d: Documented;
  /**
   * `input + alpha * other`, broadcast.   `(*), (*) -> (*)`
   * @param other a tensor, or a number, which does not raise the dtype within its kind.
   * @throws {RuntimeError} "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0" where shapes do not broadcast.
   * @example torch.add(torch.tensor([1.5, 2]), 10, { alpha: 2 }); // tensor([21.5000, 22.0000])
   */
  add: Documented;
  /**
   * `beta * input + alpha * (the sum of the products batch1[i] @ batch2[i])`.   `(N, P), (B, N, M), (B, M, P) -> (N, P)`
   * @throws {RuntimeError} "batch1 and batch2 must have same number of batches, got 1 and 2".
   * @example torch.addbmm(torch.zeros(1, 1), torch.ones(2, 1, 3), torch.ones(2, 3, 1)); // tensor([[6.]])
   */
  addbmm: Documented;
  /**
   * `input + value * tensor1 / tensor2`, element by element.   `(*), (*), (*) -> (*)`
   * @throws {Error} "Integer division with addcdiv is no longer supported" if `tensor1` and `tensor2` are both integers.
   * @example torch.addcdiv(torch.ones(2), torch.tensor([3.5, 1]), torch.tensor([2.5, 4])); // tensor([2.4000, 1.2500])
   */
  addcdiv: Documented;
  /**
   * `input + value * tensor1 * tensor2`, element by element.   `(*), (*), (*) -> (*)`
   * @param value a factor; a whole number for integers.
   * @example torch.addcmul(torch.ones(2), torch.tensor([1.5, 2]), torch.tensor([2.0, 3]), { value: 0.5 }); // tensor([2.5000, 4.0000])
   */
  addcmul: Documented;
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
   * The last two dims exchanged, complex numbers conjugated; a view.   `(*, N, M) -> (*, M, N)`
   * @throws {RuntimeError} "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor."
   * @example torch.adjoint(torch.tensor([[1, 2]])); // tensor([[1], [2]])
   */
  adjoint: Documented;
  /**
   * Where the elements of a tensor of `size` lie after the affine maps `theta`; see `F.affine_grid`.   `(N, 2, 3) -> (N, H, W, 2)`
   * @example torch.affine_grid_generator(torch.tensor([[[1.5, 0, 2], [0, 1, 0]]]), [1, 1, 1, 2], true); // tensor([[[[0.5000, 0.0000], [3.5000, 0.0000]]]])
   */
  affine_grid_generator: Documented;
  /**
   * The outer product of two vectors, added to a matrix: `beta * input + alpha * vec1 vec2^T`.   `(n, m), (n), (m) -> (n, m)`
   * @throws {RuntimeError} "addr: Expected 1-D argument vec1, but got 2-D".
   * @example torch.addr(torch.zeros(1, 2), torch.tensor([2], { dtype: torch.float32 }), torch.tensor([3, 4], { dtype: torch.float32 })); // tensor([[6., 8.]])
   */
  addr: Documented;
  /**
   * A copy of `input`.
   * @example torch.alias_copy(torch.tensor([1.5, 2])); // tensor([1.5000, 2.0000])
   */
  alias_copy: Documented;
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
   * Dropout that keeps mean 0 and variance 1, as `selu` has them.   `(*) -> (*)`
   * @example torch.alpha_dropout(torch.ones(2), 0.5, false); // tensor([1., 1.])
   */
  alpha_dropout: Documented;
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
   * The smallest and the greatest element, of the tensor or along `dim`, in one pass.   `(*) -> () and ()`
   * @returns a pair named `min`, `max`; both NaN where there is one.
   * @throws {RuntimeError} "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity." of no elements.
   * @example torch.aminmax(torch.tensor([2.5, -1, 3])).min; // tensor(-1.)
   */
  aminmax: Documented;
  /**
   * The angle of each element in the plane of complex numbers: for real ones 0, π below 0, NaN of NaN.   `(*) -> (*)`
   * @returns of `input`'s dtype; of whole numbers and bools in the default one.
   * @example torch.angle(torch.tensor([1.5, -1.5])); // tensor([0.0000, 3.1416])
   */
  angle: Documented;
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
   * Another name of `torch.acos`.   `(*) -> (*)`
   * @example torch.arccos(torch.tensor([-0.5, 1])); // tensor([2.0944, 0.0000])
   */
  arccos: Documented;
  /**
   * Another name of `torch.acosh`.   `(*) -> (*)`
   * @example torch.arccosh(torch.tensor([1, 2.5])); // tensor([0.0000, 1.5668])
   */
  arccosh: Documented;
  /**
   * Another name of `torch.asin`.   `(*) -> (*)`
   * @example torch.arcsin(torch.tensor([-0.5, 1])); // tensor([-0.5236,  1.5708])
   */
  arcsin: Documented;
  /**
   * Another name of `torch.asinh`.   `(*) -> (*)`
   * @example torch.arcsinh(torch.tensor([-0.5, 1])); // tensor([-0.4812,  0.8814])
   */
  arcsinh: Documented;
  /**
   * Another name of `torch.atan`.   `(*) -> (*)`
   * @example torch.arctan(torch.tensor([-0.5, 1])); // tensor([-0.4636,  0.7854])
   */
  arctan: Documented;
  /**
   * Another name of `torch.atan2`.   `(*), (*) -> (*)`
   * @example torch.arctan2(torch.tensor([1.5, -1]), torch.tensor([1.5, 1])); // tensor([ 0.7854, -0.7854])
   */
  arctan2: Documented;
  /**
   * Another name of `torch.atanh`.   `(*) -> (*)`
   * @example torch.arctanh(torch.tensor([-0.5, 0.25])); // tensor([-0.5493,  0.2554])
   */
  arctanh: Documented;
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
   * The indices that would put the elements in order along `dim`.   `(*) -> (*)`
   * @param stable true: of equal elements the one in front stays in front.
   * @returns int64.
   * @example torch.argsort(torch.tensor([3, 1, 2])); // tensor([1, 2, 0])
   */
  argsort: Documented;
  /**
   * The indices of the elements that are not zero, one row each.   `(*) -> (n, ndim)`
   * @example torch.argwhere(torch.tensor([0, 3, 4])); // tensor([[1], [2]])
   */
  argwhere: Documented;
  /**
   * A view of `input`'s storage with the given size, strides and offset.
   * @param stride in elements, one per dimension.
   * @param storage_offset of the first element, in elements; `input`'s own if not given.
   * @throws {RuntimeError} "setStorage: sizes ..., requiring a storage size of ..." if it runs out of the storage.
   * @example torch.as_strided(torch.arange(6), [2, 2], [2, 1]); // tensor([[0, 1], [2, 3]])
   */
  as_strided: Documented;
  /**
   * A copy of what `torch.as_strided` shows.
   * @example torch.as_strided_copy(torch.arange(6), [2, 2], [2, 1]); // tensor([[0, 1], [2, 3]])
   */
  as_strided_copy: Documented;
  /**
   * `input` with `src` written over the elements that `as_strided` of it would show; a copy.
   * @example torch.as_strided_scatter(torch.zeros(2, 2), torch.tensor([1.5, 2]), [2], [3]); // tensor([[1.5000, 0.0000], [0.0000, 2.0000]])
   */
  as_strided_scatter: Documented;
  /**
   * The angle between -π/2 and π/2 that has this sine; NaN beyond -1 and 1.   `(*) -> (*)`
   * @example torch.asin(torch.tensor([-0.5, 1])); // tensor([-0.5236,  1.5708])
   */
  asin: Documented;
  /**
   * The number that has this hyperbolic sine.   `(*) -> (*)`
   * @example torch.asinh(torch.tensor([-0.5, 1])); // tensor([-0.4812,  0.8814])
   */
  asinh: Documented;
  /**
   * The angle between -π/2 and π/2 that has this tangent.   `(*) -> (*)`
   * @example torch.atan(torch.tensor([-0.5, 1])); // tensor([-0.4636,  0.7854])
   */
  atan: Documented;
  /**
   * The angle of the point `(other, input)`, from -π to π; `input` is the height.   `(*), (*) -> (*)`
   * @example torch.atan2(torch.tensor([1.5, -1]), torch.tensor([1.5, 1])); // tensor([ 0.7854, -0.7854])
   */
  atan2: Documented;
  /**
   * The number that has this hyperbolic tangent; NaN beyond -1 and 1.   `(*) -> (*)`
   * @example torch.atanh(torch.tensor([-0.5, 0.25])); // tensor([-0.5493,  0.2554])
   */
  atanh: Documented;
  /**
   * The mean of each window along the last dim.   `(N, C, L) -> (N, C, L')`
   * @param stride from one window to the next; `kernel_size` if it is left out.
   * @param count_include_pad whether the zeros of the padding count.
   * @example torch.avg_pool1d(torch.tensor([[1.5, 2, 3, 5]]), 2); // tensor([[1.7500, 4.0000]])
   */
  avg_pool1d: Documented;
  /**
   * The tensor with at least one dimension; a view where it had none.
   * @param input a tensor, or several: `torch.atleast_1d(a, b)`.
   * @example torch.atleast_1d(torch.tensor(1.5)); // tensor([1.5000])
   */
  atleast_1d: Documented;
  /**
   * The tensor with at least two dimensions; a vector is a row.
   * @param input a tensor, or several.
   * @example torch.atleast_2d(torch.tensor([1, 2])); // tensor([[1, 2]])
   */
  atleast_2d: Documented;
  /**
   * The tensor with at least three dimensions; a matrix gets one behind its columns.
   * @param input a tensor, or several.
   * @example torch.atleast_3d(torch.tensor([1, 2])).shape; // [1, 2, 1]
   */
  atleast_3d: Documented;
  /**
   * `beta * input + alpha * (batch1 @ batch2)`, matrix by matrix.   `(b, n, m), (b, n, k), (b, k, m) -> (b, n, m)`
   * @example torch.baddbmm(torch.ones(1, 2, 2), torch.ones(1, 2, 3), torch.ones(1, 3, 2)); // tensor([[[4., 4.], [4., 4.]]])
   */
  baddbmm: Documented;
  /**
   * A window that rises and falls in a line.   `-> (window_length)`
   * @param periodic whether the next window begins where this one ends; else it is symmetric. True without it.
   * @throws {RuntimeError} "bartlett_window requires non-negative window_length, got window_length=-1".
   * @example torch.bartlett_window(4); // tensor([0.0000, 0.5000, 1.0000, 0.5000])
   */
  bartlett_window: Documented;
  /**
   * Each channel with its mean taken away and divided by its standard deviation, then `* weight + bias`.   `(N, C, *) -> (N, C, *)`
   * @param weight `(C)` or None: 1 for each channel.
   * @param bias `(C)` or None: 0 for each channel.
   * @param running_mean `(C)` or None. In training it moves towards the batch's mean by `momentum`; else it is the mean that is used.
   * @param running_var the same of the variance, unbiased.
   * @param training whether the statistics are the batch's own.
   * @param eps is added to the variance.
   * @example torch.batch_norm(torch.tensor([[1.5, 10.5], [2.5, 12.5]]), null, null, null, null, true, 0.1, 0.0, false); // tensor([[-1., -1.], [ 1.,  1.]])
   */
  batch_norm: Documented;
  /**
   * Mean and biased variance of each channel; the running statistics, where given, move towards them.   `(N, C, *) -> (C), (C)`
   * @example torch.batch_norm_update_stats(torch.tensor([[1.5], [2.5]]), null, null, 0.1)[0]; // tensor([2.])
   */
  batch_norm_update_stats: Documented;
  /**
   * 0 or 1 for each element, 1 with the probability that the element gives.
   * @throws {RuntimeError} where an element is no probability.
   * @example torch.bernoulli(torch.tensor([0.0, 1.0]).float()); // tensor([0., 1.])
   */
  bernoulli: Documented;
  /**
   * `input1 @ weight[k] @ input2 + bias[k]`, for each output `k`.   `(*, in1), (*, in2), (out, in1, in2), (out) -> (*, out)`
   * @example torch.bilinear(torch.tensor([[1.5, 2]]), torch.tensor([[0.5, 1]]), torch.ones([1, 2, 2])); // tensor([[5.2500]])
   */
  bilinear: Documented;
  /**
   * How often each integer from 0 on occurs, or the sum of the `weights` where it does.   `(n) -> (max + 1)`
   * @throws {RuntimeError} "bincount only supports 1-d non-negative integral inputs.".
   * @example torch.bincount(torch.tensor([1, 3, 1])); // tensor([0, 2, 0, 1])
   */
  bincount: Documented;
  /**
   * Cross entropy between the probability that `input` is the logit of, and `target`.   `(*), (*) -> ()`, or `(*)` unreduced
   * @param reduction 0 for none, 1 for the mean, 2 for the sum
   * @example torch.binary_cross_entropy_with_logits(torch.tensor([0.5, -1.5]), torch.tensor([1, 0.5])); // tensor([0.4741, 0.9514])
   */
  binary_cross_entropy_with_logits: Documented;
  /**
   * How many of `count` trials succeed, each with probability `prob`, by chance.   `(*), (*) -> (*)`
   * @example torch.binomial(torch.tensor([3.5, 1000]), torch.tensor([0, 0.5])).gt(300); // tensor([False,  True])
   */
  binomial: Documented;
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
   * A window of three cosines: `0.42 - 0.5 cos(a) + 0.08 cos(2 a)`.   `-> (window_length)`
   * @param periodic whether the next window begins where this one ends; else it is symmetric. True without it.
   * @example torch.blackman_window(2, { dtype: torch.float64 }).round({ decimals: 4 }).abs(); // tensor([0., 1.], dtype=torch.float64)
   */
  blackman_window: Documented;
  /**
   * Matrices side by side on the diagonal of a larger one, zero elsewhere; a vector is a row.
   * @example torch.block_diag(torch.tensor([[1, 2]]), torch.tensor(3)); // tensor([[1, 2, 0], [0, 0, 3]])
   */
  block_diag: Documented;
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
   * Between which of the sorted `boundaries` each element lies: how many are less.   `(*), (n) -> (*)`
   * @param right true: how many are less or equal.
   * @example torch.bucketize(torch.tensor([0, 2, 5]), torch.tensor([1, 2, 3])); // tensor([0, 1, 3])
   */
  bucketize: Documented;
  /**
   * Whether a value of dtype `from_` may be put into dtype `to` under the promotion rules.
   * @returns a JavaScript boolean.
   * @example torch.can_cast(torch.float32, torch.int64); // False
   */
  can_cast: Documented;
  /**
   * All tuples of elements, one of each vector, as rows.   `(a), (b), ... -> (a * b * ..., n)`
   * @example torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([[1, 3], [1, 4], [2, 3], [2, 4]])
   */
  cartesian_prod: Documented;
  /**
   * Tensors one after the other along `dim`, which must be the only one to differ.
   * @throws {RuntimeError} "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list."
   * @example torch.cat([torch.tensor([1, 2]), torch.tensor([3])]); // tensor([1, 2, 3])
   */
  cat: Documented;
  /**
   * The distances of all rows of one matrix to all rows of another, by the p-norm.   `(B, P, M), (B, R, M) -> (B, P, R)`
   * @example torch.cdist(torch.tensor([[0, 0]], { dtype: torch.float32 }), torch.tensor([[3, 4]], { dtype: torch.float32 })); // tensor([[5.]])
   */
  cdist: Documented;
  /**
   * The least integer that is not below, of each element.   `(*) -> (*)`
   * @returns the dtype of `input`; integers as they are.
   * @throws {NotImplementedError} "\"ceil_vml_cpu\" not implemented for 'Bool'"
   * @example torch.ceil(torch.tensor([1.25, -1.25])); // tensor([ 2., -1.])
   */
  ceil: Documented;
  /**
   * `max(0, x) + min(0, alpha * (exp(x / alpha) - 1))`, element by element.   `(*) -> (*)`
   * @throws {RuntimeError} "ZeroDivisionError: alpha cannot be 0 for CELU"
   * @example torch.celu(torch.tensor([-2.5, 2]), 2); // tensor([-1.4270,  2.0000])
   */
  celu: Documented;
  /**
   * The product of the matrices of a list; an older form of `torch.linalg.multi_dot`.
   * @example torch.chain_matmul(torch.tensor([[2]]), torch.tensor([[3]])); // tensor([[6]])
   */
  chain_matmul: Documented;
  /**
   * The channels of `groups` groups dealt out in turn.   `(N, C, *) -> (N, C, *)`
   * @throws {RuntimeError} "Number of channels must be divisible by groups. Got 3 channels and 2 groups.".
   * @example torch.channel_shuffle(torch.arange(4).reshape(1, 4, 1), 2); // tensor([[[0], [2], [1], [3]]])
   */
  channel_shuffle: Documented;
  /**
   * An older form of `torch.linalg.cholesky`.   `(*, n, n) -> (*, n, n)`
   * @example torch.cholesky(torch.tensor([[4]], { dtype: torch.float32 })); // tensor([[2.]])
   */
  cholesky: Documented;
  /**
   * The inverse of a positive definite matrix, of its Cholesky factor.   `(*, n, n) -> (*, n, n)`
   * @example torch.cholesky_inverse(torch.tensor([[2]], { dtype: torch.float32 })); // tensor([[0.2500]])
   */
  cholesky_inverse: Documented;
  /**
   * The solution of `A X = input`, of the Cholesky factor of `A`.   `(*, n, k), (*, n, n) -> (*, n, k)`
   * @example torch.cholesky_solve(torch.tensor([[8]], { dtype: torch.float32 }), torch.tensor([[2]], { dtype: torch.float32 })); // tensor([[2.]])
   */
  cholesky_solve: Documented;
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
   * Another name of `torch.clamp`.
   * @example torch.clip(torch.tensor([-1.5, 0.5, 3]), -1, 1); // tensor([-1.0000,  0.5000,  1.0000])
   */
  clip: Documented;
  /**
   * A copy with its own storage; the gradient passes through.
   * @param kwargs `memory_format`: `preserve_format` keeps dense strides.
   * @example torch.clone(torch.tensor([1, 2])); // tensor([1, 2])
   */
  clone: Documented;
  /**
   * Vectors as columns, and matrices, side by side.
   * @example torch.column_stack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[1, 3], [2, 4]])
   */
  column_stack: Documented;
  /**
   * All subsets of `r` elements of a vector, as rows.   `(n) -> (n over r, r)`
   * @param with_replacement an element may come more than once.
   * @example torch.combinations(torch.tensor([1, 2, 3])); // tensor([[1, 2], [1, 3], [2, 3]])
   */
  combinations: Documented;
  /**
   * Another name of `cat`.
   * @example torch.concat([torch.tensor([1]), torch.tensor([2])]); // tensor([1, 2])
   */
  concat: Documented;
  /**
   * Another name of `cat`.
   * @example torch.concatenate([torch.tensor([1]), torch.tensor([2])]); // tensor([1, 2])
   */
  concatenate: Documented;
  /**
   * The complex conjugate; a real tensor itself.
   * @example torch.conj(torch.tensor([1.5])); // tensor([1.5000])
   */
  conj: Documented;
  /**
   * The complex conjugate, in memory of its own; a real tensor is its own conjugate and comes back itself.   `(*) -> (*)`
   * @example torch.conj_physical(torch.tensor([1.5])); // tensor([1.5000])
   */
  conj_physical: Documented;
  /**
   * `input` with a border of `value`.   `(*) -> (*)`
   * @param pad numbers of elements, two a dim (before, after), the last dim first; negative ones cut away.
   * @example torch.constant_pad_nd(torch.tensor([1.5, 2]), [1, 2]); // tensor([0.0000, 1.5000, 2.0000, 0.0000, 0.0000])
   */
  constant_pad_nd: Documented;
  /**
   * Slides `weight` along `input` and sums the products: one spatial dim.   `(N, C, W), (K, C / groups, k) -> (N, K, W')`
   * @param padding zeros on both sides, or `"valid"` (none), or `"same"` (as many as keep the width; stride 1 only).
   * @example torch.conv1d(torch.tensor([[[1.5, 2, 4, 8]]]), torch.tensor([[[0.5, -1]]])); // tensor([[[-1.2500, -3.0000, -6.0000]]])
   */
  conv1d: Documented;
  /**
   * Slides `weight` over `input` and sums the products: two spatial dims.   `(N, C, H, W), (K, C / groups, kH, kW) -> (N, K, H', W')`
   * @param padding zeros on all sides, or `"valid"` (none), or `"same"` (as many as keep the size; stride 1 only).
   * @param groups the channels of input and output fall into so many groups that do not see each other.
   * @throws {RuntimeError} "Given groups=1, weight of size [3, 1, 3, 3], expected input[1, 2, 5, 5] to have 1 channels, but got 2 channels instead".
   * @example torch.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)); // tensor([[[[4., 4.], [4., 4.]]]])
   */
  conv2d: Documented;
  /**
   * Slides `weight` through `input` and sums the products: three spatial dims.   `(N, C, D, H, W), (K, C / groups, kD, kH, kW) -> (N, K, D', H', W')`
   * @param padding as in `conv2d`.
   * @example torch.conv3d(torch.ones(1, 1, 2, 2, 2), torch.ones(1, 1, 2, 2, 2)); // tensor([[[[[8.]]]]])
   */
  conv3d: Documented;
  /**
   * A convolution along time.   `(T, N, C), (k, C, K), (K) -> (T + 2 pad - k + 1, N, K)`
   * @example torch.conv_tbc(torch.ones(2, 1, 1), torch.ones(2, 1, 1), torch.zeros(1)); // tensor([[[2.]]])
   */
  conv_tbc: Documented;
  /**
   * What `conv1d`'s gradient does: each element of `input` lays down a scaled copy of `weight`.   `(N, C, W), (C, K / groups, k) -> (N, K, W')`
   * @param output_padding makes the output longer on the right, smaller than `stride` or `dilation`.
   * @example torch.conv_transpose1d(torch.tensor([[[1.5, 2]]]), torch.tensor([[[0.5, 10]]])); // tensor([[[ 0.7500, 16.0000, 20.0000]]])
   */
  conv_transpose1d: Documented;
  /**
   * What `conv2d`'s gradient does: each element of `input` lays down a scaled copy of `weight`.   `(N, C, H, W), (C, K / groups, kH, kW) -> (N, K, H', W')`
   * @param output_padding makes the output larger at the end of each dim, by less than `stride` or `dilation`.
   * @example torch.conv_transpose2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2)); // tensor([[[[1., 2., 1.], [2., 4., 2.], [1., 2., 1.]]]])
   */
  conv_transpose2d: Documented;
  /**
   * What `conv3d`'s gradient does: each element of `input` lays down a scaled copy of `weight`.   `(N, C, D, H, W), (C, K / groups, kD, kH, kW) -> (N, K, D', H', W')`
   * @param output_padding as in `conv_transpose2d`.
   * @example torch.conv_transpose3d(torch.ones(1, 1, 1, 1, 2), torch.ones(1, 1, 1, 1, 2)); // tensor([[[[[1., 2., 1.]]]]])
   */
  conv_transpose3d: Documented;
  /**
   * What every `conv*` and `conv_transpose*` calls: one function for all numbers of spatial dims, with all arguments given.   `(N, C, *), (K, C / groups, *) -> (N, K, *)`
   * @param transposed then `weight` is `(C, K / groups, *)`, and `output_padding` counts.
   * @example torch.convolution(torch.ones(1, 1, 3), torch.ones(1, 1, 2), null, [1], [0], [1], false, [0], 1); // tensor([[[2., 2.]]])
   */
  convolution: Documented;
  /**
   * The magnitude of `input` with the sign of `other`; that of -0 counts.   `(*), (*) -> (*)`
   * @example torch.copysign(torch.tensor([1.5, -2]), -1); // tensor([-1.5000, -2.0000])
   */
  copysign: Documented;
  /**
   * How far variables, one a row, move together: `cov`, divided by the deviations of both.   `(V, N) -> (V, V)`
   * @returns between -1 and 1; NaN beside a variable that does not vary.
   * @example torch.corrcoef(torch.tensor([[0, 1, 2], [2, 1, 0]])); // tensor([[ 1., -1.], [-1.,  1.]])
   */
  corrcoef: Documented;
  /**
   * Cosine of each element, in radians.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.cos(torch.tensor([0, 1])); // tensor([1.0000, 0.5403])
   */
  cos: Documented;
  /**
   * Hyperbolic cosine, `(e^x + e^-x) / 2`.   `(*) -> (*)`
   * @example torch.cosh(torch.tensor([-0.5, 1])); // tensor([1.1276, 1.5431])
   */
  cosh: Documented;
  /**
   * 1 minus the cosine of the angle between rows where `target` is 1, and what the cosine exceeds `margin` by where it is -1.   `(N, D), (N, D), (N) -> ()`
   * @param reduction 0 for none, 1 for the mean, 2 for the sum
   * @throws {RuntimeError} "0D or 1D target tensor expected, multi-target not supported"
   * @example torch.cosine_embedding_loss(torch.tensor([[3.5, 0]]), torch.tensor([[0, 1.5]]), torch.tensor([1])); // tensor([1.])
   */
  cosine_embedding_loss: Documented;
  /**
   * The cosine of the angle between `x1` and `x2` along `dim`; norms count as `eps` at least.
   * @throws {RuntimeError} "expected common dtype to be floating point, yet common dtype is Long"
   * @example torch.cosine_similarity(torch.tensor([[3.5, 0]]), torch.tensor([[1.5, 0]])); // tensor([1.])
   */
  cosine_similarity: Documented;
  /**
   * How many elements are not zero, of the tensor or along `dim`.   `(*) -> ()`
   * @returns int64.
   * @example torch.count_nonzero(torch.tensor([0, 3, 0, -1])); // tensor(2)
   */
  count_nonzero: Documented;
  /**
   * The covariances of variables, one a row, of which each column is an observation.   `(V, N) -> (V, V)`
   * @param correction what is taken off the count of observations; 1 without it.
   * @param fweights how often each observation was made, integers; `aweights` how much each counts, floating.
   * @throws {RuntimeError} "cov(): weights sum to zero, can't be normalized".
   * @example torch.cov(torch.tensor([[0, 1, 2], [2, 1, 0]])); // tensor([[ 1., -1.], [-1.,  1.]])
   */
  cov: Documented;
  /**
   * How unlikely it is that `log_probs`, read step by step with blanks and repetitions left out, gives `targets`.   `(T, N, C) or (T, C)`
   * @param targets `(N, S)`, or all of them one after the other.
   * @param blank the class that stands for nothing.
   * @param reduction 0 one loss for each sequence, 1 their mean, each divided by its target's length, 2 their sum.
   * @param zero_infinity Whether a target that cannot be read has the loss 0.
   * @example torch.ctc_loss(torch.zeros([2, 1, 2]), torch.tensor([[1]]), [2], [1], 0, 2); // tensor(-1.0986)
   */
  ctc_loss: Documented;
  /**
   * The vectors that are normal to two others, along the first dimension of size 3, or `dim`.   `(*), (*) -> (*)`
   * @example torch.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]), 0); // tensor([0, 0, 1])
   */
  cross: Documented;
  /**
   * The greatest of all elements up to each, along `dim`, and where it stands (the last of equal ones).   `(*) -> (*) and (*)`
   * @returns a pair named `values`, `indices`; NaN from the first one on.
   * @example torch.cummax(torch.tensor([1.5, 3, 2]), 0).values; // tensor([1.5000, 3.0000, 3.0000])
   */
  cummax: Documented;
  /**
   * The smallest of all elements up to each, along `dim`, and where it stands (the last of equal ones).   `(*) -> (*) and (*)`
   * @returns a pair named `values`, `indices`; NaN from the first one on.
   * @example torch.cummin(torch.tensor([2.5, 1, 3]), 0).indices; // tensor([0, 1, 1])
   */
  cummin: Documented;
  /**
   * The product of all elements up to each, along `dim`.   `(*) -> (*)`
   * @param dtype the elements are converted first; integers become int64 without it.
   * @example torch.cumprod(torch.tensor([2, 3, 4]), 0); // tensor([ 2,  6, 24])
   */
  cumprod: Documented;
  /**
   * The sum of all elements up to each, along `dim`.   `(*) -> (*)`
   * @param dtype the elements are converted first; integers become int64 without it.
   * @example torch.cumsum(torch.tensor([1, 2, 3]), 0); // tensor([1, 3, 6])
   */
  cumsum: Documented;
  /**
   * Whether cuDNN computes with this tensor: never here.
   * @example torch.cudnn_is_acceptable(torch.ones(2)); // False
   */
  cudnn_is_acceptable: Documented;
  /**
   * The integral up to each sample, by the trapezoid rule.   `(*, n, *) -> (*, n - 1, *)`
   * @param x sample points; or `dx`, how far they stand apart.
   * @example torch.cumulative_trapezoid(torch.tensor([1, 3, 5])); // tensor([2., 6.])
   */
  cumulative_trapezoid: Documented;
  /**
   * Degrees as radians.   `(*) -> (*)`
   * @example torch.deg2rad(torch.tensor([180.5, 90])); // tensor([3.1503, 1.5708])
   */
  deg2rad: Documented;
  /**
   * Another name of `torch.linalg.det`.   `(*, n, n) -> (*)`
   * @example torch.det(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor(8.)
   */
  det: Documented;
  /**
   * A view without history: gradients stop here.
   * @example torch.detach(torch.tensor([1.5], { requires_grad: true })); // tensor([1.5000])
   */
  detach: Documented;
  /**
   * A copy of `input` that no gradient leads through.
   * @example torch.detach_copy(torch.tensor([1.5, 2])); // tensor([1.5000, 2.0000])
   */
  detach_copy: Documented;
  /**
   * The derivative of `lgamma`.   `(*) -> (*)`
   * @example torch.digamma(torch.tensor([1, 0.5])); // tensor([-0.5772, -1.9635])
   */
  digamma: Documented;
  /**
   * A matrix with a vector on its diagonal; of a matrix, a copy of the diagonal.
   * @param diagonal how far above the main one it lies.
   * @example torch.diag(torch.tensor([1, 2])); // tensor([[1, 0], [0, 2]])
   */
  diag: Documented;
  /**
   * Matrices with vectors, which lie along the last dimension, on their diagonals.   `(*, n) -> (*, n, n)`
   * @example torch.diag_embed(torch.tensor([1, 2]), 1); // tensor([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
   */
  diag_embed: Documented;
  /**
   * A matrix with all elements of `input`, in a row, on its diagonal.
   * @example torch.diagflat(torch.tensor([[1], [2]])); // tensor([[1, 0], [0, 2]])
   */
  diagflat: Documented;
  /**
   * A view of the diagonals of the matrices in dims `dim1` and `dim2`; they lie along its last dimension.
   * @throws {RuntimeError} "diagonal dimensions cannot be identical 1, 1"
   * @example torch.diagonal(torch.tensor([[1, 2], [3, 4]])); // tensor([1, 4])
   */
  diagonal: Documented;
  /**
   * A copy of the diagonals of the matrices in dims `dim1` and `dim2`.
   * @example torch.diagonal_copy(torch.tensor([[1, 2], [3, 4]])); // tensor([1, 4])
   */
  diagonal_copy: Documented;
  /**
   * `input` with `src` written over a diagonal; strides as before.
   * @example torch.diagonal_scatter(torch.zeros(2, 2), torch.tensor([1.5, 2])); // tensor([[1.5000, 0.0000], [0.0000, 2.0000]])
   */
  diagonal_scatter: Documented;
  /**
   * Differences of neighbours along `dim`, taken `n` times.   `(*, k, *) -> (*, k - n, *)`
   * @param prepend stands before `input` while they are taken; `append` behind it.
   * @throws {RuntimeError} "diff expects input to be at least one-dimensional" of a number.
   * @example torch.diff(torch.tensor([1, 3, 6])); // tensor([2, 3])
   */
  diff: Documented;
  /**
   * The `p`-norm of `input - other`.   `(*), (*) -> ()`
   * @example torch.dist(torch.tensor([1.5, 2]), torch.tensor([4.5, 6])); // tensor(5.)
   */
  dist: Documented;
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
   * The sum of products that an equation names: labels that the right side lacks are summed over.
   * @example torch.einsum("ij,j->i", torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10])); // tensor([21, 43])
   */
  einsum: Documented;
  /**
   * Views of parts along the third dimension.
   * @param indices_or_sections how many parts, or the places where to cut.
   * @example torch.dsplit(torch.ones(1, 1, 2), 2)[0].shape; // [1, 1, 1]
   */
  dsplit: Documented;
  /**
   * Tensors behind one another, along the third dimension.
   * @example torch.dstack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[[1, 3], [2, 4]]])
   */
  dstack: Documented;
  /**
   * Rows of a table, by number.   `(V, D), (*) -> (*, D)`
   * @param indices int64 or int32.
   * @throws {IndexError} "index out of range in self" where the table has no such row.
   * @example torch.embedding(torch.tensor([[1.5, 2], [3, 4]]), torch.tensor([1, 0])); // tensor([[3.0000, 4.0000], [1.5000, 2.0000]])
   */
  embedding: Documented;
  /**
   * Sums (mode 0), means (1) or maxima (2) of rows of `weight`: those of bag `i` are named by `indices` from `offsets[i]` on.
   * @returns The bags, and what backward needs: the bag of each index, the size of each bag, and where the maxima come from.
   * @example torch.embedding_bag(torch.tensor([[0.5], [2], [3]]), torch.tensor([0, 1, 2]), torch.tensor([0, 2]))[0]; // tensor([[2.5000], [3.0000]])
   */
  embedding_bag: Documented;
  /**
   * As `embedding_renorm_`, on a copy.
   * @example torch.embedding_renorm_(torch.tensor([[1.5, 2]]), torch.tensor([0]), 1, 2); // tensor([[0.6000, 0.8000]])
   */
  embedding_renorm: Documented;
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
   * `empty` whose dims lie in memory in a given order.
   * @param physical_layout the dims, the outermost in memory first.
   * @example torch.empty_permuted([2, 3, 4], [0, 2, 1]).stride(); // [12, 1, 3]
   */
  empty_permuted: Documented;
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
   * The error function: the share of a normal distribution of variance 1/2 between `-x` and `x`.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.erf(torch.tensor([0, 0.5, -1])); // tensor([ 0.0000,  0.5205, -0.8427])
   */
  erf: Documented;
  /**
   * `1 - erf(x)`, with all its digits where that is close to 0.   `(*) -> (*)`
   * @example torch.erfc(torch.tensor([0, 0.5, 3])); // tensor([1.0000e+00, 4.7950e-01, 2.2090e-05])
   */
  erfc: Documented;
  /**
   * The number that has this `erf`; NaN beyond -1 and 1.   `(*) -> (*)`
   * @example torch.erfinv(torch.tensor([0, 0.5, -1])); // tensor([0.0000, 0.4769,   -inf])
   */
  erfinv: Documented;
  /**
   * `e` to the power of each element.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.exp(torch.tensor([0, 1])); // tensor([1.0000, 2.7183])
   */
  exp: Documented;
  /**
   * 2 to the power of each element.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.exp2(torch.tensor([0, 0.5, 3])); // tensor([1.0000, 1.4142, 8.0000])
   */
  exp2: Documented;
  /**
   * `input` repeated along its dims of size 1, as a copy.
   * @example torch.expand_copy(torch.tensor([[1], [2]]), [2, 2]); // tensor([[1, 1], [2, 2]])
   */
  expand_copy: Documented;
  /**
   * `exp(x) - 1`, with all its digits where `x` is close to 0.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.expm1(torch.tensor([0, 0.5, 1])); // tensor([0.0000, 0.6487, 1.7183])
   */
  expm1: Documented;
  /**
   * Ones on the diagonal, zeros elsewhere.   `-> (n, m)`
   * @param m columns; as many as rows if not given.
   * @example torch.eye(2, 3); // tensor([[1., 0., 0.], [0., 1., 0.]])
   */
  eye: Documented;
  /**
   * `alpha_dropout` of whole channels.   `(N, C, *) -> (N, C, *)`
   * @example torch.feature_alpha_dropout(torch.ones(1, 2), 0.5, false); // tensor([[1., 1.]])
   */
  feature_alpha_dropout: Documented;
  /**
   * Zeroes whole channels with probability `p` and scales the others by `1 / (1 - p)`.   `(N, C, *) -> (N, C, *)`
   * @example torch.feature_dropout(torch.ones(1, 2), 0.5, false); // tensor([[1., 1.]])
   */
  feature_dropout: Documented;
  /**
   * A copy of `input`'s shape with every element `value`.
   * @example torch.fill(torch.zeros(2), 7); // tensor([7., 7.])
   */
  fill: Documented;
  /**
   * Another name of `torch.trunc`.   `(*) -> (*)`
   * @example torch.fix(torch.tensor([-2.5, 3.25])); // tensor([-2.,  3.])
   */
  fix: Documented;
  /**
   * Dimensions `start_dim` to `end_dim` made one; a view where strides allow.
   * @example torch.flatten(torch.ones(2, 3)).shape; // [6]
   */
  flatten: Documented;
  /**
   * A copy with the order of elements along `dims` reversed.
   * @example torch.flip(torch.tensor([[1, 2], [3, 4]]), [0]); // tensor([[3, 4], [1, 2]])
   */
  flip: Documented;
  /**
   * A copy with the columns in reverse order.
   * @example torch.fliplr(torch.tensor([[1, 2], [3, 4]])); // tensor([[2, 1], [4, 3]])
   */
  fliplr: Documented;
  /**
   * A copy with the rows in reverse order.
   * @example torch.flipud(torch.tensor([[1, 2], [3, 4]])); // tensor([[3, 4], [1, 2]])
   */
  flipud: Documented;
  /**
   * Powers computed in float64, whatever the operands are.   `(*), (*) -> (*)`
   * @example torch.float_power(torch.tensor([2, 3]), 2); // tensor([4., 9.], dtype=torch.float64)
   */
  float_power: Documented;
  /**
   * The greatest integer that is not above each element.   `(*) -> (*)`
   * @example torch.floor(torch.tensor([-2.5, 3.25])); // tensor([-3.,  3.])
   */
  floor: Documented;
  /**
   * Quotients rounded towards minus infinity, in the operands' common dtype.   `(*), (*) -> (*)`
   * @example torch.floor_divide(torch.tensor([7, -7]), 2); // tensor([ 3, -4])
   */
  floor_divide: Documented;
  /**
   * The larger element of each pair; of a number and NaN the number.   `(*), (*) -> (*)`
   * @example torch.fmax(torch.tensor([1.5, NaN]), torch.tensor([2.0, 1])); // tensor([2., 1.])
   */
  fmax: Documented;
  /**
   * The smaller element of each pair; of a number and NaN the number.   `(*), (*) -> (*)`
   * @example torch.fmin(torch.tensor([1.5, NaN]), torch.tensor([2.0, 1])); // tensor([1.5000, 1.0000])
   */
  fmin: Documented;
  /**
   * The remainder of a division rounded towards zero: it has the sign of `input`.   `(*), (*) -> (*)`
   * @example torch.fmod(torch.tensor([-3.5, 3.5]), 2); // tensor([-1.5000,  1.5000])
   */
  fmod: Documented;
  /**
   * What follows the point, with the sign of the number.   `(*) -> (*)`
   * @example torch.frac(torch.tensor([1.25, -2.75])); // tensor([ 0.2500, -0.7500])
   */
  frac: Documented;
  /**
   * Mantissas from 1/2 to 1, with their signs, and the powers of two they are to be scaled by.   `(*) -> (*), (*)`
   * @example torch.frexp(torch.tensor([6.5, -0.25])).exponent; // tensor([ 3, -1], dtype=torch.int32)
   */
  frexp: Documented;
  /**
   * The 2-norm of all elements along `dim`; an older form of `torch.linalg.vector_norm`.   `(*) -> (*)`
   * @example torch.frobenius_norm(torch.tensor([3, 4], { dtype: torch.float32 }), [0]); // tensor(5.)
   */
  frobenius_norm: Documented;
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
   * The greatest common divisor of integers; of two zeros 0.   `(*), (*) -> (*)`
   * @example torch.gcd(torch.tensor([12, 18]), torch.tensor([18, -27])); // tensor([6, 9])
   */
  gcd: Documented;
  /**
   * Where `input >= other`, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.ge(torch.tensor([1, 2]), 2); // tensor([False,  True])
   */
  ge: Documented;
  /**
   * `R` over the upper half of `a`, below it the vectors of the reflections that `Q` is made of; `tau` are their factors.   `(*, m, n) -> (*, m, n), (*, k)`
   * @example torch.geqrf(torch.tensor([[2]], { dtype: torch.float32 })).a; // tensor([[2.]])
   */
  geqrf: Documented;
  /**
   * The same as `outer`.   `(n), (m) -> (n, m)`
   * @example torch.ger(torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([[3, 4], [6, 8]])
   */
  ger: Documented;
  /**
   * The slopes of a function along each of its dims, from samples of it.   `(*) -> a list of (*)`
   * @param spacing how far samples stand apart: one number, one for each dim, or the coordinates of each dim as tensors.
   * @param edge_order 1 or 2: whether a slope at an edge is taken from two or from three samples.
   * @throws {RuntimeError} "torch.gradient expected each dimension size to be at least edge_order+1".
   * @example torch.gradient(torch.tensor([1, 2, 4, 8])); // [tensor([1.0000, 1.5000, 3.0000, 4.0000])]
   */
  gradient: Documented;
  /**
   * Another name of `torch.gt`.
   * @example torch.greater(torch.tensor([1, 2]), 1); // tensor([False,  True])
   */
  greater: Documented;
  /**
   * Another name of `torch.ge`.
   * @example torch.greater_equal(torch.tensor([1, 2]), 2); // tensor([False,  True])
   */
  greater_equal: Documented;
  /**
   * `input` read at the places that `grid` names, from -1 to 1 along each dim; see `F.grid_sample`.   `(N, C, H, W), (N, H', W', 2) -> (N, C, H', W')`
   * @param interpolation_mode 0: bilinear, 1: nearest, 2: bicubic.
   * @param padding_mode beyond the edge are 0: zeros, 1: the edge, 2: reflections.
   * @example torch.grid_sampler(torch.tensor([[[[1.5, 2.5]]]]), torch.zeros(1, 1, 1, 2), 0, 0, true); // tensor([[[[2.]]]])
   */
  grid_sampler: Documented;
  /**
   * `grid_sampler` of images.   `(N, C, H, W), (N, H', W', 2) -> (N, C, H', W')`
   * @example torch.grid_sampler_2d(torch.tensor([[[[1.5, 2.5]]]]), torch.zeros(1, 1, 1, 2), 0, 0, true); // tensor([[[[2.]]]])
   */
  grid_sampler_2d: Documented;
  /**
   * `grid_sampler` of volumes.   `(N, C, D, H, W), (N, D', H', W', 3) -> (N, C, D', H', W')`
   * @example torch.grid_sampler_3d(torch.tensor([[[[[1.5, 2.5]]]]]), torch.zeros(1, 1, 1, 1, 3), 0, 0, true); // tensor([[[[[2.]]]]])
   */
  grid_sampler_3d: Documented;
  /**
   * Each of `num_groups` groups of channels with its mean taken away and divided by its standard deviation, then `* weight + bias`.   `(N, C, *) -> (N, C, *)`
   * @param weight `(C)` or None: 1 for each channel.
   * @param bias `(C)` or None: 0 for each channel.
   * @throws {RuntimeError} "Expected number of channels in input to be divisible by num_groups, but got input of shape [1, 3] and num_groups=2"
   * @example torch.group_norm(torch.tensor([[1.5, 2.5, 10.5, 12.5]]), 2, null, null, 0.0); // tensor([[-1.,  1., -1.,  1.]])
   */
  group_norm: Documented;
  /**
   * A stack of gated recurrent layers.   `(T, N, I), (layers, N, H) -> (T, N, H), (layers, N, H)`
   * @param params of each layer and direction `weight_ih, weight_hh, bias_ih, bias_hh`, one list; gates in the order reset, update, new.
   * @param batch_first whether the input is `(N, T, I)`.
   * @see nn.GRU
   * @example torch.gru(torch.zeros(2, 1, 1), torch.ones(1, 1, 1), [torch.zeros(3, 1), torch.zeros(3, 1)], false, 1, 0.0, false, false, false)[1]; // tensor([[[0.2500]]])
   */
  gru: Documented;
  /**
   * One step of a gated recurrent unit.   `(N, I), (N, H) -> (N, H)`
   * @example torch.gru_cell(torch.zeros(1, 1), torch.ones(1, 1), torch.zeros(3, 1), torch.zeros(3, 1)); // tensor([[0.5000]])
   */
  gru_cell: Documented;
  /**
   * Where `input > other`, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.gt(torch.tensor([1, 2]), 1); // tensor([False,  True])
   */
  gt: Documented;
  /**
   * A cosine, raised: `alpha - beta cos(a)`.   `-> (window_length)`
   * @param periodic whether the next window begins where this one ends; else it is symmetric. True without it.
   * @param alpha 0.54 without it, as `beta` is 0.46 without it.
   * @example torch.hamming_window(4); // tensor([0.0800, 0.5400, 1.0000, 0.5400])
   */
  hamming_window: Documented;
  /**
   * A cosine, raised to 0: `0.5 - 0.5 cos(a)`.   `-> (window_length)`
   * @param periodic whether the next window begins where this one ends; else it is symmetric. True without it.
   * @throws {RuntimeError} "hann_window requires non-negative window_length, got window_length=-1".
   * @example torch.hann_window(4); // tensor([0.0000, 0.5000, 1.0000, 0.5000])
   */
  hann_window: Documented;
  /**
   * How many elements fall into each of `bins` equally wide bins from `min` to `max`; if these are equal, between the extremes.   `(*) -> (bins)`
   * @example torch.histc(torch.tensor([1.5, 2, 1]), 4, 0, 3); // tensor([0., 1., 2., 0.])
   */
  histc: Documented;
  /**
   * How many elements fall into each bin, and the edges of the bins.   `(*) -> (bins), (bins + 1)`
   * @param bins how many of equal width, or all edges, rising, as a tensor; each bin holds its left edge, the last one the right edge too.
   * @param range the outer edges of equal bins; the least and the greatest element without it.
   * @param weight how much each element counts; `density` divides so that the area over all bins is 1.
   * @throws {RuntimeError} "torch.histogram(): bins must be > 0, but got 0 for dimension 0".
   * @example torch.histogram(torch.tensor([1.5, 2, 1.5, 4]), torch.tensor([0.5, 2, 5]))[0]; // tensor([2., 2.])
   */
  histogram: Documented;
  /**
   * How many points fall into each box of a grid.   `(*, D) -> ((bins_1, ..., bins_D), D edges)`
   * @param bins  how many along each dimension, one number for all, or their edges: D tensors of one dimension.
   * @param range  the outer edges, `[left_1, right_1, left_2, ...]`; the extremes if it is null.
   * @param weight  `(*)`: what each point counts; 1 if it is null.
   * @param density  whether the sum over all boxes, each times its size, is to be 1.
   * @throws {RuntimeError} "torch.histogramdd: input tensor should have at least 2 dimensions".
   * @example torch.histogramdd(torch.tensor([[0.0, 1.5], [1, 0], [2, 1]]), [2, 2])[0]; // tensor([[0., 1.], [1., 1.]])
   */
  histogramdd: Documented;
  /**
   * Views of parts, cut between columns.
   * @param indices_or_sections how many parts, or the places where to cut.
   * @example torch.hsplit(torch.tensor([[1, 2, 3]]), [1])[1]; // tensor([[2, 3]])
   */
  hsplit: Documented;
  /**
   * Tensors side by side; vectors one after the other.
   * @example torch.hstack([torch.tensor([1, 2]), torch.tensor([3])]); // tensor([1, 2, 3])
   */
  hstack: Documented;
  /**
   * `x` where it is further than `lambd` from 0, else 0.   `(*) -> (*)`
   * @example torch.hardshrink(torch.tensor([-2.5, 0.25])); // tensor([-2.5000,  0.0000])
   */
  hardshrink: Documented;
  /**
   * `input` where `target` is 1, and what it falls short of `margin` by where it is -1.   `(*), (*) -> ()`, or `(*)` unreduced
   * @param reduction 0 for none, 1 for the mean, 2 for the sum
   * @example torch.hinge_embedding_loss(torch.tensor([0.5, 0.25]), torch.tensor([1, -1])); // tensor([0.5000, 0.7500])
   */
  hinge_embedding_loss: Documented;
  /**
   * The hypotenuse over two legs.   `(*), (*) -> (*)`
   * @example torch.hypot(torch.tensor([3.0, 1.5]), torch.tensor([4.0, 2])); // tensor([5.0000, 2.5000])
   */
  hypot: Documented;
  /**
   * The modified Bessel function of the first kind, of order 0.   `(*) -> (*)`
   * @example torch.i0(torch.tensor([0, 1.5])); // tensor([1.0000, 1.6467])
   */
  i0: Documented;
  /**
   * The lower incomplete gamma function, regularized: the share of the integral of `t^(input-1) e^-t` from 0 on that lies below `other`.
   * `(*), (*) -> (*)`
   * @param input  floating, from 0 on; no gradient flows to it.
   * @param other  of `input`'s dtype, or promoted with it; from 0 on.
   * @throws {NotImplementedError} the gradient of `input` is asked for.
   * @example torch.igamma(torch.tensor([1.5, 4]), torch.tensor([1.5, 2])); // tensor([0.6084, 0.1429])
   */
  igamma: Documented;
  /**
   * The upper incomplete gamma function, regularized: `1 - torch.igamma(input, other)`, without its cancellation.
   * `(*), (*) -> (*)`
   * @example torch.igammac(torch.tensor([1.5, 4]), torch.tensor([1.5, 2])); // tensor([0.3916, 0.8571])
   */
  igammac: Documented;
  /**
   * `input` with slices of `source` added where `index` says; a place named twice receives both.
   * @param alpha a factor of `source`.
   * @example torch.index_add(torch.ones(3), 0, torch.tensor([0, 0]), torch.tensor([1.5, 2])); // tensor([4.5000, 1.0000, 1.0000])
   */
  index_add: Documented;
  /**
   * `input` with its slices along `dim` replaced, where `index` says, by those of `source`.
   * @throws {IndexError} "Number of indices (2) should be equal to source.size(dim) (3)" where they do not go together.
   * @example torch.index_copy(torch.zeros(3), 0, torch.tensor([2, 0]), torch.tensor([1.5, 2])); // tensor([2.0000, 0.0000, 1.5000])
   */
  index_copy: Documented;
  /**
   * `input` with the slices along `dim` that `index` names filled with one value.
   * @example torch.index_fill(torch.zeros(3), 0, torch.tensor([0, -1]), 2.5); // tensor([2.5000, 0.0000, 2.5000])
   */
  index_fill: Documented;
  /**
   * A copy of `input` with `values` at the places that the index tensors name.
   * @param indices one int64 or bool tensor per dimension.
   * @param accumulate adds instead of replacing.
   * @example torch.index_put(torch.zeros(3), [torch.tensor([2])], torch.tensor([7.5])); // tensor([0.0000, 0.0000, 7.5000])
   */
  index_put: Documented;
  /**
   * Slices of `source` along `dim`, combined with those of `input` at the places in `index`.   `(*), (n), (*) -> (*)`
   * @param reduce "prod", "mean", "amax" or "amin".
   * @param include_self whether what stood there takes part; true without it.
   * @throws {IndexError} "index out of range in self".
   * @example torch.index_reduce(torch.ones(3), 0, torch.tensor([0, 2, 0]), torch.tensor([2, 3, 5.5]), "prod"); // tensor([11.,  1.,  3.])
   */
  index_reduce: Documented;
  /**
   * Sums of products along the last dim of both.   `(*, n), (*, n) -> (*, *)`
   * @example torch.inner(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10])); // tensor([21, 43])
   */
  inner: Documented;
  /**
   * The slices along `dim` that `index` names, in its order.
   * @param index one dimension, int64 or int32.
   * @returns A new tensor; shares no storage with `input`.
   * @example torch.index_select(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([1, 1])); // tensor([[2, 2], [4, 4]])
   */
  index_select: Documented;
  /**
   * Each channel of each instance with its own mean taken away and divided by its standard deviation, then `* weight + bias`.   `(N, C, *) -> (N, C, *)`
   * @param weight `(C)` or None: 1 for each channel.
   * @param bias `(C)` or None: 0 for each channel.
   * @param running_mean `(C)` or None. With `use_input_stats` it moves towards the average of all instances' means by `momentum`; else it is the mean that is used.
   * @example torch.instance_norm(torch.tensor([[[1.5, 2.5], [10.5, 12.5]]]), null, null, null, null, true, 0.1, 0.0, false); // tensor([[[-1.,  1.], [-1.,  1.]]])
   */
  instance_norm: Documented;
  /**
   * Another name of `torch.linalg.inv`.   `(*, n, n) -> (*, n, n)`
   * @example torch.inverse(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor([[0.5000, 0.0000], [0.0000, 0.2500]])
   */
  inverse: Documented;
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
   * Whether the dtype has negative numbers.
   * @example torch.is_signed(torch.tensor([1])); // True
   */
  is_signed: Documented;
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
   * Whether each element stands among `test_elements`; `invert` asks for the opposite.   `(*), (*) -> (*)`
   * @param assume_unique promises that no element stands there twice, which saves time.
   * @returns bool.
   * @throws {RuntimeError} "Unsupported input type encountered for isin(): Bool".
   * @example torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 5])); // tensor([False,  True, False])
   */
  isin: Documented;
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
   * A window of Bessel's function I0; the greater `beta`, the narrower.   `-> (window_length)`
   * @param periodic whether the next window begins where this one ends; else it is symmetric. True without it.
   * @param beta 12 without it.
   * @example torch.kaiser_window(3, false, 0); // tensor([1., 1., 1.])
   */
  kaiser_window: Documented;
  /**
   * The `k`-th smallest element along `dim`, and where it stands.   `(*) -> (*) and (*)`
   * @param k from 1 on.
   * @throws {RuntimeError} "kthvalue(): selected number k out of range for dimension 0".
   * @example torch.kthvalue(torch.tensor([4, 1, 3]), 2).values; // tensor(3)
   */
  kthvalue: Documented;
  /**
   * Whether each element is minus infinity.   `(*) -> (*)`
   * @example torch.isneginf(torch.tensor([-Infinity, 1])); // tensor([ True, False])
   */
  isneginf: Documented;
  /**
   * Whether each element is infinity.   `(*) -> (*)`
   * @example torch.isposinf(torch.tensor([Infinity, 1])); // tensor([ True, False])
   */
  isposinf: Documented;
  /**
   * Whether each element is real: true of all that is not complex.   `(*) -> (*)`
   * @example torch.isreal(torch.tensor([1.5, 2])); // tensor([True, True])
   */
  isreal: Documented;
  /**
   * The Kullback-Leibler divergence of the log-probabilities `input` from `target`.   `(*), (*) -> ()`, or `(*)` unreduced
   * @param reduction 0 for none, 1 for the mean, 2 for the sum
   * @throws {RuntimeError} "kl_div: Integral inputs not supported."
   * @example torch.kl_div(torch.tensor([-0.5, -1.5]), torch.tensor([0.5, 0.25])); // tensor([-0.0966,  0.0284])
   */
  kl_div: Documented;
  /**
   * Kronecker's product: each element of `input` times all of `other`.   `(a, b), (c, d) -> (ac, bd)`
   * @example torch.kron(torch.tensor([1, 10]), torch.tensor([2, 3])); // tensor([ 2,  3, 20, 30])
   */
  kron: Documented;
  /**
   * The last dims, together, with their mean taken away and divided by their standard deviation, then `* weight + bias`.   `(*, normalized_shape) -> same`
   * @param normalized_shape the sizes of the last dims.
   * @param weight of that shape, or None: 1.
   * @param bias of that shape, or None: 0.
   * @param eps is added to the variance.
   * @example torch.layer_norm(torch.tensor([[1.5, 2.5], [10.5, 12.5]]), [2], null, null, 0.0); // tensor([[-1.,  1.], [-1.,  1.]])
   */
  layer_norm: Documented;
  /**
   * The least common multiple of integers.   `(*), (*) -> (*)`
   * @example torch.lcm(torch.tensor([4, 6]), torch.tensor([6, 10])); // tensor([12, 30])
   */
  lcm: Documented;
  /**
   * Where `input <= other`, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.le(torch.tensor([1, 2]), 1); // tensor([ True, False])
   */
  le: Documented;
  /**
   * A part of the way from one tensor to another: `input + weight * (end - input)`.   `(*), (*) -> (*)`
   * @param end dtype of `input`, floating.
   * @param weight 0 gives `input`, 1 gives `end`; a number or a tensor.
   * @example torch.lerp(torch.tensor([1.5, 2]), torch.tensor([3.5, 4]), 0.25); // tensor([2.0000, 2.5000])
   */
  lerp: Documented;
  /**
   * Another name of `torch.lt`.
   * @example torch.less(torch.tensor([1, 2]), 2); // tensor([ True, False])
   */
  less: Documented;
  /**
   * Another name of `torch.le`.
   * @example torch.less_equal(torch.tensor([1, 2]), 1); // tensor([ True, False])
   */
  less_equal: Documented;
  /**
   * `L` of a positive definite `A = L L^T`, with a positive diagonal; with `upper` its transpose.   `(*, n, n) -> (*, n, n)`
   * @throws {torch.linalg.LinAlgError} "linalg.cholesky: The factorization could not be completed because the input is not positive-definite (the leading minor of order 1 is not positive-definite)."
   * @example torch.linalg.cholesky(torch.tensor([[4]], { dtype: torch.float32 })); // tensor([[2.]])
   */
  linalg_cholesky: Documented;
  /**
   * As `linalg.cholesky`, without a check: `info` is 0 where it worked, else the order of the minor that is not positive.   `(*, n, n) -> (*, n, n), (*)`
   * @example torch.linalg.cholesky_ex(torch.tensor([[4]], { dtype: torch.float32 })).info; // tensor(0, dtype=torch.int32)
   */
  linalg_cholesky_ex: Documented;
  /**
   * How far from singular: `|A| |A^-1|`, by the norm `p`, the 2-norm by default.   `(*, m, n) -> (*)`
   * @example torch.linalg.cond(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor(2.)
   */
  linalg_cond: Documented;
  /**
   * The vectors that are normal to two others, along `dim`.   `(*), (*) -> (*)`
   * @example torch.linalg.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0])); // tensor([0, 0, 1])
   */
  linalg_cross: Documented;
  /**
   * The determinant of each matrix.   `(*, n, n) -> (*)`
   * @throws {RuntimeError} "linalg.det: A must be batches of square matrices, but they are 3 by 2 matrices".
   * @example torch.linalg.det(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor(8.)
   */
  linalg_det: Documented;
  /**
   * A view of the diagonals of matrices.   `(*, m, n) -> (*, k)`
   * @example torch.linalg.diagonal(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor([2., 4.])
   */
  linalg_diagonal: Documented;
  /**
   * Eigenvalues of symmetric matrices, in order, and eigenvectors as columns; only the half `UPLO` is read.   `(*, n, n) -> (*, n), (*, n, n)`
   * @throws {RuntimeError} "linalg.eigh: A must be batches of square matrices, but they are 3 by 2 matrices".
   * @example torch.linalg.eigh(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })).eigenvalues; // tensor([2., 4.])
   */
  linalg_eigh: Documented;
  /**
   * Eigenvalues of symmetric matrices, in order.   `(*, n, n) -> (*, n)`
   * @example torch.linalg.eigvalsh(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor([2., 4.])
   */
  linalg_eigvalsh: Documented;
  /**
   * The inverse of each matrix.   `(*, n, n) -> (*, n, n)`
   * @throws {torch.linalg.LinAlgError} "linalg.inv: The diagonal element 1 is zero, the inversion could not be completed because the input matrix is singular."
   * @example torch.linalg.inv(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor([[0.5000, 0.0000], [0.0000, 0.2500]])
   */
  linalg_inv: Documented;
  /**
   * As `linalg.inv`, without a check: `info` is 0 where it worked, else the number of the pivot that is zero.   `(*, n, n) -> (*, n, n), (*)`
   * @example torch.linalg.inv_ex(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })).info; // tensor(0, dtype=torch.int32)
   */
  linalg_inv_ex: Documented;
  /**
   * `P`, `L` and `U` of `A = P L U`: a permutation, a lower matrix with ones on its diagonal, an upper one.   `(*, m, n) -> (*, m, m), (*, m, k), (*, k, n)`
   * @example torch.linalg.lu(torch.tensor([[0, 1], [2, 0]], { dtype: torch.float32 })).U; // tensor([[2., 0.], [0., 1.]])
   */
  linalg_lu: Documented;
  /**
   * `L` and `U` in one matrix, and the row exchanges, from 1.   `(*, m, n) -> (*, m, n), (*, k)`
   * @example torch.linalg.lu_factor(torch.tensor([[0, 1], [2, 0]], { dtype: torch.float32 })).pivots; // tensor([2, 2], dtype=torch.int32)
   */
  linalg_lu_factor: Documented;
  /**
   * As `linalg.lu_factor`, without a check: `info` is the number of the first pivot that is zero, or 0.   `(*, m, n) -> (*, m, n), (*, k), (*)`
   * @example torch.linalg.lu_factor_ex(torch.tensor([[0]], { dtype: torch.float32 })).info; // tensor(1, dtype=torch.int32)
   */
  linalg_lu_factor_ex: Documented;
  /**
   * The solution of `A X = B`, or `X A = B`, of what `linalg.lu_factor` gave for `A`.   `(*, n, n), (*, n), (*, n, k) -> (*, n, k)`
   * @example torch.linalg.lu_solve(torch.tensor([[2]], { dtype: torch.float32 }), torch.tensor([1], { dtype: torch.int32 }), torch.tensor([[8]], { dtype: torch.float32 })); // tensor([[4.]])
   */
  linalg_lu_solve: Documented;
  /**
   * A norm of matrices: 'fro', 'nuc', 2 and -2 by singular values, 1 and -1 by columns, Infinity and -Infinity by rows.   `(*, m, n) -> (*)`
   * @throws {RuntimeError} "linalg.matrix_norm: Order 3 not supported."
   * @example torch.linalg.matrix_norm(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 }), 'nuc'); // tensor(6.)
   */
  linalg_matrix_norm: Documented;
  /**
   * The n-th power of square matrices; for a negative n, of their inverses.   `(*, n, n) -> (*, n, n)`
   * @example torch.linalg.matrix_power(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 }), 2); // tensor([[ 4.,  0.], [ 0., 16.]])
   */
  linalg_matrix_power: Documented;
  /**
   * How many singular values are greater than a tolerance.   `(*, m, n) -> (*)`
   * @example torch.linalg.matrix_rank(torch.tensor([[1, 0], [0, 0]], { dtype: torch.float32 })); // tensor(1)
   */
  linalg_matrix_rank: Documented;
  /**
   * The product of two or more matrices, in the order that costs least; the first and the last may be vectors.
   * @example torch.linalg.multi_dot([torch.tensor([[2]], { dtype: torch.float32 }), torch.tensor([[3]], { dtype: torch.float32 })]); // tensor([[6.]])
   */
  linalg_multi_dot: Documented;
  /**
   * A norm of a vector or of a matrix, as there is one dim or two.   `(*) -> (*)`
   * @example torch.linalg.norm(torch.tensor([3, 4], { dtype: torch.float32 })); // tensor(5.)
   */
  linalg_norm: Documented;
  /**
   * The pseudoinverse: of the inverse singular values those whose own is all but zero count as zero.   `(*, m, n) -> (*, n, m)`
   * @example torch.linalg.pinv(torch.tensor([[2]], { dtype: torch.float32 })); // tensor([[0.5000]])
   */
  linalg_pinv: Documented;
  /**
   * `Q`, with orthonormal columns, and `R`, an upper matrix, of `A = Q R`.   `(*, m, n) -> (*, m, k), (*, k, n)`
   * @throws {RuntimeError} "linalg.qr: The input tensor A must have at least 2 dimensions."
   * @example torch.linalg.qr(torch.tensor([[3], [4]], { dtype: torch.float32 })).R; // tensor([[-5.]])
   */
  linalg_qr: Documented;
  /**
   * The sign of each determinant and the logarithm of its size.   `(*, n, n) -> (*), (*)`
   * @example torch.linalg.slogdet(torch.tensor([[-1]], { dtype: torch.float32 })).sign; // tensor(-1.)
   */
  linalg_slogdet: Documented;
  /**
   * `X` of `A X = B`, or of `X A = B`; `B` may be a vector for each matrix.   `(*, n, n), (*, n, k) -> (*, n, k)`
   * @throws {torch.linalg.LinAlgError} "torch.linalg.solve: The solver failed because the input matrix is singular."
   * @example torch.linalg.solve(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 }), torch.tensor([4, 2], { dtype: torch.float32 })); // tensor([2.0000, 0.5000])
   */
  linalg_solve: Documented;
  /**
   * As `linalg.solve`, without a check: `info` is the number of the first pivot that is zero, or 0.   `(*, n, n), (*, n, k) -> (*, n, k), (*)`
   * @example torch.linalg.solve_ex(torch.tensor([[0]], { dtype: torch.float32 }), torch.tensor([[1]], { dtype: torch.float32 })).info; // tensor(1, dtype=torch.int32)
   */
  linalg_solve_ex: Documented;
  /**
   * `X` of `A X = B`, or of `X A = B`, for a triangular `A`, of which only that half is read.   `(*, n, n), (*, n, k) -> (*, n, k)`
   * @example torch.linalg.solve_triangular(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 }), torch.tensor([[4], [2]], { dtype: torch.float32 }), { upper: true }); // tensor([[2.0000], [0.5000]])
   */
  linalg_solve_triangular: Documented;
  /**
   * `U`, `S` and `Vh` of `A = U diag(S) Vh`: orthonormal columns, values from the greatest on, orthonormal rows.   `(*, m, n) -> (*, m, m), (*, k), (*, n, n)`
   * @example torch.linalg.svd(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })).S; // tensor([4., 2.])
   */
  linalg_svd: Documented;
  /**
   * Singular values, from the greatest on.   `(*, m, n) -> (*, k)`
   * @example torch.linalg.svdvals(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor([4., 2.])
   */
  linalg_svdvals: Documented;
  /**
   * The powers 0, 1, ... N - 1 of each number, side by side.   `(*, n) -> (*, n, N)`
   * @example torch.linalg.vander(torch.tensor([1, 2, 3])); // tensor([[1, 1, 1], [1, 2, 4], [1, 3, 9]])
   */
  linalg_vander: Documented;
  /**
   * The product of vectors along `dim`.   `(*), (*) -> (*)`
   * @example torch.linalg.vecdot(torch.tensor([1, 2], { dtype: torch.float32 }), torch.tensor([3, 4], { dtype: torch.float32 })); // tensor(11.)
   */
  linalg_vecdot: Documented;
  /**
   * `steps` numbers from `start` to `end`, both included, evenly spaced.
   * @throws {RuntimeError} "number of steps must be non-negative"
   * @example torch.linspace(0, 1, 5); // tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
   */
  linspace: Documented;
  /**
   * The logarithm of the gamma function's magnitude.   `(*) -> (*)`
   * @example torch.lgamma(torch.tensor([0.5, 4])); // tensor([0.5724, 1.7918])
   */
  lgamma: Documented;
  /**
   * Natural logarithm of each element.   `(*) -> (*)`
   * @returns NaN for negative elements, -inf for 0.
   * @example torch.log(torch.tensor([1.0, 2.5])); // tensor([0.0000, 0.9163])
   */
  log: Documented;
  /**
   * Logarithm to base 10.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.log10(torch.tensor([1, 2, 10])); // tensor([0.0000, 0.3010, 1.0000])
   */
  log10: Documented;
  /**
   * `log(1 + x)`, with all its digits where `x` is close to 0.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.log1p(torch.tensor([0, 0.5, 1])); // tensor([0.0000, 0.4055, 0.6931])
   */
  log1p: Documented;
  /**
   * Logarithm to base 2.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.log2(torch.tensor([1, 2, 10])); // tensor([0.0000, 1.0000, 3.3219])
   */
  log2: Documented;
  /**
   * Logarithm of `softmax` along `dim`, computed in one so that nothing overflows.   `(*) -> (*)`
   * @example torch.log_softmax(torch.tensor([0.5, 0.5]), 0); // tensor([-0.6931, -0.6931])
   */
  log_softmax: Documented;
  /**
   * The logarithm of the sum of exponentials of all elements up to each, along `dim`.   `(*) -> (*)`
   * @example torch.logcumsumexp(torch.zeros(3), 0); // tensor([0.0000, 0.6931, 1.0986])
   */
  logcumsumexp: Documented;
  /**
   * `log(e^input + e^other)`, without an overflow on the way.   `(*), (*) -> (*)`
   * @example torch.logaddexp(torch.tensor([1000.5, 0]), torch.tensor([1000.5, 0])); // tensor([1.0012e+03, 6.9315e-01])
   */
  logaddexp: Documented;
  /**
   * `log2(2^input + 2^other)`, without an overflow on the way.   `(*), (*) -> (*)`
   * @example torch.logaddexp2(torch.tensor([1000.5, 0]), torch.tensor([1000.5, 0])); // tensor([1.0015e+03, 1.0000e+00])
   */
  logaddexp2: Documented;
  /**
   * The logarithm of each determinant; NaN where it is negative.   `(*, n, n) -> (*)`
   * @example torch.logdet(torch.tensor([[1]], { dtype: torch.float32 })); // tensor(0.)
   */
  logdet: Documented;
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
   * `base` to the power of `steps` numbers from `start` to `end`, both included, evenly spaced.
   * @example torch.logspace(0, 2, 3); // tensor([  1.,  10., 100.])
   */
  logspace: Documented;
  /**
   * `log(sum(exp(input)))` along `dim`, without overflow.   `(*) -> (*)`
   * @example torch.logsumexp(torch.tensor([1000.5, 1000.5]), 0); // tensor(1001.1932)
   */
  logsumexp: Documented;
  /**
   * A stack of long short-term memory layers.   `(T, N, I), [(layers, N, H), (layers, N, H)] -> (T, N, H), (layers, N, H), (layers, N, H)`
   * @param hx hidden and cell state of all layers and directions.
   * @param params of each layer and direction `weight_ih, weight_hh, bias_ih, bias_hh`, one list; gates in the order input, forget, cell, output.
   * @see nn.LSTM
   * @example torch.lstm(torch.zeros(1, 1, 1), [torch.zeros(1, 1, 1), torch.ones(1, 1, 1)], [torch.zeros(4, 1), torch.zeros(4, 1)], false, 1, 0.0, false, false, false)[2]; // tensor([[[0.5000]]])
   */
  lstm: Documented;
  /**
   * One step of a long short-term memory: the next hidden state and the next cell state.   `(N, I), [(N, H), (N, H)] -> (N, H), (N, H)`
   * @example torch.lstm_cell(torch.zeros(1, 1), [torch.zeros(1, 1), torch.ones(1, 1)], torch.zeros(4, 1), torch.zeros(4, 1))[1]; // tensor([[0.5000]])
   */
  lstm_cell: Documented;
  /**
   * `log(x / (1 - x))`, which sigmoid undoes; NaN outside of [0, 1].   `(*) -> (*)`
   * @param eps elements are clamped to [eps, 1 - eps] first.
   * @example torch.logit(torch.tensor([0.25, 0.5])); // tensor([-1.0986,  0.0000])
   */
  logit: Documented;
  /**
   * Where `input < other`, broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.lt(torch.tensor([1, 2]), 2); // tensor([ True, False])
   */
  lt: Documented;
  /**
   * An older form of `torch.linalg.lu_solve`.   `(*, n, k), (*, n, n), (*, n) -> (*, n, k)`
   * @example torch.lu_solve(torch.tensor([[8]], { dtype: torch.float32 }), torch.tensor([[2]], { dtype: torch.float32 }), torch.tensor([1], { dtype: torch.int32 })); // tensor([[4.]])
   */
  lu_solve: Documented;
  /**
   * The three matrices of what `torch.linalg.lu_factor` gave.   `(*, m, n), (*, k) -> (*, m, m), (*, m, k), (*, k, n)`
   * @example torch.lu_unpack(torch.tensor([[2]], { dtype: torch.float32 }), torch.tensor([1], { dtype: torch.int32 })).L; // tensor([[1.]])
   */
  lu_unpack: Documented;
  /**
   * What `target * (input1 - input2)` falls short of `margin` by.   `(*), (*), (*) -> ()`, or `(*)` unreduced
   * @param reduction 0 for none, 1 for the mean, 2 for the sum
   * @example torch.margin_ranking_loss(torch.tensor([0.5]), torch.tensor([2.5]), torch.tensor([1])); // tensor([2.])
   */
  margin_ranking_loss: Documented;
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
   * `I + A + A^2 / 2 + A^3 / 6 + ...` of each matrix.   `(*, n, n) -> (*, n, n)`
   * @example torch.matrix_exp(torch.zeros(2, 2)); // tensor([[1., 0.], [0., 1.]])
   */
  matrix_exp: Documented;
  /**
   * Another name of `torch.linalg.matrix_power`.   `(*, n, n) -> (*, n, n)`
   * @example torch.matrix_power(torch.tensor([[2]], { dtype: torch.float32 }), 3); // tensor([[8.]])
   */
  matrix_power: Documented;
  /**
   * Largest element; with `dim`, values and their indices along it; with a tensor, elementwise as `maximum`.
   * @example torch.max(torch.tensor([1, 3, 2])); // tensor(3)
   */
  max: Documented;
  /**
   * The greatest element of each window along the last dim.   `(N, C, L) -> (N, C, L')`
   * @param stride from one window to the next; `kernel_size` if it is left out.
   * @example torch.max_pool1d(torch.tensor([[1.5, 2, 3, 5]]), 2); // tensor([[2., 5.]])
   */
  max_pool1d: Documented;
  /**
   * `max_pool1d`, and where the greatest elements stand.   `(N, C, L) -> (N, C, L'), (N, C, L')`
   * @example torch.max_pool1d_with_indices(torch.tensor([[1.5, 2, 3, 5]]), 2)[1]; // tensor([[1, 3]])
   */
  max_pool1d_with_indices: Documented;
  /**
   * The greatest element of each window over an image.   `(N, C, H, W) -> (N, C, H', W')`
   * @param stride from one window to the next; `kernel_size` if it is left out.
   * @param padding places beyond the edge that count as less than anything; at most half of the window.
   * @example torch.max_pool2d(torch.tensor([[[1.5, 2], [3, 5]]]), 2); // tensor([[[5.]]])
   */
  max_pool2d: Documented;
  /**
   * The greatest element of each window through a volume.   `(N, C, D, H, W) -> (N, C, D', H', W')`
   * @param stride from one window to the next; `kernel_size` if it is left out.
   * @example torch.max_pool3d(torch.arange(8).reshape(1, 2, 2, 2), 2); // tensor([[[[7]]]])
   */
  max_pool3d: Documented;
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
   * For each vector the grid of its coordinates, all of one shape; views.
   * @param kwargs `indexing`: "ij", the first vector along the rows, or "xy", along the columns.
   * @example torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), { indexing: "ij" })[0]; // tensor([[1, 1], [2, 2]])
   */
  meshgrid: Documented;
  /**
   * The element in the middle, of the tensor or along `dim`: of two the smaller one. NaN if there is one.   `(*) -> ()`
   * @returns with `dim` a pair named `values`, `indices`.
   * @example torch.median(torch.tensor([4, 1, 3, 2])); // tensor(2)
   */
  median: Documented;
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
   * The convolution that float32 on the CPU takes; in PyTorch oneDNN, here our own loops.   `(N, C, *), (K, C / groups, *) -> (N, K, *)`
   * @param padding before `stride`, other than in `conv2d`.
   * @example torch.mkldnn_convolution(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), null, [0, 0], [1, 1], [1, 1], 1); // tensor([[[[4.]]]])
   */
  mkldnn_convolution: Documented;
  /**
   * An LSTM's layer in one direction, of float32, and a workspace for its gradient.   `(T, N, I), (N, H), (N, H) -> (T, N, H), (N, H), (N, H), bytes`
   * @example torch.mkldnn_rnn_layer(torch.zeros(1, 1, 1), torch.zeros(4, 1), torch.zeros(4, 1), torch.zeros(4), torch.zeros(4), torch.zeros(1, 1), torch.ones(1, 1), false, [], 2, 1, 1, true, false, false, false)[2]; // tensor([[0.5000]])
   */
  mkldnn_rnn_layer: Documented;
  /**
   * Product of two matrices.   `(n, k), (k, m) -> (n, m)`
   * @throws {RuntimeError} "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
   * @example torch.mm(torch.ones(2, 3), torch.ones(3, 1)); // tensor([[3.], [3.]])
   */
  mm: Documented;
  /**
   * Another name of `torch.movedim`.
   * @example torch.moveaxis(torch.ones(1, 2, 3), 0, 2).shape; // [2, 3, 1]
   */
  moveaxis: Documented;
  /**
   * A view with dimensions at other places; those that are not named keep their order.
   * @example torch.movedim(torch.ones(1, 2, 3), 0, 2).shape; // [2, 3, 1]
   */
  movedim: Documented;
  /**
   * The most frequent element along `dim`, of several the smallest, and where one of them stands.   `(*) -> (*) and (*)`
   * @example torch.mode(torch.tensor([2, 1, 2, 3])).values; // tensor(2)
   */
  mode: Documented;
  /**
   * The elements in order along the first dim.   `(*) -> (*)`
   * @example torch.msort(torch.tensor([3, 1, 2])); // tensor([1, 2, 3])
   */
  msort: Documented;
  /**
   * `input * other`, broadcast.   `(*), (*) -> (*)`
   * @param other a tensor or a number.
   * @example torch.mul(torch.tensor([1.5, 2]), 2); // tensor([3., 4.])
   */
  mul: Documented;
  /**
   * Numbers of categories, drawn with the weights that `input` holds.   `(C) -> (num_samples)`, `(N, C) -> (N, num_samples)`
   * @param replacement whether a category may come more than once.
   * @throws {RuntimeError} "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
   * @example torch.multinomial(torch.tensor([0, 1.5, 0]), 4, true); // tensor([1, 1, 1, 1])
   */
  multinomial: Documented;
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
   * The logarithm of the gamma function of `p` dimensions.   `(*) -> (*)`
   * @example torch.mvlgamma(torch.tensor([2.5, 4]), 2); // tensor([0.8570, 3.5651])
   */
  mvlgamma: Documented;
  /**
   * The mean of the elements that are not NaN, of the tensor or along `dim`.   `(*) -> ()`
   * @throws {RuntimeError} "nanmean(): expected input to have floating point or complex dtype but got Long" of integers.
   * @example torch.nanmean(torch.tensor([1, NaN, 2])); // tensor(1.5000)
   */
  nanmean: Documented;
  /**
   * The element in the middle of those that are not NaN, of the tensor or along `dim`.   `(*) -> ()`
   * @returns with `dim` a pair named `values`, `indices`.
   * @example torch.nanmedian(torch.tensor([NaN, 1, 3])); // tensor(1.)
   */
  nanmedian: Documented;
  /**
   * As `quantile`, of the elements that are not NaN.   `(*) -> () or (q, *)`
   * @example torch.nanquantile(torch.tensor([0.5, Number.NaN, 2]), 0.5); // tensor(1.2500)
   */
  nanquantile: Documented;
  /**
   * The sum of the elements that are not NaN, of the tensor or along `dim`.   `(*) -> ()`
   * @param dtype the elements are converted first; integers become int64 without it.
   * @example torch.nansum(torch.tensor([1, NaN, 2])); // tensor(3.)
   */
  nansum: Documented;
  /**
   * NaN and infinities replaced by numbers.   `(*) -> (*)`
   * @param nan 0 if left out.
   * @param posinf the dtype's largest finite number if left out; so `neginf` with the lowest.
   * @example torch.nan_to_num(torch.tensor([NaN, Infinity, 1.5]), 0, 7); // tensor([0.0000, 7.0000, 1.5000])
   */
  nan_to_num: Documented;
  /**
   * A view of `length` elements along `dim`, from `start` on.
   * @throws {RuntimeError} "start (1) + length (3) exceeds dimension size (2)."
   * @example torch.narrow(torch.arange(5), 0, 1, 3); // tensor([1, 2, 3])
   */
  narrow: Documented;
  /**
   * A copy of `length` entries of `dim`, from `start` on.
   * @example torch.narrow_copy(torch.arange(5), 0, 1, 3); // tensor([1, 2, 3])
   */
  narrow_copy: Documented;
  /**
   * What `batch_norm` calls: the result, and mean and `1 / sqrt(var + eps)` of each channel, which backward needs.
   * @returns `(N, C, *), (C), (C)`; without `training` the last two have no elements.
   * @example torch.native_batch_norm(torch.tensor([[1.5], [2.5]]), null, null, null, null, true, 0.1, 0.0)[1]; // tensor([2.])
   */
  native_batch_norm: Documented;
  /**
   * `channel_shuffle`, as the backend has it; not differentiable there.   `(N, C, *) -> (N, C, *)`
   * @example torch.native_channel_shuffle(torch.arange(4).reshape(1, 4, 1), 2); // tensor([[[0], [2], [1], [3]]])
   */
  native_channel_shuffle: Documented;
  /**
   * Dropout, and the mask that says which elements were kept.   `(*) -> (*), (*)`
   * @example torch.native_dropout(torch.ones(2), 0.5, false)[1]; // tensor([True, True])
   */
  native_dropout: Documented;
  /**
   * What `group_norm` calls: the result, and mean and `1 / sqrt(var + eps)` of each group, which backward needs.   `(N, C, *) -> (N, C, *), (N, group), (N, group)`
   * @example torch.native_group_norm(torch.tensor([[1.5, 2.5, 10.5, 12.5]]), null, null, 1, 4, 1, 2, 0.0)[1]; // tensor([[ 2.0000, 11.5000]])
   */
  native_group_norm: Documented;
  /**
   * What `layer_norm` calls: the result, and mean and `1 / sqrt(var + eps)` of each row, which backward needs.
   * @example torch.native_layer_norm(torch.tensor([[1.5, 2.5], [10.5, 12.5]]), [2], null, null, 0.0)[1]; // tensor([[ 2.0000], [11.5000]])
   */
  native_layer_norm: Documented;
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
   * The first `size` rows of `nonzero`; what is missing is filled with `fill_value`.   `(*) -> (size, dims)`
   * @param fill_value -1 without it.
   * @throws {RuntimeError} "nonzero_static: 'size' must be an non-negative integer".
   * @example torch.nonzero_static(torch.tensor([1, 0, 2]), { size: 3 }); // tensor([[ 0], [ 2], [-1]])
   */
  nonzero_static: Documented;
  /**
   * The `p`-norm of all elements or along `dim`: `sum(abs(x) ** p) ** (1 / p)`; the greatest for Infinity, how many are not zero for 0.   `(*) -> ()`
   * @param p a number or `"fro"`, the 2-norm.
   * @throws {RuntimeError} "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long" of integers.
   * @example torch.norm(torch.tensor([1.5, 2])); // tensor(2.5000)
   */
  norm: Documented;
  /**
   * The `pow`-norm of each slice along `dim`, the other dims kept with size 1; with `dim` -1 the norm of all elements.
   * @example torch.norm_except_dim(torch.tensor([[3, 4.5], [0, 2]]), 2, 0); // tensor([[5.4083], [2.0000]])
   */
  norm_except_dim: Documented;
  /**
   * Normally distributed numbers around `mean`, with standard deviation `std`; one of them may be a tensor, or both.
   * @param size of the result, where both are numbers.
   * @example torch.normal(torch.tensor([1.5, 2]), 0.0); // tensor([1.5000, 2.0000])
   */
  normal: Documented;
  /**
   * Another name of `torch.ne`.
   * @example torch.not_equal(torch.tensor([1, 2]), 2); // tensor([ True, False])
   */
  not_equal: Documented;
  /**
   * The sum of the singular values; an older form of `torch.linalg.matrix_norm`.   `(*, m, n) -> (*)`
   * @example torch.nuclear_norm(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor(6.)
   */
  nuclear_norm: Documented;
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
   * Another name of `torch.linalg.householder_product`.   `(*, m, n), (*, k) -> (*, m, n)`
   * @example torch.orgqr(torch.tensor([[1.5]]), torch.tensor([2], { dtype: torch.float32 })); // tensor([[-1.]])
   */
  orgqr: Documented;
  /**
   * The product of the orthogonal matrix that `geqrf` describes, or of its transpose, with `other`, from the left or from the right.   `(*, m, n), (*, k), (*, m, p) -> (*, m, p)`
   * @example torch.ormqr(torch.tensor([[1.5]]), torch.tensor([2], { dtype: torch.float32 }), torch.tensor([[3.5]])); // tensor([[-3.5000]])
   */
  ormqr: Documented;
  /**
   * Every product of an element of one vector with one of the other.   `(n), (m) -> (n, m)`
   * @example torch.outer(torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([[3, 4], [6, 8]])
   */
  outer: Documented;
  /**
   * The `p`-norm of `x1 - x2 + eps` along the last dim.   `(N, D), (N, D) -> (N)`
   * @example torch.pairwise_distance(torch.tensor([[3.5, 0]]), torch.tensor([[0.5, 4]])); // tensor([5.])
   */
  pairwise_distance: Documented;
  /**
   * The distances between all pairs of rows, by the p-norm: row 0 to each behind it, row 1 to each behind it, and so on.   `(N, M) -> (N (N - 1) / 2)`
   * @example torch.pdist(torch.tensor([[0, 0], [3, 4]], { dtype: torch.float32 })); // tensor([5.])
   */
  pdist: Documented;
  /**
   * A view with dimensions in another order.
   * @param dims each dimension once.
   * @throws {RuntimeError} "permute(): duplicate dims are not allowed."
   * @example torch.permute(torch.ones(2, 3), [1, 0]).shape; // [3, 2]
   */
  permute: Documented;
  /**
   * A copy of `input` with its dims in another order.
   * @example torch.permute_copy(torch.tensor([[1, 2], [3, 4]]), [1, 0]); // tensor([[1, 3], [2, 4]])
   */
  permute_copy: Documented;
  /**
   * An older form of `torch.linalg.pinv`.   `(*, m, n) -> (*, n, m)`
   * @example torch.pinverse(torch.tensor([[2]], { dtype: torch.float32 })); // tensor([[0.5000]])
   */
  pinverse: Documented;
  /**
   * Every `upscale_factor ** 2` channels laid out as squares of pixels.   `(*, C * r * r, H, W) -> (*, C, H * r, W * r)`
   * @throws {RuntimeError} "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=3 is not divisible by 4".
   * @example torch.pixel_shuffle(torch.arange(4).reshape(4, 1, 1), 2); // tensor([[[0, 1], [2, 3]]])
   */
  pixel_shuffle: Documented;
  /**
   * Squares of pixels made channels: `pixel_shuffle` undone.   `(*, C, H * r, W * r) -> (*, C * r * r, H, W)`
   * @example torch.pixel_unshuffle(torch.tensor([[[0, 1], [2, 3]]]), 2); // tensor([[[0]], [[1]], [[2]], [[3]]])
   */
  pixel_unshuffle: Documented;
  /**
   * How many events happen where `input` are expected, by chance.   `(*) -> (*)`
   * @throws {RuntimeError} "invalid Poisson rate, expected rate to be non-negative".
   * @example torch.poisson(torch.tensor([0, 1000.5])).gt(500); // tensor([False,  True])
   */
  poisson: Documented;
  /**
   * Negative log likelihood of the counts `target` under Poisson distributions of rate `exp(input)`, or `input`.   `(*), (*) -> ()`, or `(*)` unreduced
   * @param full adds Stirling's approximation of `log(target!)`
   * @param reduction 0 for none, 1 for the mean, 2 for the sum
   * @example torch.poisson_nll_loss(torch.tensor([0.5]), torch.tensor([2.5]), true, false, 1e-8, 1); // tensor(0.3987)
   */
  poisson_nll_loss: Documented;
  /**
   * The `n`-th derivative of `digamma`.   `(*) -> (*)`
   * @param n 0 for digamma itself.
   * @example torch.polygamma(1, torch.tensor([1, 0.5])); // tensor([1.6449, 4.9348])
   */
  polygamma: Documented;
  /**
   * `input` itself, as Python's `+x`.
   * @example torch.positive(torch.tensor([1.5, -2])); // tensor([ 1.5000, -2.0000])
   */
  positive: Documented;
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
   * The product of all elements, or along `dim`.   `(*) -> ()`
   * @param dtype the elements are converted first; integers become int64 without it.
   * @example torch.prod(torch.tensor([2, 3, 4])); // tensor(24)
   */
  prod: Documented;
  /**
   * The dtype that holds the values of both dtypes: `torch.int8` and `torch.uint8` give `torch.int16`.
   * @returns a dtype.
   * @example torch.promote_types(torch.int32, torch.float32); // torch.float32
   */
  promote_types: Documented;
  /**
   * `input`, seen as one row of elements, with those that `index` names replaced by those of `source`.
   * @param accumulate add to what is there.
   * @example torch.put(torch.zeros(2, 2), torch.tensor([3, 0]), torch.tensor([1.5, 2])); // tensor([[2.0000, 0.0000], [0.0000, 1.5000]])
   */
  put: Documented;
  /**
   * An older form of `torch.linalg.qr`.   `(*, m, n) -> (*, m, k), (*, k, n)`
   * @example torch.qr(torch.tensor([[2]], { dtype: torch.float32 })).R; // tensor([[2.]])
   */
  qr: Documented;
  /**
   * The value below which a share `q` of the elements lies, or of each line along `dim`; between two of them by `interpolation`.   `(*) -> () or (q, *)`
   * @throws {RuntimeError} "quantile() q must be in the range [0, 1] but got 1.5".
   * @example torch.quantile(torch.tensor([0.5, 1, 2]), 0.75); // tensor(1.5000)
   */
  quantile: Documented;
  /**
   * Radians as degrees.   `(*) -> (*)`
   * @example torch.rad2deg(torch.tensor([1.5, 3])); // tensor([ 85.9437, 171.8873])
   */
  rad2deg: Documented;
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
   * Random integers from `low` (0) to below `high`, in the shape of `input`.
   * @example torch.randint_like(torch.ones(2, 3), 10).shape; // [2, 3]
   */
  randint_like: Documented;
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
   * All elements in one row; a copy only where they do not lie so.
   * @example torch.ravel(torch.tensor([[1, 2], [3, 4]])); // tensor([1, 2, 3, 4])
   */
  ravel: Documented;
  /**
   * The real parts: of real numbers these are themselves, no copy.   `(*) -> (*)`
   * @example torch.real(torch.tensor([1.5])); // tensor([1.5000])
   */
  real: Documented;
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
   * The remainder of a division rounded down: it has the sign of `other`, as Python's `%`.   `(*), (*) -> (*)`
   * @example torch.remainder(torch.tensor([-3.5, 3.5]), 2); // tensor([0.5000, 1.5000])
   */
  remainder: Documented;
  /**
   * Each element, or each slice along `dim`, several times in a row; of `repeats` alone, the number of each entry as often as it says.
   * @param repeats a number, or a tensor with one per slice.
   * @example torch.repeat_interleave(torch.tensor([1, 2]), torch.tensor([3, 1])); // tensor([1, 1, 1, 2])
   */
  repeat_interleave: Documented;
  /**
   * Gives `input`, which must not require grad, the size of `the_template`, in place.
   * @example torch.resize_as_(torch.ones(4), torch.zeros(2, 2)); // tensor([[1., 1.], [1., 1.]])
   */
  resize_as_: Documented;
  /**
   * Slices along `dim` whose `p`-norm is greater than `maxnorm` are scaled down to it.   `(*) -> (*)`
   * @throws {RuntimeError} "renorm: input needs at least 2 dimensions, got 1 dimensions".
   * @example torch.renorm(torch.tensor([[1.5, 2], [0.3, 0.4]]), 2, 0, 1); // tensor([[0.6000, 0.8000], [0.3000, 0.4000]])
   */
  renorm: Documented;
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
   * The last dims, together, divided by their root mean square, then `* weight`.   `(*, normalized_shape) -> same`
   * @param normalized_shape the sizes of the last dims.
   * @param weight of that shape, or None: 1.
   * @param eps is added to the mean of the squares; None: the distance from 1 to the next number.
   * @example torch.rms_norm(torch.tensor([[3.5, -3.5]]), [2]); // tensor([[ 1., -1.]])
   */
  rms_norm: Documented;
  /**
   * `x` where it is positive, else `x` times a slope between `lower` and `upper`: drawn for each element when `training`, else their middle.   `(*) -> (*)`
   * @throws {RuntimeError} "Lower bound should be less than or equal to the upper bound"
   * @example torch.rrelu(torch.tensor([-2.5, 2]), 0.25, 0.75); // tensor([-1.2500,  2.0000])
   */
  rrelu: Documented;
  /**
   * A stack of recurrent layers, `relu(w_ih x + b_ih + w_hh h + b_hh)`.   `(T, N, I), (layers, N, H) -> (T, N, H), (layers, N, H)`
   * @see nn.RNN
   * @example torch.rnn_relu(torch.ones(2, 1, 1), torch.zeros(1, 1, 1), [torch.ones(1, 1), torch.ones(1, 1)], false, 1, 0.0, false, false, false)[1]; // tensor([[[2.]]])
   */
  rnn_relu: Documented;
  /**
   * One step `relu(w_ih x + b_ih + w_hh h + b_hh)`.   `(N, I), (N, H) -> (N, H)`
   * @example torch.rnn_relu_cell(torch.ones(1, 1), torch.ones(1, 1), torch.ones(1, 1), torch.ones(1, 1)); // tensor([[2.]])
   */
  rnn_relu_cell: Documented;
  /**
   * A stack of recurrent layers, `tanh(w_ih x + b_ih + w_hh h + b_hh)`.   `(T, N, I), (layers, N, H) -> (T, N, H), (layers, N, H)`
   * @see nn.RNN
   * @example torch.rnn_tanh(torch.ones(1, 1, 1), torch.zeros(1, 1, 1), [torch.ones(1, 1), torch.ones(1, 1)], false, 1, 0.0, false, false, false)[1]; // tensor([[[0.7616]]])
   */
  rnn_tanh: Documented;
  /**
   * One step `tanh(w_ih x + b_ih + w_hh h + b_hh)`.   `(N, I), (N, H) -> (N, H)`
   * @example torch.rnn_tanh_cell(torch.ones(1, 1), torch.zeros(1, 1), torch.ones(1, 1), torch.ones(1, 1)); // tensor([[0.7616]])
   */
  rnn_tanh_cell: Documented;
  /**
   * Elements shifted along `dims`; what leaves at the end comes in at the beginning. Without `dims`, all elements in a row.
   * @example torch.roll(torch.tensor([1, 2, 3]), 1); // tensor([3, 1, 2])
   */
  roll: Documented;
  /**
   * A copy turned by `k` right angles, from the first of `dims` towards the second.
   * @example torch.rot90(torch.tensor([[1, 2], [3, 4]])); // tensor([[2, 4], [1, 3]])
   */
  rot90: Documented;
  /**
   * To the nearest integer; of two equally near ones to the even one.   `(*) -> (*)`
   * @param decimals how many digits stay behind the point; negative ones round to tens, hundreds, ...
   * @example torch.round(torch.tensor([0.5, 1.5, -2.7])); // tensor([ 0.,  2., -3.])
   */
  round: Documented;
  /**
   * Another name of `torch.vstack`.
   * @example torch.row_stack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[1, 2], [3, 4]])
   */
  row_stack: Documented;
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
   * `input` with elements of `src` combined into the places that `index` names along `dim`.
   * @param reduce "sum", "prod", "mean", "amax" or "amin".
   * @param include_self whether what is in `input` counts, too.
   * @example torch.scatter_reduce(torch.zeros(2), 0, torch.tensor([0, 0, 1]), torch.tensor([1.5, 2, 3]), "amax"); // tensor([2., 3.])
   */
  scatter_reduce: Documented;
  /**
   * Where each of `input` belongs in `sorted_sequence`, so that it stays sorted.   `(*, n), (*, m) -> (*, m)`
   * @param right true: behind those that are equal.
   * @throws {RuntimeError} "torch.searchsorted(): side can only be 'left' or 'right' but got middle".
   * @example torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 4])); // tensor([1, 2])
   */
  searchsorted: Documented;
  /**
   * A view of the slice at `index` along `dim`, which disappears.
   * @throws {IndexError} "select(): index 5 out of range for tensor of size [2] at dimension 0"
   * @example torch.select(torch.tensor([[1, 2], [3, 4]]), 0, 1); // tensor([3, 4])
   */
  select: Documented;
  /**
   * A copy of one entry of `dim`.
   * @example torch.select_copy(torch.tensor([[1, 2], [3, 4]]), 0, 1); // tensor([3, 4])
   */
  select_copy: Documented;
  /**
   * `input` with `src` written over slice `index` of `dim`; strides as before.
   * @example torch.select_scatter(torch.zeros(2, 2), torch.tensor([1.5, 2]), 0, 1); // tensor([[0.0000, 0.0000], [1.5000, 2.0000]])
   */
  select_scatter: Documented;
  /**
   * `scale * (max(0, x) + min(0, alpha * (exp(x) - 1)))` with the two constants that keep mean and variance from layer to layer.   `(*) -> (*)`
   * @example torch.selu(torch.tensor([-1.5, 2])); // tensor([-1.3658,  2.1014])
   */
  selu: Documented;
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
   * -1, 0 or 1 as each element is below, at or above 0.   `(*) -> (*)`
   * @returns the input's dtype; 0 for NaN.
   * @example torch.sign(torch.tensor([-2.5, 0, 3])); // tensor([-1.,  0.,  1.])
   */
  sign: Documented;
  /**
   * Whether each element has its sign bit set: negative numbers, and -0.   `(*) -> (*)`
   * @example torch.signbit(torch.tensor([-1.5, 0])); // tensor([ True, False])
   */
  signbit: Documented;
  /**
   * Sine of each element, in radians.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.sin(torch.tensor([0, 1])); // tensor([0.0000, 0.8415])
   */
  sin: Documented;
  /**
   * `sin(πx) / (πx)`; 1 at 0.   `(*) -> (*)`
   * @example torch.sinc(torch.tensor([0, 0.5])); // tensor([1.0000, 0.6366])
   */
  sinc: Documented;
  /**
   * Hyperbolic sine, `(e^x - e^-x) / 2`.   `(*) -> (*)`
   * @example torch.sinh(torch.tensor([-0.5, 1])); // tensor([-0.5211,  1.1752])
   */
  sinh: Documented;
  /**
   * A copy of the entries of `dim` from `start` to `end`, every `step`-th.
   * @example torch.slice_copy(torch.arange(5), 0, 1, 5, 2); // tensor([1, 3])
   */
  slice_copy: Documented;
  /**
   * `input` with `src` written over the slice from `start` to before `end`; strides as before.
   * @example torch.slice_scatter(torch.zeros(3), torch.tensor([1.5, 2]), 0, 1); // tensor([0.0000, 1.5000, 2.0000])
   */
  slice_scatter: Documented;
  /**
   * Another name of `torch.linalg.slogdet`.   `(*, n, n) -> (*), (*)`
   * @example torch.slogdet(torch.tensor([[-1]], { dtype: torch.float32 })).sign; // tensor(-1.)
   */
  slogdet: Documented;
  /**
   * Exponentials along `dim`, divided by their sum.   `(*) -> (*)`
   * @param dtype converted to before computing.
   * @example torch.softmax(torch.tensor([0.5, 0.5]), 0); // tensor([0.5000, 0.5000])
   */
  softmax: Documented;
  /**
   * The elements in order along `dim`, and where they stood. NaN is the greatest.   `(*) -> (*) and (*)`
   * @param stable true: of equal elements the one in front stays in front.
   * @returns a pair named `values`, `indices`.
   * @example torch.sort(torch.tensor([3, 1, 2])).values; // tensor([1, 2, 3])
   */
  sort: Documented;
  /**
   * Views that cut `dim` into parts of a size each, or of the sizes listed.
   * @throws {RuntimeError} "split_with_sizes expects split_sizes to sum exactly to 5 (input tensor's size at dimension 0), but got split_sizes=[1, 2]"
   * @example torch.split(torch.arange(5), 2); // [tensor([0, 1]), tensor([2, 3]), tensor([4])]
   */
  split: Documented;
  /**
   * Copies of the parts that `torch.split` shows.
   * @example torch.split_copy(torch.arange(3), 2)[1]; // tensor([2])
   */
  split_copy: Documented;
  /**
   * Views that cut `dim` into parts of the sizes listed.
   * @example torch.split_with_sizes(torch.arange(3), [1, 2]); // [tensor([0]), tensor([1, 2])]
   */
  split_with_sizes: Documented;
  /**
   * Copies of parts of the given sizes.
   * @example torch.split_with_sizes_copy(torch.arange(3), [1, 2])[1]; // tensor([1, 2])
   */
  split_with_sizes_copy: Documented;
  /**
   * Square root of each element.   `(*) -> (*)`
   * @returns NaN for negative elements; floating also for integers.
   * @example torch.sqrt(torch.tensor([4, 9])); // tensor([2., 3.])
   */
  sqrt: Documented;
  /**
   * Each element times itself.   `(*) -> (*)`
   * @example torch.square(torch.tensor([1.5, -2])); // tensor([2.2500, 4.0000])
   */
  square: Documented;
  /**
   * A view without dimensions of size 1: all of them, or those of `dim` that are.
   * @example torch.squeeze(torch.ones(1, 2, 1)).shape; // [2]
   */
  squeeze: Documented;
  /**
   * A copy of `input` without dims of size 1.
   * @example torch.squeeze_copy(torch.tensor([[1, 2]])); // tensor([1, 2])
   */
  squeeze_copy: Documented;
  /**
   * Tensors of one shape side by side along a new dimension.
   * @throws {RuntimeError} "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1"
   * @example torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[1, 2], [3, 4]])
   */
  stack: Documented;
  /**
   * The standard deviation, of all elements or along `dim`: the square root of `var`.   `(*) -> ()`
   * @param correction what is taken off the count of elements before the squared distances are divided by it; 1 without it.
   * @example torch.std(torch.tensor([0.5, 1.5, 2.5, 3.5])); // tensor(1.2910)
   */
  std: Documented;
  /**
   * The standard deviation and the mean, of all elements or along `dim`.   `(*) -> () and ()`
   * @param correction what is taken off the count of elements before the squared distances are divided by it; 1 without it.
   * @example torch.std_mean(torch.tensor([0.5, 1.5, 2.5, 3.5]))[1]; // tensor(2.)
   */
  std_mean: Documented;
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
   * An older form of `torch.linalg.svd`, which gives `V`, not its transpose.   `(*, m, n) -> (*, m, k), (*, k), (*, n, k)`
   * @example torch.svd(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })).S; // tensor([4., 2.])
   */
  svd: Documented;
  /**
   * Another name of `torch.transpose`.
   * @example torch.swapaxes(torch.ones(1, 2, 3), 0, 2).shape; // [3, 2, 1]
   */
  swapaxes: Documented;
  /**
   * Another name of `torch.transpose`.
   * @example torch.swapdims(torch.ones(1, 2, 3), 0, 2).shape; // [3, 2, 1]
   */
  swapdims: Documented;
  /**
   * A view of a matrix with rows and columns swapped; a vector itself.
   * @throws {RuntimeError} "t() expects a tensor with <= 2 dimensions, but self is 3D"
   * @example torch.t(torch.ones(2, 3)).shape; // [3, 2]
   */
  t: Documented;
  /**
   * A copy of a matrix's transpose.
   * @example torch.t_copy(torch.tensor([[1, 2], [3, 4]])); // tensor([[1, 3], [2, 4]])
   */
  t_copy: Documented;
  /**
   * Elements of `input`, seen as one row, by number.   `(*), (index) -> (index)`
   * @throws {IndexError} "out of range: tried to access index 4 on a tensor of 4 elements."
   * @example torch.take(torch.tensor([[1, 2], [3, 4]]), torch.tensor([3, -4])); // tensor([4, 1])
   */
  take: Documented;
  /**
   * Along `dim`, the elements that `indices` name, broadcast in the other dimensions; without `dim`, of all elements in a row.
   * @param indices int64; for instance what `argmax` or `argsort` gave.
   * @example torch.take_along_dim(torch.tensor([[1, 3], [4, 2]]), torch.tensor([[1], [0]]), 1); // tensor([[3], [4]])
   */
  take_along_dim: Documented;
  /**
   * Tangent of each element, in radians.   `(*) -> (*)`
   * @example torch.tan(torch.tensor([0, 1])); // tensor([0.0000, 1.5574])
   */
  tan: Documented;
  /**
   * Hyperbolic tangent of each element.   `(*) -> (*)`
   * @returns floating also for integers.
   * @example torch.tanh(torch.tensor([0, 1])); // tensor([0.0000, 0.7616])
   */
  tanh: Documented;
  /**
   * Sums of products along several dims of both: lists of them, or how many.
   * @example torch.tensordot(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10]), 1); // tensor([21, 43])
   */
  tensordot: Documented;
  /**
   * Views of parts along `dim`, the first of them longer by one where it does not come out even.
   * @param indices_or_sections how many parts, or the places where to cut.
   * @example torch.tensor_split(torch.tensor([1, 2, 3]), 2)[0]; // tensor([1, 2])
   */
  tensor_split: Documented;
  /**
   * Elements not above `threshold` become `value`.   `(*) -> (*)`
   * @example torch.threshold(torch.tensor([0.5, 2.5]), 1, 7); // tensor([7.0000, 2.5000])
   */
  threshold: Documented;
  /**
   * `input` repeated along its dimensions, from the last.
   * @example torch.tile(torch.tensor([1, 2]), [2, 2]); // tensor([[1, 2, 1, 2], [1, 2, 1, 2]])
   */
  tile: Documented;
  /**
   * The `k` greatest elements along `dim`, and where they stand; with `largest` false the least.   `(*) -> (*) and (*)`
   * @param sorted false: in no particular order.
   * @throws {RuntimeError} "selected index k out of range".
   * @example torch.topk(torch.tensor([3, 1, 2]), 2).values; // tensor([3, 2])
   */
  topk: Documented;
  /**
   * The sum of a matrix's diagonal.   `(n, m) -> ()`
   * @throws {RuntimeError} "trace: expected a matrix, but got tensor with dim 3".
   * @example torch.trace(torch.tensor([[1, 2], [3, 4]])); // tensor(5)
   */
  trace: Documented;
  /**
   * A view with two dimensions swapped.
   * @throws {IndexError} "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
   * @example torch.transpose(torch.ones(2, 3), 0, 1).shape; // [3, 2]
   */
  transpose: Documented;
  /**
   * A copy of `input` with two dims exchanged.
   * @example torch.transpose_copy(torch.tensor([[1, 2], [3, 4]]), 0, 1); // tensor([[1, 3], [2, 4]])
   */
  transpose_copy: Documented;
  /**
   * An older form of `torch.linalg.solve_triangular`; gives a copy of `A`, too.   `(*, n, k), (*, n, n) -> (*, n, k), (*, n, n)`
   * @example torch.triangular_solve(torch.tensor([[8]], { dtype: torch.float32 }), torch.tensor([[2]], { dtype: torch.float32 })).solution; // tensor([[4.]])
   */
  triangular_solve: Documented;
  /**
   * What `positive` fails to be nearer to `anchor` than `negative` by `margin` by.   `(N, D), (N, D), (N, D) -> ()`, or `(N)` unreduced
   * @param reduction 0 for none, 1 for the mean, 2 for the sum
   * @example torch.triplet_margin_loss(torch.tensor([[0.5]]), torch.tensor([[1.5]]), torch.tensor([[2.5]])); // tensor([0.])
   */
  triplet_margin_loss: Documented;
  /**
   * The matrix, or matrices, with zeros above a diagonal.
   * @param diagonal how far above the main one it lies.
   * @example torch.tril(torch.tensor([[1, 2], [3, 4]])); // tensor([[1, 0], [3, 4]])
   */
  tril: Documented;
  /**
   * Rows and columns of all elements up to a diagonal.   `-> (2, n)`
   * @example torch.tril_indices(2, 2); // tensor([[0, 1, 1], [0, 0, 1]])
   */
  tril_indices: Documented;
  /**
   * The matrix, or matrices, with zeros below a diagonal.
   * @param diagonal how far above the main one it lies.
   * @example torch.triu(torch.tensor([[1, 2], [3, 4]])); // tensor([[1, 2], [0, 4]])
   */
  triu: Documented;
  /**
   * Rows and columns of all elements from a diagonal on.   `-> (2, n)`
   * @example torch.triu_indices(2, 2); // tensor([[0, 0, 1], [0, 1, 1]])
   */
  triu_indices: Documented;
  /**
   * The integral along `dim`, by the trapezoid rule.   `(*, n, *) -> (*)`
   * @param x sample points; or `dx`, how far they stand apart.
   * @example torch.trapezoid(torch.tensor([1, 3, 5])); // tensor(6.)
   */
  trapezoid: Documented;
  /**
   * As `trapezoid`.   `(*, n, *) -> (*)`
   * @example torch.trapz(torch.tensor([1, 3, 5])); // tensor(6.)
   */
  trapz: Documented;
  /**
   * `torch.div` without rounding.   `(*), (*) -> (*)`
   * @example torch.true_divide(torch.tensor([3, 4]), 2); // tensor([1.5000, 2.0000])
   */
  true_divide: Documented;
  /**
   * Each element without its fraction: rounded towards 0.   `(*) -> (*)`
   * @example torch.trunc(torch.tensor([-2.5, 3.25])); // tensor([-2.,  3.])
   */
  trunc: Documented;
  /**
   * Views of the slices along `dim`, which disappears.
   * @example torch.unbind(torch.tensor([1, 2])); // [tensor(1), tensor(2)]
   */
  unbind: Documented;
  /**
   * Copies of all entries of `dim`.
   * @example torch.unbind_copy(torch.tensor([[1, 2], [3, 4]]))[1]; // tensor([3, 4])
   */
  unbind_copy: Documented;
  /**
   * A view with one dimension seen as several.
   * @param sizes one of them may be -1.
   * @example torch.unflatten(torch.ones(6), 0, [2, -1]).shape; // [2, 3]
   */
  unflatten: Documented;
  /**
   * A copy of all windows of `size` entries of `dimension`, `step` apart.
   * @example torch.unfold_copy(torch.arange(4), 0, 2, 1); // tensor([[0, 1], [1, 2], [2, 3]])
   */
  unfold_copy: Documented;
  /**
   * The elements, or slices along `dim`, without those that equal the one in front.   `(*) -> (k)`
   * @returns a tensor; with `return_inverse`, `return_counts` also to which of them each belongs, and how many each stands for.
   * @example torch.unique_consecutive(torch.tensor([1, 1, 2, 1])); // tensor([1, 2, 1])
   */
  unique_consecutive: Documented;
  /**
   * Slices along `dim`, each once, in order; which of them each slice is; how often each occurs.   `(*, n, *) -> (*, k, *), (n) and (k)`
   * @throws {RuntimeError} "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied".
   * @example torch._C._VariableFunctions.unique_dim(torch.tensor([[2], [1], [2]]), 0)[0]; // tensor([[1], [2]])
   */
  unique_dim: Documented;
  /**
   * As `chunk`, but each piece may be changed in place as if the others were not of the same memory.   `(*) -> pieces of (*)`
   * @example torch.unsafe_chunk(torch.arange(4), 2); // [tensor([0, 1]), tensor([2, 3])]
   */
  unsafe_chunk: Documented;
  /**
   * As `split`, but each piece may be changed in place as if the others were not of the same memory.   `(*) -> pieces of (*)`
   * @example torch.unsafe_split(torch.arange(3), 2); // [tensor([0, 1]), tensor([2])]
   */
  unsafe_split: Documented;
  /**
   * As `split_with_sizes`, but each piece may be changed in place as if the others were not of the same memory.   `(*) -> pieces of (*)`
   * @example torch.unsafe_split_with_sizes(torch.arange(3), [1, 2]); // [tensor([0]), tensor([1, 2])]
   */
  unsafe_split_with_sizes: Documented;
  /**
   * A view with a dimension of size 1 put in at `dim`.
   * @example torch.unsqueeze(torch.tensor([1, 2]), 0); // tensor([[1, 2]])
   */
  unsqueeze: Documented;
  /**
   * A copy of `input` with a dim of size 1 at `dim`.
   * @example torch.unsqueeze_copy(torch.tensor([1, 2]), 0); // tensor([[1, 2]])
   */
  unsqueeze_copy: Documented;
  /**
   * The powers of each element, a row each, from the highest down; `increasing` turns them round.   `(N) -> (N, N)`
   * @param N how many powers; as many as there are elements without it.
   * @throws {RuntimeError} "x must be a one-dimensional tensor."
   * @example torch.vander(torch.tensor([2, 3]), 3); // tensor([[4, 2, 1], [9, 3, 1]])
   */
  vander: Documented;
  /**
   * The variance, of all elements or along `dim`: the mean squared distance from the mean.   `(*) -> ()`
   * @param correction what is taken off the count of elements before the squared distances are divided by it; 1 without it.
   * @throws {RuntimeError} "std and var only support floating point and complex dtypes" of integers.
   * @example torch.var(torch.tensor([0.5, 1.5, 2.5, 3.5])); // tensor(1.6667)
   */
  var: Documented;
  /**
   * The variance and the mean, of all elements or along `dim`.   `(*) -> () and ()`
   * @param correction what is taken off the count of elements before the squared distances are divided by it; 1 without it.
   * @example torch.var_mean(torch.tensor([0.5, 1.5, 2.5, 3.5]), { correction: 0 })[0]; // tensor(1.2500)
   */
  var_mean: Documented;
  /**
   * `dot` with the first vector conjugated.   `(n), (n) -> ()`
   * @example torch.vdot(torch.tensor([2, 3]), torch.tensor([2, 1])); // tensor(7)
   */
  vdot: Documented;
  /**
   * A copy of `input` of another shape, or with its bytes read as another dtype.
   * @example torch.view_copy(torch.arange(4), [2, 2]); // tensor([[0, 1], [2, 3]])
   */
  view_copy: Documented;
  /**
   * Views of parts, cut between rows.
   * @param indices_or_sections how many parts, or the places where to cut.
   * @example torch.vsplit(torch.tensor([[1], [2], [3]]), [1])[0]; // tensor([[1]])
   */
  vsplit: Documented;
  /**
   * Tensors below one another; a vector is a row.
   * @example torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[1, 2], [3, 4]])
   */
  vstack: Documented;
  /**
   * Elements of `input` where `condition` holds, of `other` elsewhere; alone, the indices where it does.   `(*), (*), (*) -> (*)`
   * @param condition bool.
   * @example torch.where(torch.tensor([true, false]), torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([1, 4])
   */
  where: Documented;
  /**
   * `input * log(other)`; 0 where `input` is 0.   `(*), (*) -> (*)`
   * @example torch.xlogy(torch.tensor([0, 1.5]), torch.tensor([0.0, 2])); // tensor([0.0000, 1.0397])
   */
  xlogy: Documented;
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
