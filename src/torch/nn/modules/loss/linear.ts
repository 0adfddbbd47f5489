/**
 * @file `nn.LinearCrossEntropyLoss`: a linear layer and the cross entropy of its scores.
 * @mirrors torch/nn/modules/loss.py
 */
import { AttributeError, RuntimeError } from "#c10/util/Exception";
import {
  float_repr,
  PyNumber_Multiply,
  PyObject_RichCompareBool,
  PySequence_Tuple,
  py_str,
  python_type,
} from "#torch/_C";
import { def_methods, Init, type InitArgs, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import type { Reduction } from "#torch/nn/_reduction";
import { tuple_repr } from "#torch/nn/_size";
import * as F from "#torch/nn/functional/index";
import { type Factory, Linear } from "#torch/nn/modules/linear/index";
import type { LinearCrossEntropyOptions } from "#torch/nn/modules/linear_cross_entropy_options";
import { _WeightedLoss } from "./index.ts";

const LinearCrossEntropyLoss_init = new Init(
  "LinearCrossEntropyLoss.__init__(self, in_features, num_classes, *, out_features=(), bias=False, device=None, dtype=None, reduction='mean', weight=None, ignore_index=None, label_smoothing=0.0, options=None)",
  types<
    [
      in_features: number,
      num_classes: number,
      out_features: readonly number[],
      bias: boolean,
      ...Factory,
      reduction: Reduction,
      weight: Tensor | null,
      ignore_index: number | null,
      label_smoothing: number,
      options: LinearCrossEntropyOptions | null,
    ]
  >,
);

/**
 * Cross entropy between a linear map of `(N, in_features)` and classes `(N, *out_features)` or probabilities
 * `(N, num_classes, *out_features)`.
 */
export class LinearCrossEntropyLoss extends _WeightedLoss {
  static readonly __module__: string = "torch.nn.modules.loss";

  num_classes: number;
  out_features: readonly number[];
  ignore_index: number | null;
  label_smoothing: number;
  linear: Linear;
  options: LinearCrossEntropyOptions | null;

  static {
    def_methods(LinearCrossEntropyLoss, {
      __init__: LinearCrossEntropyLoss_init,
      forward: "(self, input, target)",
      extra_repr: "(self)",
    });
  }

  constructor(...args: InitArgs<typeof LinearCrossEntropyLoss_init>) {
    const [in_features, num_classes, out_features, bias, device, dtype, ...rest] =
      LinearCrossEntropyLoss_init.bind(args);
    const [reduction, weight, ignore_index, label_smoothing, options] = rest;
    if (weight !== null && weight.shape === undefined)
      throw new AttributeError(`'${python_type(weight)}' object has no attribute 'shape'`);
    if (weight !== null && String(weight.shape) !== String([num_classes]))
      throw new RuntimeError(
        `expected weight shape to be ${tuple_repr([num_classes])}, got ${tuple_repr(weight.shape)}`,
      );
    if (
      PyObject_RichCompareBool(label_smoothing, "<", 0, "float") ||
      PyObject_RichCompareBool(label_smoothing, ">", 1, "float")
    )
      throw new RuntimeError(`expected label_smoothing to be in range [0, 1], got ${py_str(label_smoothing)}`);
    super(weight, null, null, reduction);
    this.num_classes = num_classes;
    this.out_features = out_features;
    this.ignore_index = ignore_index;
    this.label_smoothing = label_smoothing;
    const columns = PySequence_Tuple(out_features).reduce(PyNumber_Multiply, num_classes);
    this.linear = new Linear(in_features, columns, { bias, device, dtype });
    this.options = options;
  }

  override forward(input: Tensor, target: Tensor): Tensor {
    const { linear, num_classes, out_features, weight, reduction, ignore_index, label_smoothing, options } = this;
    const linear_weight = linear.weight.reshape([num_classes, ...out_features, linear.in_features]);
    const linear_bias = linear.bias?.reshape([num_classes, ...out_features]) ?? null;
    const kwargs = { linear_bias, weight, reduction, ignore_index, label_smoothing, options };
    return F.linear_cross_entropy(input, linear_weight, target, kwargs);
  }

  override extra_repr(): string {
    const { linear, num_classes, out_features, reduction, ignore_index, label_smoothing, options } = this;
    return (
      `in_features=${linear.in_features}, num_classes=${num_classes}, out_features=${tuple_repr(out_features)}, ` +
      `bias=${py_str(linear.bias !== null)}, reduction=${reduction}, ignore_index=${py_str(ignore_index)}, ` +
      `label_smoothing=${float_repr(Number(label_smoothing))}, options=${py_str(options)}`
    );
  }
}
