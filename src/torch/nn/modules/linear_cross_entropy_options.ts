/**
 * @file `nn.LinearCrossEntropyOptions`: whether and how `linear_cross_entropy` splits its batch into chunks.
 * @mirrors torch/nn/modules/linear_cross_entropy_options.py
 */
import { ValueError } from "#c10/util/Exception";
import { py_str, repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import { torch } from "#torch/_torch";
import type { device, dtype } from "#torch/types";

/** Accuracy of the sums: for half precision, the dtype of the intermediate values. */
export type AccPolicy = "accurate" | "balanced" | "compact" | "auto";

interface Fields {
  readonly allow_retain_graph: boolean;
  readonly batch_chunk_size: number | null;
  readonly chunking_method: string | null;
  readonly acc_policy: AccPolicy;
  readonly acc_dtype: dtype | null;
}

/** Options of one call, with all defaults resolved. */
export interface AdjustedOptions extends Fields {
  readonly batch_chunk_size: number;
  readonly acc_dtype: dtype;
}

const LinearCrossEntropyOptions_init = new Init(
  "LinearCrossEntropyOptions.__init__(self, allow_retain_graph=False, batch_chunk_size=None, chunking_method='auto', acc_policy='auto', acc_dtype=None)",
  types<
    [
      allow_retain_graph: boolean,
      batch_chunk_size: number | null,
      chunking_method: string | null,
      acc_policy: AccPolicy,
      acc_dtype: dtype | null,
    ]
  >,
);

const is_half = (t: dtype): boolean => t === torch.float16 || t === torch.bfloat16;

const ceil_div = (a: number, b: number): number => Math.ceil(a / b);

/** Options of `linear_cross_entropy`: in chunks or at once, by which method, and in which dtype the sums are computed. */
export class LinearCrossEntropyOptions implements Fields {
  static readonly __module__: string = "torch.nn.modules.linear_cross_entropy_options";

  /** Whether backward may be called twice; this costs a copy of the gradients. */
  readonly allow_retain_graph: boolean;
  /** Rows per chunk; null: all rows, unless a method is given. */
  readonly batch_chunk_size: number | null;
  /** "aspect_ratio" or "aspect_ratio:N": chunks whose scores take as much memory as the input, or an N-th of it. */
  readonly chunking_method: string | null;
  readonly acc_policy: AccPolicy;
  /** The dtype of the sums; null: float32 for half precision, else the dtype of the input. */
  readonly acc_dtype: dtype | null;

  static {
    def_methods(LinearCrossEntropyOptions, { __init__: LinearCrossEntropyOptions_init });
  }

  constructor(...args: InitArgs<typeof LinearCrossEntropyOptions_init>) {
    const [allow_retain_graph, batch_chunk_size, chunking_method, acc_policy, acc_dtype] =
      LinearCrossEntropyOptions_init.bind(args);
    if (!["auto", "accurate", "balanced", "compact"].includes(acc_policy))
      throw new ValueError(`invalid acc_policy: ${repr(acc_policy)}`);
    if (
      !(
        chunking_method === null ||
        chunking_method === "auto" ||
        (typeof chunking_method === "string" && /^aspect_ratio(:0*[1-9]\d*)?$/.test(chunking_method))
      )
    )
      throw new ValueError(`invalid chunking_method: ${repr(chunking_method)}`);
    if (!(batch_chunk_size === null || (Number.isInteger(batch_chunk_size) && batch_chunk_size > 0)))
      throw new ValueError(`batch_chunk_size must be positive int or None, got ${repr(batch_chunk_size)}`);
    if (!(acc_dtype === null || is_half(acc_dtype) || acc_dtype === torch.float32 || acc_dtype === torch.float64))
      throw new ValueError(
        "acc_dtype must be one of {None, torch.float16, torch.bfloat16, torch.float32, torch.float64}, " +
          `got ${py_str(acc_dtype)}. Pass acc_dtype=None to let the op pick automatically.`,
      );
    this.allow_retain_graph = allow_retain_graph;
    this.batch_chunk_size = batch_chunk_size;
    this.chunking_method = chunking_method;
    this.acc_policy = acc_policy;
    this.acc_dtype = acc_dtype;
    Object.freeze(this);
  }

  /** The power of 2 above `num_batches / (num_classes / in_features)`, divided by the method's factor. */
  private chunk_size_by(method: string, num_batches: number, in_features: number, num_classes: number): number {
    const factor = Number(method.split(":")[1] ?? 1);
    const target = ceil_div(num_batches, ceil_div(num_classes, in_features));
    const next_power = 2 ** Math.ceil(Math.log2(Math.max(target, 1)));
    return Math.min(Math.floor(next_power / factor), num_batches);
  }

  /** The options for one call: values that are "auto" or null are decided here. */
  _adjust(num_batches: number, in_features: number, num_classes: number, t: dtype, device: device): AdjustedOptions {
    const explicit = this.batch_chunk_size;
    const on_cpu = device.type === "cpu" && is_half(t);
    const chosen = explicit !== null && this.chunking_method === "auto" ? null : this.chunking_method;
    const chunking_method = chosen === "auto" ? (on_cpu ? "aspect_ratio" : "aspect_ratio:2") : chosen;
    let batch_chunk_size = Math.min(explicit ?? num_batches, num_batches);
    if (chunking_method !== null) {
      batch_chunk_size = this.chunk_size_by(chunking_method, num_batches, in_features, num_classes);
      if (explicit !== null && explicit !== batch_chunk_size)
        throw new ValueError(
          `batch_chunk_size (=${explicit}) and chunking_method ('${chunking_method}') give different ` +
            `chunk sizes (${explicit} vs ${batch_chunk_size}); pass only one.`,
        );
    }
    const acc_policy = this.acc_policy === "auto" ? (on_cpu ? "accurate" : "compact") : this.acc_policy;
    const acc_dtype = this.acc_dtype ?? (this.acc_policy === "auto" && on_cpu ? torch.float32 : t);
    const { allow_retain_graph } = this;
    return {
      allow_retain_graph,
      batch_chunk_size: Math.max(1, batch_chunk_size),
      chunking_method,
      acc_policy,
      acc_dtype,
    };
  }

  __repr__(): string {
    const fields = Object.entries(this).map(([name, value]) => `${name}=${repr(value)}`);
    return `LinearCrossEntropyOptions(${fields.join(", ")})`;
  }

  toString(): string {
    return this.__repr__();
  }
}
