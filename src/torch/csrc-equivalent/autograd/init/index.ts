/**
 * @file The functions of `torch._C` for autograd: modes, anomaly detection, saved tensor hooks, the current run.
 * @mirrors torch/csrc/autograd/init.cpp
 */

import { torch_function_mode_enabled } from "#aten/PythonTorchFunctionTLS";
import { AutogradState } from "#c10/core/AutogradState";
import { GradMode } from "#c10/core/GradMode";
import { InferenceMode } from "#c10/core/InferenceMode";
import { TORCH_CHECK, TORCH_CHECK_TYPE, TORCH_INTERNAL_ASSERT, TypeError_ } from "#c10/util/Exception";
import { AnomalyMode } from "#torch/csrc-equivalent/autograd/anomaly_mode";
import { enter_dual_level, exit_dual_level } from "#torch/csrc-equivalent/autograd/autograd";
import {
  AutogradFallbackMode,
  getAutogradFallbackMode,
  setAutogradFallbackMode,
} from "#torch/csrc-equivalent/autograd/autograd_not_implemented_fallback";
import { get_current_graph_task_execution_order } from "#torch/csrc-equivalent/autograd/engine/index";
import { DelayedError, UndefinedGrad } from "#torch/csrc-equivalent/autograd/functions/basic_ops";
import {
  current_graph_task,
  get_current_graph_task_id,
  get_current_graph_task_keep_graph,
} from "#torch/csrc-equivalent/autograd/graph_task";
import { get_current_node, type Node } from "#torch/csrc-equivalent/autograd/node";
import {
  functionToPyObject,
  PyAccumulateGrad,
  type PyNodeObject,
  THPCppFunction,
} from "#torch/csrc-equivalent/autograd/python_cpp_function";
import { THPFunction } from "#torch/csrc-equivalent/autograd/python_function";
import { PyDefaultSavedVariableHooks } from "#torch/csrc-equivalent/autograd/python_saved_variable_hooks";
import {
  type TensorBase,
  THPVariable_Check,
  THPVariable_Unpack,
} from "#torch/csrc-equivalent/autograd/python_variable/type";
import { bump_version } from "#torch/csrc-equivalent/autograd/variable/impl";
import { PythonArgParser, take_kwargs } from "#torch/csrc-equivalent/utils/python_arg_parser";
import { handle_torch_function_no_python_arg_parser } from "#torch/csrc-equivalent/utils/python_arg_parser_torch_function";
import { python_type as THPUtils_typename } from "#torch/csrc-equivalent/utils/python_numbers";
import { repr } from "#torch/csrc-equivalent/utils/python_repr";

export {
  type PyNodeObject,
  type RemovableHandle,
  set_register_hook,
  THPCppFunction,
} from "#torch/csrc-equivalent/autograd/python_cpp_function";
export { _ImperativeEngine, set_THPGradientEdgeClass } from "#torch/csrc-equivalent/autograd/python_engine";
export { THPFunction as _FunctionBase, THPFunction_apply } from "#torch/csrc-equivalent/autograd/python_function";

// Grad mode

export function _set_grad_enabled(enabled: boolean): void {
  TORCH_CHECK_TYPE(
    typeof enabled === "boolean",
    `set_grad_enabled(): argument 'enabled' (position 1) must be bool, not ${THPUtils_typename(enabled)}`,
  );
  if (torch_function_mode_enabled()) {
    const func = _set_grad_enabled;
    handle_torch_function_no_python_arg_parser([], [enabled], null, "_set_grad_enabled", func, "torch._C");
    return;
  }
  GradMode.set_enabled(enabled);
}

export function is_grad_enabled(): boolean {
  return GradMode.is_enabled();
}

// Inference mode

export { InferenceMode as _InferenceMode };

export function is_inference_mode_enabled(): boolean {
  return InferenceMode.is_enabled();
}

// Other switches

export function _is_multithreading_enabled(): boolean {
  return AutogradState.get_tls_state().get_multithreading_enabled();
}

/** Kept for programs that set it: one thread runs everything here. */
export function _set_multithreading_enabled(enabled: boolean): void {
  AutogradState.get_tls_state().set_multithreading_enabled(enabled);
}

