/**
 * @file Cross entropy of the output of a linear layer, in one function, so that the scores of all rows never exist at once.
 * @mirrors torch/nn/functional.py
 */
import { RuntimeError, warn } from "#c10/util/Exception";
import { _C, having, py_str, repr } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { get_enum, type Reduction } from "#torch/nn/_reduction";
import { tuple_repr } from "#torch/nn/_size";
import {
  _linear_cross_entropy_batch_chunked,
  _linear_cross_entropy_batch_chunked_no_reduction,
} from "#torch/nn/modules/linear_cross_entropy";
import type { LinearCrossEntropyOptions } from "#torch/nn/modules/linear_cross_entropy_options";
import type { _float } from "#torch/types";

function check_shapes(input: Tensor, linear_weight: Tensor, linear_bias: Tensor | null): void {
  if (having(input, "dim").dim() < 1 || input.dim() > 2)
    throw new RuntimeError(`expected input with dimensionality 1 or 2, got ${input.dim()}`);
  if (having(linear_weight, "dim").dim() < 2)
    throw new RuntimeError(`expected linear_weight with dimensionality at least 2, got ${linear_weight.dim()}`);
  const [in_features, of_weight] = [input.size(-1), linear_weight.size(-1)];
  if (in_features !== of_weight)
    throw new RuntimeError(
      `expected equal input and linear_weight last dimensions (in_features), got ${in_features} and ${of_weight}, respectively`,
    );
  const expected = linear_weight.shape.slice(0, -1);
  if (linear_bias !== null && String(linear_bias.shape) !== String(expected))
    throw new RuntimeError(`expected linear_bias shape ${tuple_repr(expected)}, got ${tuple_repr(linear_bias.shape)}`);
  if (linear_weight.dim() > 2 && input.dim() === 1)
    throw new RuntimeError(
      `K-dimensional loss defined by linear_weight shape ${tuple_repr(linear_weight.shape)} requires` +
        ` batched input, (N, ${in_features}), got unbatched input with shape ${tuple_repr(input.shape)}`,
    );
}

type Rest = [weight: Tensor | null, reduction: Reduction, ignore_index: number];

/** Computes the loss chunk by chunk. Precondition: the caller has checked that all arguments allow chunks. */
function chunked(
  input_: Tensor,
  linear_weight: Tensor,
  target_: Tensor,
  linear_bias: Tensor | null,
  [weight, reduction, ignore_index]: Rest,
  options: LinearCrossEntropyOptions,
): Tensor {
  const has_batches = input_.dim() === 2;
  const [input, target] = has_batches ? [input_, target_] : [input_.unsqueeze(0), target_.unsqueeze(0)];
  const [classes, in_features] = linear_weight.shape;
  const how = options._adjust(input.size(0), in_features, classes, input.dtype, input.device);
  const tensors = [input, linear_weight, target, linear_bias, weight] as const;
  const { batch_chunk_size, acc_policy, acc_dtype, allow_retain_graph } = how;
  if (reduction === "none") {
    const rest = [ignore_index, batch_chunk_size, acc_policy, acc_dtype] as const;
    const result = _linear_cross_entropy_batch_chunked_no_reduction(...tensors, ...rest);
    return has_batches ? result : result.squeeze(0);
  }
  const wanted = (t: Tensor | null): boolean => t?.requires_grad === true && torch.is_grad_enabled();
  return _linear_cross_entropy_batch_chunked(
    ...tensors,
    reduction as "mean" | "sum",
    ignore_index,
    0,
    batch_chunk_size,
    acc_policy,
    acc_dtype,
    allow_retain_graph,
    wanted(input),
    wanted(linear_weight),
    wanted(linear_bias),
  );
}

/**
 * `cross_entropy(linear(input, linear_weight, linear_bias), target)`.   `(N, F), (C, *, F), (N, *) -> ()`
 * @param options how the batch is split into chunks; null: no chunks.
 */
export const linear_cross_entropy = def_overridable(
  "linear_cross_entropy(input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor=None, weight: Tensor=None, reduction='mean', ignore_index=None, label_smoothing=0.0, options=None)",
  (
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    linear_bias: Tensor | null,
    weight: Tensor | null,
    reduction: Reduction,
    ignore_index_: number | null,
    label_smoothing: _float,
    options: LinearCrossEntropyOptions | null,
  ): Tensor => {
    check_shapes(input, linear_weight, linear_bias);
    const [num_classes, ...out_features] = linear_weight.shape.slice(0, -1);
    const logits_shape = [...input.shape.slice(0, -1), num_classes, ...out_features];
    if (String(target.shape) === String(logits_shape) && ignore_index_ !== null)
      throw new RuntimeError("ignore_index cannot be specified when target contains probabilities");
    const ignore_index = ignore_index_ ?? -100;
    if (options !== null) {
      const possible =
        out_features.length === 0 &&
        ["mean", "sum", "none"].includes(reduction) &&
        Number(label_smoothing) === 0 &&
        target.dtype === torch.int64;
      if (possible)
        return chunked(input, linear_weight, target, linear_bias, [weight, reduction, ignore_index], options);
      warn(
        "UserWarning",
        "linear_cross_entropy: ``options`` ignored; chunked path needs reduction in {'mean','sum','none'}, " +
          "label_smoothing == 0, target.dtype == int64, out_features == (). Got " +
          `reduction=${repr(reduction)}, label_smoothing=${py_str(label_smoothing)}, target.dtype=${target.dtype}, ` +
          `out_features=${tuple_repr(out_features)}, tracing=False, ` +
          `linear_bias.shape=${linear_bias === null ? "None" : tuple_repr(linear_bias.shape)}.`,
      );
    }
    const columns = out_features.reduce((a, b) => a * b, num_classes);
    const flat = out_features.length > 0;
    const logits = _C._nn.linear(
      input,
      flat ? linear_weight.reshape([columns, linear_weight.size(-1)]) : linear_weight,
      flat && linear_bias !== null ? linear_bias.reshape([columns]) : linear_bias,
    );
    const scores = logits.reshape(logits_shape);
    return _C._nn.cross_entropy_loss(scores, target, weight, get_enum(reduction), ignore_index, label_smoothing);
  },
  "torch.nn.functional.linear_cross_entropy",
);
