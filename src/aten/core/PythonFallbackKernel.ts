/**
 * @file The fallback of the Python keys, through which user code takes over a call: `__torch_dispatch__` of a mode or
 * of a tensor subclass.
 * @mirrors aten/src/ATen/core/PythonFallbackKernel.cpp
 * @differs The Python dispatcher is loaded with the graph systems (torch/_dispatch/python.ts).
 */
import { DispatchKey } from "#c10/core/DispatchKey";
import { DispatchKeySet } from "#c10/core/DispatchKeySet";
import {
  ExcludeDispatchKeyGuard,
  ForceDispatchKeyGuard,
  type LocalDispatchKeySet,
  tls_local_dispatch_key_set,
} from "#c10/core/impl/LocalDispatchKeySet";
import { getGlobalPyInterpreter } from "#c10/core/impl/PyInterpreterHooks";
import { TorchDispatchModeTLS } from "#c10/core/impl/TorchDispatchModeTLS";
import { TORCH_CHECK, TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import type { OperatorHandle } from "./dispatch/Dispatcher.ts";
import type { IValue } from "./ivalue.ts";
import { CppFunction, TORCH_LIBRARY_IMPL } from "./library.ts";
import type { Stack } from "./stack.ts";

// Note [Python key guards]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// When a call reaches the Python key, the thread's excluded set is that of the layers above (autograd,
// ADInplaceOrView). User code in `__torch_dispatch__` wants to call operators as if from outside. The snapshot key,
// higher than all of these layers, keeps a copy of the thread's sets as they were when the call entered.
let tls_on_entry: LocalDispatchKeySet | null = null;

/** The thread's key sets when the outermost call entered; null outside any call. */
export function tlsOnEntry(): LocalDispatchKeySet | null {
  return tls_on_entry;
}

/** Runs `fn` as a call from outside, unless a call is already in progress. (`MaybeSetTLSOnEntryGuard`) */
export function with_tls_on_entry<R>(fn: () => R): R {
  if (tls_on_entry !== null) return fn();
  tls_on_entry = tls_local_dispatch_key_set();
  try {
    return fn();
  } finally {
    tls_on_entry = null;
  }
}

/** While it lives, calls see the key sets of the outside: `__torch_dispatch__` may want autograd again. */
export class RestorePythonTLSSnapshot {
  private readonly saved_: LocalDispatchKeySet;
  private readonly guard_: ForceDispatchKeyGuard;

  constructor() {
    TORCH_CHECK(
      tls_on_entry !== null,
      "Accessing torch dispatch state outside of '__torch_dispatch__' is not allowed.",
    );
    this.saved_ = tls_on_entry;
    this.guard_ = new ForceDispatchKeyGuard(tls_on_entry.included_, tls_on_entry.excluded_);
    tls_on_entry = null;
  }

  restore(): void {
    this.guard_.restore();
    tls_on_entry = this.saved_;
  }
}

const after_Python_keyset = DispatchKeySet.FULL.sub(
  DispatchKeySet.FULL_AFTER(DispatchKey.Python).add(DispatchKey.Python),
);

/** Whether an argument is a tensor with a front-end object, or a list with such a tensor. */
function has_interpreter(value: IValue): boolean {
  if (value.isTensor()) return value.toTensor().impl_.has_pyobj();
  return value.isList() && value.toList().vec().some(has_interpreter);
}

function pythonFallback(op: OperatorHandle, _dispatch_keys: DispatchKeySet, stack: Stack): void {
  TORCH_INTERNAL_ASSERT(
    TorchDispatchModeTLS.any_modes_set() || stack.slice(-op.schema().arguments().length).some(has_interpreter),
    "Hit Python dispatch key but no arguments had PyInterpreter (no tensor args?)",
  );
  const guard = new ExcludeDispatchKeyGuard(after_Python_keyset);
  try {
    getGlobalPyInterpreter().dispatch(op, stack);
  } finally {
    guard.restore();
  }
}

function pythonTLSSnapshotFallback(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
  const outermost = tls_on_entry === null;
  if (outermost) tls_on_entry = tls_local_dispatch_key_set();
  const guard = new ExcludeDispatchKeyGuard(DispatchKey.PythonTLSSnapshot);
  try {
    op.redispatchBoxed(dispatch_keys.and(DispatchKeySet.FULL_AFTER(DispatchKey.PythonTLSSnapshot)), stack);
  } finally {
    guard.restore();
    if (outermost) tls_on_entry = null;
  }
}

/** Runs the Python function that stands before the kernel of this key; false if there is none. */
let python_dispatcher: ((op: OperatorHandle, key: DispatchKey, stack: Stack) => boolean) | null = null;

/** Called by the file that has a table of such functions. */
export function set_python_dispatcher(dispatcher: typeof python_dispatcher): void {
  python_dispatcher = dispatcher;
}

function pythonDispatcherFallback(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
  TORCH_INTERNAL_ASSERT(
    python_dispatcher !== null,
    "Hit PythonDispatcher dispatch key but PythonDispatcherTLS was not set",
  );
  const keys = dispatch_keys.remove(DispatchKey.PythonDispatcher);
  // The snapshot only notes the thread's sets: the kernel in question is the one behind it.
  const key = keys.remove(DispatchKey.PythonTLSSnapshot).highestPriorityTypeId();
  if (!python_dispatcher?.(op, key, stack)) op.redispatchBoxed(keys, stack);
}

function preDispatchFallback(op: OperatorHandle, dispatch_keys: DispatchKeySet, stack: Stack): void {
  if (python_dispatcher?.(op, DispatchKey.PreDispatch, stack)) return;
  op.redispatchBoxed(dispatch_keys.remove(DispatchKey.PreDispatch), stack);
}

TORCH_LIBRARY_IMPL("_", "Python", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(pythonFallback, "pythonFallback"));
});

TORCH_LIBRARY_IMPL("_", "PythonDispatcher", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(pythonDispatcherFallback, "pythonDispatcherFallback"));
});

TORCH_LIBRARY_IMPL("_", "PythonTLSSnapshot", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(pythonTLSSnapshotFallback, "pythonTLSSnapshotFallback"));
});

TORCH_LIBRARY_IMPL("_", "PreDispatch", (m) => {
  m.fallback(CppFunction.makeFromBoxedFunction(preDispatchFallback, "preDispatchFallback"));
});
