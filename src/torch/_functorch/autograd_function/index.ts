/**
 * @file `autograd.Function` under transforms: each layer handles the call in its way and hands it to the next one.
 * @mirrors torch/_functorch/autograd_function.py
 *
 * | layer | what happens |
 * |---|---|
 * | grad, jvp | a Function of one level, whose forward calls the Function below the layer |
 * | vmap | the Function's own `vmap`, or a Function that is generated: forward and backward under vmap (generate_rule.ts) |
 * | none | `apply` |
 */
import { ADInterpreter } from "#aten/functorch/ADInterpreters";
import { maybeCurrentDynamicLayer } from "#aten/functorch/DynamicLayer";
import { makeTensorWrapper } from "#aten/functorch/TensorWrapper";
import { VmapInterpreter } from "#aten/functorch/VmapInterpreter";
import { RuntimeError } from "#c10/util/Exception";
import { str } from "#python/Objects/object";
import { pack, tuple } from "#python/Objects/tupleobject";
import { THPVariable_Wrap } from "#torch/_C";
import * as C from "#torch/_functorch/_C_functorch";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { type_repr } from "#torch/_utils/index";
import { _set_fwd_grad_enabled } from "#torch/autograd/forward_ad";
import { Function, set_functorch_call } from "#torch/autograd/function";
import { call_function } from "#torch/fx/callables";
import { flatten, map_leaves } from "#torch/utils/_pytree/index";
import { lower, randomness_of } from "../pyfunctorch.ts";
import { _broadcast_to_and_flatten, unwrap_batched, wrap_batched } from "../vmap.ts";
import { type FunctionLike, generated_class, unpack_outputs, vmapify_autograd_function } from "./generate_rule.ts";

// biome-ignore lint/suspicious/noExplicitAny: a Function may take and return anything
type Any = any;

/** Calls a Function through the transforms that are active. */
export function custom_function_call(autograd_function: FunctionLike, ...given: unknown[]): unknown {
  const operands = map_leaves(tuple(given), (leaf) =>
    leaf instanceof Tensor ? C.unwrap_if_dead(leaf) : leaf,
  ) as unknown[];
  const interpreter = maybeCurrentDynamicLayer();
  if (interpreter === null) return Function.apply_below_transforms(autograd_function, operands);
  if (interpreter instanceof ADInterpreter) return custom_function_call_grad(interpreter, autograd_function, operands);
  if (interpreter instanceof VmapInterpreter)
    return custom_function_call_vmap(interpreter, autograd_function, operands);
  throw new RuntimeError("NYI: Functionalize rule for custom_function_call");
}

function custom_function_call_grad(
  interpreter: ADInterpreter,
  autograd_function: FunctionLike,
  given: readonly unknown[],
): unknown {
  const level = interpreter.level();
  const operands = map_leaves(tuple(given), (leaf) =>
    leaf instanceof Tensor ? THPVariable_Wrap(interpreter.lift(leaf.cdata)) : leaf,
  ) as unknown[];
  const generated = generated_class(`${autograd_function.name}Generated`, {
    forward: (...own: unknown[]) => {
      const unwrapped = map_leaves(tuple(own), (leaf) =>
        leaf instanceof Tensor ? C._unwrap_for_grad(leaf, level) : leaf,
      ) as unknown[];
      const output = torch.enable_grad(() =>
        _set_fwd_grad_enabled(true)(() =>
          lower(interpreter, () => custom_function_call(autograd_function, ...unwrapped)),
        )(),
      );
      return wrap_outputs_maintaining_identity(output, unwrapped, own, (t) =>
        THPVariable_Wrap(makeTensorWrapper(t.cdata, level)),
      );
    },
    setup_context: (ctx, inputs, output) => autograd_function.setup_context(ctx, inputs, output),
    backward: (ctx, ...grads) => autograd_function.backward(ctx, ...grads),
    jvp: (ctx, ...tangents) => autograd_function.jvp?.(ctx, ...tangents),
  });
  return Function.apply_below_transforms(generated, operands);
}

/** Wraps the outputs; one that is an input stays the original input. */
function wrap_outputs_maintaining_identity(
  outputs: unknown,
  unwrapped_inputs: readonly unknown[],
  orig_inputs: readonly unknown[],
  wrap_fn: (output: Tensor, out_dim: number | null) => unknown,
  out_dims?: unknown,
): unknown {
  const originals = new Map<unknown, unknown>();
  const flat_orig = flatten(tuple(orig_inputs))[0];
  for (const [i, unwrapped] of flatten(tuple(unwrapped_inputs))[0].entries()) originals.set(unwrapped, flat_orig[i]);
  const [flat_outputs, spec] = flatten(outputs);
  const flat_out_dims = out_dims === undefined ? [] : _broadcast_to_and_flatten(out_dims, spec);
  if (flat_out_dims === null)
    throw new RuntimeError(
      "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. " +
        `Expected out_dims=${str(out_dims)} to be compatible with the structure of \`output\`. ` +
        `out_dims has structure ${flatten(out_dims)[1]} but output has structure ${spec}. ` +
        "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html",
    );
  return spec.unflatten(
    flat_outputs.map((output, i) => {
      if (!(output instanceof Tensor)) return output;
      return originals.get(output) ?? wrap_fn(output, (flat_out_dims[i] as number | null) ?? null);
    }),
  );
}

