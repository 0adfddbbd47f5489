/**
 * @file Reads a pickle of any protocol, 0 to 5, for `load(f, { weights_only: false })`.
 * @original Python's module `pickle`, the reading half of `_pickle.c`.
 * @differs Classes and functions come from the same list as with `weights_only`: Python's others do not exist here.
 * @see src/torch/_weights_only_unpickler/index.ts (the instructions that both know)
 */
import { AttributeError, EOFError, NotImplementedError, TypeError_, ValueError } from "#c10/util/Exception";
import { python_type } from "#torch/_C";
import { Callable, StorageType } from "#torch/_weights_only_unpickler/globals";
import {
  decode_long,
  decode_utf8,
  python3_name,
  Unpickler as RestrictedUnpickler,
  UnpicklingError,
} from "#torch/_weights_only_unpickler/index";
import * as op from "./opcodes.ts";
import { kinds, PyDict } from "./values.ts";

// Note [Protocols of a pickle]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A pickle is a program for a machine with a stack, a memo and marks. Each protocol adds instructions and keeps the older ones:
//   0  text: numbers as digits, strings in quotes, GET and PUT with decimal numbers
//   1  the same values in binary
//   2  PROTO, NEWOBJ, TUPLE1 to TUPLE3, booleans, long integers: what torch.save writes unless it is asked for another
//   3  bytes of their own kind; names of modules are Python 3's
//   4  sizes of 64 bits, MEMOIZE (the next free slot of the memo), FRAME, STACK_GLOBAL, sets
//   5  bytearrays, and buffers outside the pickle, which a file never has

const HIGHEST_PROTOCOL = 5;

export class Unpickler extends RestrictedUnpickler {
  private protocol = 0;

  // Bytes

  protected override opcode(): number {
    if (this.pos === this.data.length) throw new EOFError("Ran out of input");
    return this.data[this.pos++];
  }

  protected override read(n: number): Uint8Array {
    this.exactly(n);
    return this.data.subarray(this.pos - n, this.pos);
  }

  protected override exactly(n: number): number {
    const from = this.pos;
    if (from + n > this.data.length) throw new UnpicklingError("pickle data was truncated");
    this.pos = from + n;
    return from;
  }

  protected override u8(): number {
    return this.data[this.exactly(1)];
  }

  private line_bytes(): Uint8Array {
    const end = this.data.indexOf(0x0a, this.pos);
    if (end < 0) throw new UnpicklingError("pickle data was truncated");
    const bytes = this.data.subarray(this.pos, end);
    this.pos = end + 1;
    return bytes;
  }

  protected override line(): string {
    return decode_utf8(this.line_bytes());
  }

  /** A size of 64 bits; more than the file holds is an error of `read`. */
  private u64(): number {
    return Number(this.view.getBigUint64(this.exactly(8), true));
  }

  private long_size(): number {
    const size = this.u32() | 0;
    if (size < 0) throw new UnpicklingError("LONG pickle has negative byte count");
    return size;
  }

  // The stack

  protected override pop(): unknown {
    if (this.stack.length === 0) this.underflow();
    return this.stack.pop();
  }

  protected override top(): unknown {
    if (this.stack.length === 0) this.underflow();
    return this.stack[this.stack.length - 1];
  }

  private underflow(): never {
    throw new UnpicklingError(this.metastack.length > 0 ? "unexpected MARK found" : "unpickling stack underflow");
  }

  protected override pop_mark(): unknown[] {
    if (this.metastack.length === 0) throw new UnpicklingError("could not find MARK");
    return super.pop_mark();
  }

  protected override tuple_of_top(n: number): void {
    if (this.stack.length < n) this.underflow();
    super.tuple_of_top(n);
  }

  protected override memo_at(idx: number): unknown {
    if (!this.memo.has(idx)) throw new UnpicklingError(`Memo value not found at index ${idx}`);
    return this.memo.get(idx);
  }

