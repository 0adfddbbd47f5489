/**
 * @file The pickler: writes a value as a pickle of protocol 2, with the same bytes as Python's pickler.
 * @original Python's module `pickle`, whose fast version is written in C (`_pickle.c`).
 *
 * Note [Values of Python]
 * ~~~~~~~~~~~~~~~~~~~~~~~
 * The table shows how a value is written, and what it becomes when it is read again:
 *
 *     JavaScript                        Python            comes back as
 *     null, undefined                   None              null
 *     true                              bool              boolean
 *     2, 2n, 2**60                      int               number; bigint beyond 2**53
 *     2.5, NaN, -0, torch.Float(2)      float             number
 *     "text"                            str               string
 *     [1, 2]                            list              array
 *     a tuple, Object.freeze([1, 2])    tuple             frozen tuple
 *     x.shape                           torch.Size        frozen torch.Size
 *     {a: 1}, {0: x}, Map               dict              plain object where that loses nothing, else Map
 *     Set                               set               Set
 *     Uint8Array                        bytes             Uint8Array (so does a bytearray)
 *     state_dict(), OrderedDict         OrderedDict       OrderedDict, with `_metadata`
 *     Tensor, Parameter, storage        the same          the same
 *     torch.float32, torch.device(...)  the same          the same
 *
 * In a plain object, an array index as key (`{0: x}`) is written as an int, since JavaScript does not distinguish it from "0"; a Map does.
 * A dict is read as a plain object if writing that object would give the same dict: string keys in their order, after integer keys in
 * rising order.
 */
import { Exception, named, RecursionError } from "#c10/util/Exception";
import { PyTuple, tuple } from "#python/Objects/tupleobject";
import { isDict, isFloat, python_type, refuse_sparse, THPSize } from "#torch/_C";
import * as op from "./opcodes.ts";

/** `pickle.PickleError` */
export class PickleError extends Exception {}
named(PickleError, "PickleError");

/** `pickle.PicklingError` */
export class PicklingError extends PickleError {}
named(PicklingError, "PicklingError");

/** The largest depth of nested containers, for writing and for reading. Python's recursion limit has this size. */
export const MAX_DEPTH = 1000;

/** The name by which a reader finds a class or function. */
export interface GlobalName {
  readonly module: string;
  readonly name: string;
}

type Entry = readonly [key: unknown, value: unknown];

/** The result of `__reduce_ex__`: `func(...args)` creates the object, then items and state are added. */
export interface Reduced {
  readonly func: GlobalName | (abstract new (...args: never[]) => unknown);
  readonly args: readonly unknown[];
  /** Whether the object is created by `cls.__new__(cls, *args)`. */
  readonly newobj?: boolean;
  readonly dictitems?: Iterable<Entry>;
  readonly state?: unknown;
}

interface Reducible {
  __reduce_ex__(protocol: number): Reduced | GlobalName;
}

// Note [Strings of Python]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// Python writes each string object once, but JavaScript's strings have no identity. Names in a program are one object each, so equal
// strings count as one object here. If PyTorch creates a string while saving, a FreshString marks it; then the pickle has the same bytes.

