/**
 * @file The functions that a file names to rebuild tensors from storages.
 * @mirrors torch/_utils.py#_rebuild_tensor_v2
 */
import { NotImplementedError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { _serialization_tls, type MapLocation } from "#torch/serialization/tls";
import { TypedStorage } from "#torch/storage/typed";
import type { DeviceLike, dtype, layout } from "#torch/types";
import { set_tensor_metadata } from "./metadata.ts";

function typed(storage: unknown): TypedStorage {
  if (storage instanceof TypedStorage) return storage;
  throw new TypeError_(`'${python_type(storage)}' object is no storage`);
}

function set(t: Tensor, storage: TypedStorage, offset: unknown, size: unknown, stride: unknown): Tensor {
  return t.set_(storage._untyped_storage, offset as number, size as number[], stride as number[]);
}

/** A tensor over a storage from a file, with the storage's dtype. */
export function _rebuild_tensor(storage: unknown, storage_offset: unknown, size: unknown, stride: unknown): Tensor {
  const { _untyped_storage, dtype } = typed(storage);
  const t = torch.empty([0], { dtype, device: _untyped_storage.device });
  return set(t, typed(storage), storage_offset, size, stride);
}

/** Sets backward hooks. Old files contain hooks; newer ones contain an empty dict in this position. */
function set_backward_hooks(tensor: Tensor, backward_hooks: unknown): void {
  if (!(backward_hooks instanceof Map) || backward_hooks.size === 0) return;
  for (const hook of backward_hooks.values())
    if (typeof hook !== "function") throw new TypeError_(`'${python_type(hook)}' object is not callable`);
  tensor._backward_hooks = backward_hooks;
}

export function _rebuild_tensor_v2(...args: unknown[]): Tensor {
  const [storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata = null] = args;
  const tensor = _rebuild_tensor(storage, storage_offset, size, stride);
  tensor.requires_grad = requires_grad as boolean;
  if (metadata !== null) set_tensor_metadata(tensor, metadata);
  set_backward_hooks(tensor, backward_hooks);
  return tensor;
}

/** Rebuilds a tensor whose dtype has no storage class of its own: the dtype is stored next to an untyped storage. */
export function _rebuild_tensor_v3(...args: unknown[]): Tensor {
  const [storage, storage_offset, size, stride, requires_grad, backward_hooks, dtype_, metadata = null] = args;
  const { device } = typed(storage)._untyped_storage;
  const t = torch.empty([0], { dtype: dtype_ as dtype, device, requires_grad: requires_grad as boolean });
  set(t, typed(storage), storage_offset, size, stride);
  if (metadata !== null) set_tensor_metadata(t, metadata);
  set_backward_hooks(t, backward_hooks);
  return t;
}

/** Rebuilds a meta tensor, which has no bytes; sharing of memory is lost. */
export function _rebuild_meta_tensor_no_storage(
  dtype_: unknown,
  size: unknown,
  stride: unknown,
  requires_grad: unknown,
): Tensor {
  return torch.empty_strided(size as number[], stride as number[], {
    dtype: dtype_ as dtype,
    device: "meta",
    requires_grad: requires_grad as boolean,
  });
}

export function _rebuild_parameter(data: unknown, requires_grad: unknown, backward_hooks: unknown): Tensor {
  const param = new torch.nn.Parameter(data as Tensor, requires_grad as boolean);
  set_backward_hooks(param, backward_hooks);
  return param;
}

export function _rebuild_parameter_with_state(
  data: unknown,
  requires_grad: unknown,
  backward_hooks: unknown,
  state: unknown,
): Tensor {
  return _set_obj_state(_rebuild_parameter(data, requires_grad, backward_hooks), state);
}

/** Restores the properties that a user set on a tensor. */
export function _set_obj_state<T extends Tensor>(obj: T, state: unknown): T {
  const parts = Array.isArray(state) ? state : [state];
  if (Array.isArray(state) && state.length !== 2) throw new RuntimeError(`Invalid serialized state: ${state}`);
  for (const part of parts) if (part instanceof Map) set_own_properties(obj, part);
  return obj;
}

/** Properties of every tensor object, which no file may set. */
const FIELDS: ReadonlySet<unknown> = new Set(["cdata", "backward_hooks", "post_accumulate_grad_hooks"]);

/** Sets properties of an object of the library, but none that would hide a member of its class. */
export function set_own_properties(obj: object, state: ReadonlyMap<unknown, unknown>): void {
  const { constructor } = obj;
  for (const name of state.keys())
    if (typeof name !== "string" || name in constructor.prototype || FIELDS.has(name))
      throw new RuntimeError(
        `Invalid serialized state: ${String(name)} is no name for a property of a ${constructor.name}`,
      );
  set_properties(obj, state);
}

/** Defines properties without assigning them: no setter of the class runs, and `__proto__` is an ordinary name. */
export function set_properties(obj: object, state: ReadonlyMap<unknown, unknown>): void {
  for (const [name, value] of state)
    Object.defineProperty(obj, String(name), { value, writable: true, enumerable: true, configurable: true });
}

export function _rebuild_device_tensor_from_cpu_tensor(
  data: unknown,
  dtype_: unknown,
  device: unknown,
  requires_grad: unknown,
): Tensor {
  const tensor = (data as Tensor).to({ dtype: dtype_ as dtype, device: _get_restore_location(device as DeviceLike) });
  tensor.requires_grad = requires_grad as boolean;
  return tensor;
}

/** The device of a tensor that is not on the device of its storage. */
function _get_restore_location(device: DeviceLike): DeviceLike {
  const map_location: MapLocation = _serialization_tls.map_location;
  if (map_location === null) return device;
  if (typeof map_location === "function")
    throw new RuntimeError(
      "Callable map_location not supported with _rebuild_wrapper_subclass or _rebuild_device_tensor_from_numpy",
    );
  if (typeof map_location === "string" || "device" in map_location) return map_location;
  return map_location.get(String(device)) ?? device;
}

/** Refuses an object that PyTorch rebuilds but for which this library has no tensor. */
export function not_built(what: string): () => never {
  return () => {
    throw new NotImplementedError(`${what} are not built here, but the file contains some`);
  };
}

/** `torch.serialization._get_layout`: `torch.strided` by its name. */
export function _get_layout(name: unknown): layout {
  const found = Object.values(torch as unknown as Record<string, unknown>).find(
    (value) => (value as { layout?: unknown } | null)?.layout !== undefined && String(value) === name,
  );
  if (found === undefined) throw new RuntimeError(`unknown layout ${String(name)}`);
  return found as layout;
}
