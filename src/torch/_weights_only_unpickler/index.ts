/**
 * @file The unpickler for files from untrusted sources: a fixed set of instructions, which create only tensors and plain values.
 * @mirrors torch/_weights_only_unpickler.py
 * @differs Ours cannot import a class or function that is not on the list, so it refuses such a file for every `weights_only`; PyTorch
 * imports it with `weights_only=False`.
 */
import {
  EOFError,
  Exception,
  IndexError,
  KeyError,
  named,
  RuntimeError,
  TypeError_,
  UnicodeDecodeError,
  warn,
} from "#c10/util/Exception";
import { PyBytes } from "#python/Objects/bytesobject";
import { type PyTuple, tuple } from "#python/Objects/tupleobject";
import { class_name, PySequence_Tuple, python_type, repr, type THPDtype, THPDtype_Check } from "#torch/_C";
import { Counter, OrderedDict } from "#torch/_collections";
import { PickleError } from "#torch/_pickle/index";
import * as op from "#torch/_pickle/opcodes";
import { finish, kinds, PyDict } from "#torch/_pickle/values";
import { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { is_class } from "#torch/_utils/index";
import { set_own_properties, set_properties } from "#torch/_utils/rebuild";
import { Parameter } from "#torch/nn/parameter/index";
import { UntypedStorage } from "#torch/storage/untyped";
import { _get_allowed_globals, Callable, StorageType } from "./globals.ts";

/** `pickle.UnpicklingError` */
export class UnpicklingError extends PickleError {}
named(UnpicklingError, "UnpicklingError");

/** `struct.error` */
class StructError extends Exception {}
named(StructError, "error");

const _blocklisted_modules: ReadonlySet<string> = new Set(["sys", "os", "posix", "nt"]);

/** A class or a function, perhaps together with the name that files use for it. */
export type SafeGlobal = AnyFunction | readonly [AnyFunction, string];
// biome-ignore lint/suspicious/noExplicitAny: a user's class takes any arguments
type AnyFunction = (abstract new (...args: any[]) => any) | ((...args: any[]) => any);

let _marked_safe_globals: SafeGlobal[] = [];

export function _add_safe_globals(safe_globals: readonly SafeGlobal[]): void {
  if (typeof safe_globals?.[Symbol.iterator] !== "function")
    throw new TypeError_(`'${python_type(safe_globals)}' object is not iterable`);
  _marked_safe_globals = [...new Set([..._marked_safe_globals, ...safe_globals])];
}

export function _get_safe_globals(): SafeGlobal[] {
  return [..._marked_safe_globals];
}

export function _clear_safe_globals(): void {
  _marked_safe_globals = [];
}

export function _remove_safe_globals(given: readonly SafeGlobal[]): void {
  const globals_to_remove = PySequence_Tuple(given);
  _marked_safe_globals = _marked_safe_globals.filter((safe) => !globals_to_remove.includes(safe));
}

/** Full name -> class or function that the user has allowed. A class of a script is `__main__.Name`, as in Python. */
export function _get_user_allowed_globals(): Map<string, AnyFunction> {
  const rc = new Map<string, AnyFunction>();
  for (const f of _marked_safe_globals) {
    if (typeof f === "function") {
      rc.set(class_name(f), f);
      continue;
    }
    const [callable, path] = f;
    if (f.length !== 2)
      throw new RuntimeError(
        `Expected tuple of length 2 (global, str of callable full path), but got tuple of length: ${(f as unknown[]).length}`,
      );
    if (typeof path !== "string")
      throw new TypeError_(
        `Expected second item in tuple to be str of callable full path, but got: <class '${python_type(path)}'>`,
      );
    rc.set(path, callable);
  }
  return rc;
}

/** Names from parts of PyTorch that must be imported separately; they are not built here, and have their own error. */
const NESTED =
  /^torch\.(?:nested\._internal\.nested_tensor\.(?:NestedTensor|_rebuild_njt)|_dynamo\.decorators\._DimRange)$/;
const DTENSOR =
  /^torch\.distributed\.(?:device_mesh\.DeviceMesh|tensor\.(?:_dtensor_spec\.(?:DTensorSpec|TensorMeta)|DTensor|placement_types\.(?:Partial|Replicate|Shard)))$/;

/** Converts a Python 2 name to Python 3, as `_read_global_instruction` does. */
export function python3_name(module: string, name: string): readonly [module: string, name: string] {
  return op.NAME_MAPPING.get(`${module}.${name}`) ?? [op.IMPORT_MAPPING.get(module) ?? module, name];
}

/** Names of the classes and functions that the pickle uses. */
export function get_globals_in_pkl(data: Uint8Array): Set<string> {
  const unpickler = new Unpickler(data);
  return unpickler.globals();
}

const text_decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decode_utf8(bytes: Uint8Array): string {
  try {
    return text_decoder.decode(bytes);
  } catch {
    return decode_surrogates(bytes);
  }
}

/** The error for a character of `length` bytes that begins at `start`. */
function undecodable(bytes: Uint8Array, start: number, length: number): UnicodeDecodeError {
  const lead = bytes[start];
  let end = start + 1;
  while (end < start + length && (bytes[end] & 0xc0) === 0x80) end++;
  const is_start = lead >= 0xc2 && lead <= 0xf4;
  if (!is_start) end = start + 1;
  const reason = !is_start
    ? "invalid start byte"
    : end === bytes.length
      ? "unexpected end of data"
      : "invalid continuation byte";
  return new UnicodeDecodeError("utf-8", new PyBytes(bytes), start, end, reason);
}

/** Decodes UTF-8 with unpaired surrogates allowed (Python's "surrogatepass"). */
function decode_surrogates(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i];
    if (lead === 0xed && (bytes[i + 1] & 0xe0) === 0xa0 && (bytes[i + 2] & 0xc0) === 0x80) {
      text += String.fromCharCode(0xd000 | ((bytes[i + 1] & 0x3f) << 6) | (bytes[i + 2] & 0x3f));
      i += 3;
      continue;
    }
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    try {
      text += text_decoder.decode(bytes.subarray(i, i + length));
    } catch {
      throw undecodable(bytes, i, length);
    }
    i += length;
  }
  return text;
}

