/**
 * @file Where a structured kernel's outputs are. Meta announces each output; here it is made (functional), checked (in-place) or
 * resized (out=), and found again by meta, by impl and by the wrapper that runs both.
 * @mirrors torchgen/dest/register_dispatch_key.py#StructuredRegisterDispatchKey
 * @differs PyTorch writes three subclasses for every operator and key, one per variant, whose text differs only in names. Here each
 * variant is a branch of one class, and an operator object holds one of it: a fraction of the text, and calls that all operators share.
 * @differs An operator object is kept between calls: Note [Operators are used again].
 */
import { OptionalDeviceGuard } from "#c10/core/DeviceGuard";
import type { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { traceCall, tracer } from "#c10/util/Trace";
import type { Tensor } from "./generated/core/TensorBody.ts";
import type { TensorIteratorBuild } from "./iterator/TensorIteratorBuild.ts";
import {
  type CreateOut,
  check_inplace,
  maybe_create_proxy,
  resize_out,
  undefined_output,
} from "./StructuredKernels.ts";
import { TensorIteratorBase } from "./TensorIterator.ts";
import type { MetaBase } from "./TensorMeta.ts";

// Note [Operators are used again]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// In C++ a structured operator, its iterator and its operands stand on the stack, and are gone when the wrapper returns. Here they
// would be objects, half of what an `add` of small tensors leaves to the collector. So each kernel keeps one operator per variant
// that is idle; a wrapper takes it when it is called, and `finish`, which stands where C++ has the destructor, puts it back after it
// has let go of the tensors. A call inside the call finds none and makes its own; one whose operator threw, or was traced, is left
// to the collector.

/** Where the outputs come from: fresh tensors; `self`, which must fit as it is; or the caller's, made to fit. */
export const SchemaKind = { functional: 0, inplace: 1, out: 2 } as const;
export type SchemaKind = (typeof SchemaKind)[keyof typeof SchemaKind];

/** The outputs of one operator object. Of this class, as of the iterators, there is one shape. */
export class StructuredOutputs<Op extends MetaBase = MetaBase> {
  /** The result `i`, undefined until meta has announced it, or the tensor that was given for it. */
  readonly outputs_: Tensor[];
  readonly op: Op;
  private readonly kernel: StructuredKernel<Op>;
  private readonly kind: SchemaKind;
  private readonly iter_: TensorIteratorBuild | null;
  /** What stands in for outputs whose strides meta could not take; null while there is none. */
  private proxy_outputs_: (Tensor | undefined)[] | null = null;
  /** Makes the outputs' device the current one, where there may be several; else null. */
  private readonly guard_: OptionalDeviceGuard | null;
  /** Whether the operator is used again. */
  private readonly kept: boolean;

  constructor(kernel: StructuredKernel<Op>, kind: SchemaKind, op: Op) {
    this.kernel = kernel;
    this.kind = kind;
    this.op = op;
    this.outputs_ = new Array<Tensor>(kernel.num_outputs).fill(undefined_output);
    this.iter_ = op instanceof TensorIteratorBase ? op.iter_ : null;
    this.guard_ = kernel.guarded ? new OptionalDeviceGuard() : null;
    this.kept = tracer === null;
    if (this.iter_ !== null) this.iter_.outputs_ = this;
    op.outputs = this;
    if (!this.kept) trace_structured(op as unknown as Traceable, kernel.meta_class, kernel.impl_class);
  }

  /** The strides are a wish. */
  set_output_raw_strided(
    i: number,
    sizes: readonly number[],
    strides: readonly number[],
    options: TensorOptions,
  ): void {
    if (this.guard_ !== null) this.maybe_set_guard(this.guard_, options);
    if (this.kind === SchemaKind.functional) this.outputs_[i] = this.kernel.create_out(sizes, strides, options);
    else if (this.kind === SchemaKind.inplace) check_inplace(this.outputs_[i], sizes, options);
    else resize_out(this.outputs_[i], sizes, strides, options);
  }

  /** Exactly these strides: an output that was given and has others is replaced by a proxy. */
  set_output_strided(i: number, sizes: readonly number[], strides: readonly number[], options: TensorOptions): void {
    this.set_output_raw_strided(i, sizes, strides, options);
    if (this.kind === SchemaKind.functional) return;
    const proxy = maybe_create_proxy(this.outputs_[i], sizes, strides, this.kernel.create_out, options);
    if (proxy === null) return;
    this.proxy_outputs_ ??= [];
    this.proxy_outputs_[i] = proxy;
  }

  /** With the first output; the others are on its device. */
  private maybe_set_guard(guard: OptionalDeviceGuard, options: TensorOptions): void {
    const current_device = guard.current_device();
    if (current_device === null) guard.reset_device(options.device());
    else
      TORCH_INTERNAL_ASSERT(
        current_device.eq(options.device()),
        "structured kernels don't support multi-device outputs",
      );
  }

  /** Whatever happened, the device is current again that was before. */
  restore_device(): void {
    this.guard_?.restore();
  }

  /** What is computed into: output `i`, or its proxy. */
  at(i: number): Tensor {
    return this.proxy_outputs_?.[i] ?? this.outputs_[i];
  }

  /** The wrapper's last word: results are where they belong, and the operator lets go of its tensors. */
  finish(): void {
    if (this.proxy_outputs_ !== null) this.copy_proxies_back();
    const outputs = this.outputs_;
    for (let i = 0; i < outputs.length; i++) outputs[i] = undefined_output;
    if (this.iter_ !== null) this.iter_.release();
    if (this.kept) this.kernel.idle[this.kind] = this;
  }

  private copy_proxies_back(): void {
    this.proxy_outputs_?.forEach((proxy, i) => {
      if (proxy !== undefined) this.outputs_[i].copy_(proxy);
    });
    this.proxy_outputs_ = null;
  }
}

interface Traceable {
  meta(...args: never[]): unknown;
  impl?(...args: never[]): unknown;
}

/** While a recording is under way, meta and impl are called through cold twins (Note [One road]). */
function trace_structured(op: Traceable, meta_class: string, impl_class: string | null): void {
  const meta = op.meta.bind(op);
  op.meta = function callSlow(...args) {
    return traceCall("native", `at::meta::${meta_class}::meta`, meta, args);
  };
  if (impl_class === null || op.impl === undefined) return;
  const impl = op.impl.bind(op);
  op.impl = function callSlow(...args) {
    return traceCall("native", `at::native::${impl_class}::impl`, impl, args);
  };
}

/** A structured kernel under one key: makes operator objects for its three variants, or hands out the one that is idle. */
export class StructuredKernel<Op extends MetaBase> {
  readonly create_out: CreateOut;
  readonly num_outputs: number;
  readonly meta_class: string;
  /** Null where the out operator of another key does the work. */
  readonly impl_class: string | null;
  /** Whether the outputs' device is made current; then the wrapper ends with `restore_device`. */
  readonly guarded: boolean;
  private readonly op_class: new () => Op;
  /** By kind: Note [Operators are used again]. */
  readonly idle: (StructuredOutputs<Op> | null)[] = [null, null, null];

  /** `meta_class` and `impl_class` are what a trace calls them. */
  constructor(
    op_class: abstract new () => Op,
    num_outputs: number,
    create_out: CreateOut,
    meta_class: string,
    impl_class: string | null,
    guarded = false,
  ) {
    // Abstract is only the idea: an operator object without outputs would be of no use, and here each gets its own.
    this.op_class = op_class as new () => Op;
    this.num_outputs = num_outputs;
    this.create_out = create_out;
    this.meta_class = meta_class;
    this.impl_class = impl_class;
    this.guarded = guarded;
  }

  private take(kind: SchemaKind): StructuredOutputs<Op> {
    const idle = this.idle[kind];
    if (idle === null || tracer !== null) return new StructuredOutputs(this, kind, new this.op_class());
    this.idle[kind] = null;
    return idle;
  }

  functional(): Op {
    return this.take(SchemaKind.functional).op;
  }

  inplace(self: Tensor): Op {
    const outputs = this.take(SchemaKind.inplace);
    outputs.outputs_[0] = self;
    return outputs.op;
  }

  /** One output, as most have. */
  out(out: Tensor): Op {
    const outputs = this.take(SchemaKind.out);
    outputs.outputs_[0] = out;
    return outputs.op;
  }

  outs(...given: Tensor[]): Op {
    const op = this.out(given[0]);
    for (let i = 1; i < given.length; i++) op.outputs.outputs_[i] = given[i];
    return op;
  }
}
