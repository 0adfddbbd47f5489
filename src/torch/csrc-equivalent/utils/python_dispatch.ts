/**
 * @file `torch._C._dispatch_*`: operator libraries of the front end, and inspection of the dispatcher.
 * @mirrors torch/csrc/utils/python_dispatch.cpp
 * @see src/torch/library.ts (the class that users see), PythonKernelHolder.ts (a front-end function as a kernel)
 */

import { Dispatcher, type OperatorHandle } from "#aten/core/dispatch/Dispatcher";
import type { DispatchTableEntry } from "#aten/core/dispatch/OperatorEntry";
import { AutoDispatchBelowADInplaceOrView, AutoDispatchBelowAutograd } from "#aten/core/LegacyTypeDispatch";
import {
  all,
  CppFunction,
  DeferredBlock,
  for_each_operator,
  Library,
  type LibraryKind,
  schema as parseLibrarySchema,
} from "#aten/core/library";
import { OperatorName } from "#aten/core/operator_name";
import type { Device } from "#c10/core/Device";
import {
  DispatchKey,
  deviceTypeToBackendComponent,
  isAliasDispatchKey,
  toString as keyToString,
  num_backends,
  parseDispatchKey,
  toFunctionalityKey,
  toRuntimePerBackendFunctionalityKey,
} from "#c10/core/DispatchKey";
import {
  after_ADInplaceOrView_keyset,
  after_autograd_keyset,
  autogradother_backends,
  DispatchKeySet,
  getBackendKeySetFromAutograd,
  isIncludedInAlias,
} from "#c10/core/DispatchKeySet";
import {
  ExcludeDispatchKeyGuard,
  ForceDispatchKeyGuard,
  IncludeDispatchKeyGuard,
  tls_excluded,
  tls_included,
  tls_is_dispatch_key_excluded,
  tls_is_dispatch_key_included,
  tls_set_dispatch_key_excluded,
  tls_set_dispatch_key_included,
} from "#c10/core/impl/LocalDispatchKeySet";
import { RuntimeError, TORCH_CHECK, TORCH_CHECK_TYPE } from "#c10/util/Exception";
import { tracer } from "#c10/util/Trace";
import { tuple } from "#python/Objects/tupleobject";
import { Tag } from "#torch/csrc-equivalent/autograd/generated/python_enum_tag";
import { type TensorBase, THPVariable_Unpack } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { toDevice } from "#torch/csrc-equivalent/Device";
import { PyFunctionSchema } from "#torch/csrc-equivalent/jit/python/init";
import { invokeOperatorFromPython } from "#torch/csrc-equivalent/jit/python/pybind_utils";
import {
  fallthrough_kernel,
  PythonFallbackHolder,
  type PythonFunction,
  PythonKernelHolder,
} from "./PythonKernelHolder.ts";
import { incompatible_arguments, pybind_def } from "./pybind.ts";
import { repr } from "./python_repr.ts";

/** A key, by number or by name. */
export type DispatchKeyLike = DispatchKey | string;

function toKey(key: DispatchKeyLike): DispatchKey {
  return typeof key === "string" ? parseDispatchKey(key) : key;
}

/** Splits `aten::add.Tensor`; everything after the first point is the overload. */
function toOperatorName(name: string): OperatorName {
  const [base = "", ...overload] = name.split(".");
  return new OperatorName(base, overload.join("."));
}

function findOp(name: string): OperatorHandle | null {
  return Dispatcher.singleton().findOp(toOperatorName(name));
}

function findOpOrThrow(name: string): OperatorHandle {
  const op = findOp(name);
  TORCH_CHECK(op !== null, `operator ${name} does not exist`);
  return op;
}

// Libraries --------------------------------------------------------------------------------------------------------------

const DEFINE =
  "(self: object, schema: str, alias_analysis: str = '', tags: collections.abc.Sequence[torch._C.Tag] = []) -> str";

