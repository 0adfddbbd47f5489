/**
 * @file The methods of strings. They have Python's names, but they work on bytes and know no letter outside ASCII.
 * @mirrors torch/csrc/jit/runtime/register_prim_ops.cpp
 */
import { IValue } from "#aten/core/ivalue";
import { StringType } from "#aten/core/jit_type";
import { List } from "#aten/core/List";
import { pop, type Stack } from "#aten/core/stack";
import { RuntimeError, TORCH_CHECK } from "#c10/util/Exception";
import * as b from "../byte_string.ts";
import type { int64 } from "../int64.ts";
import { register_operations } from "../operator.ts";
import {
  int_of,
  normalizeIndex,
  type Operations,
  pop_bool,
  pop_index,
  pop_int,
  push_bool,
  push_int,
} from "../register_ops_utils.ts";
import { slice_indices_adjust } from "../slice_indices_adjust.ts";

/** The string on top of the stack, as bytes. */
const pop_bytes = (stack: Stack): string => b.to_bytes(pop(stack).toStringRef());
const push_bytes = (stack: Stack, bytes: string): void => void stack.push(IValue.fromString(b.from_bytes(bytes)));

function push_list(stack: Stack, bytes: readonly string[]): void {
  const items = bytes.map((item) => IValue.fromString(b.from_bytes(item)));
  stack.push(IValue.fromList(new List(StringType, items)));
}

/** The least index from `from` on whose byte is in `set` (or is not, if `wanted` is false); -1 without one. */
function find_first(bytes: string, set: string, wanted: boolean, from = 0): number {
  for (let i = from; i < bytes.length; i++) if (set.includes(bytes[i]) === wanted) return i;
  return -1;
}

function left_stripped(bytes: string, chars: string): string {
  const first = find_first(bytes, chars, false);
  return first < 0 ? "" : bytes.slice(first);
}

function right_stripped(bytes: string, chars: string): string {
  let end = bytes.length;
  while (end > 0 && chars.includes(bytes[end - 1])) end--;
  return bytes.slice(0, end);
}

// ---- one character, length, slices

/** C++'s `string.at(index)`. */
function char_at(bytes: string, index: int64): string {
  const place = normalizeIndex(Number(index), bytes.length);
  TORCH_CHECK(
    place >= 0 && place < bytes.length,
    `basic_string::at: __n (which is ${BigInt.asUintN(64, BigInt(place))}) >= this->size() (which is ${bytes.length})`,
  );
  return bytes[place];
}

const string_index: Operations[string] = (stack) => {
  const index = pop_int(stack);
  push_bytes(stack, char_at(pop_bytes(stack), index));
};

register_operations({
  "aten::__getitem__.str": string_index,
  "prim::StringIndex": string_index,
  "aten::len.str": (stack) => push_int(stack, pop_bytes(stack).length),
  "aten::list": (stack) => push_list(stack, [...pop_bytes(stack)]),
  "aten::ord": (stack) => {
    const bytes = pop_bytes(stack);
    TORCH_CHECK(bytes.length === 1, "String for ord() must be 1 character, found ", bytes.length);
    push_int(stack, bytes.charCodeAt(0));
  },
  // The code point is cut to one byte.
  "aten::chr": (stack) => {
    const code = pop_int(stack);
    TORCH_CHECK(code >= 0 && code < 1114111, "chr() arg not in range(0x110000), found ", code);
    push_bytes(stack, String.fromCharCode(Number(code) & 0xff));
  },
  "aten::slice.str": (stack) => {
    const step_ = pop_int(stack);
    const end = pop(stack);
    const start_ = pop(stack);
    const bytes = pop_bytes(stack);
    const from = start_.isNone() ? null : int_of(start_);
    const { start, step, count } = slice_indices_adjust(bytes.length, from, end.isNone() ? null : int_of(end), step_);
    let sliced = "";
    for (let i = 0; i < count; i++) sliced += bytes[start + i * step];
    push_bytes(stack, sliced);
  },
  "aten::add.str": (stack) => {
    const other = pop_bytes(stack);
    push_bytes(stack, pop_bytes(stack) + other);
  },
});

