/**
 * @file The path of an operator call into Python: `__torch_dispatch__` of the innermost mode, then of the arguments' classes.
 * @mirrors torch/csrc/PyInterpreter.h
 * @see src/aten/core/PythonFallbackKernel.ts (the key that leads here)
 */
import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { IValue } from "#aten/core/ivalue";
import {
  RestorePythonTLSSnapshot as _RestorePythonTLSSnapshot,
  with_tls_on_entry,
} from "#aten/core/PythonFallbackKernel";
import { popn, type Stack } from "#aten/core/stack";
import { Tensor } from "#aten/generated/core/TensorBody";
import { DispatchKey } from "#c10/core/DispatchKey";
import { autograd_dispatch_keyset_with_ADInplaceOrView } from "#c10/core/DispatchKeySet";
import { ExcludeDispatchKeyGuard } from "#c10/core/impl/LocalDispatchKeySet";
import { REGISTER_PYTHON_HOOKS } from "#c10/core/impl/PyInterpreterHooks";
import { TorchDispatchModeKey, TorchDispatchModeTLS, to_string } from "#c10/core/impl/TorchDispatchModeTLS";
import { MemoryFormat } from "#c10/core/MemoryFormat";
import type { TensorImpl } from "#c10/core/TensorImpl/index";
import { TORCH_CHECK, TypeError_ } from "#c10/util/Exception";
import { type PyTuple, tuple, tuple_map } from "#python/Objects/tupleobject";
import { call_handler } from "./autograd/handed_over.ts";
import { THPVariable_Check, THPVariable_Unpack } from "./autograd/python_variable/type.ts";
import { THPVariable_Wrap } from "./autograd/python_variable/wrap.ts";
import { toDevice } from "./Device.ts";
import { getTHPMemoryFormat } from "./DynamicTypes.ts";
import { THPLayout_Check } from "./Layout.ts";
import { NotImplemented, torch_dispatch_attr } from "./utils/disable_torch_function.ts";
import {
  getTorchApiFunctionNamed,
  getTorchApiFunctionOf,
  parseIValuesToPyArgsKwargs,
  pushPyOutToStack,
} from "./utils/PythonKernelHolder.ts";
import { PythonArgParser, take_kwargs } from "./utils/python_arg_parser.ts";
import { append_overloaded_arg, type_of_overloaded_arg } from "./utils/python_arg_parser_parameter.ts";
import { class_repr } from "./utils/python_class.ts";
import { isDict, PyObject_IsTrue, python_type, THPUtils_checkLong } from "./utils/python_numbers.ts";

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
function dispatch_on_mode(func: unknown, types: PyTuple<unknown>, args: unknown[], kwargs: object): [unknown, object] {
  const skip_infra_modes = true;
  const users = TorchDispatchModeTLS.any_modes_set(skip_infra_modes);
  const [mode, mode_key] = users
    ? [TorchDispatchModeTLS.pop_stack(), null]
    : TorchDispatchModeTLS.pop_highest_infra_mode();
  try {
    const rule = maybe_get_registered_torch_dispatch_rule(func, mode);
    const out = call_handler(() =>
      rule === null
        ? (mode as DispatchMode).__torch_dispatch__(func, types, args, kwargs)
        : rule(mode, func, types, args, kwargs),
    );
    return [out, mode];
  } finally {
    if (mode_key === null) TorchDispatchModeTLS.push_non_infra_mode_onto_stack(mode);
    else TorchDispatchModeTLS.set_mode(mode, mode_key);
  }
}

/** Calls the handlers of the arguments' classes in turn, until one does not answer `NotImplemented`. */
function dispatch_on_subclass(
  classes: readonly object[],
  func: unknown,
  types: PyTuple<unknown>,
  args: unknown[],
  kwargs: object,
): unknown {
  let out: unknown = NotImplemented;
  for (const cls of classes) {
    const handler = torch_dispatch_attr(cls);
    if (handler === undefined) continue;
    const rule = maybe_get_registered_torch_dispatch_rule(func, cls);
    if (rule !== null) out = call_handler(() => rule(cls, func, types, args, kwargs));
    if (out === NotImplemented) out = call_handler(() => handler.call(cls, func, types, args, kwargs));
    if (out !== NotImplemented) break;
  }
  return out;
}

// Note [Order of __torch_dispatch__]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The innermost mode is asked first: a user's, and only without one the library's own (functionalization, then proxies, then fake
// tensors). A mode that answers `NotImplemented` passes the call to the classes of the arguments, subclasses before their parents.

/**
 * Calls the handlers.
 * @param overloaded_args one tensor of each class that has a `__torch_dispatch__`
 * @param asks whether the call asks for a tensor's metadata: then the message names no overload
 */
