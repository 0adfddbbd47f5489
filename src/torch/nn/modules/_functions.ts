/**
 * @file Autograd functions that modules use.
 * @mirrors torch/nn/modules/_functions.py
 * @differs Ours has `CrossMapLRN2d` only; PyTorch's file also holds `SyncBatchNorm` and `BackwardHookFunction`.
 */
import { TypeError_, ValueError, ZeroDivisionError } from "#c10/util/Exception";
import { having, python_type, THPUtils_checkDouble, THPUtils_unpackDouble } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Function } from "#torch/autograd/function";

// biome-ignore lint/suspicious/noExplicitAny: forward may save anything for backward
type Any = any;

// Note [Two faults of CrossMapLRN2d]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Both errors are PyTorch's and come from the time when it counted from 1. They are kept so that the numbers are equal: the running sum
// over neighbours never drops channel 0, and backward reads neighbours that are shifted by one channel. `LocalResponseNorm` has neither.

/** `input (N, C, H, W)` divided by a power of the mean square of neighbouring channels. The sum is updated from channel to channel. */
export class CrossMapLRN2d extends Function {
  static override forward(ctx: Any, input: Tensor, size: number, alpha: number, beta: number, k: number): Tensor {
    if (having(input, "dim").dim() !== 4)
      throw new ValueError(`CrossMapLRN2d: Expected input to be 4D, got ${input.dim()}D instead.`);
    if (!THPUtils_checkDouble(size))
      throw new TypeError_(`unsupported operand type(s) for -: '${python_type(size)}' and 'int'`);
    const n = THPUtils_unpackDouble(size);
    Object.assign(ctx, { size: n, alpha, beta });
    const like = { dtype: input.dtype, device: input.device };
    const [scale, output] = [torch.empty(0, like).resize_as_(input), torch.empty(0, like).resize_as_(input)];
    const channels = input.shape[1];
    const input_square = torch.pow(input, 2, { out: output });
    const pre_pad = Math.trunc((n - 1) / 2 + 1);

    const scale_first = scale.select(1, 0).zero_();
    for (let c = 0; c < Math.min(pre_pad, channels); c++) scale_first.add_(input_square.select(1, c));
    for (let c = 1; c < channels; c++) {
      const scale_current = scale.select(1, c).copy_(scale.select(1, c - 1));
      if (c < channels - pre_pad + 1) scale_current.add_(input_square.select(1, c + pre_pad - 1), { alpha: 1 });
      if (c > pre_pad) scale_current.add_(input_square.select(1, c - pre_pad), { alpha: -1 });
    }
    if (n === 0) throw new ZeroDivisionError("float division by zero");
    ctx.scale = scale.mul_(alpha / n).add_(k);
    torch.pow(scale, -beta, { out: output });
    output.mul_(input);
    ctx.save_for_backward(input, output);
    return output;
  }

  static override backward(ctx: Any, grad_output: Tensor): (Tensor | null)[] {
    const [input, output]: Tensor[] = ctx.saved_tensors;
    const { size, alpha, beta, scale } = ctx as { size: number; alpha: number; beta: number; scale: Tensor };
    const like = { dtype: grad_output.dtype, device: grad_output.device };
    const [batch_size, channels, input_height, input_width] = input.shape;
    const padded_ratio = torch.zeros([channels + size - 1, input_height, input_width], like);
    const accum_ratio = torch.empty([input_height, input_width], like);
    const cache_ratio_value = (2 * alpha * beta) / size;
    const inverse_pre_pad = Math.trunc(size - (size - 1) / 2);

    const grad_input = torch.empty(0, like).resize_as_(input);
    torch.pow(scale, -beta, { out: grad_input }).mul_(grad_output);
    const padded_ratio_center = padded_ratio.narrow(0, inverse_pre_pad, channels);
    for (let n = 0; n < batch_size; n++) {
      torch.mul(grad_output.select(0, n), output.select(0, n), { out: padded_ratio_center });
      padded_ratio_center.div_(scale.select(0, n));
      torch.sum(padded_ratio.narrow(0, 0, size - 1), 0, { keepdim: false, out: accum_ratio });
      for (let c = 0; c < channels; c++) {
        accum_ratio.add_(padded_ratio.select(0, c + size - 1));
        const grad = grad_input.select(0, n).select(0, c);
        grad.addcmul_(input.select(0, n).select(0, c), accum_ratio, { value: -cache_ratio_value });
        accum_ratio.add_(padded_ratio.select(0, c), { alpha: -1 });
      }
    }
    return [grad_input, null, null, null, null];
  }
}
