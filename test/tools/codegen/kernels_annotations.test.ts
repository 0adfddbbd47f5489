/** The meaning of the types in kernel text for one choice of dtypes. */
import { expect, test } from "vitest";
import { elementNamed, isCaptured, typeNamed } from "../../../tools/codegen/kernels/annotations.ts";
import { type ElementType, elementType } from "../../../tools/codegen/kernels/element_types.ts";
import type { ValueType } from "../../../tools/codegen/kernels/tree.ts";

const bindings = new Map(
  [
    ["src_t", "float16"],
    ["dst_t", "int16"],
  ].map(([name, dtype]): [string, ElementType] => [name, elementType(dtype) as ElementType]),
);

function shown(type: ValueType): string {
  if (type.k === "row") return `row ${type.t.name} ${type.depth}${type.packed ? " packed" : ""}`;
  if ("t" in type) return `${type.k} ${type.t.name}`;
  return type.k === "other" ? `other ${type.written}` : type.k;
}

test.each([
  ["number", "number"],
  ["boolean", "truth"],
  ["void", "void"],
  ["src_t", "element float16"],
  ["int64", "element int64"],
  ["opmath_t", "element float32"],
  ["acc_t", "element float32"],
  ["acc<dst_t>", "element int64"],
  ["acc< dst_t >", "element int64"],
  ["acc <dst_t>", "element int64"],
  [" acc<dst_t> ", "element int64"],
  ["opmath<src_t>", "element float32"],
  ["opmath<dst_t>", "element int16"],
  ["acc<opmath<src_t>>", "element float64"],
  ["captured", "element float16"],
  [" captured ", "element float16"],
  ["captured_opmath", "element float32"],
  ["captured<dst_t>", "element int16"],
  ["captured<Thing>", "other Thing"],
  ["captured<Map<A, B>>", "other Map<A, B>"],
  ["data<dst_t>", "data int16"],
  ["data<acc<dst_t>>", "data int64"],
  ["data<Thing>", "other data<Thing>"],
  ["data", "other data"],
  ["row<src_t>", "row float16 1"],
  ["row<row<acc<dst_t>>>", "row int64 2"],
  ["pointer<src_t>", "row float16 1 packed"],
  ["row<pointer<src_t>>", "row float16 2 packed"],
  ["pointer<pointer<src_t>>", "other pointer<pointer<src_t>>"],
  ["row<Thing>", "other row<Thing>"],
  ["row<number>", "other row<number>"],
  ["row", "other row"],
  ["src_t[]", "array float16"],
  ["readonly src_t[]", "array float16"],
  ["readonly  acc<dst_t>[]", "array int64"],
  ["Thing[]", "other Thing[]"],
  ["A.readonly src_t[]", "other A.readonly src_t[]"],
  ["Array<src_t>", "other Array<src_t>"],
  ["opmath<Thing>", "other opmath<Thing>"],
  ["int64()", "other int64()"],
  ["new acc<dst_t>", "other new acc<dst_t>"],
  ["acc<dst_t> | null", "other acc<dst_t> | null"],
])("%s: %s", (written, meaning) => {
  expect(shown(typeNamed(written, bindings))).toBe(meaning);
});

test("what names no element type", () => {
  expect(["number", "Thing", "acc<Thing>", "Other<dst_t>"].map((type) => elementNamed(type, bindings))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

test("captured parameters", () => {
  const captured = ["captured", "captured_opmath", "captured<Thing>", " captured", "captured_opmath "];
  const given = ["uncaptured", "captured_", "captured_opmaths", "scalar_t", "data<captured>"];
  expect([captured.every(isCaptured), given.some(isCaptured)]).toEqual([true, false]);
});
