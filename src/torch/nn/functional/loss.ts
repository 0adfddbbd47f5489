/**
 * @file Loss functions except cross entropy of classes: argument checks, warnings, and the conversion of `reduction` to a number.
 * @mirrors torch/nn/functional.py
 */
import { RuntimeError, ValueError, warn } from "#c10/util/Exception";
import { _C, having, PyObject_IsTrue, PyObject_RichCompareBool, py_format, THPUtils_checkDouble } from "#torch/_C";
import { def_overridable } from "#torch/_overridable";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { broadcast_shapes, broadcast_tensors } from "#torch/functional/index";
import { get_enum, legacy_get_enum, legacy_get_string, type Reduction } from "#torch/nn/_reduction";
import { size_repr } from "#torch/nn/_size";
import type { _float } from "#torch/types";
import { logsigmoid } from "./activation.ts";

const _VF = _C._VariableFunctions;
const _nn = _C._nn;

/** The old arguments `size_average` and `reduce`, which `reduction` replaces. */
type Legacy = boolean | null;

/** `at::Reduction` of `reduction`, or of the old arguments if they are given. */
function enum_of(size_average: Legacy, reduce: Legacy, reduction: Reduction): number {
  return size_average !== null || reduce !== null ? legacy_get_enum(size_average, reduce) : get_enum(reduction);
}
function name_of(size_average: Legacy, reduce: Legacy, reduction: Reduction): Reduction {
  return size_average !== null || reduce !== null ? legacy_get_string(size_average, reduce) : reduction;
}

function same_size(a: Tensor, b: Tensor): boolean {
  return size_repr(a) === size_repr(b);
}

/** Broadcasts both tensors to one shape; warns if the sizes differ, since this is usually a mistake. */
function broadcast(input: Tensor, target: Tensor): [Tensor, Tensor] {
  if (!same_size(target, input))
    warn(
      "UserWarning",
      `Using a target size (${size_repr(target)}) that is different to the input size (${size_repr(input)}). ` +
        "This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
    );
  return broadcast_tensors(input, target) as [Tensor, Tensor];
}

/** Multiplies the losses by `weight` and reduces them; `mean` says how a mean is taken. */
function weighted(
  losses: Tensor,
  input: Tensor,
  weight: Tensor,
  how: Reduction,
  mean: (loss: Tensor) => Tensor,
): Tensor {
  if (!same_size(weight, input)) throw new ValueError("Weights and input must have the same size.");
  const loss = losses.mul(weight);
  if (how === "none") return loss;
  if (how === "sum") return torch.sum(loss);
  if (how === "mean") return mean(loss);
  throw new ValueError(`Invalid reduction mode: ${how}. Expected one of 'none', 'mean', 'sum'.`);
}

/** Mean squared error between `input` and `target`.   `(*), (*) -> ()`, or `(*)` unreduced */
export const mse_loss = def_overridable(
  "mse_loss(input: Tensor, target: Tensor, size_average=None, reduce=None, reduction='mean', weight: Tensor=None)",
  (
    input: Tensor,
    target: Tensor,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
    weight: Tensor | null,
  ): Tensor => {
    const [x, t] = broadcast(input, target);
    const how = name_of(size_average, reduce, reduction);
    if (weight === null) return _nn.mse_loss(x, t, get_enum(how));
    return weighted(torch.pow(x.sub(t), 2), input, weight, how, (loss) => torch.sum(loss).div(torch.sum(weight)));
  },
  "torch.nn.functional.mse_loss",
);

/** Mean absolute error between `input` and `target`.   `(*), (*) -> ()`, or `(*)` unreduced */
export const l1_loss = def_overridable(
  "l1_loss(input: Tensor, target: Tensor, size_average=None, reduce=None, reduction='mean', weight=None)",
  (
    input: Tensor,
    target: Tensor,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
    weight: Tensor | null,
  ): Tensor => {
    const [x, t] = broadcast(input, target);
    const how = name_of(size_average, reduce, reduction);
    if (weight === null) return _nn.l1_loss(x, t, get_enum(how));
    return weighted(torch.abs(x.sub(t)), input, weight, how, (loss) => torch.sum(loss).div(torch.sum(weight)));
  },
  "torch.nn.functional.l1_loss",
  { relevant_args: ["input", "target", "weight"], kwargs: ["size_average", "reduce", "reduction"] }, // PyTorch drops `weight`
);

/** Mean absolute error that is quadratic where the error is smaller than `beta`.   `(*), (*) -> ()`, or `(*)` unreduced */
export const smooth_l1_loss = def_overridable(
  "smooth_l1_loss(input: Tensor, target: Tensor, size_average=None, reduce=None, reduction='mean', beta=1.0)",
  (input: Tensor, target: Tensor, size_average: Legacy, reduce: Legacy, reduction: Reduction, beta: _float): Tensor => {
    const [x, t] = broadcast(input, target);
    const how = get_enum(name_of(size_average, reduce, reduction));
    return Number(beta) === 0 ? _nn.l1_loss(x, t, how) : _nn.smooth_l1_loss(x, t, how, beta);
  },
  "torch.nn.functional.smooth_l1_loss",
);

