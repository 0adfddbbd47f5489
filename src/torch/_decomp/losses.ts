/**
 * @file Decompositions of losses and of their backward operators.
 * @mirrors torch/_decomp/decompositions.py
 * @differs Ours serves Meta tensors only, where no value is computed: a formula that changes neither shape nor dtype is omitted; PyTorch's
 * decompositions compute values.
 */
import { ValueError } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import {
  check,
  check_same_device,
  ELEMENTWISE_TYPE_PROMOTION_KIND as KIND,
  type NumberType,
  size_at,
  size_repr,
} from "../_prims_common/index.ts";
import {
  _maybe_resize_out,
  _safe_copy_out,
  elementwise_type_promotion_wrapper,
  type Keywords,
  out_wrapper,
  type Reference,
} from "../_prims_common/wrappers.ts";
import { torch } from "../_torch.ts";
import { pw_cast_for_opmath } from "./decompositions.ts";
import { register_decomposition } from "./index.ts";

/** The reductions of a loss. */
const Reduction = { NONE: 0, MEAN: 1, SUM: 2 } as const;

function apply_loss_reduction(loss: Tensor, reduction: number): Tensor {
  if (reduction === Reduction.MEAN) return torch.mean(loss);
  if (reduction === Reduction.SUM) return torch.sum(loss);
  return loss;
}

// element-wise losses -----------------------------------------------------------------------------------------------------

for (const name of ["mse_loss", "smooth_l1_loss", "soft_margin_loss"])
  register_decomposition(
    `${name} ${name}.out`,
    out_wrapper(
      pw_cast_for_opmath((self: Tensor, target: Tensor, reduction: number) => {
        const loss =
          name === "soft_margin_loss" ? torch.exp(torch.mul(torch.neg(self), target)) : torch.sub(self, target);
        return apply_loss_reduction(torch.mul(loss, torch.Float(1)), reduction);
      }),
    ),
  );

const gradient = pw_cast_for_opmath((grad_output: Tensor, self: Tensor, target: Tensor) =>
  torch.mul(torch.mul(torch.sub(self, target), torch.Float(1)), grad_output),
);
register_decomposition("mse_loss_backward mse_loss_backward.grad_input", out_wrapper(gradient));
register_decomposition(
  "soft_margin_loss_backward soft_margin_loss_backward.grad_input",
  out_wrapper(
    pw_cast_for_opmath((grad_output: Tensor, self: Tensor, target: Tensor) =>
      torch.mul(torch.mul(target, grad_output), torch.sigmoid(torch.mul(target, self))),
    ),
  ),
);
for (const [name, out] of [
  ["smooth_l1_loss_backward", "grad_input"],
  ["huber_loss_backward", "out"],
]) {
  register_decomposition(name, gradient);
  register_decomposition(`${name}.${out}`, (...args: [...unknown[], Keywords & { out: Tensor }]) => {
    const { out: grad_input } = args.at(-1) as { out: Tensor };
    const result = gradient(...args) as Tensor;
    return _safe_copy_out(result, _maybe_resize_out(grad_input, result.shape), true);
  });
}

/** @mirrors torch/_refs/nn/functional/__init__.py#huber_loss */
register_decomposition(
  "huber_loss huber_loss.out",
  out_wrapper(
    elementwise_type_promotion_wrapper([0, 1], KIND.DEFAULT, (...args: [Tensor, Tensor, number, NumberType]) => {
      const [input, target, reduction, delta] = args;
      if (reduction !== Reduction.NONE && reduction !== Reduction.MEAN && reduction !== Reduction.SUM)
        throw new ValueError(`${reduction as number} is not a valid value for reduction`);
      check(Number(delta) > 0, () => "huber_loss does not support non-positive values for delta.");
      return apply_loss_reduction(torch.mul(torch.sub(input, target), torch.Float(0.5)), reduction);
    }),
  ),
);

// cross entropy of a probability --------------------------------------------------------------------------------------------

type Maybe = Tensor | null;

