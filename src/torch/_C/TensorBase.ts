/**
 * @file Types of the attributes and of the hand-bound methods of `torch.Tensor`.
 * @mirrors torch/_C/__init__.pyi
 */

import type { NumberArray, THPVariableType } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import type { UntypedStorage } from "#torch/storage/untyped";
import type { _int, DeviceLike, device, dtype, Index, layout, memory_format, Number, TensorData } from "#torch/types";

interface ToKwargs {
  non_blocking?: boolean;
  copy?: boolean;
  memory_format?: memory_format | null;
}

export interface TensorBaseManualMethods {
  // Attributes

  /** The gradient that backward accumulates here; null before. */
  get grad(): Tensor | null;
  set grad(grad: Tensor | null | undefined);
  /** The node that created this tensor; null for a leaf. */
  // biome-ignore lint/suspicious/noExplicitAny: a node has the attributes that its formula saved
  readonly grad_fn: any;
  /** The tensor of which this one is a view, or null. */
  readonly _base: Tensor | null;
  /** Sizes, one number per dimension. */
  readonly shape: number[];
  /** Whether this tensor is a leaf of the graph: no recorded operation created it. */
  readonly is_leaf: boolean;
  /** Whether autograd records operations on this tensor. */
  requires_grad: boolean;
  /** This tensor's memory as a tensor without a graph; assigning replaces the memory by another tensor's. */
  get data(): Tensor;
  set data(data: Tensor);
  /** Whether this tensor keeps its gradient although it is not a leaf. */
  readonly retains_grad: boolean;
  /** Which output of its node this tensor is. */
  readonly output_nr: number;
  /** This tensor with its dimensions in reverse order. */
  readonly T: Tensor;
  /** The conjugate transpose of a matrix. */
  readonly H: Tensor;
  /** This tensor with its last two dimensions swapped. */
  readonly mT: Tensor;
  /** This tensor with its last two dimensions swapped and complex numbers conjugated. */
  readonly mH: Tensor;
  /** The number of in-place changes to the memory, through this tensor or any view. */
  readonly _version: number;
  /** The type of the elements, such as `torch.float32`. */
  readonly dtype: dtype;
  /** The device that holds the memory. */
  readonly device: device;
  /** The memory layout of the elements; `torch.strided` for all tensors that can be created here. */
  readonly layout: layout;
  /** The number of dimensions. */
  readonly ndim: number;
  /** Bytes of one element. */
  readonly itemsize: number;
  /** Bytes of all elements. */
  readonly nbytes: number;
  /** Always null for tensors made from the front end. */
  readonly name: string | null;
  /** Whether it is on the CPU. */
  readonly is_cpu: boolean;
  /** Whether it is on a CUDA device; there are none here. */
  readonly is_cuda: boolean;
  /** Whether it is on an XPU; there are none here. */
  readonly is_xpu: boolean;
  /** Whether it is on an IPU; there are none here. */
  readonly is_ipu: boolean;
  /** Whether it is on a device of XLA; there are none here. */
  readonly is_xla: boolean;
  /** Whether it is on a device of Vulkan; there are none here. */
  readonly is_vulkan: boolean;
  /** Whether it is on a MAIA device; there are none here. */
  readonly is_maia: boolean;
  /** Whether it is on an MTIA device; there are none here. */
  readonly is_mtia: boolean;
  /** Whether it is on a device of Apple's Metal; there are none here. */
  readonly is_mps: boolean;
  /** Whether its layout is sparse. */
  readonly is_sparse: boolean;
  /** Whether its layout is compressed sparse rows. */
  readonly is_sparse_csr: boolean;
  /** Whether it is a nested tensor: a list of tensors of different shapes. */
  readonly is_nested: boolean;
  /** Whether it has a shape and a dtype but no memory. */
  readonly is_meta: boolean;
  /** Whether its elements are quantized numbers. */
  readonly is_quantized: boolean;
  /** The dtype that its gradient must have; null allows any dtype. */
  grad_dtype: dtype | null;
  _backward_hooks: unknown;
  _post_accumulate_grad_hooks: unknown;

  // Reading

  /** The only element, as a number (a bigint if no number holds it). */
  item(): number;
  /** The elements as nested lists. */
  // biome-ignore lint/suspicious/noExplicitAny: depth and element type depend on shape and dtype
  tolist(): any;
  /** A typed array over the same memory if the tensor is contiguous, otherwise over a copy. */
  numpy(kwargs?: { force?: boolean }): NumberArray;
  /** The address of this tensor's first byte: the address of the storage plus the offset. */
  data_ptr(): number;
  /** The bytes that this tensor and its views share. */
  untyped_storage(): UntypedStorage;
  /** Sizes, or the size of one dimension. */
  size(): number[];
  size(dim: number): number;
  /** Strides, in elements. */
  stride(): number[];
  stride(dim: number): number;
  /** The position of the first element in the storage, in elements. */
  storage_offset(): number;
  /** The number of dimensions. */
  dim(): number;
  /** Another name of `dim`. */
  ndimension(): number;
  /** The number of elements. */
  numel(): number;
  /** Another name of `numel`. */
  nelement(): number;
  /** Bytes of one element. */
  element_size(): number;
  /** Index of the device; -1 on the CPU. */
  get_device(): number;
  /** Whether the elements are contiguous in memory: in the order of their indices, without gaps. */
  is_contiguous(kwargs?: { memory_format?: memory_format }): boolean;
  _is_view(): boolean;

  // Indexing

  /** `x[index]`; an array holds the indices of several dimensions. */
  __getitem__(index: Index | readonly Index[]): Tensor;
  /** `x[index] = value`. */
  __setitem__(index: Index | readonly Index[], value: Tensor | Number): void;

  // Conversion

