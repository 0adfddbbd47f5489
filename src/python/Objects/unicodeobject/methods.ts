/**
 * @file The type `str`: how it is made, and its special methods. The other methods are in text_methods.ts.
 * @mirrors Objects/unicodeobject.c#PyUnicode_Type (CPython 3.11)
 */

import { format_string } from "../../Python/formatter_unicode.ts";
import { text_argument } from "../../Python/getargs.ts";
import { limits } from "../../vm/hooks.ts";
import { slice_indices } from "../abstract/indices.ts";
import { index_of, is_index } from "../abstract/numbers.ts";
import { ByteSequence } from "../bytesobject.ts";
import { IndexError, MemoryError, OverflowError, TypeError_ } from "../exceptions.ts";
import { hash_of } from "../hashing.ts";
import { iterator_type, PyIterator, place_of, type Reduced } from "../iterobject.ts";
import { define_methods, define_static_methods } from "../methodobject.ts";
import { type Comparison, comparison_methods, NotImplemented, richcompare, str } from "../object.ts";
import { PySlice, places } from "../sliceobject.ts";
import { tuple } from "../tupleobject.ts";
import { type PyClass, plain_value, primitive_new, str_type, type_of } from "../typeobject.ts";
import { str_repr } from "../unicodeobject.ts";
import { character_at, code_points, is_narrow, length_of, slice_text } from "./code_points.ts";
import { decode } from "./codecs.ts";
import { percent_format } from "./percent_format.ts";

function str_new(object: unknown, encoding: unknown, errors: unknown): string {
  if (encoding === undefined && errors === undefined) return object === undefined ? "" : str(object);
  const name = encoding === undefined ? "utf-8" : text_argument(encoding, "str", "'encoding'");
  const handler = errors === undefined ? "strict" : text_argument(errors, "str", "'errors'");
  if (object === undefined) return "";
  if (object instanceof ByteSequence) return decode(object.data, name, handler);
  if (typeof object === "string") throw new TypeError_("decoding str is not supported");
  throw new TypeError_(`decoding to str: need a bytes-like object, ${type_of(object).tp_name} found`);
}

/** `text[key]`. */
export function str_getitem(text: string, key: unknown): string {
  if (is_index(key)) {
    const index = index_of(key);
    if (BigInt.asIntN(64, BigInt(index)) !== BigInt(index))
      throw new IndexError(`cannot fit '${type_of(key).tp_name}' into an index-sized integer`);
    const character = character_at(text, Number(index));
    if (character === undefined) throw new IndexError("string index out of range");
    return character;
  }
  if (!(key instanceof PySlice)) throw new TypeError_(`string indices must be integers, not '${type_of(key).tp_name}'`);
  const length = length_of(text);
  const { start, step, count } = slice_indices(key, length);
  if (step === 1) return slice_text(text, start, start + count);
  const points = is_narrow(text) ? text : code_points(text);
  let result = "";
  for (const place of places(key, length)) result += points[place];
  return result;
}

/** The longest text that every engine can make. */
const LONGEST = 2 ** 29 - 25;

/** `text * count`; `what` begins the error of a text that C could not count. */
export function repeated(text: string, count: unknown, what: string): string {
  const times = index_of(count);
  if (BigInt.asIntN(64, BigInt(times)) !== BigInt(times))
    throw new OverflowError(`cannot fit '${type_of(count).tp_name}' into an index-sized integer`);
  if (times <= 0 || text === "") return "";
  if (BigInt(times) * BigInt(text.length) >= 2n ** 63n) throw new OverflowError(`repeated ${what} too long`);
  if (Number(times) * text.length > LONGEST) throw new MemoryError();
  limits.left -= text.length * Number(times);
  return text.repeat(Number(times));
}

class StrIterator extends PyIterator {
  private readonly text: string;
  private characters: Iterator<string>;
  private at = 0;

  constructor(text: string) {
    super();
    this.text = text;
    this.characters = text[Symbol.iterator]();
  }

  step(): unknown {
    const { done, value } = this.characters.next();
    if (done === true) {
      this.at = -1;
      return undefined;
    }
    this.at++;
    return value;
  }

  override reduced(): Reduced {
    return this.at < 0 ? ["iter", [""]] : ["iter", [this.text], this.at];
  }

  override set_state(state: unknown): void {
    const points = code_points(this.text);
    this.at = place_of(state, points.length);
    this.characters = [...points].slice(this.at)[Symbol.iterator]();
  }
}
/** The iterator of a text that is ASCII has a class of its own. */
class AsciiIterator extends StrIterator {}
iterator_type("str_iterator", StrIterator);
iterator_type("str_ascii_iterator", AsciiIterator);

const compared =
  (how: Comparison) =>
  (self: string, value: unknown): unknown =>
    typeof value === "string" ? richcompare(self, value, how) : NotImplemented;

define_static_methods(str_type, {
  "__new__(cls, object=<unset>, encoding=<unset>, errors=<unset>)": (cls: PyClass, object, encoding, errors) =>
    primitive_new(str_type, cls, str_new(object, encoding, errors)),
});
define_methods(str_type, {
  "__repr__(self, /)": str_repr,
  "__str__(self, /)": (self: string) => self,
  "__hash__(self, /)": (self: string) => hash_of(self),
  "__len__(self, /)": length_of,
  "__iter__(self, /)": (self: string) => (/^[\0-\x7f]*$/.test(self) ? new AsciiIterator(self) : new StrIterator(self)),
  "__contains__(self, key, /)": (self: string, key: unknown) => {
    if (typeof key === "string") return self.includes(key);
    throw new TypeError_(`'in <string>' requires string as left operand, not ${type_of(key).tp_name}`);
  },
  "__getitem__(self, key, /)": str_getitem,
  "__add__(self, value, /)": (self: string, value: unknown) => {
    if (typeof value === "string") return self + value;
    throw new TypeError_(`can only concatenate str (not "${type_of(value).tp_name}") to str`);
  },
  "__mul__(self, value, /)": (self: string, count) => repeated(self, count, "string is"),
  "__rmul__(self, value, /)": (self: string, count) => repeated(self, count, "string is"),
  "__mod__(self, value, /)": (self: string, value) => percent_format(self, value),
  "__rmod__(self, value, /)": (self: string, value: unknown) =>
    typeof value === "string" ? percent_format(value, self) : NotImplemented,
  "__format__(self, format_spec, /)": (self: string, spec: unknown) => {
    const text = text_argument(spec, "__format__", "");
    return text === "" ? str(self) : format_string(plain_value(self) as string, text);
  },
  ...comparison_methods(compared),
  "__getnewargs__(self, /)": (self: string) => tuple([self]),
});
