/**
 * @file Renaming of a backend that is built outside PyTorch, and methods with its name.
 * @mirrors torch/utils/backend_registration.py
 * @differs Ours has no `_setup_privateuseone_for_python_backend`: a backend registers its hooks, guard and module one by one; PyTorch has
 * it for backends written in Python.
 */
import { AssertionError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { _C, python_type, StorageBase, THPDevice_Check, THPDevice_pynew } from "#torch/_C";
import { device_module, member_of } from "#torch/_device_module";
import { def_overridable_methods } from "#torch/_overridable";
import { def, def_methods } from "#torch/_signature";
import { Tensor } from "#torch/_tensor/index";
import { type_repr } from "#torch/_utils/index";
import { Module } from "#torch/nn/modules/module/index";
import { PackedSequence } from "#torch/nn/utils/rnn";
import { TypedStorage } from "#torch/storage/typed";
import { UntypedStorage } from "#torch/storage/untyped";
import type { DeviceLike, dtype } from "#torch/types";

/** The name of the devices of PrivateUse1. */
export let _privateuse1_backend_name = "privateuseone";

/** Gives the devices of PrivateUse1 this name: `torch.device("foo:0")`. It can be called once per process. */
export const rename_privateuse1_backend = def(
  "rename_privateuse1_backend(backend_name)",
  (backend_name: string): void => {
    if (typeof backend_name !== "string")
      throw new TypeError_(
        `_rename_privateuse1_backend(): incompatible function arguments: expected str, got ${python_type(backend_name)}`,
      );
    _C._rename_privateuse1_backend(backend_name);
    _privateuse1_backend_name = backend_name;
  },
);

type Class = Function & { readonly prototype: object };

/** The names of the classes in Python. */
const names: ReadonlyMap<Class, string> = new Map<Class, string>([
  [Tensor, "torch.Tensor"],
  [Module, "torch.nn.modules.module.Module"],
  [PackedSequence, "torch.nn.utils.rnn.PackedSequence"],
  [StorageBase, "torch.storage._StorageBase"],
  [TypedStorage, "torch.storage.TypedStorage"],
]);

function _check_register_once(cls: Class, attr: string): void {
  if (attr in cls.prototype)
    throw new RuntimeError(
      `The custom device module of <class '${names.get(cls)}'> has already been registered with ${attr}`,
    );
}

function put_property(cls: Class, name: string, get: (this: Any) => unknown): void {
  _check_register_once(cls, name);
  Object.defineProperty(cls.prototype, name, { get, configurable: true });
}

function put_method(
  cls: Class,
  name: string,
  parameters: string,
  method: (this: Any, ...args: Any[]) => unknown,
): void {
  _check_register_once(cls, name);
  (cls.prototype as Record<string, unknown>)[name] = method;
  if (cls === Tensor) def_overridable_methods(Tensor, { [name]: parameters });
  else def_methods(cls, { [name]: parameters });
}

// biome-ignore lint/suspicious/noExplicitAny: the methods' classes are known only when they are defined
type Any = any;

/** The index of a device of the backend: the given one, or the current one. */
function _normalization_device(backend: string, device: DeviceLike | null): number {
  const current = (): number => {
    const current_device = member_of(device_module(backend), "current_device") as (() => number) | undefined;
    return current_device === undefined ? 0 : current_device();
  };
  if (device === null) return current();
  const given = typeof device === "string" ? THPDevice_pynew(device) : device;
  if (!THPDevice_Check(given)) return given as number;
  if (given.type !== backend) throw new RuntimeError(`Invalid device, must be ${backend} device`);
  return given.index ?? current();
}

function _generate_tensor_methods(backend: string): void {
  put_property(Tensor, `is_${backend}`, function (this: Tensor) {
    return this.device.type === backend;
  });
  put_method(
    Tensor,
    backend,
    "(self, device=None, non_blocking=False, **kwargs)",
    function (this: Tensor, device: DeviceLike | null, non_blocking: boolean, kwargs: object) {
      const there = THPDevice_pynew(backend, _normalization_device(backend, device));
      return this.to({ device: there, non_blocking, ...kwargs } as never);
    },
  );
}

function _generate_module_methods(backend: string): void {
  if (!(backend in Tensor.prototype))
    throw new RuntimeError(
      `Can not automatically generate ${backend}() method for torch.nn.Module.` +
        `Because torch.Tensor doesn't has the method ${backend}().` +
        "For this error, you can try setting for_tensor=True.",
    );
  put_method(Module, backend, "(self, device=None)", function (this: Module, device: DeviceLike | null) {
    return this._apply((t) => (t as Any)[backend](device));
  });
}

function _generate_packed_sequence_methods(backend: string): void {
  if (!(`is_${backend}` in Tensor.prototype) || !(backend in Tensor.prototype))
    throw new RuntimeError(
      `Can not automatically generate is_${backend}() or ${backend}() method for torch.nn.utils.rnn.PackedSequence.` +
        `Because torch.Tensor doesn't has the method is_${backend}()or ${backend}().` +
        "For this error, you can try setting for_tensor=True.",
    );
  put_property(PackedSequence, `is_${backend}`, function (this: PackedSequence) {
    return this.data.device.type === backend;
  });
  put_method(
    PackedSequence,
    backend,
    "(self, *args, **kwargs)",
    function (this: PackedSequence, args: unknown[], kwargs: object) {
      const { device } = _C._nn._parse_to(...args, kwargs);
      const there = device !== null && THPDevice_pynew(String(device)).type === backend;
      return there ? this.to(...args, kwargs) : this.to(...args, { ...kwargs, device: backend });
    },
  );
}

function _generate_storage_methods(backend: string, unsupported_dtype: readonly dtype[] | null): void {
  put_property(StorageBase, `is_${backend}`, function (this: UntypedStorage) {
    return this.device.type === backend;
  });
  put_method(
    StorageBase,
    backend,
    "(self, device=None, non_blocking=False)",
    function (this: UntypedStorage, device: DeviceLike | null, non_blocking: boolean) {
      const index = _normalization_device(backend, device);
      if (this.device.type === backend && this.device.index === index) return this;
      const there = new UntypedStorage(this.size(), { device: THPDevice_pynew(backend, index) });
      return there.copy_(this, non_blocking);
    },
  );
  put_property(TypedStorage, `is_${backend}`, function (this: TypedStorage) {
    return this.device.type === backend;
  });
  put_method(
    TypedStorage,
    backend,
    "(self, device=None, non_blocking=False, **kwargs)",
    function (this: TypedStorage, device: DeviceLike | null, non_blocking: boolean, kwargs: object) {
      if (unsupported_dtype?.includes(this.dtype))
        throw new RuntimeError(
          `Cannot create ${backend} storage as ${this.dtype} dtype is not supported by this backend`,
        );
      return this._new_wrapped_storage((this._untyped_storage as Any)[backend](device, non_blocking, kwargs));
    },
  );
}

/**
 * Adds methods of the renamed backend to tensors, modules, packed sequences and, if requested, storages: `x.foo()`, `x.is_foo`.
 * @param unsupported_dtype dtypes that storages on the device cannot have
 */
export const generate_methods_for_privateuse1_backend = def(
  "generate_methods_for_privateuse1_backend(for_tensor=True, for_module=True, for_packed_sequence=True, for_storage=False, unsupported_dtype=None)",
  (
    for_tensor: boolean,
    for_module: boolean,
    for_packed_sequence: boolean,
    for_storage: boolean,
    unsupported_dtype: readonly dtype[] | null,
  ): void => {
    const backend = _C._get_privateuse1_backend_name();
    if (for_tensor) _generate_tensor_methods(backend);
    if (for_module) _generate_module_methods(backend);
    if (for_storage) _generate_storage_methods(backend, unsupported_dtype);
    if (for_packed_sequence) _generate_packed_sequence_methods(backend);
  },
);

/** A function of the backend's module, for authors of backends. */
export const _get_custom_mod_func = def(
  "_get_custom_mod_func(func_name)",
  (func_name: string): ((...args: unknown[]) => unknown) => {
    if (typeof func_name !== "string")
      throw new AssertionError(`func_name must be \`str\`, but got \`${type_repr(func_name, "class")}\`.`);
    const backend = _C._get_privateuse1_backend_name();
    const found = member_of(device_module(backend), func_name);
    if (found === undefined)
      throw new RuntimeError(
        `Try to call torch.${backend}.${func_name}. The backend must register a custom backend ` +
          `module with \`torch._register_device_module('${backend}', BackendModule)\`. And ` +
          `BackendModule needs to have the following API's:\n \`${func_name}(*args, **kwargs)\`. \n`,
      );
    return found as (...args: unknown[]) => unknown;
  },
);