  /** This tensor with another dtype or on another device; itself if nothing changes. */
  to(dtype: dtype, kwargs?: ToKwargs): Tensor;
  to(device: DeviceLike, kwargs?: ToKwargs & { dtype?: dtype | null }): Tensor;
  to(device: DeviceLike | null, dtype: dtype | null, kwargs?: ToKwargs): Tensor;
  to(dtype: dtype, non_blocking: boolean, copy?: boolean, kwargs?: { memory_format?: memory_format | null }): Tensor;
  to(other: Tensor, kwargs?: ToKwargs): Tensor;
  to(kwargs: ToKwargs & { device?: DeviceLike | null; dtype?: dtype | null }): Tensor;
  /** The name of the tensor type; with an argument, this tensor converted to another type. */
  type(): string;
  type(dtype: dtype | string, kwargs?: { non_blocking?: boolean }): Tensor;
  /** This tensor as bfloat16; itself if it has that dtype. */
  bfloat16(): Tensor;
  /** This tensor as bool; itself if it has that dtype. */
  bool(): Tensor;
  /** This tensor as uint8; itself if it has that dtype. */
  byte(): Tensor;
  /** This tensor as int8; itself if it has that dtype. */
  char(): Tensor;
  /** This tensor as float64; itself if it has that dtype. */
  double(): Tensor;
  /** This tensor as float32; itself if it has that dtype. */
  float(): Tensor;
  /** This tensor as float16; itself if it has that dtype. */
  half(): Tensor;
  /** This tensor as int32; itself if it has that dtype. */
  int(): Tensor;
  /** This tensor as int64; itself if it has that dtype. */
  long(): Tensor;
  /** This tensor as int16; itself if it has that dtype. */
  short(): Tensor;
  /** This tensor on the CPU; itself if it is already there. */
  cpu(): Tensor;
  /** Moves to a CUDA device. @throws {AssertionError} "Torch not compiled with CUDA enabled" */
  cuda(device?: DeviceLike | null, non_blocking?: boolean, kwargs?: { memory_format?: memory_format }): Tensor;
  /** Moves to an XPU device. @throws {AssertionError} "Torch not compiled with XPU enabled" */
  xpu(device?: DeviceLike | null, non_blocking?: boolean, kwargs?: { memory_format?: memory_format }): Tensor;
  /** This tensor if it is contiguous, else a contiguous copy. */
  contiguous(kwargs?: { memory_format?: memory_format }): Tensor;
  /** Indices of the nonzero elements, one row for each; with `as_tuple`, one tensor per dimension. */
  nonzero(): Tensor;
  nonzero(kwargs: { as_tuple: true }): Tensor[];
  nonzero(kwargs: { as_tuple: boolean }): Tensor | Tensor[];

  // Writing

  /** Copies the elements of `other` into this tensor, converted and broadcast. */
  copy_(other: Tensor | Number, non_blocking?: boolean): this;
  /** Sets `requires_grad` and returns this tensor. */
  requires_grad_(requires_grad?: boolean): this;
  /** Replaces each element `x` by `f(x)`. It runs in JavaScript: slow, on the CPU only, without gradient. */
  apply_(f: (value: number) => number): this;
  /** Replaces each element `x` by `f(x, y)`, with `y` from `other`, which has the same dtype and is expanded. It is as slow as `apply_`. */
  map_(other: Tensor, callable: (a: number, b: number) => number): this;
  /** Replaces each element by `f` of the element and those of `x` and `y`. */
  map2_(x: Tensor, y: Tensor, callable: (a: number, b: number, c: number) => number): this;
  /** Uses the memory of `source`, with this offset and shape; without arguments, empty memory. */
  set_(): this;
  set_(source: Tensor | UntypedStorage): this;
  set_(source: Tensor | UntypedStorage, storage_offset: _int, size: readonly _int[], stride?: readonly _int[]): this;

  // New tensors

  /** A tensor with the values `data`, and the dtype and device of this tensor. */
  new_tensor(
    data: TensorData,
    kwargs?: { dtype?: dtype | null; device?: DeviceLike | null; requires_grad?: boolean },
  ): Tensor;
  new (...args: readonly unknown[]): Tensor;
  /** This tensor as an object of another class, with the same memory and the same autograd history. */
  as_subclass<T extends Tensor>(cls: THPVariableType<T>): T;

  // Python's operators

  __add__(other: unknown): Tensor;
  __radd__(other: unknown): Tensor;
  __iadd__(other: unknown): Tensor;
  __sub__(other: unknown): Tensor;
  __isub__(other: unknown): Tensor;
  __mul__(other: unknown): Tensor;
  __rmul__(other: unknown): Tensor;
  __imul__(other: unknown): Tensor;
  __truediv__(other: unknown): Tensor;
  __idiv__(other: unknown): Tensor;
  __itruediv__(other: unknown): Tensor;
  __rtruediv__(other: unknown): Tensor;
  __mod__(other: unknown): Tensor;
  __imod__(other: unknown): Tensor;
  __ifloordiv__(other: unknown): Tensor;
  __matmul__(other: unknown): Tensor;
  __rand__(other: unknown): Tensor;
  __ror__(other: unknown): Tensor;
  __rxor__(other: unknown): Tensor;
  __neg__(): Tensor;
  __pos__(): Tensor;
  __abs__(): Tensor;
  __eq__(other: unknown): Tensor;
  __ne__(other: unknown): Tensor;
  __lt__(other: unknown): Tensor;
  __le__(other: unknown): Tensor;
  __gt__(other: unknown): Tensor;
  __ge__(other: unknown): Tensor;
  __invert__(): Tensor;
  __bool__(): boolean;
  __float__(): number;
  __int__(): number | bigint;
  __index__(): number | bigint;
}
