/**
 * @file Hooks that users register: they receive and return the front end's tensors, and are stored in dictionaries that
 * handles edit.
 * @mirrors torch/csrc/autograd/python_hook.h
 * @differs A dictionary is a `Map` from handle id to hook, and a tuple is an array; PyTorch has Python's own types.
 */
import { Tensor } from "#aten/generated/core/TensorBody";
import { RuntimeError, TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import { tuple_map } from "#python/Objects/tupleobject";
import { python_type as THPUtils_typename } from "#torch/csrc-equivalent/utils/python_numbers";
import { check_variable_result } from "./custom_function/check_variable_result.ts";
import type { FunctionPostHook, FunctionPreHook, PostAccumulateGradHook } from "./function_hook.ts";
import { Frame } from "./handed_over.ts";
import type { variable_list } from "./node.ts";
import { type TensorBase, THPVariable_Check, THPVariable_Unpack } from "./python_variable/type.ts";
import { THPVariable_Wrap } from "./python_variable/wrap.ts";

type PyTensor = TensorBase | null;
// biome-ignore lint/suspicious/noExplicitAny: what a user's hook takes is for the user to say
export type PyHook = (...args: any[]) => unknown;
export type HookDict = Map<number, PyHook>;

function hook_name(hook: PyHook): string {
  return hook.name === "" ? "<lambda>" : hook.name;
}

function check_single_result(original: PyTensor, result: unknown, hook: PyHook): PyTensor {
  if (result === null || result === undefined) return null;
  if (original === null) throw new RuntimeError("can't replace a None gradient with a non-None value");
  if (!THPVariable_Check(result)) {
    throw new TypeError_(`expected Variable, but hook returned '${THPUtils_typename(result)}'`);
  }
  check_variable_result(THPVariable_Unpack(original), THPVariable_Unpack(result), hook_name(hook));
  return result;
}

function check_result(prev: readonly PyTensor[], result: unknown, hook: PyHook): PyTensor[] {
  if (!Array.isArray(result)) throw new TypeError_(`expected tuple, but hook returned '${THPUtils_typename(result)}'`);
  if (result.length !== prev.length) {
    throw new RuntimeError(
      `hook '${hook_name(hook)}' has returned an incorrect number of values ` +
        `(got ${result.length}, but expected ${prev.length})`,
    );
  }
  return tuple_map(prev, (original, i) => check_single_result(original, result[i], hook));
}

/**
 * Runs every hook of `dict` on `value`, each on the previous one's result. Tensors that a hook made and returned count
 * as handed over; see Note [Who holds what a user's backward returns].
 */
function call_hooks<T extends PyTensor | PyTensor[]>(
  dict: HookDict,
  value: T,
  rest: readonly unknown[],
  check: (value: T, result: unknown, hook: PyHook) => T,
): T {
  const frame = new Frame();
  try {
    // A copy: a hook may remove itself.
    for (const hook of [...dict.values()]) {
      const result = hook(value, ...rest);
      if (result !== null && result !== undefined && result !== value) value = check(value, result, hook);
    }
  } finally {
    frame.leave();
  }
  frame.hand_over(Array.isArray(value) ? value : [value]);
  return value;
}

function wrap_variables(variables: variable_list): PyTensor[] {
  return tuple_map(variables, (variable) => THPVariable_Wrap(variable));
}

function unwrap_variables(variables: readonly PyTensor[]): variable_list {
  return variables.map((variable) => (variable === null ? new Tensor() : THPVariable_Unpack(variable)));
}

/** `Tensor.register_hook`: receives the gradient of one output of the node's forward. */
export class PyFunctionTensorPreHook implements FunctionPreHook {
  readonly dict: HookDict;
  readonly value_idx: number;

  constructor(dict: HookDict, value_idx: number) {
    this.dict = dict;
    this.value_idx = value_idx;
  }

  call(values: variable_list): variable_list {
    const value = THPVariable_Wrap(values[this.value_idx]);
    const result = call_hooks(this.dict, value, [], check_single_result);
    if (result === value) return values;
    const results = [...values];
    results[this.value_idx] = result === null ? new Tensor() : THPVariable_Unpack(result);
    return results;
  }
}

/** `grad_fn.register_prehook`: receives all incoming gradients. */
export class PyFunctionPreHook implements FunctionPreHook {
  readonly dict: HookDict;

  constructor(dict: HookDict) {
    this.dict = dict;
  }

  call(values: variable_list): variable_list {
    const grads = wrap_variables(values);
    const results = call_hooks(this.dict, grads, [], check_result);
    return results === grads ? values : unwrap_variables(results);
  }
}

/** `grad_fn.register_hook`: receives the outgoing and the incoming gradients. */
export class PyFunctionPostHook implements FunctionPostHook {
  readonly dict: HookDict;

  constructor(dict: HookDict) {
    this.dict = dict;
  }

  call(_outputs: variable_list, _inputs: variable_list): variable_list {
    const outputs = wrap_variables(_outputs);
    const results = call_hooks(this.dict, outputs, [wrap_variables(_inputs)], check_result);
    return results === outputs ? _outputs : unwrap_variables(results);
  }
}

/** `Tensor.register_post_accumulate_grad_hook`: runs when a leaf's `.grad` is up to date. */
export class PyFunctionTensorPostAccGradHooks implements PostAccumulateGradHook {
  readonly dict: HookDict;

  constructor(dict: HookDict) {
    this.dict = dict;
  }

  call(tensor: Tensor): void {
    const param = THPVariable_Wrap(tensor);
    const result = call_hooks(this.dict, param, [], check_single_result);
    TORCH_CHECK(result === param, "Tensor post accumulate grad hooks should return None.");
  }
}
