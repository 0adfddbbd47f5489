/**
 * @file A tensor that looks as if it could be changed, and consists of values that never change.
 * @mirrors aten/src/ATen/FunctionalTensorWrapper.h
 * @differs A view's strides are those of its value, also where views are taken by copies; and nested levels do not exist.
 *
 *     y = x.clone()       y: value v0                          storage S: base v0, generation 0
 *     z = y[0]            z: value select(v0), views [select]  also in S
 *     z.mul_(2)           z: value w = mul(select(v0), 2)      S: update (w, [select]), generation 1
 *     y + 1               y is behind: S applies the update: base v1 = select_scatter(v0, w); the value of y becomes v1
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import type { Device } from "#c10/core/Device";
import type { DeviceType } from "#c10/core/DeviceType";
import { DispatchKey } from "#c10/core/DispatchKey";
import { autograd_dispatch_keyset_with_ADInplaceOrView, DispatchKeySet, python_ks } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { ForceDispatchKeyGuard, tls_local_dispatch_key_set } from "#c10/core/impl/LocalDispatchKeySet";
import type { MemoryFormat } from "#c10/core/MemoryFormat";
import { Storage } from "#c10/core/Storage";
import { type SymbolicShapeMeta, SymbolicTensorImpl, settled } from "#c10/core/SymbolicShapeMeta";
import { sym_product } from "#c10/core/SymInt";
import { TensorImpl, type VariableVersion } from "#c10/core/TensorImpl/index";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { FunctionalStorageImpl, type ViewMeta } from "./FunctionalStorageImpl.ts";

const functionalize_ks = DispatchKeySet.of(DispatchKey.Functionalize);
const above = functionalize_ks.or(autograd_dispatch_keyset_with_ADInplaceOrView);

/** Runs `fn` below functionalization. (`AutoDispatchSkipFunctionalize`) */
export function skip_functionalize<R>(fn: () => R): R {
  const { included_, excluded_ } = tls_local_dispatch_key_set();
  const guard = new ForceDispatchKeyGuard(included_.sub(functionalize_ks), excluded_.or(above));
  try {
    return fn();
  } finally {
    guard.restore();
  }
}

export class FunctionalTensorWrapper extends TensorImpl {
  private value_: Tensor;
  private view_metas_: ViewMeta[];
  private generation_ = 0;
  private is_multi_output_view_ = false;
  /** Counts of changes: all, those without grad mode, and those that autograd shall not see. */
  private mutation_counter_ = 0;
  private mutations_during_no_grad_ = 0;
  private mutations_hidden_from_autograd_ = 0;
  private has_metadata_mutation_ = false;
  /** The level of the transform `functionalize` to which it belongs; -1 outside of transforms. */
  private level_ = -1;

  /** @param base the wrapper that `value` views */
  constructor(value: Tensor, base: FunctionalTensorWrapper | null = null, meta: ViewMeta | null = null) {
    const storage = base === null ? new Storage(new FunctionalStorageImpl(value)) : base.storage_;
    super(storage, value.key_set().sub(python_ks).or(functionalize_ks), value.scalar_type());
    this.value_ = value;
    this.view_metas_ = base === null ? [] : [...base.view_metas_];
    if (meta !== null) {
      this.view_metas_.push(meta);
      this.is_multi_output_view_ = (base as FunctionalTensorWrapper).is_multi_output_view_ || meta.is_multi_output;
    }
    this.update_metadata();
  }

  /** The shape follows the value. */
  private update_metadata(): void {
    const { impl_ } = this.value_;
    settled(() => this.set_sizes_and_strides([...impl_.sizes()], [...impl_.strides()], impl_.storage_offset()));
  }

  /** The symbols of the value's sizes; null if it has none. */
  symbolic_shape_meta(): SymbolicShapeMeta | null {
    const { impl_ } = this.value_;
    return impl_ instanceof SymbolicTensorImpl ? impl_.symbolic_shape_meta() : null;
  }

  /** The impl that answers questions for the shape: the value's, if that has symbols. */
  private get symbolic(): TensorImpl | null {
    return this.symbolic_shape_meta() === null ? null : this.value_.impl_;
  }
  override sizes(): number[] {
    return this.symbolic?.sizes() ?? super.sizes();
  }
  override strides(): number[] {
    return this.symbolic?.strides() ?? super.strides();
  }
  override numel(): number {
    return this.symbolic?.numel() ?? super.numel();
  }
  override size(d: number): number {
    return this.symbolic?.size(d) ?? super.size(d);
  }
  override stride(d: number): number {
    return this.symbolic?.stride(d) ?? super.stride(d);
  }
  override storage_offset(): number {
    return this.symbolic?.storage_offset() ?? super.storage_offset();
  }
  override sym_numel(): number {
    // Computed of the sizes, so that a tracer sees the products.
    return this.symbolic === null ? super.sym_numel() : sym_product(this.sizes());
  }
  override sym_size(d: number): number {
    return this.symbolic?.sym_size(d) ?? super.sym_size(d);
  }
  override sym_storage_offset(): number {
    return this.symbolic?.sym_storage_offset() ?? super.sym_storage_offset();
  }
  override is_contiguous(memory_format?: MemoryFormat): boolean {
    return this.symbolic?.is_contiguous(memory_format) ?? super.is_contiguous(memory_format);
  }

  functional_storage_impl(): FunctionalStorageImpl {
    return this.storage_.storage_impl_ as FunctionalStorageImpl;
  }

  value(): Tensor {
    return this.value_;
  }

  level(): number {
    return this.level_;
  }

  set_level(level: number): void {
    this.level_ = level;
  }

