/**
 * @file *Where is it?* for names of PyTorch's of every kind, built here or not. The names that readers of older articles come with stand
 * in test/fixtures/names/asked.txt; others are drawn from what is recorded of PyTorch.
 * @original
 */
import { readFileSync } from "node:fs";
import { symbolFile } from "glasstorch/trace";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT, read_tree } from "../../tools/codegen/file_system.ts";
import { codegen_symbols } from "../../tools/explain/codegen_symbols.ts";
import { type Answer, type FoundAnswer, Lookup } from "../../tools/explain/lookup.ts";
import { lookupIndex } from "../../tools/explain/lookup_index.ts";
import { paragraphs } from "../../tools/explain/paragraphs.ts";
import { TheirLookup } from "../../tools/explain/theirs.ts";
import { nameTables } from "../../tools/names.ts";
import type { NamesFile } from "../../tools/pytorch/names.ts";
import { baseOf, coverageOf, nameOf } from "../../tools/pytorch/operators.ts";
import { pytorchNames, pytorchOperators, theirIndex } from "../../tools/pytorch/read.ts";

const asked = readFileSync(new URL("../fixtures/names/asked.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

let lookup: Lookup;
let built: string[];
let names: NamesFile;

beforeAll(() => {
  const files = read_tree(ROOT);
  const yaml = files.get("src/aten/native/native_functions.yaml") ?? "";
  const schemas = [...yaml.matchAll(/^- func: (([^(]+)\(.*)$/gm)];
  built = schemas.map(([, , name]) => name);
  const operators = schemas.map(([, schema, name]) => ({
    name,
    schema,
    line: 1,
    base: baseOf(name),
    sentence: "",
    kernel: null,
  }));
  const symbols = [symbolFile(), codegen_symbols()];
  lookup = new Lookup(lookupIndex({ symbols, operators, files, paragraphs: paragraphs(ROOT) }), theirIndex());
  names = pytorchNames().file;
}, 120_000);

function found(name: string): FoundAnswer {
  const answer: Answer = lookup.answer(name);
  if (answer.what === "nothing" || answer.what === "trace") throw new Error(`${name}: ${answer.what}`);
  return answer;
}

/** The best part of an answer, in a few words. */
function first(name: string): string {
  const answer = found(name);
  switch (answer.what) {
    case "operators":
      return answer.operators[0].name;
    case "unbuilt":
      return `${answer.unbuilt[0].name} not built: ${answer.unbuilt[0].kernels[0]?.paths[0]}`;
    case "symbols":
      return `${answer.symbols[0].symbol} ${answer.symbols[0].ours.file}`;
    case "theirs":
      return `${answer.theirs[0].symbol} ${answer.theirs[0].paths[0]}`;
    case "files":
      return answer.files[0].path;
    case "paragraphs":
      return answer.paragraphs[0].route;
    case "word":
      return answer.word;
  }
}

/** As a template writes it. */
function placeholder(name: string): string {
  return `\${${name}}`;
}

/** Every n-th of a list, so that other names are asked than somebody thought of. */
function sample<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(list.length / count));
  return list.filter((_, i) => i % step === Math.floor(step / 2));
}

function cpp(kind: string): { name: string; scope: string; path: string }[] {
  return Object.entries(names.cpp).flatMap(([path, rows]) =>
    path === ""
      ? []
      : rows
          .filter((row) => row[1] === kind)
          .flatMap(([scope, , all]) => all.split(" ").map((name) => ({ name, scope, path }))),
  );
}

test("every name that an article's reader comes with has an answer", () => {
  expect(asked.length).toBe(164);
  expect(asked.filter((name) => lookup.answer(name).what === "nothing")).toEqual([]);
});

test.each([
  ["torch.Tensor", "torch._tensor.Tensor src/torch/_tensor/index.ts"],
  ["at::add", "at::add src/aten/generated/Functions_"],
  ["torch.load", "torch.serialization.load src/torch/serialization/index.ts"],
  ["torch.jit.trace", "torch.jit._trace.trace src/torch/jit/_trace"],
  ["Type", "/then-and-now/#the-type-hierarchy"],
  ["Variable", "/then-and-now/#variable"],
  ["m.fallback", "torch::Library::fallback src/aten/core/library.ts"],
  ["m.def", "torch::Library::def src/aten/core/library.ts"],
  [
    "create_python_bindings",
    "tools.autograd.gen_python_functions.create_python_bindings tools/autograd/gen_python_functions.py",
  ],
  ["fm.write_with_template", "torchgen.utils.FileManager.write_with_template torchgen/utils.py"],
  ["linalg_eig", "linalg_eig not built: aten/src/ATen/native/BatchLinearAlgebra.cpp"],
  ["aten::add.Tensor", "add.Tensor"],
  ["key_set_", "c10::"],
  ["next_edges_", "torch::autograd::Node::next_edges_ torch/csrc/autograd/node.h"],
  ["TORCH_LIBRARY", "TORCH_LIBRARY src/aten/core/library.ts"],
  [placeholder("py_method_defs"), `${placeholder("py_method_defs")} tools/autograd/templates/python_`],
  ["CPUFloatType", "/then-and-now/#the-type-hierarchy"],
  ["CUDAHalfType", "/then-and-now/#the-type-hierarchy"],
  ["THCTensor", "/then-and-now/#th-thc-thnn"],
  ["stub.c", "torch/csrc/stub.c"],
  ["torch/csrc/autograd/engine.cpp", "torch/csrc/autograd/engine.cpp"],
  ["grad_fn", "/glossary/#node"],
  ["CompositeImplicitAutograd", "/glossary/#composite"],
  ["result:", "/glossary/#forward-mode"],
  ["`auto_linear`", "/glossary/#forward-mode"],
  ["parallel_for", "/glossary/#parallel_for"],
  ["at::parallel_for", "/glossary/#parallel_for"],
  ["grain size", "/glossary/#parallel_for"],
  ["setuptools", "/building/#"],
  ["build_ext", "/building/#"],
  ["torch._lazy", "torch._lazy torch/_lazy/__init__.py"],
  ["nn.BatchNorm2d", "torch.nn.modules.batchnorm.BatchNorm2d src/torch/nn/modules/batchnorm/index.ts"],
  ["nn.Conv2d", "torch.nn.modules.conv.Conv2d src/torch/nn/modules/conv/index.ts"],
])("%s", (name, begins) => {
  expect(first(name).slice(0, begins.length)).toBe(begins);
});

describe("drawn from PyTorch's own names", () => {
  test("all operators of native_functions.yaml, with schema and place", () => {
    const all = pytorchOperators().operators;
    expect(all.length).toBe(2584);
    const ours = new Set(built);
    for (const operator of all) {
      const name = nameOf(operator);
      const answer = found(`aten::${name}`);
      if (ours.has(name)) expect([name, answer.what]).toEqual([name, "operators"]);
      else expect([name, answer.unbuilt[0]?.schema]).toEqual([name, operator.func]);
    }
  });

  test("PyTorch's file for the kernels that the CPU's library holds", () => {
    // Of all operators: those that are still to be built are no fair sample.
    const theirs = new TheirLookup(theirIndex(), symbolFile(), {});
    const kernels = sample(pytorchOperators().operators, 300)
      .flatMap((o) => theirs.operatorsNamed(nameOf(o)).flatMap((answer) => answer.kernels))
      .filter((k) => /(?:^|, )(?:CPU|Composite\w+)(?:,|$)/.test(k.keys));
    const known = kernels.filter((k) => k.paths.length > 0);
    expect(kernels.length).toBeGreaterThan(100);
    expect(known.length / kernels.length).toBeGreaterThan(0.85); // the others lie where two files meet, or are generated
  });

  test.each(["class", "member", "macro", "function"])("C++: %s", (kind) => {
    for (const { name, scope, path } of sample(cpp(kind), 150)) {
      const written = scope === "" ? name : `${scope}::${name}`;
      const { theirs, symbols, unbuilt } = found(written);
      const places = [...theirs.flatMap((t) => t.paths), ...symbols.map((s) => s.mirrors), ...unbuilt.map(() => path)];
      expect([written, places.includes(path) || theirs.length + symbols.length > 0]).toEqual([written, true]);
    }
  });

  test("Python's functions and classes", () => {
    const all = Object.entries(names.python).flatMap(([path, rows]) =>
      rows.flatMap(([scope, list]) => list.split(" ").map((name) => ({ path, name, scope }))),
    );
    for (const { path, name } of sample(all, 150)) {
      const answer = found(name);
      const everything = answer.theirs.flatMap((t) => t.paths);
      expect([name, answer.what === "operators" || everything.includes(path)]).toEqual([name, true]);
    }
  });

  test("files and placeholders", () => {
    for (const path of sample([...pytorchNames().paths()], 200)) expect([path, first(path)]).toEqual([path, path]);
    for (const list of Object.values(names.placeholders))
      for (const name of list.split(" ")) expect(found(`\${${name}}`).theirs[0]?.symbol).toBe(`\${${name}}`);
  });
});

test("frames of an operator that is not built lead to PyTorch's file", () => {
  const trace = [
    "#0 at::native::linalg_eig(at::Tensor const&, at::Tensor const&) from ??:0",
    "#1 at::(anonymous namespace)::(anonymous namespace)::wrapper_CPU__linalg_eig(at::Tensor const&) from RegisterCPU_0.cpp:0",
    "#2 at::_ops::linalg_eig::call(at::Tensor const&) from ??:0",
    "#3 torch::autograd::THPVariable_linalg_eig(_object*, _object*, _object*) from python_torch_functions_0.cpp:0",
    "#4 torch::autograd::VariableType::(anonymous namespace)::linalg_eig(c10::DispatchKeySet) from VariableType_0.cpp:0",
  ].join("\n");
  const answer = lookup.answer(trace);
  if (answer.what !== "trace") throw new Error(answer.what);
  expect(answer.lines.map((line) => line.theirs?.paths[0])).toEqual([
    "aten/src/ATen/native/BatchLinearAlgebra.cpp",
    "aten/src/ATen/templates/RegisterDispatchKey.cpp",
    expect.stringMatching(/^aten\/src\/ATen\/templates\/Operators\./),
    expect.stringMatching(/^tools\/autograd\/templates\/python_/),
    expect.stringMatching(/^tools\/autograd\/templates\/VariableType\./),
  ]);
});

test("coverage counts entries and names", () => {
  const { entries, names: bases } = coverageOf(pytorchOperators(), built);
  expect(entries.all).toBe(2584);
  expect(bases.all).toBe(1348);
  expect(entries.built).toBe(
    built.filter((name) => pytorchOperators().operators.some((o) => nameOf(o) === name)).length,
  );
  expect(bases.built).toBeLessThanOrEqual(entries.built);
});

test("the tables of names are what the record and the sources make of them", () => {
  for (const [path, text] of nameTables())
    expect(readFileSync(`${ROOT}/${path}`, "utf8") === text ? path : `${path} is stale`).toBe(path);
}, 120_000);