/** Bytes are compared, not code points. */
function DEFINE_STR_CMP_OP(name: string, op: (a: string, b: string) => boolean): Operations {
  return {
    [`${name}.str`]: (stack) => {
      const other = pop_bytes(stack);
      push_bool(stack, op(pop_bytes(stack), other));
    },
  };
}

register_operations({
  ...DEFINE_STR_CMP_OP("aten::eq", (a, b) => a === b),
  ...DEFINE_STR_CMP_OP("aten::ne", (a, b) => a !== b),
  ...DEFINE_STR_CMP_OP("aten::lt", (a, b) => a < b),
  ...DEFINE_STR_CMP_OP("aten::gt", (a, b) => a > b),
  ...DEFINE_STR_CMP_OP("aten::le", (a, b) => a <= b),
  ...DEFINE_STR_CMP_OP("aten::ge", (a, b) => a >= b),
});

// ---- classes of characters

/** Whether there is a byte and all bytes are in the class. */
function DEFINE_STRING_IS_OP(name: string, is: (c: string) => boolean): Operations {
  return {
    [name]: (stack) => {
      const bytes = pop_bytes(stack);
      push_bool(stack, bytes !== "" && [...bytes].every(is));
    },
  };
}

/** Whether there is a letter and all letters have the case `is`. */
function DEFINE_STRING_CASE_OP(name: string, is: (c: string) => boolean): Operations {
  return {
    [name]: (stack) => {
      const letters = [...pop_bytes(stack)].filter(b.is_alpha);
      push_bool(stack, letters.length > 0 && letters.every(is));
    },
  };
}

register_operations({
  ...DEFINE_STRING_IS_OP("aten::isdigit", b.is_digit),
  ...DEFINE_STRING_IS_OP("aten::isspace", b.is_space),
  ...DEFINE_STRING_IS_OP("aten::isalnum", b.is_alnum),
  ...DEFINE_STRING_IS_OP("aten::isalpha", b.is_alpha),
  ...DEFINE_STRING_IS_OP("aten::isdecimal", b.is_digit),
  ...DEFINE_STRING_IS_OP("aten::isnumeric", b.is_digit),
  ...DEFINE_STRING_CASE_OP("aten::isupper", b.is_upper),
  ...DEFINE_STRING_CASE_OP("aten::islower", b.is_lower),
  // An empty string is printable.
  "aten::isprintable": (stack) => push_bool(stack, [...pop_bytes(stack)].every(b.is_print)),
  // An underscore is refused.
  "aten::isidentifier": (stack) => {
    const bytes = pop_bytes(stack);
    push_bool(stack, bytes !== "" && !b.is_digit(bytes[0]) && [...bytes].every(b.is_alnum));
  },
  "aten::istitle": (stack) => {
    let titled = false;
    let inside = false;
    for (const c of pop_bytes(stack)) {
      if (c !== (inside ? b.to_lower(c) : b.to_upper(c))) {
        titled = false;
        break;
      }
      if (!inside && b.is_alpha(c)) titled = true;
      inside = b.is_alpha(c);
    }
    push_bool(stack, titled);
  },
});

// ---- other letters

function DEFINE_STRING_CHAR_MAP_OP(name: string, map: (c: string, previous: string) => string): Operations {
  return {
    [name]: (stack) => {
      const bytes = pop_bytes(stack);
      let mapped = "";
      for (let i = 0; i < bytes.length; i++) mapped += map(bytes[i], i === 0 ? "" : bytes[i - 1]);
      push_bytes(stack, mapped);
    },
  };
}

register_operations({
  ...DEFINE_STRING_CHAR_MAP_OP("aten::lower", b.to_lower),
  ...DEFINE_STRING_CHAR_MAP_OP("aten::upper", b.to_upper),
  ...DEFINE_STRING_CHAR_MAP_OP("aten::swapcase", (c) => (c === b.to_upper(c) ? b.to_lower(c) : b.to_upper(c))),
  ...DEFINE_STRING_CHAR_MAP_OP("aten::capitalize", (c, previous) => (previous === "" ? b.to_upper(c) : b.to_lower(c))),
  ...DEFINE_STRING_CHAR_MAP_OP("aten::title", (c, previous) => (b.is_alpha(previous) ? b.to_lower(c) : b.to_upper(c))),
  "aten::expandtabs": (stack) => {
    const tabsize = pop_index(stack);
    let expanded = "";
    for (const c of pop_bytes(stack)) {
      if (c !== "\t") expanded += c;
      else if (tabsize > 0) expanded += " ".repeat(tabsize - (expanded.length % tabsize));
    }
    push_bytes(stack, expanded);
  },
});

