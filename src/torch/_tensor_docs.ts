/**
 * @file Docstrings of methods that no function of `torch` has, or whose text differs from the function's.
 * @mirrors torch/_tensor_docs.py
 * @see _torch_docs.ts, which a method without an entry here takes its text from
 */
import type { Documented } from "./_torch_docs.ts";

export interface TensorDocs {
  /**
   * Sets each element to a random 0 or 1; `p` is the probability of 1.
   * @example torch.ones(2).bernoulli_(0); // tensor([0., 0.])
   */
  bernoulli_: Documented;
  /**
   * Fills the tensor with random numbers from the Cauchy distribution around `median`.
   * @param sigma half of the width at half of the height.
   * @example torch.zeros(2, 3).cauchy_(0, 2).shape; // [2, 3]
   */
  cauchy_: Documented;
  /**
   * A copy of a sparse tensor with one entry for each position. Sparse tensors do not exist here, so it always throws.
   * @throws {RuntimeError} "coalesce expected sparse coordinate tensor layout but got Strided"
   * @example torch.ones(1).layout; // torch.strided
   */
  coalesce: Documented;
  /**
   * The number of dense dims; for a tensor that is not sparse, all of them.
   * @returns a JavaScript number.
   * @example torch.ones(2, 3).dense_dim(); // 2
   */
  dense_dim: Documented;
  /**
   * A view in which dimensions of size 1 are repeated with stride 0.
   * @param size one size per dimension; -1 keeps a dimension, and new dimensions are added in front.
   * @throws {RuntimeError} "The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0.  Target sizes: [3].  Tensor sizes: [2]"
   * @example torch.ones(2, 1).expand(2, 3).stride(); // [1, 0]
   */
  expand: Documented;
  /**
   * `expand` to the size of `other`.
   * @example torch.ones(1).expand_as(torch.ones(3)); // tensor([1., 1., 1.])
   */
  expand_as: Documented;
  /**
   * Writes `fill_value` along the main diagonal. With `wrap`, a tall matrix gets further diagonals, each after one empty row.
   * @throws {RuntimeError} "dimensions must larger than 1".
   * @example torch.zeros(2, 2).fill_diagonal_(5); // tensor([[5., 0.], [0., 5.]])
   */
  fill_diagonal_: Documented;
  /**
   * Fills the tensor with exponentially distributed random numbers of mean `1 / lambd`.
   * @throws {RuntimeError} "exponential_ expects lambda > 0.0, but found lambda=0"
   * @example torch.zeros(2, 3).exponential_(2).ge(0).all(); // tensor(True)
   */
  exponential_: Documented;
  /**
   * Fills the tensor with geometrically distributed random numbers: the number of trials up to the first success, which has probability `p`.
   * @throws {RuntimeError} "geometric_ expects p to be in (0, 1), but got p=1"
   * @example torch.zeros(2, 3).geometric_(0.5).ge(1).all(); // tensor(True)
   */
  geometric_: Documented;
  /**
   * Writes `values` to the positions given by the index tensors.
   * @example torch.zeros(3).index_put_([torch.tensor([2])], torch.tensor([7.5])); // tensor([0.0000, 0.0000, 7.5000])
   */
  index_put_: Documented;
  /**
   * Whether a sparse tensor has one entry for each position. Sparse tensors do not exist here, so it always throws.
   * @throws {RuntimeError} "is_coalesced expected sparse coordinate tensor layout but got Strided"
   * @example torch.ones(1).is_sparse; // False
   */
  is_coalesced: Documented;
  /**
   * Whether the tensor lies in pinned host memory, which the accelerator can copy from and to directly.
   * @returns a JavaScript boolean.
   * @example torch.ones(1).is_pinned(); // False
   */
  is_pinned: Documented;
  /**
   * Whether both tensors are the same view of the same storage.
   * @returns a JavaScript boolean.
   * @example torch.ones(1).is_set_to(torch.ones(1)); // False
   */
  is_set_to: Documented;
  /**
   * Fills the tensor with random numbers whose logarithms are normally distributed.
   * @param mean the mean of the logarithms; `std` is their standard deviation.
   * @example torch.zeros(2, 3).log_normal_(0, 1).gt(0).all(); // tensor(True)
   */
  log_normal_: Documented;
  /**
   * An uninitialized tensor of the given size, with the dtype and device of this tensor.
   * @example torch.ones(1).new_empty(2, 3).shape; // [2, 3]
   */
  new_empty: Documented;
  /**
   * An uninitialized tensor with the given size and strides, with the dtype and device of this tensor.
   * @example torch.ones(1).new_empty_strided([2, 3], [1, 2]).stride(); // [1, 2]
   */
  new_empty_strided: Documented;
  /**
   * A tensor of the given size filled with `fill_value`, with the dtype and device of this tensor.
   * @example torch.ones(1).new_full([2], 7); // tensor([7., 7.])
   */
  new_full: Documented;
  /**
   * A tensor of ones of the given size, with the dtype and device of this tensor.
   * @example torch.tensor([5]).new_ones(2); // tensor([1, 1])
   */
  new_ones: Documented;
  /**
   * A tensor of zeros of the given size, with the dtype and device of this tensor.
   * @example torch.tensor([5]).new_zeros(2); // tensor([0, 0])
   */
  new_zeros: Documented;
  /**
   * Fills the tensor with normally distributed random numbers.
   * @example torch.ones(2).normal_(3, 0); // tensor([3., 3.])
   */
  normal_: Documented;
  /**
   * A copy of the tensor in pinned host memory, which the accelerator can copy from and to directly; the tensor itself if it is already pinned.
   * @throws {RuntimeError} "Cannot access accelerator device when none is available."
   * @example torch.accelerator.is_available() && torch.ones(1).pin_memory().is_pinned(); // False
   */
  pin_memory: Documented;
  /**
   * Fills the tensor with random integers from `from` (default 0) up to but not including `to`, or with any integers that the dtype holds.
   * @example torch.ones(2).random_(0, 1); // tensor([0., 0.])
   */
  random_: Documented;
  /**
   * Marks the memory as used by stream `s`: it is not reused for another tensor until the work now queued in the stream is done.
   * @throws {NotImplementedError} "Could not run 'aten::record_stream' with arguments from the 'CPU' backend."
   * @example torch.accelerator.is_available() && torch.ones(1).record_stream(torch.accelerator.current_stream()); // False
   */
  record_stream: Documented;
  /**
   * A tensor made of copies: `repeats[d]` of them along dim `d`; missing dims are added in front.
   * @throws {RuntimeError} "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
   * @example torch.arange(2).repeat(2, 2); // tensor([[0, 1, 0, 1], [0, 1, 0, 1]])
   */
  repeat: Documented;
  /**
   * `reshape` to the size of `other`.
   * @example torch.arange(4).reshape_as(torch.ones(2, 2)); // tensor([[0, 1], [2, 3]])
   */
  reshape_as: Documented;
  /**
   * Resizes the tensor in place. The storage grows if necessary; new elements are uninitialized.
   * @example torch.ones(4).resize_(2, 2); // tensor([[1., 1.], [1., 1.]])
   */
  resize_: Documented;
  /**
   * Makes autograd keep `.grad` on this tensor although it is not a leaf.
   * @throws {RuntimeError} "can't retain_grad on Tensor that has requires_grad=False"
   * @example torch.ones(1, { requires_grad: true }).mul(2).retain_grad(); // None
   */
  retain_grad: Documented;
  /**
   * Writes `src` (or `value`) to the positions `index` along `dim`.
   * @example torch.zeros(3).scatter_(0, torch.tensor([2]), 7); // tensor([0., 0., 7.])
   */
  scatter_: Documented;
  /**
   * Adds `src` at the positions `index` along `dim`.
   * @example torch.zeros(3).scatter_add_(0, torch.tensor([2, 2]), torch.tensor([1.5, 1.5])); // tensor([0., 0., 3.])
   */
  scatter_add_: Documented;
  /**
   * The number of sparse dims; for a tensor that is not sparse, 0.
   * @returns a JavaScript number.
   * @example torch.ones(2, 3).sparse_dim(); // 0
   */
  sparse_dim: Documented;
  /**
   * The sum over the dimensions that broadcasting from `size` to the shape of this tensor would add.
   * @example torch.ones(2, 3).sum_to_size(1, 3); // tensor([[2., 2., 2.]])
   */
  sum_to_size: Documented;
  /**
   * The tensor itself, since no tensor is sparse here; converted if `dtype` is given.
   * @example torch.tensor([1.5]).to_dense(torch.float64); // tensor([1.5000], dtype=torch.float64)
   */
  to_dense: Documented;
  /**
   * The tensor converted to the dtype and device of `other`; the tensor itself if it has them already.
   * @example torch.tensor([1.5, -2.5]).type_as(torch.tensor([1])); // tensor([ 1, -2])
   */
  type_as: Documented;
  /**
   * A view of all windows of `size` elements along `dimension`, at distance `step`; the elements of a window are the new last dim.
   * @example torch.arange(5).unfold(0, 3, 2); // tensor([[0, 1, 2], [2, 3, 4]])
   */
  unfold: Documented;
  /**
   * Fills the tensor with random numbers, uniformly distributed from `from` up to but not including `to`.
   * @example torch.ones(2).uniform_(3, 3); // tensor([3., 3.])
   */
  uniform_: Documented;
  /**
   * A view of the memory in another shape, or read as another dtype.
   * @throws {RuntimeError} "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead."
   * @example torch.arange(4).view(2, 2); // tensor([[0, 1], [2, 3]])
   */
  view: Documented;
  /**
   * `view` with the size of `other`.
   * @example torch.arange(4).view_as(torch.ones(2, 2)); // tensor([[0, 1], [2, 3]])
   */
  view_as: Documented;
}