  protected override proto(proto: number): void {
    if (proto > HIGHEST_PROTOCOL) throw new ValueError(`unsupported pickle protocol: ${proto}`);
    this.protocol = proto;
  }

  protected override persistent(pid: unknown): unknown {
    return this.persistent_load(pid);
  }

  override persistent_load: (pid: unknown) => unknown = no_persistent_load;

  // Instructions

  protected override step(key: number): boolean {
    switch (key) {
      case op.POP:
        if (this.stack.length === 0 && this.metastack.length > 0) this.pop_mark();
        else this.pop();
        break;
      case op.POP_MARK:
        this.pop_mark();
        break;
      case op.DUP:
        this.push(this.top());
        break;
      case op.PUT:
        this.memo.set(this.index_of(this.line()), this.top());
        break;
      case op.MEMOIZE:
        this.memo.set(this.memo.size, this.top());
        break;
      case op.FRAME: {
        const size = this.u64();
        this.exactly(size); // all of it must be there
        this.pos -= size;
        break;
      }
      case op.ADDITEMS: {
        const items = this.pop_mark();
        const set = this.top();
        if (!(set instanceof Set)) throw new AttributeError(`'${this.type_of(set)}' object has no attribute 'add'`);
        for (const item of items) set.add(this.hashable(item));
        break;
      }
      case op.READONLY_BUFFER: {
        const buffer = this.top();
        if (!(buffer instanceof Uint8Array))
          throw new TypeError_(`memoryview: a bytes-like object is required, not '${this.type_of(buffer)}'`);
        break;
      }
      case op.SETITEMS:
        if (this.stack.length % 2 !== 0 && this.metastack.length > 0)
          throw new UnpicklingError("odd number of items for SETITEMS");
        return super.step(key);
      default:
        return super.step(key);
    }
    return true;
  }

  protected override plain_value(key: number): unknown {
    switch (key) {
      case op.INT:
        return this.int_of(this.line());
      case op.LONG:
        return integer(this.line().replace(/L$/, ""));
      case op.LONG4:
        return decode_long(this.read(this.long_size()));
      case op.FLOAT:
        return kinds.float(float(this.line()));
      case op.STRING:
        return decode_utf8(unquoted(this.line_bytes()));
      case op.BINSTRING:
        return decode_utf8(this.read(this.u32()));
      case op.UNICODE:
        return raw_unicode_escape(this.line_bytes());
      case op.SHORT_BINUNICODE:
        return decode_utf8(this.read(this.u8()));
      case op.BINUNICODE8:
        return decode_utf8(this.read(this.u64()));
      case op.SHORT_BINBYTES:
        return this.read(this.u8()).slice();
      case op.BINBYTES:
        return this.read(this.u32()).slice();
      case op.BINBYTES8:
      case op.BYTEARRAY8:
        return this.read(this.u64()).slice();
      case op.LIST:
        return [...this.pop_mark()];
      case op.DICT:
        return this.dict_of(this.pop_mark());
      case op.FROZENSET:
        return new Set(this.pop_mark().map((item) => this.hashable(item)));
      case op.GET:
        return this.memo_at(this.index_of(this.line()));
      case op.PERSID:
        if (this.persistent_load === no_persistent_load) no_persistent_load(); // before the line is read
        return this.persistent(this.line());
      case op.INST: {
        const args = this.pop_mark();
        const [module, name] = this.protocol < 3 ? python3_name(this.line(), this.line()) : [this.line(), this.line()];
        return this.instance(this.find_class(module, name), args);
      }
      case op.OBJ: {
        const [cls, ...args] = this.pop_mark();
        if (cls === undefined) throw new UnpicklingError("unpickling stack underflow");
        return this.instance(cls, args);
      }
      case op.STACK_GLOBAL: {
        const [name, module] = [this.pop(), this.pop()];
        if (typeof name !== "string" || typeof module !== "string")
          throw new UnpicklingError("STACK_GLOBAL requires str");
        return this.find_class(module, name);
      }
      case op.NEWOBJ_EX:
        return this.newobj_ex();
      case op.EXT1:
        return unregistered(this.u8());
      case op.EXT2:
        return unregistered(this.u16());
      case op.EXT4:
        return unregistered(this.u32() | 0);
      case op.NEXT_BUFFER:
        throw new UnpicklingError("pickle stream refers to out-of-band data but no *buffers* argument was given");
      default:
        return this.shared_value(key);
    }
  }