// ---- padding

function pop_fillchar(stack: Stack): string {
  const fillchar = pop_bytes(stack);
  if (fillchar.length !== 1) throw new RuntimeError("TypeError: The fill character must be exactly one character long");
  return fillchar;
}

register_operations({
  "aten::center": (stack) => {
    const fill = pop_fillchar(stack);
    const width = pop_index(stack);
    const bytes = pop_bytes(stack);
    // A negative width is a huge unsigned one, and then nothing is long enough: PyTorch runs out of memory.
    TORCH_CHECK(width >= 0, "basic_string::append");
    const padding = Math.max(0, width - bytes.length);
    const [less, more] = [Math.floor(padding / 2), Math.ceil(padding / 2)];
    const [left, right] = width % 2 === 1 ? [more, less] : [less, more];
    push_bytes(stack, fill.repeat(left) + bytes + fill.repeat(right));
  },
  "aten::ljust": (stack) => {
    const fill = pop_fillchar(stack);
    const width = pop_index(stack);
    push_bytes(stack, pop_bytes(stack).padEnd(width, fill));
  },
  "aten::rjust": (stack) => {
    const fill = pop_fillchar(stack);
    const width = pop_index(stack);
    push_bytes(stack, pop_bytes(stack).padStart(width, fill));
  },
  // A sign is not moved in front of the zeros.
  "aten::zfill": (stack) => {
    const width = pop_index(stack);
    push_bytes(stack, pop_bytes(stack).padStart(width, "0"));
  },
});

// ---- stripping

register_operations({
  "aten::strip": (stack) => {
    const chars = pop_bytes(stack);
    push_bytes(stack, left_stripped(right_stripped(pop_bytes(stack), chars), chars));
  },
  "aten::lstrip": (stack) => {
    const chars = pop_bytes(stack);
    push_bytes(stack, left_stripped(pop_bytes(stack), chars));
  },
  "aten::rstrip": (stack) => {
    const chars = pop_bytes(stack);
    push_bytes(stack, right_stripped(pop_bytes(stack), chars));
  },
});

// ---- searching

interface Search {
  readonly bytes: string;
  readonly substr: string;
  readonly start: number;
  readonly end: number;
}

/** The arguments `(str self, str substr, int start=0, int end=-1)`. A negative end counts from behind the last byte. */
function pop_search(stack: Stack): Search {
  const end = pop_index(stack);
  const start = pop_index(stack);
  const substr = pop_bytes(stack);
  const bytes = pop_bytes(stack);
  return {
    bytes,
    substr,
    start: start < 0 ? Math.max(0, bytes.length + start) : start,
    end: end < 0 ? Math.max(0, bytes.length + end + 1) : end,
  };
}

/** `string.substr(position, count)` of C++: a negative count takes everything. */
function substr_of(bytes: string, position: number, count: number): string {
  TORCH_CHECK(
    position <= bytes.length,
    `basic_string::substr: __pos (which is ${position}) > this->size() (which is ${bytes.length})`,
  );
  return count < 0 ? bytes.slice(position) : bytes.slice(position, position + count);
}

/** The place of the first occurrence, or of the last; -1 without one. */
function string_find({ bytes, substr, start, end }: Search, reverse: boolean): number {
  const part = end > start ? substr_of(bytes, start, end - start) : "";
  if (part.length < substr.length) return -1;
  const place = reverse ? part.lastIndexOf(substr) : part.indexOf(substr);
  return place < 0 ? -1 : place + start;
}

function DEFINE_FIND(name: string, reverse: boolean, refuses: boolean): Operations {
  return {
    [name]: (stack) => {
      const place = string_find(pop_search(stack), reverse);
      if (refuses && place < 0) throw new RuntimeError("ValueError: substring not found");
      push_int(stack, place);
    },
  };
}