function handle_torch_dispatch(
  overloaded_args: readonly unknown[],
  func: unknown,
  args: unknown[],
  kwargs: object,
  asks = false,
): unknown {
  const types = tuple_map(overloaded_args, type_of_overloaded_arg);
  let out: unknown = NotImplemented;
  let mode: object | null = null;
  if (TorchDispatchModeTLS.any_modes_set()) [out, mode] = dispatch_on_mode(func, types, args, kwargs);
  if (out === NotImplemented) out = dispatch_on_subclass(types, func, types, args, kwargs);
  if (out !== NotImplemented) return out;
  const handlers = types.map((type) => `  - tensor subclass ${class_repr(type)}\n`);
  if (mode !== null) handlers.unshift(`  - mode object <${mode.constructor.name} object>\n`);
  throw new TypeError_(
    `Multiple dispatch failed for '${asks ? without_overload(func) : `torch._ops.${func}`}'; all __torch_dispatch__ handlers returned NotImplemented:\n\n` +
      `${handlers.join("")}\nFor more information, try re-running with TORCH_LOGS=not_implemented`,
  );
}

/** `torch.ops.aten.dim`: the name in messages about what a tensor is asked for, as its sizes. */
const without_overload = (func: unknown): string => `torch.ops.${String(func).split(".").slice(0, 2).join(".")}`;

/** Adds the tensors whose class has a `__torch_dispatch__` among a call's arguments, and in its lists. */
function collect_overloaded(values: readonly IValue[], overloaded_args: unknown[]): void {
  for (const value of values) {
    if (value.isTensor()) {
      const { impl_ } = value.toTensor();
      if (impl_.is_python_dispatch()) append_overloaded_arg(overloaded_args, THPVariable_Wrap(value.toTensor()));
    } else if (value.isList()) collect_overloaded(value.toList().vec(), overloaded_args);
  }
}

type Handler = (overloaded_args: readonly unknown[], func: unknown, args: unknown[], kwargs: object) => unknown;

/** Gives a call's arguments to a handler in Python's form, and puts its answer on the stack. */
function dispatch_to(handler: Handler, op: OperatorHandle, stack: Stack): void {
  const values = popn(stack, op.schema().arguments().length);
  const overloaded_args: unknown[] = [];
  collect_overloaded(values, overloaded_args);
  const args = parseIValuesToPyArgsKwargs(op, values);
  const kwargs = isDict(args.at(-1)) ? (args.pop() as object) : {};
  pushPyOutToStack(
    op,
    stack,
    handler(overloaded_args, getTorchApiFunctionOf(op), tuple(args), kwargs),
    "__torch_dispatch__",
  );
}

const dispatch = (op: OperatorHandle, stack: Stack): void => dispatch_to(handle_torch_dispatch, op, stack);

/** Calls the handler of one mode, whatever modes are on. (`handle_dispatch_mode` in torch/_library/utils.py) */
export function handle_dispatch_mode(mode: object, op: OperatorHandle, stack: Stack): void {
  const handler: Handler = (overloaded_args, func, args, kwargs) =>
    call_handler(() =>
      (mode as DispatchMode).__torch_dispatch__(func, tuple_map(overloaded_args, type_of_overloaded_arg), args, kwargs),
    );
  dispatch_to(handler, op, stack);
}

function detach(self: TensorImpl): TensorImpl {
  if (self.key_set_.has(DispatchKey.Functionalize)) {
    // Modes see what functionalization makes of the call.
    const guard = new ExcludeDispatchKeyGuard(autograd_dispatch_keyset_with_ADInplaceOrView);
    try {
      return new Tensor(self).detach().impl_;
    } finally {
      guard.restore();
    }
  }
  const func = getTorchApiFunctionOf(Dispatcher.singleton().findSchemaOrThrow("aten::detach", ""));
  const tensor = THPVariable_Wrap(new Tensor(self));
  const overloaded_args = self.is_python_dispatch() ? [tensor] : [];
  const out = with_tls_on_entry(() => handle_torch_dispatch(overloaded_args, func, tuple([tensor]), {}));
  TORCH_CHECK(THPVariable_Check(out), "detach returned invalid type ", python_type(out), ", expected Tensor");
  return THPVariable_Unpack(out).impl_;
}

// The stack of modes, as `torch._C` exposes it ------------------------------------------------------------------------------

/** The place of one of the library's own modes; undefined for a user's mode. */
function mode_key_of(mode: object): TorchDispatchModeKey | undefined {
  return (mode as { readonly _mode_key?: TorchDispatchModeKey })._mode_key ?? undefined;
}

export function _push_on_torch_dispatch_stack(mode: object): void {
  const mode_key = mode_key_of(mode);
  if (mode_key === undefined) TorchDispatchModeTLS.push_non_infra_mode_onto_stack(mode);
  else TorchDispatchModeTLS.set_mode(mode, mode_key);
}

