/**
 * @file A backward formula as an Autograd kernel: each call creates a node with `torch.autograd.Function`.
 * @mirrors torch/_library/autograd.py
 */

import { AutoDispatchBelowAutograd } from "#aten/core/LegacyTypeDispatch";
import { after_autograd_keyset, type DispatchKeySet } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { NotImplementedError, RuntimeError } from "#c10/util/Exception";
import type { PythonFunction } from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { Function as AutogradFunction } from "#torch/autograd/function";
import { fill_defaults, has_kwarg_only_args, is_tensorlist_like_type, iter_tensors, split_args } from "./utils.ts";

interface SetupArguments {
  ctx: Context;
  inputs: unknown[];
  output: unknown;
  keyword_only_inputs?: Record<string, unknown>;
}

/**
 * `({ctx, inputs, output, keyword_only_inputs}) => ...`, or `(ctx, inputs, output) => ...`; for an operator with keyword-only arguments
 * `(ctx, inputs, keyword_only_inputs, output) => ...`.
 */
// biome-ignore lint/suspicious/noExplicitAny: the inputs have any type, in either form
export type SetupContext = (ctx: Context, inputs: any[], ...rest: any[]) => void;

/** @differs Ours passes one object to a function with one parameter, else positional arguments; PyTorch passes keywords. */
function call_setup_context(fn: SetupContext, { ctx, inputs, output, keyword_only_inputs }: SetupArguments): void {
  const call = fn as (...args: unknown[]) => void;
  if (fn.length < 2)
    call({ ctx, inputs, output, ...(keyword_only_inputs === undefined ? {} : { keyword_only_inputs }) });
  else if (keyword_only_inputs === undefined) call(ctx, inputs, output);
  else call(ctx, inputs, keyword_only_inputs, output);
}

// biome-ignore lint/suspicious/noExplicitAny: users set attributes on it
export type Context = any;

export interface Info {
  _backward_fn: PythonFunction | null;
  _setup_context_fn: SetupContext | null;
}

/** Data that `forward` needs besides the arguments; `apply` passes it as the last argument. */
class Metadata {
  readonly keyset: DispatchKeySet;
  readonly keyword_only_args: Record<string, unknown>;
  constructor(keyset: DispatchKeySet, keyword_only_args: Record<string, unknown>) {
    this.keyset = keyset;
    this.keyword_only_args = keyword_only_args;
  }
}

/** An Autograd kernel for `op`. It reads `info` at each call, so a formula may be registered later. */
export function make_autograd_impl(op: OpOverload, info: Info): PythonFunction {
  const schema = op._schema;
  const tensorlists = [...schema.arguments, ...schema.returns].some((arg) => is_tensorlist_like_type(arg.type));

  const call_below = (args: readonly unknown[], metadata: Metadata): unknown => {
    const kwargs = Object.keys(metadata.keyword_only_args).length === 0 ? [] : [metadata.keyword_only_args];
    return op.redispatch(metadata.keyset.and(after_autograd_keyset), ...args, ...kwargs);
  };

  const forward = (ctx: Context, args: readonly unknown[], metadata: Metadata): unknown => {
    const guard = new AutoDispatchBelowAutograd();
    try {
      const output = call_below(args, metadata);
      if (info._setup_context_fn !== null) {
        const [inputs, keyword_only_inputs] = fill_defaults(schema, args, metadata.keyword_only_args);
        call_setup_context(info._setup_context_fn, {
          ctx,
          inputs,
          output,
          ...(has_kwarg_only_args(schema) ? { keyword_only_inputs } : {}),
        });
      }
      return output;
    } finally {
      guard.restore();
    }
  };

  const forward_no_grad = (args: readonly unknown[], metadata: Metadata): unknown => {
    const guard = new AutoDispatchBelowAutograd();
    try {
      return call_below(args, metadata);
    } finally {
      guard.restore();
    }
  };

  const Generated = class extends AutogradFunction {
    static override forward(ctx: Context, ...args: unknown[]): unknown {
      return forward(ctx, args.slice(0, -1), args.at(-1) as Metadata);
    }

    static override backward(ctx: Context, ...grads: unknown[]): unknown[] {
      if (info._backward_fn === null) {
        throw new RuntimeError(
          `Trying to backward through ${op} but no autograd formula was registered. Please use register_autograd to add one.`,
        );
      }
      const needs_input_grad = ctx.needs_input_grad;
      try {
        ctx.needs_input_grad = needs_input_grad.slice(0, -1); // the metadata is not one of the user's inputs
        const result = info._backward_fn(ctx, ...grads);
        return [...(Array.isArray(result) ? result : [result]), null];
      } finally {
        ctx.needs_input_grad = needs_input_grad;
      }
    }
  };
  Object.defineProperty(Generated, "name", {
    value: `GeneratedBackwardFor_${op._namespace}_${op._opname}_${op._overloadname}`,
  });

  return (keyset: DispatchKeySet, ...given: unknown[]) => {
    const [args, kwargs] = split_args(given);
    const metadata = new Metadata(keyset, kwargs);
    const wants_graph = GradMode.is_enabled() && anyRequiresGrad(args);
    if (!wants_graph) return forward_no_grad(args, metadata);
    if (op.tags.includes("out")) {
      throw new RuntimeError(
        `${op._opname}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.`,
      );
    }
    if (tensorlists)
      throw new NotImplementedError(
        `${op}: register_autograd for operators that take or return lists of tensors is not built`,
      );
    return (Generated as unknown as { apply(...args: unknown[]): unknown }).apply(...args, metadata);
  };
}

function anyRequiresGrad(args: readonly unknown[]): boolean {
  for (const tensor of iter_tensors(args)) if (tensor.cdata.requires_grad()) return true;
  return false;
}