/** `torch._C._DispatchModule`: an aten Library whose kernels are front-end functions. */
export class DispatchModule {
  private readonly library: Library;

  constructor(library: Library) {
    this.library = library;
  }

  /** @returns the operator's name, with its namespace */
  define(line: string, alias_analysis = "", tags: readonly Tag[] = []): string {
    if (!tags.every((tag) => tag instanceof Tag))
      throw incompatible_arguments("define", [DEFINE], [this, line, alias_analysis, tuple(tags)]);
    const parsed = parseLibrarySchema(line, alias_analysis === "CONSERVATIVE" ? "CONSERVATIVE" : "FROM_SCHEMA");
    return String(
      this.library._def(
        parsed,
        tags.map(({ name }) => name),
      ),
    );
  }

  impl(name: string, dispatch: string, func: PythonFunction, with_keyset = false): void {
    const kernel =
      func === fallthrough_kernel
        ? CppFunction.makeFallthrough()
        : CppFunction.makeFromBoxedFunction(PythonKernelHolder(func, with_keyset), func.name || "PythonKernelHolder");
    this.library._impl(name, kernel.withDispatchKey(parseDispatchKey(dispatch)));
  }

  fallback(dispatch: string, func: PythonFunction, with_keyset = false): void {
    const kernel =
      func === fallthrough_kernel
        ? CppFunction.makeFallthrough()
        : CppFunction.makeFromBoxedFunction(PythonFallbackHolder(func, with_keyset), func.name || "PythonKernelHolder");
    this.library.fallback(kernel.withDispatchKey(parseDispatchKey(dispatch)));
  }

  /** Undoes every registration made through this module. */
  reset(): void {
    this.library.reset();
  }
}

/**
 * Stores Python's registrations for overloads (`add.Tensor`) of a namespace; they are made for each operator at its
 * first use, see Note [Registered when asked for] in aten/core/library.ts. If the import is recorded, they are made at
 * once.
 */
export function registerWhenAskedFor(ns: string, names: Iterable<string>, register: (name: string) => void): void {
  const inits = for_each_operator<null>(names, (_, name) => register(name));
  if (tracer !== null) all(inits)(null);
  else Dispatcher.singleton().registerWhenAskedFor(new DeferredBlock(ns, inits, null));
}

export function _dispatch_library(
  kind: LibraryKind,
  name: string,
  dispatch: string,
  file = "/dev/null",
  linenum = 0,
): DispatchModule {
  const key = dispatch === "" ? null : parseDispatchKey(dispatch);
  return new DispatchModule(new Library(kind, name, key, `${file}:${linenum}`));
}

// Operators --------------------------------------------------------------------------------------------------------------

/** `torch._C._DispatchOperatorHandle`. */
export class DispatchOperatorHandle {
  readonly cdata: OperatorHandle;

  constructor(handle: OperatorHandle) {
    this.cdata = handle;
  }

  schema(): PyFunctionSchema {
    return new PyFunctionSchema(this.cdata.schema());
  }
  debug(): string {
    return this.cdata.debug();
  }
  redispatch_boxed(keyset: DispatchKeySet, ...args: unknown[]): unknown {
    TORCH_CHECK_TYPE(
      keyset instanceof DispatchKeySet,
      `redispatch_boxed(): incompatible function arguments. The following argument types are supported:\n    1. (self: torch._C._DispatchOperatorHandle, arg0: torch._C.DispatchKeySet, *args, **kwargs) -> object\n\nInvoked with: ${[this, keyset, ...args].map(repr).join(", ")}`,
    );
    return invokeOperatorFromPython([this.cdata], args, (op, stack) => op.redispatchBoxed(keyset, stack));
  }
}

/** `torch._C._SafeKernelFunction`: one kernel of one operator, callable past the dispatcher. */
export class SafeKernelFunction {
  readonly op_handle: DispatchOperatorHandle;
  private readonly registered: DispatchTableEntry;

