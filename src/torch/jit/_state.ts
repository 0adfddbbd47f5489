/**
 * @file The Python classes of the types that scripts know by name.
 * @mirrors torch/jit/_state.py
 */
import type { Type } from "#aten/core/jit_type";

const name_to_py_class = new Map<string, unknown>();

export function _add_python_class(type: Type, cls: unknown): void {
  name_to_py_class.set(type.annotation_str(), cls);
}

export function _get_python_class(type: Type): unknown {
  return name_to_py_class.get(type.annotation_str()) ?? null;
}