/** The arguments of a call with `*args`. */
function iterable(args: unknown): unknown[] {
  if (!Array.isArray(args)) throw new TypeError_(`Value after * must be an iterable, not ${python_type(args)}`);
  return args;
}

export class Unpickler {
  protected readonly data: Uint8Array;
  protected readonly view: DataView;
  /** Position of the next instruction; after `load`, the position after STOP. */
  pos: number;
  protected readonly memo = new Map<number, unknown>();
  protected metastack: unknown[][] = [];
  protected stack: unknown[] = [];
  /** The arrays that represent tuples. */
  protected readonly tuples = new Set<unknown>();
  /** Objects of users' classes, whose properties came from the file. */
  private readonly built = new Set<object>();
  persistent_load: (pid: unknown) => unknown = () => {
    throw new UnpicklingError("unsupported persistent id encountered");
  };

  constructor(data: Uint8Array, pos = 0) {
    this.data = data;
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.pos = pos;
  }

  /** The value that the pickle describes. */
  load(): unknown {
    while (this.step(this.opcode()));
    return finish(this.pop(), this.tuples, this.built);
  }

  // Bytes

  /** The next `n` bytes, or those that are left: like Python's `read`. */
  protected read(n: number): Uint8Array {
    const from = this.pos;
    this.pos = Math.min(from + n, this.data.length);
    return this.data.subarray(from, this.pos);
  }

  /** `n` bytes for a number. */
  protected exactly(n: number): number {
    const from = this.pos;
    if (from + n > this.data.length) throw new StructError(`unpack requires a buffer of ${n} bytes`);
    this.pos = from + n;
    return from;
  }

  protected u8(): number {
    if (this.pos === this.data.length) throw new IndexError("index out of range");
    return this.data[this.pos++];
  }

  protected u16(): number {
    return this.view.getUint16(this.exactly(2), true);
  }

  protected u32(): number {
    return this.view.getUint32(this.exactly(4), true);
  }

  protected f64(): number {
    return this.view.getFloat64(this.exactly(8));
  }

  /** Text up to the end of the line. Like Python's `readline()[:-1]`, which drops the last byte even if no line ends. */
  protected line(): string {
    const found = this.data.indexOf(0x0a, this.pos);
    const end = found < 0 ? this.data.length : found + 1;
    const line = decode_utf8(this.data.subarray(this.pos, Math.max(this.pos, end - 1)));
    this.pos = end;
    return line;
  }

  // The stack

  protected push(value: unknown): void {
    this.stack.push(value);
  }

  protected pop(): unknown {
    if (this.stack.length === 0) throw new IndexError("pop from empty list");
    return this.stack.pop();
  }

  protected top(): unknown {
    if (this.stack.length === 0) throw new IndexError("list index out of range");
    return this.stack[this.stack.length - 1];
  }