register_operations({
  ...DEFINE_FIND("aten::find", false, false),
  ...DEFINE_FIND("aten::rfind", true, false),
  ...DEFINE_FIND("aten::index.str", false, true),
  ...DEFINE_FIND("aten::rindex", true, true),
  "aten::startswith": (stack) => {
    const { bytes, substr, start, end } = pop_search(stack);
    push_bool(stack, substr_of(bytes, start, end - start).startsWith(substr));
  },
  "aten::endswith": (stack) => {
    const { bytes, substr, start, end } = pop_search(stack);
    push_bool(stack, substr_of(bytes, start, end - start).endsWith(substr));
  },
  // An occurrence counts if it begins in front of `end`.
  "aten::count": (stack) => {
    const { bytes, substr, start, end } = pop_search(stack);
    let occurrences = 0;
    TORCH_CHECK(substr !== "" || start >= end, "count() of an empty string never ends in PyTorch");
    for (let at = bytes.indexOf(substr, start); at >= 0 && at < end; at = bytes.indexOf(substr, at + substr.length))
      occurrences++;
    push_int(stack, occurrences);
  },
  "aten::replace": (stack) => {
    const max = pop_index(stack);
    const new_str = pop_bytes(stack);
    const old_str = pop_bytes(stack);
    let bytes = pop_bytes(stack);
    TORCH_CHECK(old_str !== "" || max >= 0, "replace() of an empty string never ends in PyTorch");
    let done = 0;
    for (let at = bytes.indexOf(old_str); at >= 0; at = bytes.indexOf(old_str, at + new_str.length)) {
      if (max >= 0 && ++done > max) break;
      bytes = bytes.slice(0, at) + new_str + bytes.slice(at + old_str.length);
      if (at + new_str.length > bytes.length) break;
    }
    push_bytes(stack, bytes);
  },
});

// ---- splitting and joining

/** All that Python takes for white space; C++ reads the escapes \u2028 and \u2029 as the three bytes of each. */
const WHITESPACE = b.to_bytes(" \t\n\r\v\f\x1c\x1d\x1e\u2028\u2029") + "\x85";
const LINE_ENDS = b.to_bytes("\n\r\v\f\x1c\x1d\x1e\u2028\u2029") + "\x85";

function splitNoneSeparator(bytes: string): string[] {
  const splits: string[] = [];
  let begin = 0;
  for (let at = find_first(bytes, WHITESPACE, true); at >= 0; at = find_first(bytes, WHITESPACE, true, begin)) {
    if (at > begin) splits.push(bytes.slice(begin, at));
    begin = at + 1;
  }
  if (begin !== bytes.length) splits.push(bytes.slice(begin));
  return splits;
}

/** The parts between separators, at most `max + 1` of them if `max` is not negative. */
function split(bytes: string, separator: string, max: number): string[] {
  const splits: string[] = [];
  let begin = 0;
  for (let at = bytes.indexOf(separator); at >= 0; at = bytes.indexOf(separator, begin)) {
    if (max >= 0 && splits.length >= max) break;
    splits.push(bytes.slice(begin, at));
    begin = at + separator.length;
  }
  splits.push(bytes.slice(begin));
  return splits;
}

const reversed = (bytes: string): string => [...bytes].reverse().join("");

