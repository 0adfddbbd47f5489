/**
 * @file Outputs of a structured kernel. Meta sets each output; here it is made (functional), checked (in-place) or
 * resized (out=). Meta, impl and the wrapper that runs both find it here.
 * @mirrors torchgen/dest/register_dispatch_key.py#StructuredRegisterDispatchKey
 * @differs One class serves all variants, each as a branch, and an operator object holds an instance of it; PyTorch
 * generates three subclasses for every operator and key, whose text differs only in names.
 * @differs An operator object is kept between calls, Note [Operators are used again]; PyTorch's stands on the stack.
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
// In C++ a structured operator, its iterator and its operands stand on the stack and are gone when the wrapper returns.
// Here they would be objects: half of the garbage of an `add` of small tensors. So each kernel keeps one idle operator
// per variant. A wrapper takes it when it is called. `finish`, which stands where C++ has the destructor, releases the
// tensors and puts the operator back. A nested call finds no idle operator and makes its own. An operator whose call
// threw, or was traced, is left to the garbage collector.

/** Source of the outputs: new tensors; `self`, which must fit as it is; or the caller's tensors, resized to fit. */
export const SchemaKind = { functional: 0, inplace: 1, out: 2 } as const;
export type SchemaKind = (typeof SchemaKind)[keyof typeof SchemaKind];

/** The outputs of one operator object. This class, like the iterators, has no subclasses. */
export class StructuredOutputs<Op extends MetaBase = MetaBase> {
  /** The outputs: undefined until meta has set them, or the tensors that the caller gave. */
  readonly outputs_: Tensor[];
  readonly op: Op;
  private readonly kernel: StructuredKernel<Op>;
  private readonly kind: SchemaKind;
  private readonly iter_: TensorIteratorBuild | null;
  /** Temporaries for outputs whose strides meta could not use; null while there is none. */
  private proxy_outputs_: (Tensor | undefined)[] | null = null;
  /** Makes the outputs' device the current one, if there can be several; otherwise null. */
  private readonly guard_: OptionalDeviceGuard | null;
  /** Whether the operator is reused. */
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

  /** Sets output i; the strides are only a preference. */
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

  /** Sets output i with exactly these strides: a given output with other strides is replaced by a proxy. */
  set_output_strided(i: number, sizes: readonly number[], strides: readonly number[], options: TensorOptions): void {
    this.set_output_raw_strided(i, sizes, strides, options);
    if (this.kind === SchemaKind.functional) return;
    const proxy = maybe_create_proxy(this.outputs_[i], sizes, strides, this.kernel.create_out, options);
    if (proxy === null) return;
    this.proxy_outputs_ ??= [];
    this.proxy_outputs_[i] = proxy;
  }

  /** Sets the guard at the first output; the others are on the same device. */
  private maybe_set_guard(guard: OptionalDeviceGuard, options: TensorOptions): void {
    const current_device = guard.current_device();
    if (current_device === null) guard.reset_device(options.device());
    else
      TORCH_INTERNAL_ASSERT(
        current_device.eq(options.device()),
        "structured kernels don't support multi-device outputs",
      );
  }

  /** Restores the previous current device, in every case. */
  restore_device(): void {
    this.guard_?.restore();
  }

  /** The tensor to compute into: output `i`, or its proxy. */
  at(i: number): Tensor {
    return this.proxy_outputs_?.[i] ?? this.outputs_[i];
  }

  /** Called last by the wrapper: copies proxies back, and releases the operator's tensors. */
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

/** During a recording, meta and impl are called through cold twins (Note [One road]). */
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

/** A structured kernel under one dispatch key: makes operator objects for its three variants, or hands out the idle one. */
export class StructuredKernel<Op extends MetaBase> {
  readonly create_out: CreateOut;
  readonly num_outputs: number;
  readonly meta_class: string;
  /** Null if the out operator of another key does the work. */
  readonly impl_class: string | null;
  /** Whether the outputs' device is made current; the wrapper then ends with `restore_device`. */
  readonly guarded: boolean;
  private readonly op_class: new () => Op;
  /** Idle operators by variant: Note [Operators are used again]. */
  readonly idle: (StructuredOutputs<Op> | null)[] = [null, null, null];

  /** `meta_class` and `impl_class` are names for traces. */
  constructor(
    op_class: abstract new () => Op,
    num_outputs: number,
    create_out: CreateOut,
    meta_class: string,
    impl_class: string | null,
    guarded = false,
  ) {
    // The class is abstract only because an operator needs outputs, and here each object gets its own.
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

  /** The out variant with one output, which most operators have. */
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
