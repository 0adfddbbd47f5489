/**
 * @file One entry of a dispatch table: a function that can be called with plain arguments, with a boxed stack, or both.
 * @mirrors aten/src/ATen/core/boxing/KernelFunction.h
 * @differs Every unboxed kernel takes the key set first; C++ passes it only to kernels whose signature asks for it.
 */
import type { OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { Stack } from "#aten/core/stack";
import type { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { ambiguous_autogradother_kernel, type BoxedKernelFunction, fallthrough_kernel } from "./BoxedKernel.ts";
import { call_functor_with_args_from_stack } from "./impl/make_boxed_from_unboxed_functor.ts";

/** `(ks, ...arguments of the schema) => result`; several results are an array. */
export type UnboxedKernelFunction = (ks: DispatchKeySet, ...args: never[]) => unknown;

export class KernelFunction {
  private readonly boxed_kernel_func_: BoxedKernelFunction | null;
  private readonly unboxed_kernel_func_: UnboxedKernelFunction | null;
  /** The name in traces and dumps; a minifier would change a function's own name. */
  private readonly name_: string;

  private constructor(boxed: BoxedKernelFunction | null, unboxed: UnboxedKernelFunction | null, name: string) {
    this.boxed_kernel_func_ = boxed;
    this.unboxed_kernel_func_ = unboxed;
    this.name_ = name;
  }

  /** An empty slot. */
  static readonly invalid = new KernelFunction(null, null, "missing");

  static makeFromBoxedFunction(func: BoxedKernelFunction, name: string): KernelFunction {
    return new KernelFunction(func, null, name);
  }
  static makeFromUnboxedFunction(func: UnboxedKernelFunction, name: string): KernelFunction {
    return new KernelFunction(null, func, name);
  }
  static makeFallthrough(): KernelFunction {
    return new KernelFunction(fallthrough_kernel, null, "fallthrough_kernel");
  }
  static readonly ambiguousAutogradOther = new KernelFunction(
    ambiguous_autogradother_kernel,
    null,
    "ambiguous_autogradother_kernel",
  );

  isValid(): boolean {
    return this.boxed_kernel_func_ !== null || this.unboxed_kernel_func_ !== null;
  }
  isValidUnboxed(): boolean {
    return this.unboxed_kernel_func_ !== null;
  }
  isFallthrough(): boolean {
    return this.boxed_kernel_func_ === fallthrough_kernel;
  }
  name(): string {
    return this.name_;
  }
  /** Precondition: `isValidUnboxed()`. */
  unboxed(): UnboxedKernelFunction {
    TORCH_INTERNAL_ASSERT(this.unboxed_kernel_func_ !== null);
    return this.unboxed_kernel_func_;
  }

  callBoxed(op: OperatorHandle, ks: DispatchKeySet, stack: Stack): void {
    if (this.boxed_kernel_func_ !== null) {
      this.boxed_kernel_func_(op, ks, stack);
      return;
    }
    call_functor_with_args_from_stack(this.unboxed(), op.entry.boxing(), ks, stack);
  }

  /** The text inside the brackets in `_dispatch_dump`. Every unboxed kernel can also be called boxed. */
  dumpState(): string {
    if (this.isFallthrough()) return "fallthrough boxed ";
    return this.isValidUnboxed() ? "boxed unboxed " : "boxed ";
  }

  _equalsBoxedAndUnboxed(other: KernelFunction): boolean {
    return (
      this.boxed_kernel_func_ === other.boxed_kernel_func_ && this.unboxed_kernel_func_ === other.unboxed_kernel_func_
    );
  }
}
