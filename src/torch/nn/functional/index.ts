/**
 * @file The functions of `torch.nn.functional`: linear maps, activations, normalizations, embeddings and cross entropy.
 * @mirrors torch/nn/functional.py
 */
import { same_int, sym_product, symbols_of } from "#c10/core/SymInt";
import { AssertionError, RuntimeError, ValueError, warn } from "#c10/util/Exception";
import { _C, having, PyObject_IsTrue, PyObject_RichCompareBool, py_format, THPUtils_unpackLong } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import { def } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { cudnn } from "#torch/backends/cudnn/index";
import { get_enum, legacy_get_string, type Reduction } from "#torch/nn/_reduction";
import { size_of, size_repr } from "#torch/nn/_size";
import { factor } from "#torch/nn/modules/utils";
import type { _float, dtype, Number as PythonNumber } from "#torch/types";
import { _no_grad_embedding_renorm_ } from "./embedding.ts";

export {
  celu,
  celu_,
  elu,
  elu_,
  glu,
  hardshrink,
  hardsigmoid,
  hardswish,
  hardtanh,
  hardtanh_,
  logsigmoid,
  mish,
  relu6,
  rrelu,
  rrelu_,
  selu,
  selu_,
  softplus,
  softshrink,
  softsign,
  tanhshrink,
} from "./activation.ts";
export { multi_head_attention_forward, scaled_dot_product_attention } from "./attention.ts";
export {
  conv_transpose1d,
  conv_transpose2d,
  conv_transpose3d,
  conv1d,
  conv2d,
  conv3d,
} from "./convolution.ts";
export { ctc_loss } from "./ctc.ts";
export { embedding_bag } from "./embedding.ts";
export { affine_grid, grid_sample } from "./grid.ts";
export { linear_cross_entropy } from "./linear_cross_entropy.ts";
export {
  binary_cross_entropy,
  binary_cross_entropy_with_logits,
  cosine_embedding_loss,
  gaussian_nll_loss,
  hinge_embedding_loss,
  huber_loss,
  kl_div,
  l1_loss,
  margin_ranking_loss,
  mse_loss,
  multi_margin_loss,
  multilabel_margin_loss,
  multilabel_soft_margin_loss,
  poisson_nll_loss,
  smooth_l1_loss,
  soft_margin_loss,
  triplet_margin_loss,
  triplet_margin_with_distance_loss,
} from "./loss.ts";
export { conv_tbc, gumbel_softmax, local_response_norm } from "./normalization.ts";
export { pad } from "./padding.ts";
export {
  adaptive_avg_pool1d,
  adaptive_avg_pool2d,
  adaptive_avg_pool3d,
  avg_pool1d,
  avg_pool2d,
  max_pool1d,
  max_pool1d_with_indices,
  max_pool2d,
  max_pool2d_with_indices,
} from "./pooling.ts";
export { avg_pool3d, lp_pool1d, lp_pool2d, lp_pool3d } from "./pooling_lp.ts";
export {
  adaptive_max_pool1d,
  adaptive_max_pool1d_with_indices,
  adaptive_max_pool2d,
  adaptive_max_pool2d_with_indices,
  adaptive_max_pool3d,
  adaptive_max_pool3d_with_indices,
  fractional_max_pool2d,
  fractional_max_pool2d_with_indices,
  fractional_max_pool3d,
  fractional_max_pool3d_with_indices,
  max_pool3d,
  max_pool3d_with_indices,
  max_unpool1d,
  max_unpool2d,
  max_unpool3d,
} from "./pooling_max.ts";
export { interpolate, upsample, upsample_bilinear, upsample_nearest } from "./upsampling.ts";
export {
  channel_shuffle,
  fold,
  native_channel_shuffle,
  pixel_shuffle,
  pixel_unshuffle,
  unfold,
} from "./vision.ts";

const _VF = _C._VariableFunctions;

export {
  alpha_dropout,
  dropout,
  dropout1d,
  dropout2d,
  dropout3d,
  feature_alpha_dropout,
} from "./dropout.ts";

/** `input @ weight.T + bias`.   `(*, in), (out, in), (out) -> (*, out)` */
export const linear = _C._nn.linear;

/** `input1 @ weight[k] @ input2 + bias[k]` for each output `k`.   `(*, in1), (*, in2), (out, in1, in2), (out) -> (*, out)` */
export const bilinear = _VF.bilinear;

/** `torch.pairwise_distance` under its name in `F`. */
export const pairwise_distance = _VF.pairwise_distance;

