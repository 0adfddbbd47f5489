/**
 * @file The classes and functions that every file may name, by full name.
 * @mirrors torch/_weights_only_unpickler.py#_get_allowed_globals
 */
import { Exception, RuntimeError, TypeError_ } from "#c10/util/Exception";
import { _C, python_type, THPDevice_pynew, type THPDtype, THPSize_NewFromSizes } from "#torch/_C";
import { Counter, OrderedDict } from "#torch/_collections";
import { Complex } from "#torch/_complex";
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import {
  _get_layout,
  _rebuild_device_tensor_from_cpu_tensor,
  _rebuild_meta_tensor_no_storage,
  _rebuild_parameter,
  _rebuild_parameter_with_state,
  _rebuild_tensor,
  _rebuild_tensor_v2,
  _rebuild_tensor_v3,
  _set_obj_state,
  not_built,
} from "#torch/_utils/rebuild";
import { Parameter } from "#torch/nn/parameter/index";
import { _storage_type_to_dtype_map } from "#torch/storage/storage_types";

/** A function or class of Python that a file may name. */
export class Callable {
  readonly path: string;
  private readonly fn: (args: unknown[]) => unknown;

  constructor(path: string, fn: (args: unknown[]) => unknown) {
    this.path = path;
    this.fn = fn;
  }

  /** Calls the function. The file may give any arguments, so a JavaScript error is reported as an error of the file. */
  call(args: unknown): unknown {
    if (!Array.isArray(args)) throw new TypeError_(`Value after * must be an iterable, not ${python_type(args)}`);
    try {
      return this.fn(args);
    } catch (error) {
      if (error instanceof Exception) throw error;
      throw new RuntimeError(`${this.path}: ${(error as Error).message}`);
    }
  }

  __repr__(): string {
    return `<function ${this.path}>`;
  }
}

/** A storage class during reading: its dtype. */
export class StorageType {
  readonly dtype: THPDtype;

  constructor(dtype: THPDtype) {
    this.dtype = dtype;
  }

  toString(): string {
    return `StorageType(dtype=${this.dtype})`;
  }
}

/** `_codecs.encode`: converts text whose characters are bytes. */
function encode(text: unknown, encoding: unknown = "utf-8"): Uint8Array {
  if (typeof text !== "string") throw new TypeError_(`encode() argument 1 must be str, not ${python_type(text)}`);
  if (encoding === "latin1" || encoding === "latin-1") return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return new TextEncoder().encode(text);
}

function bytearray(source: unknown = new Uint8Array(0), encoding?: unknown): Uint8Array {
  if (typeof source === "string") return encode(source, encoding);
  if (source instanceof Uint8Array) return source.slice();
  throw new TypeError_(`cannot convert '${python_type(source)}' object to bytearray`);
}

function ordered_dict(items: unknown = []): OrderedDict {
  const dict = new OrderedDict();
  for (const [key, value] of items as Iterable<[unknown, unknown]>) dict.set(key, value);
  return dict;
}

function counter(items: unknown = []): Counter {
  const dict = new Counter();
  for (const [key, value] of items as Iterable<[unknown, number]>) dict.set(key, value);
  return dict;
}

function set(items: unknown = []): Set<unknown> {
  if (items === null || typeof items !== "object" || !(Symbol.iterator in items))
    throw new TypeError_(`'${python_type(items)}' object is not iterable`);
  return new Set(items as Iterable<unknown>);
}

function new_size(size: unknown = []): readonly number[] {
  if (!Array.isArray(size)) throw new TypeError_(`torch.Size() takes an iterable of 'int'`);
  for (const [i, item] of size.entries())
    if (typeof item !== "number" || !Number.isInteger(item))
      throw new TypeError_(`torch.Size() takes an iterable of 'int' (item ${i} is '${python_type(item)}')`);
  return Object.freeze(THPSize_NewFromSizes(size));
}

