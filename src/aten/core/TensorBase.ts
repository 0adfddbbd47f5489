/**
 * @file The tensor handle that all code below the binding passes around: one field, the TensorImpl. It has only
 * accessors; the generated subclass `at::Tensor` adds operators.
 * @mirrors aten/src/ATen/core/TensorBase.h
 * @differs A handle is shared, and two handles may hold one impl; C++ handles own a reference count and are copied.
 */

import type { Tensor } from "#aten/generated/core/TensorBody";
import type { TypedArray } from "#c10/core/Allocator";
import type { Device } from "#c10/core/Device";
import { type DeviceType, DeviceTypeName, get_privateuse1_backend } from "#c10/core/DeviceType";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Layout } from "#c10/core/Layout";
import { get_channels_last_strides_2d, get_channels_last_strides_3d, MemoryFormat } from "#c10/core/MemoryFormat";
import {
  toString as dtypeToString,
  isComplexType,
  isFloatingType,
  isSignedType,
  type ScalarType,
} from "#c10/core/ScalarType";
import type { Storage } from "#c10/core/Storage";
import { GetAutogradMetaFactory } from "#c10/core/TensorImpl/AutogradMetaInterface";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TensorOptions } from "#c10/core/TensorOptions";
import { UndefinedTensorImpl } from "#c10/core/UndefinedTensorImpl";
import { TORCH_CHECK } from "#c10/util/Exception";
import { GetVariableHooks, type Node } from "./VariableHooksInterface.ts";

/** Dtypes whose CPU tensors once had a class of their own; messages still use its name. */
const LEGACY_TENSOR_TYPES: ReadonlySet<string> = new Set([
  "Byte",
  "Char",
  "Double",
  "Float",
  "Half",
  "Int",
  "Long",
  "Short",
]);

export class TensorBase {
  impl_: TensorImpl;

  /** Makes a handle; without argument, of the undefined tensor. */
  constructor(impl: TensorImpl = UndefinedTensorImpl.singleton_) {
    this.impl_ = impl;
  }

  defined(): boolean {
    return this.impl_ !== UndefinedTensorImpl.singleton_;
  }

  /** Whether both are the same impl, not merely equal values. */
  is_same(other: TensorBase): boolean {
    return this.impl_ === other.impl_;
  }

  unsafeGetTensorImpl(): TensorImpl {
    return this.impl_;
  }

  use_count(): number {
    return this.impl_.use_count();
  }

  // Shape ------------------------------------------------------------------------------------------------------------

  dim(): number {
    return this.impl_.dim();
  }

  ndimension(): number {
    return this.impl_.dim();
  }

  /** The internal array: callers must not change it. */
  sizes(): number[] {
    return this.impl_.sizes();
  }

  /** In elements; the internal array: callers must not change it. */
  strides(): number[] {
    return this.impl_.strides();
  }

  /** `dim` may be negative. */
  size(dim: number): number {
    return this.impl_.size(dim);
  }

  /** `dim` may be negative; in elements. */
  stride(dim: number): number {
    return this.impl_.stride(dim);
  }

  numel(): number {
    return this.impl_.numel();
  }

  /** `numel`, which may be a symbol in spite of the type. */
  sym_numel(): number {
    return this.impl_.sym_numel();
  }

  /** `size(d)`, which may be a symbol in spite of the type. */
  sym_size(d: number): number {
    return this.impl_.sym_size(d);
  }

  storage_offset(): number {
    return this.impl_.storage_offset();
  }

  is_contiguous(memory_format: MemoryFormat = MemoryFormat.Contiguous): boolean {
    return this.impl_.is_contiguous(memory_format);
  }

  is_non_overlapping_and_dense(): boolean {
    return this.impl_.is_non_overlapping_and_dense();
  }

  /** The format suggested by the strides; if `exact`, only a format whose strides they are without gaps. */
  suggest_memory_format(channels_last_strides_exact_match = false): MemoryFormat {
    if (this.layout() !== Layout.Strided) return MemoryFormat.Contiguous;
    const exact = (strides: readonly number[]) =>
      !channels_last_strides_exact_match || strides.every((s, d) => s === this.strides()[d]);
    if (this.impl_.is_strides_like_channels_last()) {
      if (exact(get_channels_last_strides_2d(this.sizes()))) return MemoryFormat.ChannelsLast;
    } else if (this.impl_.is_strides_like_channels_last_3d()) {
      if (exact(get_channels_last_strides_3d(this.sizes()))) return MemoryFormat.ChannelsLast3d;
    }
    return MemoryFormat.Contiguous;
  }

  // Element type, place ----------------------------------------------------------------------------------------------

  dtype(): ScalarType {
    return this.impl_.dtype();
  }

  scalar_type(): ScalarType {
    return this.impl_.dtype();
  }

  device(): Device {
    return this.impl_.device();
  }

  device_type(): DeviceType {
    return this.impl_.device_type();
  }

  get_device(): number {
    return this.impl_.device().index();
  }

  layout(): Layout {
    return this.impl_.layout();
  }

  options(): TensorOptions {
    return new TensorOptions(this.impl_.dtype(), this.impl_.layout(), this.impl_.device());
  }

  key_set(): DispatchKeySet {
    return this.impl_.key_set_;
  }