  constructor(op: OperatorHandle, registered: DispatchTableEntry) {
    this.op_handle = new DispatchOperatorHandle(op);
    this.registered = registered;
  }

  call_boxed(keyset: DispatchKeySet, ...args: unknown[]): unknown {
    return invokeOperatorFromPython([this.op_handle.cdata], args, (op, stack) =>
      this.registered.kernel.callBoxed(op, keyset, stack),
    );
  }
  toString(): string {
    return `SafeKernelFunction(debug='${this.registered.debug}')`;
  }
  __repr__(): string {
    return this.toString();
  }
}

export function _dispatch_find_schema_or_throw(name: string, overload_name: string): DispatchOperatorHandle {
  return new DispatchOperatorHandle(Dispatcher.singleton().findSchemaOrThrow(name, overload_name));
}

export function _dispatch_call_boxed(handle: DispatchOperatorHandle, ...args: unknown[]): unknown {
  return invokeOperatorFromPython([handle.cdata], args);
}

/** The registrations of the operator; empty if there are none. */
export function _dispatch_dump(name: string): string {
  return findOp(name)?.dumpState() ?? "";
}

/** The kernel that a call finds under each key, and the reason. */
export function _dispatch_dump_table(name: string): string {
  return findOp(name)?.entry.dumpComputedTable() ?? "";
}

export function _dispatch_check_invariants(name: string): void {
  findOp(name)?.checkInvariants();
}

export function _dispatch_check_all_invariants(): void {
  Dispatcher.singleton().checkInvariants();
}

export function _dispatch_get_all_op_names(): string[] {
  return Dispatcher.singleton().getAllOpNames().map(String);
}

export function _dispatch_has_kernel(name: string): boolean {
  return findOp(name) !== null;
}

/** Whether something is registered for exactly this key, runtime or alias. */
export function _dispatch_has_kernel_for_dispatch_key(name: string, dispatch: DispatchKeyLike): boolean {
  return findOpOrThrow(name).hasKernelForDispatchKey(toKey(dispatch));
}

export function _dispatch_has_kernel_for_any_dispatch_key(name: string, ks: DispatchKeySet): boolean {
  return findOpOrThrow(name).entry.hasKernelForAnyDispatchKey(ks);
}

/** Whether a call under this runtime key finds a kernel, fallbacks included. */
export function _dispatch_has_computed_kernel_for_dispatch_key(name: string, dispatch: DispatchKeyLike): boolean {
  return findOpOrThrow(name).hasComputedKernelForDispatchKey(toKey(dispatch));
}

export function _dispatch_kernel_for_dispatch_key_is_fallthrough(name: string, dispatch: DispatchKeyLike): boolean {
  return findOpOrThrow(name).entry.kernelForDispatchKeyIsFallthrough(toKey(dispatch));
}

export function _dispatch_get_computed_kernel_for_dispatch_key(
  name: string,
  dispatch: DispatchKeyLike,
): SafeKernelFunction {
  const op = findOpOrThrow(name);
  const key = toKey(dispatch);
  TORCH_CHECK(op.hasComputedKernelForDispatchKey(key), `no kernel for ${keyToString(key)} for ${name}`);
  return new SafeKernelFunction(op, op.entry.computeDispatchTableEntry(key));
}

/** Operators with kernels but without a schema, in the form of `_dispatch_dump`. */
export function _dispatch_find_dangling_impls(): string[] {
  return Dispatcher.singleton()
    .findDanglingImpls()
    .map((op) => op.dumpState());
}

export function _dispatch_get_registrations_for_dispatch_key(dispatch: DispatchKeyLike = ""): string[] {
  const key = dispatch === "" ? null : toKey(dispatch);
  return Dispatcher.singleton().getRegistrationsForDispatchKey(key).map(String);
}

export function _dispatch_print_registrations_for_dispatch_key(dispatch: DispatchKeyLike = ""): void {
  for (const name of _dispatch_get_registrations_for_dispatch_key(dispatch)) console.log(name);
}

