/**
 * @file A backward formula as an Autograd kernel: each call creates a node with `torch.autograd.Function`.
 * @mirrors torch/_library/autograd.py
 */

import { AutoDispatchBelowAutograd } from "#aten/core/LegacyTypeDispatch";
import { after_autograd_keyset, type DispatchKeySet } from "#c10/core/DispatchKeySet";
import { GradMode } from "#c10/core/GradMode";
import { AssertionError, NotImplementedError, RuntimeError } from "#c10/util/Exception";
import { type PyFunctionSchema, type PythonFunction, Tag, TensorBase } from "#torch/_C";
import type { OpOverload } from "#torch/_ops";
import { Function as AutogradFunction } from "#torch/autograd/function";
import { type TreeSpec, tree_flatten, tree_unflatten } from "#torch/utils/_pytree/lists";
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

  const Generated: FunctionClass = class extends AutogradFunction {
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
        return [...tuple_of_gradients(schema, result), null];
      } finally {
        ctx.needs_input_grad = needs_input_grad;
      }
    }
  };
  Object.defineProperty(Generated, "name", {
    value: `GeneratedBackwardFor_${op._namespace}_${op._opname}_${op._overloadname}`,
  });

  if ([...schema.arguments, ...schema.returns].some((arg) => is_tensorlist_like_type(arg.type))) {
    supports_tensorlist(Generated, schema.returns.length > 1);
  }

  return (keyset: DispatchKeySet, ...given: unknown[]) => {
    const [args, kwargs] = split_args(given);
    const metadata = new Metadata(keyset, kwargs);
    if (op.tags.includes(Tag.out)) {
      if (GradMode.is_enabled() && anyRequiresGrad([...args, kwargs])) {
        throw new RuntimeError(
          `${op._opname}(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.`,
        );
      }
      return forward_no_grad(args, metadata);
    }
    if (!GradMode.is_enabled() || !anyRequiresGrad(args)) return forward_no_grad(args, metadata);
    return Generated.apply(...args, metadata);
  };
}

/**
 * Gradients that `backward` returned, one per positional argument.
 * @differs PyTorch takes a tuple for several gradients and a list for the gradients of one list; an array may be either here. For an
 * operator whose only positional argument is a list of tensors, an array that holds no array is the gradients of that list.
 */
function tuple_of_gradients(schema: PyFunctionSchema, result: unknown): unknown[] {
  if (!Array.isArray(result)) return [result ?? null];
  const [only, ...more] = schema.arguments.filter((arg) => !arg.kwarg_only);
  const is_one_list = only !== undefined && more.length === 0 && is_tensorlist_like_type(only.type);
  return is_one_list && !result.some(Array.isArray) ? [result] : result;
}

interface FunctionClass {
  forward(ctx: Context, ...args: unknown[]): unknown;
  backward(ctx: Context, ...grads: unknown[]): unknown;
  apply(...args: unknown[]): unknown;
}

/** Structure of one call: passes through `apply` as the last argument and is kept on `ctx`. */
class TensorListMetadata {
  readonly input_spec: TreeSpec;
  output_spec: TreeSpec | null = null;
  constructor(input_spec: TreeSpec) {
    this.input_spec = input_spec;
  }
}

// Note [Lists of tensors in a Function]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A node has one edge per tensor, so a Function sees only tensors that are arguments themselves. For `f([a, b], c)` three things are
// therefore flattened and rebuilt from the structure of the call:
//   apply     ([a, b], c)  ->  a, b, c                 so that a and b get an edge
//   forward   a, b, c      ->  ([a, b], c)             and its results the same way: [y, z] -> y, z
//   backward  gy, gz       ->  [gy, gz]                and what it returns: ([ga, gb], gc) -> ga, gb, gc
// A list that holds anything but tensors stays one argument without an edge. Gradients in a list may be null, but the list itself
// may not be: the structures of the gradients and of the arguments must be equal.

/** Wraps `forward`, `backward` and `apply` of a Function so that it may take and return lists of tensors. */
function supports_tensorlist(cls: FunctionClass, result_is_tuple: boolean): void {
  const orig_forward = cls.forward;
  const orig_backward = cls.backward;
  const orig_apply = cls.apply;

  cls.forward = (ctx, ...args) => {
    const metadata = args.pop();
    if (!(metadata instanceof TensorListMetadata)) {
      throw new NotImplementedError(
        "NYI: calling supports_tensorlist autograd.Function.forward directly. " +
          "You should probably be calling .apply instead. Please file an issue if not.",
      );
    }
    const result = orig_forward.call(cls, ctx, ...tree_unflatten(args, metadata.input_spec));
    const [flat_result, output_spec] = tree_flatten(
      result_is_tuple ? (result as unknown[]) : [result ?? null],
      not_list_of_tensor,
    );
    metadata.output_spec = output_spec;
    if ("_pt_metadata" in ctx) {
      throw new RuntimeError("Please don't set ctx._pt_metadata; PyTorch uses it to store info");
    }
    ctx._pt_metadata = metadata;
    return flat_result;
  };

  cls.backward = (ctx, ...grads) => {
    const metadata = ctx._pt_metadata as TensorListMetadata | undefined;
    if (metadata === undefined || metadata.output_spec === null) {
      throw new NotImplementedError(
        "NYI: calling supports_tensorlist autograd.Function.backward directly. " +
          "This will automatically get called by PyTorch autograd. Please file an issue if you need this.",
      );
    }
    const needs_input_grad = ctx.needs_input_grad;
    let grad_inputs: unknown[];
    try {
      ctx.needs_input_grad = tree_unflatten(needs_input_grad.slice(0, -1), metadata.input_spec);
      grad_inputs = orig_backward.call(cls, ctx, ...tree_unflatten(grads, metadata.output_spec)) as unknown[];
    } finally {
      ctx.needs_input_grad = needs_input_grad;
    }
    const [flat_grad_inputs, spec] = tree_flatten(grad_inputs, not_list_of_optional_tensor);
    if (!spec.equals(metadata.input_spec)) {
      throw new RuntimeError(
        "Expected the return from backward to be of the same structure as the inputs. " +
          `Got: ${spec} (return from backward), ${metadata.input_spec} (inputs)`,
      );
    }
    return [...flat_grad_inputs, null];
  };

  cls.apply = (...args) => {
    const [flat_args, input_spec] = tree_flatten(args, not_list_of_tensor);
    const metadata = new TensorListMetadata(input_spec);
    const flat_result = orig_apply.call(cls, ...flat_args, metadata) as unknown[];
    if (metadata.output_spec === null) throw new AssertionError("metadata.output_spec must not be None");
    const result = tree_unflatten(flat_result, metadata.output_spec);
    return result_is_tuple ? result : result[0];
  };
}

function not_list_of_tensor(list: readonly unknown[]): boolean {
  return list.some((element) => !(element instanceof TensorBase));
}

function not_list_of_optional_tensor(list: readonly unknown[]): boolean {
  return list.some((element) => element !== null && element !== undefined && !(element instanceof TensorBase));
}

function anyRequiresGrad(args: readonly unknown[]): boolean {
  for (const tensor of iter_tensors(args)) if (tensor.cdata.requires_grad()) return true;
  return false;
}
