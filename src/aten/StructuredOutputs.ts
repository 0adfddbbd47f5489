/**
 * @file The classes that give a structured kernel's outputs a place, for keys that do not hurry (Meta, and the default kernels of
 * backends that write only the out operator): made from the kernel's meta class at the first call.
 * @mirrors torchgen/dest/register_dispatch_key.py#StructuredRegisterDispatchKey
 * @differs PyTorch writes such a class out for every operator and key, as we do for CPU, whose text the engine compiles by itself.
 * Written out for every key they were a sixth of what an import reads.
 */
import type { TensorOptions } from "#c10/core/TensorOptions";
import type { Tensor } from "./generated/core/TensorBody.ts";
import {
  type CreateOut,
  check_inplace,
  maybe_create_proxy,
  resize_out,
  undefined_output,
} from "./StructuredKernels.ts";
import { TensorIteratorBase } from "./TensorIterator.ts";
import type { MetaBase } from "./TensorMeta.ts";

/** What such a class adds to `Meta`. */
export interface Outputs {
  /** Output `i`: undefined until meta has announced it, in the functional variant. */
  readonly outputs_: Tensor[];
  /** Results that were computed into a tensor with the strides the kernel insists on go where they belong. */
  copy_back(): void;
}

type MetaClass<Meta extends MetaBase> = abstract new () => Meta;
/** Makes an object whose outputs are `given` (none in the functional variant). */
type Make<Meta extends MetaBase> = (...given: Tensor[]) => Meta & Outputs;

/** One variant: puts output `i` in its place, or checks the one that is there. */
type Place = (
  op: Outputs,
  i: number,
  sizes: readonly number[],
  strides: readonly number[],
  options: TensorOptions,
) => void;

/** Fresh outputs. */
export function functional_outputs<Meta extends MetaBase>(meta: MetaClass<Meta>, create_out: CreateOut): Make<Meta> {
  const fresh: Place = (op, i, sizes, strides, options) => {
    op.outputs_[i] = create_out(sizes, strides, options);
  };
  return class_at_first_call(meta, fresh, null);
}

/** The given tensors, made to fit. */
export function out_outputs<Meta extends MetaBase>(meta: MetaClass<Meta>, create_out: CreateOut): Make<Meta> {
  const resized: Place = (op, i, sizes, strides, options) => resize_out(op.outputs_[i], sizes, strides, options);
  return class_at_first_call(meta, resized, create_out);
}

/** `self`, which must fit as it is. */
export function inplace_outputs<Meta extends MetaBase>(meta: MetaClass<Meta>, create_out: CreateOut): Make<Meta> {
  const checked: Place = (op, i, sizes, _strides, options) => check_inplace(op.outputs_[i], sizes, options);
  return class_at_first_call(meta, checked, create_out);
}

function class_at_first_call<Meta extends MetaBase>(
  meta: MetaClass<Meta>,
  place: Place,
  create_proxy: CreateOut | null,
): Make<Meta> {
  let made: (new (given: Tensor[]) => Meta & Outputs) | null = null;
  return (...given) => {
    made ??= output_class(meta as unknown as MetaClass<MetaBase>, place, create_proxy) as unknown as typeof made;
    return new made!(given);
  };
}

function output_class(meta: MetaClass<MetaBase>, place: Place, create_proxy: CreateOut | null) {
  const iterates = meta.prototype instanceof TensorIteratorBase;
  return class extends meta implements Outputs {
    readonly outputs_: Tensor[];
    private readonly proxy_outputs_: (Tensor | null)[];

    constructor(given: Tensor[]) {
      super();
      this.outputs_ = given;
      this.proxy_outputs_ = given.map(() => null);
    }

    override set_output_strided(
      i: number,
      sizes: readonly number[],
      strides: readonly number[],
      options: TensorOptions,
    ): void {
      place(this, i, sizes, strides, options);
      if (create_proxy !== null)
        this.proxy_outputs_[i] = maybe_create_proxy(this.outputs_[i], sizes, strides, create_proxy, options);
      if (iterates) super.set_output_raw_strided(i, sizes, strides, options);
    }

    override set_output_raw_strided(
      i: number,
      sizes: readonly number[],
      strides: readonly number[],
      options: TensorOptions,
    ): void {
      place(this, i, sizes, strides, options);
      if (iterates) super.set_output_raw_strided(i, sizes, strides, options);
    }

    override maybe_get_output(i: number): Tensor {
      return this.proxy_outputs_[i] ?? this.outputs_[i] ?? undefined_output;
    }

    copy_back(): void {
      for (const [i, proxy] of this.proxy_outputs_.entries()) if (proxy !== null) this.outputs_[i].copy_(proxy);
    }
  };
}