  protected set_top(value: unknown): void {
    this.stack[this.stack.length - 1] = value;
  }

  protected memo_at(idx: number): unknown {
    if (!this.memo.has(idx)) throw new KeyError(String(idx));
    return this.memo.get(idx);
  }

  protected pop_mark(): unknown[] {
    const items = this.stack;
    const before = this.metastack.pop();
    if (before === undefined) throw new IndexError("pop from empty list");
    this.stack = before;
    return items;
  }

  protected tuple(items: unknown[]): PyTuple {
    const made = tuple(items);
    this.tuples.add(made);
    return made;
  }

  protected tuple_of_top(n: number): void {
    if (this.stack.length < n) throw new IndexError("list index out of range");
    this.push(this.tuple(this.stack.splice(-n)));
  }

  /** The next instruction. */
  protected opcode(): number {
    if (this.pos === this.data.length) throw new EOFError();
    return this.data[this.pos++];
  }

  /** Executes one instruction; false after the last one. */
  protected step(key: number): boolean {
    switch (key) {
      case op.GLOBAL:
        this.push(this.find_global());
        break;
      case op.NEWOBJ:
        this.newobj();
        break;
      case op.REDUCE:
        this.reduce();
        break;
      case op.BUILD:
        this.build();
        break;
      case op.APPEND: {
        const item = this.pop();
        this.list_to("append to").push(item);
        break;
      }
      case op.APPENDS: {
        const items = this.pop_mark();
        const list = this.list_to("extend");
        for (const item of items) list.push(item);
        break;
      }
      case op.SETITEM: {
        const [v, k] = [this.pop(), this.pop()];
        this.dict_to("SETITEM").set(this.hashable(k), v);
        break;
      }
      case op.SETITEMS: {
        const items = this.pop_mark();
        const dict = this.dict_to("SETITEMS");
        if (items.length % 2 !== 0) throw new IndexError("list index out of range");
        for (let i = 0; i < items.length; i += 2) dict.set(this.hashable(items[i]), items[i + 1]);
        break;
      }
      case op.MARK:
        this.metastack.push(this.stack);
        this.stack = [];
        break;
      case op.TUPLE:
        this.push(this.tuple(this.pop_mark()));
        break;
      case op.TUPLE1:
      case op.TUPLE2:
      case op.TUPLE3:
        this.tuple_of_top(key - op.TUPLE1 + 1);
        break;
      case op.BINPERSID:
        this.push(this.persistent(this.pop()));
        break;
      case op.BINGET:
      case op.LONG_BINGET: {
        const idx = key === op.BINGET ? this.u8() : this.u32();
        this.push(this.memo_at(idx));
        break;
      }
      case op.BINPUT:
      case op.LONG_BINPUT: {
        const idx = key === op.BINPUT ? this.u8() : this.u32();
        this.memo.set(idx, this.top());
        break;
      }
      case op.PROTO: {
        this.proto(this.u8());
        break;
      }
      case op.STOP:
        return false;
      default:
        this.push(this.plain_value(key));
    }
    return true;
  }

  protected proto(proto: number): void {
    if (proto !== 2)
      warn(
        "UserWarning",
        `Detected pickle protocol ${proto} in the checkpoint, which was not the default pickle protocol used by \`torch.load\` (2). The weights_only Unpickler might not support all instructions implemented by this protocol, please file an issue for adding support if you encounter this.`,
      );
  }

  /** A value that is written in the pickle itself. */
  protected plain_value(key: number): unknown {
    switch (key) {
      case op.NONE:
        return null;
      case op.NEWFALSE:
        return false;
      case op.NEWTRUE:
        return true;
      case op.EMPTY_TUPLE:
        return this.tuple([]);
      case op.EMPTY_LIST:
        return [];
      case op.EMPTY_DICT:
        return new PyDict();
      case op.EMPTY_SET:
        return new Set();
      case op.BININT:
        return this.u32() | 0;
      case op.BININT1:
        return this.u8();
      case op.BININT2:
        return this.u16();
      case op.BINFLOAT:
        return kinds.float(this.f64());
      case op.BINUNICODE:
        return decode_utf8(this.read(this.u32()));
      case op.SHORT_BINSTRING:
        return decode_utf8(this.read(this.u8()));
      case op.LONG1:
        return decode_long(this.read(this.u8()));
      default:
        throw new UnpicklingError(`Unsupported operand ${key}`);
    }
  }

