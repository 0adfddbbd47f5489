/**
 * @file Initial values of parameters. Every function writes to its tensor without grad mode and returns it.
 * @mirrors torch/nn/init.py
 */

import { AttributeError, TypeError_, ValueError, warn } from "#c10/util/Exception";
import { erf } from "#c10/util/math";
import { pack } from "#python/Objects/tupleobject";
import { having, isFloat, py_str, python_type, repr, THPUtils_checkDouble, THPUtils_unpackDouble } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import type { _float, Generator, Number as PythonNumber } from "#torch/types";

/** The side of a weight whose standard deviation should stay constant: activations (fan_in) or gradients (fan_out). */
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

/** The recommended gain of a nonlinearity, which compensates for its effect on the standard deviation. */
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

/** Fills the tensor with uniformly distributed random numbers between `a` and `b`. */
export const uniform_ = def_overridable(
  "uniform_(tensor: Tensor, a=0.0, b=1.0, generator=None)",
  (tensor: Tensor, a: _float, b: _float, generator: Generator | null): Tensor =>
    _no_grad_uniform_(tensor, a, b, generator),
  null,
  { kwargs: ["tensor", "a", "b", "generator"] },
);

/** Fills the tensor with normally distributed random numbers. */
export const normal_ = def_overridable(
  "normal_(tensor: Tensor, mean=0.0, std=1.0, generator=None)",
  (tensor: Tensor, mean: _float, std: _float, generator: Generator | null): Tensor =>
    _no_grad_normal_(tensor, mean, std, generator),
  null,
  { kwargs: ["tensor", "mean", "std", "generator"] },
);

/** Fills the tensor with `val`. */
export const constant_ = def_overridable(
  "constant_(tensor: Tensor, val)",
  (tensor: Tensor, val: PythonNumber): Tensor => _no_grad_fill_(tensor, val),
  null,
  { kwargs: ["tensor", "val"] },
);

/** Fills the tensor with ones. */
export const ones_ = def("ones_(tensor)", (tensor: Tensor): Tensor => _no_grad_fill_(tensor, 1));

/** Fills the tensor with zeros. */
export const zeros_ = def(
  "zeros_(tensor)",
  (tensor: Tensor): Tensor => torch.no_grad(() => having(tensor, "zero_").zero_()),
);

/** The number of inputs and the number of outputs of one unit of a weight. */
export function _calculate_fan_in_and_fan_out(tensor: Tensor): [fan_in: number, fan_out: number] {
  if (having(tensor, "dim").dim() < 2)
    throw new ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions");
  const num_input_fmaps = tensor.size(1);
  const num_output_fmaps = tensor.size(0);
  let receptive_field_size = 1;
  if (tensor.dim() > 2) for (const size of tensor.shape.slice(2)) receptive_field_size *= size;
  return pack(num_input_fmaps * receptive_field_size, num_output_fmaps * receptive_field_size);
}

export function _calculate_correct_fan(tensor: Tensor, mode: string): number {
  if (typeof mode !== "string") throw new AttributeError(`'${python_type(mode)}' object has no attribute 'lower'`);
  const which = mode.toLowerCase();
  if (which !== "fan_in" && which !== "fan_out")
    throw new ValueError(`Mode ${which} not supported, please use one of ['fan_in', 'fan_out']`);
  const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
  return which === "fan_in" ? fan_in : fan_out;
}

/** The gain as the left operand of `* math.sqrt(...)`. */
function factor(gain: _float): number {
  if (THPUtils_checkDouble(gain)) return THPUtils_unpackDouble(gain);
  if (typeof gain === "string" || Array.isArray(gain))
    throw new TypeError_("can't multiply sequence by non-int of type 'float'");
  throw new TypeError_(`unsupported operand type(s) for *: '${python_type(gain)}' and 'float'`);
}

/** Fills the tensor with uniformly distributed random numbers of standard deviation `gain * sqrt(2 / (fan_in + fan_out))`. */
export const xavier_uniform_ = def(
  "xavier_uniform_(tensor, gain=1.0, generator=None)",
  (tensor: Tensor, gain: _float, generator: Generator | null): Tensor => {
    const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
    const std = factor(gain) * Math.sqrt(2 / (fan_in + fan_out));
    const a = Math.sqrt(3) * std; // the bound of a uniform distribution with this standard deviation
    return _no_grad_uniform_(tensor, -a, a, generator);
  },
);

/** Fills the tensor with normally distributed random numbers of standard deviation `gain * sqrt(2 / (fan_in + fan_out))`. */
export const xavier_normal_ = def(
  "xavier_normal_(tensor, gain=1.0, generator=None)",
  (tensor: Tensor, gain: _float, generator: Generator | null): Tensor => {
    const [fan_in, fan_out] = _calculate_fan_in_and_fan_out(tensor);
    return _no_grad_normal_(tensor, 0, factor(gain) * Math.sqrt(2 / (fan_in + fan_out)), generator);
  },
);

/**
 * Fills the tensor with uniformly distributed random numbers whose standard deviation is the gain of the nonlinearity divided by
 * `sqrt(fan)`.
 */
