/**
 * @file The attributes and the hand-bound methods of `torch.Tensor`, typed.
 * @mirrors torch/_C/__init__.pyi
 */

import type { NumberArray } from "../_C.ts";
import type { Tensor } from "../_tensor.ts";
import type { UntypedStorage } from "../storage.ts";
import type { _int, DeviceLike, device, dtype, Index, layout, memory_format, Number, TensorData } from "../types.ts";

interface ToKwargs {
  non_blocking?: boolean;
  copy?: boolean;
  memory_format?: memory_format | null;
}

export interface TensorBaseManualMethods {
  // Attributes

  /** The gradient that backward left here; null before. */
  get grad(): Tensor | null;
  set grad(grad: Tensor | null | undefined);
  /** The node that made this tensor; null for a leaf. */
  // biome-ignore lint/suspicious/noExplicitAny: a node has the attributes its formula saved
  readonly grad_fn: any;
  /** The tensor this one is a view of, or null. */
  readonly _base: Tensor | null;
  /** Sizes, one number per dimension. */
  readonly shape: number[];
  /** Whether autograd keeps gradients here, and not in a node. */
  readonly is_leaf: boolean;
  requires_grad: boolean;
  /** The same memory without a graph; assigning takes another tensor's memory. */
  get data(): Tensor;
  set data(data: Tensor);
  readonly retains_grad: boolean;
  readonly output_nr: number;
  /** Dimensions reversed. */
  readonly T: Tensor;
  /** The last two dimensions swapped. */
  readonly mT: Tensor;
  /** How often the memory was written to, in all its views. */
  readonly _version: number;
  readonly dtype: dtype;
  readonly device: device;
  readonly layout: layout;
  readonly ndim: number;
  /** Bytes of one element. */
  readonly itemsize: number;
  /** Bytes of all elements. */
  readonly nbytes: number;
  readonly name: string | null;
  readonly is_cpu: boolean;
  readonly is_cuda: boolean;
  readonly is_sparse: boolean;
  readonly is_meta: boolean;
  readonly is_quantized: boolean;
  grad_dtype: dtype | null;
  _backward_hooks: unknown;
  _post_accumulate_grad_hooks: unknown;

  // Reading

  /** The only element, as a number (a bigint if no number holds it). */
  item(): number;
  /** Nested lists of the elements. */
  // biome-ignore lint/suspicious/noExplicitAny: depth and element type follow from shape and dtype
  tolist(): any;
  /** A typed array over the same memory if contiguous, over a copy otherwise. */
  numpy(kwargs?: { force?: boolean }): NumberArray;
  /** The number of this tensor's first byte: its storage's plus the offset. */
  data_ptr(): number;
  /** The bytes that this tensor and its views share. */
  untyped_storage(): UntypedStorage;
  size(): number[];
  size(dim: number): number;
  /** Strides, in elements. */
  stride(): number[];
  stride(dim: number): number;
  /** Place of the first element in the storage, in elements. */
  storage_offset(): number;
  dim(): number;
  ndimension(): number;
  numel(): number;
  nelement(): number;
  element_size(): number;
  get_device(): number;
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
  /** Name of the tensor type, or this tensor as another type. */
  type(): string;
  type(dtype: dtype | string, kwargs?: { non_blocking?: boolean }): Tensor;
  bfloat16(): Tensor;
  bool(): Tensor;
  byte(): Tensor;
  char(): Tensor;
  double(): Tensor;
  float(): Tensor;
  half(): Tensor;
  int(): Tensor;
  long(): Tensor;
  short(): Tensor;
  cpu(): Tensor;
  /** Itself if contiguous, else a row-major copy. */
  contiguous(kwargs?: { memory_format?: memory_format }): Tensor;
  /** Indices of the elements that are not zero, one row each; with `as_tuple` one tensor per dimension. */
  nonzero(): Tensor;
  nonzero(kwargs: { as_tuple: true }): Tensor[];
  nonzero(kwargs: { as_tuple: boolean }): Tensor | Tensor[];

  // Writing

  /** Copies `other`'s elements here, converted and broadcast. */
  copy_(other: Tensor | Number, non_blocking?: boolean): this;
  requires_grad_(requires_grad?: boolean): this;
  /** Each element replaced by `f` of it. Runs in JavaScript: slow, on the CPU, without gradient. */
  apply_(f: (value: number) => number): this;
  set_(): this;
  set_(source: Tensor | UntypedStorage): this;
  set_(source: Tensor | UntypedStorage, storage_offset: _int, size: readonly _int[], stride?: readonly _int[]): this;

  // New tensors

  /** A tensor of this one's dtype and device from `data`. */
  new_tensor(
    data: TensorData,
    kwargs?: { dtype?: dtype | null; device?: DeviceLike | null; requires_grad?: boolean },
  ): Tensor;
  new (...args: readonly unknown[]): Tensor;

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
  __matmul__(other: unknown): Tensor;
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