export function _dispatch_has_backend_fallback(key: DispatchKeyLike): boolean {
  return Dispatcher.singleton().hasBackendFallbackForDispatchKey(toKey(key));
}

/** Sets a function that is called when a missing kernel of this operator is called, before the error is thrown. */
export function _dispatch_set_report_error_callback(
  handle: DispatchOperatorHandle,
  callback: (op: DispatchOperatorHandle, key: string) => void,
): void {
  Dispatcher.singleton().setReportErrorCallback_((op, key) => {
    if (op === handle.cdata) callback(handle, keyToString(key));
  });
}

// Keys and key sets ------------------------------------------------------------------------------------------------------

export { DispatchKey, DispatchKeySet };
export const _after_autograd_keyset = after_autograd_keyset;
export const _after_ADInplaceOrView_keyset = after_ADInplaceOrView_keyset;
export const _dispatch_autogradother_backends = autogradother_backends;

export function _dispatch_keys(tensor: TensorBase): DispatchKeySet {
  return THPVariable_Unpack(tensor).key_set();
}
export function _dispatch_key_set(tensor: TensorBase): string {
  return String(_dispatch_keys(tensor));
}
/** Whether a subclass or a mode may handle the tensor's calls. */
export function _dispatch_isTensorSubclassLike(tensor: TensorBase): boolean {
  return _dispatch_keys(tensor).has(DispatchKey.Python);
}
export function _dispatch_keyset_full(): DispatchKeySet {
  return DispatchKeySet.FULL;
}
export function _dispatch_keyset_full_after(t: DispatchKeyLike): DispatchKeySet {
  return DispatchKeySet.FULL_AFTER(toKey(t));
}
export function _dispatch_keyset_to_string(keyset: DispatchKeySet): string {
  return String(keyset);
}
export function _dispatch_key_name(key: DispatchKeyLike): string {
  return keyToString(toKey(key));
}
export function _dispatch_key_parse(dispatch: DispatchKeyLike): DispatchKey {
  return toKey(dispatch);
}
/** The key with this name; null if there is none. */
export function _parse_dispatch_key(key: string): DispatchKey | null {
  try {
    return parseDispatchKey(key);
  } catch (error) {
    if (error instanceof RuntimeError) return null;
    throw error;
  }
}
export function _to_functionality_key(key: DispatchKeyLike): DispatchKey {
  return toFunctionalityKey(toKey(key));
}
/** `"cpu"` -> `"CPU"`: the key of that device's ordinary tensors. */
export function _dispatch_key_for_device(device_type: string): string {
  const device: Device = toDevice(device_type);
  TORCH_CHECK(!device.has_index(), "Expected device_type string to not have a device index; got ", device_type);
  return keyToString(
    toRuntimePerBackendFunctionalityKey(DispatchKey.Dense, deviceTypeToBackendComponent(device.type())),
  );
}
export function _dispatch_num_backends(): number {
  return num_backends;
}
export function _dispatch_is_alias_key(key: DispatchKeyLike): boolean {
  return isAliasDispatchKey(toKey(key));
}
export function _dispatch_is_included_in_alias(key: DispatchKeyLike, alias: DispatchKeyLike): boolean {
  return isIncludedInAlias(toKey(key), toKey(alias));
}
export function _dispatch_get_backend_keyset_from_autograd(key: DispatchKeyLike): DispatchKeySet {
  return getBackendKeySetFromAutograd(toKey(key));
}

// The thread's own keys ----------------------------------------------------------------------------------------------------