/** `torch.cosine_similarity` under its name in `F`. */
export const cosine_similarity = _VF.cosine_similarity;

/** `torch.pdist` under its name in `F`. */
export const pdist = _VF.pdist;

/** `torch.prelu` under its name in `F`. */
export const prelu = _VF.prelu;

/** `relu`, in place. */
export const relu_ = _VF.relu_;

/** `max(0, input)`. */
export const relu = def_overridable(
  "relu(input: Tensor, inplace=False)",
  (input: Tensor, inplace: boolean): Tensor => (PyObject_IsTrue(inplace) ? _VF.relu_(input) : _VF.relu(input)),
  "torch.nn.functional.relu",
);

/** `input` if it is positive, else `input * negative_slope`. */
export const leaky_relu = def_overridable(
  "leaky_relu(input: Tensor, negative_slope=0.01, inplace=False)",
  (input: Tensor, negative_slope: PythonNumber, inplace: boolean): Tensor =>
    PyObject_IsTrue(inplace) ? _C._nn.leaky_relu_(input, negative_slope) : _C._nn.leaky_relu(input, negative_slope),
  "torch.nn.functional.leaky_relu",
);

/** `leaky_relu`, in place. */
export const leaky_relu_ = _C._nn.leaky_relu_;

/** `input` times the probability that a standard normal variable is below it; `approximate="tanh"` computes an approximation. */
export const gelu = _C._nn.gelu;

/** `input * sigmoid(input)`. */
export const silu = def_overridable(
  "silu(input: Tensor, inplace=False)",
  (input: Tensor, inplace: boolean): Tensor => (PyObject_IsTrue(inplace) ? _C._nn.silu_(input) : _C._nn.silu(input)),
  "torch.nn.functional.silu",
);

/** The default dimension of `softmax` and its relatives, which is deprecated; it warns. */
function _get_softmax_dim(name: string, ndim: number, stacklevel: number): number {
  THPUtils_unpackLong(stacklevel); // the warning names the caller at this level of the stack
  warn(
    "UserWarning",
    `Implicit dimension choice for ${name} has been deprecated. Change the call to include dim=X as an argument.`,
  );
  return ndim === 0 || ndim === 1 || ndim === 3 ? 0 : 1;
}

/** Exponentials along `dim`, divided by their sum. */
export const softmax = def_overridable(
  "softmax(input: Tensor, dim=None, _stacklevel=3, dtype=None)",
  (input: Tensor, dim: number | null, _stacklevel: number, dtype: dtype | null): Tensor => {
    const dim_ = dim ?? _get_softmax_dim("softmax", having(input, "dim").dim(), _stacklevel);
    if (dtype === null) return having(input, "softmax").softmax(dim_);
    return having(input, "softmax").softmax(dim_, { dtype });
  },
  "torch.nn.functional.softmax",
);

/** The logarithm of `softmax`, computed in one step. */
export const log_softmax = def_overridable(
  "log_softmax(input: Tensor, dim=None, _stacklevel=3, dtype=None)",
  (input: Tensor, dim: number | null, _stacklevel: number, dtype: dtype | null): Tensor => {
    const dim_ = dim ?? _get_softmax_dim("log_softmax", having(input, "dim").dim(), _stacklevel);
    if (dtype === null) return having(input, "log_softmax").log_softmax(dim_);
    return having(input, "log_softmax").log_softmax(dim_, { dtype });
  },
  "torch.nn.functional.log_softmax",
);

/** `softmax` of `-input`. */
export const softmin = def_overridable(
  "softmin(input: Tensor, dim=None, _stacklevel=3, dtype=None)",
  (input: Tensor, dim: number | null, _stacklevel: number, dtype: dtype | null): Tensor => {
    const dim_ = dim ?? _get_softmax_dim("softmin", having(input, "dim").dim(), _stacklevel);
    if (dtype === null) return having(input, "neg").neg().softmax(dim_);
    return having(input, "neg").neg().softmax(dim_, { dtype });
  },
  "torch.nn.functional.softmin",
);

/** `1 / (1 + exp(-input))`. */
export const sigmoid = def("sigmoid(input)", (input: Tensor): Tensor => having(input, "sigmoid").sigmoid());

/** The hyperbolic tangent. */
export const tanh = def("tanh(input)", (input: Tensor): Tensor => having(input, "tanh").tanh());

/** `threshold`, in place. */
export const threshold_ = _VF.threshold_;