  /** Values of protocol 2. Any other byte is no instruction. */
  private shared_value(key: number): unknown {
    if (SHARED.has(key)) return super.plain_value(key);
    const printable = key >= 0x20 && key <= 0x7e && key !== 0x27 && key !== 0x5c;
    const shown = printable ? String.fromCharCode(key) : `\\x${key.toString(16).padStart(2, "0")}`;
    throw new UnpicklingError(`invalid load key, '${shown}'.`);
  }

  /** The old way to write booleans is an int with a leading 0. */
  private int_of(text: string): number | bigint | boolean {
    if (text === "00") return false;
    if (text === "01") return true;
    if (!DIGITS.test(text.trim())) throw new ValueError("could not convert string to int");
    return integer(text);
  }

  private index_of(text: string): number {
    const index = Number(integer(text));
    if (index < 0) throw new ValueError("negative PUT argument");
    return index;
  }

  private dict_of(items: unknown[]): PyDict {
    if (items.length % 2 !== 0) throw new UnpicklingError("odd number of items for DICT");
    const dict = new PyDict();
    for (let i = 0; i < items.length; i += 2) dict.set(this.hashable(items[i]), items[i + 1]);
    return dict;
  }

  private instance(cls: unknown, args: unknown[]): unknown {
    this.push(cls);
    this.push(this.tuple(args));
    this.reduce();
    return this.pop();
  }

  /** Also a value of a class that only older protocols name. */
  protected override find_class(module: string, name: string): unknown {
    return PLAIN_CLASSES.get(`${module}.${name}`) ?? super.find_class(module, name);
  }

  protected override newobj(): void {
    const cls = this.stack[this.stack.length - 2];
    if (this.stack.length >= 2 && !is_callable(cls))
      throw new UnpicklingError(`NEWOBJ class argument must be a type, not ${this.type_of(cls)}`);
    super.newobj();
  }

  protected override reduce(): void {
    const [func, args] = this.stack.slice(-2);
    if (this.stack.length >= 2) {
      if (!this.tuples.has(args)) throw new TypeError_("argument list must be a tuple");
      if (!is_callable(func)) throw new TypeError_(`'${this.type_of(func)}' object is not callable`);
    }
    super.reduce();
  }

  protected override build(): void {
    const state = this.stack[this.stack.length - 1];
    const inst = this.stack[this.stack.length - 2];
    if (this.stack.length < 2 || (typeof inst === "object" && inst !== null)) {
      super.build();
    } else {
      this.pop();
      if (state !== null) throw new AttributeError(`'${this.type_of(inst)}' object has no attribute '__dict__'`);
    }
  }

  protected override list_to(what: string): unknown[] {
    const list = this.top();
    if (Array.isArray(list) && !this.tuples.has(list)) return super.list_to(what);
    throw new AttributeError(`'${this.type_of(list)}' object has no attribute 'append'`);
  }

  protected override dict_to(opcode: string): Map<unknown, unknown> {
    const dict = this.top();
    if (dict instanceof Map) return super.dict_to(opcode);
    throw new TypeError_(`'${this.type_of(dict)}' object does not support item assignment`);
  }

  /** `type(value).__name__` */
  private type_of(value: unknown): string {
    return this.tuples.has(value) ? "tuple" : python_type(value);
  }

