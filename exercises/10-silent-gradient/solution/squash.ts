/**
 * @file squash(x) = x / (1 + |x|), repaired in three ways. Its derivative is 1 / (1 + |x|)^2.
 * @mirrors torch/library.py
 */
import torch from "glasstorch";

type Tensor = ReturnType<typeof torch.tensor>;
type Library = InstanceType<typeof torch.library.Library>;

/** The arithmetic on plain numbers, as in a C++ kernel: no operator is called on `x`, so autograd does not see it. */
export function squash_cpu(x: Tensor): Tensor {
  const result = x.detach().clone();
  const numbers = result.numpy() as Float64Array;
  for (let i = 0; i < numbers.length; i++) numbers[i] /= 1 + Math.abs(numbers[i]);
  return result;
}

/** First way: the operator keeps its kernel, and gets a formula for its derivative. */
export function register_formula(library: Library): void {
  library.impl("formula", squash_cpu, "CPU");
  // torch.library.register_autograd(name, backward, {setup_context, lib})
  //   setup_context({ctx, inputs, output})   runs in forward; ctx.save_for_backward(tensor) keeps a tensor for backward
  //   backward(ctx, grad)                    ctx.saved_tensors has the kept tensors; returns the gradient of the input
  // ex:begin(10.formula)
  const setup_context = ({ ctx, inputs }: { ctx: Context; inputs: Tensor[] }) => ctx.save_for_backward(inputs[0]);
  torch.library.register_autograd("ex10::formula", slope_times, { setup_context, lib: library });
  // ex:stub
  // ex:end
}

/** Second way: the operator has no kernel; it is made of operators that have derivatives. */
export function register_composite(library: Library): void {
  // ex:begin(10.composite)
  library.impl("composite", (x: Tensor) => x.div(x.abs().add(1)), "CompositeImplicitAutograd");
  // ex:stub
  // library.impl("composite", squash_cpu, "CPU");
  // ex:end
}

/** Third way: a torch.autograd.Function, registered as the kernel of the autograd keys; it calls the operator again, below autograd. */
export function register_function(library: Library): void {
  library.impl("function", squash_cpu, "CPU");
  // using below = new torch._C._AutoDispatchBelowAutograd();   to the end of the block, the autograd keys are excluded
  // ex:begin(10.function)
  class Squash extends torch.autograd.Function {
    static override forward(ctx: Context, x: Tensor): Tensor {
      ctx.save_for_backward(x);
      using _below = new torch._C._AutoDispatchBelowAutograd();
      return torch.ops.ex10.function(x) as Tensor;
    }
    static override backward(ctx: Context, grad: Tensor): Tensor {
      return slope_times(ctx, grad);
    }
  }
  library.impl("function", (x: Tensor) => Squash.apply(x), "Autograd");
  // ex:stub
  // ex:end
}

/** The values that forward passes to backward. */
interface Context {
  save_for_backward(...tensors: Tensor[]): void;
  readonly saved_tensors: Tensor[];
}

/** The gradient of the input, given that of the result: grad / (1 + |x|)^2. */
function slope_times(ctx: Context, grad: Tensor): Tensor {
  // ex:begin(10.formula)
  const [x] = ctx.saved_tensors;
  return grad.div(x.abs().add(1).pow(2));
  // ex:stub
  // return grad;
  // ex:end
}