/** `input` if `input > threshold`, else `value`. */
export const threshold = def_overridable(
  "_threshold(input: Tensor, threshold, value, inplace=False)",
  (input: Tensor, threshold_: PythonNumber, value: PythonNumber, inplace: boolean): Tensor =>
    PyObject_IsTrue(inplace) ? _VF.threshold_(input, threshold_, value) : _VF.threshold(input, threshold_, value),
);

/**
 * Cross entropy between unnormalized scores and class indices (or probabilities).   `(N, C, ...), (N, ...) -> ()`
 * @param target int64 classes of shape `(N, ...)`, or probabilities of `input`'s shape.
 */
export const cross_entropy = def_overridable(
  "cross_entropy(input: Tensor, target: Tensor, weight: Tensor=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean', label_smoothing=0.0)",
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
    const legacy = size_average !== null || reduce !== null;
    const how = legacy ? legacy_get_string(size_average, reduce) : reduction;
    return _C._nn.cross_entropy_loss(input, target, weight, get_enum(how), ignore_index, label_smoothing);
  },
  "torch.nn.functional.cross_entropy",
);

/** Negative log likelihood loss for log-probabilities and class indices. */
export const nll_loss = def_overridable(
  "nll_loss(input: Tensor, target: Tensor, weight: Tensor=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean')",
  (
    input: Tensor,
    target: Tensor,
    weight: Tensor | null,
    size_average: boolean | null,
    ignore_index: number,
    reduce: boolean | null,
    reduction: Reduction,
  ): Tensor => {
    const legacy = size_average !== null || reduce !== null;
    const how = legacy ? legacy_get_string(size_average, reduce) : reduction;
    return _C._nn.nll_loss_nd(input, target, weight, get_enum(how), ignore_index);
  },
  "torch.nn.functional.nll_loss",
);

/** Refuses a batch with one value per channel, which has no variance. `written`: the size as Python prints it. */
function _verify_batch_size(size: readonly number[], written: () => string): void {
  const values = sym_product([...symbols_of(size).slice(2), symbols_of(size)[0]] as number[]);
  if (same_int(values, 1))
    throw new ValueError(`Expected more than 1 value per channel when training, got input size ${written()}`);
}

/**
 * Batch normalization: each channel minus its mean, divided by its standard deviation, then `* weight + bias`.   `(N, C, *) -> (N, C, *)`
 */
export const batch_norm = def_overridable(
  "batch_norm(input: Tensor, running_mean: Tensor, running_var: Tensor, weight: Tensor=None, bias: Tensor=None, training=False, momentum=0.1, eps=1e-05)",
  (
    input: Tensor,
    running_mean: Tensor | null,
    running_var: Tensor | null,
    weight: Tensor | null,
    bias: Tensor | null,
    training: boolean,
    momentum: _float,
    eps: _float,
  ): Tensor => {
    const train = PyObject_IsTrue(training);
    if (train) _verify_batch_size(size_of(input), () => size_repr(input));
    if (train && PyObject_RichCompareBool(eps, "<=", 0, "float"))
      throw new ValueError(`batch_norm eps must be positive during training, but got ${py_format(eps)}`);
    if (PyObject_RichCompareBool(eps, "<", 0, "float"))
      throw new ValueError(`batch_norm eps must be non-negative, but got ${py_format(eps)}`);
    return _VF.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn.enabled);
  },
  "torch.nn.functional.batch_norm",
);

/**
 * Instance normalization: each channel of each instance is normalized separately; the statistics are taken over the spatial dims.   `(N, C, *) -> (N, C, *)`
 */
export const instance_norm = def_overridable(
  "instance_norm(input: Tensor, running_mean: Tensor=None, running_var: Tensor=None, weight: Tensor=None, bias: Tensor=None, use_input_stats=True, momentum=0.1, eps=1e-05)",
  (
    input: Tensor,
    running_mean: Tensor | null,
    running_var: Tensor | null,
    weight: Tensor | null,
    bias: Tensor | null,
    use_input_stats: boolean,
    momentum: _float,
    eps: _float,
  ): Tensor => {
    if (PyObject_IsTrue(use_input_stats)) {
      const size = size_of(input);
      if (size.slice(2).reduce((product: number, n: number) => product * n, 1) === 1)
        throw new ValueError(`Expected more than 1 spatial element when training, got input size ${size_repr(input)}`);
    }
    return _VF.instance_norm(
      input,
      weight,
      bias,
      running_mean,
      running_var,
      use_input_stats,
      momentum,
      eps,
      cudnn.enabled,
    );
  },
  "torch.nn.functional.instance_norm",
);