function custom_function_call_vmap(
  interpreter: VmapInterpreter,
  autograd_function: FunctionLike,
  operands: readonly unknown[],
): unknown {
  const { name, generate_vmap_rule } = autograd_function;
  const overridden = autograd_function.vmap !== Function.vmap;
  const more = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html";
  if (generate_vmap_rule === true) {
    if (overridden)
      throw new RuntimeError(
        `You tried to vmap over ${name}, but it has both generate_vmap_rule=True and an overridden vmap staticmethod. ` +
          `Please set generate_vmap_rule=False or delete the overridden vmap staticmethod to avoid ambiguity. ${more}`,
      );
    return custom_function_call_vmap_generate_rule(interpreter, autograd_function, operands);
  }
  if (!overridden)
    throw new RuntimeError(
      `You tried to vmap over ${name}, but it does not have vmap support. Please override and implement the ` +
        `vmap staticmethod or set generate_vmap_rule=True. ${more}`,
    );
  return custom_function_call_vmap_helper(
    interpreter,
    (...args: unknown[]) => autograd_function.vmap(...args),
    operands,
    (fn) => lower(interpreter, fn),
    (...args) => custom_function_call(autograd_function, ...args),
  );
}

/** The facts that a rule for vmap gets: `VmapInfo`. */
export interface VmapInfo {
  readonly batch_size: number;
  readonly randomness: string;
}

function validate_vmap_returns_tuple_of_two_elements(result: unknown): asserts result is [unknown, unknown] {
  const expected =
    "Expected the vmap staticmethod to have two returns, an output " +
    "and out_dims with pytree structure compatible with the output. ";
  if (!Array.isArray(result)) throw new RuntimeError(`${expected}Got a ${type_repr(result, "class")} instead`);
  if (result.length !== 2) throw new RuntimeError(`${expected}Got ${result.length} returns instead`);
}

/**
 * Calls a rule for vmap that a program wrote: `vmap_function(info, in_dims, ...values)` returns `[outputs, out_dims]`.
 * @param lowered runs a function below the layer
 * @param unbatched the call, if no operand is batched at the level
 */
export function custom_function_call_vmap_helper(
  interpreter: VmapInterpreter,
  vmap_function: unknown,
  operands: readonly unknown[],
  lowered: <R>(fn: () => R) => R,
  unbatched: (...operands: unknown[]) => unknown,
): unknown {
  const level = interpreter.level();
  const info: VmapInfo = { batch_size: interpreter.batchSize(), randomness: randomness_of(interpreter) };
  const [unwrapped, in_dims] = unwrap_batched(tuple(operands), level) as [unknown[], unknown];
  if (flatten(in_dims)[0].every((dim) => dim === null)) return lowered(() => unbatched(...operands));
  const result = lowered(() => call_function(vmap_function, [info, in_dims, ...unwrapped]));
  validate_vmap_returns_tuple_of_two_elements(result);
  const wrap_fn = (output: Tensor, out_dim: number | null): unknown =>
    out_dim === null ? output : C._add_batch_dim(output, out_dim, level);
  return wrap_outputs_maintaining_identity(result[0], unwrapped, operands, wrap_fn, result[1]);
}

function custom_function_call_vmap_generate_rule(
  interpreter: VmapInterpreter,
  autograd_function: FunctionLike,
  operands: readonly unknown[],
): unknown {
  const [unwrapped, in_dims] = unwrap_batched(tuple(operands), interpreter.level()) as [unknown[], unknown[]];
  const vmapped = vmapify_autograd_function(
    autograd_function,
    in_dims,
    interpreter.batchSize(),
    randomness_of(interpreter),
  );
  const result = lower(interpreter, () => custom_function_call(vmapped, ...unwrapped)) as readonly Any[];
  const [outputs, out_dims] = unpack_outputs(result);
  const [wrapped] = wrap_batched([outputs], pack(out_dims), interpreter.level());
  return wrapped;
}

set_functorch_call((autograd_function, has_setup_context, args) => {
  if (!has_setup_context)
    throw new RuntimeError(
      "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must override " +
        "the setup_context staticmethod. For more details, please see " +
        "https://pytorch.org/docs/main/notes/extending.func.html",
    );
  return custom_function_call(autograd_function as FunctionLike, ...args);
});
