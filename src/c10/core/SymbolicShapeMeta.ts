/**
 * @file Sizes and strides that are symbols, and the impl of a tensor that has them.
 * @mirrors c10/core/SymbolicShapeMeta.h
 * @differs The impl keeps numbers, too: examples of its sizes. Code that reads a size gets the example, and the symbol is then fixed to it
 * (a guard). PyTorch's code has a class of ints for symbols.
 *
 * Note [Sizes that guard]
 * ~~~~~~~~~~~~~~~~~~~~~~~
 * JavaScript cannot replace `===`, so no symbol may stand where code expects a number. `sizes()` of such a tensor is a list whose elements are
 * read through accessors: a read fixes the symbol and gives the number, while code that only passes the list on, or asks for its length, fixes
 * nothing. Where a call leaves for Python the list gives its symbols (`symbols_of`). While a kernel runs whose effect on sizes is known as a
 * rule, reads fix nothing (`settled`).
 */
import type { MemoryFormat } from "./MemoryFormat.ts";
import { guarding_list, type SymNodeImpl } from "./SymInt.ts";
import { TensorImpl } from "./TensorImpl/index.ts";
import { PythonTensorImpl } from "./TensorImpl/PythonTensorImpl.ts";
import { maybe_wrap_dim } from "./WrapDimMinimal.ts";

/** An int of a tensor's shape: a number, or a symbol. */
export type SizeOrSymbol = number | SymNodeImpl;

let settled_depth = 0;

/** Runs `fn`, in which reads of sizes fix no symbol. */
export function settled<R>(fn: () => R): R {
  settled_depth++;
  try {
    return fn();
  } finally {
    settled_depth--;
  }
}

export const is_settled = (): boolean => settled_depth > 0;

/** The sizes of one tensor, symbols among them. */
export interface SymbolicShapeMeta {
  readonly sizes: readonly SizeOrSymbol[];
  readonly strides: readonly SizeOrSymbol[];
  readonly storage_offset: SizeOrSymbol;
  readonly numel: SizeOrSymbol;
}

const guard = (int: SizeOrSymbol): number => (typeof int === "number" ? int : int.guard());

export class SymbolicTensorImpl extends PythonTensorImpl {
  private meta_: SymbolicShapeMeta | null = null;
  private guarding_sizes_: number[] | null = null;
  private guarding_strides_: number[] | null = null;

  /** An impl over the memory of `src`, with its sizes and keys. */
  static override of(src: TensorImpl): SymbolicTensorImpl {
    const impl = new SymbolicTensorImpl(src.storage_, src.key_set_, src.dtype(), null, true);
    TensorImpl.copy_tensor_metadata(src, impl, 0, true);
    return impl;
  }

  /** The sizes with their symbols; null if all are known numbers. */
  symbolic_shape_meta(): SymbolicShapeMeta | null {
    return this.meta_;
  }

  set_symbolic_shape_meta(meta: SymbolicShapeMeta | null): void {
    this.meta_ = meta;
    this.guarding_sizes_ = meta === null ? null : guarding_list(meta.sizes);
    this.guarding_strides_ = meta === null ? null : guarding_list(meta.strides);
  }

  private get asked(): SymbolicShapeMeta | null {
    return settled_depth > 0 ? null : this.meta_;
  }

  override sizes(): number[] {
    return this.asked === null ? super.sizes() : (this.guarding_sizes_ as number[]);
  }

  override strides(): number[] {
    return this.asked === null ? super.strides() : (this.guarding_strides_ as number[]);
  }

  override numel(): number {
    const { asked } = this;
    return asked === null ? super.numel() : guard(asked.numel);
  }

  override size(d: number): number {
    const { asked } = this;
    return asked === null ? super.size(d) : guard(asked.sizes[maybe_wrap_dim(d, asked.sizes.length, false)] ?? 0);
  }

  override sym_numel(): number {
    return (this.asked?.numel ?? super.numel()) as number;
  }

  override sym_size(d: number): number {
    const { asked } = this;
    return asked === null ? super.size(d) : (asked.sizes[maybe_wrap_dim(d, asked.sizes.length, false)] as number);
  }

  override sym_storage_offset(): number {
    return (this.asked?.storage_offset ?? super.storage_offset()) as number;
  }

  override stride(d: number): number {
    const { asked } = this;
    return asked === null ? super.stride(d) : guard(asked.strides[maybe_wrap_dim(d, asked.strides.length, false)] ?? 0);
  }

  override storage_offset(): number {
    const { asked } = this;
    return asked === null ? super.storage_offset() : guard(asked.storage_offset);
  }

  // The order of strides does not depend on which numbers above 1 the symbols are.

  override is_contiguous(memory_format?: MemoryFormat): boolean {
    return settled(() => super.is_contiguous(memory_format));
  }

  override is_strides_like(memory_format: MemoryFormat): boolean {
    return settled(() => super.is_strides_like(memory_format));
  }

  override is_non_overlapping_and_dense(): boolean {
    return settled(() => super.is_non_overlapping_and_dense());
  }
}