/** Layer normalization: the last dims together, minus their mean, divided by their standard deviation, then `* weight + bias`. */
export const layer_norm = def_overridable(
  "layer_norm(input: Tensor, normalized_shape, weight: Tensor=None, bias: Tensor=None, eps=1e-05)",
  (input: Tensor, normalized_shape: number[], weight: Tensor | null, bias: Tensor | null, eps: _float): Tensor =>
    _VF.layer_norm(input, normalized_shape, weight, bias, eps, cudnn.enabled),
  "torch.nn.functional.layer_norm",
);

/** Root mean square normalization: the last dims together, divided by their root mean square, then `* weight`. */
export const rms_norm = def_overridable(
  "rms_norm(input: Tensor, normalized_shape, weight: Tensor=None, eps=None)",
  (input: Tensor, normalized_shape: number[], weight: Tensor | null, eps: _float | null): Tensor =>
    _VF.rms_norm(input, normalized_shape, weight, eps),
  "torch.nn.functional.rms_norm",
);

/** Group normalization: each of `num_groups` groups of channels is normalized separately.   `(N, C, *) -> (N, C, *)` */
export const group_norm = def_overridable(
  "group_norm(input: Tensor, num_groups, weight: Tensor=None, bias: Tensor=None, eps=1e-05)",
  (input: Tensor, num_groups: number, weight: Tensor | null, bias: Tensor | null, eps: _float): Tensor => {
    const size = [...symbols_of(having(input, "size").size())] as number[];
    if (size.length < 2)
      throw new RuntimeError(`Expected at least 2 dimensions for input tensor but received ${size.length}`);
    // A symbol stands for a size of at least 2.
    if (size.every((n) => typeof n === "number")) {
      const values = [Math.floor((size[0] * size[1]) / factor(num_groups)), num_groups, ...size.slice(2)];
      _verify_batch_size(values, () => `[${values.join(", ")}]`);
    }
    return _VF.group_norm(input, num_groups, weight, bias, eps, cudnn.enabled);
  },
  "torch.nn.functional.group_norm",
);

/** One-hot vectors: for each class index a row of zeros with a 1 at this index.   `(*) -> (*, num_classes)` */
export const one_hot = _C._nn.one_hot;

/** `padding_idx` counted from the first row; a negative index counts from the last one. */
export function normalized_padding_idx(padding_idx: number, num_embeddings: number): number {
  const positive = PyObject_RichCompareBool(padding_idx, ">", 0, "int");
  const negative = !positive && PyObject_RichCompareBool(padding_idx, "<", 0, "int");
  const beyond = positive ? padding_idx >= num_embeddings : negative && padding_idx < -num_embeddings;
  if (beyond) throw new AssertionError("Padding_idx must be within num_embeddings");
  return negative ? padding_idx + num_embeddings : padding_idx;
}

/** The rows of `weight` at the given indices.   `(*), (V, D) -> (*, D)` */
export const embedding = def_overridable(
  "embedding(input: Tensor, weight: Tensor, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False)",
  (
    input: Tensor,
    weight: Tensor,
    padding_idx: number | null,
    max_norm: _float | null,
    norm_type: _float,
    scale_grad_by_freq: boolean,
    sparse: boolean,
  ): Tensor => {
    const padding = padding_idx === null ? -1 : normalized_padding_idx(padding_idx, having(weight, "size").size(0));
    if (max_norm === null) return _VF.embedding(weight, input, padding, scale_grad_by_freq, sparse);
    const contiguous = having(input, "contiguous").contiguous();
    _no_grad_embedding_renorm_(weight, contiguous, max_norm, norm_type);
    return _VF.embedding(weight, contiguous, padding, scale_grad_by_freq, sparse);
  },
  "torch.nn.functional.embedding",
);

/** The vectors along `dim`, each divided by its `p`-norm, or by `eps` if the norm is smaller. */
export const normalize = def_overridable(
  "normalize(input: Tensor, p=2.0, dim=1, eps=1e-12, out: Tensor=None)",
  (input: Tensor, p: _float, dim: number | readonly number[], eps: _float, out: Tensor | null): Tensor => {
    const norm = having(input, "norm").norm(p, dim, { keepdim: true });
    if (out === null) return _VF.div(input, norm.clamp_min(eps).expand_as(input));
    return _VF.div(input, norm.clamp_min_(eps).expand_as(input), { out });
  },
  "torch.nn.functional.normalize",
);
