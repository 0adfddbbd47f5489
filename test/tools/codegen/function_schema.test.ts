import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../tools/codegen/file_system.ts";
import { FunctionSchema } from "../../../tools/codegen/function_schema.ts";
import { OperatorName } from "../../../tools/codegen/operator_name.ts";
import { is_nullable, is_tensor_like, parse_type } from "../../../tools/codegen/types.ts";

const yaml = readFileSync(join(ROOT, "src/aten/native/native_functions.yaml"), "utf8");
const lines = [...yaml.matchAll(/^- func: (.*)$/gm)].map((m) => m[1]);

test("every func line of the YAML prints back to itself", () => {
  expect(lines.length).toBeGreaterThan(400);
  for (const line of lines) expect(String(FunctionSchema.parse(line))).toBe(line);
});

test.each([
  ["relu(Tensor self) -> Tensor", "functional"],
  ["relu_(Tensor(a!) self) -> Tensor(a!)", "inplace"],
  ["abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "out"],
  ["_fused(Tensor self, Tensor(a!) running) -> Tensor", "mutable"],
])("%s is %s", (line, kind) => {
  expect(FunctionSchema.parse(line).kind()).toBe(kind);
});

test("arguments are split where the calling conventions differ", () => {
  const { arguments: args } = FunctionSchema.parse(
    "full.names(int[] size, Scalar fill_value, *, Generator? g=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
  );
  expect(args.pre_tensor_options_kwarg_only.map(String)).toEqual(["Generator? g=None"]);
  expect(args.tensor_options?.all().map((a) => a.name)).toEqual(["dtype", "layout", "device", "pin_memory"]);
  expect(args.post_tensor_options_kwarg_only.map((a) => a.name)).toEqual(["memory_format"]);
});

test("three variants of one operator have one signature", () => {
  const signature = (line: string) => String(FunctionSchema.parse(line).signature());
  const functional = signature("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  expect(signature("add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)")).toBe(functional);
  expect(signature("add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)")).toBe(
    functional,
  );
});

test("a default that holds a comma stays one argument", () => {
  const schema = FunctionSchema.parse("f(Tensor self, int[2] dims=[0, 1], bool b=False) -> Tensor");
  expect(schema.arguments.flat_all.map((a) => a.default)).toEqual([null, "[0, 1]", "False"]);
});

test("names", () => {
  expect(OperatorName.parse("add_.Tensor").unambiguous_name()).toBe("add__Tensor");
  expect(OperatorName.parse("__iand__.Scalar").name.inplace).toBe(true);
  expect(String(OperatorName.parse("__iand__.Scalar"))).toBe("__iand__.Scalar");
  expect(String(OperatorName.parse("normal_functional"))).toBe("normal_functional");
});

test("types print back, and know what they hold", () => {
  for (const text of ["Tensor", "Tensor?", "Tensor?[]", "int[2]?", "SymInt[]", "Scalar?"])
    expect(String(parse_type(text))).toBe(text);
  expect(is_tensor_like(parse_type("Tensor?[]"))).toBe(true);
  expect(is_nullable(parse_type("int[2]?"))).toBe(true);
  expect(is_nullable(parse_type("int[2]"))).toBe(false);
});

test.each([
  ["f(Tensor self) Tensor", "bad schema"],
  ["f(Tenzor self) -> Tensor", "unknown type 'Tenzor'"],
  ["f(Tensor self, Tensor self) -> Tensor", "'self' occurs twice"],
  ["f_(Tensor self) -> Tensor", "an in-place operator must write self"],
  ["f_(Tensor(a!) self) -> ()", "an in-place operator on a Tensor returns the Tensor"],
  ["f.out(Tensor self, *, Tensor(a!) out) -> ()", "1 out arguments but 0 returns"],
  ["f.out(Tensor self, Tensor(a!) out) -> Tensor(a!)", "is also returned"],
  ["f(Tensor self, *, Tensor(a!) out, int x) -> Tensor(a!)", "follows an out argument"],
  ["f(Tensor(a;) self) -> Tensor", "bad alias annotation"],
])("%s is refused", (line, message) => {
  expect(() => FunctionSchema.parse(line)).toThrow(message);
});
