/**
 * @file Makes tensors without data that are related as the given ones are: the same views, the same storages, the same gradients.
 * @mirrors torch/_subclasses/meta_utils.py
 * @differs Ours reads a tensor directly, while PyTorch first makes a description that can be sent elsewhere.
 *
 *     base ----- storage s            fake(base) ----- storage s' on "meta", with as many bytes
 *       \                     ->          \
 *      view (also in s)                 fake(view) = view of fake(base)
 */
import type { StorageImpl } from "#c10/core/StorageImpl";
import { THPDevice_pynew } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { DimDynamic, type ShapeEnv } from "#torch/fx/experimental/symbolic_shapes/index";
import { Parameter } from "#torch/nn/parameter/index";
import { integer } from "#torch/utils/_sympy/expr";
import type { ValueRanges } from "#torch/utils/_sympy/value_ranges";
import { no_dispatch } from "./fake_tensor/kernel_invocation.ts";
import { attach_symbols } from "./fake_tensor/symbolic_sizes.ts";

/** Makes the fake tensor of a meta tensor. */
type Callback<T extends Tensor> = (meta: Tensor, device: Tensor["device"]) => T;

/** Which sizes of a tensor become symbols, and how they are named. */
export interface SymbolicContext {
  readonly shape_env: ShapeEnv;
  /** Where the tensor stands: `L['x']`. */
  readonly source: string;
  readonly dynamic_sizes: readonly DimDynamic[];
  readonly ranges?: readonly (ValueRanges | null)[];
  /** Strides that become symbols of their own, also where they follow from sizes. */
  readonly dynamic_strides?: readonly boolean[];
}

const META = (): Tensor["device"] => THPDevice_pynew("meta") as Tensor["device"];

/** All sizes of the tensor of which an argument is a view become symbols. */
const of_base = (base: Tensor, { shape_env, source }: SymbolicContext): SymbolicContext => ({
  shape_env,
  source: `${source}._base`,
  dynamic_sizes: base.cdata.sizes().map(() => DimDynamic.DUCK),
});

/** The sizes of an argument become symbols. */
function make_symbolic(made: Tensor, t: Tensor, context: SymbolicContext): void {
  const { shape_env, source, dynamic_sizes, ranges, dynamic_strides } = context;
  const shape = shape_env.create_symbolic_sizes_strides(
    [...t.shape],
    t.stride() as number[],
    source,
    dynamic_sizes,
    ranges ?? [],
    dynamic_strides ?? [],
  );
  attach_symbols(made, shape_env, { ...shape, storage_offset: integer(t.storage_offset()) });
}

/** Remembers, weakly, what it has made of which tensor. */
export class MetaConverter<T extends Tensor> {
  /** By the object behind the tensor, which all its wrappers share. */
  private readonly tensor_memo = new WeakMap<object, T>();
  /** A tensor over the storage that stands for a given one. */
  private readonly storage_memo = new WeakMap<StorageImpl, Tensor>();

  get_memo(t: Tensor): T | undefined {
    return this.tensor_memo.get(t.cdata.unsafeGetTensorImpl());
  }

  set_memo(t: Tensor, v: T): void {
    this.tensor_memo.set(t.cdata.unsafeGetTensorImpl(), v);
  }

  /** The tensor that stands for `t`, the same one for the same `t`. */
  meta_tensor(t: Tensor, callback: Callback<T>, how: SymbolicContext | null = null): T {
    const known = this.get_memo(t);
    if (known !== undefined) return known;
    const made =
      t._is_view() && t._base !== null ? this.view(t, t._base as Tensor, callback, how) : this.in_storage(t, callback);
    if (how !== null) make_symbolic(made, t, how);
    this.set_memo(t, made);
    if (t instanceof Parameter) Object.assign(made, { _is_param: true });
    if (t.is_leaf && t.grad !== null) made.grad = this.meta_tensor(t.grad, callback);
    return made;
  }

  /** A view of the tensor that stands for `base`. */
  private view(t: Tensor, base: Tensor, callback: Callback<T>, how: SymbolicContext | null): T {
    const fake_base = this.meta_tensor(base, callback, how === null ? null : of_base(base, how));
    const replay = (): T => fake_base.as_strided([...t.shape], t.stride() as number[], t.storage_offset()) as T;
    const view = t.requires_grad && !base.requires_grad ? torch.no_grad(replay) : torch.enable_grad(replay);
    if (t.requires_grad && !view.requires_grad) view.requires_grad_(true);
    return view;
  }

  /** A tensor in the storage that stands for that of `t`. */
  private in_storage(t: Tensor, callback: Callback<T>): T {
    const sizes = [...t.shape];
    const strides = t.stride() as number[];
    const options = { dtype: t.dtype, device: META() };
    const storage = t.cdata.storage().unsafeGetStorageImpl() as StorageImpl;
    const meta = no_dispatch(() => {
      let owner = this.storage_memo.get(storage);
      if (owner === undefined) {
        owner = torch.empty_strided([Math.ceil(storage.nbytes() / t.itemsize)], [1], options);
        this.storage_memo.set(storage, owner);
      }
      const made = torch.empty(0, options);
      return torch.no_grad(() => made.set_(owner.untyped_storage(), t.storage_offset(), sizes, strides));
    });
    const made = callback(meta, t.device);
    if (!t.requires_grad) return made;
    made.requires_grad_(true);
    if (t.is_leaf) return made;
    return torch.enable_grad(() => made.view_as(made)) as T;
  }
}
