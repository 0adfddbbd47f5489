/**
 * @file The functions behind the modules.
 * @mirrors torch/nn/functional.py
 */
import { ValueError, warn } from "#c10/util/Exception";
import { _C, having, PyObject_IsTrue, PyObject_RichCompareBool, py_format, THPUtils_unpackLong } from "#torch/_C";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor";
import { handle_torch_function, has_torch_function_unary, has_torch_function_variadic } from "#torch/overrides";
import type { _float, dtype, Number as PythonNumber } from "#torch/types";
import { get_enum, legacy_get_string, type Reduction } from "./_reduction.ts";

const _VF = _C._VariableFunctions;

/** `input @ weight.T + bias`.   `(*, in), (out, in), (out) -> (*, out)` */
export const linear = _C._nn.linear;

/** The same function as `torch.prelu`. */
export const prelu = _VF.prelu;

/** `max(0, input)`. */
export const relu = def(
  "relu(input, inplace=False)",
  (input: Tensor, inplace: boolean): Tensor => {
    if (has_torch_function_unary(input)) return handle_torch_function(relu, [input], input, { inplace }) as Tensor;
    return PyObject_IsTrue(inplace) ? _VF.relu_(input) : _VF.relu(input);
  },
  "torch.nn.functional.relu",
);

/** Zeroes each element with probability `p` and scales the others by `1 / (1 - p)`. */
export const dropout = def(
  "dropout(input, p=0.5, training=True, inplace=False)",
  (input: Tensor, p: _float, training: boolean, inplace: boolean): Tensor => {
    if (has_torch_function_unary(input))
      return handle_torch_function(dropout, [input], input, { p, training, inplace }) as Tensor;
    if (PyObject_RichCompareBool(p, "<", 0, "float") || PyObject_RichCompareBool(p, ">", 1, "float"))
      throw new ValueError(`dropout probability has to be between 0 and 1, but got ${py_format(p)}`);
    if (!PyObject_IsTrue(inplace)) return _VF.dropout(input, p, training);
    return (_VF as unknown as { dropout_: typeof _VF.dropout }).dropout_(input, p, training);
  },
  "torch.nn.functional.dropout",
);

/** The dimension that `softmax` took before it had to be named. */
function _get_softmax_dim(name: string, ndim: number, stacklevel: number): number {
  THPUtils_unpackLong(stacklevel); // the warning is for a caller so far above
  warn(
    "UserWarning",
    `Implicit dimension choice for ${name} has been deprecated. Change the call to include dim=X as an argument.`,
  );
  return ndim === 0 || ndim === 1 || ndim === 3 ? 0 : 1;
}

/** Exponentials along `dim`, divided by their sum. */
export const softmax = def(
  "softmax(input, dim=None, _stacklevel=3, dtype=None)",
  (input: Tensor, dim: number | null, _stacklevel: number, dtype: dtype | null): Tensor => {
    if (has_torch_function_unary(input))
      return handle_torch_function(softmax, [input], input, { dim, _stacklevel, dtype }) as Tensor;
    const dim_ = dim ?? _get_softmax_dim("softmax", having(input, "dim").dim(), _stacklevel);
    if (dtype === null) return having(input, "softmax").softmax(dim_);
    return having(input, "softmax").softmax(dim_, { dtype });
  },
  "torch.nn.functional.softmax",
);

/** The logarithm of `softmax`, computed in one. */
export const log_softmax = def(
  "log_softmax(input, dim=None, _stacklevel=3, dtype=None)",
  (input: Tensor, dim: number | null, _stacklevel: number, dtype: dtype | null): Tensor => {
    if (has_torch_function_unary(input))
      return handle_torch_function(log_softmax, [input], input, { dim, _stacklevel, dtype }) as Tensor;
    const dim_ = dim ?? _get_softmax_dim("log_softmax", having(input, "dim").dim(), _stacklevel);
    if (dtype === null) return having(input, "log_softmax").log_softmax(dim_);
    return having(input, "log_softmax").log_softmax(dim_, { dtype });
  },
  "torch.nn.functional.log_softmax",
);

/** `1 / (1 + exp(-input))`. */
export const sigmoid = def("sigmoid(input)", (input: Tensor): Tensor => having(input, "sigmoid").sigmoid());

/** The hyperbolic tangent. */
export const tanh = def("tanh(input)", (input: Tensor): Tensor => having(input, "tanh").tanh());

/** `threshold`, in place. */
export const threshold_ = _VF.threshold_;

/** `value` where `input <= threshold`, else `input`. */
export const threshold = def(
  "_threshold(input, threshold, value, inplace=False)",
  (input: Tensor, threshold_: PythonNumber, value: PythonNumber, inplace: boolean): Tensor => {
    if (has_torch_function_unary(input))
      return handle_torch_function(threshold, [input], input, threshold_, value, { inplace }) as Tensor;
    return PyObject_IsTrue(inplace)
      ? _VF.threshold_(input, threshold_, value)
      : _VF.threshold(input, threshold_, value);
  },
);

/**
 * Cross entropy between unnormalized scores and class indices (or probabilities).   `(N, C, ...), (N, ...) -> ()`
 * @param target int64 classes of shape `(N, ...)`, or probabilities of `input`'s shape.
 */
export const cross_entropy = def(
  "cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0)",
  (
    input: Tensor,
    target: Tensor,
    weight: Tensor | null,
    size_average: boolean | null,
    ignore_index: number,
    reduce: boolean | null,
    reduction: Reduction,
    label_smoothing: _float,
  ): Tensor => {
    if (has_torch_function_variadic(input, target, weight)) {
      const kwargs = { weight, size_average, ignore_index, reduce, reduction, label_smoothing };
      return handle_torch_function(cross_entropy, [input, target, weight], input, target, kwargs) as Tensor;
    }
    const legacy = size_average !== null || reduce !== null;
    const how = legacy ? legacy_get_string(size_average, reduce) : reduction;
    return _C._nn.cross_entropy_loss(input, target, weight, get_enum(how), ignore_index, label_smoothing);
  },
  "torch.nn.functional.cross_entropy",
);

/** Negative log likelihood of log-probabilities. */
export const nll_loss = def(
  "nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean')",
  (
    input: Tensor,
    target: Tensor,
    weight: Tensor | null,
    size_average: boolean | null,
    ignore_index: number,
    reduce: boolean | null,
    reduction: Reduction,
  ): Tensor => {
    if (has_torch_function_variadic(input, target, weight)) {
      const kwargs = { weight, size_average, ignore_index, reduce, reduction };
      return handle_torch_function(nll_loss, [input, target, weight], input, target, kwargs) as Tensor;
    }
    const legacy = size_average !== null || reduce !== null;
    const how = legacy ? legacy_get_string(size_average, reduce) : reduction;
    return _C._nn.nll_loss_nd(input, target, weight, get_enum(how), ignore_index);
  },
  "torch.nn.functional.nll_loss",
);