/** A string that Python has just created: it equals others but is a different object, so it is written again. */
export class FreshString {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const letters = new Map<string, FreshString>();

/** A part of a longer string. Python has one object for each single letter, and one for the empty string. */
export function cut_string(text: string): FreshString | string {
  if (text === "") return text;
  if (text.length > 1 || text > "\u00ff") return new FreshString(text);
  let letter = letters.get(text);
  if (letter === undefined) letters.set(text, (letter = new FreshString(text)));
  return letter;
}

/** The size of the groups in which items of lists and dicts are written. */
const BATCHSIZE = 1000;

/** Whether a key of a plain object is an array index in JavaScript; then it is written as an int. */
export function is_index(key: string): boolean {
  const index = Number(key);
  return index >= 0 && index < 2 ** 32 - 1 && Number.isInteger(index) && String(index) === key;
}

/** The keys and values of a plain object, as entries of a dict. */
function dict_entries(value: Record<string, unknown>): [unknown, unknown][] {
  return Object.entries(value).map(([key, item]) => [is_index(key) ? Number(key) : key, item]);
}

export interface PicklerHooks {
  /** The reference to an object that is written elsewhere; null if it is written here. */
  persistent_id(obj: unknown): readonly unknown[] | null;
  /** The name of a class or function that can be read back. */
  global_name(obj: unknown): GlobalName | null;
}

const text_encoder = new TextEncoder();

/** JavaScript's Map, or the dict of a Python program, which names itself so. */
function is_dict_class(cls: unknown): boolean {
  return cls === Map || (cls as { readonly __name__?: unknown }).__name__ === "dict";
}

export class Pickler {
  private readonly hooks: PicklerHooks;
  private readonly memo = new Map<unknown, number>();
  private bytes = new Uint8Array(256);
  private view = new DataView(this.bytes.buffer);
  private length = 0;
  private depth = 0;

  constructor(hooks: PicklerHooks) {
    this.hooks = hooks;
  }

  /** The complete pickle of `obj`. */
  dump(obj: unknown): Uint8Array {
    this.put(op.PROTO);
    this.put(2);
    this.save(obj);
    this.put(op.STOP);
    return this.bytes.slice(0, this.length);
  }

  // Bytes

