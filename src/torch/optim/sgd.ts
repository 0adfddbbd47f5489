/**
 * @file Stochastic gradient descent, with momentum.
 * @mirrors torch/optim/sgd.py
 */
import { RuntimeError, ValueError } from "#c10/util/Exception";
import { PyObject_RichCompareBool, repr } from "#torch/_C";
import { def_methods, Init, type InitArgs, type InitKeywords, types } from "#torch/_signature";
import { Tensor } from "#torch/_tensor";
import { torch } from "#torch/_torch";
import {
  _use_grad_for_differentiable,
  type Closure,
  call_closure,
  Optimizer,
  type ParamsT,
  type StepArgs,
} from "./optimizer.ts";

const SGD_init = new Init(
  "SGD.__init__(self, params, lr=0.001, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None, differentiable=False, fused=None)",
  types<
    [
      params: ParamsT,
      lr: number | Tensor,
      momentum: number,
      dampening: number,
      weight_decay: number,
      nesterov: boolean,
      maximize: boolean,
      foreach: boolean | null,
      differentiable: boolean,
      fused: boolean | null,
    ]
  >,
);

/** All but the parameters, by name. */
export type SGDOptions = Omit<InitKeywords<typeof SGD_init>, "params">;

/** The options of a parameter group. */
interface SGDGroup {
  readonly lr: number | Tensor;
  readonly momentum: number;
  readonly dampening: number;
  readonly weight_decay: number;
  readonly nesterov: boolean;
  readonly maximize: boolean;
}

/** Stochastic gradient descent: `p -= lr * grad`, with momentum and weight decay where asked for. */
export class SGD extends Optimizer {
  static {
    def_methods(SGD, { __init__: SGD_init, step: "(self, closure=None)" });
  }

  constructor(...args: InitArgs<typeof SGD_init>) {
    const [params, lr, momentum, dampening, weight_decay, nesterov, maximize, foreach, differentiable, fused] =
      SGD_init.bind(args);
    const defaults = {
      lr,
      momentum,
      dampening,
      weight_decay,
      nesterov,
      maximize,
      foreach,
      differentiable,
      fused,
    };
    if (defaults.lr instanceof Tensor && defaults.lr.numel() !== 1) throw new ValueError("Tensor lr must be 1-element");
    if (PyObject_RichCompareBool(defaults.lr, "<", 0, "float"))
      throw new ValueError(`Invalid learning rate: ${repr(defaults.lr)}`);
    if (PyObject_RichCompareBool(defaults.momentum, "<", 0, "float"))
      throw new ValueError(`Invalid momentum value: ${repr(defaults.momentum)}`);
    if (PyObject_RichCompareBool(defaults.weight_decay, "<", 0, "float"))
      throw new ValueError(`Invalid weight_decay value: ${repr(defaults.weight_decay)}`);
    if (defaults.nesterov && (defaults.momentum <= 0 || defaults.dampening !== 0)) {
      throw new ValueError("Nesterov momentum requires a momentum and zero dampening");
    }
    if (defaults.foreach || defaults.fused) {
      throw new RuntimeError(
        "`foreach` and `fused` need operators over lists of tensors, which are not built here; leave them out",
      );
    }
    super(params, defaults);
  }

  override step(...args: StepArgs): Tensor | null;
  override step(closure: Closure | null): Tensor | null {
    return _use_grad_for_differentiable(this, () => this.step_all(closure));
  }

  private step_all(closure: Closure | null): Tensor | null {
    const loss = call_closure(closure);
    for (const group of this.param_groups) {
      for (const param of group.params) {
        if (param.grad !== null) this.update(param, param.grad, group as unknown as SGDGroup);
      }
    }
    return loss;
  }

  /** `_single_tensor_sgd` for one parameter. */
  private update(param: Tensor, given_grad: Tensor, group: SGDGroup): void {
    const { weight_decay, momentum, dampening, nesterov, maximize, lr } = group;
    let grad = maximize ? given_grad.neg() : given_grad;
    if (weight_decay !== 0) grad = grad.add(param, { alpha: weight_decay });
    if (momentum !== 0) {
      let state = this.state.get(param);
      if (state === undefined) this.state.set(param, (state = { momentum_buffer: null }));
      let buf = state["momentum_buffer"] as Tensor | null;
      if (buf === null) {
        buf = grad.detach().clone();
        state["momentum_buffer"] = buf;
      } else {
        buf.mul_(momentum).add_(grad, { alpha: 1 - dampening });
      }
      grad = nesterov ? grad.add(buf, { alpha: momentum }) : buf;
    }
    if (lr instanceof Tensor) param.add_(grad.mul(lr.neg()));
    else param.add_(grad, { alpha: torch.Float(-lr) });
  }
}