  /** Bytes of one element. */
  itemsize(): number {
    return this.impl_.itemsize();
  }

  element_size(): number {
    return this.impl_.itemsize();
  }

  /** Number of bytes of the elements if they were contiguous. */
  nbytes(): number {
    TORCH_CHECK(this.layout() === Layout.Strided, "nbytes is not defined for sparse tensors.");
    return this.numel() * this.itemsize();
  }

  is_cpu(): boolean {
    return this.impl_.is_cpu();
  }

  is_meta(): boolean {
    return this.impl_.is_meta();
  }

  is_sparse(): boolean {
    return this.impl_.is_sparse();
  }

  is_mkldnn(): boolean {
    return this.impl_.is_mkldnn();
  }

  is_quantized(): boolean {
    return this.impl_.is_quantized();
  }

  is_complex(): boolean {
    return isComplexType(this.impl_.dtype());
  }

  is_floating_point(): boolean {
    return isFloatingType(this.impl_.dtype());
  }

  is_signed(): boolean {
    return isSignedType(this.impl_.dtype());
  }

  is_conj(): boolean {
    return this.impl_.is_conj();
  }

  _set_conj(conjugate: boolean): void {
    this.impl_._set_conj(conjugate);
  }

  is_neg(): boolean {
    return this.impl_.is_neg();
  }

  _set_neg(negative: boolean): void {
    this.impl_._set_neg(negative);
  }

  _is_zerotensor(): boolean {
    return this.impl_._is_zerotensor();
  }

  is_inference(): boolean {
    return this.impl_.is_inference();
  }

  // Bytes ------------------------------------------------------------------------------------------------------------

  has_storage(): boolean {
    return this.defined() && this.impl_.has_storage();
  }

  storage(): Storage {
    return this.impl_.storage();
  }

  is_alias_of(other: TensorBase): boolean {
    return this.impl_.storage().is_alias_of(other.impl_.storage());
  }

  /** A view over the whole memory block, in which this tensor begins at element `data_offset()`. */
  data_view(): TypedArray {
    return this.impl_.data_view();
  }

  /** In elements, storage offset included. */
  data_offset(): number {
    return this.impl_.data_offset();
  }

  /** The address of the first element, in bytes. */
  data_ptr(): number {
    return this.impl_.data();
  }

  // Autograd ---------------------------------------------------------------------------------------------------------

  requires_grad(): boolean {
    return this.impl_.requires_grad();
  }

  set_requires_grad(requires_grad: boolean): this {
    this.impl_.set_requires_grad(requires_grad);
    return this;
  }

  /** The accumulated gradient; undefined if there is none. */
  grad(): Tensor {
    const meta = this.impl_.autograd_meta_;
    return (meta === null ? GetAutogradMetaFactory().undefined_tensor() : meta.grad()) as Tensor;
  }

  /** The tangent at `level`; undefined if there is none. */
  _fw_grad(level: number): Tensor {
    const meta = this.impl_.autograd_meta_;
    return (meta === null ? GetAutogradMetaFactory().undefined_tensor() : meta.fw_grad(level, this)) as Tensor;
  }

  /** @param is_inplace_op whether an in-place operator sets it: a base then gets the tangent of its view */
  _set_fw_grad(new_grad: TensorBase, level: number, is_inplace_op: boolean): void {
    this.impl_._set_fw_grad(new_grad, this, level, is_inplace_op);
  }

  grad_fn(): Node | null {
    return GetVariableHooks().grad_fn(this);
  }

  is_leaf(): boolean {
    return GetVariableHooks().is_leaf(this);
  }

  output_nr(): number {
    return GetVariableHooks().output_nr(this);
  }

  is_view(): boolean {
    return GetVariableHooks().is_view(this);
  }

  /** Number of in-place writes to the bytes. */
  _version(): number {
    return GetVariableHooks()._version(this);
  }

  name(): string {
    return GetVariableHooks().name(this);
  }

  retain_grad(): void {
    GetVariableHooks().retain_grad(this);
  }

  retains_grad(): boolean {
    return GetVariableHooks().retains_grad(this);
  }

  _register_hook(hook: (grad: Tensor) => Tensor | undefined): number {
    return GetVariableHooks()._register_hook(this, hook);
  }

  remove_hook(pos: number): void {
    GetVariableHooks().remove_hook(this, pos);
  }

  // Printing ---------------------------------------------------------------------------------------------------------

  /**
   * `torch.FloatTensor`, `MetaFloatType`, as some error messages name a tensor.
   * @differs The name is the final one at once; PyTorch says CPUFloatType here, and replaces it by the legacy class's
   * name when a message leaves C++ (`processErrorMsg`).
   */
  toString(): string {
    if (!this.defined()) return "UndefinedType";
    const device = this.device().is_privateuseone()
      ? get_privateuse1_backend() // the name it was given
      : DeviceTypeName(this.device_type());
    const dtype = dtypeToString(this.scalar_type());
    if (device === "CPU" && !this.is_sparse() && LEGACY_TENSOR_TYPES.has(dtype)) return `torch.${dtype}Tensor`;
    return `${this.is_sparse() ? "Sparse" : ""}${device}${dtype}Type`;
  }
}