  private reserve(n: number): void {
    if (this.length + n <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.length + n));
    grown.set(this.bytes);
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  private put(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  private put32(value: number): void {
    this.reserve(4);
    this.view.setUint32(this.length, value, true);
    this.length += 4;
  }

  private put_bytes(data: Uint8Array): void {
    this.reserve(data.length);
    this.bytes.set(data, this.length);
    this.length += data.length;
  }

  // Memo: an object that was written before is referenced by its number

  private memoize(obj: unknown): void {
    const index = this.memo.size;
    this.memo.set(obj, index);
    if (index < 256) {
      this.put(op.BINPUT);
      this.put(index);
    } else {
      this.put(op.LONG_BINPUT);
      this.put32(index);
    }
  }

  /** Whether `obj` was written before; then its number is written. */
  private get(obj: unknown): boolean {
    const index = this.memo.get(obj);
    if (index === undefined) return false;
    if (index < 256) {
      this.put(op.BINGET);
      this.put(index);
    } else {
      this.put(op.LONG_BINGET);
      this.put32(index);
    }
    return true;
  }

  // Values

  private save(obj: unknown): void {
    switch (typeof obj) {
      case "undefined":
        this.put(op.NONE);
        return;
      case "boolean":
        this.put(obj ? op.NEWTRUE : op.NEWFALSE);
        return;
      case "number":
        this.save_number(obj);
        return;
      case "bigint":
        this.save_long(obj);
        return;
      case "string":
        this.save_str(obj);
        return;
      case "symbol":
        throw new PicklingError(`cannot pickle '${python_type(obj)}' object`);
      default:
        if (obj === null) this.put(op.NONE);
        else this.save_deeper(obj as object);
    }
  }

  private save_deeper(obj: object): void {
    if (++this.depth > MAX_DEPTH) throw new RecursionError("maximum recursion depth exceeded while pickling an object");
    this.save_object(obj);
    this.depth--;
  }

  private save_number(value: number): void {
    const is_int = Number.isInteger(value) && !Object.is(value, -0) && Math.abs(value) < 2 ** 63;
    if (!is_int) this.save_float(value);
    else if (value >= 0 && value < 2 ** 8) {
      this.put(op.BININT1);
      this.put(value);
    } else if (value >= 0 && value < 2 ** 16) {
      this.put(op.BININT2);
      this.put(value & 0xff);
      this.put(value >>> 8);
    } else if (value >= -(2 ** 31) && value < 2 ** 31) {
      this.put(op.BININT);
      this.put32(value);
    } else this.save_long(BigInt(value));
  }

  private save_float(value: number): void {
    this.put(op.BINFLOAT);
    this.reserve(8);
    this.view.setFloat64(this.length, value); // big-endian: the only such number in a pickle
    this.length += 8;
  }

  /** Two's complement, with as few bytes as possible, sign included. */
  private save_long(value: bigint): void {
    if (BigInt.asIntN(32, value) === value) {
      this.save_number(Number(value));
      return;
    }
    const data: number[] = [];
    let rest = value;
    do {
      data.push(Number(BigInt.asUintN(8, rest)));
      rest >>= 8n;
    } while (rest !== (value < 0n ? -1n : 0n) || data[data.length - 1] >> 7 !== (value < 0n ? 1 : 0));
    if (data.length > 255)
      throw new PicklingError(`int of ${data.length} bytes is too long: the weights_only unpickler reads 255`);
    this.put(op.LONG1);
    this.put(data.length);
    this.put_bytes(Uint8Array.from(data));
  }

  /** @param key the key in the memo: Note [Strings of Python] */
  private save_str(text: string, key: unknown = text): void {
    if (this.get(key)) return;
    const data = encode_utf8(text);
    this.put(op.BINUNICODE);
    this.put32(data.length);
    this.put_bytes(data);
    this.memoize(key);
  }

  private save_object(obj: object): void {
    const pid = this.hooks.persistent_id(obj);
    if (pid !== null) {
      this.save_tuple(pid);
      this.put(op.BINPERSID);
      return;
    }
    if (obj instanceof Global) this.save_global(obj);
    else if (obj instanceof FreshString) this.save_str(obj.text, obj);
    else if (isFloat(obj)) this.save_float(obj.value);
    else if (obj instanceof THPSize) this.save_size(obj);
    else if (Array.isArray(obj) && (obj.constructor === PyTuple || Object.isFrozen(obj))) this.save_tuple(obj);
    else if (!this.get(obj)) this.save_new(obj);
  }

  /** Writes an object that has not been written before. */
  private save_new(obj: object): void {
    if (Array.isArray(obj)) this.save_list(obj);
    else if (obj instanceof Uint8Array) this.save_bytes(obj);
    else if (obj instanceof Set) this.save_reduce({ func: builtin("set"), args: [[...obj]] }, obj);
    else if (typeof (obj as Partial<Reducible>).__reduce_ex__ === "function") {
      const reduced = (obj as Reducible).__reduce_ex__(2);
      if ("module" in reduced) this.save_global(reduced);
      else this.save_reduce(reduced, obj);
    } else if (obj instanceof Map && is_dict_class(obj.constructor)) this.save_dict([...obj], obj);
    else if (isDict(obj)) this.save_dict(dict_entries(obj), obj);
    else this.save_by_name(obj);
  }

  private save_list(list: readonly unknown[]): void {
    refuse_sparse(list);
    this.put(op.EMPTY_LIST);
    this.memoize(list);
    if (list.length === 1) {
      this.save(list[0]);
      this.put(op.APPEND);
      return;
    }
    for (let i = 0; i < list.length; i += BATCHSIZE) {
      this.put(op.MARK);
      for (const item of list.slice(i, i + BATCHSIZE)) this.save(item);
      this.put(op.APPENDS);
    }
  }

  private save_size(size: THPSize): void {
    if (!this.get(size)) this.save_reduce({ func: { module: "torch", name: "Size" }, args: [tuple(size)] }, size);
  }

  private save_tuple(tuple: readonly unknown[]): void {
    if (tuple.length === 0) {
      this.put(op.EMPTY_TUPLE);
      return;
    }
    if (this.get(tuple)) return;
    if (tuple.length > 3) this.put(op.MARK);
    for (const item of tuple) this.save(item);
    this.put([op.TUPLE1, op.TUPLE2, op.TUPLE3][tuple.length - 1] ?? op.TUPLE);
    this.memoize(tuple);
  }

  private save_dict(entries: readonly Entry[], obj: unknown): void {
    this.put(op.EMPTY_DICT);
    this.memoize(obj);
    this.save_items(entries, entries.length === 1);
  }

  /**
   * @param one_alone whether a single remaining item is written without a mark: true for iterators; for a dict only if it is the only item.
   */
  private save_items(entries: readonly Entry[], one_alone: boolean): void {
    for (let i = 0; i < entries.length; i += BATCHSIZE) {
      const batch = entries.slice(i, i + BATCHSIZE);
      const alone = one_alone && batch.length === 1;
      if (!alone) this.put(op.MARK);
      for (const [key, value] of batch) {
        this.save(key);
        this.save(value);
      }
      this.put(alone ? op.SETITEM : op.SETITEMS);
    }
  }

  /** Protocol 2 has no bytes: they are written as text that `_codecs.encode` converts to bytes. */
  private save_bytes(data: Uint8Array): void {
    if (data.length === 0) {
      this.save_reduce({ func: builtin("bytes"), args: [] }, data);
      return;
    }
    let text = "";
    for (const byte of data) text += String.fromCharCode(byte);
    this.save_reduce({ func: py_global("_codecs", "encode"), args: [new FreshString(text), "latin1"] }, data);
  }

  private save_reduce({ func, args, newobj, dictitems, state }: Reduced, obj: unknown): void {
    if (typeof func === "function") this.save_by_name(func);
    else this.save_global(func);
    this.save_tuple(args);
    this.put(newobj ? op.NEWOBJ : op.REDUCE);
    this.memoize(obj);
    if (dictitems !== undefined) this.save_items([...dictitems], true);
    if (state !== undefined) {
      this.save(state);
      this.put(op.BUILD);
    }
  }

  private save_global({ module, name }: GlobalName): void {
    const key = py_global(module, name);
    if (this.get(key)) return;
    this.put(op.GLOBAL);
    this.put_bytes(text_encoder.encode(`${module}\n${name}\n`));
    this.memoize(key);
  }

  /** A class or function by its name, or an object of such a class with its properties. */
  private save_by_name(obj: object): void {
    if (typeof obj === "function" && !("_get_name" in obj)) {
      const found = this.hooks.global_name(obj);
      if (found === null)
        throw new PicklingError(
          `Can't pickle <function ${obj.name}>: attribute lookup ${obj.name} on __main__ failed. A class or function is written by its name, under which torch.serialization.add_safe_globals knows it.`,
        );
      this.save_global(found);
      return;
    }
    const cls = obj.constructor;
    const type = typeof obj === "function" ? cls.name : python_type(obj); // a module is callable, so its type is also "function"
    if (typeof cls !== "function" || this.hooks.global_name(cls) === null)
      throw new PicklingError(
        `cannot pickle '${type}' object. Of a module or an optimizer save the state_dict(); another class must be known to torch.serialization.add_safe_globals.`,
      );
    const state = Object.keys(obj).length > 0 ? { state: { ...obj } } : {};
    this.save_reduce({ func: cls as never, args: [], newobj: true, ...state }, obj);
  }
}

/** A function or class of Python. Each is one object, so it is written once. */
class Global implements GlobalName {
  readonly module: string;
  readonly name: string;

  constructor(module: string, name: string) {
    this.module = module;
    this.name = name;
  }
}

export function is_global(value: unknown): value is GlobalName {
  return value instanceof Global;
}

const globals = new Map<string, Global>();

/** Python's function or class of this name, as a value or as `Reduced.func`. */
export function py_global(module: string, name: string): GlobalName {
  const path = `${module}.${name}`;
  let found = globals.get(path);
  if (found === undefined) globals.set(path, (found = new Global(module, name)));
  return found;
}

function builtin(name: string): GlobalName {
  return py_global("__builtin__", name);
}

/** UTF-8; an unpaired surrogate is encoded unchanged (Python's "surrogatepass"). */
function encode_utf8(text: string): Uint8Array {
  if (!/[\ud800-\udfff]/.test(text)) return text_encoder.encode(text);
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.codePointAt(0) as number;
    if (code >= 0xd800 && code < 0xe000)
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
    else bytes.push(...text_encoder.encode(letter));
  }
  return Uint8Array.from(bytes);
}
