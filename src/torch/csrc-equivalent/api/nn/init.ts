/**
 * @file First values for parameters. Every function writes into its tensor without history and returns it.
 * @mirrors torch/csrc/api/include/torch/nn/init.h
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { NoGradGuard } from "#c10/core/GradMode";
import { Scalar } from "#c10/core/Scalar";
import { TORCH_CHECK } from "#c10/util/Exception";
import { type EnumValue, enumtype } from "../enum.ts";

export type NonlinearityType = EnumValue;
export type FanModeType = EnumValue<"kFanIn" | "kFanOut">;

function no_grad<T>(fn: () => T): T {
  const guard = new NoGradGuard();
  try {
    return fn();
  } finally {
    guard.restore();
  }
}

/** The factor by which a nonlinearity shrinks the deviation of its input. */
export function calculate_gain(nonlinearity: NonlinearityType, param = 0.01): number {
  if (nonlinearity === enumtype.kTanh) return 5 / 3;
  if (nonlinearity === enumtype.kReLU) return Math.sqrt(2);
  if (nonlinearity === enumtype.kLeakyReLU) return Math.sqrt(2 / (1 + param ** 2));
  return 1;
}

export function constant_(tensor: Tensor, value: number): Tensor {
  return no_grad(() => tensor.fill__Scalar(Scalar.fromDouble(value)));
}
export function ones_(tensor: Tensor): Tensor {
  return no_grad(() => tensor.fill__Scalar(Scalar.ONE));
}
export function zeros_(tensor: Tensor): Tensor {
  return no_grad(() => tensor.zero_());
}
export function normal_(tensor: Tensor, mean = 0, std = 1): Tensor {
  return no_grad(() => tensor.normal_(mean, std));
}
export function uniform_(tensor: Tensor, low = 0, high = 1): Tensor {
  return no_grad(() => tensor.uniform_(low, high));
}

/** Ones on the diagonal, zeros elsewhere. */
export function eye_(matrix: Tensor): Tensor {
  TORCH_CHECK(matrix.dim() === 2, "Only tensors with 2 dimensions are supported");
  return no_grad(() => at.eye_m_out(matrix.size(0), matrix.size(1), matrix));
}

/** Weights of a convolution that passes its channels on. */
export function dirac_(tensor: Tensor): Tensor {
  const dim = tensor.dim();
  TORCH_CHECK(dim >= 3 && dim <= 5, "Only tensors with 3, 4, or 5 dimensions are supported");
  return no_grad(() => {
    tensor.zero_();
    const middle = tensor
      .sizes()
      .slice(2)
      .map((size) => Math.trunc(size / 2));
    for (let d = 0; d < Math.min(tensor.size(0), tensor.size(1)); d++) {
      let element = tensor;
      for (const index of [d, d, ...middle]) element = element.select_int(0, index);
      element.fill__Scalar(Scalar.ONE);
    }
    return tensor;
  });
}

/** Rows or columns that are orthogonal to each other. */
export function orthogonal_(tensor: Tensor, gain = 1): Tensor {
  TORCH_CHECK(tensor.dim() >= 2, "Only tensors with 2 or more dimensions are supported");
  return no_grad(() => {
    const rows = tensor.size(0);
    const columns = Math.trunc(tensor.numel() / rows);
    let flattened = at.randn([rows, columns]);
    if (rows < columns) flattened = flattened.t_();
    let [q, r] = at.linalg_qr(flattened);
    // The signs of R's diagonal make the distribution uniform.
    q = q.mul__Tensor(at.diag(r, 0).sign());
    if (rows < columns) q = q.t_();
    tensor.view_as(q).copy_(q);
    return tensor.mul__Scalar(Scalar.fromDouble(gain));
  });
}

/** Normal numbers; in each column a share of `sparsity` is 0. */
export function sparse_(tensor: Tensor, sparsity: number, std = 0.01): Tensor {
  TORCH_CHECK(tensor.dim() === 2, "Only tensors with 2 dimensions are supported");
  return no_grad(() => {
    const [rows, columns] = tensor.sizes();
    const num_zeros = Math.ceil(sparsity * rows);
    tensor.normal_(0, std);
    for (let column = 0; column < columns; column++) {
      const zero_indices = at.randperm(rows).slice_Tensor(0, 0, num_zeros);
      tensor.select_int(1, column).index_fill__int_Scalar(0, zero_indices, Scalar.ZERO);
    }
    return tensor;
  });
}

export function _calculate_fan_in_and_fan_out(tensor: Tensor): [fan_in: number, fan_out: number] {
  TORCH_CHECK(tensor.dim() >= 2, "Fan in and fan out cannot be computed for tensor with fewer than 2 dimensions");
  const [outputs, inputs] = tensor.sizes();
  const field = tensor
    .sizes()
    .slice(2)
    .reduce((product, size) => product * size, 1);
  return [inputs * field, outputs * field];
}

/** The deviation of Kaiming's initialization. */
function kaiming_std(tensor: Tensor, a: number, mode: FanModeType, nonlinearity: NonlinearityType): number {
  const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  return calculate_gain(nonlinearity, a) / Math.sqrt(mode === enumtype.kFanIn ? fan_in : fan_out);
}
/** The deviation of Xavier's initialization. */
function xavier_std(tensor: Tensor, gain: number): number {
  const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  return gain * Math.sqrt(2 / (fan_in + fan_out));
}

export function kaiming_normal_(
  tensor: Tensor,
  a = 0,
  mode: FanModeType = enumtype.kFanIn,
  nonlinearity: NonlinearityType = enumtype.kLeakyReLU,
): Tensor {
  return normal_(tensor, 0, kaiming_std(tensor, a, mode, nonlinearity));
}
export function kaiming_uniform_(
  tensor: Tensor,
  a = 0,
  mode: FanModeType = enumtype.kFanIn,
  nonlinearity: NonlinearityType = enumtype.kLeakyReLU,
): Tensor {
  const bound = Math.sqrt(3) * kaiming_std(tensor, a, mode, nonlinearity);
  return uniform_(tensor, -bound, bound);
}
export function xavier_normal_(tensor: Tensor, gain = 1): Tensor {
  return normal_(tensor, 0, xavier_std(tensor, gain));
}
export function xavier_uniform_(tensor: Tensor, gain = 1): Tensor {
  const bound = Math.sqrt(3) * xavier_std(tensor, gain);
  return uniform_(tensor, -bound, bound);
}
