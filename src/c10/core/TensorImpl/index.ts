/**
 * @file The body of a tensor: the storage it views, its shape, dtype and keys, and its autograd metadata.
 * @mirrors c10/core/TensorImpl.h
 * @differs Sizes and strides are two plain arrays, and the impl is its own PyObjectSlot, which saves allocations;
 * PyTorch has members of their own types for both (`SizesAndStrides`, `PyObjectSlot`).
 * @differs Sizes are plain numbers, so there are no symbolic or Python-overridden size policies, no named tensors and
 * no Caffe2 remnants; PyTorch has them.
 * @differs No tensor has a complex, float8, float4 or bits dtype: every way of making one raises NotImplementedError.
 * The dtypes themselves exist (`torch.can_cast`, `torch.complex64.is_complex`); PyTorch has such tensors too.
 * @see VariableVersion.ts, TensorImplContiguity.ts; aten/core/TensorBase.ts (the handle that everything above c10 passes)
 */

import type { TypedArray } from "#c10/core/Allocator";
import type { Device } from "#c10/core/Device";
import { DeviceType } from "#c10/core/DeviceType";
import { BackendComponent, DispatchKey } from "#c10/core/DispatchKey";
import {
  autograd_dispatch_keyset,
  autograd_dispatch_keyset_with_ADInplaceOrView,
  DispatchKeySet,
  getAutocastRelatedKeySetFromBackend,
  getAutogradRelatedKeySetFromBackend,
  inplace_or_view_ks,
  mkldnn_ks,
  python_ks,
  setOfKey,
  sparse_csr_ks,
  sparse_ks,
} from "#c10/core/DispatchKeySet";
import { InferenceMode } from "#c10/core/InferenceMode";
import { PyObjectSlot } from "#c10/core/impl/PyObjectSlot";
import { Layout } from "#c10/core/Layout";
import { MemoryFormat, toString as memoryFormatToString } from "#c10/core/MemoryFormat";
import {
  elementSize,
  getDtypeNames,
  hasElements,
  type ScalarType,
  toString as scalarTypeToString,
} from "#c10/core/ScalarType";
import type { Storage } from "#c10/core/Storage";
import { Contiguity, computeContiguity, restride } from "#c10/core/TensorImplContiguity";
import { maybe_wrap_dim } from "#c10/core/WrapDimMinimal";
import {
  NotImplementedError,
  RuntimeError,
  TORCH_CHECK,
  TORCH_CHECK_NOT_IMPLEMENTED,
  TORCH_INTERNAL_ASSERT,
} from "#c10/util/Exception";
import { type AutogradMetaInterface, GetAutogradMetaFactory } from "./AutogradMetaInterface.ts";
import { VariableVersion } from "./VariableVersion.ts";

// PyTorch declares these two in TensorImpl.h.
export {
  type AutogradMetaFactory,
  type AutogradMetaInterface,
  GetAutogradMetaFactory,
  SetAutogradMetaFactory,
} from "./AutogradMetaInterface.ts";
export { VariableVersion } from "./VariableVersion.ts";

export const err_msg_tensor_metadata_change_not_allowed =
  "is not allowed on a Tensor created from .data or .detach().\n" +
  "If your intent is to change the metadata of a Tensor (such as sizes / strides / storage / storage_offset)\n" +
  "without autograd tracking the change, remove the .data / .detach() call and wrap the change in a `with torch.no_grad():` block.\n" +
  "For example, change:\n    x.data.set_(y)\nto:\n    with torch.no_grad():\n        x.set_(y)";

/** log2 of a dtype's size. A shift by it divides a byte offset without leaving integer arithmetic. */
const itemsizeShift = Uint8Array.from({ length: 46 }, (_, t) => Math.log2(elementSize(t as ScalarType)));

const LARGEST_INT32 = 0x7fffffff;

