/**
 * @file Kernels of batch_norm and its gradients: each channel is normalized by the batch's mean and standard deviation,
 * or by the running ones.
 * @mirrors aten/src/ATen/native/cuda/Normalization.cuh
 * @differs Ours copies a tensor that is not contiguous first; CUDA reads it in place. `batch_norm_stats` and similar
 * operators, for batches over several devices, are missing here.
 */
import { check_floating_types_and2 } from "#aten/Dispatch";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { check_channels } from "#aten/native/batch_norm";
import { resize_output } from "#aten/native/Resize";
import { defined } from "#aten/TensorMethods";
import { isFloatingType, ScalarType } from "#c10/core/ScalarType";
import { TORCH_CHECK, TORCH_CHECK_VALUE } from "#c10/util/Exception";
import { folded, GpuKernel, type KernelContext, type OperandView, view_of } from "./KernelText.ts";
import { WELFORD_TEXT } from "./ReduceOps.ts";
import {
  fold_row,
  folded_declaration,
  groups_of,
  type RowShape,
  row_index,
  row_shape,
  shape_of,
  size_of,
  variant_of,
} from "./rows.ts";

type MaybeTensor = Tensor | null;
type Three = [Tensor, Tensor, Tensor];

/** A row is one channel; its elements are `map_size` elements of each image. */
const AT = "(i / p.map_size) * p.rows * p.map_size + row * p.map_size + i % p.map_size";
const FIELDS = ["rows: u32", "elements: u32", "map_size: u32", "eps: f32"];
/** Bit of the variant for training; row shapes take the numbers below it. */
const TRAIN = 512;

function size_for({ variant }: KernelContext): [number, number, number] {
  return [size_of(shape_of(variant)), 1, 1];
}
function is_training({ variant }: KernelContext): boolean {
  return variant >= TRAIN;
}

const COLLECT = (of_row: string): string => `  var acc = identity();
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      acc = reduce(acc, load_input(${AT}), i);
    }
  }
${of_row}
  let mean = acc.mean;
  let invstd = 1.0f / sqrt(max(acc.m2 / acc.n, 0.0f) + p.eps);`;

const SAVE = `    if (rx == 0u) {
      store_save_mean(row, mean);
      store_save_invstd(row, invstd);
    }`;
const UPDATE = `    if (rx == 0u) {
      let variance = acc.m2 / (acc.n - 1.0f);
      store_running_mean(row, p.momentum * mean + (1.0f - p.momentum) * load_running_mean(row));
      store_running_var(row, p.momentum * variance + (1.0f - p.momentum) * load_running_var(row));
    }`;
const RUNNING = `  let of_row = min(row, p.rows - 1u);
  let mean = load_running_mean(of_row);
  let invstd = 1.0f / sqrt(load_running_var(of_row) + p.eps);`;

const forward = new GpuKernel("batch_norm", {
  reads: ["input", "weight", "bias"],
  writes: ["output", "save_mean", "save_invstd", "running_mean", "running_var"],
  fields: [...FIELDS, "momentum: f32"],
  workgroup_size: size_for,
  takes: isFloatingType,
  code: (context) => {
    const shape = shape_of(context.variant);
    const train = is_training(context);
    const moments = train ? COLLECT(fold_row(shape, "acc", (a, b) => `combine(${a}, ${b})`)) : RUNNING;
    const main = `${row_index(shape)}
${moments}
  if (row < p.rows) {
    let scale = invstd${context.has("weight") ? " * load_weight(row)" : ""};
    for (var i = rx; i < p.elements; i += lanes) {
      let e = ${AT};
      store_output(e, (load_input(e) - mean) * scale${context.has("bias") ? " + load_bias(row)" : ""});
    }
${train ? SAVE : ""}
${train && context.has("running_mean") ? UPDATE : ""}
  }`;
    return { declarations: train ? `${WELFORD_TEXT}\n${folded_declaration(shape, "acc_t")}` : "", main };
  },
});

/** `spread` is 1 / std of the batch in training, else the running variance. */
const backward = new GpuKernel("batch_norm_backward", {
  reads: ["grad_output", "input", "weight", "mean", "spread"],
  writes: ["grad_input", "grad_weight", "grad_bias"],
  fields: FIELDS,
  workgroup_size: size_for,
  takes: isFloatingType,
  code: (context) => {
    const shape = shape_of(context.variant);
    const train = is_training(context);
    const grad = train ? "(g - means.x - n * means.y)" : "g";
    const main = `${row_index(shape)}
  let of_row = min(row, p.rows - 1u);
  let mean = load_mean(of_row);
  let invstd = ${train ? "load_spread(of_row)" : "1.0f / sqrt(load_spread(of_row) + p.eps)"};
  var acc = vec2<f32>(0.0f, 0.0f);
  if (row < p.rows) {
    for (var i = rx; i < p.elements; i += lanes) {
      let e = ${AT};
      let g = load_grad_output(e);
      acc += vec2<f32>(g, g * (load_input(e) - mean) * invstd);
    }
  }
${fold_row(shape, "acc", (a, b) => `${a} + ${b}`)}
  if (row < p.rows) {
${
  context.has("grad_input")
    ? `    let scale = invstd${context.has("weight") ? " * load_weight(row)" : ""};
    let means = acc / f32(p.elements);
    for (var i = rx; i < p.elements; i += lanes) {
      let e = ${AT};
      let g = load_grad_output(e);
      let n = (load_input(e) - mean) * invstd;
      store_grad_input(e, ${grad} * scale);
    }`
    : ""
}
    if (rx == 0u) {
${context.has("grad_weight") ? "      store_grad_weight(row, acc.y);\n" : ""}${context.has("grad_bias") ? "      store_grad_bias(row, acc.x);\n" : ""}    }
  }`;
    return { declarations: folded_declaration(shape, "vec2<f32>"), main };
  },
});

