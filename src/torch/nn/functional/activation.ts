/**
 * @file Activation functions, except the oldest ones (`index.ts`). Each picks the operator or its in-place form.
 * @mirrors torch/nn/functional.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { _C, having, PyObject_IsTrue, PyObject_RichCompareBool } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import type { _float, Number as PythonNumber } from "#torch/types";

const _VF = _C._VariableFunctions;
const _nn = _C._nn;

/** `input` limited to the range from `min_val` to `max_val`. */
export const hardtanh = def_overridable(
  "hardtanh(input: Tensor, min_val=-1.0, max_val=1.0, inplace=False)",
  (input: Tensor, min_val: _float, max_val: _float, inplace: boolean): Tensor => {
    if (PyObject_RichCompareBool(min_val, ">", Number(max_val), "float"))
      throw new ValueError("min_val cannot be greater than max_val");
    return PyObject_IsTrue(inplace) ? _nn.hardtanh_(input, min_val, max_val) : _nn.hardtanh(input, min_val, max_val);
  },
  "torch.nn.functional.hardtanh",
);

/** `input` limited to the range from 0 to 6. */
export const relu6 = def_overridable(
  "relu6(input: Tensor, inplace=False)",
  (input: Tensor, inplace: boolean): Tensor => (PyObject_IsTrue(inplace) ? _nn.relu6_(input) : _nn.relu6(input)),
  "torch.nn.functional.relu6",
);

/** `input` if it is positive, else `alpha * (exp(input) - 1)`. */
export const elu = def_overridable(
  "elu(input: Tensor, alpha=1.0, inplace=False)",
  (input: Tensor, alpha: PythonNumber, inplace: boolean): Tensor =>
    PyObject_IsTrue(inplace) ? _nn.elu_(input, alpha) : _nn.elu(input, alpha),
  "torch.nn.functional.elu",
);

/** `elu` scaled by two constants that keep mean and variance stable from layer to layer. */
export const selu = def_overridable(
  "selu(input: Tensor, inplace=False)",
  (input: Tensor, inplace: boolean): Tensor => (PyObject_IsTrue(inplace) ? _VF.selu_(input) : _VF.selu(input)),
  "torch.nn.functional.selu",
);

/** `input` if it is positive, else `alpha * (exp(input / alpha) - 1)`. */
export const celu = def_overridable(
  "celu(input: Tensor, alpha=1.0, inplace=False)",
  (input: Tensor, alpha: PythonNumber, inplace: boolean): Tensor =>
    PyObject_IsTrue(inplace) ? _VF.celu_(input, alpha) : _VF.celu(input, alpha),
  "torch.nn.functional.celu",
);

/** `relu6(input + 3) / 6`. */
export const hardsigmoid = def_overridable(
  "hardsigmoid(input: Tensor, inplace=False)",
  (input: Tensor, inplace: boolean): Tensor =>
    PyObject_IsTrue(inplace) ? _nn.hardsigmoid_(input) : _nn.hardsigmoid(input),
  "torch.nn.functional.hardsigmoid",
);

/** `input * relu6(input + 3) / 6`. */
export const hardswish = def_overridable(
  "hardswish(input: Tensor, inplace=False)",
  (input: Tensor, inplace: boolean): Tensor =>
    PyObject_IsTrue(inplace) ? _nn.hardswish_(input) : _nn.hardswish(input),
  "torch.nn.functional.hardswish",
);

/** `input * tanh(softplus(input))`. */
export const mish = def_overridable(
  "mish(input: Tensor, inplace=False)",
  (input: Tensor, inplace: boolean): Tensor => (PyObject_IsTrue(inplace) ? _nn.mish_(input) : _nn.mish(input)),
  "torch.nn.functional.mish",
);

/** `leaky_relu` with a random slope for each element in training, and the middle of the range otherwise. */
export const rrelu = def_overridable(
  "rrelu(input: Tensor, lower=0.125, upper=0.3333333333333333, training=False, inplace=False)",
  (input: Tensor, lower: PythonNumber, upper: PythonNumber, training: boolean, inplace: boolean): Tensor =>
    PyObject_IsTrue(inplace) ? _VF.rrelu_(input, lower, upper, training) : _VF.rrelu(input, lower, upper, training),
  "torch.nn.functional.rrelu",
);

/** The first half of `input` along `dim`, times the sigmoid of the second half.   `(*, 2 n, *) -> (*, n, *)` */
export const glu = def_overridable(
  "glu(input: Tensor, dim=-1)",
  (input: Tensor, dim: number): Tensor => {
    if (having(input, "dim").dim() === 0)
      throw new RuntimeError("glu does not support scalars because halving size must be even");
    return _nn.glu(input, dim);
  },
  "torch.nn.functional.glu",
);

/** `input - tanh(input)`. */
export const tanhshrink = def_overridable(
  "tanhshrink(input: Tensor)",
  (input: Tensor): Tensor => input.sub(having(input, "tanh").tanh()),
  "torch.nn.functional.tanhshrink",
);

/** `input / (1 + |input|)`. */
export const softsign = def_overridable(
  "softsign(input: Tensor)",
  (input: Tensor): Tensor => input.div(having(input, "abs").abs().add(1)),
  "torch.nn.functional.softsign",
);

/** `hardtanh`, in place. */
export const hardtanh_ = _nn.hardtanh_;

/** `elu`, in place. */
export const elu_ = _nn.elu_;

/** `selu`, in place. */
export const selu_ = _VF.selu_;

/** `celu`, in place. */
export const celu_ = _VF.celu_;

/** `rrelu`, in place. */
export const rrelu_ = _VF.rrelu_;

/** `log(1 / (1 + exp(-input)))`. */
export const logsigmoid = _nn.log_sigmoid;

/** `input` if `|input| > lambd`, else 0. */
export const hardshrink = _VF.hardshrink;

/** `input` moved towards 0 by `lambd`; 0 if `|input| <= lambd`. */
export const softshrink = _nn.softshrink;

/** `log(1 + exp(beta * input)) / beta`; `input` itself if `beta * input` is above `threshold`. */
export const softplus = _nn.softplus;
