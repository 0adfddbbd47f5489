/**
 * @file First values of parameters. Every function writes to its tensor without grad mode and returns it.
 * @mirrors torch/nn/init.py
 */
import { ValueError, warn } from "#c10/util/Exception";
import { type Float, isFloat } from "#torch/_C";
import type { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import type { Generator } from "#torch/types";

export type Nonlinearity =
  | "linear"
  | "conv1d"
  | "conv2d"
  | "conv3d"
  | "conv_transpose1d"
  | "conv_transpose2d"
  | "conv_transpose3d"
  | "sigmoid"
  | "tanh"
  | "relu"
  | "leaky_relu"
  | "selu";

/** The factor by which a nonlinearity shrinks values' deviation. */
export function calculate_gain(nonlinearity: string, param: number | null = null): number {
  switch (nonlinearity) {
    case "linear":
    case "conv1d":
    case "conv2d":
    case "conv3d":
    case "conv_transpose1d":
    case "conv_transpose2d":
    case "conv_transpose3d":
    case "sigmoid":
      return 1;
    case "tanh":
      return 5 / 3;
    case "relu":
      return Math.sqrt(2);
    case "leaky_relu":
      return Math.sqrt(2 / (1 + (param ?? 0.01) ** 2));
    case "selu":
      return 3 / 4;
    default:
      throw new ValueError(`Unsupported nonlinearity ${nonlinearity}`);
  }
}

/** Draws from the numbers between `a` and `b`. */
export function uniform_(tensor: Tensor, a = 0, b = 1, generator: Generator | null = null): Tensor {
  return torch.no_grad(() => tensor.uniform_(a, b, { generator }));
}

/** Draws from the normal distribution. */
export function normal_(tensor: Tensor, mean = 0, std = 1, generator: Generator | null = null): Tensor {
  return torch.no_grad(() => tensor.normal_(mean, std, { generator }));
}

/** Writes `val` to each element. */
export function constant_(tensor: Tensor, val: number): Tensor {
  return torch.no_grad(() => tensor.fill_(val));
}

/** Writes ones. */
export function ones_(tensor: Tensor): Tensor {
  return constant_(tensor, 1);
}

/** Writes zeros. */
export function zeros_(tensor: Tensor): Tensor {
  return torch.no_grad(() => tensor.zero_());
}

/** Inputs and outputs of one unit of a weight. */
export function _calculate_fan_in_and_fan_out(tensor: Tensor): [fan_in: number, fan_out: number] {
  const shape = tensor.shape;
  if (shape.length < 2)
    throw new ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  const receptive_field_size = shape.slice(2).reduce((product, size) => product * size, 1);
  return [shape[1] * receptive_field_size, shape[0] * receptive_field_size];
}

export function _calculate_correct_fan(tensor: Tensor, mode: string): number {
  const which = mode.toLowerCase();
  if (which !== "fan_in" && which !== "fan_out")
    throw new ValueError(`Mode ${which} not supported, please use one of ['fan_in', 'fan_out']`);
  const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  return which === "fan_in" ? fan_in : fan_out;
}

/** Draws uniformly, with deviation `gain * sqrt(2 / (fan_in + fan_out))`. */
export function xavier_uniform_(tensor: Tensor, gain = 1, generator: Generator | null = null): Tensor {
  const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  const std = gain * Math.sqrt(2 / (fan_in + fan_out));
  const a = Math.sqrt(3) * std; // the uniform distribution of that deviation
  return uniform_(tensor, -a, a, generator);
}

/** Draws from the normal distribution, with deviation `gain * sqrt(2 / (fan_in + fan_out))`. */
export function xavier_normal_(tensor: Tensor, gain = 1, generator: Generator | null = null): Tensor {
  const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  return normal_(tensor, 0, gain * Math.sqrt(2 / (fan_in + fan_out)), generator);
}

export interface KaimingOptions {
  a?: number;
  mode?: "fan_in" | "fan_out";
  nonlinearity?: string;
  generator?: Generator | null;
}

/** Draws uniformly, with the nonlinearity's gain over `sqrt(fan)` as deviation. */
export function kaiming_uniform_(
  tensor: Tensor,
  a: number | Float | KaimingOptions = 0,
  mode = "fan_in",
  nonlinearity = "leaky_relu",
  generator: Generator | null = null,
): Tensor {
  if (typeof a === "object" && !isFloat(a))
    return kaiming_uniform_(tensor, a.a ?? 0, a.mode ?? "fan_in", a.nonlinearity ?? "leaky_relu", a.generator ?? null);
  if (tensor.shape.includes(0)) {
    warn("UserWarning", "Initializing zero-element tensors is a no-op");
    return tensor;
  }
  const fan = _calculate_correct_fan(tensor, mode);
  const std = calculate_gain(nonlinearity, Number(a)) / Math.sqrt(fan);
  const bound = Math.sqrt(3) * std;
  return uniform_(tensor, -bound, bound, generator);
}

/** Draws from the normal distribution, with the nonlinearity's gain over `sqrt(fan)` as deviation. */
export function kaiming_normal_(
  tensor: Tensor,
  a: number | Float | KaimingOptions = 0,
  mode = "fan_in",
  nonlinearity = "leaky_relu",
  generator: Generator | null = null,
): Tensor {
  if (typeof a === "object" && !isFloat(a))
    return kaiming_normal_(tensor, a.a ?? 0, a.mode ?? "fan_in", a.nonlinearity ?? "leaky_relu", a.generator ?? null);
  if (tensor.shape.includes(0)) {
    warn("UserWarning", "Initializing zero-element tensors is a no-op");
    return tensor;
  }
  const std = calculate_gain(nonlinearity, Number(a)) / Math.sqrt(_calculate_correct_fan(tensor, mode));
  return normal_(tensor, 0, std, generator);
}
