/**
 * @file Running compiled graphs as if they were the program: autograd sees one node, arguments are written to, views are views again.
 * @mirrors torch/_functorch/_aot_autograd/runtime_wrappers.py
 */
import { RuntimeError } from "#c10/util/Exception";
import { getattr_or_undefined } from "#python/Objects/object";
import { tuple } from "#python/Objects/tupleobject";
import { example_strides } from "#torch/_subclasses/fake_tensor/symbolic_sizes";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { Function as AutogradFunction } from "#torch/autograd/function";
import { call_function } from "#torch/fx/callables";
import type { ProgramInfo } from "./functional_program.ts";

/** Compiled code, called with a list of arguments. */
export type Compiled = (args: unknown[]) => unknown[];

/** `f` as a function of one list, which it may empty to free the arguments early. */
export function make_boxed_func(f: unknown): (args: unknown[]) => unknown {
  return Object.assign((args: unknown[]): unknown => call_function(f, [...args]), { _boxed_call: true });
}

/** The result of a compiler in one form. */
export function boxed(compiled: unknown): Compiled {
  const is_boxed = getattr_or_undefined(compiled, "_boxed_call") === true;
  return (args) => {
    const out = call_function(compiled, is_boxed ? [args] : args);
    return Array.isArray(out) ? [...out] : [out];
  };
}

interface Context {
  save_for_backward(...tensors: unknown[]): void;
  mark_non_differentiable(...tensors: unknown[]): void;
  readonly saved_tensors: unknown[];
  /** Saved values that are no tensors, at their places. */
  others: unknown[];
  /** Saved sizes. */
  symints: unknown[];
}

type Apply = { apply(...args: unknown[]): unknown };
const as_list = (value: unknown): unknown[] => (Array.isArray(value) ? [...value] : [value]);

/** Runs the backward graph where its result could be differentiated again, which no graph was made for. */
function differentiable_backward(
  run: (args: readonly unknown[]) => unknown[],
  all_args: readonly unknown[],
): unknown[] {
  class CompiledFunctionBackward extends AutogradFunction {
    static override forward(_ctx: Context, ...args: unknown[]): unknown {
      const out = run(args);
      return out.length === 1 ? out[0] : tuple(out);
    }
    static override backward(): never {
      throw new RuntimeError("torch.compile with aot_autograd does not currently support double backward");
    }
  }
  return as_list((CompiledFunctionBackward as unknown as Apply).apply(...all_args));
}

/** Runs `fn` with autocast off: a graph that was traced with it holds the casts. */
export function without_autocast<R>(fn: () => R): R {
  if (!torch.is_autocast_enabled("cpu")) return fn();
  torch.set_autocast_enabled("cpu", false);
  try {
    return fn();
  } finally {
    torch.set_autocast_enabled("cpu", true);
  }
}

/** The dimensions from the largest stride to the smallest; null if some elements share memory, or some memory is between them. */
function order_in_memory(t: Tensor): readonly number[] | null {
  const dims = Array.from({ length: t.dim() }, (_, i) => i);
  if (t.is_contiguous()) return dims;
  const strides = example_strides(t);
  return t.cdata.unsafeGetTensorImpl().is_non_overlapping_and_dense()
    ? dims.sort((a, b) => strides[b] - strides[a] || a - b)
    : null;
}

/** A gradient as backward was traced with: it lies in memory as the result does. (`coerce_tangent`) */
function in_order(grad: Tensor, order: readonly number[] | null): Tensor {
  if (order === null) return grad;
  if (order.every((dim, i) => dim === i)) return grad.contiguous();
  const sorted = grad.permute([...order]);
  return sorted.is_contiguous() ? grad : sorted.contiguous().permute(order.map((_, i) => order.indexOf(i)));
}

/**
 * One node of autograd, `CompiledFunctionBackward`, that runs the two graphs.
 * @param symbols_saved how many of the last results of forward are sizes, which come first among the arguments of backward
 */
export function compiled_function(
  forward: Compiled,
  backward: Compiled,
  info: ProgramInfo,
  symbols_saved: number,
): Compiled {
  const count = info.needs_tangent.length;
  const orders = info.traced_tangents.map(order_in_memory);
  const as_traced = (grad: unknown, k: number): unknown => (grad instanceof Tensor ? in_order(grad, orders[k]) : grad);
  class CompiledFunction extends AutogradFunction {
    static override forward(ctx: Context, ...args: unknown[]): unknown {
      const results = forward(args);
      const outs = results.slice(0, count);
      const end = results.length - symbols_saved;
      const saved = results.slice(count, end);
      ctx.symints = results.slice(end);
      ctx.save_for_backward(...saved.map((value) => (value instanceof Tensor ? value : null)));
      ctx.others = saved;
      for (const [i, value] of saved.entries()) if (value instanceof Tensor) ctx.others[i] = undefined;
      ctx.mark_non_differentiable(...outs.filter((out, i) => out instanceof Tensor && !info.needs_tangent[i]));
      return outs.length === 1 ? outs[0] : outs;
    }

    static override backward(ctx: Context, ...grads: unknown[]): unknown {
      const tangents = grads.filter((_, i) => info.needs_tangent[i]).map(as_traced);
      const saved = [...ctx.saved_tensors].map((value, i) => value ?? ctx.others[i]);
      const all_args = [...ctx.symints, ...saved, ...tangents];
      const run = (args: readonly unknown[]): unknown[] =>
        torch.no_grad(() => without_autocast(() => backward([...args])));
      const again = torch.is_grad_enabled() && all_args.some((arg) => arg instanceof Tensor && arg.requires_grad);
      const result = again ? differentiable_backward(run, all_args) : run(all_args);
      return result.length === 1 ? result[0] : result;
    }
  }
  // The graphs were traced with gradients: a caller without them gets a result that has them, too.
  return (args) => torch.enable_grad(() => as_list((CompiledFunction as unknown as Apply).apply(...args)));
}

/** Writes mutated arguments, and gives results that are arguments, or views of them. */
export function with_aliases(compiled: Compiled, info: ProgramInfo): Compiled {
  const { mutated_inputs, outputs } = info;
  return (args) => {
    const originals = [...args];
    const results = compiled(args);
    for (const [k, i] of mutated_inputs.entries()) {
      const write = (): Tensor => (originals[i] as Tensor).copy_(results[k] as Tensor);
      if (info.mutated_without_grad[k]) torch.no_grad(write);
      else write();
    }
    return results.slice(mutated_inputs.length).map((out, k) => {
      const { kind, base_idx, replay } = outputs[k];
      const base = originals[base_idx] as Tensor;
      if (kind === "input") return base;
      return replay === null ? out : replay(base, out as Tensor, originals);
    });
  };
}
