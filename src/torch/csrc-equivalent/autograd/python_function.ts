/**
 * @file `torch.autograd.Function` below the front end: the object `ctx`, its node, and `apply`.
 * @mirrors torch/csrc/autograd/python_function.h
 * @differs Tracing is not built; PyTorch has it. Transforms call a Function in torch/_functorch/autograd_function.
 */

import { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { AutoFwGradMode, AutoGradMode, GradMode } from "#c10/core/GradMode";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { RuntimeError, TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import { EMPTY_TUPLE, tuple, tuple_map } from "#python/Objects/tupleobject";
import { python_type as THPUtils_typename } from "#torch/csrc-equivalent/utils/python_numbers";
import { _wrap_outputs } from "./custom_function/index.ts";
import { _process_forward_mode_AD } from "./custom_function/process_forward_mode_AD.ts";
import { any_variable_requires_grad, collect_next_edges } from "./function.ts";
import { Frame } from "./handed_over.ts";
import { PySavedTensor } from "./init/saved_tensor.ts";
import type { InputMetadata } from "./input_metadata.ts";
import { Node, type variable_list } from "./node.ts";
import type { PyAnomalyMetadata } from "./python_anomaly_mode.ts";
import {
  input_metadata_of,
  next_functions_of,
  type PyNodeObject,
  type RemovableHandle,
  register_hook_dict,
  registerFunctionHook,
  registerFunctionPreHook,
  sequence_nr_of,
} from "./python_cpp_function.ts";
import type { PyHook } from "./python_hook.ts";
import { type TensorBase, THPVariable_Check, THPVariable_Unpack } from "./python_variable/type.ts";
import { THPVariable_Wrap } from "./python_variable/wrap.ts";
import { ERR_BACKWARD_TWICE, SavedVariable } from "./saved_variable.ts";
import { bump_version } from "./variable/index.ts";
import { VariableInfo } from "./variable_info.ts";

/** `_C._FunctionBase`: the `ctx` of one call, which is also the node's object (`y.grad_fn`). */
export abstract class THPFunction implements PyNodeObject {
  cdata!: PyNode;
  /** One bool per argument of `forward`. */
  needs_input_grad: readonly boolean[] = EMPTY_TUPLE;
  to_save: readonly (TensorBase | null)[] | null = null;
  non_differentiable: readonly TensorBase[] | null = null;
  dirty_tensors: readonly TensorBase[] | null = null;
  saved_for_forward: readonly (TensorBase | null)[] | null = null;
  /** If true, missing gradients arrive as zeros; if false, as null. */
  materialize_grads = true;
  output_info: VariableInfo[] = [];
  saved_variables_: SavedVariable[] = [];
  is_variable_input: boolean[] = [];
  has_freed_buffers = false;

  /** Calls the user's `backward`. */
  abstract apply(...grad_outputs: (TensorBase | null)[]): unknown;

  /** Calls the user's `jvp`. */
  abstract apply_jvp(...grad_inputs: (TensorBase | null)[]): unknown;

  /** Tensors that take the place of the saved ones while a rule of vmap runs. */
  new_saved_tensors: (TensorBase | null)[] | null = null;

  /** While `jvp` runs, those of `save_for_forward`. */
  get saved_tensors(): (TensorBase | null)[] {
    if (this.new_saved_tensors !== null) return this.new_saved_tensors;
    if (this.saved_for_forward !== null) return this.saved_for_forward as (TensorBase | null)[];
    TORCH_CHECK(!this.has_freed_buffers, ERR_BACKWARD_TWICE);
    return tuple_map(this.saved_variables_, (saved) => THPVariable_Wrap(saved.unpack(this.cdata)));
  }

  get _raw_saved_tensors(): PySavedTensor[] {
    TORCH_CHECK(!this.has_freed_buffers, ERR_BACKWARD_TWICE);
    return tuple_map(this.saved_variables_, (saved) => new PySavedTensor(saved));
  }

  get next_functions(): readonly (readonly [PyNodeObject | null, number])[] {
    return next_functions_of(this.cdata);
  }

  get metadata(): Map<unknown, unknown> {
    return (this.cdata.metadata() as PyAnomalyMetadata).dict();
  }

  get _input_metadata(): readonly InputMetadata[] {
    return input_metadata_of(this.cdata);
  }

  name(): string {
    return this.cdata.name();
  }

  _sequence_nr(): number | bigint {
    return sequence_nr_of(this.cdata);
  }

  _set_sequence_nr(sequence_nr: number): void {
    this.cdata.set_sequence_nr(sequence_nr);
  }

  _register_hook_dict(variable: unknown): void {
    register_hook_dict(this.cdata, variable);
  }

  register_hook(hook: PyHook): RemovableHandle {
    return registerFunctionHook(this.cdata, hook);
  }

  register_prehook(hook: PyHook): RemovableHandle {
    return registerFunctionPreHook(this.cdata, hook);
  }

  toString(): string {
    return `<torch.autograd.function.${this.cdata.name()} object>`;
  }

  /** Makes Node's console print a graph's node as Python would, instead of the whole graph. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

/** The members of a user's Function class that `apply` needs. */
export interface FunctionClass {
  readonly name: string;
  /** The class of `ctx`, named `<name>Backward`. */
  readonly _backward_cls: new () => THPFunction;
  forward(...args: unknown[]): unknown;
  setup_context(ctx: unknown, inputs: readonly unknown[], output: unknown): unknown;
}

export class PyNode extends Node {
  /** `ctx`. */
  readonly obj: THPFunction;

  constructor(obj: THPFunction) {
    super();
    this.obj = obj;
    this.pyobj_slot_ = obj;
    obj.cdata = this;
  }

  name(): string {
    return this.obj.constructor.name;
  }

  override trace_name(): string {
    return "torch::autograd::PyNode::apply";
  }

  apply(inputs: variable_list): variable_list {
    const py_fn = this.obj;
    const frame = new Frame(); // see Note [Who holds what a user's backward returns]
    let result: unknown;
    try {
      result = py_fn.apply(...this.to_py_args(inputs));
    } finally {
      frame.leave();
    }
    return this.checked(Array.isArray(result) ? result : [result ?? null], frame);
  }

  /** Checks the result of `backward` and converts it for the engine. */
  private checked(r: unknown[], frame: Frame): variable_list {
    const py_fn = this.obj;
    const num_forward_inputs = py_fn.is_variable_input.length;
    // More results than inputs are allowed if the extra ones are null.
    while (r.length > num_forward_inputs && (r[r.length - 1] ?? null) === null) r.pop();
    if (r.length !== num_forward_inputs) {
      throw new RuntimeError(
        `function ${this.name()} returned an incorrect number of gradients ` +
          `(expected ${num_forward_inputs}, got ${r.length})`,
      );
    }
    const results = this.to_variable_list(r, py_fn.is_variable_input);
    frame.hand_over(r);
    return results;
  }

  /** The gradients for `backward`: missing ones are zeros, unless it requested null. */
  private to_py_args(inputs: variable_list): (TensorBase | null)[] {
    const py_fn = this.obj;
    return inputs.map((input, i) => {
      const info = py_fn.output_info[i];
      const materialize = py_fn.materialize_grads && !info.is_empty() && !input.defined();
      return THPVariable_Wrap(materialize ? info.zeros() : input);
    });
  }

  private to_variable_list(outputs: readonly unknown[], is_variable_input: readonly boolean[]): variable_list {
    const results: variable_list = [];
    for (let i = 0; i < outputs.length; i++) {
      const output = outputs[i] ?? null;
      if (is_variable_input[i] !== true) {
        if (output !== null) {
          throw new RuntimeError(
            `function ${this.name()} returned a gradient different than None at position ${i + 1}, ` +
              "but the corresponding forward input was not a Variable",
          );
        }
      } else if (output === null) {
        results.push(new Tensor());
      } else {
        if (!THPVariable_Check(output)) {
          throw new RuntimeError(`expected Variable or None (got ${THPUtils_typename(output)})`);
        }
        results.push(THPVariable_Unpack(output));
      }
    }
    return results;
  }

  override release_variables(): void {
    const py_fn = this.obj;
    for (const saved of py_fn.saved_variables_) saved.reset_data();
    py_fn.saved_variables_ = [];
    py_fn.has_freed_buffers = true;
  }
}

/** `Function.apply`: runs `forward` without recording, and makes its outputs the node's. */
export function THPFunction_apply(cls: FunctionClass, overridden_setup_context: boolean, inputs: unknown[]): unknown {
  const input_vars: variable_list = [];
  const is_variable_input: boolean[] = [];
  const needs_input_grad: boolean[] = [];
  for (const arg of inputs) {
    const is_variable = THPVariable_Check(arg);
    is_variable_input.push(is_variable);
    needs_input_grad.push(is_variable && THPVariable_Unpack(arg).requires_grad());
    if (is_variable) input_vars.push(THPVariable_Unpack(arg));
  }
  const is_executable = GradMode.is_enabled() && any_variable_requires_grad(input_vars);

  const ctx = new cls._backward_cls();
  const cdata = new PyNode(ctx);
  cdata.set_next_edges(is_executable ? collect_next_edges(input_vars) : []);
  ctx.needs_input_grad = tuple(needs_input_grad);
  ctx.is_variable_input = is_variable_input;

  const fw_grad_mode = new AutoFwGradMode(false);
  const grad_mode = new AutoGradMode(false);
  let output: unknown;
  try {
    if (overridden_setup_context) {
      output = cls.forward(...inputs);
      cls.setup_context(ctx, tuple(inputs), output);
    } else {
      output = cls.forward(ctx, ...inputs);
    }
  } finally {
    grad_mode.restore();
    fw_grad_mode.restore();
  }
  return process_outputs(cdata, ctx, input_vars, output, is_executable, overridden_setup_context);
}

function process_outputs(
  cdata: PyNode,
  ctx: THPFunction,
  input_vars: variable_list,
  output: unknown,
  is_executable: boolean,
  overridden_setup_context: boolean,
): unknown {
  const raw_output: readonly unknown[] = Array.isArray(output) ? output : [output];
  cdata.clear_input_metadata();
  const to_save = new Set<TensorImpl>();
  if (overridden_setup_context && is_executable) {
    for (const tensor of tuple_of(ctx, "to_save")) if (tensor !== null) to_save.add(tensor.cdata.impl_);
  }
  const non_differentiable = _parse_non_differentiable(ctx);
  const dirty_inputs = _mark_dirty(ctx);
  const raw_outputs = raw_output.map((raw) => (THPVariable_Check(raw) ? THPVariable_Unpack(raw) : null));
  const wrapped_outputs = _wrap_outputs(
    input_vars,
    non_differentiable,
    dirty_inputs,
    raw_outputs,
    is_executable ? cdata : null,
    to_save,
    (self) => self.view_as(self),
  );
  // After the nodes are made, because what `jvp` computes is recorded for backward.
  const said = { raw_outputs, outputs: wrapped_outputs, non_differentiable, dirty_inputs };
  _process_forward_mode_AD(input_vars, said, (inputs, grad_inputs) => call_jvp(ctx, inputs, grad_inputs));
  const outputs = wrapped_outputs.map((wrapped, i) => (wrapped === null ? raw_output[i] : THPVariable_Wrap(wrapped)));
  if (is_executable) {
    ctx.output_info = wrapped_outputs.map((wrapped) => new VariableInfo(wrapped));
    // Only after the outputs have their node, because saving an output reads it.
    _save_variables(cdata, ctx);
  }
  ctx.to_save = null;
  ctx.non_differentiable = null;
  ctx.dirty_tensors = null;
  ctx.saved_for_forward = null;
  return Array.isArray(output) ? tuple(outputs) : outputs[0];
}

/** The user's `jvp`, called with null where an argument of `forward` is no tensor, and zeros where it has no tangent. */
function call_jvp(ctx: THPFunction, inputs: variable_list, grad_inputs: variable_list): variable_list {
  let variable_idx = 0;
  const args = ctx.is_variable_input.map((is_variable) => {
    if (!is_variable) return null;
    const input = inputs[variable_idx];
    const grad = grad_inputs[variable_idx++];
    return THPVariable_Wrap(grad.defined() || !ctx.materialize_grads ? grad : at.zeros_like(input));
  });
  const r = ctx.apply_jvp(...args);
  return (Array.isArray(r) ? r : [r ?? null]).map((output, i) => {
    if ((output ?? null) === null) return new Tensor();
    TORCH_CHECK(
      THPVariable_Check(output),
      "expected Variable or None (got ",
      THPUtils_typename(output),
      ") for grad output ",
      i,
      ".",
    );
    return THPVariable_Unpack(output);
  });
}

// PyTorch's `THPFunction_assert` drops everything after the first part of these texts: neither position nor type is said.

function tuple_of<K extends "dirty_tensors" | "non_differentiable" | "to_save">(
  ctx: THPFunction,
  name: K,
): NonNullable<THPFunction[K]> {
  const value = ctx[name] ?? [];
  if (Array.isArray(value)) return value as NonNullable<THPFunction[K]>;
  throw new RuntimeError(`autograd internal error: ${name} attribute is expected to be a tuple but is `);
}

function _save_variables(cdata: PyNode, ctx: THPFunction): void {
  if (ctx.to_save === null) return;
  ctx.saved_variables_ = tuple_of(ctx, "to_save").map((obj, i) => {
    if (obj === null) return new SavedVariable(null, false);
    if (!THPVariable_Check(obj)) {
      throw new TypeError_(
        `save_for_backward can only save variables, but argument ${i} ` + `is of type ${THPUtils_typename(obj)}`,
      );
    }
    const tensor = THPVariable_Unpack(obj);
    return new SavedVariable(tensor, tensor.grad_fn() === cdata);
  });
}

function _parse_non_differentiable(ctx: THPFunction): Set<TensorImpl> {
  const set = new Set<TensorImpl>();
  for (const t of tuple_of(ctx, "non_differentiable")) {
    if (!THPVariable_Check(t)) {
      throw new RuntimeError("mark_non_differentiable only accepts variable arguments, but got ");
    }
    set.add(THPVariable_Unpack(t).impl_);
  }
  return set;
}

/** The tensors changed in place, with their versions incremented. */
function _mark_dirty(ctx: THPFunction): Set<TensorImpl> {
  const dirty_inputs = new Set<TensorImpl>();
  for (const obj of tuple_of(ctx, "dirty_tensors")) {
    if (!THPVariable_Check(obj)) {
      throw new RuntimeError("mark_dirty can only accept variables, but argument ");
    }
    const tensor = THPVariable_Unpack(obj);
    dirty_inputs.add(tensor.impl_);
    bump_version(tensor);
  }
  return dirty_inputs;
}

export function THPFunction_initModule(module: Record<string, unknown>): void {
  module["_FunctionBase"] = THPFunction;
}
