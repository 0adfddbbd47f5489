/**
 * @file The storage that a functional tensor and its views have in common: the newest value of the base, and the updates that wait.
 * @mirrors aten/src/ATen/FunctionalStorageImpl.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { DataPtr } from "#c10/core/Allocator";
import { GetMetaAllocator } from "#c10/core/MetaAllocator";
import { StorageImpl } from "#c10/core/StorageImpl";
import { TORCH_CHECK } from "#c10/util/Exception";

/** How a view was taken, and how a changed view is put back into its base. */
export interface ViewMeta {
  /** Takes the view again. */
  readonly forward: (base: Tensor) => Tensor;
  /** Takes the view as the program did, so that autograd sees it. */
  readonly replay: (base: Tensor) => Tensor;
  /** The base in which the view has this value. */
  readonly reverse: (base: Tensor, mutated_view: Tensor) => Tensor;
  /** Whether it is one of several results of its operator. */
  readonly is_multi_output: boolean;
  /** Strides of the memory, whatever was viewed: such a view cannot be put back through another. */
  readonly is_as_strided: boolean;
}

/** A new value of a view, which the base does not have yet. */
interface Update {
  readonly new_val: Tensor;
  readonly view_metas: readonly ViewMeta[];
}

/** Puts a view's value into the base: down the chain of views, and back with the inverse of each. */
function apply_update(update: Update, base: Tensor): Tensor {
  const { new_val, view_metas } = update;
  const bases = [base];
  for (const meta of view_metas.slice(0, -1)) bases.push(meta.forward(bases.at(-1) as Tensor));
  return view_metas.reduceRight((value, meta, i) => meta.reverse(bases[i], value), new_val);
}

export class FunctionalStorageImpl extends StorageImpl {
  private base_: Tensor;
  private updates_: Update[] = [];
  /** Number of updates so far: a view that was made at an earlier generation is out of date. */
  private generation_ = 0;
  private frozen_ = false;

  constructor(base: Tensor) {
    super(
      base.impl_.has_storage() ? base.storage().nbytes() : base.nbytes(),
      new DataPtr(null, 0, base.device()),
      GetMetaAllocator(),
      true,
    );
    this.base_ = base;
  }

  base(): Tensor {
    return this.base_;
  }

  generation(): number {
    return this.generation_;
  }

  is_frozen(): boolean {
    return this.frozen_;
  }

  /** From now on no update is accepted. */
  freeze(): void {
    this.frozen_ = true;
  }

  add_update(new_val: Tensor, view_metas: readonly ViewMeta[]): void {
    const strided = view_metas.findIndex((meta, i) => i > 0 && meta.is_as_strided);
    TORCH_CHECK(
      strided === -1,
      "During torch.compile, encountered a mutation on a view chain of length ",
      view_metas.length,
      ", where view ",
      strided,
      " was an as_strided() call. as_strided() is non-compositional, and therefore is not possible to functionalize properly today," +
        "so this behavior is banned in compile. As a workaround, you can either remove the mutation from the model code, or you " +
        "can insert a graph break right before the mutation with torch._dynamo.graph_break(). If you would like this behavior to " +
        "work properly, please comment on https://github.com/pytorch/pytorch/issues/104505.",
    );
    this.updates_.push({ new_val, view_metas: [...view_metas] });
    this.generation_++;
  }

  /** Whether there were updates. */
  apply_updates(): boolean {
    const updates = this.updates_;
    this.updates_ = [];
    for (const update of updates) this.base_ = apply_update(update, this.base_);
    return updates.length > 0;
  }
}