register_decomposition(
  "binary_cross_entropy binary_cross_entropy.out",
  out_wrapper(
    pw_cast_for_opmath((self: Tensor, target: Tensor, weight: Maybe, reduction: number) => {
      const loss = torch.mul(torch.sub(target, 1), torch.log1p(torch.neg(self)));
      return apply_loss_reduction(weight === null ? loss : torch.mul(loss, weight), reduction);
    }),
  ),
);
register_decomposition(
  "binary_cross_entropy_backward binary_cross_entropy_backward.grad_input",
  out_wrapper(
    pw_cast_for_opmath((grad_output: Tensor, self: Tensor, target: Tensor, weight: Maybe) => {
      const result = torch.div(torch.mul(grad_output, torch.sub(self, target)), self);
      return weight === null ? result : torch.mul(result, weight);
    }),
  ),
);
register_decomposition(
  "binary_cross_entropy_with_logits binary_cross_entropy_with_logits.out",
  out_wrapper((self: Tensor, target: Tensor, weight: Maybe, pos_weight: Maybe, reduction: number) => {
    const log_sigmoid = torch.ops.aten["log_sigmoid"] as unknown as Reference<Tensor>;
    let loss = torch.mul(torch.rsub(target, 1), self);
    const other = log_sigmoid(self);
    if (pos_weight === null) loss = torch.sub(loss, other);
    else loss = torch.sub(loss, torch.mul(torch.add(torch.mul(torch.sub(pos_weight, 1), target), 1), other));
    if (weight !== null) loss = torch.mul(loss, weight);
    return apply_loss_reduction(loss.to(target.dtype), reduction);
  }),
);

// margins -----------------------------------------------------------------------------------------------------------------

const size = (t: Tensor): string => size_repr(t.shape);

/** A vector as a matrix of one row, or a 0-dim tensor as a vector. */
function atleast(n: number, t: Tensor): Tensor {
  let x = t;
  while (x.dim() < n) x = torch.unsqueeze(x, 0);
  return x;
}

register_decomposition(
  "multi_margin_loss multi_margin_loss.out",
  out_wrapper((...args: [Tensor, Tensor, NumberType, NumberType, Maybe, number]) => {
    const [input, target] = [atleast(2, args[0]), atleast(1, args[1])];
    const [p, weight, reduction] = [Number(args[2]), args[4], args[5]];
    const [nframe, dim] = [size_at(input, 0), size_at(input, 1)];
    check(p === 1 || p === 2, () => "only p == 1 and p == 2 supported");
    check(
      input.dim() === 2 && dim !== 0,
      () => `Expected non-empty vector or matrix with optional 0-dim batch size, but got: ${size(input)}`,
    );
    check(
      target.dim() === 1 && target.numel() === nframe,
      () => `inconsistent target size, expected ${nframe} but got ${size(target)}`,
    );
    if (weight !== null) {
      const w = atleast(1, weight);
      check(w.dim() === 1 && w.numel() === dim, () => `inconsistent weight size, expected ${dim} but got ${size(w)}`);
    }
    check_same_device([input, target], false);
    const u = torch.gather(input, 1, target.unsqueeze(1));
    const z = torch.add(torch.rsub(u, 1), input);
    if (reduction === Reduction.MEAN) return z.mean();
    if (reduction === Reduction.SUM) return torch.div(z.sum(), dim);
    return z.mean(1);
  }),
);

register_decomposition(
  "multilabel_margin_loss_forward multilabel_margin_loss_forward.output",
  out_wrapper((given: Tensor, given_target: Tensor, reduction: number) => {
    const input = atleast(2, given);
    const dim = size_at(input, 1);
    check(
      given.dim() <= 2 && dim !== 0,
      () => `Expected non-empty vector or matrix with optional 0-dim batch size, but got: ${size(given)}`,
    );
    check(
      given_target.dim() <= 2 && size(given_target) === size(given),
      () => `inconsistent target size: ${size(given_target)} for input of size: ${size(given)}`,
    );
    check_same_device([given_target, given], false);
    const of_rows = torch.div(input, dim).sum(-1);
    const of = reduction === Reduction.NONE ? of_rows : reduction === Reduction.MEAN ? of_rows.mean() : of_rows.sum();
    return [of, torch.empty_like(given_target, { dtype: given.dtype, memory_format: torch.contiguous_format })];
  }),
);