export function _is_view_replay_enabled(): boolean {
  return AutogradState.get_tls_state().get_view_replay_enabled();
}

export function _set_view_replay_enabled(enabled: boolean): void {
  AutogradState.get_tls_state().set_view_replay_enabled(enabled);
}

export function _is_grad_layout_enforcement_enabled(): boolean {
  return AutogradState.get_tls_state().get_grad_layout_enforcement_enabled();
}

export function _set_grad_layout_enforcement_enabled(enabled: boolean): void {
  AutogradState.get_tls_state().set_grad_layout_enforcement_enabled(enabled);
}

const FALLBACK_MODES = {
  nothing: AutogradFallbackMode.Nothing,
  warn: AutogradFallbackMode.Warn,
  error: AutogradFallbackMode.Error,
};

/** Autograd's treatment of operators that have no autograd kernel: "nothing", "warn" or "error". */
export function _get_autograd_fallback_mode(): string {
  const mode = getAutogradFallbackMode();
  return Object.entries(FALLBACK_MODES).find(([, known]) => known === mode)?.[0] as string;
}

/** "error" is refused, as in PyTorch. */
export function _set_autograd_fallback_mode(mode: string): void {
  if (typeof mode !== "string")
    throw new TypeError_(
      "_set_autograd_fallback_mode(): incompatible function arguments. The following argument types are supported:\n" +
        `    1. (arg0: str) -> None\n\nInvoked with: ${repr(mode)}`,
    );
  TORCH_INTERNAL_ASSERT(Object.hasOwn(FALLBACK_MODES, mode), `Unsupported AutogradFallbackMode: ${mode}`);
  setAutogradFallbackMode(FALLBACK_MODES[mode as keyof typeof FALLBACK_MODES]);
}

// Forward mode

export function _is_fwd_grad_enabled(): boolean {
  return AutogradState.get_tls_state().get_fw_grad_mode();
}

/** Whether tangents are seen: a custom Function runs its `forward` without. */
export function _set_fwd_grad_enabled(enabled: boolean): void {
  AutogradState.get_tls_state().set_fw_grad_mode(enabled);
}

export function _enter_dual_level(): number {
  return enter_dual_level();
}

const exit_dual_level_parser = new PythonArgParser(["exit_dual_level(int64_t level)"]);
export function _exit_dual_level(level: number): void;
export function _exit_dual_level(kwargs: { level: number }): void;
export function _exit_dual_level(...args: unknown[]): void {
  const level = exit_dual_level_parser.parse(null, args, take_kwargs(args)).toInt64(0);
  TORCH_CHECK(level >= 0, "Dual level must be a positive number.");
  exit_dual_level(level);
}

// Autocast

export * from "./autocast.ts";

// Modes

export {
  _get_dispatch_mode,
  _get_dispatch_stack_at,
  _len_torch_dispatch_stack,
  _pop_torch_dispatch_stack,
  _push_on_torch_dispatch_stack,
  _RestorePythonTLSSnapshot,
  _set_dispatch_mode,
  _TorchDispatchModeKey,
  _unset_dispatch_mode,
} from "#torch/csrc-equivalent/PyInterpreter";

// Anomaly mode

const set_anomaly_mode_enabled_parser = new PythonArgParser(["set_anomaly_enabled(bool enabled, bool check_nan=True)"]);
export function set_anomaly_enabled(enabled: boolean, check_nan?: boolean): void;
export function set_anomaly_enabled(kwargs: { enabled: boolean; check_nan?: boolean }): void;
export function set_anomaly_enabled(...args: unknown[]): void {
  const kwargs = take_kwargs(args);
  const r = set_anomaly_mode_enabled_parser.parse(null, args, kwargs);
  AnomalyMode.set_enabled(r.toBool(0), r.toBool(1));
}

export function is_anomaly_enabled(): boolean {
  return AnomalyMode.is_enabled();
}

export function is_anomaly_check_nan_enabled(): boolean {
  return AnomalyMode.should_check_nan();
}

// torch._C._autograd: saved tensor hooks

