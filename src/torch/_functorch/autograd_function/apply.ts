/**
 * @file `autograd_function_apply`: a custom function whose forward and backward are graphs.
 * @mirrors torch/_functorch/autograd_function.py#AutogradFunctionApply
 *
 *     fwd(*args) -> ((results), (saved))        bwd(*gradients of the results, *saved) -> gradients of args
 */
import { tuple } from "#python/Objects/tupleobject";
import { HigherOrderOperator } from "#torch/_higher_order_ops/higher_order_operator";
import { Function as AutogradFunction } from "#torch/autograd/function";
import { call_function } from "#torch/fx/callables";

interface Context {
  mark_dirty(...tensors: unknown[]): void;
  mark_non_differentiable(...tensors: unknown[]): void;
}

/** The keywords of a call, which arrive as its last argument. */
function divided(given: readonly unknown[]): [args: readonly unknown[], indices: (name: string) => readonly number[]] {
  const named = given.at(-1);
  const value = (name: string): unknown =>
    named instanceof Map ? named.get(name) : (named as Readonly<Record<string, unknown>>)[name];
  return [given.slice(0, -1), (name) => (value(name) as readonly number[] | undefined) ?? []];
}

export const autograd_function_apply = new HigherOrderOperator("autograd_function_apply", {
  dense(given) {
    const [[fwd, bwd, ...fwd_args], indices] = divided(given);
    const [dirty, non_differentiable] = [indices("dirty_idx"), indices("non_differentiable_idx")];
    let saved_values: readonly unknown[] = [];
    class ApplyTemplate extends AutogradFunction {
      static override forward(ctx: Context, ...args: unknown[]): unknown {
        const [outputs, saved] = call_function(fwd, args) as [readonly unknown[], readonly unknown[]];
        saved_values = saved;
        if (dirty.length > 0) ctx.mark_dirty(...dirty.map((i) => outputs[i]));
        if (non_differentiable.length > 0) ctx.mark_non_differentiable(...non_differentiable.map((i) => outputs[i]));
        return tuple(outputs);
      }
      static override backward(_ctx: Context, ...grads: unknown[]): unknown {
        return tuple(call_function(bwd, [...grads, ...saved_values]) as unknown[]);
      }
    }
    const out = (ApplyTemplate as unknown as { apply(...args: unknown[]): unknown }).apply(...fwd_args);
    return Array.isArray(out) ? out : tuple([out]);
  },
});