export const kaiming_uniform_ = def_overridable(
  "kaiming_uniform_(tensor: Tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None)",
  (tensor: Tensor, a: _float, mode: FanMode, nonlinearity: Nonlinearity, generator: Generator | null): Tensor => {
    if (having(tensor, "shape").shape.includes(0)) {
      warn("UserWarning", "Initializing zero-element tensors is a no-op");
      return tensor;
    }
    const fan = _calculate_correct_fan(tensor, mode);
    const std = calculate_gain(nonlinearity, a) / Math.sqrt(fan);
    const bound = Math.sqrt(3) * std;
    return _no_grad_uniform_(tensor, -bound, bound, generator);
  },
  null,
  { kwargs: ["tensor", "a", "mode", "nonlinearity", "generator"] },
);

/**
 * Fills the tensor with normally distributed random numbers whose standard deviation is the gain of the nonlinearity divided by
 * `sqrt(fan)`.
 */
export const kaiming_normal_ = def(
  "kaiming_normal_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None)",
  (tensor: Tensor, a: _float, mode: FanMode, nonlinearity: Nonlinearity, generator: Generator | null): Tensor => {
    if (having(tensor, "shape").shape.includes(0)) {
      warn("UserWarning", "Initializing zero-element tensors is a no-op");
      return tensor;
    }
    const fan = _calculate_correct_fan(tensor, mode);
    const std = calculate_gain(nonlinearity, a) / Math.sqrt(fan);
    return _no_grad_normal_(tensor, 0, std, generator);
  },
);

/** The cumulative distribution function of the standard normal distribution. */
function norm_cdf(x: number): number {
  return (1 + erf(x / Math.sqrt(2))) / 2;
}

/**
 * Truncated normal distribution by rejection. If [a, b] has enough probability, it draws from the normal distribution and repeats for
 * elements outside; else it draws uniformly and accepts by the density.
 */
function _no_grad_trunc_normal_(
  tensor: Tensor,
  mean: number,
  std: number,
  a: number,
  b: number,
  generator: Generator | null,
): Tensor {
  if (having(tensor, "is_meta").is_meta) return tensor;
  if (mean < a - 2 * std || mean > b + 2 * std) {
    warn(
      "UserWarning",
      "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
    );
  }
  const any = (t: Tensor) => Boolean(t.any().item());
  const p = norm_cdf((b - mean) / std) - norm_cdf((a - mean) / std);
  if (p > 0.3) {
    const in_dtype = (x: number) => tensor.new_tensor(x).item() as number;
    const [lo, hi] = [in_dtype(a), in_dtype(b)];
    let result = tensor.normal_(mean, std, { generator });
    for (;;) {
      const mask = result.lt(lo).bitwise_or(result.gt(hi));
      if (!any(mask)) break;
      result = torch.where(mask, torch.empty_like(result).normal_(mean, std, { generator }), result);
    }
    return result === tensor ? tensor : tensor.copy_(result);
  }
  const mode = Math.max(a, Math.min(mean, b));
  const log_peak = -0.5 * ((mode - mean) / std) ** 2;
  const candidates = torch.empty_like(tensor);
  const accept_buf = torch.empty_like(tensor);
  tensor.uniform_(a, b, { generator });
  candidates.copy_(tensor);
  /** The candidates that are rejected. It overwrites the candidates with the logarithm of their density. */
  const refused = (): Tensor => {
    candidates.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(log_peak);
    return accept_buf.uniform_({ generator }).log_().gt(candidates);
  };
  let pending = refused();
  if (!any(pending)) return tensor;
  let result = tensor;
  do {
    candidates.uniform_(a, b, { generator });
    result = torch.where(pending, candidates, result);
    pending = torch.where(pending, refused(), pending);
  } while (any(pending));
  return tensor.copy_(result);
}

/** Fills the tensor with normally distributed random numbers restricted to the range from `a` to `b`. */
export const trunc_normal_ = def(
  "trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None)",
  (tensor: Tensor, mean: _float, std: _float, a: _float, b: _float, generator: Generator | null): Tensor =>
    torch.no_grad(() => _no_grad_trunc_normal_(tensor, Number(mean), Number(std), Number(a), Number(b), generator)),
);

function check_matrix(tensor: Tensor): void {
  if (having(tensor, "dim").dim() !== 2) throw new ValueError("Only tensors with 2 dimensions are supported");
}

/** Fills a matrix with the identity: ones on the diagonal, zeros elsewhere. */
export const eye_ = def("eye_(tensor)", (tensor: Tensor): Tensor => {
  check_matrix(tensor);
  const [rows, columns] = tensor.shape;
  torch.no_grad(() => torch.eye(rows, columns, { out: tensor, requires_grad: tensor.requires_grad }));
  return tensor;
});