export const _push_saved_tensors_default_hooks = PyDefaultSavedVariableHooks.push_hooks;
export const _pop_saved_tensors_default_hooks = PyDefaultSavedVariableHooks.pop_hooks;
export const _saved_tensors_hooks_disable = PyDefaultSavedVariableHooks.disable;
export const _saved_tensors_hooks_enable = PyDefaultSavedVariableHooks.enable;
export const _saved_tensors_hooks_is_enabled = PyDefaultSavedVariableHooks.is_enabled;
export const _saved_tensors_hooks_get_disabled_error_message = PyDefaultSavedVariableHooks.get_disabled_error_message;

export { setWarnOnAccumulateGradStreamMismatch as _set_warn_on_accumulate_grad_stream_mismatch } from "#torch/csrc-equivalent/autograd/input_buffer/streams";
export { _make_saved_tensor, PySavedTensor as SavedTensor } from "./saved_tensor.ts";

// The run in progress

/** An object that stands for "one run" where several count as one; otherwise null. */
let graph_exec_group: object | null = null;

export function _get_graph_exec_group(): object | null {
  return graph_exec_group;
}

export function _set_graph_exec_group(group: object | null): void {
  graph_exec_group = group;
}

export function _current_graph_task_id(): number {
  return get_current_graph_task_id();
}

export function _current_autograd_node(): PyNodeObject | null {
  return functionToPyObject(get_current_node());
}

export function _current_graph_task_execution_order(): (PyNodeObject | null)[] {
  TORCH_CHECK(
    current_graph_task !== null,
    "_current_graph_task_execution_order should only be called during the backward pass",
  );
  return get_current_graph_task_execution_order().map(functionToPyObject);
}

export function _get_current_graph_task_keep_graph(): boolean {
  return get_current_graph_task_keep_graph();
}

// Versions

export function _increment_version(tensors: readonly TensorBase[]): void {
  for (const tensor of tensors) {
    TORCH_CHECK_TYPE(
      THPVariable_Check(tensor),
      "increment_version expects each element of the iterable to be a tensor",
    );
    const t = THPVariable_Unpack(tensor);
    if (!t.impl_.is_inference()) bump_version(t);
  }
}

export function _unsafe_set_version_counter(tensors: readonly TensorBase[], versions: readonly number[]): void {
  for (const [i, tensor] of tensors.entries()) {
    THPVariable_Unpack(tensor).impl_.version_counter().set_version(versions[i]);
  }
}

/** Whether the run in progress will run (or capture at) this node. */
export function _will_engine_execute_node(node: PyNodeObject & { readonly cdata: Node }): boolean {
  TORCH_CHECK(
    node instanceof THPCppFunction || node instanceof THPFunction,
    `_will_engine_execute_node expects an grad_fn, but got ${THPUtils_typename(node)}`,
  );
  const task = current_graph_task;
  TORCH_CHECK(task !== null, "_get_should_execute_nodes should only be called during the backward pass");
  const fn = node.cdata;
  if (task.state(fn)?.in_graph !== true) return false;
  if (!task.has_exec_info()) return true;
  const info = task.exec_info(fn);
  if (info === null || !info.should_execute()) return false;
  TORCH_CHECK(
    !(fn.topological_nr() === 0 && info.captures_ !== null),
    "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). " +
      "This is currently not supported.",
  );
  return true;
}

/** `torch._C._functions`: nodes that are called on tensors. */
export const _functions = {
  /** The class of a leaf's node. */
  AccumulateGrad: PyAccumulateGrad,
  /** A node that returns its tensor without passing gradients on. */
  UndefinedGrad(...args: unknown[]): THPCppFunction {
    TORCH_CHECK(args.length === 0, "Requires zero arguments, got ", args.length);
    return functionToPyObject(new UndefinedGrad()) as THPCppFunction;
  },
  /** A node that returns its tensors; `msg` is thrown when a gradient arrives. */
  DelayedError(msg: string, num_inputs: number): THPCppFunction {
    return functionToPyObject(new DelayedError(msg, num_inputs)) as THPCppFunction;
  },
};
