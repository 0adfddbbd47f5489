/**
 * @file Every schema line of PyTorch reads and prints back as PyTorch prints it; a wrong line gives PyTorch's error.
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { parseName, parseSchema } from "#aten/core/function_schema_parser";

interface Fixture {
  native: [line: string, printed: string][];
  written: [line: string, printed: string | null, error: string | null][];
}
const file = new URL("../../fixtures/schemas/schemas.json.gz", import.meta.url);
const { native, written } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Fixture;

test("the lines of PyTorch's native_functions.yaml print as PyTorch prints them", () => {
  expect(native.length).toBe(2584);
  expect(native.map(([line]) => String(parseSchema(line)))).toEqual(native.map(([, printed]) => printed));
});

test("what is printed reads back to the same schema", () => {
  for (const [, printed] of native) {
    // A memory format or dtype default prints as its number, which reads back as that number.
    expect(String(parseSchema(printed))).toBe(printed);
  }
});

test.each(written)("%j", (line, printed, error) => {
  // PyTorch's internal asserts name its own C++ file; the message after it is what counts.
  const assertion =
    error === null ? null : /INTERNAL ASSERT FAILED at .*?, please report a bug to PyTorch. (.*)/s.exec(error);
  let ours: { printed: string | null; error: string | null };
  try {
    ours = { printed: String(parseSchema(line)), error: null };
  } catch (e) {
    ours = { printed: null, error: `${(e as Error).name}: ${(e as Error).message}` };
  }
  expect(ours.printed).toBe(printed);
  if (assertion !== null) expect(ours.error).toContain(assertion[1]);
  else expect(ours.error).toBe(error);
});

test("an operator's name alone", () => {
  const name = parseName("aten::add.Tensor");
  expect([name.name, name.overload_name, name.getNamespace()]).toEqual(["aten::add", "Tensor", "aten"]);
  expect(() => parseName("aten::add(Tensor x) -> Tensor")).toThrow(
    "Tried to parse an operator name but function schema was given",
  );
});
