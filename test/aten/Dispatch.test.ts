/** The tables by which a kernel finds its instance: every dtype and every pair has a place of its own. */
import { expect, test } from "vitest";
import { AT_DISPATCH, AT_DISPATCH_2, Instantiations } from "#aten/Dispatch";
import { NumScalarTypes, ScalarType, toString } from "#c10/core/ScalarType";

const DTYPES = Object.values(ScalarType).filter((t) => t < NumScalarTypes);
const instance = (...names: readonly ScalarType[]) => {
  const name = names.map(toString).join(" ");
  return () => name;
};

test("every dtype finds its own instance", () => {
  const table = new Instantiations<() => string>(
    "f_cpu",
    DTYPES.map((t) => [t, instance(t)] as const),
  );
  for (const t of DTYPES) expect(AT_DISPATCH(table, t)()).toBe(toString(t));
});

test("every pair of dtypes finds its own instance", () => {
  const rows = DTYPES.flatMap((a) => DTYPES.map((b) => [a, b, instance(a, b)] as const));
  const table = new Instantiations<() => string>("f_cpu", rows);
  for (const a of DTYPES)
    for (const b of DTYPES) expect(AT_DISPATCH_2(table, a, b)()).toBe(`${toString(a)} ${toString(b)}`);
});

test("a late dtype does not fall into another's place", () => {
  const { Byte, Float, Float8_e4m3fn, UInt16 } = ScalarType;
  const table = new Instantiations<() => string>("f_cpu", [
    [Float, UInt16, instance(Float, UInt16)],
    [Float, Float8_e4m3fn, instance(Float, Float8_e4m3fn)],
  ]);
  expect(AT_DISPATCH_2(table, Float, UInt16)()).toBe("Float UInt16");
  expect(AT_DISPATCH_2(table, Float, Float8_e4m3fn)()).toBe("Float Float8_e4m3fn");
  // With rows of 16, (Float, UInt16 = 27) stood where (Double, Bool = 11) belongs.
  expect(() => AT_DISPATCH_2(table, ScalarType.Double, ScalarType.Bool)).toThrow("not implemented for 'Double'");
  expect(() => AT_DISPATCH_2(table, Float, Byte)).toThrow("\"f_cpu\" not implemented for 'Byte'");
  expect(() => AT_DISPATCH_2(table, ScalarType.Undefined, Byte)).toThrow("not implemented for 'UNKNOWN_SCALAR'");
});

test("a dtype without instance is not implemented", () => {
  const table = new Instantiations<() => string>("f_cpu", [[ScalarType.Float, instance(ScalarType.Float)]]);
  expect(() => AT_DISPATCH(table, ScalarType.UInt16)).toThrow("\"f_cpu\" not implemented for 'UInt16'");
  expect(table.find(ScalarType.UInt16)).toBeNull();
});
