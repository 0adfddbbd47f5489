/**
 * @file Normalization over neighbouring channels, and the Gumbel softmax.
 * @mirrors torch/nn/functional.py
 */
import { ValueError, warn } from "#c10/util/Exception";
import { _C } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { _float } from "#torch/types";
import { pad } from "./padding.ts";
import { avg_pool2d } from "./pooling.ts";
import { avg_pool3d } from "./pooling_lp.ts";

/** `input / (k + alpha * m) ** beta`, where `m` is the mean square over `size` neighbouring channels.   `(N, C, *) -> (N, C, *)` */
export const local_response_norm = def_overridable(
  "local_response_norm(input: Tensor, size, alpha=0.0001, beta=0.75, k=1.0)",
  (input: Tensor, size: number, alpha: _float, beta: _float, k: _float): Tensor => {
    const dim = input.dim();
    if (dim < 3)
      throw new ValueError(
        `Expected 3D or higher dimensionality                          input (got ${dim} dimensions)`,
      );
    if (input.numel() === 0) return input;
    const [before, after] = [Math.floor(size / 2), Math.floor((size - 1) / 2)];
    let div = input.mul(input);
    if (dim === 3) {
      div = pad(div.unsqueeze(1), [0, 0, before, after]);
      div = avg_pool2d(div, [size, 1], { stride: 1 }).squeeze(1);
    } else {
      const sizes = input.shape;
      div = pad(div.view([sizes[0], 1, sizes[1], sizes[2], -1]), [0, 0, 0, 0, before, after]);
      div = avg_pool3d(div, [size, 1, 1], { stride: 1 })
        .squeeze(1)
        .view([...sizes]);
    }
    return input.div(div.mul(alpha).add(k).pow(beta));
  },
  "torch.nn.functional.local_response_norm",
);

/**
 * Gumbel softmax: `softmax((logits + noise) / tau)` with Gumbel noise. It draws a sample from the distribution and is differentiable.
 * @param hard true: the result is a one-hot vector, and the gradient is that of the soft sample.
 */
export const gumbel_softmax = def_overridable(
  "gumbel_softmax(logits: Tensor, tau=1, hard=False, eps=1e-10, dim=-1)",
  (logits: Tensor, tau: _float, hard: boolean, eps: _float, dim: number): Tensor => {
    if (Number(eps) !== 1e-10) warn("UserWarning", "`eps` parameter is deprecated and has no effect.");
    const contiguous = { memory_format: torch.contiguous_format };
    const gumbels = torch.empty_like(logits, contiguous).exponential_().log().neg();
    const y_soft = logits.add(gumbels).div(tau).softmax(dim);
    if (!hard) return y_soft;
    const index = y_soft.max(dim, true).indices;
    const y_hard = torch.zeros_like(logits, contiguous).scatter_(dim, index, torch.Float(1));
    return y_hard.sub(y_soft.detach()).add(y_soft);
  },
  "torch.nn.functional.gumbel_softmax",
);

/** A convolution along the time dim of `(T, N, C)`. */
export const conv_tbc = _C._VariableFunctions.conv_tbc;
