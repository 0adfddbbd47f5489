/**
 * @file Negative log likelihood loss, and cross entropy, which is log_softmax followed by it.
 * @mirrors aten/src/ATen/native/LossNLL.cpp
 */

import { printDouble } from "#aten/core/ivalue";
import { Reduction } from "#aten/core/Reduction";
import { sizes_equal } from "#aten/ExpandUtils";
import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { MetaBase } from "#aten/TensorMeta";
import { check_type, defined } from "#aten/TensorMethods";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import { Scalar } from "#c10/core/Scalar";
import { isFloatingType, ScalarType, toString } from "#c10/core/ScalarType";
import { same_int } from "#c10/core/SymInt";
import { TORCH_CHECK, TORCH_CHECK_VALUE } from "#c10/util/Exception";
import { DEFINE_DISPATCH } from "./DispatchStub.ts";

/** Writes `output` and `total_weight`. Without reduction, there is one loss per row. */
export const nll_loss_out_frame =
  DEFINE_DISPATCH<
    (
      output: Tensor,
      total_weight: Tensor,
      input: Tensor,
      target: Tensor,
      weight: Tensor | null,
      reduction: number,
      ignore_index: number,
    ) => void
  >("nll_loss_out_frame");
/** Adds to a zeroed `grad_input`. */
export const nll_loss_backward_out_frame =
  DEFINE_DISPATCH<
    (
      grad_input: Tensor,
      grad_output: Tensor,
      input: Tensor,
      target: Tensor,
      weight: Tensor | null,
      reduction: number,
      ignore_index: number,
      total_weight: Tensor,
    ) => void
  >("nll_loss_backward_out_frame");

