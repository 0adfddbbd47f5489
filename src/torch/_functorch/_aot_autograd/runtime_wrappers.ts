/**
 * @file Running compiled graphs as if they were the program: autograd sees one node, arguments are written to, views are views again.
 * @mirrors torch/_functorch/_aot_autograd/runtime_wrappers.py
 */
import { getattr_or_undefined } from "#python/Objects/object";
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
}

/** One node of autograd, `CompiledFunctionBackward`, that runs the two graphs. */
export function compiled_function(forward: Compiled, backward: Compiled, info: ProgramInfo): Compiled {
  const count = info.needs_tangent.length;
  class CompiledFunction extends AutogradFunction {
    static override forward(ctx: Context, ...args: unknown[]): unknown {
      const results = forward(args);
      const outs = results.slice(0, count);
      const saved = results.slice(count);
      ctx.save_for_backward(...saved.map((value) => (value instanceof Tensor ? value : null)));
      ctx.others = saved;
      for (const [i, value] of saved.entries()) if (value instanceof Tensor) ctx.others[i] = undefined;
      ctx.mark_non_differentiable(...outs.filter((out, i) => out instanceof Tensor && !info.needs_tangent[i]));
      return outs.length === 1 ? outs[0] : outs;
    }

    static override backward(ctx: Context, ...grads: unknown[]): unknown {
      const tangents = grads.filter((_, i) => info.needs_tangent[i]);
      const saved = [...ctx.saved_tensors].map((value, i) => value ?? ctx.others[i]);
      const result = torch.no_grad(() => backward([...saved, ...tangents]));
      return result.length === 1 ? result[0] : result;
    }
  }
  return (args) => {
    const out = (CompiledFunction as unknown as { apply(...args: unknown[]): unknown }).apply(...args);
    return Array.isArray(out) ? [...out] : [out];
  };
}

/** Writes mutated arguments, and gives results that are arguments, or views of them. */
export function with_aliases(compiled: Compiled, info: ProgramInfo): Compiled {
  const { mutated_inputs, outputs } = info;
  return (args) => {
    const originals = [...args];
    const results = compiled(args);
    for (const [k, i] of mutated_inputs.entries()) (originals[i] as Tensor).copy_(results[k] as Tensor);
    return results.slice(mutated_inputs.length).map((out, k) => {
      const { kind, base_idx, replay } = outputs[k];
      const base = originals[base_idx] as Tensor;
      if (kind === "input") return base;
      return replay === null ? out : replay(base);
    });
  };
}