register_operations({
  "aten::split.str": (stack) => {
    const max = pop_index(stack);
    const separator = pop(stack);
    const bytes = pop_bytes(stack);
    if (separator.isNone()) return push_list(stack, splitNoneSeparator(bytes)); // `max` does not count
    const between = b.to_bytes(separator.toStringRef());
    if (between === "") throw new RuntimeError("ValueError: empty separator");
    push_list(stack, split(bytes, between, max));
  },
  "aten::rsplit": (stack) => {
    const max = pop_index(stack);
    const separator = reversed(pop_bytes(stack));
    const bytes = reversed(pop_bytes(stack));
    TORCH_CHECK(separator !== "" || max >= 0, "rsplit() by an empty string never ends in PyTorch");
    push_list(stack, split(bytes, separator, max).map(reversed).reverse());
  },
  // With keepends the line ends are parts of their own.
  "aten::splitlines": (stack) => {
    const keepends = pop_bool(stack);
    const bytes = pop_bytes(stack);
    const splits: string[] = [];
    let begin = 0;
    for (let at = find_first(bytes, LINE_ENDS, true); at >= 0; at = find_first(bytes, LINE_ENDS, true, begin)) {
      splits.push(bytes.slice(begin, at));
      if (keepends) splits.push(bytes[at]);
      begin = at + 1;
    }
    if (begin !== bytes.length) splits.push(bytes.slice(begin));
    push_list(stack, splits);
  },
  "aten::partition": (stack) => {
    const separator = pop_bytes(stack);
    const bytes = pop_bytes(stack);
    const at = bytes.indexOf(separator);
    push_parts(stack, bytes, at < 0 ? bytes.length : at, at < 0 ? "" : separator);
  },
  // Without an occurrence everything is the last part.
  "aten::rpartition": (stack) => {
    const separator = pop_bytes(stack);
    const bytes = pop_bytes(stack);
    const at = bytes.lastIndexOf(separator);
    push_parts(stack, bytes, Math.max(0, at), at < 0 ? "" : separator);
  },
  "aten::join": (stack) => {
    const values = pop(stack).toList().vec();
    const between = pop_bytes(stack);
    push_bytes(stack, values.map((value) => b.to_bytes(value.toStringRef())).join(between));
  },
});

function push_parts(stack: Stack, bytes: string, at: number, separator: string): void {
  push_bytes(stack, bytes.slice(0, at));
  push_bytes(stack, separator);
  push_bytes(stack, bytes.slice(at + separator.length));
}

// ---- numbers in strings

register_operations({
  // C's strtoll: white space and a sign may stand in front of the digits, and nothing behind them.
  "aten::Int.str": (stack) => {
    const text = pop(stack).toStringRef();
    const match = /^[ \t-\r]*([+-]?)([0-9]+)/.exec(text);
    TORCH_CHECK(match !== null, "stoll");
    const value = BigInt(match[2]) * (match[1] === "-" ? -1n : 1n);
    TORCH_CHECK(BigInt.asIntN(64, value) === value, "stoll");
    if (match[0].length !== text.length) throw new RuntimeError(`invalid literal for int() with base 10: '${text}'`);
    push_int(stack, Number.isSafeInteger(Number(value)) ? Number(value) : value);
  },
  // C's strtod, which also reads hexadecimal floats.
  "aten::Float.str": (stack) => {
    const text = pop(stack).toStringRef();
    const { value, length } = strtod(text);
    TORCH_CHECK(length > 0, "stod");
    if (length !== text.length) throw new RuntimeError(`could not convert string to float: '${text}'`);
    stack.push(IValue.fromDouble(value));
  },
});

/** The number at the beginning of a text, and how much of the text it is. */
function strtod(text: string): { value: number; length: number } {
  const match =
    /^[ \t-\r]*([+-]?)(?:(0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)|((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)|(inf(?:inity)?)|(nan(?:\([a-z0-9_]*\))?))/i.exec(
      text,
    );
  if (match === null) return { value: 0, length: 0 };
  const [all, sign, hexadecimal, decimal, infinite] = match;
  const size =
    hexadecimal !== undefined
      ? hexadecimal_float(hexadecimal)
      : decimal !== undefined
        ? Number(decimal)
        : infinite !== undefined
          ? Number.POSITIVE_INFINITY
          : Number.NaN;
  // A decimal number beyond the range of floats is an error, and so is one that underflows.
  if (decimal !== undefined)
    TORCH_CHECK(Number.isFinite(size) && (size >= 2 ** -1022 || !/[1-9]/.test(decimal.replace(/e.*/i, ""))), "stod");
  return { value: sign === "-" ? -size : size, length: all.length };
}

function hexadecimal_float(text: string): number {
  const [digits, power = "0"] = text.slice(2).toLowerCase().split("p");
  const [whole, fraction = ""] = digits.split(".");
  return Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(power) - 4 * fraction.length);
}
