/**
 * @file Reading what stands at a path of a module.
 * @mirrors torch/fx/graph_module.py#_get_attr
 */
import { getattr, getattr_or_undefined } from "#python/Objects/object";

/** `module.a.b` for `a.b`. */
export function attribute_at(module: unknown, path: string): unknown {
  return path.split(".").reduce((at, name) => getattr(at, name), module);
}

/** `module.a.b`, or undefined if there is no such attribute. */
export function attribute_or_undefined(module: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((at, name) => (at === undefined ? undefined : getattr_or_undefined(at, name)), module);
}
