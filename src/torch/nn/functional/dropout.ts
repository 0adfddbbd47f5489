/**
 * @file Dropout functions.
 * @mirrors torch/nn/functional.py
 */
import { RuntimeError, ValueError, warn } from "#c10/util/Exception";
import { _C, having, PyObject_IsTrue, PyObject_RichCompareBool, py_format } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import type { _float } from "#torch/types";

const _VF = _C._VariableFunctions;

/** Dropout operators without their in-place forms, which have no typed signature. */
type Drop = typeof _VF.dropout;
const _VF_ = _VF as unknown as Readonly<
  Record<"dropout_" | "alpha_dropout_" | "feature_dropout_" | "feature_alpha_dropout_", Drop>
>;

function check_probability(p: _float): void {
  if (PyObject_RichCompareBool(p, "<", 0, "float") || PyObject_RichCompareBool(p, ">", 1, "float"))
    throw new ValueError(`dropout probability has to be between 0 and 1, but got ${py_format(p)}`);
}

/** Sets each element to zero with probability `p` and scales the others by `1 / (1 - p)`. */
export const dropout = def_overridable(
  "dropout(input: Tensor, p=0.5, training=True, inplace=False)",
  (input: Tensor, p: _float, training: boolean, inplace: boolean): Tensor => {
    check_probability(p);
    return PyObject_IsTrue(inplace) ? _VF_.dropout_(input, p, training) : _VF.dropout(input, p, training);
  },
  "torch.nn.functional.dropout",
);

/** Dropout that keeps mean 0 and variance 1, the statistics that `selu` produces. */
export const alpha_dropout = def_overridable(
  "alpha_dropout(input: Tensor, p=0.5, training=False, inplace=False)",
  (input: Tensor, p: _float, training: boolean, inplace: boolean): Tensor => {
    check_probability(p);
    return PyObject_IsTrue(inplace) ? _VF_.alpha_dropout_(input, p, training) : _VF.alpha_dropout(input, p, training);
  },
  "torch.nn.functional.alpha_dropout",
);

function feature_dropout(input: Tensor, p: _float, training: boolean, inplace: boolean): Tensor {
  return PyObject_IsTrue(inplace) ? _VF_.feature_dropout_(input, p, training) : _VF.feature_dropout(input, p, training);
}

/** Feature dropout of a sample without a batch dim: the sample becomes a batch of one. */
function batched(input: Tensor, p: _float, training: boolean, inplace: boolean): Tensor {
  const in_place = PyObject_IsTrue(inplace);
  const result = feature_dropout(in_place ? input.unsqueeze_(0) : input.unsqueeze(0), p, training, inplace);
  return in_place ? result.squeeze_(0) : result.squeeze(0);
}

/** Sets whole channels to zero.   `(N, C, L)` or `(C, L)` */
export const dropout1d = def_overridable(
  "dropout1d(input: Tensor, p=0.5, training=True, inplace=False)",
  (input: Tensor, p: _float, training: boolean, inplace: boolean): Tensor => {
    check_probability(p);
    const inp_dim = having(input, "dim").dim();
    if (inp_dim !== 2 && inp_dim !== 3)
      throw new RuntimeError(
        `dropout1d: Expected 2D or 3D input, but received a ${inp_dim}D input. ` +
          "Note that dropout1d exists to provide channel-wise dropout on inputs with 1 " +
          "spatial dimension, a channel dimension, and an optional batch dimension " +
          "(i.e. 2D or 3D inputs).",
      );
    return inp_dim === 3 ? feature_dropout(input, p, training, inplace) : batched(input, p, training, inplace);
  },
  "torch.nn.functional.dropout1d",
);

/** Warns of a number of dims that is deprecated and will be refused in a future release. */
function warn_of_dims(name: string, inp_dim: number, spatial: number): void {
  const dims = `${spatial + 1}-D or ${spatial + 2}-D`;
  warn(
    "UserWarning",
    `${name}: Received a ${inp_dim}-D input to ${name}, which is deprecated ` +
      "and will result in an error in a future release. To retain the behavior " +
      `and silence this warning, please use dropout instead. Note that ${name} ` +
      `exists to provide channel-wise dropout on inputs with ${spatial} spatial dimensions, ` +
      `a channel dimension, and an optional batch dimension (i.e. ${dims} inputs).`,
  );
}

/** Sets whole channels to zero.   `(N, C, H, W)` */
export const dropout2d = def_overridable(
  "dropout2d(input: Tensor, p=0.5, training=True, inplace=False)",
  (input: Tensor, p: _float, training: boolean, inplace: boolean): Tensor => {
    check_probability(p);
    const inp_dim = having(input, "dim").dim();
    if (inp_dim !== 3 && inp_dim !== 4) warn_of_dims("dropout2d", inp_dim, 2);
    if (inp_dim === 3)
      warn(
        "UserWarning",
        "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise " +
          "1D dropout behavior is desired - input is interpreted as shape (N, C, L), where C " +
          "is the channel dim. This behavior will change in a future release to interpret the " +
          "input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D " +
          "channel-wise dropout behavior, please switch to using dropout1d instead.",
      );
    return feature_dropout(input, p, training, inplace);
  },
  "torch.nn.functional.dropout2d",
);

/** Sets whole channels to zero.   `(N, C, D, H, W)` or `(C, D, H, W)` */
export const dropout3d = def_overridable(
  "dropout3d(input: Tensor, p=0.5, training=True, inplace=False)",
  (input: Tensor, p: _float, training: boolean, inplace: boolean): Tensor => {
    check_probability(p);
    const inp_dim = having(input, "dim").dim();
    if (inp_dim !== 4 && inp_dim !== 5) warn_of_dims("dropout3d", inp_dim, 3);
    return inp_dim === 5 ? feature_dropout(input, p, training, inplace) : batched(input, p, training, inplace);
  },
  "torch.nn.functional.dropout3d",
);

/** Alpha dropout applied to whole channels. */
export const feature_alpha_dropout = def_overridable(
  "feature_alpha_dropout(input: Tensor, p=0.5, training=False, inplace=False)",
  (input: Tensor, p: _float, training: boolean, inplace: boolean): Tensor => {
    check_probability(p);
    return PyObject_IsTrue(inplace)
      ? _VF_.feature_alpha_dropout_(input, p, training)
      : _VF.feature_alpha_dropout(input, p, training);
  },
  "torch.nn.functional.feature_alpha_dropout",
);
