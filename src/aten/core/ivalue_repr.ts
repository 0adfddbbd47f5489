/**
 * @file The text of a boxed value as TorchScript's own parser reads it: `1.5`, `"a\n"`, `annotate(List[int], [])`.
 * @mirrors aten/src/ATen/core/ivalue.cpp#IValue::repr
 */
import { TORCH_INTERNAL_ASSERT } from "#c10/util/Exception";
import { format_general } from "#c10/util/format_float";
import { type_of } from "./ivalue.impl.ts";
import type { IValue } from "./ivalue.ts";
import { elementTypeCanBeInferredFromMembers } from "./type.ts";

/** Prints some values in another way; null for those that are printed as usual. */
export type IValueFormatter = (value: IValue) => string | null;

/** 17 digits, without a point beyond 1e10: there an integral value prints as an integer. */
function reprDouble(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e10) return `${Object.is(value, -0) ? "-0" : value}.`;
  return format_general(value, 17);
}

const escapes: Readonly<Record<number, string>> = {
  92: "\\\\",
  39: "\\'",
  34: '\\"',
  7: "\\a",
  8: "\\b",
  12: "\\f",
  10: "\\n",
  13: "\\r",
  9: "\\t",
  11: "\\v",
};

/**
 * The string in quotes. Other control characters are three octal digits. So is each byte above 127, but PyTorch computes its digits with
 * signs, and what comes out is not octal: the byte 0xC3 is `\0)+`.
 */
export function printQuotedString(text: string): string {
  let out = "";
  for (const byte of new TextEncoder().encode(text)) {
    const escape = escapes[byte];
    if (escape !== undefined) out += escape;
    else if (byte >= 0x20 && byte < 0x7f) out += String.fromCharCode(byte);
    else out += `\\${octal(byte < 128 ? byte : byte - 256)}`;
  }
  return `"${out}"`;
}

function octal(byte: number): string {
  const middle = Math.trunc(byte / 8);
  const digits = [Math.trunc(middle / 8), middle % 8, byte % 8];
  return digits.map((digit) => String.fromCharCode(48 + digit)).join("");
}

export function repr(value: IValue, formatter: IValueFormatter = () => null): string {
  const formatted = formatter(value);
  if (formatted !== null) return formatted;
  const all = (items: readonly IValue[]): string => items.map((item) => repr(item, formatter)).join(", ");
  switch (value.tag) {
    case "None":
    case "Int":
    case "Bool":
    case "ComplexDouble":
      return String(value);
    case "Double":
      return reprDouble(value.toDouble());
    case "Tuple": {
      const elements = value.toTuple();
      return `(${all(elements)}${elements.length === 1 ? ",)" : ")"}`;
    }
    case "String":
      return printQuotedString(value.toStringRef());
    case "GenericList": {
      const list = value.toList();
      const text = `[${all(list.vec())}]`;
      if (list.size() > 0 && elementTypeCanBeInferredFromMembers(list.elementType())) return text;
      return `annotate(${type_of(value).annotation_str()}, ${text})`;
    }
    case "Enum":
      return `${value.toEnumHolder().qualifiedClassName()}.${value.toEnumHolder().name()}`;
    case "Device":
      return `torch.device(${printQuotedString(String(value.payload))})`;
    case "GenericDict": {
      const entries = [...value.toGenericDict().entries()];
      const text = `{${entries.map(({ key, value: item }) => `${repr(key, formatter)}: ${repr(item, formatter)}`).join(", ")}}`;
      const type = type_of(value);
      if (entries.length > 0 && elementTypeCanBeInferredFromMembers(type.containedType(1))) return text;
      return `annotate(${type.annotation_str()},${text})`;
    }
    default:
      TORCH_INTERNAL_ASSERT(false, `repr() not defined on: ${value.tagKind()}`);
  }
}
