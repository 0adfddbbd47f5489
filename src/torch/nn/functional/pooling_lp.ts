/**
 * @file Average pooling over volumes, and power-average pooling (`lp_pool`).
 * @mirrors torch/nn/functional.py#lp_pool2d
 */
import { ZeroDivisionError } from "#c10/util/Exception";
import { _C } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _pair, _triple, factor, type Sizes } from "#torch/nn/modules/utils";
import type { _float } from "#torch/types";
import { avg_pool1d, avg_pool2d, max_pool1d, max_pool2d } from "./pooling.ts";
import { max_pool3d } from "./pooling_max.ts";

/** Mean of each window.   `(N, C, D, H, W)` */
export const avg_pool3d = _C._nn.avg_pool3d;

type LpPool = [input: Tensor, norm_type: _float, kernel_size: Sizes, stride: Sizes | null, ceil_mode: boolean];
type Pools = readonly [
  avg: (input: Tensor, kernel_size: number[], stride: number[], padding: number, ceil_mode: boolean) => Tensor,
  max: (input: Tensor, kernel_size: Sizes, stride: Sizes | null, rest: { ceil_mode: boolean }) => Tensor | Tensor[],
];

/** `(sum |x| ** p) ** (1 / p)` over windows of `count` elements. */
function lp_pool([avg, max]: Pools, count: number, ...[input, p, kernel_size, stride, ceil_mode]: LpPool): Tensor {
  const norm_type = Number(p);
  if (norm_type === Infinity) return max(input.abs(), kernel_size, stride, { ceil_mode }) as Tensor;
  if (norm_type === -Infinity) return (max(input.abs().neg(), kernel_size, stride, { ceil_mode }) as Tensor).neg();
  const strides = (stride ?? []) as number[];
  const out = avg(input.pow(p), kernel_size as number[], strides, 0, ceil_mode);
  const sums = torch
    .sign(out)
    .mul(torch.relu(torch.abs(out)))
    .mul(count);
  if (norm_type === 0) throw new ZeroDivisionError("float division by zero");
  return sums.pow(1 / norm_type);
}

/** The `norm_type`-norm of each window: `(sum x ** norm_type) ** (1 / norm_type)`. */
export const lp_pool1d = def_overridable(
  "lp_pool1d(input: Tensor, norm_type, kernel_size, stride=None, ceil_mode=False)",
  (...[input, norm_type, kernel_size, stride, ceil_mode]: LpPool): Tensor =>
    lp_pool(
      [avg_pool1d as Pools[0], max_pool1d as Pools[1]],
      kernel_size as number, // a list is refused when it is multiplied
      input,
      norm_type,
      kernel_size,
      stride,
      ceil_mode,
    ),
  "torch.nn.functional.lp_pool1d",
);

/** The `norm_type`-norm of each window: `(sum x ** norm_type) ** (1 / norm_type)`. */
export const lp_pool2d = def_overridable(
  "lp_pool2d(input: Tensor, norm_type, kernel_size, stride=None, ceil_mode=False)",
  (...[input, norm_type, kernel_size, stride, ceil_mode]: LpPool): Tensor => {
    const count = _pair(kernel_size).reduce((n, k) => n * factor(k), 1);
    return lp_pool(
      [avg_pool2d as Pools[0], max_pool2d as Pools[1]],
      count,
      input,
      norm_type,
      kernel_size,
      stride,
      ceil_mode,
    );
  },
  "torch.nn.functional.lp_pool2d",
);

/** The `norm_type`-norm of each window: `(sum x ** norm_type) ** (1 / norm_type)`. */
export const lp_pool3d = def_overridable(
  "lp_pool3d(input: Tensor, norm_type, kernel_size, stride=None, ceil_mode=False)",
  (...[input, norm_type, kernel_size, stride, ceil_mode]: LpPool): Tensor => {
    const count = _triple(kernel_size).reduce((n, k) => n * factor(k), 1);
    return lp_pool(
      [avg_pool3d as Pools[0], max_pool3d as Pools[1]],
      count,
      input,
      norm_type,
      kernel_size,
      stride,
      ceil_mode,
    );
  },
  "torch.nn.functional.lp_pool3d",
);
