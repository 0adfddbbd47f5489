/**
 * @file Interface of the channelwise steps of batch_norm, which the SIMD driver can replace, and their loops without
 * SIMD.
 * @original In PyTorch these loops are written out in each kernel of batch_norm_kernel.cpp.
 * @see batch_norm_kernel.ts, Note [A channel of batch_norm]; vec/batch_norm/driver.ts (the version with SIMD)
 */
import { AT_DISPATCH } from "#aten/Dispatch";
import type { Tensor } from "#aten/generated/core/TensorBody";
import type { OperandInfo } from "#aten/iterator/OperandInfo";
import { accessor_1d } from "#aten/native/batch_norm";
import { TensorIteratorConfig } from "#aten/TensorIterator";
import { ScalarType } from "#c10/core/ScalarType";
import {
  backward_sums_instances,
  channel_sum_instances,
  channel_var_sum_instances,
  grad_input_eval_instances,
  grad_input_train_instances,
  linear_transform_instances,
} from "./generated/batch_norm_kernel.ts";

/** One number per channel. */
type ByChannel = ArrayLike<number>;

/** Channelwise steps over all elements: `default_loops`, or the SIMD version. */
export interface ChannelLoops {
  sums(input: Tensor): ByChannel;
  /** Sum of squared distances from the mean. */
  var_sums(input: Tensor, mean: ByChannel): ByChannel;
  /** output = input * alpha + beta. */
  transform(output: Tensor, input: Tensor, alpha: Tensor, beta: Tensor): void;
  /** Sum of the gradient, and sum of its products with x - mean. */
  backward_sums(grad_output: Tensor, input: Tensor, mean: ByChannel): readonly [sum: ByChannel, dotp: ByChannel];
  grad_input_train(grad_input: Tensor, grad_output: Tensor, input: Tensor, by: TrainGradient): void;
  grad_input_eval(grad_input: Tensor, grad_output: Tensor, scale: ByChannel): void;
}

/** Numbers per channel; the gradient of x is (dy - grad_mean - (x - mean) * k) * scale. */
export interface TrainGradient {
  readonly mean: ByChannel;
  readonly grad_mean: ByChannel;
  readonly k: ByChannel;
  readonly scale: ByChannel;
}

/** Visits tensors of one shape channel by channel, in tiles. */
export class Channels {
  private readonly iter;
  private readonly tensors: readonly Tensor[];

  constructor(...tensors: readonly Tensor[]) {
    const config = new TensorIteratorConfig();
    for (const t of tensors) config.add_input(t);
    this.iter = config
      .resize_outputs(false)
      .declare_static_shape(tensors[0].sizes(), [1])
      .check_all_same_dtype(false)
      .promote_inputs_to_common_dtype(false)
      .build();
    this.tensors = tensors;
  }

  for_each(f: number, tile: (operands: readonly OperandInfo[], n: number, m: number) => void): void {
    for (const [i, t] of this.tensors.entries()) this.iter.operand(i).offset = t.data_offset() + f * t.strides()[1];
    this.iter.for_each(tile);
  }
}

type Row2 = [view: OperandInfo["data"] & object, offset: number, stride: number, inner_stride: number];

export function row2(op: OperandInfo): Row2 {
  const strides = op.strides as readonly number[];
  return [op.view(), op.offset, strides[1] ?? 0, strides[0] ?? 0];
}

/** An array for sums: of float for halves, of double for float and double. */
export function accumulator(dtype: ScalarType, n: number): Float32Array | Float64Array {
  return dtype === ScalarType.Float || dtype === ScalarType.Double ? new Float64Array(n) : new Float32Array(n);
}

export const default_loops: ChannelLoops = {
  sums(input) {
    const dtype = input.scalar_type();
    const sum_of = AT_DISPATCH(channel_sum_instances, dtype);
    const channels = new Channels(input);
    const sum = accumulator(dtype, 1);
    return Float64Array.from({ length: input.size(1) }, (_, f) => {
      sum[0] = 0;
      channels.for_each(f, ([x], size0, size1) => sum_of(sum, ...row2(x), size0, size1));
      return sum[0];
    });
  },
  var_sums(input, mean) {
    const dtype = input.scalar_type();
    const sum_of = AT_DISPATCH(channel_var_sum_instances, dtype);
    const channels = new Channels(input);
    const sum = accumulator(dtype, 1);
    return Float64Array.from({ length: input.size(1) }, (_, f) => {
      sum[0] = 0;
      channels.for_each(f, ([x], size0, size1) => sum_of(sum, ...row2(x), size0, size1, mean[f]));
      return sum[0];
    });
  },
  transform(output, input, alpha_, beta_) {
    const transform = AT_DISPATCH(linear_transform_instances, input.scalar_type());
    const [alpha, beta] = [alpha_, beta_].map((t) => accessor_1d(t, t.scalar_type()));
    const channels = new Channels(output, input);
    for (let c = 0; c < input.size(1); c++)
      channels.for_each(c, ([out, x], size0, size1) =>
        transform(...row2(out), ...row2(x), size0, size1, alpha.get(c), beta.get(c)),
      );
  },
  backward_sums(grad_output, input, mean) {
    const dtype = input.scalar_type();
    const sums_of = AT_DISPATCH(backward_sums_instances, dtype);
    const channels = new Channels(grad_output, input);
    const sums = accumulator(dtype, 2);
    const [sum, dotp] = [new Float64Array(input.size(1)), new Float64Array(input.size(1))];
    for (let c = 0; c < input.size(1); c++) {
      sums.fill(0);
      channels.for_each(c, ([dy, x], size0, size1) => sums_of(sums, ...row2(dy), ...row2(x), size0, size1, mean[c]));
      [sum[c], dotp[c]] = sums;
    }
    return [sum, dotp];
  },
  grad_input_train(grad_input, grad_output, input, { mean, grad_mean, k, scale }) {
    const in_train = AT_DISPATCH(grad_input_train_instances, input.scalar_type());
    const channels = new Channels(grad_input, grad_output, input);
    for (let c = 0; c < input.size(1); c++)
      channels.for_each(c, ([dx, dy, x], size0, size1) =>
        in_train(...row2(dx), ...row2(dy), ...row2(x), size0, size1, mean[c], grad_mean[c], k[c], scale[c]),
      );
  },
  grad_input_eval(grad_input, grad_output, scale) {
    const in_eval = AT_DISPATCH(grad_input_eval_instances, grad_output.scalar_type());
    const channels = new Channels(grad_input, grad_output);
    for (let c = 0; c < grad_output.size(1); c++)
      channels.for_each(c, ([dx, dy], size0, size1) => in_eval(...row2(dx), ...row2(dy), size0, size1, scale[c]));
  },
};
