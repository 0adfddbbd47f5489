/**
 * @file A tensor of a `grad` or `jvp` level, with this level's autograd information around the tensor of the level below.
 * A wrapper that outlives its level is dead: the next call with it takes the value instead.
 * @mirrors aten/src/ATen/functorch/TensorWrapper.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import { Storage } from "#c10/core/Storage";
import { TensorImpl, type VariableVersion } from "#c10/core/TensorImpl/index";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { getLifeHandleForLevel } from "./DynamicLayer.ts";

/** Keys of a tensor that its wrapper has, too. */
const kKeysToPropagateToWrapper = DispatchKeySet.of(
  DispatchKey.Negative,
  DispatchKey.Conjugate,
  DispatchKey.XLA,
  DispatchKey.CUDA,
  DispatchKey.CPU,
  DispatchKey.PrivateUse1,
  DispatchKey.Meta,
);

export function getKeysToPropagateToWrapper(tensor: Tensor): DispatchKeySet {
  return tensor.key_set().and(kKeysToPropagateToWrapper);
}

export class TensorWrapper extends TensorImpl {
  private readonly value_: Tensor;
  private readonly level_: number;
  private readonly life_handle: { readonly alive: boolean };
  /** Whether autograd made it while a rule of a transform ran; the user's function cannot know it. */
  private readonly generated_: boolean;

  constructor(value: Tensor, level: number, life_handle: { readonly alive: boolean }, generated: boolean) {
    super(
      new Storage(null),
      getKeysToPropagateToWrapper(value).add(DispatchKey.FuncTorchGradWrapper),
      value.scalar_type(),
      value.device(),
    );
    this.value_ = value;
    this.level_ = level;
    this.life_handle = life_handle;
    this.generated_ = generated;
    this.refreshMetadata();
  }

  /** Takes the value's shape again, after the value was changed in place. */
  refreshMetadata(): void {
    const { impl_ } = this.value_;
    this.set_sizes_and_strides(impl_.sizes(), impl_.strides(), impl_.storage_offset());
    if (impl_.is_wrapped_number()) this.set_wrapped_number(true);
  }

  value(): Tensor {
    return this.value_;
  }
  is_alive(): boolean {
    return this.life_handle.alive;
  }
  /** The level; null if it does not exist any more. */
  level(): number | null {
    return this.is_alive() ? this.level_ : null;
  }
  generated(): boolean {
    return this.generated_;
  }

  override shallow_copy_and_detach(
    version_counter: VariableVersion | 0,
    allow_tensor_metadata_change: boolean,
  ): TensorImpl {
    const copy = new TensorWrapper(this.value_, this.level_, this.life_handle, false);
    if (version_counter !== 0) copy.set_version_counter(version_counter);
    copy.set_allow_tensor_metadata_change(allow_tensor_metadata_change);
    return copy;
  }

  override shallow_copy_from(): never {
    TORCH_INTERNAL_ASSERT(false, "NYI");
    throw undefined;
  }

  override tensorimpl_type_name(): string {
    return "TensorWrapper";
  }
}

export function maybeGetTensorWrapper(tensor: Tensor): TensorWrapper | null {
  return tensor.impl_ instanceof TensorWrapper ? tensor.impl_ : null;
}

/** A tensor of this level around `tensor`, which belongs to a lower level or to none. */
export function makeTensorWrapper(tensor: Tensor, level: number, generated = false): Tensor {
  const wrapped = maybeGetTensorWrapper(tensor);
  TORCH_INTERNAL_ASSERT(wrapped === null || (wrapped.level() ?? 0) < level);
  return new Tensor(new TensorWrapper(tensor, level, getLifeHandleForLevel(level), generated));
}

/** The value of a wrapper whose level has ended; any other tensor as it is. */
export function unwrapIfDead(tensor: Tensor): Tensor {
  let value = tensor;
  let wrapped = maybeGetTensorWrapper(value);
  while (wrapped !== null && !wrapped.is_alive()) {
    value = wrapped.value();
    wrapped = maybeGetTensorWrapper(value);
  }
  return value;
}

/** `Wrapper[lvl=1, Tensor[2, 3]]`: the layers of a tensor. */
export function dumpTensor(tensor: Tensor, of_batched: (tensor: Tensor) => string | null): string {
  const wrapped = maybeGetTensorWrapper(tensor);
  if (wrapped === null) return of_batched(tensor) ?? `Tensor[${tensor.sizes().join(", ")}]`;
  const level = wrapped.level();
  return `Wrapper[${level === null ? "dead" : `lvl=${level}`}, ${dumpTensor(wrapped.value(), of_batched)}]`;
}