export function _dispatch_tls_local_include_set(): DispatchKeySet {
  return tls_included;
}
export function _dispatch_tls_local_exclude_set(): DispatchKeySet {
  return tls_excluded;
}
export function _dispatch_tls_is_dispatch_key_excluded(key: DispatchKeyLike): boolean {
  return tls_is_dispatch_key_excluded(toKey(key));
}
export function _dispatch_tls_is_dispatch_key_included(key: DispatchKeyLike): boolean {
  return tls_is_dispatch_key_included(toKey(key));
}
export function _dispatch_tls_set_dispatch_key_excluded(key: DispatchKeyLike, desired_state: boolean): void {
  tls_set_dispatch_key_excluded(toKey(key), desired_state);
}
export function _dispatch_tls_set_dispatch_key_included(key: DispatchKeyLike, desired_state: boolean): void {
  tls_set_dispatch_key_included(toKey(key), desired_state);
}

// Python's context managers: here guards with `restore()`, usable with `using`.
export const _ExcludeDispatchKeyGuard = ExcludeDispatchKeyGuard;
export const _IncludeDispatchKeyGuard = IncludeDispatchKeyGuard;
export const _ForceDispatchKeyGuard = ForceDispatchKeyGuard;
export const _AutoDispatchBelowAutograd = AutoDispatchBelowAutograd;
export const _AutoDispatchBelowADInplaceOrView = AutoDispatchBelowADInplaceOrView;

/** The signatures in `__doc__`. */
const signatures = {
  _dispatch_library:
    "(kind: str, name: str, dispatch: str, file: str = '/dev/null', linenum: typing.SupportsInt | typing.SupportsIndex = 0) -> torch._C._DispatchModule",
  _dispatch_find_schema_or_throw: "(arg0: str, arg1: str) -> torch._C._DispatchOperatorHandle",
  _dispatch_call_boxed: "(arg0: torch._C._DispatchOperatorHandle, *args, **kwargs) -> object",
  _dispatch_dump: "(arg0: str) -> str",
  _dispatch_dump_table: "(arg0: str) -> str",
  _dispatch_check_invariants: "(arg0: str) -> None",
  _dispatch_check_all_invariants: "() -> None",
  _dispatch_get_all_op_names: "() -> list[str]",
  _dispatch_has_kernel: "(arg0: str) -> bool",
  _dispatch_has_kernel_for_dispatch_key: "(arg0: str, arg1: c10::DispatchKey) -> bool",
  _dispatch_has_kernel_for_any_dispatch_key: "(arg0: str, arg1: c10::DispatchKeySet) -> bool",
  _dispatch_has_computed_kernel_for_dispatch_key: "(arg0: str, arg1: str) -> bool",
  _dispatch_kernel_for_dispatch_key_is_fallthrough: "(arg0: str, arg1: c10::DispatchKey) -> bool",
  _dispatch_get_computed_kernel_for_dispatch_key: "(arg0: str, arg1: c10::DispatchKey) -> torch._C._SafeKernelFunction",
  _dispatch_find_dangling_impls: "() -> list[str]",
  _dispatch_get_registrations_for_dispatch_key: "(dispatch_key: str = '') -> list[str]",
  _dispatch_print_registrations_for_dispatch_key: "(dispatch_key: str = '') -> None",
  _dispatch_has_backend_fallback: "(arg0: torch._C.DispatchKey) -> bool",
  _dispatch_set_report_error_callback: "(arg0: torch._C._DispatchOperatorHandle, arg1: object) -> None",
  _dispatch_keys: "(arg0: torch.Tensor) -> torch._C.DispatchKeySet",
  _dispatch_key_set: "(arg0: torch.Tensor) -> str",
  _dispatch_isTensorSubclassLike: "(arg0: torch.Tensor) -> bool",
  _dispatch_keyset_full: "() -> torch._C.DispatchKeySet",
  _dispatch_keyset_full_after: "(arg0: torch._C.DispatchKey) -> torch._C.DispatchKeySet",
  _dispatch_keyset_to_string: "(arg0: torch._C.DispatchKeySet) -> str",
  _dispatch_key_name: "(arg0: c10::DispatchKey) -> str",
  _dispatch_key_parse: "(arg0: c10::DispatchKey) -> c10::DispatchKey",
  _parse_dispatch_key: "(arg0: str) -> torch._C.DispatchKey | None",
  _to_functionality_key: "(arg0: c10::DispatchKey) -> c10::DispatchKey",
  _dispatch_key_for_device: "(arg0: str) -> str",
  _dispatch_num_backends: "() -> int",
  _dispatch_is_alias_key: "(arg0: torch._C.DispatchKey) -> bool",
  _dispatch_is_included_in_alias: "(arg0: torch._C.DispatchKey, arg1: torch._C.DispatchKey) -> bool",
  _dispatch_get_backend_keyset_from_autograd: "(arg0: torch._C.DispatchKey) -> torch._C.DispatchKeySet",
  _dispatch_tls_local_include_set: "() -> torch._C.DispatchKeySet",
  _dispatch_tls_local_exclude_set: "() -> torch._C.DispatchKeySet",
  _dispatch_tls_is_dispatch_key_excluded: "(arg0: c10::DispatchKey) -> bool",
  _dispatch_tls_is_dispatch_key_included: "(arg0: c10::DispatchKey) -> bool",
  _dispatch_tls_set_dispatch_key_excluded: "(arg0: c10::DispatchKey, arg1: bool) -> None",
  _dispatch_tls_set_dispatch_key_included: "(arg0: c10::DispatchKey, arg1: bool) -> None",
} as const;

