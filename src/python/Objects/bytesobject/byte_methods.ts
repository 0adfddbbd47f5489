/**
 * @file The methods that `bytes` and `bytearray` share. Most work on the bytes as characters, with the functions that serve `str`.
 * @mirrors Objects/bytes_methods.c (CPython 3.11)
 */
import { bad_argument, size_of, text_argument } from "../../Python/getargs.ts";
import { index_of, is_index } from "../abstract/numbers.ts";
import { ByteSequence, PyBytes } from "../bytesobject.ts";
import { has_special } from "../call.ts";
import { IndexError, TypeError_, ValueError } from "../exceptions.ts";
import { each, iterator_type, PyIterator, place_of, type Reduced } from "../iterobject.ts";
import { define_class_methods, define_methods, define_static_methods } from "../methodobject.ts";
import { type Comparison, comparison_methods, NotImplemented, richcompare, truth } from "../object.ts";
import { PySlice, places } from "../sliceobject.ts";
import { tuple } from "../tupleobject.ts";
import { plain_value, type TypeObject, type_of } from "../typeobject.ts";
import { decode } from "../unicodeobject/codecs.ts";
import { repeated } from "../unicodeobject/methods.ts";
import { percent_format } from "../unicodeobject/percent_format.ts";
import * as search from "../unicodeobject/search.ts";
import * as split from "../unicodeobject/split.ts";
import { filled, zero_filled } from "../unicodeobject/text_methods.ts";
import { byte_of, byte_string, latin_bytes, latin_text } from "./conversion.ts";
import { BYTES } from "./percent_format.ts";

/** An argument that must be bytes, as a text. */
function text_of(value: unknown): string {
  const text = byte_string(value);
  if (text === undefined) throw new TypeError_(`a bytes-like object is required, not '${type_of(value).tp_name}'`);
  return text;
}

/** The argument of a search: bytes, or the number of one byte. */
function part_of(value: unknown): string {
  if (value instanceof ByteSequence) return latin_text(value.data);
  if (!is_index(value))
    throw new TypeError_(`argument should be integer or bytes-like object, not '${type_of(value).tp_name}'`);
  return String.fromCharCode(byte_of(value, "byte"));
}

const affix =
  (method: string) =>
  (value: unknown, in_tuple: boolean): string => {
    if (in_tuple || value instanceof ByteSequence) return text_of(value);
    throw new TypeError_(`${method} first arg must be bytes or a tuple of bytes, not ${type_of(value).tp_name}`);
  };

function fill_byte(value: unknown, method: string): string {
  if (value === undefined) return " ";
  const text = byte_string(value);
  if (text?.length !== 1) throw bad_argument(method, "2", "a byte string of length 1", value);
  return text;
}

/** `data.hex(sep, bytes_per_sep)`: groups are counted from the end, or from the start if their size is negative. */
export function hex(data: Uint8Array, sep: unknown, bytes_per_sep: unknown): string {
  const digits = Array.from(data, (byte) => byte.toString(16).padStart(2, "0"));
  if (sep === undefined) return digits.join("");
  const text = typeof sep === "string" ? sep : byte_string(sep);
  if (text === undefined) {
    if (!has_special(sep, "__len__")) throw new TypeError_(`object of type '${type_of(sep).tp_name}' has no len()`);
    throw new TypeError_("sep must be str or bytes.");
  }
  if (text.length !== 1) throw new ValueError("sep must be length 1.");
  if (text > "\x7f") throw new ValueError("sep must be ASCII.");
  const size = Number(index_of(bytes_per_sep));
  if (size === 0) return digits.join("");
  const group = Math.abs(size);
  const groups: string[] = [];
  const first = size > 0 ? digits.length % group : 0;
  if (first > 0) groups.push(digits.slice(0, first).join(""));
  for (let at = first; at < digits.length; at += group) groups.push(digits.slice(at, at + group).join(""));
  return groups.join(text);
}

