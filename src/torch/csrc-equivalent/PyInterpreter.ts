/**
 * @file The path of an operator call into Python: `__torch_dispatch__` of the innermost mode.
 * @mirrors torch/csrc/PyInterpreter.h
 * @differs Only modes are called; PyTorch also calls tensor subclasses with a `__torch_dispatch__` of their own.
 * @see src/aten/core/PythonFallbackKernel.ts (the key that leads here)
 */
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import {
  RestorePythonTLSSnapshot as _RestorePythonTLSSnapshot,
  with_tls_on_entry,
} from "#aten/core/PythonFallbackKernel";
import { popn, type Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import { REGISTER_PYTHON_HOOKS } from "#c10/core/impl/PyInterpreterHooks";
import { TorchDispatchModeTLS } from "#c10/core/impl/TorchDispatchModeTLS";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import { EMPTY_TUPLE, tuple } from "#python/Objects/tupleobject";
import { call_handler } from "./autograd/handed_over.ts";
import { THPVariable_Check, THPVariable_Unpack } from "./autograd/python_variable/type.ts";
import { THPVariable_Wrap } from "./autograd/python_variable/wrap.ts";
import { NotImplemented } from "./utils/disable_torch_function.ts";
import { getTorchApiFunctionOf, parseIValuesToPyArgsKwargs, pushPyOutToStack } from "./utils/PythonKernelHolder.ts";
import { isDict, python_type } from "./utils/python_numbers.ts";

/** The members of a mode. */
interface DispatchMode {
  __torch_dispatch__(func: unknown, types: readonly unknown[], args: unknown[], kwargs: object): unknown;
}

/** A library's rule for one operator and one class of modes; it replaces the mode's own handler. */
type Rule = (mode: object, ...call: Parameters<DispatchMode["__torch_dispatch__"]>) => unknown;

let maybe_get_registered_torch_dispatch_rule: (func: unknown, mode: object) => Rule | null = () => null;

/** Called by the front end, which stores the rules, to register how they are found. */
export function setFindTorchDispatchRule(find: typeof maybe_get_registered_torch_dispatch_rule): void {
  maybe_get_registered_torch_dispatch_rule = find;
}

/** Calls the innermost mode, which is off while its own handler runs: calls that the handler makes go to the next outer mode. */
function call_mode(func: unknown, args: unknown[], kwargs: object): unknown {
  const mode = TorchDispatchModeTLS.pop_stack() as DispatchMode;
  let out: unknown;
  try {
    const rule = maybe_get_registered_torch_dispatch_rule(func, mode);
    out = call_handler(() =>
      rule === null
        ? mode.__torch_dispatch__(func, EMPTY_TUPLE, args, kwargs)
        : rule(mode, func, EMPTY_TUPLE, args, kwargs),
    );
  } finally {
    TorchDispatchModeTLS.push_non_infra_mode_onto_stack(mode);
  }
  if (out !== NotImplemented) return out;
  throw new TypeError_(
    `Multiple dispatch failed for 'torch._ops.${func}'; all __torch_dispatch__ handlers returned NotImplemented:\n\n` +
      `  - mode object <${mode.constructor.name} object>\n\nFor more information, try re-running with TORCH_LOGS=not_implemented`,
  );
}

function dispatch(op: OperatorHandle, stack: Stack): void {
  const args = parseIValuesToPyArgsKwargs(op, popn(stack, op.schema().arguments().length));
  const kwargs = isDict(args.at(-1)) ? (args.pop() as object) : {};
  pushPyOutToStack(op, stack, call_mode(getTorchApiFunctionOf(op), tuple(args), kwargs), "__torch_dispatch__");
}

function detach(self: TensorImpl): TensorImpl {
  const func = getTorchApiFunctionOf(Dispatcher.singleton().findSchemaOrThrow("aten::detach", ""));
  const out = with_tls_on_entry(() => call_mode(func, [THPVariable_Wrap(new Tensor(self))], {}));
  TORCH_CHECK(THPVariable_Check(out), "detach returned invalid type ", python_type(out), ", expected Tensor");
  return THPVariable_Unpack(out).impl_;
}

// The stack of modes, as `torch._C` exposes it ------------------------------------------------------------------------------

export function _push_on_torch_dispatch_stack(mode: object): void {
  TorchDispatchModeTLS.push_non_infra_mode_onto_stack(mode);
}

/** Pops and returns the innermost mode. */
export function _pop_torch_dispatch_stack(_mode_key: null = null): object {
  return TorchDispatchModeTLS.pop_stack();
}

export function _get_dispatch_stack_at(idx: number): object {
  return TorchDispatchModeTLS.get_stack_at(idx);
}

export function _len_torch_dispatch_stack(): number {
  return TorchDispatchModeTLS.stack_len();
}

export { _RestorePythonTLSSnapshot };

REGISTER_PYTHON_HOOKS({ detach, dispatch });
