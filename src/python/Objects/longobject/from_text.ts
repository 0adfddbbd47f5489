/**
 * @file `int("...")`, in any base.
 * @mirrors Objects/longobject.c#PyLong_FromString (CPython 3.11)
 */
import { ValueError } from "../exceptions.ts";
import { check_digits, type Int, int_value } from "../longobject.ts";
import { ascii_digits, stripped } from "../unicodeobject/digits.ts";

const PREFIX: Readonly<Record<string, number>> = { x: 16, o: 8, b: 2 };

/** Digits of a base that JavaScript's BigInt does not read. */
function in_base(digits: string, base: number): bigint {
  // Halves keep the numbers that are multiplied equally long.
  if (digits.length <= 9) return BigInt(Number.parseInt(digits, base));
  const cut = Math.floor(digits.length / 2);
  return in_base(digits.slice(0, -cut), base) * BigInt(base) ** BigInt(cut) + in_base(digits.slice(-cut), base);
}

/** `int(text, base)`; `shown` is the `repr` of the argument for the error. Base 0 takes the base from the prefix, as in a program. */
export function int_from_string(text: string, base: number, shown: string): Int {
  const failed = (): ValueError =>
    new ValueError(`invalid literal for int() with base ${base}: ${Array.from(shown).slice(0, 200).join("")}`);
  const [, sign, body = ""] = /^([+-]?)(.*)$/s.exec(ascii_digits(stripped(text))) ?? [];
  let digits = body.toLowerCase();
  const prefix = /^0[xob]/.test(digits) ? PREFIX[digits.charAt(1)] : undefined;
  let used = base;
  if (base === 0) used = prefix ?? 10;
  if (prefix === used) digits = digits.slice(2).replace(/^_(?=.)/, "");
  else if (base === 0 && /^0/.test(digits) && !/^[0_]*$/.test(digits)) throw failed(); // 010 would be octal in C
  if (digits === "" || /^_|__|_$/.test(digits)) throw failed();
  digits = digits.replaceAll("_", "");
  const highest = used <= 10 ? `0-${used - 1}` : `0-9a-${String.fromCharCode(86 + used)}`;
  const [valid = ""] = new RegExp(`^[${highest}]*`).exec(digits) ?? [];
  if ((used & (used - 1)) !== 0) check_digits(valid.length);
  if (valid !== digits) throw failed();
  const marked = used === 16 ? "0x" : used === 8 ? "0o" : used === 2 ? "0b" : "";
  const value = used === 10 || marked !== "" ? BigInt(marked + digits) : in_base(digits, used);
  return int_value(sign === "-" ? -value : value);
}