  private find_global(): unknown {
    const [module, name] = python3_name(this.line(), this.line());
    return this.find_class(module, name);
  }

  protected find_class(module: string, name: string): unknown {
    const full_path = `${module}.${name}`;
    if (_blocklisted_modules.has(module))
      throw new UnpicklingError(`Trying to load unsupported GLOBAL ${full_path} whose module ${module} is blocked.`);
    const found = _get_allowed_globals().get(full_path) ?? _get_user_allowed_globals().get(full_path);
    if (found !== undefined) return found;
    if (NESTED.test(full_path))
      throw new UnpicklingError(
        "``torch.nested`` and ``torch._dynamo`` must be imported to load nested jagged tensors (NJTs)",
      );
    if (DTENSOR.test(full_path))
      throw new UnpicklingError("``torch.distributed.tensor`` must be imported to load DTensors");
    const shown = full_path.startsWith("builtins.") ? full_path.slice("builtins.".length) : full_path;
    throw new UnpicklingError(
      `Unsupported global: GLOBAL ${shown} was not an allowed global by default. Please use \`torch.serialization.add_safe_globals([${shown}])\` or the \`torch.serialization.safe_globals([${shown}])\` context manager to allowlist this global if you trust this class/function.`,
    );
  }

  protected newobj(): void {
    const args = iterable(this.pop());
    const cls = this.pop();
    if (cls instanceof Callable) this.push(cls.call(args));
    else if (
      typeof cls === "function" &&
      is_class(cls) &&
      [..._get_user_allowed_globals().values()].includes(cls as AnyFunction)
    )
      this.push(Object.create((cls as { prototype: object }).prototype));
    else
      throw new UnpicklingError(
        `Can only create new object for nn.Parameter or classes allowlisted via \`add_safe_globals\` but got ${python_repr(cls)}`,
      );
  }

  protected reduce(): void {
    const given = this.pop();
    const func = this.top();
    if (
      !(func instanceof Callable || typeof func === "function" || func instanceof StorageType || THPDtype_Check(func))
    )
      throw new UnpicklingError(`Trying to call reduce for unrecognized function ${python_repr(func)}`);
    const args = iterable(given);
    if (func instanceof Callable) this.set_top(func.call(args));
    else if (typeof func === "function") {
      const made: unknown = is_class(func) ? Reflect.construct(func, args) : Reflect.apply(func, undefined, args);
      if (typeof made === "object" && made !== null) this.built.add(made);
      this.set_top(made);
    } else
      throw new TypeError_(`'${func instanceof StorageType ? "StorageType" : "torch.dtype"}' object is not callable`);
  }

  protected build(): void {
    const state = this.pop();
    const inst = this.top();
    if (inst instanceof Parameter || (inst instanceof Tensor && inst.constructor === Tensor))
      set_tensor_state(inst, state);
    else if (inst instanceof OrderedDict) set_own_properties(inst, dict_state(state));
    else if (typeof inst === "object" && inst !== null && this.is_users(inst)) this.build_users(inst, state);
    else
      throw new UnpicklingError(
        `Can only build Tensor, Parameter, OrderedDict or types allowlisted via \`add_safe_globals\`, but got ${python_class(inst)}`,
      );
  }

  private is_users(inst: object): boolean {
    return [..._get_user_allowed_globals().values()].includes(inst.constructor as AnyFunction);
  }

  private build_users(inst: object, given: unknown): void {
    this.built.add(inst);
    const { __setstate__ } = inst as { __setstate__?: (state: unknown) => void };
    if (typeof __setstate__ === "function") {
      __setstate__.call(inst, given);
      return;
    }
    const [state, slotstate] = Array.isArray(given) && given.length === 2 ? given : [given, null];
    for (const part of [state, slotstate]) if (part instanceof Map) set_properties(inst, part);
  }

  protected list_to(what: string): unknown[] {
    const list = this.top();
    if (Array.isArray(list) && !this.tuples.has(list)) return list;
    const plural = what === "extend" ? "extend lists" : "append to lists";
    throw new UnpicklingError(`Can only ${plural}, but got ${this.class_of(list)}`);
  }

  protected dict_to(opcode: string): Map<unknown, unknown> {
    const dict = this.top();
    if (dict instanceof PyDict || dict instanceof OrderedDict || dict instanceof Counter)
      return dict as Map<unknown, unknown>;
    throw new UnpicklingError(
      `Can only ${opcode} for dict, collections.OrderedDict, collections.Counter, but got ${this.class_of(dict)}`,
    );
  }