// Note [Keys of a new tensor]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A backend's factory names one key, {CPU}. The constructor adds the keys that follow from the backend: its autocast
// key, and outside inference mode ADInplaceOrView and the backend's autograd key (whether or not the tensor requires
// grad). Almost all tensors come from the same few key sets, so the last result is cached.
let memo_given: DispatchKeySet | null = null;
let memo_inference = false;
let memo_keys: DispatchKeySet = DispatchKeySet.EMPTY;

function keysOfNewTensor(given: DispatchKeySet, inference: boolean): DispatchKeySet {
  const k = given.highestBackendKey();
  const keys = given.or(getAutocastRelatedKeySetFromBackend(k)).sub(python_ks);
  memo_given = given;
  memo_inference = inference;
  memo_keys = inference
    ? keys.sub(autograd_dispatch_keyset_with_ADInplaceOrView)
    : keys.or(getAutogradRelatedKeySetFromBackend(k));
  return memo_keys;
}

const sparse_and_mkldnn_ks = sparse_ks.or(sparse_csr_ks).or(mkldnn_ks);

// Note [Shapes are shared]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// Arrays of sizes and strides are replaced, never changed in place, so tensors of one shape may share them. The last
// contiguous shape is cached here: consecutive results mostly have the same shape, and then no array is allocated for
// it.
let contiguous_sizes: number[] = [0];
let contiguous_strides: number[] = [1];
let contiguous_numel = 0;
let contiguous_flags: number = Contiguity.ofOneDim;
/** Sizes and strides of a tensor without dimensions. */
const NO_DIMS: number[] = [];

function keepContiguousShape(new_size: readonly number[]): void {
  const ndim = new_size.length;
  const sizes = new_size.slice();
  const strides = new_size.slice();
  let step = 1;
  let numel = 1;
  for (let d = ndim - 1; d >= 0; d--) {
    const size = sizes[d];
    strides[d] = step;
    numel *= size;
    if (size > 1) step *= size;
  }
  TORCH_CHECK(numel < 2 ** 63, "numel: integer multiplication overflow");
  contiguous_sizes = sizes;
  contiguous_strides = strides;
  contiguous_numel = numel;
  contiguous_flags =
    ndim === 4 || ndim === 5 ? computeContiguity(sizes, strides, numel) : Contiguity.contiguousAndDense;
}

function refuse_dtype(data_type: ScalarType): never {
  throw new NotImplementedError(`Tensors of dtype torch.${getDtypeNames(data_type)[0]} are not built here.`);
}

function isNegative(size: number): boolean {
  return size < 0;
}

/** The product of sizes of which one is negative, in uint64_t arithmetic as in C++: a huge number, or 0 if some size is 0. */
function numelOfNegative(sizes: readonly number[]): number {
  let numel = 1n;
  let overflows = false;
  for (const size of sizes) {
    numel *= BigInt.asUintN(64, BigInt(size));
    overflows ||= numel !== BigInt.asUintN(64, numel);
    numel = BigInt.asUintN(64, numel);
  }
  return overflows ? Infinity : Number(numel);
}

function isContiguousShape(size: readonly number[]): boolean {
  const kept = contiguous_sizes;
  if (size === kept) return true;
  if (size.length !== kept.length) return false;
  for (let d = 0; d < kept.length; d++) if (size[d] !== kept[d]) return false;
  return true;
}

/** The shape of a new impl: one empty dimension. */
const ONE_EMPTY_DIM = [0];
const UNIT_STRIDE = [1];

let next_id = 0;