/** Fills a convolution weight so that the convolution returns its input channels: ones at the center, zeros elsewhere. */
export const dirac_ = def("dirac_(tensor, groups=1)", (tensor: Tensor, groups: number): Tensor => {
  const dimensions = having(tensor, "dim").dim();
  if (dimensions < 3 || dimensions > 5) throw new ValueError("Only tensors with 3, 4, or 5 dimensions are supported");
  const sizes = tensor.size();
  if (sizes[0] % groups !== 0) throw new ValueError("dim 0 must be divisible by groups");
  if (tensor.is_meta) return tensor;
  const out_chans_per_grp = Math.floor(sizes[0] / groups);
  const min_dim = Math.min(out_chans_per_grp, sizes[1]);
  const middle = sizes.slice(2).map((size) => Math.floor(size / 2));
  return torch.no_grad(() => {
    tensor.zero_();
    for (let g = 0; g < groups; g++)
      for (let d = 0; d < min_dim; d++) tensor.__setitem__([g * out_chans_per_grp + d, d, ...middle], 1);
    return tensor;
  });
});

/**
 * Fills the tensor with a random orthogonal matrix, times `gain`: its rows (or columns, if it has fewer) are orthonormal. Dims after the
 * first count as one.
 */
export const orthogonal_ = def(
  "orthogonal_(tensor, gain=1, generator=None)",
  (tensor: Tensor, gain: _float, generator: Generator | null): Tensor => {
    if (having(tensor, "dim").dim() < 2) throw new ValueError("Only tensors with 2 or more dimensions are supported");
    if (tensor.numel() === 0 || tensor.is_meta) return tensor;
    const rows = tensor.size(0);
    const cols = tensor.numel() / rows;
    const flattened = tensor.new_empty([rows, cols]).normal_(0, 1, { generator });
    if (rows < cols) flattened.t_();
    const { Q, R } = torch.linalg.qr(flattened);
    // With positive signs on the diagonal of R, Q is uniformly distributed over all such matrices (arXiv:math-ph/0609050).
    Q.mul_(torch.diag(R, 0).sign());
    if (rows < cols) Q.t_();
    return torch.no_grad(() => {
      tensor.view_as(Q).copy_(Q);
      return tensor.mul_(gain);
    });
  },
);

/** Fills a matrix with normally distributed random numbers; in each column a random fraction `sparsity` of the elements is zero. */
export const sparse_ = def(
  "sparse_(tensor, sparsity, std=0.01, generator=None)",
  (tensor: Tensor, sparsity: _float, std: _float, generator: Generator | null): Tensor => {
    check_matrix(tensor);
    if (tensor.is_meta) return tensor;
    const [rows, cols] = tensor.shape as [number, number];
    const num_zeros = Math.ceil(Number(sparsity) * rows);
    return torch.no_grad(() => {
      tensor.normal_(0, std, { generator });
      for (let col_idx = 0; col_idx < cols; col_idx++) {
        const row_indices = torch.randperm(rows);
        const zero_indices = row_indices.__getitem__([{ start: null, stop: num_zeros, step: null }]);
        tensor.__setitem__([zero_indices, col_idx], 0);
      }
      return tensor;
    });
  },
);

// older names -------------------------------------------------------------------------------------------------------------

/** The function under its older name, with the same arguments and a warning. */
function _make_deprecate<F extends (...args: never[]) => unknown>(meth: F): F {
  const new_name = meth.name;
  const old_name = new_name.slice(0, -1);
  const signature: string = `${old_name}(*args, **kwargs)`;
  const deprecated_init = def(signature, (args: unknown[], kwargs: Readonly<Record<string, unknown>>): unknown => {
    warn("FutureWarning", `\`nn.init.${old_name}\` is now deprecated in favor of \`nn.init.${new_name}\`.`);
    const given = Object.keys(kwargs).length > 0 ? [...args, kwargs] : args;
    return meth(...(given as Parameters<F>));
  });
  return deprecated_init as unknown as F;
}

/** Deprecated name of `uniform_`; it warns. */
export const uniform = _make_deprecate(uniform_);
/** Deprecated name of `normal_`; it warns. */
export const normal = _make_deprecate(normal_);
/** Deprecated name of `constant_`; it warns. */
export const constant = _make_deprecate(constant_);
/** Deprecated name of `eye_`; it warns. */
export const eye = _make_deprecate(eye_);
/** Deprecated name of `dirac_`; it warns. */
export const dirac = _make_deprecate(dirac_);
/** Deprecated name of `xavier_uniform_`; it warns. */
export const xavier_uniform = _make_deprecate(xavier_uniform_);
/** Deprecated name of `xavier_normal_`; it warns. */
export const xavier_normal = _make_deprecate(xavier_normal_);
/** Deprecated name of `kaiming_uniform_`; it warns. */
export const kaiming_uniform = _make_deprecate(kaiming_uniform_);
/** Deprecated name of `kaiming_normal_`; it warns. */
export const kaiming_normal = _make_deprecate(kaiming_normal_);
/** Deprecated name of `orthogonal_`; it warns. */
export const orthogonal = _make_deprecate(orthogonal_);
/** Deprecated name of `sparse_`; it warns. */
export const sparse = _make_deprecate(sparse_);