  protected hashable(key: unknown): unknown {
    const mutable = key instanceof Map || key instanceof Set || (Array.isArray(key) && !this.tuples.has(key));
    if (mutable) throw new TypeError_(`unhashable type: '${this.class_of(key).slice(8, -2)}'`);
    return key;
  }

  protected class_of(value: unknown): string {
    return this.tuples.has(value) ? "<class 'tuple'>" : python_class(value);
  }

  protected persistent(pid: unknown): unknown {
    const is_int = typeof pid === "number" || typeof pid === "bigint";
    if (!this.tuples.has(pid) && !is_int)
      throw new UnpicklingError(`persistent_load id must be tuple or int, but got ${python_class(pid)}`);
    const items = is_int ? [] : (pid as unknown[]);
    if (items.length > 0 && items[0] !== "storage")
      throw new UnpicklingError(`Only persistent_load of storage is allowed, but got ${python_class(items[0])}`);
    return this.persistent_load(pid);
  }

  /** The names of all classes and functions in the pickle; the instructions are read but not executed. */
  globals(): Set<string> {
    const found = new Set<string>();
    for (;;) {
      const key = this.opcode();
      if (key === op.STOP) return found;
      if (key === op.GLOBAL) found.add(python3_name(this.line(), this.line()).join("."));
      else if (key === op.PROTO || key === op.BINGET || key === op.BINPUT) this.read(1);
      else if (key === op.LONG_BINGET || key === op.LONG_BINPUT) this.read(4);
      else if (!WITHOUT_ARGUMENT.has(key)) this.plain_value(key);
    }
  }
}

const WITHOUT_ARGUMENT: ReadonlySet<number> = new Set([
  op.NEWOBJ,
  op.REDUCE,
  op.BUILD,
  op.APPEND,
  op.APPENDS,
  op.SETITEM,
  op.SETITEMS,
  op.MARK,
  op.TUPLE,
  op.TUPLE1,
  op.TUPLE2,
  op.TUPLE3,
  op.BINPERSID,
]);

/** Decodes two's complement, lowest byte first. */
export function decode_long(data: Uint8Array): number | bigint {
  let value = 0n;
  for (let i = data.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(data[i]);
  value = BigInt.asIntN(8 * data.length, value);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Sets the storage of an empty tensor, as files written before PyTorch 0.4 do. */
function set_tensor_state(inst: Tensor, state: unknown): void {
  if (!Array.isArray(state)) throw new TypeError_(`Value after * must be an iterable, not ${python_type(state)}`);
  if (state.length === 4) {
    const [storage, offset, size, stride] = state as [{ _untyped_storage: never }, number, number[], number[]];
    inst.set_(storage._untyped_storage, offset, size, stride);
    return;
  }
  if (state.length !== 3) throw new UnpicklingError(`Can not set a tensor's state of ${state.length} items`);
  inst.requires_grad = state[0] as boolean;
}

function dict_state(state: unknown): Map<unknown, unknown> {
  if (state instanceof Map) return state;
  throw new TypeError_(`'${python_type(state)}' object is not iterable`);
}

/** `str(type(value))` for values that the unpickler creates. */
function python_class(value: unknown): string {
  if (value instanceof PyDict) return "<class 'dict'>";
  if (value instanceof OrderedDict) return "<class 'collections.OrderedDict'>";
  if (value instanceof Counter) return "<class 'collections.Counter'>";
  if (value instanceof Uint8Array) return "<class 'bytes'>";
  if (value instanceof Tensor)
    return `<class 'torch.${value instanceof Parameter ? "nn.parameter.Parameter" : "Tensor"}'>`;
  if (value instanceof Callable || typeof value === "function") return "<class 'function'>";
  return `<class '${python_type(value)}'>`;
}

function python_repr(value: unknown): string {
  if (value instanceof PyDict) return repr(Object.fromEntries(value));
  if (typeof value === "function") return `<class '__main__.${value.name}'>`;
  return value instanceof StorageType ? String(value) : repr(value);
}

/** The dtype of a storage class. */
export function dtype_of_storage_type(storage_type: unknown): THPDtype {
  if (storage_type instanceof StorageType) return storage_type.dtype;
  // Python's unpickler gives the class itself.
  const is_untyped = storage_type instanceof Callable && storage_type.path === "torch.storage.UntypedStorage";
  if (is_untyped || storage_type === UntypedStorage) return torch.uint8;
  throw new UnpicklingError(`${python_repr(storage_type)} is no type of storages`);
}