export class TensorImpl extends PyObjectSlot {
  storage_: Storage;
  /** Null: no gradient, no graph, no view. This is the usual state of an intermediate tensor under `no_grad`. */
  autograd_meta_: AutogradMetaInterface | null = null;
  /** Null: version 0, not shared, and never requested. `version_counter()` creates the object. */
  private version_counter_: VariableVersion | null = null;
  private sizes_: number[] = ONE_EMPTY_DIM;
  /** In elements. */
  private strides_: number[] = UNIT_STRIDE;
  /** In elements. */
  private storage_offset_ = 0;
  private numel_ = 0;
  private data_type_: ScalarType;
  private device_opt_: Device | null;
  /** Bits of `Contiguity`, recomputed with sizes and strides. */
  private contiguity_: number = Contiguity.ofOneDim;
  private is_wrapped_number_ = false;
  private allow_tensor_metadata_change_ = true;
  key_set_: DispatchKeySet;
  /**
   * Number of references held by the autograd engine itself: node inputs and outputs, InputBuffer slots,
   * SavedVariables, `.grad`. See `use_count()`.
   */
  use_count_ = 0;
  private id_ = 0;

  /**
   * If `is_view`, `key_set` is taken as it is (it comes from the viewed tensor); otherwise see Note [Keys of a new
   * tensor]. C++ distinguishes the two by a leading `ImplType` tag.
   */
  constructor(
    storage: Storage,
    key_set: DispatchKeySet,
    data_type: ScalarType,
    device_opt: Device | null = null,
    is_view = false,
  ) {
    super();
    if (!hasElements[data_type]) refuse_dtype(data_type); // every tensor is constructed here
    this.storage_ = storage;
    this.data_type_ = data_type;
    const storage_impl = storage.storage_impl_;
    this.device_opt_ = storage_impl !== null ? storage_impl.data_ptr_.device : device_opt;
    if (is_view) {
      this.key_set_ = key_set.sub(python_ks);
    } else {
      const inference = InferenceMode.is_enabled();
      // Comparing two booleans with `===` would call a builtin.
      this.key_set_ =
        key_set === memo_given && (inference ? memo_inference : !memo_inference)
          ? memo_keys
          : keysOfNewTensor(key_set, inference);
    }
  }

  /** A tensor that views `storage` with the keys of another tensor; the caller sets sizes and strides. */
  static view(storage: Storage, key_set: DispatchKeySet, data_type: ScalarType): TensorImpl {
    return new TensorImpl(storage, key_set, data_type, null, true);
  }

  // Shape ------------------------------------------------------------------------------------------------------------

  /** The internal array: callers must not change it. */
  sizes(): number[] {
    return this.sizes_;
  }

  /** In elements; the internal array: callers must not change it. */
  strides(): number[] {
    return this.strides_;
  }

  dim(): number {
    return this.sizes_.length;
  }

  numel(): number {
    return this.numel_;
  }

  size(d: number): number {
    const sizes = this.sizes_;
    return sizes[maybe_wrap_dim(d, sizes.length, false)];
  }

  sym_numel(): number {
    return this.numel();
  }

  sym_size(d: number): number {
    return this.size(d);
  }

  sym_storage_offset(): number {
    return this.storage_offset();
  }

  stride(d: number): number {
    const strides = this.sizes();
    return this.strides()[maybe_wrap_dim(d, strides.length, false)];
  }

  storage_offset(): number {
    return this.storage_offset_;
  }

  is_contiguous(memory_format: MemoryFormat = MemoryFormat.Contiguous): boolean {
    if (memory_format === MemoryFormat.ChannelsLast)
      return (this.contiguity_ & Contiguity.channels_last_contiguous) !== 0;
    if (memory_format === MemoryFormat.ChannelsLast3d) {
      return (this.contiguity_ & Contiguity.channels_last_3d_contiguous) !== 0;
    }
    return (this.contiguity_ & Contiguity.contiguous) !== 0;
  }

  /** Whether the strides could be those of this memory format, gaps and broadcasts allowed. */
  is_strides_like(memory_format: MemoryFormat): boolean {
    if (memory_format === MemoryFormat.ChannelsLast) return (this.contiguity_ & Contiguity.channels_last) !== 0;
    if (memory_format === MemoryFormat.ChannelsLast3d) return (this.contiguity_ & Contiguity.channels_last_3d) !== 0;
    return false;
  }