  /** Takes the views of this tensor from another base, as the program did. */
  replay_views(base: Tensor): Tensor {
    return this.view_metas_.reduce((view, meta) => meta.replay(view), base);
  }

  /** Whether it is no view. */
  is_base_tensor(): boolean {
    return this.view_metas_.length === 0;
  }

  is_multi_output_view(): boolean {
    return this.is_multi_output_view_;
  }

  is_up_to_date(): boolean {
    return this.generation_ === this.functional_storage_impl().generation();
  }

  /** Takes a new value. */
  replace_(other: Tensor, from_lazy_regenerate = false): void {
    TORCH_INTERNAL_ASSERT(!(other.impl_ instanceof FunctionalTensorWrapper));
    const dtype = this.dtype();
    this.value_ =
      other.scalar_type() === dtype ? other : skip_functionalize(() => at._to_copy(other, new TensorOptions(dtype)));
    this.update_metadata();
    if (from_lazy_regenerate) return;
    this.mutation_counter_++;
    if (!GradMode.is_enabled()) this.mutations_during_no_grad_++;
  }

  /** Tells the storage that the value changed. */
  commit_update(): void {
    const storage = this.functional_storage_impl();
    TORCH_INTERNAL_ASSERT(!storage.is_frozen(), "Attempted to mutate a frozen functional tensor");
    storage.add_update(this.value_, this.view_metas_);
    // The tensor itself counts as behind: its value is taken from the base again, with the base's strides.
  }

  /** Brings the value up to date with changes through other views. */
  sync_(): void {
    if (this.is_up_to_date()) return;
    skip_functionalize(() => {
      this.functional_storage_impl().apply_updates();
      this.regenerate_from_base();
    });
  }

  /** Takes all views again. */
  regenerate_from_base(): void {
    const storage = this.functional_storage_impl();
    let value = storage.base();
    for (const meta of this.view_metas_) value = meta.forward(value);
    this.replace_(value, true);
    this.generation_ = storage.generation();
  }

  /** The tensor becomes a view of itself, as by `transpose_`. */
  mutate_view_meta(meta: ViewMeta): void {
    this.view_metas_ = [...this.view_metas_, meta];
    this.is_multi_output_view_ ||= meta.is_multi_output;
    this.has_metadata_mutation_ = true;
    this.value_ = skip_functionalize(() => meta.forward(this.value_));
    this.update_metadata();
  }

  has_metadata_mutation(): boolean {
    return this.has_metadata_mutation_;
  }

  has_data_mutation(): boolean {
    return this.functional_storage_impl().generation() > 0;
  }

  mark_mutation_hidden_from_autograd(): void {
    this.mutations_hidden_from_autograd_ = this.mutation_counter_;
  }

  are_all_mutations_hidden_from_autograd(): boolean {
    return this.mutations_hidden_from_autograd_ === this.mutation_counter_;
  }

  are_all_mutations_under_no_grad_or_inference_mode(): boolean {
    return this.mutations_hidden_from_autograd_ + this.mutations_during_no_grad_ === this.mutation_counter_;
  }

  override shallow_copy_and_detach(
    version_counter: VariableVersion | 0,
    allow_tensor_metadata_change: boolean,
  ): TensorImpl {
    const copy = new FunctionalTensorWrapper(this.value_, this);
    copy.generation_ = this.generation_;
    copy.is_multi_output_view_ = this.is_multi_output_view_;
    copy.set_allow_tensor_metadata_change(allow_tensor_metadata_change);
    if (version_counter !== 0 && !copy.is_inference()) copy.set_version_counter(version_counter);
    return copy;
  }

  /** Becomes another functional tensor, with its value and its storage: `x.data = y`. */
  override shallow_copy_from(impl: TensorImpl): void {
    super.shallow_copy_from(impl);
    if (!(impl instanceof FunctionalTensorWrapper)) return;
    this.value_ = impl.value_;
    this.view_metas_ = impl.view_metas_;
    this.generation_ = impl.generation_;
    this.is_multi_output_view_ = impl.is_multi_output_view_;
    this.level_ = impl.level_;
  }

  override tensorimpl_type_name(): string {
    return "FunctionalTensorWrapper";
  }

  override device(): Device {
    return this.value_.device();
  }

  override device_opt(): Device {
    return this.value_.device();
  }

  override device_type(): DeviceType {
    return this.value_.device().type();
  }

  override is_cpu(): boolean {
    return this.value_.device().is_cpu();
  }

  override is_meta(): boolean {
    return this.value_.device().is_meta();
  }
}

/** The wrapper behind a tensor; null if it is not functional. */
export function wrapper_of(t: Tensor): FunctionalTensorWrapper | null {
  return t.impl_ instanceof FunctionalTensorWrapper ? t.impl_ : null;
}

export function isFunctionalTensor(t: Tensor): boolean {
  return wrapper_of(t) !== null;
}

export function to_functional_tensor(value: Tensor): Tensor {
  return value.defined() && !isFunctionalTensor(value) ? new Tensor(new FunctionalTensorWrapper(value)) : value;
}

/** The value, up to date. */
export function from_functional_tensor(t: Tensor): Tensor {
  const wrapper = wrapper_of(t);
  if (wrapper === null) return t;
  wrapper.sync_();
  return wrapper.value();
}

let reapply_views = false;

/** Whether views of values are views, or copies. */
export function getFunctionalizationReapplyViewsTLS(): boolean {
  return reapply_views;
}

/** Returns the setting before. */
export function setFunctionalizationReapplyViewsTLS(value: boolean): boolean {
  const before = reapply_views;
  reapply_views = value;
  return before;
}