/** `input` (N, C) or (C), `target` (N) or (). */
function check_dimensions(self: Tensor, target: Tensor): void {
  TORCH_CHECK(self.dim() > 0 && self.dim() <= 2, "input tensor should be 1D or 2D");
  TORCH_CHECK(target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported");
}

function check_batch(self: Tensor, target: Tensor, no_batch_dim: boolean): void {
  TORCH_CHECK(
    no_batch_dim || self.size(0) === target.size(0),
    "size mismatch (got input: ",
    self.sizes(),
    ", target: ",
    target.sizes(),
    ")",
  );
}

function check_weight(self: Tensor, weight: Tensor | null): void {
  const n_classes = self.size(-1);
  TORCH_CHECK(
    weight === null || (weight.dim() === 1 && weight.numel() === n_classes),
    "weight tensor should be defined either for all ",
    n_classes,
    " classes or no classes but got weight tensor of shape: ",
    weight === null ? "" : weight.sizes(),
  );
}

function check_target_dtype(target: Tensor): void {
  const dtype = target.scalar_type();
  TORCH_CHECK(
    dtype === ScalarType.Long || dtype === ScalarType.Byte,
    "expected target dtype to be Long or Byte, but got ",
    toString(dtype),
  );
}

export abstract class structured_nll_loss_forward extends MetaBase {
  meta(self: Tensor, target: Tensor, weight: Tensor | null, reduction: number, _ignore_index: number): void {
    check_dimensions(self, target);
    check_target_dtype(target);
    TORCH_CHECK_VALUE(
      self.dim() !== 1 || target.numel() === 1,
      "For 1D input, 1D target must have size 1, but got target size: ",
      target.numel(),
    );
    check_batch(self, target, self.dim() === 1);
    check_weight(self, defined(weight));
    const per_row = reduction === Reduction.None && self.dim() === 2;
    this.set_output_raw_strided(0, per_row ? [self.size(0)] : [], [], self.options());
    this.set_output_raw_strided(1, [], [], self.options());
  }
}

// nll_loss_forward.output                                                           CPU
export abstract class structured_nll_loss_forward_out_cpu extends structured_nll_loss_forward {
  impl(
    self: Tensor,
    target: Tensor,
    weight_opt: Tensor | null,
    reduction: number,
    ignore_index: number,
    output: Tensor,
    total_weight: Tensor,
  ): void {
    nll_loss_out_frame.call(
      self.device_type(),
      output,
      total_weight,
      self,
      target,
      defined(weight_opt),
      reduction,
      ignore_index,
    );
  }
}

export abstract class structured_nll_loss_backward extends MetaBase {
  meta(
    grad_output: Tensor,
    self: Tensor,
    target: Tensor,
    weight: Tensor | null,
    reduction: number,
    _ignore_index: number,
    total_weight: Tensor,
  ): void {
    check_dimensions(self, target);
    check_batch(self, target, self.dim() === 1 && target.dim() === 0);
    TORCH_CHECK(
      total_weight.numel() === 1,
      "expected total_weight to be a  single element tensor, got: ",
      total_weight.sizes(),
      " (",
      total_weight.numel(),
      " elements)",
    );
    const given = defined(weight);
    TORCH_CHECK(
      given === null || given.numel() === self.size(-1),
      "weight tensor should be defined either for all or no classes",
    );
    if (reduction === Reduction.None && self.dim() === 2) {
      const n = self.size(0);
      TORCH_CHECK(
        grad_output.dim() === 1 && grad_output.size(0) === n,
        `Expected a tensor of dimension 1 and tensor.size[0] == ${n} but got: dimension ${grad_output.dim()}`,
        ` and tensor.size[0] = ${grad_output.dim() === 0 ? 1 : grad_output.size(0)}`,
      );
    } else {
      TORCH_CHECK(
        grad_output.dim() <= 1 && grad_output.numel() === 1,
        "Expected a single element grad_output tensor, but got: ",
        grad_output.sizes(),
      );
    }
    this.set_output_raw_strided(0, self.sizes(), [], self.options().memory_format(MemoryFormat.Contiguous));
  }
}

// nll_loss_backward.grad_input                                                      CPU
export abstract class structured_nll_loss_backward_out_cpu extends structured_nll_loss_backward {
  impl(
    grad_output: Tensor,
    self: Tensor,
    target: Tensor,
    weight_opt: Tensor | null,
    reduction: number,
    ignore_index: number,
    total_weight: Tensor,
    grad_input: Tensor,
  ): void {
    const weight = defined(weight_opt);
    grad_input.zero_();
    const rows = self.dim() === 1 ? grad_input.unsqueeze(0) : grad_input;
    if (weight !== null) check_type(weight, self.scalar_type());
    const contiguous = rows.is_contiguous() ? rows : at.zeros(rows.sizes(), self.options());
    nll_loss_backward_out_frame.call(
      self.device_type(),
      contiguous,
      grad_output,
      self,
      target.contiguous(),
      weight === null ? null : weight.contiguous(),
      reduction,
      ignore_index,
      total_weight,
    );
    if (contiguous !== rows) rows.copy_(contiguous);
  }
}

// nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=Mean, SymInt ignore_index=-100) -> Tensor
//                                                                                   CompositeImplicitAutograd
export function nll_loss_symint(
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
): Tensor {
  return at.nll_loss_forward(self, target, weight, reduction, ignore_index)[0];
}

export function nll_loss_out(
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
  output: Tensor,
): Tensor {
  const total_weight = at.empty_memory_format([0], self.options());
  return at.nll_loss_forward_output(self, target, weight, reduction, ignore_index, output, total_weight)[0];
}

// nll_loss_nd                                                                       CompositeImplicitAutograd
export function nll_loss_nd_symint(
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
): Tensor {
  // (N, C, d1, ...) or (C); (N, d1, ...) or ()
  TORCH_CHECK_VALUE(self.dim() >= 1, "Expected 1 or more dimensions (got ", self.dim(), ")");
  if (self.dim() !== 1) {
    const n = target.dim() === 0 ? 0 : target.sym_size(0);
    TORCH_CHECK_VALUE(
      target.dim() !== 0 && same_int(self.sym_size(0), n),
      "Expected input batch_size (",
      self.sym_size(0),
      ") to match target batch_size (",
      n,
      ").",
    );
  }
  if (self.dim() <= 2) return at.nll_loss(self, target, weight, reduction, ignore_index);
  if (self.dim() === 4) return at.nll_loss2d(self, target, weight, reduction, ignore_index);
  // Any other number of dims is laid out as an image with one line.
  const [n, c, ...positions] = self.sizes() as [number, number, ...number[]];
  const out_size = [n, ...positions];
  TORCH_CHECK(
    sizes_equal(target.sizes().slice(1), positions),
    "Expected target size ",
    out_size,
    ", got ",
    target.sizes(),
  );
  const input = self.contiguous();
  const target_ = target.contiguous();
  const image = input.numel() > 0 ? [1, -1] : [0, 0]; // -1 cannot be inferred without elements
  const ret = at.nll_loss2d(input.view([n, c, ...image]), target_.view([n, ...image]), weight, reduction, ignore_index);
  return reduction === Reduction.None ? ret.view(out_size) : ret;
}

// Cross entropy -------------------------------------------------------------------------------------------------------------

/** `weight` (C) as (1, C, 1, ...), to broadcast against an input with `ndim` dims. */
function broadcastWeight(weight: Tensor, ndim: number): Tensor {
  if (ndim <= 1) return weight;
  const shape = new Array<number>(ndim).fill(1);
  shape[1] = weight.size(0);
  return weight.view(shape);
}

function invalidReduction(reduction: number): never {
  TORCH_CHECK(false, "Invalid reduction type encountered in cross_entropy: ", reduction);
  throw undefined;
}

/** Cross entropy with targets that are class probabilities, in the input's shape. */
function cross_entropy_loss_prob_target(
  self: Tensor,
  target_: Tensor,
  weight: Tensor | null,
  reduction: number,
  label_smoothing: number,
): Tensor {
  const class_dim = self.dim() === 1 ? 0 : 1;
  const n_classes = self.size(class_dim);
  TORCH_CHECK(
    weight === null || (weight.dim() === 1 && weight.numel() === n_classes),
    "cross_entropy: weight tensor should be defined either for all ",
    n_classes,
    " classes or no classes but got weight tensor of shape: ",
    weight === null ? "" : weight.sizes(),
  );
  const input = at.log_softmax_int(self, class_dim, self.scalar_type());
  let target = target_;
  if (label_smoothing > 0) {
    check_label_smoothing(label_smoothing);
    target = target_
      .mul_Scalar(Scalar.fromDouble(1 - label_smoothing))
      .add_Scalar(Scalar.fromDouble(label_smoothing / n_classes));
  }
  const weight_ = weight === null ? null : broadcastWeight(weight, input.dim());
  const product = input.mul_Tensor(target);
  const weighted = weight_ === null ? product : product.mul_Tensor(weight_);
  switch (reduction) {
    case Reduction.Mean:
      // Without rows, the mean is NaN for any number of classes.
      if (input.numel() === 0) return weighted.sum().fill__Scalar(Scalar.fromDouble(Number.NaN)).neg();
      return weighted
        .sum()
        .neg()
        .div_Scalar(Scalar.fromInt(input.numel() / n_classes));
    case Reduction.Sum:
      return weighted.sum().neg();
    case Reduction.None:
      return weighted.sum_dim_IntList([class_dim]).neg();
    default:
      return invalidReduction(reduction);
  }
}

function check_label_smoothing(label_smoothing: number): void {
  TORCH_CHECK(label_smoothing <= 1, "label_smoothing must be between 0.0 and 1.0. Got: ", printDouble(label_smoothing));
}

/** (1 - s) * nll + s * the mean over all classes. */
function cross_entropy_loss_label_smoothing(
  self: Tensor,
  target: Tensor,
  weight: Tensor | null,
  reduction: number,
  ignore_index: number,
  label_smoothing: number,
): Tensor {
  const class_dim = self.dim() === 1 ? 0 : 1;
  const input = at.log_softmax_int(self, class_dim, self.scalar_type());
  const nllloss = at.nll_loss_nd(input, target, weight ?? new Tensor(), reduction, ignore_index);
  const n_classes = input.size(class_dim);
  const weighted = weight === null ? input : input.mul_Tensor(broadcastWeight(weight, input.dim()));
  const smooth_loss = weighted.sum_dim_IntList([class_dim]).neg();
  const ignore_mask = target.eq_Scalar(Scalar.fromInt(ignore_index));
  smooth_loss.masked_fill__Scalar(ignore_mask, Scalar.fromDouble(0));
  let ret: Tensor;
  switch (reduction) {
    case Reduction.Mean: {
      // Like nll_loss, normalized by the positions that are not ignored, or by their weights.
      const kept = ignore_mask.bitwise_not();
      const divisor =
        weight === null ? kept.sum() : weight.gather(0, target.masked_select(kept).flatten_using_ints()).sum();
      ret = smooth_loss.sum().div_Tensor(divisor);
      break;
    }
    case Reduction.Sum:
      ret = smooth_loss.sum();
      break;
    case Reduction.None:
      ret = smooth_loss;
      break;
    default:
      return invalidReduction(reduction);
  }
  const smoothed = ret.mul_Scalar(Scalar.fromDouble(label_smoothing / n_classes));
  return nllloss.mul_Scalar(Scalar.fromDouble(1 - label_smoothing)).add_Tensor(smoothed);
}

// cross_entropy_loss                                                                CompositeImplicitAutograd
export function cross_entropy_loss_symint(
  self: Tensor,
  target: Tensor,
  weight_opt: Tensor | null,
  reduction: number,
  ignore_index: number,
  label_smoothing: number,
): Tensor {
  const weight = defined(weight_opt);
  if (sizes_equal(self.sizes(), target.sizes())) {
    TORCH_CHECK(
      isFloatingType(target.scalar_type()),
      "Expected floating point type for target with class probabilities, got ",
      toString(target.scalar_type()),
    );
    TORCH_CHECK(ignore_index < 0, "ignore_index is not supported for floating point target");
    return cross_entropy_loss_prob_target(self, target, weight, reduction, label_smoothing);
  }
  if (label_smoothing > 0) {
    check_label_smoothing(label_smoothing);
    return cross_entropy_loss_label_smoothing(self, target, weight, reduction, ignore_index, label_smoothing);
  }
  const class_dim = self.dim() === 1 ? 0 : 1;
  const input = at.log_softmax_int(self, class_dim, self.scalar_type());
  return at.nll_loss_nd(input, target, weight, reduction, ignore_index);
}
