/**
 * @file Three functions with gradients of their own. They are right, but keep more than they need.
 * @mirrors torch/autograd/function.py
 */
import torch from "glasstorch";

type Tensor = ReturnType<typeof torch.tensor>;

/** The values that forward passes to backward. */
interface Context {
  save_for_backward(...tensors: (Tensor | null)[]): void;
  readonly saved_tensors: (Tensor | null)[];
  /** Whether the gradient is wanted, for each argument of forward. */
  readonly needs_input_grad: boolean[];
  /** Numbers may be kept as they are. */
  scale: number;
}

/** e^x */
export class Exp extends torch.autograd.Function {
  static override forward(ctx: Context, x: Tensor): Tensor {
    // ex:begin(14.exp)
    const y = x.exp();
    ctx.save_for_backward(y);
    return y;
    // ex:stub
    // ctx.save_for_backward(x);
    // return x.exp();
    // ex:end
  }
  static override backward(ctx: Context, grad: Tensor): Tensor {
    // ex:begin(14.exp-grad)
    const [y] = ctx.saved_tensors as Tensor[];
    return grad.mul(y);
    // ex:stub
    // const [x] = ctx.saved_tensors as Tensor[];
    // return grad.mul(x.exp());
    // ex:end
  }
}

/** x where the mask says so, 0 elsewhere; what is left is made greater by 1 / (1 - p). */
export class Dropout extends torch.autograd.Function {
  static override forward(ctx: Context, x: Tensor, mask: Tensor, p: number): Tensor {
    // ex:begin(14.dropout)
    ctx.save_for_backward(mask);
    ctx.scale = 1 / (1 - p);
    return x.mul(mask).mul(ctx.scale);
    // ex:stub
    // const factor = mask.mul(torch.tensor(1 / (1 - p), { dtype: x.dtype }));
    // ctx.save_for_backward(x, factor);
    // return x.mul(factor);
    // ex:end
  }
  static override backward(ctx: Context, grad: Tensor): (Tensor | null)[] {
    // ex:begin(14.dropout-grad)
    const [mask] = ctx.saved_tensors as Tensor[];
    return [grad.mul(mask).mul(ctx.scale), null, null];
    // ex:stub
    // const [_x, factor] = ctx.saved_tensors as Tensor[];
    // return [grad.mul(factor), null, null];
    // ex:end
  }
}

/** x * weight; often the weight is a constant. */
export class Scale extends torch.autograd.Function {
  static override forward(ctx: Context, x: Tensor, weight: Tensor): Tensor {
    // ex:begin(14.scale)
    ctx.save_for_backward(ctx.needs_input_grad[1] ? x : null, ctx.needs_input_grad[0] ? weight : null);
    // ex:stub
    // ctx.save_for_backward(x, weight);
    // ex:end
    return x.mul(weight);
  }
  static override backward(ctx: Context, grad: Tensor): (Tensor | null)[] {
    const [x, weight] = ctx.saved_tensors;
    // ex:begin(14.scale-grad)
    return [weight === null ? null : grad.mul(weight), x === null ? null : grad.mul(x)];
    // ex:stub
    // return [grad.mul(weight as Tensor), grad.mul(x as Tensor)];
    // ex:end
  }
}
