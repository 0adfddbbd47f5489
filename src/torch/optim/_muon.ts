/**
 * @file Muon: a step is the orthogonalized momentum of a matrix.
 * @mirrors torch/optim/_muon.py
 */
import { ValueError } from "#c10/util/Exception";
import { py_str, repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { norm } from "./norm.ts";
import { _to_scalar, check_lr, check_nonnegative, new_zeros } from "./optimizer/helpers.ts";
import {
  type Closure,
  call_closure,
  check_options,
  Optimizer,
  type ParamsT,
  type StepArgs,
  with_numbers,
} from "./optimizer/index.ts";
import type { GroupOf } from "./optimizer/types.ts";
import { mul, type NumberOrTensor, neg, sub } from "./python_operators.ts";

/**
 * Muon, for one matrix. `b` is the state's `momentum_buffer`. `ratio` grows with the matrix; see `_adjust_lr`.
 *
 *     b = momentum * b + (1 - momentum) * grad
 *     u = orthogonal(b)                                nesterov:  u = orthogonal((1 - momentum) * grad + momentum * b)
 *     p = p - lr * weight_decay * p - lr * ratio * u
 */
function _single_tensor_muon(param: Tensor, grad: Tensor, buf: Tensor, group: MuonGroup): void {
  const { momentum, nesterov, weight_decay } = group;
  if (grad.dim() !== 2) throw new ValueError("Param gradient must be a 2D matrix");
  const lr = _to_scalar(group.lr);
  buf.lerp_(grad, 1 - momentum);
  const update = _zeropower_via_newtonschulz(nesterov ? grad.lerp(buf, momentum) : buf, group);
  const adjusted_lr = _adjust_lr(lr, group.adjust_lr_fn, param.shape);
  param.mul_(sub(1, mul(lr, weight_decay)));
  param.add_(update, { alpha: neg(adjusted_lr) as number }); // a tensor is converted to a number
}

/**
 * The nearest orthogonal matrix, approximated by a few steps of a polynomial that moves every singular value towards 1. bfloat16 is
 * accurate enough.
 */
function _zeropower_via_newtonschulz(grad: Tensor, { ns_coefficients, ns_steps, eps }: MuonGroup): Tensor {
  if (ns_steps >= 100) throw new ValueError("Number of steps must be less than 100 for computational efficiency");
  if (ns_coefficients.length !== 3) throw new ValueError("Coefficients must be a tuple of exactly 3 values");
  const [a, b, c] = ns_coefficients;
  const tall = grad.size(0) > grad.size(1);
  let ortho_grad = grad.to(torch.bfloat16);
  if (tall) ortho_grad = ortho_grad.t();
  // Afterwards no singular value is above 1.
  ortho_grad.div_(norm(ortho_grad).clamp({ min: eps }));
  for (let step = 0; step < ns_steps; step++) {
    const gram_matrix = ortho_grad.matmul(ortho_grad.t());
    const gram_update = torch.addmm(gram_matrix, gram_matrix, gram_matrix, { beta: b, alpha: c });
    ortho_grad = torch.addmm(ortho_grad, gram_update, ortho_grad, { beta: a });
  }
  return tall ? ortho_grad.t() : ortho_grad;
}

/** The learning rate adjusted to the shape: larger matrices take larger steps. */
function _adjust_lr(lr: NumberOrTensor, adjust_lr_fn: string | null, [A, B]: readonly number[]): NumberOrTensor {
  let adjusted_ratio = 1;
  if (adjust_lr_fn === null || adjust_lr_fn === "original") adjusted_ratio = Math.sqrt(Math.max(1, A / B));
  else if (adjust_lr_fn === "match_rms_adamw") adjusted_ratio = 0.2 * Math.sqrt(Math.max(A, B));
  return mul(lr, adjusted_ratio);
}

const Muon_init = new Init(
  "Muon.__init__(self, params, lr=0.001, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-07, ns_steps=5, adjust_lr_fn=None)",
  types<
    [
      params: ParamsT,
      lr: NumberOrTensor,
      weight_decay: number,
      momentum: number,
      nesterov: boolean,
      ns_coefficients: readonly [number, number, number],
      eps: number,
      ns_steps: number,
      adjust_lr_fn: "original" | "match_rms_adamw" | null,
    ]
  >,
);

/** Keyword arguments of the constructor, without `params`. */
export type MuonOptions = Omit<InitKeywords<typeof Muon_init>, "params">;

type MuonGroup = GroupOf<typeof Muon_init>;

/** Muon, for matrices only: the step is the orthogonalized momentum. */
export class Muon extends Optimizer {
  static {
    def_methods(Muon, { __init__: Muon_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof Muon_init>) {
    const [params, lr, weight_decay, momentum, nesterov, ns_coefficients, eps, ns_steps, adjust_lr_fn] =
      Muon_init.bind(args);
    check_lr(lr, "Learning rate should be >= 0 but is");
    check_nonnegative(momentum, "momentum should be >= 0 but is");
    check_nonnegative(weight_decay, "weight decay should be >= 0 but is");
    if (adjust_lr_fn !== null && adjust_lr_fn !== "original" && adjust_lr_fn !== "match_rms_adamw")
      throw new ValueError(`Adjust learning rate function ${py_str(adjust_lr_fn)} is not supported`);
    super(params, { lr, weight_decay, momentum, nesterov, ns_coefficients, eps, ns_steps, adjust_lr_fn });
    for (const group of this.param_groups)
      for (const p of group.params)
        if (p.dim() !== 2)
          throw new ValueError(
            `Muon only supports 2D parameters whereas we found a parameter with size: torch.Size(${repr([...p.shape])})`,
          );
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return torch.no_grad(() => {
      const loss = call_closure(closure);
      for (const param_group of this.param_groups) {
        check_options(this, param_group);
        const group = with_numbers(param_group) as MuonGroup;
        for (const p of group.params) {
          if (p.grad === null) continue;
          const state = this._state_of(p);
          state["momentum_buffer"] ??= new_zeros(p.grad);
          _single_tensor_muon(p, p.grad, state["momentum_buffer"], group);
        }
      }
      return loss;
    });
  }
}
