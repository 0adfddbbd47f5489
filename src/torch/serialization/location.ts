/**
 * @file The device of a storage when it is written and when it is read: a registry to which a backend may add functions.
 * @mirrors torch/serialization.py#register_package
 */
import { AttributeError, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { _C, having, isDict, python_type, THPDevice_Check, THPDevice_pynew } from "#torch/_C";
import { device_module } from "#torch/_device_module";
import { def } from "#torch/_signature";
import { torch } from "#torch/_torch";
import { type_name } from "#torch/_utils/index";
import type { UntypedStorage } from "#torch/storage/untyped";
import type { device } from "#torch/types";
import type { MapLocation } from "./tls.ts";

type Tagger = (storage: UntypedStorage) => string | null | undefined;
type Deserializer = (storage: UntypedStorage, location: string) => UntypedStorage | null | undefined;

const _package_registry: [priority: number, tagger: Tagger, deserializer: Deserializer][] = [];

/**
 * Registers a backend: `tagger` returns the location of a storage when it is written, `deserializer` moves it there when it is read. Each
 * returns null for other locations. They are called in order of `priority`, lowest first (the CPU has 10).
 */
export const register_package = def(
  "register_package(priority, tagger, deserializer)",
  (priority: number, tagger: Tagger, deserializer: Deserializer): void => {
    _package_registry.push([priority, tagger, deserializer]);
    _package_registry.sort(([a], [b]) => a - b);
  },
);

/** Registers `_backend_tag(name, ...)` and `_deserialize(name, ...)`. */
function register_backend(priority: number, name: () => string): void {
  register_package(
    priority,
    ({ device }) => (device.type !== name() ? null : device.index === null ? name() : `${name()}:${device.index}`),
    (storage, location) => {
      const backend = name();
      if (location !== backend && !new RegExp(`^${backend}(:|[0-9]+)`).test(location)) return null;
      return storage_to(storage, validate_device(location, backend));
    },
  );
}

/** Devices for which PyTorch always has a module, even if they are not available. */
const WITH_MODULE: ReadonlySet<string> = new Set(["cuda", "xpu", "mtia"]);

/** The device that `location` names, after a check that its module is available. */
function validate_device(location: string, backend: string): device {
  const upper = backend.toUpperCase();
  const advice =
    "If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.";
  const module = device_module(backend) as {
    readonly _utils?: { _get_device_index?(location: string, optional: boolean): number };
    is_available?(): boolean;
    device_count?(): number;
  } | null;
  if (module === null && !WITH_MODULE.has(backend))
    throw new RuntimeError(`The ${upper} device module is not registered. ${advice}`);
  if (module === null || module.is_available?.() === false)
    throw new RuntimeError(
      `Attempting to deserialize object on a ${upper} device but torch.${backend}.is_available() is False. ${advice}`,
    );
  const index_of = module._utils?._get_device_index;
  const there = index_of === undefined ? THPDevice_pynew(location) : THPDevice_pynew(backend, index_of(location, true));
  const index = there.index ?? 0;
  const count = module.device_count?.() ?? Number.POSITIVE_INFINITY;
  if (index >= count)
    throw new RuntimeError(
      `Attempting to deserialize object on ${upper} device ${index} but torch.${backend}.device_count() is ${count}. ` +
        "Please use torch.load with map_location to map your storages to an existing device.",
    );
  return there;
}

/** A copy of the bytes on another device. */
function storage_to(storage: UntypedStorage, device: device): UntypedStorage {
  return storage.to({ device });
}

function meta_storage(nbytes: number): UntypedStorage {
  return torch.empty([nbytes], { dtype: torch.uint8, device: "meta" }).untyped_storage();
}

register_package(
  10,
  ({ device }) => (device.type === "cpu" ? "cpu" : null),
  (storage, location) => (location === "cpu" ? storage : null),
);
register_backend(20, () => "cuda");
register_package(
  21,
  ({ device }) => (device.type === "mps" ? "mps" : null),
  (storage, location) => (location.startsWith("mps") ? storage_to(storage, THPDevice_pynew(location)) : null),
);
register_package(
  22,
  ({ device }) => (device.type === "meta" ? "meta" : null),
  (storage, location) => (location === "meta" ? meta_storage(storage.nbytes()) : null),
);
register_backend(23, () => _C._get_privateuse1_backend_name());
register_backend(24, () => "hpu");
register_backend(25, () => "xpu");
register_backend(26, () => "mtia");

/** The location of `storage`, as it is written to a file. */
export const location_tag = def("location_tag(storage)", (storage: UntypedStorage): string => {
  having(storage, "device");
  for (const [, tagger] of _package_registry) {
    const location = tagger(storage);
    if (location) return location;
  }
  throw new RuntimeError(`don't know how to determine data location of ${type_name(storage)}`);
});

/** `storage` moved to the device that `location` names. */
export const default_restore_location = def(
  "default_restore_location(storage, location)",
  (storage: UntypedStorage, location: string): UntypedStorage => {
    if (typeof location !== "string")
      throw new AttributeError(`'${python_type(location)}' object has no attribute 'startswith'`);
    for (const [, , deserializer] of _package_registry) {
      const result = deserializer(storage, location);
      if (result !== null && result !== undefined) return result;
    }
    throw new RuntimeError(
      `don't know how to restore data location of ${type_name(storage)} (tagged with ${location})`,
    );
  },
);

/** A `map_location` given by the user; a plain object is read as a dict. */
export function as_map_location(given: unknown): MapLocation {
  return isDict(given) ? new Map(Object.entries(given as Record<string, string>)) : (given as MapLocation);
}

/** The function that moves each storage to its location. */
export function _get_restore_location(
  map_location: MapLocation,
): (s: UntypedStorage, location: string) => UntypedStorage {
  if (map_location === null) return default_restore_location;
  if (map_location instanceof Map)
    return (storage, location) => default_restore_location(storage, map_location.get(location) ?? location);
  if (typeof map_location === "function")
    return (storage, location) => map_location(storage, location) ?? default_restore_location(storage, location);
  return (storage) => {
    if (typeof map_location !== "string" && !THPDevice_Check(map_location))
      throw new TypeError_(`'${python_type(map_location)}' object is not callable`);
    return default_restore_location(storage, String(map_location));
  };
}

/** Whether no bytes of storages have to be read. */
export function _is_meta_location(map_location: MapLocation): boolean {
  return String(map_location) === "meta" && typeof map_location !== "function" && !(map_location instanceof Map);
}