function from_hex(text: unknown): Uint8Array {
  const digits = text_argument(text, "fromhex", "");
  const data: number[] = [];
  const failed = (at: number): ValueError =>
    new ValueError(`non-hexadecimal number found in fromhex() arg at position ${at}`);
  for (let at = 0; at < digits.length; ) {
    if (/[\t-\r ]/.test(digits.charAt(at))) {
      at++;
      continue;
    }
    for (const place of [at, at + 1]) if (!/^[\da-f]$/i.test(digits.charAt(place))) throw failed(place);
    data.push(Number.parseInt(digits.slice(at, at + 2), 16));
    at += 2;
  }
  return Uint8Array.from(data);
}

function translate(text: string, table: unknown, deleted: unknown): string {
  const map = table === null ? null : text_of(table);
  if (map !== null && map.length !== 256) throw new ValueError("translation table must be 256 characters long");
  const removed = deleted === undefined ? "" : text_of(deleted);
  let result = "";
  for (const character of text)
    if (!removed.includes(character)) result += map === null ? character : map.charAt(character.charCodeAt(0));
  return result;
}

const lower = (text: string): string => text.replace(/[A-Z]+/g, (it) => it.toLowerCase());
const upper = (text: string): string => text.replace(/[a-z]+/g, (it) => it.toUpperCase());
const title = (text: string): string =>
  text.replace(/[A-Za-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase());
const swapcase = (text: string): string =>
  text.replace(/[A-Za-z]/g, (it) => (it < "a" ? it.toLowerCase() : it.toUpperCase()));

/** Iterates the numbers of the bytes; it sees changes of a bytearray. */
class BytesIterator extends PyIterator {
  private readonly bytes: ByteSequence;
  private at = 0;

  constructor(bytes: ByteSequence) {
    super();
    this.bytes = bytes;
  }

  step(): unknown {
    return this.at < this.bytes.data.length ? this.bytes.data[this.at++] : undefined;
  }

  override reduced(): Reduced {
    return this.at < this.bytes.data.length ? ["iter", [this.bytes], this.at] : ["iter", [tuple([])]];
  }

  override set_state(state: unknown): void {
    this.at = place_of(state, this.bytes.data.length);
  }
}
iterator_type("bytes_iterator", BytesIterator);

const compared =
  (how: Comparison) =>
  (self: ByteSequence, value: unknown): unknown =>
    value instanceof ByteSequence ? richcompare(latin_text(self.data), latin_text(value.data), how) : NotImplemented;

/** Gives `bytes` or `bytearray` their methods; `made` wraps a result. */
export function define_byte_methods(type: TypeObject, made: (data: Uint8Array) => ByteSequence): void {
  const { name } = type;
  const bytes = (text: string): ByteSequence => made(latin_bytes(text));
  const all = (texts: readonly string[]): ByteSequence[] => texts.map(bytes);
  const text = (self: ByteSequence): string => latin_text(self.data);
  const starts = affix("startswith");
  const ends = affix("endswith");
  const missing = "subsection not found";
  const test = (pattern: RegExp) => (self: ByteSequence) => pattern.test(text(self));
  const changed = (change: (text: string) => string) => (self: ByteSequence) => bytes(change(text(self)));
  const stripped = (side: split.Side) => (self: ByteSequence, characters: unknown) =>
    bytes(
      characters === null
        ? split.strip_spaces(text(self), side, split.ASCII_SPACES)
        : split.strip_characters(text(self), text_of(characters), side),
    );
  const padded = (side: "center" | "ljust" | "rjust") => (self: ByteSequence, width: unknown, fill: unknown) =>
    bytes(filled(text(self), self.data.length, size_of(width), fill_byte(fill, side), side));

  define_methods(type, {
    "__len__(self, /)": (self: ByteSequence) => self.data.length,
    "__iter__(self, /)": (self: ByteSequence) => new BytesIterator(self),
    "__bytes__(self, /)": (self: ByteSequence) => new PyBytes(self.data.slice()),
    "__contains__(self, key, /)": (self: ByteSequence, key) =>
      text(self).includes(is_index(key) ? part_of(key) : text_of(key)),
    "__getitem__(self, key, /)": (self: ByteSequence, key: unknown) => {
      if (key instanceof PySlice)
        return made(Uint8Array.from(places(key, self.data.length), (i) => self.data[i] as number));
      if (!is_index(key))
        throw new TypeError_(
          `${name === "bytes" ? "byte" : name} indices must be integers or slices, not ${type_of(key).tp_name}`,
        );
      const index = index_of(key);
      if (BigInt.asIntN(64, BigInt(index)) !== BigInt(index))
        throw new IndexError(`cannot fit '${type_of(key).tp_name}' into an index-sized integer`);
      const byte = self.data[index < 0 ? Number(index) + self.data.length : Number(index)];
      if (byte === undefined) throw new IndexError(`${name === "bytes" ? "" : `${name} `}index out of range`);
      return byte;
    },
    "__add__(self, value, /)": (self: ByteSequence, value) => {
      const other = byte_string(value);
      if (other === undefined) throw new TypeError_(`can't concat ${type_of(value).tp_name} to ${name}`);
      return bytes(text(self) + other);
    },
    "__mul__(self, value, /)": (self: ByteSequence, times) => bytes(repeated(text(self), times, "bytes are")),
    "__rmul__(self, value, /)": (self: ByteSequence, times) => bytes(repeated(text(self), times, "bytes are")),
    "__mod__(self, value, /)": (self: ByteSequence, value) => bytes(percent_format(text(self), value, BYTES)),
    ...comparison_methods(compared),

    "capitalize(self, /)": changed((it) => upper(it.slice(0, 1)) + lower(it.slice(1))),
    "lower(self, /)": changed(lower),
    "upper(self, /)": changed(upper),
    "title(self, /)": changed(title),
    "swapcase(self, /)": changed(swapcase),
    "isalnum(self, /)": test(/^[A-Za-z\d]+$/),
    "isalpha(self, /)": test(/^[A-Za-z]+$/),
    "isascii(self, /)": test(/^[\0-\x7f]*$/),
    "isdigit(self, /)": test(/^\d+$/),
    "isspace(self, /)": test(/^[\t-\r ]+$/),
    "islower(self, /)": test(/^[^A-Z]*[a-z][^A-Z]*$/),
    "isupper(self, /)": test(/^[^a-z]*[A-Z][^a-z]*$/),
    "istitle(self, /)": (self: ByteSequence) => /[A-Za-z]/.test(text(self)) && title(text(self)) === text(self),

    "count(self, sub, start=None, end=None, /)": (self: ByteSequence, sub, start, end) =>
      search.searched(start, end, (from, to) => search.count(text(self), part_of(sub), from, to)),
    "find(self, sub, start=None, end=None, /)": (self: ByteSequence, sub, start, end) =>
      search.searched(start, end, (from, to) => search.find(text(self), part_of(sub), from, to, false)),
    "rfind(self, sub, start=None, end=None, /)": (self: ByteSequence, sub, start, end) =>
      search.searched(start, end, (from, to) => search.find(text(self), part_of(sub), from, to, true)),
    "index(self, sub, start=None, end=None, /)": (self: ByteSequence, sub, start, end) =>
      search.searched(start, end, (from, to) => search.index(text(self), part_of(sub), from, to, false, missing)),
    "rindex(self, sub, start=None, end=None, /)": (self: ByteSequence, sub, start, end) =>
      search.searched(start, end, (from, to) => search.index(text(self), part_of(sub), from, to, true, missing)),
    "startswith(self, prefix, start=None, end=None, /)": (self: ByteSequence, prefix, start, end) =>
      search.searched(start, end, (from, to) => search.tail_matches(text(self), prefix, from, to, false, starts)),
    "endswith(self, suffix, start=None, end=None, /)": (self: ByteSequence, suffix, start, end) =>
      search.searched(start, end, (from, to) => search.tail_matches(text(self), suffix, from, to, true, ends)),
    "removeprefix(self, prefix, /)": (self: ByteSequence, prefix) => {
      const [own, other] = [text(self), text_of(prefix)];
      return bytes(own.startsWith(other) ? own.slice(other.length) : own);
    },
    "removesuffix(self, suffix, /)": (self: ByteSequence, suffix) => {
      const [own, other] = [text(self), text_of(suffix)];
      return bytes(own.endsWith(other) ? own.slice(0, own.length - other.length) : own);
    },
    "replace(self, old, new, count=-1, /)": (self: ByteSequence, old, by, most) =>
      bytes(search.replace(text(self), text_of(old), text_of(by), size_of(most))),
    "partition(self, sep, /)": (self: ByteSequence, sep) =>
      tuple(all(search.partition(text(self), text_of(sep), false))),
    "rpartition(self, sep, /)": (self: ByteSequence, sep) =>
      tuple(all(search.partition(text(self), text_of(sep), true))),
    "split(self, /, sep=None, maxsplit=-1)": (self: ByteSequence, sep, maxsplit) => {
      const most = size_of(maxsplit);
      return all(
        sep === null
          ? split.split_spaces(text(self), most, split.ASCII_SPACES)
          : split.split(text(self), text_of(sep), most),
      );
    },
    "rsplit(self, /, sep=None, maxsplit=-1)": (self: ByteSequence, sep, maxsplit) => {
      const most = size_of(maxsplit);
      return all(
        sep === null
          ? split.rsplit_spaces(text(self), most, split.ASCII_SPACES)
          : split.rsplit(text(self), text_of(sep), most),
      );
    },
    "splitlines(self, /, keepends=False)": (self: ByteSequence, keepends) =>
      all(split.split_lines(text(self), truth(keepends), split.ASCII_SPACES)),
    "join(self, iterable_of_bytes, /)": (self: ByteSequence, values) => {
      if (!has_special(values, "__iter__") && !has_special(values, "__getitem__") && !Array.isArray(values))
        throw new TypeError_("can only join an iterable");
      const texts: string[] = [];
      for (const value of each(values)) {
        const part = byte_string(plain_value(value));
        if (part === undefined)
          throw new TypeError_(
            `sequence item ${texts.length}: expected a bytes-like object, ${type_of(value).tp_name} found`,
          );
        texts.push(part);
      }
      return bytes(texts.join(text(self)));
    },
    "strip(self, bytes=None, /)": stripped("both"),
    "lstrip(self, bytes=None, /)": stripped("left"),
    "rstrip(self, bytes=None, /)": stripped("right"),
    "center(self, width, fillchar=<unset>, /)": padded("center"),
    "ljust(self, width, fillchar=<unset>, /)": padded("ljust"),
    "rjust(self, width, fillchar=<unset>, /)": padded("rjust"),
    "zfill(self, width, /)": (self: ByteSequence, width) =>
      bytes(zero_filled(text(self), self.data.length, size_of(width))),
    "expandtabs(self, /, tabsize=8)": (self: ByteSequence, size) => bytes(split.expand_tabs(text(self), size_of(size))),
    "translate(self, table, /, delete=<unset>)": (self: ByteSequence, table, removed) =>
      bytes(translate(text(self), table, removed)),
    "hex(self, /, sep=<unset>, bytes_per_sep=1)": (self: ByteSequence, sep, bytes_per_sep) =>
      hex(self.data, sep, bytes_per_sep),
    "decode(self, /, encoding='utf-8', errors='strict')": (self: ByteSequence, encoding, errors) =>
      decode(self.data, text_argument(encoding, "decode", "'encoding'"), text_argument(errors, "decode", "'errors'")),
  });
  define_class_methods(type, { "fromhex(cls, string, /)": (_cls, string) => made(from_hex(string)) });
  define_static_methods(type, {
    "maketrans(frm, to, /)": (from, to) => {
      const [old, by] = [text_of(from), text_of(to)];
      if (old.length !== by.length) throw new ValueError("maketrans arguments must have same length");
      const table = Uint8Array.from({ length: 256 }, (_, i) => i);
      for (let i = 0; i < old.length; i++) table[old.charCodeAt(i)] = by.charCodeAt(i);
      return new PyBytes(table);
    },
  });
}
