/**
 * @file A tensor that stands for a batch of tensors: it hides one dimension of its value, the batch dimension of a level of vmap.
 * @mirrors aten/src/ATen/functorch/BatchedTensorImpl.h
 *
 *     value (2, 3, 4), bdim 1, level 1       shows sizes (2, 4), strides (12, 1); each of the 3 samples is (2, 4)
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { DispatchKey } from "#c10/core/DispatchKey";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Storage } from "#c10/core/Storage";
import { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { getKeysToPropagateToWrapper } from "./TensorWrapper.ts";

export class BatchedTensorImpl extends TensorImpl {
  private readonly value_: Tensor;
  private bdim_: number;
  private readonly level_: number;

  constructor(value: Tensor, bdim: number, level: number) {
    super(
      new Storage(null),
      getKeysToPropagateToWrapper(value).add(DispatchKey.FuncTorchBatched),
      value.scalar_type(),
      value.device(),
    );
    TORCH_INTERNAL_ASSERT(level > -1);
    this.value_ = value;
    this.bdim_ = bdim;
    this.level_ = level;
    this.refreshTensorMetadata();
  }

  /** Takes the shape of the value again, after it was changed in place. */
  refreshTensorMetadata(): void {
    const { impl_ } = this.value_;
    const without_bdim = (list: readonly number[]): number[] => list.filter((_, d) => d !== this.bdim_);
    this.set_sizes_and_strides(without_bdim(impl_.sizes()), without_bdim(impl_.strides()), impl_.storage_offset());
  }

  value(): Tensor {
    return this.value_;
  }
  bdim(): number {
    return this.bdim_;
  }
  level(): number {
    return this.level_;
  }

  /** Moves the batch dimension of the value, which was changed in place, to another position. */
  unsafe_set_bdim(bdim: number): void {
    this.bdim_ = bdim;
    this.refreshTensorMetadata();
  }

  override is_contiguous(memory_format: MemoryFormat = MemoryFormat.Contiguous): boolean {
    TORCH_CHECK(
      memory_format === MemoryFormat.Contiguous,
      "NYI: querying is_contiguous inside of vmap for memory_format other than torch.contiguous_format",
    );
    return super.is_contiguous();
  }

  override shallow_copy_and_detach(): never {
    TORCH_CHECK(false, "accessing `data` under vmap transform is not allowed");
  }

  override shallow_copy_from(): never {
    TORCH_CHECK(false, "mutating directly with `.data` under vmap transform is not allowed.");
  }

  override tensorimpl_type_name(): string {
    return "BatchedTensorImpl";
  }
}

export function maybeGetBatchedImpl(tensor: Tensor): BatchedTensorImpl | null {
  return tensor.impl_ instanceof BatchedTensorImpl ? tensor.impl_ : null;
}

/** A batched tensor of this level around `tensor`, which belongs to a lower level or to none. */
export function makeBatched(tensor: Tensor, bdim: number, level: number): Tensor {
  const batched = maybeGetBatchedImpl(tensor);
  TORCH_INTERNAL_ASSERT(batched === null || batched.level() < level, "level is not below that of the batched tensor");
  return new Tensor(new BatchedTensorImpl(tensor, bdim, level));
}

export const addBatchDim = makeBatched;
