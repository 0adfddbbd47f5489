/**
 * @file The normalization across channels with a backward of its own.
 * @mirrors torch/csrc/api/include/torch/nn/modules/_functions.h
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import { TORCH_CHECK } from "#c10/util/Exception";
import { type AutogradContext, apply_function } from "../../../autograd/custom_function/index.ts";
import type { CrossMapLRN2dOptions } from "../options/normalization.ts";

const double = Scalar.fromDouble;
const like = (tensor: Tensor): TensorOptions => new TensorOptions(tensor.scalar_type()).device(tensor.device());

/** Values that forward keeps for backward. */
interface Kept {
  readonly options: CrossMapLRN2dOptions;
  /** `k + alpha / size * (sum of squares of neighbours)` */
  readonly scale: Tensor;
}

// Both directions have the faults of their original: forward never takes channel 0 out of the running sum, and backward reads neighbours
// that are shifted by one channel. They are kept, so that the numbers are equal.
const CrossMapLRN2d = {
  name: "torch::nn::functions::CrossMapLRN2d",

  forward(ctx: AutogradContext, input: Tensor, options: CrossMapLRN2dOptions): Tensor {
    TORCH_CHECK(input.dim() === 4);
    const [size, channels] = [options.size(), input.size(1)];
    const squares = input.pow_Tensor_Scalar(double(2));
    const scale = at.empty_like(input);
    const pre_pad = Math.min(Math.trunc((size - 1) / 2 + 1), channels);
    const first = scale.select_int(1, 0).zero_();
    for (let c = 0; c < pre_pad; c++) first.add__Tensor(squares.select_int(1, c));
    for (let c = 1; c < channels; c++) {
      const current = scale.select_int(1, c).copy_(scale.select_int(1, c - 1));
      if (c < channels - pre_pad + 1) current.add__Tensor(squares.select_int(1, c + pre_pad - 1));
      if (c > pre_pad) current.sub__Tensor(squares.select_int(1, c - pre_pad));
    }
    scale.mul__Scalar(double(options.alpha() / size)).add__Scalar(double(options.k()));
    const output = scale.pow_Tensor_Scalar(double(-options.beta())).mul__Tensor(input);
    ctx.saved_data.set("kept", { options, scale } satisfies Kept);
    ctx.save_for_backward([input, output]);
    return output;
  },

  backward(ctx: AutogradContext, [grad_output]: Tensor[]): Tensor[] {
    const [input, output] = ctx.get_saved_variables();
    const { options, scale } = ctx.saved_data.get("kept") as Kept;
    const size = options.size();
    const [batch_size, channels, height, width] = input.sizes();
    const padded_ratio = at.zeros([channels + size - 1, height, width], like(grad_output));
    const factor = double((-2 * options.alpha() * options.beta()) / size);
    const center = padded_ratio.narrow(0, Math.trunc(size - (size - 1) / 2), channels);
    const grad_input = scale.pow_Tensor_Scalar(double(-options.beta())).mul__Tensor(grad_output);
    for (let n = 0; n < batch_size; n++) {
      center.copy_(grad_output.select_int(0, n).mul_Tensor(output.select_int(0, n)).div_Tensor(scale.select_int(0, n)));
      const ratio = padded_ratio.narrow(0, 0, size - 1).sum_dim_IntList([0]);
      for (let c = 0; c < channels; c++) {
        ratio.add__Tensor(padded_ratio.select_int(0, c + size - 1));
        const grad = grad_input.select_int(0, n).select_int(0, c);
        grad.addcmul_(input.select_int(0, n).select_int(0, c), ratio, factor);
        ratio.sub__Tensor(padded_ratio.select_int(0, c));
      }
    }
    return [grad_input, new Tensor()];
  },
};

/** `input (N, C, H, W)`, divided by a power of the mean square of `size` neighbouring channels. */
export function cross_map_lrn2d(input: Tensor, options: CrossMapLRN2dOptions): Tensor {
  return apply_function(CrossMapLRN2d, input, options.copy())[0];
}
