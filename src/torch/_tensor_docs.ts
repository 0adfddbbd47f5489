/**
 * @file The docstrings of methods that no function of `torch` has, or that say something else than the function's.
 * @mirrors torch/_tensor_docs.py
 * @see _torch_docs.ts, which a method without an entry here takes its text from
 */
import type { Documented } from "./_torch_docs.ts";

export interface TensorDocs {
  /**
   * Writes 0 or 1 to each element, 1 with probability `p`.
   * @example torch.ones(2).bernoulli_(0); // tensor([0., 0.])
   */
  bernoulli_: Documented;
  /**
   * Fills with numbers from the Cauchy distribution around `median`.
   * @param sigma half the width at half the height.
   * @example torch.zeros(2, 3).cauchy_(0, 2).shape; // [2, 3]
   */
  cauchy_: Documented;
  /**
   * Of a sparse tensor, which cannot be made here: one entry for each place.
   * @throws {RuntimeError} "coalesce expected sparse coordinate tensor layout but got Strided"
   * @example torch.ones(1).layout; // torch.strided
   */
  coalesce: Documented;
  /**
   * How many dims are not sparse: of a tensor that is not, all.
   * @returns a JavaScript number.
   * @example torch.ones(2, 3).dense_dim(); // 2
   */
  dense_dim: Documented;
  /**
   * A view in which dimensions of size 1 repeat, at stride 0.
   * @param size -1 keeps a dimension; new ones come in front.
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
   * Writes `fill_value` along the main diagonal; `wrap` begins the next one below a tall matrix's, after a row left out.
   * @throws {RuntimeError} "dimensions must larger than 1".
   * @example torch.zeros(2, 2).fill_diagonal_(5); // tensor([[5., 0.], [0., 5.]])
   */
  fill_diagonal_: Documented;
  /**
   * Fills with exponentially distributed numbers, of mean `1 / lambd`.
   * @throws {RuntimeError} "exponential_ expects lambda > 0.0, but found lambda=0"
   * @example torch.zeros(2, 3).exponential_(2).ge(0).all(); // tensor(True)
   */
  exponential_: Documented;
  /**
   * Fills with how many attempts it takes until one succeeds, where each does with probability `p`.
   * @throws {RuntimeError} "geometric_ expects p to be in (0, 1), but got p=1"
   * @example torch.zeros(2, 3).geometric_(0.5).ge(1).all(); // tensor(True)
   */
  geometric_: Documented;
  /**
   * Writes `values` to the places that the index tensors name.
   * @example torch.zeros(3).index_put_([torch.tensor([2])], torch.tensor([7.5])); // tensor([0.0000, 0.0000, 7.5000])
   */
  index_put_: Documented;
  /**
   * Of a sparse tensor, which cannot be made here: whether it has one entry for each place.
   * @throws {RuntimeError} "is_coalesced expected sparse coordinate tensor layout but got Strided"
   * @example torch.ones(1).is_sparse; // False
   */
  is_coalesced: Documented;
  /**
   * Whether the accelerator copies from and to this memory by itself; host memory may be so, no other.
   * @returns a JavaScript boolean.
   * @example torch.ones(1).is_pinned(); // False
   */
  is_pinned: Documented;
  /**
   * Whether both are the same view of the same storage.
   * @returns a JavaScript boolean.
   * @example torch.ones(1).is_set_to(torch.ones(1)); // False
   */
  is_set_to: Documented;
  /**
   * Fills with numbers whose logarithms are normally distributed.
   * @param mean of the logarithms, as `std` is theirs.
   * @example torch.zeros(2, 3).log_normal_(0, 1).gt(0).all(); // tensor(True)
   */
  log_normal_: Documented;
  /**
   * `torch.empty` of this tensor's dtype and device.
   * @example torch.ones(1).new_empty(2, 3).shape; // [2, 3]
   */
  new_empty: Documented;
  /**
   * `torch.empty_strided` of this tensor's dtype and device.
   * @example torch.ones(1).new_empty_strided([2, 3], [1, 2]).stride(); // [1, 2]
   */
  new_empty_strided: Documented;
  /**
   * `torch.full` of this tensor's dtype and device.
   * @example torch.ones(1).new_full([2], 7); // tensor([7., 7.])
   */
  new_full: Documented;
  /**
   * `torch.ones` of this tensor's dtype and device.
   * @example torch.tensor([5]).new_ones(2); // tensor([1, 1])
   */
  new_ones: Documented;
  /**
   * `torch.zeros` of this tensor's dtype and device.
   * @example torch.tensor([5]).new_zeros(2); // tensor([0, 0])
   */
  new_zeros: Documented;
  /**
   * Writes random numbers of the normal distribution of `mean` and `std`.
   * @example torch.ones(2).normal_(3, 0); // tensor([3., 3.])
   */
  normal_: Documented;
  /**
   * Itself if it is pinned, else a copy in host memory that the accelerator copies from and to by itself.
   * @throws {RuntimeError} "Cannot access accelerator device when none is available."
   * @example torch.accelerator.is_available() && torch.ones(1).pin_memory().is_pinned(); // False
   */
  pin_memory: Documented;
  /**
   * Writes random integers: from `from` (0) to before `to`, or any the dtype holds.
   * @example torch.ones(2).random_(0, 1); // tensor([0., 0.])
   */
  random_: Documented;
  /**
   * Says that stream `s` uses the memory: it is not given to another tensor before what is in the stream now is done.
   * @throws {NotImplementedError} "Could not run 'aten::record_stream' with arguments from the 'CPU' backend."
   * @example torch.accelerator.is_available() && torch.ones(1).record_stream(torch.accelerator.current_stream()); // False
   */
  record_stream: Documented;
  /**
   * Copies side by side, `repeats[d]` of them along dim d; dims that the tensor lacks stand in front.
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
   * Gives the tensor another size; the storage grows where it must, and new elements are whatever lay in memory.
   * @example torch.ones(4).resize_(2, 2); // tensor([[1., 1.], [1., 1.]])
   */
  resize_: Documented;
  /**
   * Lets `.grad` be kept on this tensor, which is no leaf.
   * @throws {RuntimeError} "can't retain_grad on Tensor that has requires_grad=False"
   * @example torch.ones(1, { requires_grad: true }).mul(2).retain_grad(); // None
   */
  retain_grad: Documented;
  /**
   * Writes `src` (or `value`) along `dim` where `index` says.
   * @example torch.zeros(3).scatter_(0, torch.tensor([2]), 7); // tensor([0., 0., 7.])
   */
  scatter_: Documented;
  /**
   * Adds `src` along `dim` where `index` says.
   * @example torch.zeros(3).scatter_add_(0, torch.tensor([2, 2]), torch.tensor([1.5, 1.5])); // tensor([0., 0., 3.])
   */
  scatter_add_: Documented;
  /**
   * How many dims are sparse: of a tensor that is not, none.
   * @returns a JavaScript number.
   * @example torch.ones(2, 3).sparse_dim(); // 0
   */
  sparse_dim: Documented;
  /**
   * Sum over the dimensions that broadcasting to this tensor's shape from `size` would have added.
   * @example torch.ones(2, 3).sum_to_size(1, 3); // tensor([[2., 2., 2.]])
   */
  sum_to_size: Documented;
  /**
   * The tensor itself, since none is sparse; with `dtype` as one of that.
   * @example torch.tensor([1.5]).to_dense(torch.float64); // tensor([1.5000], dtype=torch.float64)
   */
  to_dense: Documented;
  /**
   * In the dtype, and on the device, of `other`; itself if it is so already.
   * @example torch.tensor([1.5, -2.5]).type_as(torch.tensor([1])); // tensor([ 1, -2])
   */
  type_as: Documented;
  /**
   * All windows of `size` neighbours along `dimension`, every `step` elements one: a view, whose last dim is the window's.
   * @example torch.arange(5).unfold(0, 3, 2); // tensor([[0, 1, 2], [2, 3, 4]])
   */
  unfold: Documented;
  /**
   * Writes random numbers, evenly from `from` to before `to`.
   * @example torch.ones(2).uniform_(3, 3); // tensor([3., 3.])
   */
  uniform_: Documented;
  /**
   * The same memory in another shape, or read as another dtype.
   * @throws {RuntimeError} "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead."
   * @example torch.arange(4).view(2, 2); // tensor([[0, 1], [2, 3]])
   */
  view: Documented;
  /**
   * `view` in the size of `other`.
   * @example torch.arange(4).view_as(torch.ones(2, 2)); // tensor([[0, 1], [2, 3]])
   */
  view_as: Documented;
}
