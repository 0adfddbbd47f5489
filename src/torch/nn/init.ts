/**
 * @file First values of parameters. Every function writes to its tensor without grad mode and returns it.
 * @mirrors torch/nn/init.py
 */
import { AttributeError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { having, isFloat, py_str, python_type, repr, THPUtils_checkDouble, THPUtils_unpackDouble } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import { handle_torch_function, has_torch_function_variadic } from "#torch/overrides";
import type { _float, Generator, Number as PythonNumber } from "#torch/types";

/** Which side of a weight its deviation is to keep even. */
export type FanMode = "fan_in" | "fan_out";

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
export const calculate_gain = def(
  "calculate_gain(nonlinearity, param=None)",
  (nonlinearity: string, param: _float | null): number => {
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
        if (param !== null && typeof param !== "number" && !isFloat(param))
          throw new ValueError(`negative_slope ${typeof param === "string" ? param : repr(param)} not a valid number`);
        return Math.sqrt(2 / (1 + Number(param ?? 0.01) ** 2));
      case "selu":
        return 3 / 4;
      default:
        throw new ValueError(`Unsupported nonlinearity ${py_str(nonlinearity)}`);
    }
  },
);

function _no_grad_uniform_(tensor: Tensor, a: _float, b: _float, generator: Generator | null): Tensor {
  return torch.no_grad(() => having(tensor, "uniform_").uniform_(a, b, { generator }));
}

function _no_grad_normal_(tensor: Tensor, mean: _float, std: _float, generator: Generator | null): Tensor {
  return torch.no_grad(() => having(tensor, "normal_").normal_(mean, std, { generator }));
}

function _no_grad_fill_(tensor: Tensor, val: PythonNumber): Tensor {
  return torch.no_grad(() => having(tensor, "fill_").fill_(val));
}

/** Draws from the numbers between `a` and `b`. */
export const uniform_ = def(
  "uniform_(tensor, a=0.0, b=1.0, generator=None)",
  (tensor: Tensor, a: _float, b: _float, generator: Generator | null): Tensor =>
    has_torch_function_variadic(tensor)
      ? (handle_torch_function(uniform_, [tensor], { tensor, a, b, generator }) as Tensor)
      : _no_grad_uniform_(tensor, a, b, generator),
);

/** Draws from the normal distribution. */
export const normal_ = def(
  "normal_(tensor, mean=0.0, std=1.0, generator=None)",
  (tensor: Tensor, mean: _float, std: _float, generator: Generator | null): Tensor =>
    has_torch_function_variadic(tensor)
      ? (handle_torch_function(normal_, [tensor], { tensor, mean, std, generator }) as Tensor)
      : _no_grad_normal_(tensor, mean, std, generator),
);

/** Writes `val` to each element. */
export const constant_ = def(
  "constant_(tensor, val)",
  (tensor: Tensor, val: PythonNumber): Tensor =>
    has_torch_function_variadic(tensor)
      ? (handle_torch_function(constant_, [tensor], { tensor, val }) as Tensor)
      : _no_grad_fill_(tensor, val),
);

/** Writes ones. */
export const ones_ = def("ones_(tensor)", (tensor: Tensor): Tensor => _no_grad_fill_(tensor, 1));

/** Writes zeros. */
export const zeros_ = def(
  "zeros_(tensor)",
  (tensor: Tensor): Tensor => torch.no_grad(() => having(tensor, "zero_").zero_()),
);

/** Inputs and outputs of one unit of a weight. */
export function _calculate_fan_in_and_fan_out(tensor: Tensor): [fan_in: number, fan_out: number] {
  if (having(tensor, "dim").dim() < 2)
    throw new ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  const num_input_fmaps = tensor.size(1);
  const num_output_fmaps = tensor.size(0);
  let receptive_field_size = 1;
  if (tensor.dim() > 2) for (const size of tensor.shape.slice(2)) receptive_field_size *= size;
  return [num_input_fmaps * receptive_field_size, num_output_fmaps * receptive_field_size];
}

export function _calculate_correct_fan(tensor: Tensor, mode: string): number {
  if (typeof mode !== "string") throw new AttributeError(`'${python_type(mode)}' object has no attribute 'lower'`);
  const which = mode.toLowerCase();
  if (which !== "fan_in" && which !== "fan_out")
    throw new ValueError(`Mode ${which} not supported, please use one of ['fan_in', 'fan_out']`);
  const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  return which === "fan_in" ? fan_in : fan_out;
}

/** What stands before `* math.sqrt(...)`. */
function factor(gain: _float): number {
  if (THPUtils_checkDouble(gain)) return THPUtils_unpackDouble(gain);
  if (typeof gain === "string" || Array.isArray(gain))
    throw new TypeError_("can't multiply sequence by non-int of type 'float'");
  throw new TypeError_(`unsupported operand type(s) for *: '${python_type(gain)}' and 'float'`);
}

/** Draws uniformly, with deviation `gain * sqrt(2 / (fan_in + fan_out))`. */
export const xavier_uniform_ = def(
  "xavier_uniform_(tensor, gain=1.0, generator=None)",
  (tensor: Tensor, gain: _float, generator: Generator | null): Tensor => {
    const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
    const std = factor(gain) * Math.sqrt(2 / (fan_in + fan_out));
    const a = Math.sqrt(3) * std; // the uniform distribution of that deviation
    return _no_grad_uniform_(tensor, -a, a, generator);
  },
);

/** Draws from the normal distribution, with deviation `gain * sqrt(2 / (fan_in + fan_out))`. */
export const xavier_normal_ = def(
  "xavier_normal_(tensor, gain=1.0, generator=None)",
  (tensor: Tensor, gain: _float, generator: Generator | null): Tensor => {
    const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
    return _no_grad_normal_(tensor, 0, factor(gain) * Math.sqrt(2 / (fan_in + fan_out)), generator);
  },
);

/** Draws uniformly, with the nonlinearity's gain over `sqrt(fan)` as deviation. */
export const kaiming_uniform_ = def(
  "kaiming_uniform_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None)",
  (tensor: Tensor, a: _float, mode: FanMode, nonlinearity: Nonlinearity, generator: Generator | null): Tensor => {
    if (has_torch_function_variadic(tensor)) {
      const kwargs = { tensor, a, mode, nonlinearity, generator };
      return handle_torch_function(kaiming_uniform_, [tensor], kwargs) as Tensor;
    }
    if (having(tensor, "shape").shape.includes(0)) {
      warn("UserWarning", "Initializing zero-element tensors is a no-op");
      return tensor;
    }
    const fan = _calculate_correct_fan(tensor, mode);
    const std = calculate_gain(nonlinearity, a) / Math.sqrt(fan);
    const bound = Math.sqrt(3) * std;
    return _no_grad_uniform_(tensor, -bound, bound, generator);
  },
);

/** Draws from the normal distribution, with the nonlinearity's gain over `sqrt(fan)` as deviation. */
export const kaiming_normal_ = def(
  "kaiming_normal_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None)",
  (tensor: Tensor, a: _float, mode: FanMode, nonlinearity: Nonlinearity, generator: Generator | null): Tensor => {
    if (having(tensor, "shape").shape.includes(0)) {
      warn("UserWarning", "Initializing zero-element tensors is a no-op");
      return tensor;
    }
    const std = calculate_gain(nonlinearity, a) / Math.sqrt(_calculate_correct_fan(tensor, mode));
    return _no_grad_normal_(tensor, 0, std, generator);
  },
);