  is_strides_like_channels_last(): boolean {
    return this.is_strides_like(MemoryFormat.ChannelsLast);
  }

  is_strides_like_channels_last_3d(): boolean {
    return this.is_strides_like(MemoryFormat.ChannelsLast3d);
  }

  /** Whether some order of the dimensions makes it contiguous: each element of one range of memory is used exactly once. */
  is_non_overlapping_and_dense(): boolean {
    return (this.contiguity_ & Contiguity.non_overlapping_and_dense) !== 0;
  }

  /** Sets the sizes with row-major strides. The array stays the caller's. */
  set_sizes_contiguous(new_size: readonly number[]): void {
    if (!this.allow_tensor_metadata_change_) this.metadataChangeNotAllowed("set_sizes_contiguous");
    if (new_size.length === 0) {
      this.set_no_dims();
      return;
    }
    if (!isContiguousShape(new_size)) {
      if (new_size.some(isNegative)) {
        this.set_negative_sizes(new_size);
        return;
      }
      keepContiguousShape(new_size);
    }
    this.sizes_ = contiguous_sizes;
    this.strides_ = contiguous_strides;
    this.numel_ = contiguous_numel;
    this.contiguity_ = contiguous_flags;
  }

  private set_no_dims(): void {
    this.sizes_ = this.strides_ = NO_DIMS;
    this.numel_ = 1;
    this.contiguity_ = Contiguity.contiguousAndDense;
  }

  /** Sets negative sizes. As in PyTorch, the sizes are already set when counting the elements fails. */
  private set_negative_sizes(new_size: readonly number[]): void {
    const strides = this.strides_;
    this.sizes_ = new_size.slice();
    this.strides_ = new_size.map((_, d) => strides[d] ?? 0);
    this.refresh_numel();
    this.empty_tensor_restride(MemoryFormat.Contiguous);
  }

  /**
   * Both arrays are copied. A negative stride means: contiguous with respect to the next dimension. If `storage_offset`
   * is null, the present offset stays.
   */
  set_sizes_and_strides(
    new_size: readonly number[],
    new_stride: readonly number[],
    storage_offset: number | null = null,
  ): void {
    if (!this.allow_tensor_metadata_change_) this.metadataChangeNotAllowed("set_sizes_and_strides");
    const ndim = new_size.length;
    if (ndim !== new_stride.length) {
      TORCH_CHECK(
        false,
        "dimensionality of sizes (",
        ndim,
        ") must match dimensionality of strides (",
        new_stride.length,
        ")",
      );
    }
    if (ndim === 0) {
      this.set_no_dims();
      if (storage_offset !== null) this.storage_offset_ = storage_offset;
      return;
    }
    const sizes = new Array<number>(ndim);
    const strides = new Array<number>(ndim);
    let numel = 1;
    let negative = false;
    for (let d = ndim - 1; d >= 0; d--) {
      const size = new_size[d];
      const stride = new_stride[d];
      if (size < 0) negative = true;
      sizes[d] = size;
      numel *= size;
      if (stride >= 0) strides[d] = stride;
      else strides[d] = d === ndim - 1 ? 1 : Math.max(sizes[d + 1], 1) * strides[d + 1];
    }
    this.sizes_ = sizes;
    this.strides_ = strides;
    this.set_numel(negative ? numelOfNegative(sizes) : numel);
    this.refresh_contiguous();
    if (storage_offset !== null) this.storage_offset_ = storage_offset;
  }

  set_storage_offset(storage_offset: number): void {
    if (!this.allow_tensor_metadata_change_) this.metadataChangeNotAllowed("set_storage_offset");
    this.storage_offset_ = storage_offset;
  }