/** `torch._tensor._rebuild_from_type_v2`: rebuilds a tensor of a class, with properties. */
function _rebuild_from_type_v2(func: unknown, new_type: unknown, args: unknown, state: unknown): Tensor {
  if (!(func instanceof Callable)) throw new TypeError_(`'${python_type(func)}' object is not callable`);
  let ret = func.call(args) as Tensor;
  const cls = new_type instanceof Callable && new_type.path === "torch.nn.parameter.Parameter" ? Parameter : new_type;
  if (typeof cls === "function" && ret.constructor !== cls) ret = ret.as_subclass(cls as never);
  return state === null ? ret : _set_obj_state(ret, state);
}

const functions: Record<string, (...args: never[]) => unknown> = {
  "collections.OrderedDict": ordered_dict,
  "collections.Counter": counter,
  "torch.nn.parameter.Parameter": (...args: unknown[]) => new Parameter(...(args as [])),
  "torch.serialization._get_layout": _get_layout,
  "torch.Size": new_size,
  "torch.Tensor": (...args: unknown[]) => new torch.Tensor(...args),
  "torch.device": (...args: unknown[]) => THPDevice_pynew(...args),
  "_codecs.encode": encode,
  "builtins.bytearray": bytearray,
  "builtins.set": set,
  "builtins.complex": (real: number = 0, imag: number = 0) => new Complex(real, imag),
  "torch._utils._rebuild_parameter": _rebuild_parameter,
  "torch._utils._rebuild_parameter_with_state": _rebuild_parameter_with_state,
  "torch._utils._rebuild_tensor": _rebuild_tensor,
  "torch._utils._rebuild_tensor_v2": _rebuild_tensor_v2,
  "torch._utils._rebuild_tensor_v3": _rebuild_tensor_v3,
  "torch._utils._rebuild_meta_tensor_no_storage": _rebuild_meta_tensor_no_storage,
  "torch._utils._rebuild_device_tensor_from_cpu_tensor": _rebuild_device_tensor_from_cpu_tensor,
  "torch._utils._rebuild_device_tensor_from_numpy": not_built("tensors saved as NumPy arrays"),
  "torch._utils._rebuild_qtensor": not_built("quantized tensors"),
  "torch._utils._rebuild_sparse_tensor": not_built("sparse tensors"),
  "torch._utils._rebuild_nested_tensor": not_built("nested tensors"),
  "torch._utils._rebuild_wrapper_subclass": not_built("tensor subclasses without memory"),
  "torch._tensor._rebuild_from_type_v2": _rebuild_from_type_v2,
  "torch.storage.TypedStorage": not_built("storages created by the file itself"),
  "torch.storage.UntypedStorage": not_built("storages created by the file itself"),
};

/** Tensor types that old files name: such a file creates an empty tensor and then sets its storage. */
const TENSOR_KINDS = ["Byte", "Char", "Short", "Int", "Long", "Bool", "Half", "Float", "Double", "BFloat16"];

let allowed: ReadonlyMap<string, unknown> | null = null;

/** Full name -> dtype, `StorageType` or `Callable`. */
export function _get_allowed_globals(): ReadonlyMap<string, unknown> {
  if (allowed !== null) return allowed;
  const rc = new Map<string, unknown>();
  for (const [path, fn] of Object.entries(functions))
    rc.set(path, new Callable(path, (args) => (fn as (...args: unknown[]) => unknown)(...args)));
  for (const object of Object.values(_C as unknown as Record<string, unknown>))
    if ((object as { scalar_type?: unknown } | null)?.scalar_type !== undefined) rc.set(String(object), object);
  for (const [name, dtype] of _storage_type_to_dtype_map()) {
    rc.set(`torch.${name}`, new StorageType(dtype));
    if (!name.startsWith("Q")) rc.set(`torch.cuda.${name}`, new StorageType(dtype));
  }
  for (const kind of TENSOR_KINDS) {
    const path = `torch.${kind}Tensor`;
    const cls = (torch as unknown as Record<string, new (...args: unknown[]) => unknown>)[`${kind}Tensor`];
    rc.set(path, new Callable(path, (args) => new cls(...args)));
  }
  allowed = rc;
  return rc;
}
