/**
 * @file `str.translate` and `str.maketrans`.
 * @mirrors Objects/unicodeobject.c#_PyUnicode_TranslateCharmap (CPython 3.11)
 */
import { text_argument } from "../../Python/getargs.ts";
import { call_special } from "../call.ts";
import { PyDict } from "../dictobject.ts";
import { LookupError, TypeError_, ValueError } from "../exceptions.ts";
import { define_methods, define_static_methods } from "../methodobject.ts";
import { str_type, type_of } from "../typeobject.ts";
import { length_of } from "./code_points.ts";

/** Entry of a table for a character; undefined: there is none, the character stays. */
function mapped(table: unknown, code: number): unknown {
  try {
    const result = call_special(table, "__getitem__", code);
    if (result === undefined) throw new TypeError_(`'${type_of(table).tp_name}' object is not subscriptable`);
    return result;
  } catch (error) {
    if (error instanceof LookupError) return undefined;
    throw error;
  }
}

function translate(text: string, table: unknown): string {
  const known = new Map<string, string>();
  let result = "";
  for (const character of text) {
    let written = known.get(character);
    if (written === undefined) {
      written = stand_in(character, mapped(table, character.codePointAt(0) as number));
      known.set(character, written);
    }
    result += written;
  }
  return result;
}

function stand_in(character: string, value: unknown): string {
  if (value === undefined) return character;
  if (value === null) return "";
  if (typeof value === "string") return value;
  if (
    typeof value === "bigint" ||
    (typeof value === "number" && Number.isInteger(value)) ||
    typeof value === "boolean"
  ) {
    const code = Number(value);
    if (code < 0 || code > 0x10ffff) throw new ValueError("character mapping must be in range(0x110000)");
    return String.fromCodePoint(code);
  }
  throw new TypeError_("character mapping must return integer, None or str");
}

function from_dict(table: PyDict): PyDict {
  const result = new PyDict();
  for (const [key, value] of table) {
    if (typeof key === "string") {
      if (length_of(key) !== 1) throw new ValueError("string keys in translate table must be of length 1");
      result.set(key.codePointAt(0), value);
    } else if (typeof key === "bigint" || (typeof key === "number" && Number.isInteger(key))) result.set(key, value);
    else throw new TypeError_("keys in translate table must be strings or integers");
  }
  return result;
}

function maketrans(x: unknown, y: unknown, z: unknown): PyDict {
  if (y === undefined) {
    if (x instanceof PyDict) return from_dict(x);
    throw new TypeError_("if you give only one argument to maketrans it must be a dict");
  }
  const to = Array.from(text_argument(y, "maketrans", "2"));
  const removed = z === undefined ? "" : text_argument(z, "maketrans", "3");
  if (typeof x !== "string")
    throw new TypeError_("first maketrans argument must be a string if there is a second argument");
  const from = Array.from(x);
  if (from.length !== to.length) throw new ValueError("the first two maketrans arguments must have equal length");
  const result = new PyDict();
  from.forEach((character, i) => {
    result.set(character.codePointAt(0), (to[i] as string).codePointAt(0));
  });
  for (const character of removed) result.set(character.codePointAt(0), null);
  return result;
}

define_methods(str_type, { "translate(self, table, /)": translate });
define_static_methods(str_type, { "maketrans(x, y=<unset>, z=<unset>, /)": maketrans });