  /** Recomputes the strides in `memory_format` for the present sizes, as for an empty tensor. */
  empty_tensor_restride(memory_format: MemoryFormat): void {
    const preserve = memory_format === MemoryFormat.Preserve;
    TORCH_CHECK(!preserve, "unsupported memory format ", memoryFormatToString(memory_format));
    this.strides_ = restride(this.sizes(), memory_format);
    this.refresh_contiguous();
  }

  refresh_numel(): void {
    const sizes = this.sizes();
    let numel = 1;
    for (const size of sizes) numel *= size;
    this.set_numel(sizes.some(isNegative) ? numelOfNegative(sizes) : numel);
  }

  refresh_contiguous(): void {
    this.contiguity_ = computeContiguity(this.sizes(), this.strides(), this.numel_);
  }

  private set_numel(numel: number): void {
    TORCH_CHECK(numel < 2 ** 63, "numel: integer multiplication overflow");
    this.numel_ = numel;
  }

  // Data -------------------------------------------------------------------------------------------------------------

  has_storage(): boolean {
    return this.storage_.storage_impl_ !== null;
  }

  storage(): Storage {
    if (this.storage_.storage_impl_ === null) this.throw_storage_access_error();
    return this.storage_;
  }

  /** Replaces the storage, for `set_`; the caller takes care of the sizes. */
  set_storage_keep_dtype(storage: Storage): void {
    if (!this.allow_tensor_metadata_change_) this.metadataChangeNotAllowed("set_storage");
    this.move_to_storage(storage);
    this.device_opt_ = storage.device();
  }

  /** The whole memory block as elements of this dtype; element i of the storage view is at `data_offset() + i`. */
  data_view(): TypedArray {
    const block = this.storage_.storage_impl_?.data_ptr_.block ?? this.throw_no_block();
    return block.view(this.data_type_);
  }

  private throw_no_block(): never {
    if (this.storage_.storage_impl_ === null) this.throw_data_ptr_access_error();
    throw new RuntimeError("Cannot access data pointer of Storage that is invalid.");
  }

  /** In elements of this dtype, from the start of the block; storage offset included. */
  data_offset(): number {
    const storage_impl = this.storage_.storage_impl_;
    if (storage_impl === null) this.throw_data_ptr_access_error();
    const byteOffset = storage_impl.data_ptr_.byteOffset;
    const start =
      byteOffset <= LARGEST_INT32
        ? byteOffset >> itemsizeShift[this.data_type_]
        : byteOffset / elementSize(this.data_type_);
    return start + this.storage_offset_;
  }

  /** The address of the first element; 0 if there is none. */
  data(): number {
    const storage_impl = this.storage_.storage_impl_;
    if (storage_impl === null) this.throw_data_ptr_access_error();
    if (this.numel_ === 0) return 0;
    return storage_impl.data() + this.itemsize() * this.storage_offset_;
  }

