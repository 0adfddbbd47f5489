/**
 * @file The objects of scripts behind objects of Python, such as modules.
 * @mirrors torch/csrc/jit/python/pybind_utils.h#as_object
 */
import type { Object_ } from "#aten/core/ivalue_inl";

const script_objects = new WeakMap<object, Object_>();

/** Makes the Python object for a module; `script_module.ts` sets it. */
export const module_wrapper: { wrap: ((object: Object_) => unknown) | null } = { wrap: null };

export function register_script_object(wrapper: object, object: Object_): void {
  script_objects.set(wrapper, object);
}

export function script_object_of(value: unknown): Object_ | null {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return null;
  return script_objects.get(value) ?? null;
}

/** The entries of a dict; an attribute of a module may have become a plain object. */
export function entries_of(obj: Map<unknown, unknown> | Record<string, unknown>): Iterable<[unknown, unknown]> {
  return obj instanceof Map ? obj : Object.entries(obj);
}