/** Adds all of the above to the module. */
export function initDispatchBindings(module: Record<string, unknown>): void {
  pybind_def(module, signatures, {
    _dispatch_library,
    _dispatch_find_schema_or_throw,
    _dispatch_call_boxed,
    _dispatch_dump,
    _dispatch_dump_table,
    _dispatch_check_invariants,
    _dispatch_check_all_invariants,
    _dispatch_get_all_op_names,
    _dispatch_has_kernel,
    _dispatch_has_kernel_for_dispatch_key,
    _dispatch_has_kernel_for_any_dispatch_key,
    _dispatch_has_computed_kernel_for_dispatch_key,
    _dispatch_kernel_for_dispatch_key_is_fallthrough,
    _dispatch_get_computed_kernel_for_dispatch_key,
    _dispatch_find_dangling_impls,
    _dispatch_get_registrations_for_dispatch_key,
    _dispatch_print_registrations_for_dispatch_key,
    _dispatch_has_backend_fallback,
    _dispatch_set_report_error_callback,
    _dispatch_keys,
    _dispatch_key_set,
    _dispatch_isTensorSubclassLike,
    _dispatch_keyset_full,
    _dispatch_keyset_full_after,
    _dispatch_keyset_to_string,
    _dispatch_key_name,
    _dispatch_key_parse,
    _parse_dispatch_key,
    _to_functionality_key,
    _dispatch_key_for_device,
    _dispatch_num_backends,
    _dispatch_is_alias_key,
    _dispatch_is_included_in_alias,
    _dispatch_get_backend_keyset_from_autograd,
    _dispatch_tls_local_include_set,
    _dispatch_tls_local_exclude_set,
    _dispatch_tls_is_dispatch_key_excluded,
    _dispatch_tls_is_dispatch_key_included,
    _dispatch_tls_set_dispatch_key_excluded,
    _dispatch_tls_set_dispatch_key_included,
  });
  Object.assign(module, {
    DispatchKey,
    DispatchKeySet,
    _DispatchModule: DispatchModule,
    _DispatchOperatorHandle: DispatchOperatorHandle,
    _SafeKernelFunction: SafeKernelFunction,
    _after_autograd_keyset,
    _after_ADInplaceOrView_keyset,
    _dispatch_autogradother_backends,
    _ExcludeDispatchKeyGuard,
    _IncludeDispatchKeyGuard,
    _ForceDispatchKeyGuard,
    _AutoDispatchBelowAutograd,
    _AutoDispatchBelowADInplaceOrView,
  });
}