/** Huber loss: `smooth_l1_loss` times `delta`.   `(*), (*) -> ()`, or `(*)` unreduced */
export const huber_loss = def_overridable(
  "huber_loss(input: Tensor, target: Tensor, reduction='mean', delta=1.0, weight: Tensor=None)",
  (input: Tensor, target: Tensor, reduction: Reduction, delta: _float, weight: Tensor | null): Tensor => {
    const [x, t] = broadcast(input, target);
    if (weight === null) return _nn.huber_loss(x, t, get_enum(reduction), delta);
    const unweighted = _nn.huber_loss(x, t, get_enum("none"), delta);
    return weighted(unweighted, input, weight, reduction, (loss) => loss.mean());
  },
  "torch.nn.functional.huber_loss",
);

/** Binary cross entropy between the probabilities `input` and `target`.   `(*), (*) -> ()`, or `(*)` unreduced */
export const binary_cross_entropy = def_overridable(
  "binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor=None, size_average=None, reduce=None, reduction='mean')",
  (
    input: Tensor,
    target: Tensor,
    weight: Tensor | null,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
  ): Tensor => {
    const how = enum_of(size_average, reduce, reduction);
    if (!same_size(target, input))
      throw new ValueError(
        `Using a target size (${size_repr(target)}) that is different to the input size (${size_repr(input)}) is deprecated. ` +
          "Please ensure they have the same size.",
      );
    const expanded = weight === null ? null : weight.expand(broadcast_shapes(target.size(), weight.size()));
    return _nn.binary_cross_entropy(input, target, expanded, how);
  },
  "torch.nn.functional.binary_cross_entropy",
);

/** Binary cross entropy of the sigmoid of `input`, computed in one step.   `(*), (*) -> ()`, or `(*)` unreduced */
export const binary_cross_entropy_with_logits = def_overridable(
  "binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor=None, size_average=None, reduce=None, reduction='mean', pos_weight: Tensor=None)",
  (
    input: Tensor,
    target: Tensor,
    weight: Tensor | null,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
    pos_weight: Tensor | null,
  ): Tensor => {
    const how = enum_of(size_average, reduce, reduction);
    if (!same_size(target, input))
      throw new ValueError(`Target size (${size_repr(target)}) must be the same as input size (${size_repr(input)})`);
    return _VF.binary_cross_entropy_with_logits(input, target, weight, pos_weight, how);
  },
  "torch.nn.functional.binary_cross_entropy_with_logits",
);

/** Kullback-Leibler divergence between `target` and the log-probabilities `input`.   `(*), (*) -> ()`, or `(*)` unreduced */
export const kl_div = def_overridable(
  "kl_div(input: Tensor, target: Tensor, size_average=None, reduce=None, reduction='mean', log_target=False)",
  (
    input: Tensor,
    target: Tensor,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
    log_target: boolean,
  ): Tensor => {
    let how: number;
    const batchmean = (reduction as string) === "batchmean";
    if (size_average !== null || reduce !== null) how = legacy_get_enum(size_average, reduce);
    else {
      if (reduction === "mean")
        warn(
          "UserWarning",
          "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' divides only by the " +
            "batch size, and aligns with the KL div math definition.'mean' will be changed to behave the same as 'batchmean' in " +
            "the next major release.",
        );
      how = get_enum(batchmean ? "sum" : reduction);
    }
    const reduced = _VF.kl_div(input, target, how, { log_target });
    return batchmean && input.dim() !== 0 ? reduced.div(input.size(0)) : reduced;
  },
  "torch.nn.functional.kl_div",
);

/**
 * Negative log likelihood of counts under Poisson distributions whose rate is `exp(input)`, or `input` if `log_input` is false.   `(*), (*) -> ()`
 */
export const poisson_nll_loss = def_overridable(
  "poisson_nll_loss(input: Tensor, target: Tensor, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean')",
  (
    input: Tensor,
    target: Tensor,
    log_input: boolean,
    full: boolean,
    size_average: Legacy,
    eps: _float,
    reduce: Legacy,
    reduction: Reduction,
  ): Tensor => {
    const how = name_of(size_average, reduce, reduction);
    return _VF.poisson_nll_loss(input, target, log_input, full, eps, get_enum(how));
  },
  "torch.nn.functional.poisson_nll_loss",
);