  protected throw_storage_access_error(): never {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "Cannot access storage of ", this.tensorimpl_type_name());
    throw undefined;
  }

  protected throw_data_ptr_access_error(): never {
    throw new RuntimeError("Cannot access data pointer of Tensor that doesn't have storage");
  }

  /** The class's name, for messages. */
  tensorimpl_type_name(): string {
    return "TensorImpl";
  }

  // Kind -------------------------------------------------------------------------------------------------------------

  dtype(): ScalarType {
    return this.data_type_;
  }

  itemsize(): number {
    return elementSize(this.data_type_);
  }

  device(): Device {
    const device = this.device_opt_;
    if (device === null) throw new RuntimeError("tensor does not have a device");
    return device;
  }

  device_opt(): Device | null {
    return this.device_opt_;
  }

  device_type(): DeviceType {
    const device = this.device_opt_;
    if (device === null) throw new RuntimeError("device_type cannot be run on undefined Tensor");
    return device.type();
  }

  layout(): Layout {
    if (!this.key_set_.has_any(sparse_and_mkldnn_ks)) return Layout.Strided;
    if (this.is_sparse()) return Layout.Sparse;
    TORCH_INTERNAL_ASSERT(this.is_mkldnn(), "There is an error in the layout calculation logic.");
    return Layout.Mkldnn;
  }

  key_set(): DispatchKeySet {
    return this.key_set_;
  }

  is_cpu(): boolean {
    return this.device_opt_ !== null && this.device_opt_.type() === DeviceType.CPU;
  }

  is_meta(): boolean {
    return this.device_opt_ !== null && this.device_opt_.type() === DeviceType.Meta;
  }

  is_sparse(): boolean {
    return this.key_set_.has_any(sparse_ks);
  }

  is_mkldnn(): boolean {
    return this.key_set_.has_any(mkldnn_ks);
  }

  is_quantized(): boolean {
    return this.key_set_.has(DispatchKey.Quantized);
  }

  is_conj(): boolean {
    return this.key_set_.has(DispatchKey.Conjugate);
  }

  _set_conj(value: boolean): void {
    this.key_set_ = value ? this.key_set_.add(DispatchKey.Conjugate) : this.key_set_.remove(DispatchKey.Conjugate);
  }

  is_neg(): boolean {
    return this.key_set_.has(DispatchKey.Negative);
  }

  _set_neg(value: boolean): void {
    this.key_set_ = value ? this.key_set_.add(DispatchKey.Negative) : this.key_set_.remove(DispatchKey.Negative);
  }

  _is_zerotensor(): boolean {
    return this.key_set_.has(DispatchKey.ZeroTensor);
  }

  /** Whether it was made in inference mode: no autograd layer will ever see it, and no version is counted. */
  is_inference(): boolean {
    return !this.key_set_.has_any(inplace_or_view_ks) && !this.key_set_.has_any(autograd_dispatch_keyset);
  }

  /** Whether it was a Python number in a call with tensors: it is 0-dim and may not widen the other's dtype. */
  is_wrapped_number(): boolean {
    return this.is_wrapped_number_;
  }

  set_wrapped_number(value: boolean): void {
    TORCH_INTERNAL_ASSERT(this.dim() === 0);
    this.is_wrapped_number_ = value;
  }

  is_python_dispatch(): boolean {
    return this.key_set_.has_all(python_ks);
  }

  /** Whether calls with this tensor go to its class's `__torch_dispatch__`. */
  set_python_dispatch(value: boolean): void {
    this.key_set_ = value ? this.key_set_.or(python_ks) : this.key_set_.sub(python_ks);
  }

  // Autograd ---------------------------------------------------------------------------------------------------------

  requires_grad(): boolean {
    return this.autograd_meta_?.requires_grad() ?? false;
  }

  set_requires_grad(requires_grad: boolean): void {
    TORCH_CHECK(
      !(requires_grad && this.is_inference() && !InferenceMode.is_enabled()),
      "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.",
    );
    if (!requires_grad && this.autograd_meta_ === null) return;
    this.autograd_meta_ ??= GetAutogradMetaFactory().make();
    this.autograd_meta_.set_requires_grad(requires_grad, this);
  }

  /** Stores the tangent of `self`, a handle of this impl. */
  _set_fw_grad(new_grad: unknown, self: unknown, level: number, is_inplace_op: boolean): void {
    this.autograd_meta_ ??= GetAutogradMetaFactory().make();
    this.autograd_meta_.set_fw_grad(new_grad, self, level, is_inplace_op);
  }

  autograd_meta(): AutogradMetaInterface | null {
    return this.autograd_meta_;
  }

  set_autograd_meta(autograd_meta: AutogradMetaInterface | null): void {
    this.autograd_meta_ = autograd_meta;
  }

  /** The version counter, shared by a base and its views. */
  version_counter(): VariableVersion {
    const counter = this.version_counter_;
    if (counter !== null) return counter;
    return (this.version_counter_ = this.is_inference() ? VariableVersion.DISABLED : new VariableVersion());
  }

  set_version_counter(version_counter: VariableVersion): void {
    TORCH_CHECK(!(this.is_inference() && version_counter.enabled()), "Cannot set version_counter for inference tensor");
    this.version_counter_ = version_counter;
  }

  bump_version(): void {
    this.version_counter().bump();
  }

  /**
   * Number of references that the engine knows of, plus one for a front-end object.
   * @differs A filled pyobj slot counts for ever: the collector does not report when the front end drops the object.
   * PyTorch's count falls.
   */
  use_count(): number {
    return this.has_pyobj() && !(this.is_python_dispatch() && this.owns_pyobj())
      ? this.use_count_ + 1
      : this.use_count_;
  }

  pyobj_slot(): PyObjectSlot {
    return this;
  }

  // Invariant: a storage's `use_count_` is the number of tensors over it that someone holds: the engine, or a front-end object.

  override init_pyobj(pyobj: object): void {
    if (this.use_count_ === 0 && !this.has_pyobj()) {
      const storage_impl = this.storage_.storage_impl_;
      if (storage_impl !== null) storage_impl.use_count_++;
    }
    super.init_pyobj(pyobj);
  }

  override unchecked_clear_pyobj(): void {
    super.unchecked_clear_pyobj();
    if (this.use_count_ === 0) {
      const storage_impl = this.storage_.storage_impl_;
      if (storage_impl !== null) storage_impl.use_count_--;
    }
  }

  /** Replaces the storage, and moves this tensor's references from the old storage to the new one. */
  private move_to_storage(storage: Storage): void {
    if (this.use_count() > 0) {
      const [from, to] = [this.storage_.storage_impl_, storage.storage_impl_];
      if (from !== null) from.use_count_--;
      if (to !== null) to.use_count_++;
    }
    this.storage_ = storage;
  }

  // Shallow copies -----------------------------------------------------------------------------------------------------

  allow_tensor_metadata_change(): boolean {
    return this.allow_tensor_metadata_change_;
  }

  /** As in PyTorch 2.13, the argument is ignored and every change stays allowed: `x.data.t_()` works. */
  set_allow_tensor_metadata_change(_value: boolean): void {
    this.allow_tensor_metadata_change_ = true;
  }

  private metadataChangeNotAllowed(what: string): never {
    throw new RuntimeError(`${what} ${err_msg_tensor_metadata_change_not_allowed}`);
  }

  /**
   * A new impl over the same storage with the same metadata and no autograd history.
   * @param version_counter the counter to share, or 0 for a new one
   */
  shallow_copy_and_detach(version_counter: VariableVersion | 0, allow_tensor_metadata_change: boolean): TensorImpl {
    const impl = TensorImpl.view(this.storage_, this.key_set_, this.data_type_);
    TensorImpl.copy_tensor_metadata(this, impl, version_counter, allow_tensor_metadata_change);
    return impl;
  }

  /** Takes over `impl`'s metadata and storage; keeps identity, autograd meta and version counter: `tensor.data = other`. */
  shallow_copy_from(impl: TensorImpl): void {
    TensorImpl.copy_tensor_metadata(impl, this, this.version_counter(), this.allow_tensor_metadata_change_);
  }

  /** Precondition of `shallow_copy_from`: both dense, or both sparse, or of one key set. */
  has_compatible_shallow_copy_type(from: DispatchKeySet): boolean {
    if (this.key_set_.eq(from)) return true;
    const bothHave = (ks: DispatchKeySet) => this.key_set_.has_any(ks) && from.has_any(ks);
    return (bothHave(dense_ks) && bothHave(dense_backends)) || bothHave(sparse_ks) || bothHave(sparse_csr_ks);
  }

  static copy_tensor_metadata(
    src: TensorImpl,
    dest: TensorImpl,
    version_counter: VariableVersion | 0,
    allow_tensor_metadata_change: boolean,
  ): void {
    dest.move_to_storage(src.storage_);
    dest.sizes_ = src.sizes_;
    dest.strides_ = src.strides_;
    dest.storage_offset_ = src.storage_offset_;
    dest.numel_ = src.numel_;
    dest.data_type_ = src.data_type_;
    dest.device_opt_ = src.device_opt_;
    dest.contiguity_ = src.contiguity_;
    // Python dispatch overriding is a property of the object, not of its data.
    dest.key_set_ = src.key_set_.sub(python_ks).or(dest.key_set_.and(python_ks));
    dest.is_wrapped_number_ = src.is_wrapped_number_;
    dest.set_allow_tensor_metadata_change(allow_tensor_metadata_change);
    if (version_counter !== 0 && !dest.is_inference()) dest.set_version_counter(version_counter);
  }

  // For debugging and tests ----------------------------------------------------------------------------------------------

  /** A unique number, for traces and dumps. */
  id(): number {
    if (this.id_ === 0) this.id_ = ++next_id;
    return this.id_;
  }

  dumpState(): Record<string, unknown> {
    const counter = this.version_counter();
    return {
      id: this.id(),
      type: this.tensorimpl_type_name(),
      sizes: [...this.sizes()],
      strides: [...this.strides()],
      storage_offset: this.storage_offset_,
      numel: this.numel_,
      dtype: scalarTypeToString(this.data_type_),
      device: this.device_opt_ === null ? null : this.device_opt_.str(),
      key_set: this.key_set_.toString(),
      contiguity: Contiguity.names(this.contiguity_),
      storage: this.has_storage() ? this.storage_.unsafeGetStorageImpl().dumpState() : null,
      version: counter.enabled() ? counter.current_version() : null,
      requires_grad: this.requires_grad(),
      has_autograd_meta: this.autograd_meta_ !== null,
      is_wrapped_number: this.is_wrapped_number_,
      allow_tensor_metadata_change: this.allow_tensor_metadata_change_,
      use_count: this.use_count(),
    };
  }

  /** Throws if a cached field disagrees with the fields it is computed from, or an element lies outside the storage. */
  checkInvariants(): void {
    const sizes = this.sizes();
    const strides = this.strides();
    TORCH_INTERNAL_ASSERT(sizes.length === strides.length, "sizes and strides differ in length");
    let numel = 1;
    let last = this.storage_offset_;
    for (const [d, size] of sizes.entries()) {
      // As in PyTorch, a negative size is accepted if another size is 0.
      const possible = Number.isSafeInteger(size) && (size >= 0 || this.numel_ === 0);
      TORCH_INTERNAL_ASSERT(possible, "size ", d, " is ", size);
      numel *= size;
      last += Math.max(size - 1, 0) * strides[d];
    }
    TORCH_INTERNAL_ASSERT(numel === this.numel_, "numel is ", this.numel_, ", sizes give ", numel);
    const contiguity = computeContiguity(sizes, strides, this.numel_);
    TORCH_INTERNAL_ASSERT(contiguity === this.contiguity_, "stale contiguity flags");
    if (!this.has_storage()) return;
    const storage = this.storage_.unsafeGetStorageImpl();
    storage.checkInvariants();
    if (numel === 0) return;
    const end = (last + 1) * this.itemsize();
    TORCH_INTERNAL_ASSERT(end <= storage.nbytes(), "last element ends at byte ", end, " of ", storage.nbytes());
  }
}

const dense_ks = setOfKey(DispatchKey.Dense);
const dense_backends = DispatchKeySet.ofBackends(
  BackendComponent.CPUBit,
  BackendComponent.CUDABit,
  BackendComponent.MPSBit,
  BackendComponent.HIPBit,
  BackendComponent.XPUBit,
  BackendComponent.HPUBit,
  BackendComponent.MTIABit,
);
