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
   * The angle between 0 and π whose cosine is the element; NaN for elements below -1 or above 1.   `(*) -> (*)`
   * @example torch.acos(torch.tensor([-0.5, 1])); // tensor([2.0944, 0.0000])
   */
  acos: Documented;
  /**
   * The non-negative number whose hyperbolic cosine is the element; NaN for elements below 1.   `(*) -> (*)`
   * @example torch.acosh(torch.tensor([1, 2.5])); // tensor([0.0000, 1.5668])
   */
  acosh: Documented;
  /**
   * Mean of each of `output_size` parts of the last dim.   `(N, C, L) -> (N, C, output_size)`
   * @example torch.adaptive_avg_pool1d(torch.tensor([[1.5, 2, 3, 5]]), 2); // tensor([[1.7500, 4.0000]])
   */
  adaptive_avg_pool1d: Documented;
  /**
   * Maximum of each of `output_size` parts of the last dim, and its index.   `(N, C, L) -> (N, C, output_size), (N, C, output_size)`
   * @example torch.adaptive_max_pool1d(torch.tensor([[1.5, 2, 3, 5]]), 2)[0]; // tensor([[2., 5.]])
   */
  adaptive_max_pool1d: Documented;
  /**
   * `input + alpha * other`, broadcast.   `(*), (*) -> (*)`
   * @param other a tensor or a number; a number changes the dtype only if it is of a higher kind (int, float, complex).
   * @throws {RuntimeError} "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0" if the shapes do not broadcast.
   * @example torch.add(torch.tensor([1.5, 2]), 10, { alpha: 2 }); // tensor([21.5000, 22.0000])
   */
  add: Documented;
  /**
   * `beta * input + alpha * sum_i(batch1[i] @ batch2[i])`: the matrix products of two batches, summed over the batch.   `(N, P), (B, N, M), (B, M, P) -> (N, P)`
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
   * @param value a factor; it must be an integer if the tensors are integers.
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
   * `input` with its last two dims swapped and complex numbers conjugated; a view.   `(*, N, M) -> (*, M, N)`
   * @throws {RuntimeError} "tensor.adjoint() is only supported on matrices or batches of matrices. Got 1-D tensor."
   * @example torch.adjoint(torch.tensor([[1, 2]])); // tensor([[1], [2]])
   */
  adjoint: Documented;
  /**
   * The sampling grid of the affine maps `theta` for an output of size `size`; see `F.affine_grid`.   `(N, 2, 3) -> (N, H, W, 2)`
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
   * Whether all elements are nonzero, in the whole tensor or along `dim`.   `(*) -> ()`
   * @returns bool; uint8 if `input` is uint8.
   * @example torch.all(torch.tensor([true, false])); // tensor(False)
   */
  all: Documented;
  /**
   * Whether `|input - other| <= atol + rtol * |other|` holds for every element.
   * @returns a JavaScript boolean.
   * @param kwargs `rtol` 1e-5, `atol` 1e-8; if `equal_nan` is true, two NaNs are close.
   * @example torch.allclose(torch.tensor([1.5]), torch.tensor([1.5000001])); // True
   */
  allclose: Documented;
  /**
   * Dropout that keeps mean 0 and variance 1, the statistics that `selu` produces.   `(*) -> (*)`
   * @example torch.alpha_dropout(torch.ones(2), 0.5, false); // tensor([1., 1.])
   */
  alpha_dropout: Documented;
  /**
   * Largest element along one or several dimensions; tied elements share the gradient equally.
   * @param dim if it is empty, all dimensions.
   * @example torch.amax(torch.tensor([[1, 3], [4, 2]]), 1); // tensor([3, 4])
   */
  amax: Documented;
  /**
   * Smallest element along one or several dimensions; tied elements share the gradient equally.
   * @param dim if it is empty, all dimensions.
   * @example torch.amin(torch.tensor([[1, 3], [4, 2]]), 1); // tensor([1, 2])
   */
  amin: Documented;
  /**
   * The smallest and the largest element, of the whole tensor or along `dim`, in one pass.   `(*) -> () and ()`
   * @returns a pair named `min`, `max`; both are NaN if an element is NaN.
   * @throws {RuntimeError} "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity." if there are no elements.
   * @example torch.aminmax(torch.tensor([2.5, -1, 3])).min; // tensor(-1.)
   */
  aminmax: Documented;
  /**
   * The angle of each element in the complex plane. A real element gives 0, π if it is negative, and NaN if it is NaN.   `(*) -> (*)`
   * @returns the dtype of `input` if it is floating, the matching real dtype if it is complex, the default dtype for integers and bool.
   * @example torch.angle(torch.tensor([1.5, -1.5])); // tensor([0.0000, 3.1416])
   */
  angle: Documented;
  /**
   * Whether any element is nonzero, in the whole tensor or along `dim`.   `(*) -> ()`
   * @returns bool; uint8 if `input` is uint8.
   * @example torch.any(torch.tensor([true, false])); // tensor(True)
   */
  any: Documented;
  /**
   * Numbers from `start` (default 0) up to but not including `end`, in steps of `step` (default 1).   `-> (ceil((end - start) / step))`
   * @returns int64 if all three are integers, else the default dtype.
   * @throws {RuntimeError} "upper bound and lower bound inconsistent with step sign" if `end` cannot be reached with a step of this sign.
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
   * Index of the largest element, in the flattened tensor or along `dim`.
   * @returns int64; the first index if several elements are equal.
   * @example torch.argmax(torch.tensor([1, 3, 2])); // tensor(1)
   */
  argmax: Documented;
  /**
   * Index of the smallest element, in the flattened tensor or along `dim`.
   * @returns int64; the first index if several elements are equal.
   * @example torch.argmin(torch.tensor([3, 1, 2])); // tensor(1)
   */
  argmin: Documented;
  /**
   * The indices that sort the elements along `dim`.   `(*) -> (*)`
   * @param stable true: equal elements keep their order.
   * @returns int64.
   * @example torch.argsort(torch.tensor([3, 1, 2])); // tensor([1, 2, 0])
   */
  argsort: Documented;
  /**
   * The indices of the nonzero elements, one row for each.   `(*) -> (n, ndim)`
   * @example torch.argwhere(torch.tensor([0, 3, 4])); // tensor([[1], [2]])
   */
  argwhere: Documented;
  /**
   * A view of `input`'s storage with the given size, strides and offset.
   * @param stride one stride per dimension, in elements.
   * @param storage_offset the offset of the first element, in elements; `input`'s own offset if it is not given.
   * @throws {RuntimeError} "setStorage: sizes ..., requiring a storage size of ..." if the view would reach past the end of the storage.
   * @example torch.as_strided(torch.arange(6), [2, 2], [2, 1]); // tensor([[0, 1], [2, 3]])
   */
  as_strided: Documented;
  /**
   * A copy of the elements that `torch.as_strided` would show.
   * @example torch.as_strided_copy(torch.arange(6), [2, 2], [2, 1]); // tensor([[0, 1], [2, 3]])
   */
  as_strided_copy: Documented;
  /**
   * A copy of `input` in which `src` replaces the elements that `as_strided` would show.
   * @example torch.as_strided_scatter(torch.zeros(2, 2), torch.tensor([1.5, 2]), [2], [3]); // tensor([[1.5000, 0.0000], [0.0000, 2.0000]])
   */
  as_strided_scatter: Documented;
  /**
   * The angle between -π/2 and π/2 whose sine is the element; NaN for elements below -1 or above 1.   `(*) -> (*)`
   * @example torch.asin(torch.tensor([-0.5, 1])); // tensor([-0.5236,  1.5708])
   */
  asin: Documented;
  /**
   * The number whose hyperbolic sine is the element.   `(*) -> (*)`
   * @example torch.asinh(torch.tensor([-0.5, 1])); // tensor([-0.4812,  0.8814])
   */
  asinh: Documented;
  /**
   * The angle between -π/2 and π/2 whose tangent is the element.   `(*) -> (*)`
   * @example torch.atan(torch.tensor([-0.5, 1])); // tensor([-0.4636,  0.7854])
   */
  atan: Documented;
  /**
   * The angle, from -π to π, of the point with x-coordinate `other` and y-coordinate `input`.   `(*), (*) -> (*)`
   * @example torch.atan2(torch.tensor([1.5, -1]), torch.tensor([1.5, 1])); // tensor([ 0.7854, -0.7854])
   */
  atan2: Documented;
  /**
   * The number whose hyperbolic tangent is the element; NaN for elements below -1 or above 1.   `(*) -> (*)`
   * @example torch.atanh(torch.tensor([-0.5, 0.25])); // tensor([-0.5493,  0.2554])
   */
  atanh: Documented;
  /**
   * Mean of each window along the last dim.   `(N, C, L) -> (N, C, L')`
   * @param stride the distance between two windows; `kernel_size` if it is not given.
   * @param count_include_pad whether the zeros of the padding are counted in the mean.
   * @example torch.avg_pool1d(torch.tensor([[1.5, 2, 3, 5]]), 2); // tensor([[1.7500, 4.0000]])
   */
  avg_pool1d: Documented;
  /**
   * The tensor with at least one dimension; a 0-dim tensor becomes a view with one dimension.
   * @param input one tensor or several: `torch.atleast_1d(a, b)`.
   * @example torch.atleast_1d(torch.tensor(1.5)); // tensor([1.5000])
   */
  atleast_1d: Documented;
  /**
   * The tensor with at least two dimensions; a vector becomes a row.
   * @param input one tensor or several.
   * @example torch.atleast_2d(torch.tensor([1, 2])); // tensor([[1, 2]])
   */
  atleast_2d: Documented;
  /**
   * The tensor with at least three dimensions; a matrix gets a new last dimension of size 1.
   * @param input one tensor or several.
   * @example torch.atleast_3d(torch.tensor([1, 2])).shape; // [1, 2, 1]
   */
  atleast_3d: Documented;
  /**
   * `beta * input + alpha * (batch1 @ batch2)`: a matrix product for each pair of a batch.   `(b, n, m), (b, n, k), (b, k, m) -> (b, n, m)`
   * @example torch.baddbmm(torch.ones(1, 2, 2), torch.ones(1, 2, 3), torch.ones(1, 3, 2)); // tensor([[[4., 4.], [4., 4.]]])
   */
  baddbmm: Documented;
  /**
   * A triangular window: it rises linearly to 1 and falls linearly.   `-> (window_length)`
   * @param periodic true (the default): the window can be repeated without a break; false: it is symmetric.
   * @throws {RuntimeError} "bartlett_window requires non-negative window_length, got window_length=-1".
   * @example torch.bartlett_window(4); // tensor([0.0000, 0.5000, 1.0000, 0.5000])
   */
  bartlett_window: Documented;
  /**
   * Batch normalization: each channel minus its mean, divided by its standard deviation, then `* weight + bias`.   `(N, C, *) -> (N, C, *)`
   * @param weight `(C)` or None: 1 for each channel.
   * @param bias `(C)` or None: 0 for each channel.
   * @param running_mean `(C)` or None. In training it moves towards the batch's mean by `momentum`; otherwise it is the mean that is subtracted.
   * @param running_var `(C)` or None. It is used in the same way as `running_mean`, for the variance; in training the unbiased variance updates it.
   * @param training true: the statistics are computed from this batch; false: the running statistics are used.
   * @param eps a small number added to the variance.
   * @example torch.batch_norm(torch.tensor([[1.5, 10.5], [2.5, 12.5]]), null, null, null, null, true, 0.1, 0.0, false); // tensor([[-1., -1.], [ 1.,  1.]])
   */
  batch_norm: Documented;
  /**
   * Mean and biased variance of each channel. The running statistics, if they are given, move towards them.   `(N, C, *) -> (C), (C)`
   * @example torch.batch_norm_update_stats(torch.tensor([[1.5], [2.5]]), null, null, 0.1)[0]; // tensor([2.])
   */
  batch_norm_update_stats: Documented;
  /**
   * A random 0 or 1 for each element; the element is the probability of 1.
   * @throws {RuntimeError} if an element is not between 0 and 1.
   * @example torch.bernoulli(torch.tensor([0.0, 1.0]).float()); // tensor([0., 1.])
   */
  bernoulli: Documented;
  /**
   * `input1 @ weight[k] @ input2 + bias[k]` for each output `k`.   `(*, in1), (*, in2), (out, in1, in2), (out) -> (*, out)`
   * @example torch.bilinear(torch.tensor([[1.5, 2]]), torch.tensor([[0.5, 1]]), torch.ones([1, 2, 2])); // tensor([[5.2500]])
   */
  bilinear: Documented;
  /**
   * The number of occurrences of each integer from 0 to the maximum, or the sum of the `weights` at these occurrences.   `(n) -> (max + 1)`
   * @throws {RuntimeError} "bincount only supports 1-d non-negative integral inputs.".
   * @example torch.bincount(torch.tensor([1, 3, 1])); // tensor([0, 2, 0, 1])
   */
  bincount: Documented;
  /**
   * Binary cross entropy between `target` and the probability whose logit is `input`.   `(*), (*) -> ()`, or `(*)` unreduced
   * @param reduction 0: no reduction, 1: the mean, 2: the sum.
   * @example torch.binary_cross_entropy_with_logits(torch.tensor([0.5, -1.5]), torch.tensor([1, 0.5])); // tensor([0.4741, 0.9514])
   */
  binary_cross_entropy_with_logits: Documented;
  /**
   * Random numbers from the binomial distribution: the successes among `count` trials that each succeed with probability `prob`.   `(*), (*) -> (*)`
   * @example torch.binomial(torch.tensor([3.5, 1000]), torch.tensor([0, 0.5])).gt(300); // tensor([False,  True])
   */
  binomial: Documented;
  /**
   * Bitwise and; logical and for bool.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for floating dtypes.
   * @example torch.bitwise_and(torch.tensor([6]), 3); // tensor([2])
   */
  bitwise_and: Documented;
  /**
   * The bits shifted left by `other` places. The free places are filled with zeros; a shift by the dtype's width or more gives 0.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for bool and floating dtypes.
   * @example torch.bitwise_left_shift(torch.tensor([1, 3]), 2); // tensor([ 4, 12])
   */
  bitwise_left_shift: Documented;
  /**
   * Bitwise not; logical not for bool.   `(*) -> (*)`
   * @example torch.bitwise_not(torch.tensor([0, 5])); // tensor([-1, -6])
   */
  bitwise_not: Documented;
  /**
   * Bitwise or; logical or for bool.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for floating dtypes.
   * @example torch.bitwise_or(torch.tensor([6]), 1); // tensor([7])
   */
  bitwise_or: Documented;
  /**
   * The bits shifted right by `other` places; the sign bit is repeated.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for bool and floating dtypes.
   * @example torch.bitwise_right_shift(torch.tensor([12, -12]), 2); // tensor([ 3, -3])
   */
  bitwise_right_shift: Documented;
  /**
   * Bitwise exclusive or; logical xor for bool.   `(*), (*) -> (*)`
   * @throws {NotImplementedError} for floating dtypes.
   * @example torch.bitwise_xor(torch.tensor([6]), 3); // tensor([5])
   */
  bitwise_xor: Documented;
  /**
   * A window made of a constant and two cosines: `0.42 - 0.5 cos(a) + 0.08 cos(2 a)`.   `-> (window_length)`
   * @param periodic true (the default): the window can be repeated without a break; false: it is symmetric.
   * @example torch.blackman_window(2, { dtype: torch.float64 }).round({ decimals: 4 }).abs(); // tensor([0., 1.], dtype=torch.float64)
   */
  blackman_window: Documented;
  /**
   * A larger matrix with the given matrices on its diagonal and zeros elsewhere; a vector counts as a row.
   * @example torch.block_diag(torch.tensor([[1, 2]]), torch.tensor(3)); // tensor([[1, 2, 0], [0, 0, 3]])
   */
  block_diag: Documented;
  /**
   * Views of the tensors, expanded to their common broadcast shape.
   * @example torch.broadcast_tensors(torch.tensor([[1], [2]]), torch.tensor([3])); // [tensor([[1], [2]]), tensor([[3], [3]])]
   */
  broadcast_tensors: Documented;
  /**
   * A view of `input` with shape `size`: dimensions of size 1 are expanded, new dimensions are added in front.
   * @throws {RuntimeError} "The expanded size of the tensor (2) must match the existing size (3) at non-singleton dimension 0" if the shape does not fit.
   * @example torch.broadcast_to(torch.tensor([1, 2]), [2, 2]); // tensor([[1, 2], [1, 2]])
   */
  broadcast_to: Documented;
  /**
   * Matrix product for each pair of two batches of matrices.   `(b, n, k), (b, k, m) -> (b, n, m)`
   * @throws {RuntimeError} "batch1 must be a 3D tensor" for other inputs; there is no broadcasting.
   * @example torch.bmm(torch.ones(1, 2, 3), torch.ones(1, 3, 2)).shape; // [1, 2, 2]
   */
  bmm: Documented;
  /**
   * The index of the interval between sorted `boundaries` that contains each element: the number of boundaries below it.   `(*), (n) -> (*)`
   * @param right true: the number of boundaries below or equal to it.
   * @example torch.bucketize(torch.tensor([0, 2, 5]), torch.tensor([1, 2, 3])); // tensor([0, 1, 3])
   */
  bucketize: Documented;
  /**
   * Whether a value of dtype `from_` may be converted to dtype `to` under the promotion rules.
   * @returns a JavaScript boolean.
   * @example torch.can_cast(torch.float32, torch.int64); // False
   */
  can_cast: Documented;
  /**
   * All tuples with one element from each vector, as rows.   `(a), (b), ... -> (a * b * ..., n)`
   * @example torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([[1, 3], [1, 4], [2, 3], [2, 4]])
   */
  cartesian_prod: Documented;
  /**
   * The tensors concatenated along `dim`, the only dim in which their sizes may differ.
   * @throws {RuntimeError} "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list."
   * @example torch.cat([torch.tensor([1, 2]), torch.tensor([3])]); // tensor([1, 2, 3])
   */
  cat: Documented;
  /**
   * Distance, by the p-norm, from each row of one matrix to each row of the other.   `(B, P, M), (B, R, M) -> (B, P, R)`
   * @example torch.cdist(torch.tensor([[0, 0]], { dtype: torch.float32 }), torch.tensor([[3, 4]], { dtype: torch.float32 })); // tensor([[5.]])
   */
  cdist: Documented;
  /**
   * Each element rounded up to an integer.   `(*) -> (*)`
   * @returns the dtype of `input`; integers are returned unchanged.
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
   * The channels reordered: one from each of the `groups` groups in turn.   `(N, C, *) -> (N, C, *)`
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
   * The inverse of a positive definite matrix, computed from its Cholesky factor.   `(*, n, n) -> (*, n, n)`
   * @example torch.cholesky_inverse(torch.tensor([[2]], { dtype: torch.float32 })); // tensor([[0.2500]])
   */
  cholesky_inverse: Documented;
  /**
   * The solution `X` of `A X = input`, computed from the Cholesky factor of `A`.   `(*, n, k), (*, n, n) -> (*, n, k)`
   * @example torch.cholesky_solve(torch.tensor([[8]], { dtype: torch.float32 }), torch.tensor([[2]], { dtype: torch.float32 })); // tensor([[2.]])
   */
  cholesky_solve: Documented;
  /**
   * Views that split `dim` into at most `chunks` parts of equal size; the last one may be smaller.
   * @example torch.chunk(torch.arange(5), 2); // [tensor([0, 1, 2]), tensor([3, 4])]
   */
  chunk: Documented;
  /**
   * The elements limited to the range from `min` to `max`.   `(*) -> (*)`
   * @throws {RuntimeError} "torch.clamp: At least one of 'min' or 'max' must not be None"
   * @example torch.clamp(torch.tensor([-2.5, 0.5, 4]), 0, 1); // tensor([0.0000, 0.5000, 1.0000])
   */
  clamp: Documented;
  /**
   * The smaller of each element and `max`.   `(*) -> (*)`
   * @example torch.clamp_max(torch.tensor([1, 5]), 3); // tensor([1, 3])
   */
  clamp_max: Documented;
  /**
   * The larger of each element and `min`.   `(*) -> (*)`
   * @example torch.clamp_min(torch.tensor([1, 5]), 3); // tensor([3, 5])
   */
  clamp_min: Documented;
  /**
   * Another name of `torch.clamp`.
   * @example torch.clip(torch.tensor([-1.5, 0.5, 3]), -1, 1); // tensor([-1.0000,  0.5000,  1.0000])
   */
  clip: Documented;
  /**
   * A copy with its own storage; the gradient flows back to `input`.
   * @param kwargs `memory_format`: `preserve_format` keeps the strides of a dense tensor.
   * @example torch.clone(torch.tensor([1, 2])); // tensor([1, 2])
   */
  clone: Documented;
  /**
   * Tensors joined side by side; each vector becomes a column.
   * @example torch.column_stack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[1, 3], [2, 4]])
   */
  column_stack: Documented;
  /**
   * All combinations of `r` elements of a vector, as rows.   `(n) -> (n over r, r)`
   * @param with_replacement true: an element may occur more than once in a combination.
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
   * The complex conjugate; a real tensor is returned itself.
   * @example torch.conj(torch.tensor([1.5])); // tensor([1.5000])
   */
  conj: Documented;
  /**
   * The complex conjugate in new memory; a real tensor is returned itself.   `(*) -> (*)`
   * @example torch.conj_physical(torch.tensor([1.5])); // tensor([1.5000])
   */
  conj_physical: Documented;
  /**
   * `input` with a border whose elements are `value`.   `(*) -> (*)`
   * @param pad the widths of the border, two for each dim (before, after), the last dim first; a negative width removes elements.
   * @example torch.constant_pad_nd(torch.tensor([1.5, 2]), [1, 2]); // tensor([0.0000, 1.5000, 2.0000, 0.0000, 0.0000])
   */
  constant_pad_nd: Documented;
  /**
   * Convolution with one spatial dim: `weight` slides along `input`, and the products are summed.   `(N, C, W), (K, C / groups, k) -> (N, K, W')`
   * @param padding the number of zeros on both sides, or `"valid"` (none), or `"same"` (as many as keep the width; stride 1 only).
   * @example torch.conv1d(torch.tensor([[[1.5, 2, 4, 8]]]), torch.tensor([[[0.5, -1]]])); // tensor([[[-1.2500, -3.0000, -6.0000]]])
   */
  conv1d: Documented;
  /**
   * Convolution with two spatial dims: `weight` slides over `input`, and the products are summed.   `(N, C, H, W), (K, C / groups, kH, kW) -> (N, K, H', W')`
   * @param padding the number of zeros on all sides, or `"valid"` (none), or `"same"` (as many as keep the size; stride 1 only).
   * @param groups the number of groups into which input and output channels are split; each group of outputs reads one group of inputs.
   * @throws {RuntimeError} "Given groups=1, weight of size [3, 1, 3, 3], expected input[1, 2, 5, 5] to have 1 channels, but got 2 channels instead".
   * @example torch.conv2d(torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)); // tensor([[[[4., 4.], [4., 4.]]]])
   */
  conv2d: Documented;
  /**
   * Convolution with three spatial dims: `weight` slides through `input`, and the products are summed.   `(N, C, D, H, W), (K, C / groups, kD, kH, kW) -> (N, K, D', H', W')`
   * @param padding as in `conv2d`.
   * @example torch.conv3d(torch.ones(1, 1, 2, 2, 2), torch.ones(1, 1, 2, 2, 2)); // tensor([[[[[8.]]]]])
   */
  conv3d: Documented;
  /**
   * A convolution along time, with the time dim first.   `(T, N, C), (k, C, K), (K) -> (T + 2 pad - k + 1, N, K)`
   * @example torch.conv_tbc(torch.ones(2, 1, 1), torch.ones(2, 1, 1), torch.zeros(1)); // tensor([[[2.]]])
   */
  conv_tbc: Documented;
  /**
   * Transposed convolution with one spatial dim, the gradient of `conv1d`: each element of `input` adds a scaled copy of `weight` to the output.   `(N, C, W), (C, K / groups, k) -> (N, K, W')`
   * @param output_padding the number of elements added on the right of the output; smaller than `stride` or `dilation`.
   * @example torch.conv_transpose1d(torch.tensor([[[1.5, 2]]]), torch.tensor([[[0.5, 10]]])); // tensor([[[ 0.7500, 16.0000, 20.0000]]])
   */
  conv_transpose1d: Documented;
  /**
   * Transposed convolution with two spatial dims, the gradient of `conv2d`: each element of `input` adds a scaled copy of `weight` to the output.   `(N, C, H, W), (C, K / groups, kH, kW) -> (N, K, H', W')`
   * @param output_padding the number of elements added at the end of each output dim; smaller than `stride` or `dilation`.
   * @example torch.conv_transpose2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2)); // tensor([[[[1., 2., 1.], [2., 4., 2.], [1., 2., 1.]]]])
   */
  conv_transpose2d: Documented;
  /**
   * Transposed convolution with three spatial dims, the gradient of `conv3d`: each element of `input` adds a scaled copy of `weight` to the output.   `(N, C, D, H, W), (C, K / groups, kD, kH, kW) -> (N, K, D', H', W')`
   * @param output_padding as in `conv_transpose2d`.
   * @example torch.conv_transpose3d(torch.ones(1, 1, 1, 1, 2), torch.ones(1, 1, 1, 1, 2)); // tensor([[[[[1., 2., 1.]]]]])
   */
  conv_transpose3d: Documented;
  /**
   * Convolution or transposed convolution for any number of spatial dims, with all arguments given. Every `conv*` and `conv_transpose*` calls it.   `(N, C, *), (K, C / groups, *) -> (N, K, *)`
   * @param transposed true: a transposed convolution. Then `weight` is `(C, K / groups, *)`, and `output_padding` is used.
   * @example torch.convolution(torch.ones(1, 1, 3), torch.ones(1, 1, 2), null, [1], [0], [1], false, [0], 1); // tensor([[[2., 2.]]])
   */
  convolution: Documented;
  /**
   * The magnitude of `input` with the sign of `other`; the sign of -0 counts as negative.   `(*), (*) -> (*)`
   * @example torch.copysign(torch.tensor([1.5, -2]), -1); // tensor([-1.5000, -2.0000])
   */
  copysign: Documented;
  /**
   * Correlation coefficients of variables (one per row): `cov` divided by the standard deviations of both variables.   `(V, N) -> (V, V)`
   * @returns values between -1 and 1; NaN for a variable that is constant.
   * @example torch.corrcoef(torch.tensor([[0, 1, 2], [2, 1, 0]])); // tensor([[ 1., -1.], [-1.,  1.]])
   */
  corrcoef: Documented;
  /**
   * Cosine of each element, in radians.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.cos(torch.tensor([0, 1])); // tensor([1.0000, 0.5403])
   */
  cos: Documented;
  /**
   * Hyperbolic cosine, `(e^x + e^-x) / 2`.   `(*) -> (*)`
   * @example torch.cosh(torch.tensor([-0.5, 1])); // tensor([1.1276, 1.5431])
   */
  cosh: Documented;
  /**
   * `1 - cos` of the angle between the rows where `target` is 1, and `max(0, cos - margin)` where it is -1.   `(N, D), (N, D), (N) -> ()`
   * @param reduction 0: no reduction, 1: the mean, 2: the sum.
   * @throws {RuntimeError} "0D or 1D target tensor expected, multi-target not supported"
   * @example torch.cosine_embedding_loss(torch.tensor([[3.5, 0]]), torch.tensor([[0, 1.5]]), torch.tensor([1])); // tensor([1.])
   */
  cosine_embedding_loss: Documented;
  /**
   * The cosine of the angle between `x1` and `x2` along `dim`; each norm is at least `eps`.
   * @throws {RuntimeError} "expected common dtype to be floating point, yet common dtype is Long"
   * @example torch.cosine_similarity(torch.tensor([[3.5, 0]]), torch.tensor([[1.5, 0]])); // tensor([1.])
   */
  cosine_similarity: Documented;
  /**
   * The number of nonzero elements, in the whole tensor or along `dim`.   `(*) -> ()`
   * @returns int64.
   * @example torch.count_nonzero(torch.tensor([0, 3, 0, -1])); // tensor(2)
   */
  count_nonzero: Documented;
  /**
   * Covariances of variables: each row is a variable, each column an observation.   `(V, N) -> (V, V)`
   * @param correction the sums are divided by the number of observations minus `correction`; 1 by default.
   * @param fweights how often each observation was made (integers); `aweights`: the weight of each observation (floating).
   * @throws {RuntimeError} "cov(): weights sum to zero, can't be normalized".
   * @example torch.cov(torch.tensor([[0, 1, 2], [2, 1, 0]])); // tensor([[ 1., -1.], [-1.,  1.]])
   */
  cov: Documented;
  /**
   * Connectionist temporal classification loss: the negative logarithm of the probability that `log_probs` gives `targets`, summed over all alignments.   `(T, N, C) or (T, C)`
   * @param targets `(N, S)`, or all targets concatenated in one dim.
   * @param blank the index of the blank class.
   * @param reduction 0: one loss for each sequence; 1: the mean of the losses, each divided by the length of its target; 2: their sum.
   * @param zero_infinity whether an infinite loss (a target longer than its input allows) is replaced by 0.
   * @example torch.ctc_loss(torch.zeros([2, 1, 2]), torch.tensor([[1]]), [2], [1], 0, 2); // tensor(-1.0986)
   */
  ctc_loss: Documented;
  /**
   * The cross products of vectors along the first dimension of size 3, or along `dim`.   `(*), (*) -> (*)`
   * @example torch.cross(torch.tensor([1, 0, 0]), torch.tensor([0, 1, 0]), 0); // tensor([0, 0, 1])
   */
  cross: Documented;
  /**
   * The maximum of all elements up to each position along `dim`, and its index (the last index if several are equal).   `(*) -> (*) and (*)`
   * @returns a pair named `values`, `indices`; NaN from the first NaN on.
   * @example torch.cummax(torch.tensor([1.5, 3, 2]), 0).values; // tensor([1.5000, 3.0000, 3.0000])
   */
  cummax: Documented;
  /**
   * The minimum of all elements up to each position along `dim`, and its index (the last index if several are equal).   `(*) -> (*) and (*)`
   * @returns a pair named `values`, `indices`; NaN from the first NaN on.
   * @example torch.cummin(torch.tensor([2.5, 1, 3]), 0).indices; // tensor([0, 1, 1])
   */
  cummin: Documented;
  /**
   * The product of all elements up to each position along `dim`.   `(*) -> (*)`
   * @param dtype the elements are converted to it first; if it is not given, integers become int64.
   * @example torch.cumprod(torch.tensor([2, 3, 4]), 0); // tensor([ 2,  6, 24])
   */
  cumprod: Documented;
  /**
   * The sum of all elements up to each position along `dim`.   `(*) -> (*)`
   * @param dtype the elements are converted to it first; if it is not given, integers become int64.
   * @example torch.cumsum(torch.tensor([1, 2, 3]), 0); // tensor([1, 3, 6])
   */
  cumsum: Documented;
  /**
   * Whether cuDNN can compute with this tensor; always false here.
   * @example torch.cudnn_is_acceptable(torch.ones(2)); // False
   */
  cudnn_is_acceptable: Documented;
  /**
   * The integral up to each sample, by the trapezoidal rule.   `(*, n, *) -> (*, n - 1, *)`
   * @param x the sample points; or give `dx`, the distance between them.
   * @example torch.cumulative_trapezoid(torch.tensor([1, 3, 5])); // tensor([2., 6.])
   */
  cumulative_trapezoid: Documented;
  /**
   * Degrees converted to radians.   `(*) -> (*)`
   * @example torch.deg2rad(torch.tensor([180.5, 90])); // tensor([3.1503, 1.5708])
   */
  deg2rad: Documented;
  /**
   * Another name of `torch.linalg.det`.   `(*, n, n) -> (*)`
   * @example torch.det(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor(8.)
   */
  det: Documented;
  /**
   * A view without autograd history: no gradient flows through it.
   * @example torch.detach(torch.tensor([1.5], { requires_grad: true })); // tensor([1.5000])
   */
  detach: Documented;
  /**
   * A copy of `input` without autograd history: no gradient flows through it.
   * @example torch.detach_copy(torch.tensor([1.5, 2])); // tensor([1.5000, 2.0000])
   */
  detach_copy: Documented;
  /**
   * The derivative of `lgamma`.   `(*) -> (*)`
   * @example torch.digamma(torch.tensor([1, 0.5])); // tensor([-0.5772, -1.9635])
   */
  digamma: Documented;
  /**
   * A matrix with the given vector on its diagonal; if `input` is a matrix, a copy of its diagonal.
   * @param diagonal the offset of the diagonal, positive above the main diagonal.
   * @example torch.diag(torch.tensor([1, 2])); // tensor([[1, 0], [0, 2]])
   */
  diag: Documented;
  /**
   * Matrices whose diagonals are the vectors along the last dimension.   `(*, n) -> (*, n, n)`
   * @example torch.diag_embed(torch.tensor([1, 2]), 1); // tensor([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
   */
  diag_embed: Documented;
  /**
   * A matrix with all elements of the flattened `input` on its diagonal.
   * @example torch.diagflat(torch.tensor([[1], [2]])); // tensor([[1, 0], [0, 2]])
   */
  diagflat: Documented;
  /**
   * A view of the diagonals of the matrices in dims `dim1` and `dim2`; the diagonal becomes the last dimension.
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
   * A copy of `input` in which `src` replaces a diagonal; the strides are kept.
   * @example torch.diagonal_scatter(torch.zeros(2, 2), torch.tensor([1.5, 2])); // tensor([[1.5000, 0.0000], [0.0000, 2.0000]])
   */
  diagonal_scatter: Documented;
  /**
   * Differences between neighbouring elements along `dim`, computed `n` times.   `(*, k, *) -> (*, k - n, *)`
   * @param prepend a tensor put before `input`; `append` is put after it.
   * @throws {RuntimeError} "diff expects input to be at least one-dimensional" for a 0-dim tensor.
   * @example torch.diff(torch.tensor([1, 3, 6])); // tensor([2, 3])
   */
  diff: Documented;
  /**
   * The `p`-norm of `input - other`.   `(*), (*) -> ()`
   * @example torch.dist(torch.tensor([1.5, 2]), torch.tensor([4.5, 6])); // tensor(5.)
   */
  dist: Documented;
  /**
   * `input / other`, broadcast; without `rounding_mode`, true division.   `(*), (*) -> (*)`
   * @param kwargs `rounding_mode`: "trunc" rounds towards zero, "floor" rounds down.
   * @throws {RuntimeError} "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'x'"
   * @example torch.div(torch.tensor([7, -7]), 2); // tensor([ 3.5000, -3.5000])
   */
  div: Documented;
  /**
   * Another name of `torch.div`.   `(*), (*) -> (*)`
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
   * In training, sets elements to zero with probability `p` and scales the others by `1 / (1 - p)`.
   * @param p a probability, between 0 and 1.
   * @example torch.dropout(torch.ones(3), 0.5, false); // tensor([1., 1., 1.])
   */
  dropout: Documented;
  /**
   * Sum of products in the Einstein notation of `equation`: labels that are missing on the right side are summed over.
   * @example torch.einsum("ij,j->i", torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10])); // tensor([21, 43])
   */
  einsum: Documented;
  /**
   * Views that split `input` along the third dimension.
   * @param indices_or_sections the number of parts, or the indices where to cut.
   * @example torch.dsplit(torch.ones(1, 1, 2), 2)[0].shape; // [1, 1, 1]
   */
  dsplit: Documented;
  /**
   * Tensors joined along the third dimension.
   * @example torch.dstack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[[1, 3], [2, 4]]])
   */
  dstack: Documented;
  /**
   * The rows of the table `weight` at `indices`.   `(V, D), (*) -> (*, D)`
   * @param indices int64 or int32.
   * @throws {IndexError} "index out of range in self" if the table has no such row.
   * @example torch.embedding(torch.tensor([[1.5, 2], [3, 4]]), torch.tensor([1, 0])); // tensor([[3.0000, 4.0000], [1.5000, 2.0000]])
   */
  embedding: Documented;
  /**
   * Sums (mode 0), means (1) or maxima (2) of rows of `weight`. Bag `i` consists of the rows `indices[offsets[i]]` up to the next offset.
   * @returns the result for each bag, then three tensors for the backward pass: the bag of each index, the size of each bag, the indices of the maxima.
   * @example torch.embedding_bag(torch.tensor([[0.5], [2], [3]]), torch.tensor([0, 1, 2]), torch.tensor([0, 2]))[0]; // tensor([[2.5000], [3.0000]])
   */
  embedding_bag: Documented;
  /**
   * `embedding_renorm_` on a copy of `weight`.
   * @example torch.embedding_renorm_(torch.tensor([[1.5, 2]]), torch.tensor([0]), 1, 2); // tensor([[0.6000, 0.8000]])
   */
  embedding_renorm: Documented;
  /**
   * An uninitialized tensor of the given size; its elements are whatever the memory held.
   * @param kwargs `dtype`, `device`, `layout`, `memory_format`, `requires_grad`.
   * @example torch.empty(2, 3).shape; // [2, 3]
   */
  empty: Documented;
  /**
   * An uninitialized tensor with the size, dtype and device of `input`.
   * @example torch.empty_like(torch.ones(2, 3)).shape; // [2, 3]
   */
  empty_like: Documented;
  /**
   * An uninitialized tensor whose dims have a given order in memory.
   * @param physical_layout the dims in the order of memory, outermost first.
   * @example torch.empty_permuted([2, 3, 4], [0, 2, 1]).stride(); // [12, 1, 3]
   */
  empty_permuted: Documented;
  /**
   * An uninitialized tensor with the given strides.
   * @param stride one stride per dimension, in elements.
   * @example torch.empty_strided([2, 3], [1, 2]).stride(); // [1, 2]
   */
  empty_strided: Documented;
  /**
   * Whether the elements are equal, element by element; the operands are broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.eq(torch.tensor([1, 2]), 2); // tensor([False,  True])
   */
  eq: Documented;
  /**
   * Whether both tensors have equal shape and equal elements.
   * @returns a JavaScript boolean.
   * @example torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2])); // True
   */
  equal: Documented;
  /**
   * The error function: the probability that a normal variable of mean 0 and variance 1/2 lies between `-x` and `x`.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.erf(torch.tensor([0, 0.5, -1])); // tensor([ 0.0000,  0.5205, -0.8427])
   */
  erf: Documented;
  /**
   * The complementary error function `1 - erf(x)`, accurate also where the result is close to 0.   `(*) -> (*)`
   * @example torch.erfc(torch.tensor([0, 0.5, 3])); // tensor([1.0000e+00, 4.7950e-01, 2.2090e-05])
   */
  erfc: Documented;
  /**
   * The inverse of `erf`; NaN for elements below -1 or above 1.   `(*) -> (*)`
   * @example torch.erfinv(torch.tensor([0, 0.5, -1])); // tensor([0.0000, 0.4769,   -inf])
   */
  erfinv: Documented;
  /**
   * `e` to the power of each element.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.exp(torch.tensor([0, 1])); // tensor([1.0000, 2.7183])
   */
  exp: Documented;
  /**
   * 2 to the power of each element.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.exp2(torch.tensor([0, 0.5, 3])); // tensor([1.0000, 1.4142, 8.0000])
   */
  exp2: Documented;
  /**
   * A copy of `input` with dims of size 1 expanded to `size`.
   * @example torch.expand_copy(torch.tensor([[1], [2]]), [2, 2]); // tensor([[1, 1], [2, 2]])
   */
  expand_copy: Documented;
  /**
   * `exp(x) - 1`, accurate also where `x` is close to 0.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.expm1(torch.tensor([0, 0.5, 1])); // tensor([0.0000, 0.6487, 1.7183])
   */
  expm1: Documented;
  /**
   * A matrix with ones on the diagonal and zeros elsewhere.   `-> (n, m)`
   * @param m the number of columns; the number of rows if it is not given.
   * @example torch.eye(2, 3); // tensor([[1., 0., 0.], [0., 1., 0.]])
   */
  eye: Documented;
  /**
   * `alpha_dropout` applied to whole channels.   `(N, C, *) -> (N, C, *)`
   * @example torch.feature_alpha_dropout(torch.ones(1, 2), 0.5, false); // tensor([[1., 1.]])
   */
  feature_alpha_dropout: Documented;
  /**
   * Sets whole channels to zero with probability `p` and scales the others by `1 / (1 - p)`.   `(N, C, *) -> (N, C, *)`
   * @example torch.feature_dropout(torch.ones(1, 2), 0.5, false); // tensor([[1., 1.]])
   */
  feature_dropout: Documented;
  /**
   * A tensor with the shape of `input` in which every element is `value`.
   * @example torch.fill(torch.zeros(2), 7); // tensor([7., 7.])
   */
  fill: Documented;
  /**
   * Another name of `torch.trunc`.   `(*) -> (*)`
   * @example torch.fix(torch.tensor([-2.5, 3.25])); // tensor([-2.,  3.])
   */
  fix: Documented;
  /**
   * Dimensions `start_dim` to `end_dim` merged into one; a view if the strides allow it.
   * @example torch.flatten(torch.ones(2, 3)).shape; // [6]
   */
  flatten: Documented;
  /**
   * A copy with the elements in reverse order along `dims`.
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
   * Powers computed in float64, whatever the dtypes of the operands are.   `(*), (*) -> (*)`
   * @example torch.float_power(torch.tensor([2, 3]), 2); // tensor([4., 9.], dtype=torch.float64)
   */
  float_power: Documented;
  /**
   * Each element rounded down to an integer.   `(*) -> (*)`
   * @example torch.floor(torch.tensor([-2.5, 3.25])); // tensor([-3.,  3.])
   */
  floor: Documented;
  /**
   * Quotients rounded down, in the common dtype of the operands.   `(*), (*) -> (*)`
   * @example torch.floor_divide(torch.tensor([7, -7]), 2); // tensor([ 3, -4])
   */
  floor_divide: Documented;
  /**
   * The larger element of each pair; if one of them is NaN, the other one.   `(*), (*) -> (*)`
   * @example torch.fmax(torch.tensor([1.5, NaN]), torch.tensor([2.0, 1])); // tensor([2., 1.])
   */
  fmax: Documented;
  /**
   * The smaller element of each pair; if one of them is NaN, the other one.   `(*), (*) -> (*)`
   * @example torch.fmin(torch.tensor([1.5, NaN]), torch.tensor([2.0, 1])); // tensor([1.5000, 1.0000])
   */
  fmin: Documented;
  /**
   * The remainder of a division that rounds towards zero; it has the sign of `input`.   `(*), (*) -> (*)`
   * @example torch.fmod(torch.tensor([-3.5, 3.5]), 2); // tensor([-1.5000,  1.5000])
   */
  fmod: Documented;
  /**
   * The fractional part of each element, with the sign of the element.   `(*) -> (*)`
   * @example torch.frac(torch.tensor([1.25, -2.75])); // tensor([ 0.2500, -0.7500])
   */
  frac: Documented;
  /**
   * Mantissa (magnitude from 1/2 to 1, with the sign) and exponent of each element: `input = mantissa * 2^exponent`.   `(*) -> (*), (*)`
   * @example torch.frexp(torch.tensor([6.5, -0.25])).exponent; // tensor([ 3, -1], dtype=torch.int32)
   */
  frexp: Documented;
  /**
   * The 2-norm of all elements along `dim`; an older form of `torch.linalg.vector_norm`.   `(*) -> (*)`
   * @example torch.frobenius_norm(torch.tensor([3, 4], { dtype: torch.float32 }), [0]); // tensor(5.)
   */
  frobenius_norm: Documented;
  /**
   * A tensor of the given size in which every element is `fill_value`.
   * @returns the dtype `dtype`; if it is not given, it follows from the value (int64 for an integer).
   * @example torch.full([2], 2.5); // tensor([2.5000, 2.5000])
   */
  full: Documented;
  /**
   * A tensor with the size, dtype and device of `input` in which every element is `fill_value`.
   * @example torch.full_like(torch.zeros(2), 7); // tensor([7., 7.])
   */
  full_like: Documented;
  /**
   * The elements of `input` at the positions `index` along `dim`; for dim 0, `out[i][j] = input[index[i][j]][j]`.
   * @param index int64, with as many dimensions as `input`.
   * @throws {RuntimeError} "index 5 is out of bounds for dimension 0 with size 2"
   * @example torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[1], [0]])); // tensor([[2], [3]])
   */
  gather: Documented;
  /**
   * The greatest common divisor of integers; 0 if both are zero.   `(*), (*) -> (*)`
   * @example torch.gcd(torch.tensor([12, 18]), torch.tensor([18, -27])); // tensor([6, 9])
   */
  gcd: Documented;
  /**
   * Whether `input >= other`, element by element; the operands are broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.ge(torch.tensor([1, 2]), 2); // tensor([False,  True])
   */
  ge: Documented;
  /**
   * QR factorization as LAPACK stores it. The upper half of `a` is `R`; below the diagonal are the Householder vectors that form `Q`, and `tau` holds their factors.   `(*, m, n) -> (*, m, n), (*, k)`
   * @example torch.geqrf(torch.tensor([[2]], { dtype: torch.float32 })).a; // tensor([[2.]])
   */
  geqrf: Documented;
  /**
   * Another name of `torch.outer`.   `(n), (m) -> (n, m)`
   * @example torch.ger(torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([[3, 4], [6, 8]])
   */
  ger: Documented;
  /**
   * Numerical derivatives along each dim of a function given by its samples.   `(*) -> a list of (*)`
   * @param spacing the distance between samples: one number, one number per dim, or the coordinates along each dim as tensors.
   * @param edge_order 1 or 2: the derivative at an edge is computed from two or from three samples.
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
   * `input` sampled at the positions in `grid`, whose coordinates go from -1 to 1 along each dim; see `F.grid_sample`.   `(N, C, H, W), (N, H', W', 2) -> (N, C, H', W')`
   * @param interpolation_mode 0: bilinear, 1: nearest, 2: bicubic.
   * @param padding_mode how positions outside are read: 0: as zeros, 1: as the nearest edge, 2: by reflection.
   * @example torch.grid_sampler(torch.tensor([[[[1.5, 2.5]]]]), torch.zeros(1, 1, 1, 2), 0, 0, true); // tensor([[[[2.]]]])
   */
  grid_sampler: Documented;
  /**
   * `grid_sampler` for images.   `(N, C, H, W), (N, H', W', 2) -> (N, C, H', W')`
   * @example torch.grid_sampler_2d(torch.tensor([[[[1.5, 2.5]]]]), torch.zeros(1, 1, 1, 2), 0, 0, true); // tensor([[[[2.]]]])
   */
  grid_sampler_2d: Documented;
  /**
   * `grid_sampler` for volumes.   `(N, C, D, H, W), (N, D', H', W', 3) -> (N, C, D', H', W')`
   * @example torch.grid_sampler_3d(torch.tensor([[[[[1.5, 2.5]]]]]), torch.zeros(1, 1, 1, 1, 3), 0, 0, true); // tensor([[[[[2.]]]]])
   */
  grid_sampler_3d: Documented;
  /**
   * Group normalization: the channels form `num_groups` groups; each group minus its mean, divided by its standard deviation, then `* weight + bias`.   `(N, C, *) -> (N, C, *)`
   * @param weight `(C)` or None: 1 for each channel.
   * @param bias `(C)` or None: 0 for each channel.
   * @throws {RuntimeError} "Expected number of channels in input to be divisible by num_groups, but got input of shape [1, 3] and num_groups=2"
   * @example torch.group_norm(torch.tensor([[1.5, 2.5, 10.5, 12.5]]), 2, null, null, 0.0); // tensor([[-1.,  1., -1.,  1.]])
   */
  group_norm: Documented;
  /**
   * A stack of gated recurrent unit (GRU) layers.   `(T, N, I), (layers, N, H) -> (T, N, H), (layers, N, H)`
   * @param params one list with `weight_ih, weight_hh, bias_ih, bias_hh` for each layer and direction; the gates are in the order reset, update, new.
   * @param batch_first whether the input is `(N, T, I)`.
   * @see nn.GRU
   * @example torch.gru(torch.zeros(2, 1, 1), torch.ones(1, 1, 1), [torch.zeros(3, 1), torch.zeros(3, 1)], false, 1, 0.0, false, false, false)[1]; // tensor([[[0.2500]]])
   */
  gru: Documented;
  /**
   * One step of a gated recurrent unit (GRU): the next hidden state.   `(N, I), (N, H) -> (N, H)`
   * @example torch.gru_cell(torch.zeros(1, 1), torch.ones(1, 1), torch.zeros(3, 1), torch.zeros(3, 1)); // tensor([[0.5000]])
   */
  gru_cell: Documented;
  /**
   * Whether `input > other`, element by element; the operands are broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.gt(torch.tensor([1, 2]), 1); // tensor([False,  True])
   */
  gt: Documented;
  /**
   * Hamming window: a raised cosine `alpha - beta cos(a)`.   `-> (window_length)`
   * @param periodic true (the default): the window can be repeated without a break; false: it is symmetric.
   * @param alpha 0.54 by default; `beta` is 0.46 by default.
   * @example torch.hamming_window(4); // tensor([0.0800, 0.5400, 1.0000, 0.5400])
   */
  hamming_window: Documented;
  /**
   * Hann window: a raised cosine that begins at 0, `0.5 - 0.5 cos(a)`.   `-> (window_length)`
   * @param periodic true (the default): the window can be repeated without a break; false: it is symmetric.
   * @throws {RuntimeError} "hann_window requires non-negative window_length, got window_length=-1".
   * @example torch.hann_window(4); // tensor([0.0000, 0.5000, 1.0000, 0.5000])
   */
  hann_window: Documented;
  /**
   * The number of elements in each of `bins` bins of equal width from `min` to `max`. If `min` equals `max`, the smallest and the largest element are used.   `(*) -> (bins)`
   * @example torch.histc(torch.tensor([1.5, 2, 1]), 4, 0, 3); // tensor([0., 1., 2., 0.])
   */
  histc: Documented;
  /**
   * The number of elements in each bin, and the edges of the bins.   `(*) -> (bins), (bins + 1)`
   * @param bins the number of bins of equal width, or a tensor with all edges in rising order. A bin includes its left edge; the last one also its right edge.
   * @param range the outer edges of bins of equal width; the smallest and the largest element if it is not given.
   * @param weight the weight of each element. With `density`, the result is divided so that the area over all bins is 1.
   * @throws {RuntimeError} "torch.histogram(): bins must be > 0, but got 0 for dimension 0".
   * @example torch.histogram(torch.tensor([1.5, 2, 1.5, 4]), torch.tensor([0.5, 2, 5]))[0]; // tensor([2., 2.])
   */
  histogram: Documented;
  /**
   * The number of points in each box of a grid.   `(*, D) -> ((bins_1, ..., bins_D), D edges)`
   * @param bins the number of bins along each dimension, one number for all dimensions, or the edges as D one-dimensional tensors.
   * @param range the outer edges, `[left_1, right_1, left_2, ...]`; the smallest and the largest coordinates if it is null.
   * @param weight `(*)`: the weight of each point; 1 if it is null.
   * @param density true: the result is scaled so that the sum over all boxes, each times its volume, is 1.
   * @throws {RuntimeError} "torch.histogramdd: input tensor should have at least 2 dimensions".
   * @example torch.histogramdd(torch.tensor([[0.0, 1.5], [1, 0], [2, 1]]), [2, 2])[0]; // tensor([[0., 1.], [1., 1.]])
   */
  histogramdd: Documented;
  /**
   * Views that split `input` between columns.
   * @param indices_or_sections the number of parts, or the indices where to cut.
   * @example torch.hsplit(torch.tensor([[1, 2, 3]]), [1])[1]; // tensor([[2, 3]])
   */
  hsplit: Documented;
  /**
   * Tensors joined along the second dimension; vectors are joined end to end.
   * @example torch.hstack([torch.tensor([1, 2]), torch.tensor([3])]); // tensor([1, 2, 3])
   */
  hstack: Documented;
  /**
   * `x` if `|x| > lambd`, else 0.   `(*) -> (*)`
   * @example torch.hardshrink(torch.tensor([-2.5, 0.25])); // tensor([-2.5000,  0.0000])
   */
  hardshrink: Documented;
  /**
   * Hinge embedding loss: `input` where `target` is 1, and `max(0, margin - input)` where it is -1.   `(*), (*) -> ()`, or `(*)` unreduced
   * @param reduction 0: no reduction, 1: the mean, 2: the sum.
   * @example torch.hinge_embedding_loss(torch.tensor([0.5, 0.25]), torch.tensor([1, -1])); // tensor([0.5000, 0.7500])
   */
  hinge_embedding_loss: Documented;
  /**
   * `sqrt(input^2 + other^2)`, the hypotenuse of a right triangle.   `(*), (*) -> (*)`
   * @example torch.hypot(torch.tensor([3.0, 1.5]), torch.tensor([4.0, 2])); // tensor([5.0000, 2.5000])
   */
  hypot: Documented;
  /**
   * The modified Bessel function of the first kind, of order 0.   `(*) -> (*)`
   * @example torch.i0(torch.tensor([0, 1.5])); // tensor([1.0000, 1.6467])
   */
  i0: Documented;
  /**
   * The regularized lower incomplete gamma function: the part of the integral of `t^(input-1) e^-t` from 0 to infinity that lies below `other`.
   * `(*), (*) -> (*)`
   * @param input floating, not negative; it gets no gradient.
   * @param other the dtype of `input`, or promoted with it; not negative.
   * @throws {NotImplementedError} if the gradient of `input` is needed.
   * @example torch.igamma(torch.tensor([1.5, 4]), torch.tensor([1.5, 2])); // tensor([0.6084, 0.1429])
   */
  igamma: Documented;
  /**
   * The regularized upper incomplete gamma function: `1 - torch.igamma(input, other)`, computed without cancellation.
   * `(*), (*) -> (*)`
   * @example torch.igammac(torch.tensor([1.5, 4]), torch.tensor([1.5, 2])); // tensor([0.3916, 0.8571])
   */
  igammac: Documented;
  /**
   * A copy of `input` with slices of `source` added at `index`; if an index occurs twice, both slices are added.
   * @param alpha a factor for `source`.
   * @example torch.index_add(torch.ones(3), 0, torch.tensor([0, 0]), torch.tensor([1.5, 2])); // tensor([4.5000, 1.0000, 1.0000])
   */
  index_add: Documented;
  /**
   * A copy of `input` in which slices of `source` replace the slices at `index` along `dim`.
   * @throws {IndexError} "Number of indices (2) should be equal to source.size(dim) (3)" if the sizes do not match.
   * @example torch.index_copy(torch.zeros(3), 0, torch.tensor([2, 0]), torch.tensor([1.5, 2])); // tensor([2.0000, 0.0000, 1.5000])
   */
  index_copy: Documented;
  /**
   * A copy of `input` in which the slices at `index` along `dim` are filled with one value.
   * @example torch.index_fill(torch.zeros(3), 0, torch.tensor([0, -1]), 2.5); // tensor([2.5000, 0.0000, 2.5000])
   */
  index_fill: Documented;
  /**
   * A copy of `input` with `values` at the positions given by the index tensors.
   * @param indices one int64 or bool tensor per dimension.
   * @param accumulate true: `values` are added instead of replacing.
   * @example torch.index_put(torch.zeros(3), [torch.tensor([2])], torch.tensor([7.5])); // tensor([0.0000, 0.0000, 7.5000])
   */
  index_put: Documented;
  /**
   * Slices of `source` along `dim`, reduced into the slices of `input` at `index`.   `(*), (n), (*) -> (*)`
   * @param reduce "prod", "mean", "amax" or "amin".
   * @param include_self whether the old elements of `input` take part in the reduction; true by default.
   * @throws {IndexError} "index out of range in self".
   * @example torch.index_reduce(torch.ones(3), 0, torch.tensor([0, 2, 0]), torch.tensor([2, 3, 5.5]), "prod"); // tensor([11.,  1.,  3.])
   */
  index_reduce: Documented;
  /**
   * Sums of products along the last dim of both tensors.   `(*, n), (*, n) -> (*, *)`
   * @example torch.inner(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10])); // tensor([21, 43])
   */
  inner: Documented;
  /**
   * The slices at `index` along `dim`, in the order of `index`.
   * @param index one-dimensional, int64 or int32.
   * @returns a new tensor, which shares no storage with `input`.
   * @example torch.index_select(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([1, 1])); // tensor([[2, 2], [4, 4]])
   */
  index_select: Documented;
  /**
   * Instance normalization: each channel of each instance minus its own mean, divided by its standard deviation, then `* weight + bias`.   `(N, C, *) -> (N, C, *)`
   * @param weight `(C)` or None: 1 for each channel.
   * @param bias `(C)` or None: 0 for each channel.
   * @param running_mean `(C)` or None. With `use_input_stats` it moves by `momentum` towards the mean over all instances; otherwise it is the mean that is subtracted.
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
   * Whether the tensor carries the conjugate bit: its elements are read as conjugates.
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
   * Whether the tensor was created in inference mode.
   * @returns a JavaScript boolean.
   * @example torch.is_inference(torch.ones(1)); // False
   */
  is_inference: Documented;
  /**
   * Whether the tensor carries the negative bit: its elements are read with the opposite sign.
   * @returns a JavaScript boolean.
   * @example torch.is_neg(torch.ones(1)); // False
   */
  is_neg: Documented;
  /**
   * Whether the only element of the tensor is nonzero.
   * @returns a JavaScript boolean.
   * @throws {RuntimeError} "Boolean value of Tensor with more than one value is ambiguous"
   * @example torch.is_nonzero(torch.tensor([2.5])); // True
   */
  is_nonzero: Documented;
  /**
   * Whether both tensors have the same shape.
   * @returns a JavaScript boolean.
   * @example torch.is_same_size(torch.ones(2), torch.ones(3)); // False
   */
  is_same_size: Documented;
  /**
   * Whether the dtype can hold negative numbers.
   * @example torch.is_signed(torch.tensor([1])); // True
   */
  is_signed: Documented;
  /**
   * Whether `|input - other| <= atol + rtol * |other|`, element by element.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.isclose(torch.tensor([1.5, 2.5]), torch.tensor([1.5, 2.6])); // tensor([ True, False])
   */
  isclose: Documented;
  /**
   * Whether each element is finite, that is, neither infinite nor NaN.   `(*) -> (*)`
   * @returns bool.
   * @example torch.isfinite(torch.tensor([1.5, Infinity])); // tensor([ True, False])
   */
  isfinite: Documented;
  /**
   * Whether each element occurs in `test_elements`; the opposite with `invert`.   `(*), (*) -> (*)`
   * @param assume_unique true: the caller promises that both tensors have no repeated elements, which saves time.
   * @returns bool.
   * @throws {RuntimeError} "Unsupported input type encountered for isin(): Bool".
   * @example torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 5])); // tensor([False,  True, False])
   */
  isin: Documented;
  /**
   * Whether each element is infinite.   `(*) -> (*)`
   * @returns bool.
   * @example torch.isinf(torch.tensor([1.5, Infinity])); // tensor([False,  True])
   */
  isinf: Documented;
  /**
   * Whether each element is NaN.   `(*) -> (*)`
   * @returns bool.
   * @example torch.isnan(torch.tensor([1.5, NaN])); // tensor([False,  True])
   */
  isnan: Documented;
  /**
   * Kaiser window, made with the Bessel function I0; a larger `beta` gives a narrower window.   `-> (window_length)`
   * @param periodic true (the default): the window can be repeated without a break; false: it is symmetric.
   * @param beta 12 by default.
   * @example torch.kaiser_window(3, false, 0); // tensor([1., 1., 1.])
   */
  kaiser_window: Documented;
  /**
   * The `k`-th smallest element along `dim`, and its index.   `(*) -> (*) and (*)`
   * @param k counted from 1.
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
   * Whether each element is real; true for every tensor that is not complex.   `(*) -> (*)`
   * @example torch.isreal(torch.tensor([1.5, 2])); // tensor([True, True])
   */
  isreal: Documented;
  /**
   * Kullback-Leibler divergence between `target` and the log-probabilities `input`.   `(*), (*) -> ()`, or `(*)` unreduced
   * @param reduction 0: no reduction, 1: the mean, 2: the sum.
   * @throws {RuntimeError} "kl_div: Integral inputs not supported."
   * @example torch.kl_div(torch.tensor([-0.5, -1.5]), torch.tensor([0.5, 0.25])); // tensor([-0.0966,  0.0284])
   */
  kl_div: Documented;
  /**
   * Kronecker product: each element of `input` times the whole of `other`.   `(a, b), (c, d) -> (ac, bd)`
   * @example torch.kron(torch.tensor([1, 10]), torch.tensor([2, 3])); // tensor([ 2,  3, 20, 30])
   */
  kron: Documented;
  /**
   * Layer normalization: the last dims together, minus their mean, divided by their standard deviation, then `* weight + bias`.   `(*, normalized_shape) -> same`
   * @param normalized_shape the sizes of the last dims.
   * @param weight a tensor of shape `normalized_shape`, or None: 1.
   * @param bias a tensor of shape `normalized_shape`, or None: 0.
   * @param eps a small number added to the variance.
   * @example torch.layer_norm(torch.tensor([[1.5, 2.5], [10.5, 12.5]]), [2], null, null, 0.0); // tensor([[-1.,  1.], [-1.,  1.]])
   */
  layer_norm: Documented;
  /**
   * The least common multiple of integers.   `(*), (*) -> (*)`
   * @example torch.lcm(torch.tensor([4, 6]), torch.tensor([6, 10])); // tensor([12, 30])
   */
  lcm: Documented;
  /**
   * Whether `input <= other`, element by element; the operands are broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.le(torch.tensor([1, 2]), 1); // tensor([ True, False])
   */
  le: Documented;
  /**
   * Linear interpolation between two tensors: `input + weight * (end - input)`.   `(*), (*) -> (*)`
   * @param end a tensor with the dtype of `input`, floating.
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
   * Cholesky factor `L` of a positive definite `A = L L^T`, with a positive diagonal; with `upper`, its transpose.   `(*, n, n) -> (*, n, n)`
   * @throws {torch.linalg.LinAlgError} "linalg.cholesky: The factorization could not be completed because the input is not positive-definite (the leading minor of order 1 is not positive-definite)."
   * @example torch.linalg.cholesky(torch.tensor([[4]], { dtype: torch.float32 })); // tensor([[2.]])
   */
  linalg_cholesky: Documented;
  /**
   * `linalg.cholesky` without an error check. `info` is 0 on success, else the order of the leading minor that is not positive.   `(*, n, n) -> (*, n, n), (*)`
   * @example torch.linalg.cholesky_ex(torch.tensor([[4]], { dtype: torch.float32 })).info; // tensor(0, dtype=torch.int32)
   */
  linalg_cholesky_ex: Documented;
  /**
   * Condition number `|A| |A^-1|` of a matrix, by the norm `p`; the 2-norm by default.   `(*, m, n) -> (*)`
   * @example torch.linalg.cond(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor(2.)
   */
  linalg_cond: Documented;
  /**
   * The cross products of vectors along `dim`.   `(*), (*) -> (*)`
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
   * Eigenvalues of symmetric matrices in rising order, and eigenvectors as columns; only the triangle `UPLO` is read.   `(*, n, n) -> (*, n), (*, n, n)`
   * @throws {RuntimeError} "linalg.eigh: A must be batches of square matrices, but they are 3 by 2 matrices".
   * @example torch.linalg.eigh(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })).eigenvalues; // tensor([2., 4.])
   */
  linalg_eigh: Documented;
  /**
   * Eigenvalues of symmetric matrices in rising order.   `(*, n, n) -> (*, n)`
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
   * `linalg.inv` without an error check. `info` is 0 on success, else the number of the pivot that is zero.   `(*, n, n) -> (*, n, n), (*)`
   * @example torch.linalg.inv_ex(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })).info; // tensor(0, dtype=torch.int32)
   */
  linalg_inv_ex: Documented;
  /**
   * LU factorization `A = P L U`: a permutation matrix, a lower triangular matrix with ones on its diagonal, an upper triangular matrix.   `(*, m, n) -> (*, m, m), (*, m, k), (*, k, n)`
   * @example torch.linalg.lu(torch.tensor([[0, 1], [2, 0]], { dtype: torch.float32 })).U; // tensor([[2., 0.], [0., 1.]])
   */
  linalg_lu: Documented;
  /**
   * LU factorization with `L` and `U` packed into one matrix, and the row exchanges, numbered from 1.   `(*, m, n) -> (*, m, n), (*, k)`
   * @example torch.linalg.lu_factor(torch.tensor([[0, 1], [2, 0]], { dtype: torch.float32 })).pivots; // tensor([2, 2], dtype=torch.int32)
   */
  linalg_lu_factor: Documented;
  /**
   * `linalg.lu_factor` without an error check. `info` is 0 on success, else the number of the first pivot that is zero.   `(*, m, n) -> (*, m, n), (*, k), (*)`
   * @example torch.linalg.lu_factor_ex(torch.tensor([[0]], { dtype: torch.float32 })).info; // tensor(1, dtype=torch.int32)
   */
  linalg_lu_factor_ex: Documented;
  /**
   * The solution of `A X = B`, or of `X A = B`, computed from the result of `linalg.lu_factor` for `A`.   `(*, n, n), (*, n), (*, n, k) -> (*, n, k)`
   * @example torch.linalg.lu_solve(torch.tensor([[2]], { dtype: torch.float32 }), torch.tensor([1], { dtype: torch.int32 }), torch.tensor([[8]], { dtype: torch.float32 })); // tensor([[4.]])
   */
  linalg_lu_solve: Documented;
  /**
   * A norm of matrices: 'fro' and 'nuc'; 2 and -2 from the singular values; 1 and -1 from sums of columns; Infinity and -Infinity from sums of rows.   `(*, m, n) -> (*)`
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
   * Rank of a matrix: the number of singular values greater than a tolerance.   `(*, m, n) -> (*)`
   * @example torch.linalg.matrix_rank(torch.tensor([[1, 0], [0, 0]], { dtype: torch.float32 })); // tensor(1)
   */
  linalg_matrix_rank: Documented;
  /**
   * The product of two or more matrices, multiplied in the cheapest order; the first and the last may be vectors.
   * @example torch.linalg.multi_dot([torch.tensor([[2]], { dtype: torch.float32 }), torch.tensor([[3]], { dtype: torch.float32 })]); // tensor([[6.]])
   */
  linalg_multi_dot: Documented;
  /**
   * A vector norm if there is one dim, a matrix norm if there are two.   `(*) -> (*)`
   * @example torch.linalg.norm(torch.tensor([3, 4], { dtype: torch.float32 })); // tensor(5.)
   */
  linalg_norm: Documented;
  /**
   * The pseudoinverse of a matrix, computed from its singular values; values below a tolerance count as zero.   `(*, m, n) -> (*, n, m)`
   * @example torch.linalg.pinv(torch.tensor([[2]], { dtype: torch.float32 })); // tensor([[0.5000]])
   */
  linalg_pinv: Documented;
  /**
   * QR factorization `A = Q R`: `Q` has orthonormal columns, `R` is upper triangular.   `(*, m, n) -> (*, m, k), (*, k, n)`
   * @throws {RuntimeError} "linalg.qr: The input tensor A must have at least 2 dimensions."
   * @example torch.linalg.qr(torch.tensor([[3], [4]], { dtype: torch.float32 })).R; // tensor([[-5.]])
   */
  linalg_qr: Documented;
  /**
   * The sign of each determinant, and the logarithm of its absolute value.   `(*, n, n) -> (*), (*)`
   * @example torch.linalg.slogdet(torch.tensor([[-1]], { dtype: torch.float32 })).sign; // tensor(-1.)
   */
  linalg_slogdet: Documented;
  /**
   * The solution `X` of `A X = B`, or of `X A = B`; `B` may be a vector for each matrix.   `(*, n, n), (*, n, k) -> (*, n, k)`
   * @throws {torch.linalg.LinAlgError} "torch.linalg.solve: The solver failed because the input matrix is singular."
   * @example torch.linalg.solve(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 }), torch.tensor([4, 2], { dtype: torch.float32 })); // tensor([2.0000, 0.5000])
   */
  linalg_solve: Documented;
  /**
   * `linalg.solve` without an error check. `info` is 0 on success, else the number of the first pivot that is zero.   `(*, n, n), (*, n, k) -> (*, n, k), (*)`
   * @example torch.linalg.solve_ex(torch.tensor([[0]], { dtype: torch.float32 }), torch.tensor([[1]], { dtype: torch.float32 })).info; // tensor(1, dtype=torch.int32)
   */
  linalg_solve_ex: Documented;
  /**
   * The solution `X` of `A X = B`, or of `X A = B`, for a triangular `A`; only this triangle is read.   `(*, n, n), (*, n, k) -> (*, n, k)`
   * @example torch.linalg.solve_triangular(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 }), torch.tensor([[4], [2]], { dtype: torch.float32 }), { upper: true }); // tensor([[2.0000], [0.5000]])
   */
  linalg_solve_triangular: Documented;
  /**
   * Singular value decomposition `A = U diag(S) Vh`: orthonormal columns, singular values in falling order, orthonormal rows.   `(*, m, n) -> (*, m, m), (*, k), (*, n, n)`
   * @example torch.linalg.svd(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })).S; // tensor([4., 2.])
   */
  linalg_svd: Documented;
  /**
   * Singular values in falling order.   `(*, m, n) -> (*, k)`
   * @example torch.linalg.svdvals(torch.tensor([[2, 0], [0, 4]], { dtype: torch.float32 })); // tensor([4., 2.])
   */
  linalg_svdvals: Documented;
  /**
   * The powers 0, 1, ..., N - 1 of each number, along a new last dim.   `(*, n) -> (*, n, N)`
   * @example torch.linalg.vander(torch.tensor([1, 2, 3])); // tensor([[1, 1, 1], [1, 2, 4], [1, 3, 9]])
   */
  linalg_vander: Documented;
  /**
   * The dot product of vectors along `dim`.   `(*), (*) -> (*)`
   * @example torch.linalg.vecdot(torch.tensor([1, 2], { dtype: torch.float32 }), torch.tensor([3, 4], { dtype: torch.float32 })); // tensor(11.)
   */
  linalg_vecdot: Documented;
  /**
   * `steps` evenly spaced numbers from `start` to `end`, both included.
   * @throws {RuntimeError} "number of steps must be non-negative"
   * @example torch.linspace(0, 1, 5); // tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
   */
  linspace: Documented;
  /**
   * The natural logarithm of the absolute value of the gamma function.   `(*) -> (*)`
   * @example torch.lgamma(torch.tensor([0.5, 4])); // tensor([0.5724, 1.7918])
   */
  lgamma: Documented;
  /**
   * Natural logarithm of each element.   `(*) -> (*)`
   * @returns a floating tensor; NaN for negative elements, -inf for 0.
   * @example torch.log(torch.tensor([1.0, 2.5])); // tensor([0.0000, 0.9163])
   */
  log: Documented;
  /**
   * Logarithm to base 10.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.log10(torch.tensor([1, 2, 10])); // tensor([0.0000, 0.3010, 1.0000])
   */
  log10: Documented;
  /**
   * `log(1 + x)`, accurate also where `x` is close to 0.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.log1p(torch.tensor([0, 0.5, 1])); // tensor([0.0000, 0.4055, 0.6931])
   */
  log1p: Documented;
  /**
   * Logarithm to base 2.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.log2(torch.tensor([1, 2, 10])); // tensor([0.0000, 1.0000, 3.3219])
   */
  log2: Documented;
  /**
   * Logarithm of `softmax` along `dim`, computed in one step so that nothing overflows.   `(*) -> (*)`
   * @example torch.log_softmax(torch.tensor([0.5, 0.5]), 0); // tensor([-0.6931, -0.6931])
   */
  log_softmax: Documented;
  /**
   * The logarithm of the sum of exponentials of all elements up to each position along `dim`.   `(*) -> (*)`
   * @example torch.logcumsumexp(torch.zeros(3), 0); // tensor([0.0000, 0.6931, 1.0986])
   */
  logcumsumexp: Documented;
  /**
   * `log(e^input + e^other)`, computed without overflow.   `(*), (*) -> (*)`
   * @example torch.logaddexp(torch.tensor([1000.5, 0]), torch.tensor([1000.5, 0])); // tensor([1.0012e+03, 6.9315e-01])
   */
  logaddexp: Documented;
  /**
   * `log2(2^input + 2^other)`, computed without overflow.   `(*), (*) -> (*)`
   * @example torch.logaddexp2(torch.tensor([1000.5, 0]), torch.tensor([1000.5, 0])); // tensor([1.0015e+03, 1.0000e+00])
   */
  logaddexp2: Documented;
  /**
   * The logarithm of each determinant; NaN if the determinant is negative.   `(*, n, n) -> (*)`
   * @example torch.logdet(torch.tensor([[1]], { dtype: torch.float32 })); // tensor(0.)
   */
  logdet: Documented;
  /**
   * Whether both elements are nonzero; the operands are broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.logical_and(torch.tensor([1, 0]), torch.tensor([1, 1])); // tensor([ True, False])
   */
  logical_and: Documented;
  /**
   * Whether each element is zero.   `(*) -> (*)`
   * @returns bool.
   * @example torch.logical_not(torch.tensor([1, 0])); // tensor([False,  True])
   */
  logical_not: Documented;
  /**
   * Whether at least one of the two elements is nonzero; the operands are broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.logical_or(torch.tensor([1, 0]), torch.tensor([0, 0])); // tensor([ True, False])
   */
  logical_or: Documented;
  /**
   * Whether exactly one of the two elements is nonzero; the operands are broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.logical_xor(torch.tensor([0, 0, 2]), torch.tensor([0, 1, 1])); // tensor([False,  True, False])
   */
  logical_xor: Documented;
  /**
   * `base` to the power of `steps` evenly spaced numbers from `start` to `end`, both included.
   * @example torch.logspace(0, 2, 3); // tensor([  1.,  10., 100.])
   */
  logspace: Documented;
  /**
   * `log(sum(exp(input)))` along `dim`, computed without overflow.   `(*) -> (*)`
   * @example torch.logsumexp(torch.tensor([1000.5, 1000.5]), 0); // tensor(1001.1932)
   */
  logsumexp: Documented;
  /**
   * A stack of long short-term memory (LSTM) layers.   `(T, N, I), [(layers, N, H), (layers, N, H)] -> (T, N, H), (layers, N, H), (layers, N, H)`
   * @param hx the hidden state and the cell state of all layers and directions.
   * @param params one list with `weight_ih, weight_hh, bias_ih, bias_hh` for each layer and direction; the gates are in the order input, forget, cell, output.
   * @see nn.LSTM
   * @example torch.lstm(torch.zeros(1, 1, 1), [torch.zeros(1, 1, 1), torch.ones(1, 1, 1)], [torch.zeros(4, 1), torch.zeros(4, 1)], false, 1, 0.0, false, false, false)[2]; // tensor([[[0.5000]]])
   */
  lstm: Documented;
  /**
   * One step of a long short-term memory (LSTM) cell: the next hidden state and the next cell state.   `(N, I), [(N, H), (N, H)] -> (N, H), (N, H)`
   * @example torch.lstm_cell(torch.zeros(1, 1), [torch.zeros(1, 1), torch.ones(1, 1)], torch.zeros(4, 1), torch.zeros(4, 1))[1]; // tensor([[0.5000]])
   */
  lstm_cell: Documented;
  /**
   * `log(x / (1 - x))`, the inverse of sigmoid; NaN for elements outside [0, 1].   `(*) -> (*)`
   * @param eps the elements are first clamped to [eps, 1 - eps].
   * @example torch.logit(torch.tensor([0.25, 0.5])); // tensor([-1.0986,  0.0000])
   */
  logit: Documented;
  /**
   * Whether `input < other`, element by element; the operands are broadcast.   `(*), (*) -> (*)`
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
   * The matrices `P`, `L` and `U` from the packed result of `torch.linalg.lu_factor`.   `(*, m, n), (*, k) -> (*, m, m), (*, m, k), (*, k, n)`
   * @example torch.lu_unpack(torch.tensor([[2]], { dtype: torch.float32 }), torch.tensor([1], { dtype: torch.int32 })).L; // tensor([[1.]])
   */
  lu_unpack: Documented;
  /**
   * Margin ranking loss: `max(0, margin - target * (input1 - input2))`.   `(*), (*), (*) -> ()`, or `(*)` unreduced
   * @param reduction 0: no reduction, 1: the mean, 2: the sum.
   * @example torch.margin_ranking_loss(torch.tensor([0.5]), torch.tensor([2.5]), torch.tensor([1])); // tensor([2.])
   */
  margin_ranking_loss: Documented;
  /**
   * A copy of `input` in which the elements where `mask` is true are replaced by `value`.   `(*), (*) -> (*)`
   * @param mask bool; broadcasts to `input`.
   * @example torch.masked_fill(torch.tensor([1, 2]), torch.tensor([true, false]), 7); // tensor([7, 2])
   */
  masked_fill: Documented;
  /**
   * A copy of `input` in which the elements where `mask` is true are replaced by elements of `source`, in order.
   * @throws {RuntimeError} if `source` has too few elements.
   * @example torch.masked_scatter(torch.zeros(3), torch.tensor([true, false, true]), torch.tensor([1.5, 2.5])); // tensor([1.5000, 0.0000, 2.5000])
   */
  masked_scatter: Documented;
  /**
   * The elements where `mask` is true, in one dimension.   `(*), (*) -> (n)`
   * @example torch.masked_select(torch.tensor([1, 2, 3]), torch.tensor([true, false, true])); // tensor([1, 3])
   */
  masked_select: Documented;
  /**
   * Matrix product, chosen by the number of dimensions: dot product, matrix times vector, matrix times matrix, or batches of these.
   * @throws {RuntimeError} "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
   * @example torch.matmul(torch.ones(2, 3), torch.ones(3)); // tensor([3., 3.])
   */
  matmul: Documented;
  /**
   * Matrix exponential `I + A + A^2 / 2 + A^3 / 6 + ...` of each matrix.   `(*, n, n) -> (*, n, n)`
   * @example torch.matrix_exp(torch.zeros(2, 2)); // tensor([[1., 0.], [0., 1.]])
   */
  matrix_exp: Documented;
  /**
   * Another name of `torch.linalg.matrix_power`.   `(*, n, n) -> (*, n, n)`
   * @example torch.matrix_power(torch.tensor([[2]], { dtype: torch.float32 }), 3); // tensor([[8.]])
   */
  matrix_power: Documented;
  /**
   * The largest element; with `dim`, the largest values along it and their indices; with a second tensor, `maximum`, element by element.
   * @example torch.max(torch.tensor([1, 3, 2])); // tensor(3)
   */
  max: Documented;
  /**
   * Maximum of each window along the last dim.   `(N, C, L) -> (N, C, L')`
   * @param stride the distance between two windows; `kernel_size` if it is not given.
   * @example torch.max_pool1d(torch.tensor([[1.5, 2, 3, 5]]), 2); // tensor([[2., 5.]])
   */
  max_pool1d: Documented;
  /**
   * `max_pool1d`, together with the indices of the maxima.   `(N, C, L) -> (N, C, L'), (N, C, L')`
   * @example torch.max_pool1d_with_indices(torch.tensor([[1.5, 2, 3, 5]]), 2)[1]; // tensor([[1, 3]])
   */
  max_pool1d_with_indices: Documented;
  /**
   * Maximum of each window over an image.   `(N, C, H, W) -> (N, C, H', W')`
   * @param stride the distance between two windows; `kernel_size` if it is not given.
   * @param padding the number of positions added at each edge, which count as minus infinity; at most half of the window.
   * @example torch.max_pool2d(torch.tensor([[[1.5, 2], [3, 5]]]), 2); // tensor([[[5.]]])
   */
  max_pool2d: Documented;
  /**
   * Maximum of each window through a volume.   `(N, C, D, H, W) -> (N, C, D', H', W')`
   * @param stride the distance between two windows; `kernel_size` if it is not given.
   * @example torch.max_pool3d(torch.arange(8).reshape(1, 2, 2, 2), 2); // tensor([[[[7]]]])
   */
  max_pool3d: Documented;
  /**
   * The larger of the two elements; NaN if one of them is NaN.   `(*), (*) -> (*)`
   * @example torch.maximum(torch.tensor([1, 4]), torch.tensor([2, 3])); // tensor([2, 4])
   */
  maximum: Documented;
  /**
   * Mean of all elements, or along `dim`.   `(*) -> ()`
   * @throws {RuntimeError} "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long"
   * @example torch.mean(torch.tensor([1.5, 2.5])); // tensor(2.)
   */
  mean: Documented;
  /**
   * Coordinate grids: one view for each vector, all of the same shape.
   * @param kwargs `indexing`: "ij" puts the first vector along the rows, "xy" along the columns.
   * @example torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4]), { indexing: "ij" })[0]; // tensor([[1, 1], [2, 2]])
   */
  meshgrid: Documented;
  /**
   * The median of all elements, or along `dim`; the smaller one if there are two middle elements; NaN if an element is NaN.   `(*) -> ()`
   * @returns one tensor; with `dim`, a pair named `values`, `indices`.
   * @example torch.median(torch.tensor([4, 1, 3, 2])); // tensor(2)
   */
  median: Documented;
  /**
   * The smallest element; with `dim`, the smallest values along it and their indices; with a second tensor, `minimum`, element by element.
   * @example torch.min(torch.tensor([3, 1, 2])); // tensor(1)
   */
  min: Documented;
  /**
   * The smaller of the two elements; NaN if one of them is NaN.   `(*), (*) -> (*)`
   * @example torch.minimum(torch.tensor([1, 4]), torch.tensor([2, 3])); // tensor([1, 3])
   */
  minimum: Documented;
  /**
   * The convolution used for float32 on the CPU. PyTorch calls oneDNN; here our own loops compute it.   `(N, C, *), (K, C / groups, *) -> (N, K, *)`
   * @param padding comes before `stride`, unlike in `conv2d`.
   * @example torch.mkldnn_convolution(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2), null, [0, 0], [1, 1], [1, 1], 1); // tensor([[[[4.]]]])
   */
  mkldnn_convolution: Documented;
  /**
   * One direction of one LSTM layer in float32, with a workspace for the gradient.   `(T, N, I), (N, H), (N, H) -> (T, N, H), (N, H), (N, H), bytes`
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
   * A view with dimensions moved to other positions; the remaining dimensions keep their order.
   * @example torch.movedim(torch.ones(1, 2, 3), 0, 2).shape; // [2, 3, 1]
   */
  movedim: Documented;
  /**
   * The most frequent element along `dim` (the smallest one if several are equally frequent), and an index where it occurs.   `(*) -> (*) and (*)`
   * @example torch.mode(torch.tensor([2, 1, 2, 3])).values; // tensor(2)
   */
  mode: Documented;
  /**
   * The elements sorted along the first dim.   `(*) -> (*)`
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
   * Random indices of categories, drawn with the probabilities that `input` is proportional to.   `(C) -> (num_samples)`, `(N, C) -> (N, num_samples)`
   * @param replacement whether a category may be drawn more than once.
   * @throws {RuntimeError} "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
   * @example torch.multinomial(torch.tensor([0, 1.5, 0]), 4, true); // tensor([1, 1, 1, 1])
   */
  multinomial: Documented;
  /**
   * Another name of `torch.mul`.   `(*), (*) -> (*)`
   * @example torch.multiply(torch.tensor([1.5, 2]), 2); // tensor([3., 4.])
   */
  multiply: Documented;
  /**
   * Product of a matrix and a vector.   `(n, m), (m) -> (n)`
   * @example torch.mv(torch.ones(2, 3), torch.ones(3)); // tensor([3., 3.])
   */
  mv: Documented;
  /**
   * The logarithm of the multivariate gamma function with `p` dimensions.   `(*) -> (*)`
   * @example torch.mvlgamma(torch.tensor([2.5, 4]), 2); // tensor([0.8570, 3.5651])
   */
  mvlgamma: Documented;
  /**
   * The mean of the elements that are not NaN, in the whole tensor or along `dim`.   `(*) -> ()`
   * @throws {RuntimeError} "nanmean(): expected input to have floating point or complex dtype but got Long" for integers.
   * @example torch.nanmean(torch.tensor([1, NaN, 2])); // tensor(1.5000)
   */
  nanmean: Documented;
  /**
   * The median of the elements that are not NaN, in the whole tensor or along `dim`.   `(*) -> ()`
   * @returns one tensor; with `dim`, a pair named `values`, `indices`.
   * @example torch.nanmedian(torch.tensor([NaN, 1, 3])); // tensor(1.)
   */
  nanmedian: Documented;
  /**
   * `quantile` of the elements that are not NaN.   `(*) -> () or (q, *)`
   * @example torch.nanquantile(torch.tensor([0.5, Number.NaN, 2]), 0.5); // tensor(1.2500)
   */
  nanquantile: Documented;
  /**
   * The sum of the elements that are not NaN, in the whole tensor or along `dim`.   `(*) -> ()`
   * @param dtype the elements are converted to it first; if it is not given, integers become int64.
   * @example torch.nansum(torch.tensor([1, NaN, 2])); // tensor(3.)
   */
  nansum: Documented;
  /**
   * A copy of `input` with NaN and infinities replaced by finite numbers.   `(*) -> (*)`
   * @param nan the replacement for NaN; 0 by default.
   * @param posinf the replacement for infinity; by default the largest finite number of the dtype. `neginf` is by default the lowest one.
   * @example torch.nan_to_num(torch.tensor([NaN, Infinity, 1.5]), 0, 7); // tensor([0.0000, 7.0000, 1.5000])
   */
  nan_to_num: Documented;
  /**
   * A view of `length` elements along `dim`, beginning at `start`.
   * @throws {RuntimeError} "start (1) + length (3) exceeds dimension size (2)."
   * @example torch.narrow(torch.arange(5), 0, 1, 3); // tensor([1, 2, 3])
   */
  narrow: Documented;
  /**
   * A copy of `length` elements along `dim`, beginning at `start`.
   * @example torch.narrow_copy(torch.arange(5), 0, 1, 3); // tensor([1, 2, 3])
   */
  narrow_copy: Documented;
  /**
   * Batch normalization with the values that the backward pass needs: the result, and the mean and `1 / sqrt(var + eps)` of each channel. `batch_norm` calls it.
   * @returns `(N, C, *), (C), (C)`; if `training` is false, the last two are empty.
   * @example torch.native_batch_norm(torch.tensor([[1.5], [2.5]]), null, null, null, null, true, 0.1, 0.0)[1]; // tensor([2.])
   */
  native_batch_norm: Documented;
  /**
   * `channel_shuffle` as a backend implements it; it is not differentiable there.   `(N, C, *) -> (N, C, *)`
   * @example torch.native_channel_shuffle(torch.arange(4).reshape(1, 4, 1), 2); // tensor([[[0], [2], [1], [3]]])
   */
  native_channel_shuffle: Documented;
  /**
   * Dropout, and the mask of the elements that were kept.   `(*) -> (*), (*)`
   * @example torch.native_dropout(torch.ones(2), 0.5, false)[1]; // tensor([True, True])
   */
  native_dropout: Documented;
  /**
   * Group normalization with the values that the backward pass needs: the result, and the mean and `1 / sqrt(var + eps)` of each group. `group_norm` calls it.   `(N, C, *) -> (N, C, *), (N, group), (N, group)`
   * @example torch.native_group_norm(torch.tensor([[1.5, 2.5, 10.5, 12.5]]), null, null, 1, 4, 1, 2, 0.0)[1]; // tensor([[ 2.0000, 11.5000]])
   */
  native_group_norm: Documented;
  /**
   * Layer normalization with the values that the backward pass needs: the result, and the mean and `1 / sqrt(var + eps)` of each row. `layer_norm` calls it.
   * @example torch.native_layer_norm(torch.tensor([[1.5, 2.5], [10.5, 12.5]]), [2], null, null, 0.0)[1]; // tensor([[ 2.0000], [11.5000]])
   */
  native_layer_norm: Documented;
  /**
   * Whether the two elements differ; the operands are broadcast.   `(*), (*) -> (*)`
   * @returns bool.
   * @example torch.ne(torch.tensor([1, 2]), 2); // tensor([ True, False])
   */
  ne: Documented;
  /**
   * Every element with the opposite sign.   `(*) -> (*)`
   * @throws {RuntimeError} for bool.
   * @example torch.neg(torch.tensor([1.5, -2])); // tensor([-1.5000,  2.0000])
   */
  neg: Documented;
  /**
   * Another name of `torch.neg`.   `(*) -> (*)`
   * @example torch.negative(torch.tensor([1.5, -2])); // tensor([-1.5000,  2.0000])
   */
  negative: Documented;
  /**
   * The first `size` rows of `nonzero`; missing rows are filled with `fill_value`.   `(*) -> (size, dims)`
   * @param fill_value -1 by default.
   * @throws {RuntimeError} "nonzero_static: 'size' must be an non-negative integer".
   * @example torch.nonzero_static(torch.tensor([1, 0, 2]), { size: 3 }); // tensor([[ 0], [ 2], [-1]])
   */
  nonzero_static: Documented;
  /**
   * The `p`-norm of all elements, or along `dim`: `sum(abs(x) ** p) ** (1 / p)`. For `p` Infinity it is the largest absolute value, for 0 the number of nonzero elements.   `(*) -> ()`
   * @param p a number, or `"fro"`, the 2-norm.
   * @throws {RuntimeError} "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long" for integers.
   * @example torch.norm(torch.tensor([1.5, 2])); // tensor(2.5000)
   */
  norm: Documented;
  /**
   * The `pow`-norm over all dims except `dim`, which keep size 1; if `dim` is -1, the norm of all elements.
   * @example torch.norm_except_dim(torch.tensor([[3, 4.5], [0, 2]]), 2, 0); // tensor([[5.4083], [2.0000]])
   */
  norm_except_dim: Documented;
  /**
   * Normally distributed random numbers with the given `mean` and standard deviation `std`; each of them is a number or a tensor.
   * @param size the size of the result, if both are numbers.
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
   * A tensor of the given size in which every element is 1.
   * @param kwargs `dtype`, `device`, `layout`, `requires_grad`, `out`.
   * @example torch.ones(2); // tensor([1., 1.])
   */
  ones: Documented;
  /**
   * A tensor with the size, dtype and device of `input` in which every element is 1.
   * @example torch.ones_like(torch.tensor([5, 6])); // tensor([1, 1])
   */
  ones_like: Documented;
  /**
   * Another name of `torch.linalg.householder_product`.   `(*, m, n), (*, k) -> (*, m, n)`
   * @example torch.orgqr(torch.tensor([[1.5]]), torch.tensor([2], { dtype: torch.float32 })); // tensor([[-1.]])
   */
  orgqr: Documented;
  /**
   * The product of `other` and the orthogonal matrix that `geqrf` describes (or its transpose), which is multiplied from the left or from the right.   `(*, m, n), (*, k), (*, m, p) -> (*, m, p)`
   * @example torch.ormqr(torch.tensor([[1.5]]), torch.tensor([2], { dtype: torch.float32 }), torch.tensor([[3.5]])); // tensor([[-3.5000]])
   */
  ormqr: Documented;
  /**
   * Outer product: each element of one vector times each element of the other.   `(n), (m) -> (n, m)`
   * @example torch.outer(torch.tensor([1, 2]), torch.tensor([3, 4])); // tensor([[3, 4], [6, 8]])
   */
  outer: Documented;
  /**
   * The `p`-norm of `x1 - x2 + eps` along the last dim.   `(N, D), (N, D) -> (N)`
   * @example torch.pairwise_distance(torch.tensor([[3.5, 0]]), torch.tensor([[0.5, 4]])); // tensor([5.])
   */
  pairwise_distance: Documented;
  /**
   * Distances, by the p-norm, between all pairs of rows: row 0 and each later row, row 1 and each later row, and so on.   `(N, M) -> (N (N - 1) / 2)`
   * @example torch.pdist(torch.tensor([[0, 0], [3, 4]], { dtype: torch.float32 })); // tensor([5.])
   */
  pdist: Documented;
  /**
   * A view with dimensions in another order.
   * @param dims every dimension exactly once.
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
   * Groups of `upscale_factor ** 2` channels rearranged as squares of pixels.   `(*, C * r * r, H, W) -> (*, C, H * r, W * r)`
   * @throws {RuntimeError} "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=3 is not divisible by 4".
   * @example torch.pixel_shuffle(torch.arange(4).reshape(4, 1, 1), 2); // tensor([[[0, 1], [2, 3]]])
   */
  pixel_shuffle: Documented;
  /**
   * Squares of pixels rearranged as channels: the inverse of `pixel_shuffle`.   `(*, C, H * r, W * r) -> (*, C * r * r, H, W)`
   * @example torch.pixel_unshuffle(torch.tensor([[[0, 1], [2, 3]]]), 2); // tensor([[[0]], [[1]], [[2]], [[3]]])
   */
  pixel_unshuffle: Documented;
  /**
   * Random numbers from Poisson distributions whose rates are the elements of `input`.   `(*) -> (*)`
   * @throws {RuntimeError} "invalid Poisson rate, expected rate to be non-negative".
   * @example torch.poisson(torch.tensor([0, 1000.5])).gt(500); // tensor([False,  True])
   */
  poisson: Documented;
  /**
   * Negative log likelihood of the counts `target` under Poisson distributions whose rate is `exp(input)`, or `input` if `log_input` is false.   `(*), (*) -> ()`, or `(*)` unreduced
   * @param full true: adds Stirling's approximation of `log(target!)`.
   * @param reduction 0: no reduction, 1: the mean, 2: the sum.
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
   * `input` itself, like `+x` in Python.
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
   * @param input `(N, C, *)`, floating. Dim 1 is the channel; a tensor with fewer than two dims has one channel.
   * @param weight `(C)` or `(1)`, dtype of `input`; a plain ratio, no unit.
   * @throws {RuntimeError} "Type promoting not supported" if dtypes differ; "Mismatch of parameter numbers" if `C` is wrong.
   * @example torch.prelu(torch.tensor([-2.5, 3]), torch.tensor([0.25])); // tensor([-0.6250,  3.0000])
   */
  prelu: Documented;
  /**
   * The product of all elements, or along `dim`.   `(*) -> ()`
   * @param dtype the elements are converted to it first; if it is not given, integers become int64.
   * @example torch.prod(torch.tensor([2, 3, 4])); // tensor(24)
   */
  prod: Documented;
  /**
   * The promoted dtype of two dtypes, for example `torch.int16` for `torch.int8` and `torch.uint8`.
   * @returns a dtype.
   * @example torch.promote_types(torch.int32, torch.float32); // torch.float32
   */
  promote_types: Documented;
  /**
   * A copy of `input` in which elements of `source` replace those at `index`, where `index` counts in the flattened tensor.
   * @param accumulate true: the elements are added instead of replacing.
   * @example torch.put(torch.zeros(2, 2), torch.tensor([3, 0]), torch.tensor([1.5, 2])); // tensor([[2.0000, 0.0000], [0.0000, 1.5000]])
   */
  put: Documented;
  /**
   * An older form of `torch.linalg.qr`.   `(*, m, n) -> (*, m, k), (*, k, n)`
   * @example torch.qr(torch.tensor([[2]], { dtype: torch.float32 })).R; // tensor([[2.]])
   */
  qr: Documented;
  /**
   * The `q`-quantile of all elements, or along `dim`: a fraction `q` of the elements lies below it. `interpolation` says how to choose between two elements.   `(*) -> () or (q, *)`
   * @throws {RuntimeError} "quantile() q must be in the range [0, 1] but got 1.5".
   * @example torch.quantile(torch.tensor([0.5, 1, 2]), 0.75); // tensor(1.5000)
   */
  quantile: Documented;
  /**
   * Radians converted to degrees.   `(*) -> (*)`
   * @example torch.rad2deg(torch.tensor([1.5, 3])); // tensor([ 85.9437, 171.8873])
   */
  rad2deg: Documented;
  /**
   * Random numbers, uniformly distributed in [0, 1).
   * @param kwargs `generator`, `dtype`, `device`, `requires_grad`.
   * @example torch.rand(2, 3).shape; // [2, 3]
   */
  rand: Documented;
  /**
   * Random numbers, uniformly distributed in [0, 1), with the size, dtype and device of `input`.
   * @example torch.rand_like(torch.ones(2)).shape; // [2]
   */
  rand_like: Documented;
  /**
   * Random integers from `low` (default 0) up to but not including `high`.
   * @returns int64 unless `dtype` is given.
   * @example torch.randint(1, [2]); // tensor([0, 0])
   */
  randint: Documented;
  /**
   * Random integers from `low` (default 0) up to but not including `high`, in the shape of `input`.
   * @example torch.randint_like(torch.ones(2, 3), 10).shape; // [2, 3]
   */
  randint_like: Documented;
  /**
   * Random numbers from the normal distribution with mean 0 and standard deviation 1.
   * @param kwargs `generator`, `dtype`, `device`, `requires_grad`.
   * @example torch.randn(2, 3).shape; // [2, 3]
   */
  randn: Documented;
  /**
   * Random numbers from the standard normal distribution, with the size, dtype and device of `input`.
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
   * The elements flattened to one dimension; a copy only if they are not contiguous.
   * @example torch.ravel(torch.tensor([[1, 2], [3, 4]])); // tensor([1, 2, 3, 4])
   */
  ravel: Documented;
  /**
   * The real parts; a real tensor is returned itself, not copied.   `(*) -> (*)`
   * @example torch.real(torch.tensor([1.5])); // tensor([1.5000])
   */
  real: Documented;
  /**
   * `1 / x` of each element.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.reciprocal(torch.tensor([2, 4])); // tensor([0.5000, 0.2500])
   */
  reciprocal: Documented;
  /**
   * `max(0, x)`, element by element.   `(*) -> (*)`
   * @example torch.relu(torch.tensor([-1.5, 2])); // tensor([0., 2.])
   */
  relu: Documented;
  /**
   * The remainder of a division that rounds down; it has the sign of `other`, like `%` in Python.   `(*), (*) -> (*)`
   * @example torch.remainder(torch.tensor([-3.5, 3.5]), 2); // tensor([0.5000, 1.5000])
   */
  remainder: Documented;
  /**
   * Each element, or each slice along `dim`, repeated. If only `repeats` is given: each index `i`, repeated `repeats[i]` times.
   * @param repeats a number, or a tensor with one per slice.
   * @example torch.repeat_interleave(torch.tensor([1, 2]), torch.tensor([3, 1])); // tensor([1, 1, 1, 2])
   */
  repeat_interleave: Documented;
  /**
   * Resizes `input` in place to the size of `the_template`; `input` must not require grad.
   * @example torch.resize_as_(torch.ones(4), torch.zeros(2, 2)); // tensor([[1., 1.], [1., 1.]])
   */
  resize_as_: Documented;
  /**
   * A copy of `input` in which slices along `dim` with a `p`-norm above `maxnorm` are scaled down to it.   `(*) -> (*)`
   * @throws {RuntimeError} "renorm: input needs at least 2 dimensions, got 1 dimensions".
   * @example torch.renorm(torch.tensor([[1.5, 2], [0.3, 0.4]]), 2, 0, 1); // tensor([[0.6000, 0.8000], [0.3000, 0.4000]])
   */
  renorm: Documented;
  /**
   * The elements in another shape: a view if the strides allow it, else a copy.
   * @param shape one size may be -1; it is computed from the others.
   * @throws {RuntimeError} "shape '[3]' is invalid for input of size 2"
   * @example torch.reshape(torch.arange(4), [2, 2]); // tensor([[0, 1], [2, 3]])
   */
  reshape: Documented;
  /**
   * The tensor with a pending conjugation carried out.
   * @example torch.resolve_conj(torch.tensor([1.5])); // tensor([1.5000])
   */
  resolve_conj: Documented;
  /**
   * The tensor with a pending negation carried out.
   * @example torch.resolve_neg(torch.tensor([1.5])); // tensor([1.5000])
   */
  resolve_neg: Documented;
  /**
   * The dtype of the result of an operation on both operands.
   * @returns a dtype.
   * @example torch.result_type(torch.tensor([1, 2]), 2.5); // torch.float32
   */
  result_type: Documented;
  /**
   * Root mean square normalization: the last dims together, divided by their root mean square, then `* weight`.   `(*, normalized_shape) -> same`
   * @param normalized_shape the sizes of the last dims.
   * @param weight a tensor of shape `normalized_shape`, or None: 1.
   * @param eps a small number added to the mean of the squares; None: the machine epsilon of the dtype.
   * @example torch.rms_norm(torch.tensor([[3.5, -3.5]]), [2]); // tensor([[ 1., -1.]])
   */
  rms_norm: Documented;
  /**
   * `x` if it is positive, else `x` times a slope between `lower` and `upper`. In training the slope is random for each element, otherwise it is the middle of the range.   `(*) -> (*)`
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
   * One step `relu(w_ih x + b_ih + w_hh h + b_hh)` of a recurrent cell.   `(N, I), (N, H) -> (N, H)`
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
   * One step `tanh(w_ih x + b_ih + w_hh h + b_hh)` of a recurrent cell.   `(N, I), (N, H) -> (N, H)`
   * @example torch.rnn_tanh_cell(torch.ones(1, 1), torch.zeros(1, 1), torch.ones(1, 1), torch.ones(1, 1)); // tensor([[0.7616]])
   */
  rnn_tanh_cell: Documented;
  /**
   * The elements shifted along `dims`; elements that leave at the end return at the beginning. Without `dims`, the flattened tensor is shifted.
   * @example torch.roll(torch.tensor([1, 2, 3]), 1); // tensor([3, 1, 2])
   */
  roll: Documented;
  /**
   * A copy rotated `k` times by 90 degrees, from the first of `dims` towards the second.
   * @example torch.rot90(torch.tensor([[1, 2], [3, 4]])); // tensor([[2, 4], [1, 3]])
   */
  rot90: Documented;
  /**
   * Each element rounded to the nearest integer; a value halfway between two integers is rounded to the even one.   `(*) -> (*)`
   * @param decimals the number of digits kept after the decimal point; negative values round to tens, hundreds, ...
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
   * A 0-dim tensor with the given value.
   * @returns the default dtype unless `dtype` is given.
   * @example torch.scalar_tensor(2.5); // tensor(2.5000)
   */
  scalar_tensor: Documented;
  /**
   * A copy of `input` in which `src` (or `value`) is written to the positions `index` along `dim`.
   * @param index int64.
   * @example torch.scatter(torch.zeros(3), 0, torch.tensor([2]), torch.tensor([1.5])); // tensor([0.0000, 0.0000, 1.5000])
   */
  scatter: Documented;
  /**
   * A copy of `input` in which `src` is added at the positions `index` along `dim`.
   * @param index int64; if a position occurs twice, both elements are added.
   * @example torch.scatter_add(torch.zeros(3), 0, torch.tensor([2, 2]), torch.tensor([1.5, 1.5])); // tensor([0., 0., 3.])
   */
  scatter_add: Documented;
  /**
   * A copy of `input` in which elements of `src` are reduced into the positions `index` along `dim`.
   * @param reduce "sum", "prod", "mean", "amax" or "amin".
   * @param include_self whether the old elements of `input` take part in the reduction.
   * @example torch.scatter_reduce(torch.zeros(2), 0, torch.tensor([0, 0, 1]), torch.tensor([1.5, 2, 3]), "amax"); // tensor([2., 3.])
   */
  scatter_reduce: Documented;
  /**
   * The positions at which the elements of `input` can be inserted into `sorted_sequence` so that it stays sorted.   `(*, n), (*, m) -> (*, m)`
   * @param right true: the position after equal elements.
   * @throws {RuntimeError} "torch.searchsorted(): side can only be 'left' or 'right' but got middle".
   * @example torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 4])); // tensor([1, 2])
   */
  searchsorted: Documented;
  /**
   * A view of the slice at `index` along `dim`; this dimension is removed.
   * @throws {IndexError} "select(): index 5 out of range for tensor of size [2] at dimension 0"
   * @example torch.select(torch.tensor([[1, 2], [3, 4]]), 0, 1); // tensor([3, 4])
   */
  select: Documented;
  /**
   * A copy of the slice at `index` along `dim`.
   * @example torch.select_copy(torch.tensor([[1, 2], [3, 4]]), 0, 1); // tensor([3, 4])
   */
  select_copy: Documented;
  /**
   * A copy of `input` in which `src` replaces the slice at `index` of `dim`; the strides are kept.
   * @example torch.select_scatter(torch.zeros(2, 2), torch.tensor([1.5, 2]), 0, 1); // tensor([[0.0000, 0.0000], [1.5000, 2.0000]])
   */
  select_scatter: Documented;
  /**
   * `scale * (max(0, x) + min(0, alpha * (exp(x) - 1)))`; the two constants keep mean and variance stable from layer to layer.   `(*) -> (*)`
   * @example torch.selu(torch.tensor([-1.5, 2])); // tensor([-1.3658,  2.1014])
   */
  selu: Documented;
  /**
   * The sign of each element; `x / |x|` for complex numbers.   `(*) -> (*)`
   * @example torch.sgn(torch.tensor([-2.5, 0, 3])); // tensor([-1.,  0.,  1.])
   */
  sgn: Documented;
  /**
   * `1 / (1 + exp(-x))`, element by element.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
   * @example torch.sigmoid(torch.tensor([0.0]).float()); // tensor([0.5000])
   */
  sigmoid: Documented;
  /**
   * The sign of each element: -1, 0 or 1.   `(*) -> (*)`
   * @returns the dtype of `input`; 0 for NaN.
   * @example torch.sign(torch.tensor([-2.5, 0, 3])); // tensor([-1.,  0.,  1.])
   */
  sign: Documented;
  /**
   * Whether the sign bit of each element is set: for negative numbers and for -0.   `(*) -> (*)`
   * @example torch.signbit(torch.tensor([-1.5, 0])); // tensor([ True, False])
   */
  signbit: Documented;
  /**
   * Sine of each element, in radians.   `(*) -> (*)`
   * @returns a floating tensor, also for integers.
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
   * A copy of every `step`-th slice along `dim`, from `start` up to but not including `end`.
   * @example torch.slice_copy(torch.arange(5), 0, 1, 5, 2); // tensor([1, 3])
   */
  slice_copy: Documented;
  /**
   * A copy of `input` in which `src` replaces the slice from `start` up to but not including `end`; the strides are kept.
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
   * @param dtype the elements are converted to it before the computation.
   * @example torch.softmax(torch.tensor([0.5, 0.5]), 0); // tensor([0.5000, 0.5000])
   */
  softmax: Documented;
  /**
   * The elements sorted along `dim`, and their old indices. NaN counts as the largest value.   `(*) -> (*) and (*)`
   * @param stable true: equal elements keep their order.
   * @returns a pair named `values`, `indices`.
   * @example torch.sort(torch.tensor([3, 1, 2])).values; // tensor([1, 2, 3])
   */
  sort: Documented;
  /**
   * Views that split `dim` into parts of one size, or of the sizes listed.
   * @throws {RuntimeError} "split_with_sizes expects split_sizes to sum exactly to 5 (input tensor's size at dimension 0), but got split_sizes=[1, 2]"
   * @example torch.split(torch.arange(5), 2); // [tensor([0, 1]), tensor([2, 3]), tensor([4])]
   */
  split: Documented;
  /**
   * Copies of the parts that `torch.split` returns.
   * @example torch.split_copy(torch.arange(3), 2)[1]; // tensor([2])
   */
  split_copy: Documented;
  /**
   * Views that split `dim` into parts of the sizes listed.
   * @example torch.split_with_sizes(torch.arange(3), [1, 2]); // [tensor([0]), tensor([1, 2])]
   */
  split_with_sizes: Documented;
  /**
   * Copies of the parts that `torch.split_with_sizes` returns.
   * @example torch.split_with_sizes_copy(torch.arange(3), [1, 2])[1]; // tensor([1, 2])
   */
  split_with_sizes_copy: Documented;
  /**
   * Square root of each element.   `(*) -> (*)`
   * @returns NaN for negative elements; a floating tensor, also for integers.
   * @example torch.sqrt(torch.tensor([4, 9])); // tensor([2., 3.])
   */
  sqrt: Documented;
  /**
   * The square of each element.   `(*) -> (*)`
   * @example torch.square(torch.tensor([1.5, -2])); // tensor([2.2500, 4.0000])
   */
  square: Documented;
  /**
   * A view without dimensions of size 1: all such dimensions, or only `dim` if its size is 1.
   * @example torch.squeeze(torch.ones(1, 2, 1)).shape; // [2]
   */
  squeeze: Documented;
  /**
   * A copy of `input` without dims of size 1.
   * @example torch.squeeze_copy(torch.tensor([[1, 2]])); // tensor([1, 2])
   */
  squeeze_copy: Documented;
  /**
   * Tensors of equal shape joined along a new dimension.
   * @throws {RuntimeError} "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1"
   * @example torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[1, 2], [3, 4]])
   */
  stack: Documented;
  /**
   * The standard deviation of all elements, or along `dim`: the square root of `var`.   `(*) -> ()`
   * @param correction the sum of squared distances is divided by the number of elements minus `correction`; 1 by default.
   * @example torch.std(torch.tensor([0.5, 1.5, 2.5, 3.5])); // tensor(1.2910)
   */
  std: Documented;
  /**
   * The standard deviation and the mean of all elements, or along `dim`.   `(*) -> () and ()`
   * @param correction the sum of squared distances is divided by the number of elements minus `correction`; 1 by default.
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
   * Another name of `torch.sub`.   `(*), (*) -> (*)`
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
   * A view of a matrix with rows and columns swapped; a vector or a 0-dim tensor is returned as it is.
   * @throws {RuntimeError} "t() expects a tensor with <= 2 dimensions, but self is 3D"
   * @example torch.t(torch.ones(2, 3)).shape; // [3, 2]
   */
  t: Documented;
  /**
   * A copy of the transpose of a matrix.
   * @example torch.t_copy(torch.tensor([[1, 2], [3, 4]])); // tensor([[1, 3], [2, 4]])
   */
  t_copy: Documented;
  /**
   * The elements of the flattened `input` at the given indices.   `(*), (index) -> (index)`
   * @throws {IndexError} "out of range: tried to access index 4 on a tensor of 4 elements."
   * @example torch.take(torch.tensor([[1, 2], [3, 4]]), torch.tensor([3, -4])); // tensor([4, 1])
   */
  take: Documented;
  /**
   * The elements at `indices` along `dim`, with the other dimensions broadcast; without `dim`, elements of the flattened tensor.
   * @param indices int64, for example the result of `argmax` or `argsort`.
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
   * @returns a floating tensor, also for integers.
   * @example torch.tanh(torch.tensor([0, 1])); // tensor([0.0000, 0.7616])
   */
  tanh: Documented;
  /**
   * Tensor contraction: sums of products along several dims of both tensors.
   * @example torch.tensordot(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 10]), 1); // tensor([21, 43])
   */
  tensordot: Documented;
  /**
   * Views that split `input` along `dim`; if the size is not divisible, the first parts are longer by one.
   * @param indices_or_sections the number of parts, or the indices where to cut.
   * @example torch.tensor_split(torch.tensor([1, 2, 3]), 2)[0]; // tensor([1, 2])
   */
  tensor_split: Documented;
  /**
   * `x` if `x > threshold`, else `value`.   `(*) -> (*)`
   * @example torch.threshold(torch.tensor([0.5, 2.5]), 1, 7); // tensor([7.0000, 2.5000])
   */
  threshold: Documented;
  /**
   * `input` repeated along its dimensions; `dims` is aligned to the last dimension.
   * @example torch.tile(torch.tensor([1, 2]), [2, 2]); // tensor([[1, 2, 1, 2], [1, 2, 1, 2]])
   */
  tile: Documented;
  /**
   * The `k` largest elements along `dim`, and their indices; the smallest ones if `largest` is false.   `(*) -> (*) and (*)`
   * @param sorted false: the order of the result is not specified.
   * @throws {RuntimeError} "selected index k out of range".
   * @example torch.topk(torch.tensor([3, 1, 2]), 2).values; // tensor([3, 2])
   */
  topk: Documented;
  /**
   * The sum of the diagonal of a matrix.   `(n, m) -> ()`
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
   * A copy of `input` with two dims swapped.
   * @example torch.transpose_copy(torch.tensor([[1, 2], [3, 4]]), 0, 1); // tensor([[1, 3], [2, 4]])
   */
  transpose_copy: Documented;
  /**
   * An older form of `torch.linalg.solve_triangular`; it also returns a copy of `A`.   `(*, n, k), (*, n, n) -> (*, n, k), (*, n, n)`
   * @example torch.triangular_solve(torch.tensor([[8]], { dtype: torch.float32 }), torch.tensor([[2]], { dtype: torch.float32 })).solution; // tensor([[4.]])
   */
  triangular_solve: Documented;
  /**
   * Triplet margin loss: `max(0, d(anchor, positive) - d(anchor, negative) + margin)` for the distance `d`.   `(N, D), (N, D), (N, D) -> ()`, or `(N)` unreduced
   * @param reduction 0: no reduction, 1: the mean, 2: the sum.
   * @example torch.triplet_margin_loss(torch.tensor([[0.5]]), torch.tensor([[1.5]]), torch.tensor([[2.5]])); // tensor([0.])
   */
  triplet_margin_loss: Documented;
  /**
   * The upper triangle of a matrix or of a batch of matrices; the other elements are zero.
   * @param diagonal the offset of the lowest diagonal that is kept, positive above the main diagonal.
   * @example torch.tril(torch.tensor([[1, 2], [3, 4]])); // tensor([[1, 0], [3, 4]])
   */
  tril: Documented;
  /**
   * Row and column indices of the elements of the lower triangle.   `-> (2, n)`
   * @example torch.tril_indices(2, 2); // tensor([[0, 1, 1], [0, 0, 1]])
   */
  tril_indices: Documented;
  /**
   * The lower triangle of a matrix or of a batch of matrices; the other elements are zero.
   * @param diagonal the offset of the highest diagonal that is kept, positive above the main diagonal.
   * @example torch.triu(torch.tensor([[1, 2], [3, 4]])); // tensor([[1, 2], [0, 4]])
   */
  triu: Documented;
  /**
   * Row and column indices of the elements of the upper triangle.   `-> (2, n)`
   * @example torch.triu_indices(2, 2); // tensor([[0, 0, 1], [0, 1, 1]])
   */
  triu_indices: Documented;
  /**
   * The integral along `dim`, by the trapezoidal rule.   `(*, n, *) -> (*)`
   * @param x the sample points; or give `dx`, the distance between them.
   * @example torch.trapezoid(torch.tensor([1, 3, 5])); // tensor(6.)
   */
  trapezoid: Documented;
  /**
   * Another name of `torch.trapezoid`.   `(*, n, *) -> (*)`
   * @example torch.trapz(torch.tensor([1, 3, 5])); // tensor(6.)
   */
  trapz: Documented;
  /**
   * `torch.div` without rounding.   `(*), (*) -> (*)`
   * @example torch.true_divide(torch.tensor([3, 4]), 2); // tensor([1.5000, 2.0000])
   */
  true_divide: Documented;
  /**
   * The integer part of each element: rounding towards 0.   `(*) -> (*)`
   * @example torch.trunc(torch.tensor([-2.5, 3.25])); // tensor([-2.,  3.])
   */
  trunc: Documented;
  /**
   * Views of all slices along `dim`; this dimension is removed.
   * @example torch.unbind(torch.tensor([1, 2])); // [tensor(1), tensor(2)]
   */
  unbind: Documented;
  /**
   * Copies of all slices along `dim`.
   * @example torch.unbind_copy(torch.tensor([[1, 2], [3, 4]]))[1]; // tensor([3, 4])
   */
  unbind_copy: Documented;
  /**
   * A view in which one dimension is split into several.
   * @param sizes one of them may be -1.
   * @example torch.unflatten(torch.ones(6), 0, [2, -1]).shape; // [2, 3]
   */
  unflatten: Documented;
  /**
   * A copy of all windows of `size` elements along `dimension`, at distance `step`.
   * @example torch.unfold_copy(torch.arange(4), 0, 2, 1); // tensor([[0, 1], [1, 2], [2, 3]])
   */
  unfold_copy: Documented;
  /**
   * The elements, or the slices along `dim`, without those that equal their predecessor.   `(*) -> (k)`
   * @returns a tensor; with `return_inverse` also the index of the group of each element, with `return_counts` also the size of each group.
   * @example torch.unique_consecutive(torch.tensor([1, 1, 2, 1])); // tensor([1, 2, 1])
   */
  unique_consecutive: Documented;
  /**
   * The distinct slices along `dim`, sorted; for each slice the index of its distinct value; and how often each value occurs.   `(*, n, *) -> (*, k, *), (n) and (k)`
   * @throws {RuntimeError} "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied".
   * @example torch._C._VariableFunctions.unique_dim(torch.tensor([[2], [1], [2]]), 0)[0]; // tensor([[1], [2]])
   */
  unique_dim: Documented;
  /**
   * `chunk` whose parts may be changed in place independently: autograd does not treat them as views of one tensor.   `(*) -> pieces of (*)`
   * @example torch.unsafe_chunk(torch.arange(4), 2); // [tensor([0, 1]), tensor([2, 3])]
   */
  unsafe_chunk: Documented;
  /**
   * `split` whose parts may be changed in place independently: autograd does not treat them as views of one tensor.   `(*) -> pieces of (*)`
   * @example torch.unsafe_split(torch.arange(3), 2); // [tensor([0, 1]), tensor([2])]
   */
  unsafe_split: Documented;
  /**
   * `split_with_sizes` whose parts may be changed in place independently: autograd does not treat them as views of one tensor.   `(*) -> pieces of (*)`
   * @example torch.unsafe_split_with_sizes(torch.arange(3), [1, 2]); // [tensor([0]), tensor([1, 2])]
   */
  unsafe_split_with_sizes: Documented;
  /**
   * A view with a new dimension of size 1 at position `dim`.
   * @example torch.unsqueeze(torch.tensor([1, 2]), 0); // tensor([[1, 2]])
   */
  unsqueeze: Documented;
  /**
   * A copy of `input` with a new dimension of size 1 at position `dim`.
   * @example torch.unsqueeze_copy(torch.tensor([1, 2]), 0); // tensor([[1, 2]])
   */
  unsqueeze_copy: Documented;
  /**
   * Vandermonde matrix: each row holds the powers of one element in falling order, or in rising order with `increasing`.   `(N) -> (N, N)`
   * @param N the number of powers; by default the number of elements.
   * @throws {RuntimeError} "x must be a one-dimensional tensor."
   * @example torch.vander(torch.tensor([2, 3]), 3); // tensor([[4, 2, 1], [9, 3, 1]])
   */
  vander: Documented;
  /**
   * The variance of all elements, or along `dim`: the mean squared distance from the mean.   `(*) -> ()`
   * @param correction the sum of squared distances is divided by the number of elements minus `correction`; 1 by default.
   * @throws {RuntimeError} "std and var only support floating point and complex dtypes" for integers.
   * @example torch.var(torch.tensor([0.5, 1.5, 2.5, 3.5])); // tensor(1.6667)
   */
  var: Documented;
  /**
   * The variance and the mean of all elements, or along `dim`.   `(*) -> () and ()`
   * @param correction the sum of squared distances is divided by the number of elements minus `correction`; 1 by default.
   * @example torch.var_mean(torch.tensor([0.5, 1.5, 2.5, 3.5]), { correction: 0 })[0]; // tensor(1.2500)
   */
  var_mean: Documented;
  /**
   * Dot product of two vectors, with the first one conjugated.   `(n), (n) -> ()`
   * @example torch.vdot(torch.tensor([2, 3]), torch.tensor([2, 1])); // tensor(7)
   */
  vdot: Documented;
  /**
   * A copy of `input` in another shape, or with its bytes read as another dtype.
   * @example torch.view_copy(torch.arange(4), [2, 2]); // tensor([[0, 1], [2, 3]])
   */
  view_copy: Documented;
  /**
   * Views that split `input` between rows.
   * @param indices_or_sections the number of parts, or the indices where to cut.
   * @example torch.vsplit(torch.tensor([[1], [2], [3]]), [1])[0]; // tensor([[1]])
   */
  vsplit: Documented;
  /**
   * Tensors joined along the first dimension; a vector becomes a row.
   * @example torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])]); // tensor([[1, 2], [3, 4]])
   */
  vstack: Documented;
  /**
   * Elements of `input` where `condition` is true, elements of `other` elsewhere. With `condition` alone: the indices where it is true.   `(*), (*), (*) -> (*)`
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
   * Sets every element of the given tensor to 0, and returns it.
   * @example torch.zero_(torch.ones(2)); // tensor([0., 0.])
   */
  zero_: Documented;
  /**
   * A tensor of the given size in which every element is 0.
   * @param kwargs `dtype`, `device`, `layout`, `requires_grad`, `out`.
   * @example torch.zeros(2); // tensor([0., 0.])
   */
  zeros: Documented;
  /**
   * A tensor with the size, dtype and device of `input` in which every element is 0.
   * @example torch.zeros_like(torch.tensor([5, 6])); // tensor([0, 0])
   */
  zeros_like: Documented;
}