/** `log(1 + exp(-target * input))`.   `(*), (*) -> ()`, or `(*)` unreduced */
export const soft_margin_loss = def_overridable(
  "soft_margin_loss(input: Tensor, target: Tensor, size_average=None, reduce=None, reduction='mean')",
  (input: Tensor, target: Tensor, size_average: Legacy, reduce: Legacy, reduction: Reduction): Tensor =>
    _nn.soft_margin_loss(input, target, enum_of(size_average, reduce, reduction)),
  "torch.nn.functional.soft_margin_loss",
);

/** Hinge embedding loss: `input` where `target` is 1, and `max(0, margin - input)` where it is -1.   `(*), (*) -> ()` */
export const hinge_embedding_loss = def_overridable(
  "hinge_embedding_loss(input: Tensor, target: Tensor, margin=1.0, size_average=None, reduce=None, reduction='mean')",
  (input: Tensor, target: Tensor, margin: _float, size_average: Legacy, reduce: Legacy, reduction: Reduction): Tensor =>
    _VF.hinge_embedding_loss(input, target, margin, enum_of(size_average, reduce, reduction)),
  "torch.nn.functional.hinge_embedding_loss",
);

/** Margin ranking loss: `max(0, margin - target * (input1 - input2))`.   `(*), (*), (*) -> ()` */
export const margin_ranking_loss = def_overridable(
  "margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin=0, size_average=None, reduce=None, reduction='mean')",
  (
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: _float,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
  ): Tensor => {
    const how = enum_of(size_average, reduce, reduction);
    const ndim = having(input1, "dim").dim();
    if (ndim !== having(input2, "dim").dim() || ndim !== having(target, "dim").dim())
      throw new RuntimeError(
        "margin_ranking_loss : All input tensors should have same dimension but got sizes: " +
          `input1: ${size_repr(input1)}, input2: ${size_repr(input2)}, target: ${size_repr(target)} `,
      );
    return _VF.margin_ranking_loss(input1, input2, target, margin, how);
  },
  "torch.nn.functional.margin_ranking_loss",
);

/** `1 - cos` of the angle between two rows where `target` is 1; `max(0, cos - margin)` where it is -1.   `(N, D), (N, D), (N) -> ()` */
export const cosine_embedding_loss = def_overridable(
  "cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin=0, size_average=None, reduce=None, reduction='mean')",
  (
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: _float,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
  ): Tensor => _VF.cosine_embedding_loss(input1, input2, target, margin, enum_of(size_average, reduce, reduction)),
  "torch.nn.functional.cosine_embedding_loss",
);

/**
 * Multi-class margin loss: the sum over the wrong classes of `max(0, margin - score[right] + score[wrong]) ** p`, divided by the number of classes.   `(N, C), (N) -> ()`
 */
export const multi_margin_loss = def_overridable(
  "multi_margin_loss(input: Tensor, target: Tensor, p=1, margin=1.0, weight: Tensor=None, size_average=None, reduce=None, reduction='mean')",
  (
    input: Tensor,
    target: Tensor,
    p: number,
    margin: _float,
    weight: Tensor | null,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
  ): Tensor => {
    const how = enum_of(size_average, reduce, reduction);
    if (p !== 1 && p !== 2) throw new ValueError("only p == 1 and p == 2 supported");
    if (weight !== null && weight.dim() !== 1) throw new ValueError("weight must be one-dimensional");
    return _nn.multi_margin_loss(input, target, p, margin, weight, how);
  },
  "torch.nn.functional.multi_margin_loss",
);

/** `multi_margin_loss` with several right classes in each row; -1 ends the list of classes.   `(N, C), (N, C) -> ()` */
export const multilabel_margin_loss = def_overridable(
  "multilabel_margin_loss(input: Tensor, target: Tensor, size_average=None, reduce=None, reduction='mean')",
  (input: Tensor, target: Tensor, size_average: Legacy, reduce: Legacy, reduction: Reduction): Tensor =>
    _nn.multilabel_margin_loss(input, target, enum_of(size_average, reduce, reduction)),
  "torch.nn.functional.multilabel_margin_loss",
);

/** Mean over the classes of `binary_cross_entropy_with_logits`.   `(N, C), (N, C) -> ()` */
export const multilabel_soft_margin_loss = def_overridable(
  "multilabel_soft_margin_loss(input: Tensor, target: Tensor, weight: Tensor=None, size_average=None, reduce=None, reduction='mean')",
  (
    input: Tensor,
    target: Tensor,
    weight: Tensor | null,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
  ): Tensor => {
    const how = name_of(size_average, reduce, reduction);
    const right = target.mul(logsigmoid(input));
    const rest = torch.rsub(target, 1);
    const each = right.add(rest.mul(logsigmoid(having(input, "neg").neg()))).neg();
    const loss = weight === null ? each : each.mul(weight);
    const class_dim = input.dim() - 1;
    const of_row = loss.sum(class_dim).div(input.size(class_dim));
    return gathered(of_row, how);
  },
  "torch.nn.functional.multilabel_soft_margin_loss",
);

