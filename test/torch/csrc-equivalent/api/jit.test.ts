/** The entry `glasstorch/cpp`: it loads what PyTorch wrote, runs it, and imports no front end. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { torch } from "../../../../src/cpp.ts";
import { imports_of, read_sources } from "../../../../tools/imports_of.ts";
import { readFixture } from "../../../helpers/recorded.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const { cases } = readFixture<{ cases: Record<string, { calls: string; file: string }> }>(
  new URL("../../../fixtures/torchscript/mobile.json.gz", import.meta.url),
);
const load = (name: string) => torch.jit.load(new Uint8Array(Buffer.from(cases[name].file, "base64")));
const numbers = (values: readonly number[], sizes: readonly number[]) =>
  torch.from_array(new Float32Array(values), sizes);

const sources = read_sources(root, ["src"]);
/** All files of src that an entry loads. */
function reached_from(entry: string): Set<string> {
  const reached = new Set([entry]);
  for (const path of reached)
    for (const { to, type_only } of imports_of(path, sources.get(path) as string))
      if (!type_only && sources.has(to)) reached.add(to);
  return reached;
}

test("nothing of torch is imported outside csrc-equivalent, and of Python only values that all layers share", () => {
  const reached = reached_from("src/cpp.ts");
  expect(reached.size).toBeGreaterThan(800);
  expect([...reached].filter((path) => /^src\/torch\/(?!csrc-equivalent\/)/.test(path))).toEqual([]);
  expect([...reached].filter((path) => /^src\/torch\/csrc-equivalent\/jit\/python\//.test(path))).toEqual([]);
  const python = [...reached].filter((path) => path.startsWith("src/python/"));
  expect(python.every((path) => /^src\/python\/(?:Objects\/|Modules\/_?math)/.test(path))).toBe(true);
});

test("the C++ front end is in the entry of C++ and in no other", () => {
  const of_api = (entry: string) =>
    [...reached_from(entry)].filter((path) => path.startsWith("src/torch/csrc-equivalent/api/"));
  expect(of_api("src/cpp.ts").length).toBeGreaterThan(80);
  expect(of_api("src/index.ts")).toEqual([]);
  expect(of_api("src/jit.ts")).toEqual([]);
});

test("a module of PyTorch runs", () => {
  const module = load("net");
  const [first, second] = JSON.parse(cases["net"].calls) as number[][][];
  const values = (inputs: Parameters<typeof module.forward>[0]) => {
    const result = module.forward(inputs).toTensor();
    expect(result.sizes()).toEqual([1, 2]);
    const begin = result.data_offset(); // many tensors share the memory that the view shows
    return [Array.from(result.data_view().slice(begin, begin + result.numel()), Number)];
  };
  expect(values([numbers([1, 1], [1, 2])])).toEqual(first);
  expect(values([numbers([1, 1], [1, 2]), torch.IValue.fromInt(7)])).toEqual(second);
  expect(module.attr("k").toInt()).toBe(3);
});

test("modes, other methods, results that are no tensors", () => {
  const module = load("net");
  expect(module.is_training()).toBe(true);
  module.eval();
  expect([module.is_training(), module.hasattr("none")]).toEqual([false, false]);
  const helper = module.get_method("helper");
  expect(
    helper([numbers([0, 0], [1, 2]), torch.IValue.fromInt(1)])
      .toTensor()
      .sizes(),
  ).toEqual([1, 2]);
  const counter = load("counter");
  expect(
    counter
      .forward([numbers([1, 1], [2])])
      .toTuple()[0]
      .toInt(),
  ).toBe(1);
  expect(
    counter
      .forward([numbers([1, 1], [2])])
      .toTuple()[0]
      .toInt(),
  ).toBe(2);
});

test("wrong calls are refused with the schema", () => {
  const module = load("net");
  expect(() => module.forward([])).toThrow("is missing value for argument 'x'");
  expect(() => module.forward(["a"])).toThrow("Expected a value of type 'Tensor' for argument 'x'");
  expect(() => module.forward([null, null, null])).toThrow("Expected at most 3 argument(s)");
  expect(() => module.get_method("none")).toThrow("Method 'none' is not defined.");
  expect(() => torch.jit.load(new Uint8Array([1, 2, 3]))).toThrow();
  expect(() => torch.jit.load(1 as never)).toThrow("takes bytes or a path");
});
