/**
 * @file Sequences among the data of a tensor: lists, and every object that can be asked for its length and its elements, such as a storage, a
 * `bytearray`, or an instance of a program's class with `__getitem__`.
 * @mirrors torch/csrc/utils/tensor_new.cpp
 */

import { TORCH_CHECK_VALUE, TypeError_, ValueError } from "#c10/util/Exception";
import { ByteSequence, PyBytes } from "#python/Objects/bytesobject";
import { float_value } from "#python/Objects/floatobject";
import { TensorBase } from "#torch/csrc-equivalent/autograd/python_variable/type";
import { isStorage, storage_dtype } from "#torch/csrc-equivalent/Storage";
import { python_type } from "./python_numbers.ts";
import { is_typed_array } from "./tensor_numpy.ts";

export const MAX_DIMS = 128;

/** Whether data has elements: it is a list, or a typed array inside one. */
export function is_sequence(obj: unknown): obj is ArrayLike<unknown> {
  return Array.isArray(obj) || is_typed_array(obj);
}

/** The two methods by which Python asks an object for its elements. */
interface PySequence {
  __getitem__(index: number): unknown;
  readonly __len__?: (() => unknown) | undefined;
}

/** Whether an object is asked for its elements one by one. A dict has `__getitem__`, too, but is no sequence. */
function has_elements(obj: object): obj is PySequence {
  if (obj instanceof TensorBase || obj instanceof Map) return false;
  return typeof (obj as Partial<PySequence>).__getitem__ === "function";
}

/** The sequences for which lists stand that `as_lists` made: an error names their type. */
const originals = new WeakMap<object, object>();

/** The value that the program gave, for a list that stands for it. */
export function original_of(data: unknown): unknown {
  return Array.isArray(data) ? (originals.get(data) ?? data) : data;
}

function elements_of(obj: PySequence): unknown[] {
  const dtype = isStorage(obj) ? storage_dtype(obj) : null;
  const as_element = dtype?.is_floating_point === true ? float_value : null; // 1.0 stays a float
  if (typeof obj.__len__ !== "function") throw new TypeError_(`object of type '${python_type(obj)}' has no len()`);
  const length = Number(obj.__len__());
  const elements: unknown[] = [];
  for (let i = 0; i < length; i++)
    try {
      const element = obj.__getitem__(i);
      elements.push(as_element === null ? element : as_element(element as number));
    } catch (error) {
      if (i > 0) throw error;
      throw new ValueError(`could not determine the shape of object type '${python_type(obj)}'`);
    }
  return elements;
}

/** Data whose sequences are all lists. Lists that hold nothing else stay what they are. */
export function as_lists(data: unknown, depth = 0): unknown {
  if (typeof data !== "object" || data === null || is_typed_array(data)) return data;
  if (Array.isArray(data)) return depth > MAX_DIMS ? data : list_of_lists(data, depth);
  if (data instanceof ByteSequence) return data instanceof PyBytes ? data : Array.from(data.data);
  if (!has_elements(data)) return data;
  TORCH_CHECK_VALUE(depth < MAX_DIMS, "too many dimensions '", python_type(data), "'");
  const list = list_of_lists(elements_of(data), depth);
  originals.set(list, data);
  return list;
}

function list_of_lists(list: unknown[], depth: number): unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const element = list[i];
    if (element === undefined) break; // a hole, which is refused later
    if (typeof element !== "object" || element === null) continue;
    const other = as_lists(element, depth + 1);
    if (other === element) continue;
    changed ??= [...list];
    changed[i] = other;
  }
  return changed ?? list;
}