/** The value as a key, as pybind11 converts it. */
function cast_mode_key(value: unknown): TorchDispatchModeKey {
  TORCH_CHECK(
    Object.values<unknown>(TorchDispatchModeKey).includes(value),
    "Unable to cast Python instance of type ",
    `<class '${python_type(value)}'>`,
    " to C++ type '?' (#define PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)",
  );
  return value as TorchDispatchModeKey;
}

/** Pops and returns the innermost mode, or the library's own mode of a key. */
export function _pop_torch_dispatch_stack(mode_key: TorchDispatchModeKey | null = null): object {
  if (mode_key === null) return TorchDispatchModeTLS.pop_stack();
  const mode = _unset_dispatch_mode(mode_key);
  TORCH_CHECK(mode !== null, "Attempted to unset ", to_string(mode_key), ", but there wasn't one active.");
  return mode;
}

export function _get_dispatch_mode(mode_key: TorchDispatchModeKey): object | null {
  return TorchDispatchModeTLS.get_mode(cast_mode_key(mode_key));
}

export function _set_dispatch_mode(mode: object): void {
  const mode_key = mode_key_of(mode);
  TORCH_CHECK(
    mode_key !== undefined,
    "set_dispatch_mode() called with a mode that does not contain a _mode_key attribute!",
  );
  TorchDispatchModeTLS.set_mode(mode, mode_key);
}

export function _unset_dispatch_mode(mode_key: TorchDispatchModeKey): object | null {
  return TorchDispatchModeTLS.unset_mode(cast_mode_key(mode_key));
}

const get_stack_at_parser = new PythonArgParser(["get_stack_at(int64_t level)"]);

/** @param level counted from the outermost mode */
export function _get_dispatch_stack_at(...args: [level: number]): object {
  const kwargs = take_kwargs(args);
  return TorchDispatchModeTLS.get_stack_at(get_stack_at_parser.parse(null, args, kwargs).toInt64(0));
}

export function _len_torch_dispatch_stack(): number {
  return TorchDispatchModeTLS.stack_len();
}

export const _TorchDispatchModeKey = TorchDispatchModeKey;

export { _RestorePythonTLSSnapshot };

// Questions of the engine to the class of a tensor -----------------------------------------------------------------------

/** Calls the class's handler with an operator that asks for the tensor's metadata. (`torchDispatchFromTensorImpl`) */
function ask(self: TensorImpl, qualname: string, ...more: readonly unknown[]): unknown {
  const tensor = THPVariable_Wrap(new Tensor(self));
  return with_tls_on_entry(() =>
    handle_torch_dispatch([tensor], getTorchApiFunctionNamed(qualname), tuple([tensor, ...more]), {}, true),
  );
}

function ask_for_ints(self: TensorImpl, qualname: string, what: string): number[] {
  const values = ask(self, qualname);
  TORCH_CHECK(Array.isArray(values) && values.every(THPUtils_checkLong), what, " must be a list or a tuple");
  return [...values] as number[];
}

function ask_for_int(self: TensorImpl, qualname: string): number {
  const value = ask(self, qualname);
  TORCH_CHECK(
    THPUtils_checkLong(value),
    "torch.ops.",
    qualname.replace("::", "."),
    " must return an int, got ",
    python_type(value),
  );
  return Number(value);
}

function ask_for_bool(self: TensorImpl, qualname: string, memory_format?: MemoryFormat): boolean {
  const answer =
    memory_format === undefined ? ask(self, qualname) : ask(self, qualname, getTHPMemoryFormat(memory_format));
  return answer === null ? false : PyObject_IsTrue(answer);
}

REGISTER_PYTHON_HOOKS({
  detach,
  dispatch,
  device: (self) => toDevice(ask(self, "prim::device")),
  layout(self) {
    const layout = ask(self, "prim::layout");
    TORCH_CHECK(THPLayout_Check(layout), "layout returned invalid type ", python_type(layout), ", expected Layout");
    return layout.layout;
  },
  dim: (self) => ask_for_int(self, "aten::dim"),
  numel: (self) => ask_for_int(self, "aten::sym_numel"),
  sizes: (self) => ask_for_ints(self, "aten::sym_size", "Symshape"),
  strides: (self) => ask_for_ints(self, "aten::sym_stride", "strides"),
  storage_offset: (self) => ask_for_int(self, "aten::sym_storage_offset"),
  is_contiguous: (self, memory_format) =>
    memory_format === MemoryFormat.Contiguous
      ? ask_for_bool(self, "aten::is_contiguous")
      : ask_for_bool(self, "aten::is_contiguous.memory_format", memory_format),
  is_strides_like: (self, memory_format) => ask_for_bool(self, "aten::is_strides_like_format", memory_format),
  is_non_overlapping_and_dense: (self) => ask_for_bool(self, "aten::is_non_overlapping_and_dense"),
});