/** Applies a reduction by name, for losses without an operator of their own. */
function gathered(loss: Tensor, reduction: Reduction): Tensor {
  if (reduction === "none") return loss;
  if (reduction === "mean") return loss.mean();
  if (reduction === "sum") return loss.sum();
  throw new ValueError(`${reduction as string} is not valid`);
}

/**
 * Triplet margin loss: `max(0, d(anchor, positive) - d(anchor, negative) + margin)` for the distance `d`.   `(N, D), (N, D), (N, D) -> ()`
 */
export const triplet_margin_loss = def_overridable(
  "triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin=1.0, p=2, eps=1e-06, swap=False, size_average=None, reduce=None, reduction='mean')",
  (
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: _float,
    p: _float,
    eps: _float,
    swap: boolean,
    size_average: Legacy,
    reduce: Legacy,
    reduction: Reduction,
  ): Tensor => {
    const how = enum_of(size_average, reduce, reduction);
    check_margin(margin);
    return _VF.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, how);
  },
  "torch.nn.functional.triplet_margin_loss",
);

function check_margin(margin: _float): void {
  if (PyObject_RichCompareBool(margin, "<=", 0, "int"))
    throw new ValueError(`margin must be greater than 0, got ${py_format(margin)}`);
}

/** `triplet_margin_loss` with a distance function given by the caller. */
export const triplet_margin_with_distance_loss = def_overridable(
  "triplet_margin_with_distance_loss(anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function=None, margin=1.0, swap=False, reduction='mean')",
  (
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    distance_function: ((a: Tensor, b: Tensor) => Tensor) | null,
    margin: _float,
    swap: boolean,
    reduction: Reduction,
  ): Tensor => {
    get_enum(reduction);
    check_margin(margin);
    const [a_dim, p_dim, n_dim] = [anchor, positive, negative].map((t) => having(t, "dim").dim());
    if (a_dim !== p_dim || p_dim !== n_dim)
      throw new RuntimeError(
        "The anchor, positive, and negative tensors are expected to have the same number of dimensions, " +
          `but got: anchor ${a_dim}D, positive ${p_dim}D, and negative ${n_dim}D inputs`,
      );
    const distance = distance_function ?? _VF.pairwise_distance;
    const dist_pos = distance(anchor, positive);
    let dist_neg = distance(anchor, negative);
    if (PyObject_IsTrue(swap)) dist_neg = torch.minimum(dist_neg, distance(positive, negative));
    const loss = torch.clamp_min(dist_pos.add(margin).sub(dist_neg), 0);
    return gathered(loss, reduction);
  },
  "torch.nn.functional.triplet_margin_with_distance_loss",
);

/** Negative log likelihood under normal distributions with mean `input` and variance `var`.   `(*), (*), (*) -> ()`, or `(*)` unreduced */
export const gaussian_nll_loss = def_overridable(
  "gaussian_nll_loss(input: Tensor, target: Tensor, var: Tensor, full=False, eps=1e-06, reduction='mean')",
  (input: Tensor, target: Tensor, given: Tensor | number, full: boolean, eps: _float, reduction: Reduction): Tensor => {
    const variance = variances(input, given).clone();
    if (reduction !== "none" && reduction !== "mean" && reduction !== "sum")
      throw new ValueError(`${reduction as string} is not valid`);
    torch.no_grad(() => variance.clamp_({ min: eps }));
    const loss = torch.log(variance).add(input.sub(target).pow(2).div(variance)).mul(0.5);
    if (PyObject_IsTrue(full)) loss.add_(0.5 * Math.log(2 * Math.PI));
    return gathered(loss, reduction);
  },
  "torch.nn.functional.gaussian_nll_loss",
);

/**
 * The variances in a shape that broadcasts to `input`: one for each element, or one for each row (the last dim is missing or of size 1).
 */
function variances(input: Tensor, given: Tensor | number): Tensor {
  const negative = (yes: boolean): void => {
    if (yes) throw new ValueError("var has negative entry/entries");
  };
  if (THPUtils_checkDouble(given)) {
    negative(Number(given) < 0);
    return torch.ones_like(input).mul(given);
  }
  const t = given as Tensor;
  negative(PyObject_IsTrue(torch.any(having(t, "lt").lt(0))));
  const [want, have] = [having(input, "size").size(), t.size()];
  if (`${have}` === `${want}`) return t;
  if (`${have}` === `${want.slice(0, -1)}`) return torch.unsqueeze(t, -1);
  // Python adds up the sizes of `var` that differ; the sum is 1 if a single dim differs and has size 1.
  const differing = have.reduce((sum: number, n: number, d: number) => (n === want[d] ? sum : sum + n), 0);
  if (have.length === want.length && differing === 1) return t;
  throw new ValueError("var is of incorrect size");
}