  private newobj_ex(): unknown {
    const kwargs = this.pop();
    if (!(kwargs instanceof PyDict)) throw new UnpicklingError("NEWOBJ_EX kwargs must be a dict");
    if (kwargs.size > 0) throw new NotImplementedError("a pickle that makes an object with keywords is not built here");
    this.newobj();
    return this.pop();
  }
}

function no_persistent_load(): never {
  throw new UnpicklingError(
    "A load persistent id instruction was encountered,\nbut no persistent_load function was specified.",
  );
}

/** Values that protocols 0 to 3 write as a call of their class. */
const PLAIN_CLASSES: ReadonlyMap<string, Callable> = new Map([
  ["builtins.bytes", new Callable("builtins.bytes", ([source = new Uint8Array(0)]) => bytes_of(source))],
  ["builtins.frozenset", new Callable("builtins.frozenset", ([items = []]) => new Set(items as Iterable<unknown>))],
]);

function bytes_of(source: unknown): Uint8Array {
  return Uint8Array.from(source as Iterable<number>);
}

function is_callable(value: unknown): boolean {
  return typeof value === "function" || value instanceof Callable || value instanceof StorageType;
}

/** Instructions that the base class reads and that exist in every protocol. */
const SHARED: ReadonlySet<number> = new Set([
  op.NONE,
  op.NEWFALSE,
  op.NEWTRUE,
  op.EMPTY_TUPLE,
  op.EMPTY_LIST,
  op.EMPTY_DICT,
  op.EMPTY_SET,
  op.BININT,
  op.BININT1,
  op.BININT2,
  op.BINFLOAT,
  op.BINUNICODE,
  op.SHORT_BINSTRING,
  op.LONG1,
]);

const DIGITS = /^[+-]?[0-9]+$/;

function integer(text: string): number | bigint {
  const digits = text.trim();
  if (!DIGITS.test(digits)) throw new ValueError(`invalid literal for int() with base 10: '${text}\\n'`);
  const value = BigInt(digits.replace(/^\+/, ""));
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function float(text: string): number {
  const word = text.trim().toLowerCase();
  const special = /^([+-]?)(inf|infinity|nan)$/.exec(word);
  if (special !== null) return special[2] === "nan" ? Number.NaN : special[1] === "-" ? -Infinity : Infinity;
  const number = word === "" ? Number.NaN : Number(word);
  if (Number.isNaN(number)) throw new ValueError(`could not convert string to float: '${text}\n'`);
  return number;
}

function unregistered(code: number): never {
  if (code <= 0) throw new UnpicklingError("EXT specifies code <= 0");
  throw new ValueError(`unregistered extension code ${code}`);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** A string of protocol 0: in quotes, and escaped as in Python's source. */
function unquoted(line: Uint8Array): Uint8Array {
  let end = line.length;
  while (end > 0 && (line[end - 1] === 0x20 || (line[end - 1] >= 0x09 && line[end - 1] <= 0x0d))) end--;
  const quote = line[0];
  if (end < 2 || (quote !== 0x27 && quote !== 0x22) || line[end - 1] !== quote)
    throw new UnpicklingError("the STRING opcode argument must be quoted");
  const bytes = String.fromCharCode(...line.subarray(1, end - 1));
  const plain = bytes.replace(/\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|[\s\S])/g, (all, what: string) => {
    if (/^x./.test(what)) return String.fromCharCode(Number.parseInt(what.slice(1), 16));
    if (/^[0-7]/.test(what)) return String.fromCharCode(Number.parseInt(what, 8) & 0xff);
    return ESCAPES.get(what) ?? all;
  });
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Latin-1, with `\uXXXX` and `\UXXXXXXXX` for everything else. */
function raw_unicode_escape(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text.replace(/(\\+)(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g, (all, slashes: string, four, eight) => {
    if (slashes.length % 2 === 0) return all; // an escaped backslash escapes nothing
    return slashes.slice(1) + String.fromCodePoint(Number.parseInt(four ?? eight, 16));
  });
}