function maybe_view(t: MaybeTensor): OperandView | null {
  return t === null ? null : view_of(t);
}

/** An empty tensor, contiguous or channels last like `t`. */
function empty_in_format(t: Tensor): Tensor {
  return at.empty_like(t, t.options().memory_format(t.suggest_memory_format()));
}

interface Channels {
  readonly rows: number;
  readonly elements: number;
  readonly map_size: number;
  readonly shape: RowShape;
}

function channels_of(input: Tensor): Channels {
  const rows = input.size(1);
  const elements = input.numel() / rows;
  const map_size = elements / input.size(0);
  return { rows, elements, map_size, shape: row_shape(rows, elements, map_size > 1 || rows === 1) };
}

function launch(
  kernel: GpuKernel,
  { rows, elements, map_size, shape }: Channels,
  train: boolean,
  operands: readonly (OperandView | null)[],
  numbers: readonly number[],
): void {
  const variant = variant_of(shape) + (train ? TRAIN : 0);
  kernel.launch(variant, operands, [rows, elements, map_size, ...numbers], ...folded(groups_of(shape, rows)), 1);
}

// native_batch_norm.out
export function native_batch_norm_out(
  self: Tensor,
  weight_opt: MaybeTensor,
  bias_opt: MaybeTensor,
  running_mean_opt: MaybeTensor,
  running_var_opt: MaybeTensor,
  train: boolean,
  momentum: number,
  eps: number,
  out: Tensor,
  save_mean: Tensor,
  save_invstd: Tensor,
): Three {
  const [weight, bias] = [defined(weight_opt), defined(bias_opt)];
  const [running_mean, running_var] = [defined(running_mean_opt), defined(running_var_opt)];
  TORCH_CHECK_VALUE(
    (running_mean === null) === (running_var === null),
    "running_mean and running_var must either both be None or neither be None",
  );
  check_floating_types_and2(self.scalar_type(), "batch_norm");
  resize_output(out, self.sizes());
  const channels = self.size(1);
  check_channels(channels, { running_mean, running_var, weight, bias });
  if (train) {
    TORCH_CHECK(
      self.numel() !== 0,
      "input tensor must have at least one element, but got input_sizes = ",
      self.sizes(),
    );
    resize_output(save_mean, [channels]);
    resize_output(save_invstd, [channels]);
  } else {
    TORCH_CHECK(running_mean !== null, "running_mean and running_var must be defined in evaluation mode");
  }
  if (self.numel() === 0) return [out, save_mean, save_invstd];
  const results = [out, ...(train ? [save_mean, save_invstd] : []), running_mean, running_var];
  const written = results.map((t) => (t === null ? null : t.contiguous()));
  const [output, ...rest] = written.map(maybe_view);
  const [mean_view, invstd_view, running_mean_view, running_var_view] = train ? rest : [null, null, ...rest];
  const reads = [self.contiguous(), weight?.contiguous() ?? null, bias?.contiguous() ?? null].map(maybe_view);
  const operands = [...reads, output, mean_view, invstd_view, running_mean_view, running_var_view];
  launch(forward, channels_of(self), train, operands, [eps, momentum]);
  for (const [k, t] of results.entries()) if (t !== null && t !== written[k]) t.copy_(written[k] as Tensor);
  return [out, save_mean, save_invstd];
}

// native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps)
//   -> (Tensor, Tensor, Tensor)
export function native_batch_norm(
  self: Tensor,
  weight: MaybeTensor,
  bias: MaybeTensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  train: boolean,
  momentum: number,
  eps: number,
): Three {
  const statistics = self.options().dtype(ScalarType.Float);
  const output = empty_in_format(self);
  const save_mean = at.empty_memory_format([0], statistics);
  const save_invstd = at.empty_memory_format([0], statistics);
  // biome-ignore format: one line
  return native_batch_norm_out(self, weight, bias, running_mean, running_var, train, momentum, eps, output, save_mean, save_invstd);
}

// native_batch_norm_backward
export function native_batch_norm_backward(
  grad_out: Tensor,
  input: Tensor,
  weight_opt: MaybeTensor,
  running_mean: MaybeTensor,
  running_var: MaybeTensor,
  save_mean: MaybeTensor,
  save_invstd: MaybeTensor,
  train: boolean,
  eps: number,
  output_mask: boolean[],
): Three {
  const weight = defined(weight_opt);
  check_floating_types_and2(input.scalar_type(), "batch_norm_backward");
  const options = input.options().dtype(weight?.scalar_type() ?? ScalarType.Float);
  const grad_input = output_mask[0] ? empty_in_format(input) : null;
  const parameter = (wanted: boolean): MaybeTensor => (wanted ? at.zeros([input.size(1)], options) : null);
  const grad_weight = parameter(output_mask[1]);
  const grad_bias = parameter(output_mask[2]);
  if (input.numel() > 0) {
    const mean = defined(train ? save_mean : running_mean);
    const spread = defined(train ? save_invstd : running_var);
    TORCH_CHECK(
      mean !== null && spread !== null,
      train
        ? "save_mean and save_invstd must be defined in training"
        : "running_mean and running_var must be defined in evaluation mode",
    );
    const reads = [grad_out, input, weight, mean, spread].map((t) => t?.contiguous() ?? null);
    const written = grad_input?.contiguous() ?? null;
    const operands = [...reads, written, grad_weight, grad_bias].map(maybe_view);
    launch(backward, channels_of(input), train, operands, [eps]);
    if (grad_input !== null && written !== null && grad_input !== written) grad_input.copy_(written);
  }
  return [grad_input ?? new Tensor(), grad_weight ?? new Tensor(), grad_bias ?? new Tensor()];
}
