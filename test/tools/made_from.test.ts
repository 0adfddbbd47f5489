/**
 * @file Everything made from a YAML entry: the pieces found are those that cite it, each at the line that declares it, and nothing
 * that was made for an operator is without a citation.
 * @original
 */

import { allSymbols } from "glasstorch/trace";
import { expect, test } from "vitest";
import { ROOT, read_tree } from "../../tools/codegen/file_system.ts";
import { MadeFrom, type Piece } from "../../tools/explain/made_from.ts";
import { LISTS, YamlEntries } from "../../tools/explain/yaml_entries.ts";

const files = read_tree(ROOT);
const made = new MadeFrom(files, allSymbols());
const generated = [...files].filter(([path]) => /^src\/.*\/generated\/.*\.ts$/.test(path));
const split = new Map<string, readonly string[]>();
function linesOf(path: string): readonly string[] {
  const lines = split.get(path) ?? (files.get(path) as string).split("\n");
  split.set(path, lines);
  return lines;
}

/** Path and line of every citation of an entry, found by nothing but its name. */
function citations(entry: string): string[] {
  const cited = new RegExp(`${entry.replaceAll(".", "\\.")}(?![\\w.])`);
  return generated.flatMap(([path, text]) =>
    text.split("\n").flatMap((line, i) => (cited.test(line) ? [`${path}:${i + 1}`] : [])),
  );
}

/** Does the piece hold the cited line, or stand right below it? */
function holds(piece: Piece, citation: string): boolean {
  const [path, line] = citation.split(":");
  if (path !== piece.file) return false;
  const first = piece.line - lineIn(piece);
  return Number(line) >= first - 1 && Number(line) < first + piece.text.split("\n").length;
}

/** Lines of its text above its declaration. */
function lineIn(piece: Piece): number {
  const declared = linesOf(piece.file)[piece.line - 1].trim();
  return piece.text.split("\n").findIndex((line) => line.trim() === declared);
}

test.each([
  ["native_functions.yaml#exp", "functional, structured"],
  ["native_functions.yaml#exp.out", "out"],
  ["native_functions.yaml#exp_", "in-place"],
  ["native_functions.yaml#view", "a view"],
  ["native_functions.yaml#zeros", "a factory"],
  ["native_functions.yaml#zero_", "with operators that autogen adds"],
  ["native_functions.yaml#prelu", "composite"],
  ["native_functions.yaml#add.out", "with a scalar function"],
  ["native_functions.yaml#max.dim", "results with names"],
  ["derivatives.yaml#exp", "a formula"],
  ["deprecated.yaml#add", "a signature kept for old code"],
])("the pieces of %s (%s) are what cites it", (entry) => {
  const pieces = made.of(entry);
  const cited = citations(entry);
  expect(cited.length).toBeGreaterThan(1);
  expect(cited.filter((c) => !pieces.some((p) => holds(p, c)))).toEqual([]);
  expect(pieces.filter((p) => !cited.some((c) => holds(p, c)))).toEqual([]);
});

test("every piece is at the line that declares or registers it, and its entry exists", () => {
  const entries = new YamlEntries(files);
  const wrong: string[] = [];
  for (const list of Object.keys(LISTS))
    for (const name of entries.all(list).keys())
      for (const p of made.of(`${list}#${name}`)) {
        const line = linesOf(p.file)[p.line - 1];
        if (!line.includes(p.name) || lineIn(p) === -1) wrong.push(`${p.name} ${p.file}:${p.line}`);
      }
  expect(wrong).toEqual([]);
  const cited = new Set(generated.flatMap(([, text]) => text.match(/\w+\.yaml#[\w.]+/g) ?? []));
  expect([...cited].filter((entry) => entries.find(entry) === null)).toEqual([]);
});

test("an operator's pieces stand in the order in which a call meets them", () => {
  expect(made.ofOperator("exp").map((p) => `${p.layer}: ${p.role}`)).toEqual([
    "front end: type of the function",
    "front end: type of the method",
    "binding: binding of the function",
    "binding: binding of the method",
    "C++ API: the C++ function",
    "C++ API: the C++ method",
    "dispatcher: its schema",
    "dispatcher: call and redispatch",
    "autograd: kernel for Autograd",
    "autograd: registered for Autograd",
    "autograd: node of the backward graph",
    "native: its operator objects, one a form",
    "native: kernel for CPU",
    "native: registered for CPU",
    "native: its operator objects, one a form",
    "native: kernel for Meta",
    "native: registered for Meta",
    "native: its operator objects, one a form",
    "native: kernel for PrivateUse1",
    "native: registered for PrivateUse1",
    "native: its operator objects, one a form",
    "native: one kernel for every backend",
    "native: registered for CompositeExplicitAutogradNonFunctional",
    "native: registered for Lazy",
    "native: kernel that makes a lazy node",
    "native: node of a lazy graph",
  ]);
});

/** Generated text that belongs to no operator: tables of all operators, helpers of a file, loops made from scalar functions. */
const NO_OPERATORS: readonly (readonly [path: RegExp, name: RegExp])[] = [
  [/\/native\/(?:cpu\/(?:vec\/)?|ufunc\/)?generated\//, /./],
  [/\/webgpu\/generated\/(?:\w+\/)?\w+\.wgsl\.ts$/, /./],
  [/\/CompositeViewCopyKernels_\d+\.ts$/, /^(?:clone_arg|for_each_pair|copy_arg|resize_out_helper|can_view)$/],
  [/\/Register\w+\.ts$/, /^(?:create_out|after_backend_select)$/],
  [/\/TensorBody\.ts$/, /^Tensor$/],
  [
    /\/_C\/generated\//,
    /^(?:TensorBaseMethods|VariableFunctions|NNFunctions|FFTFunctions|LinalgFunctions|SpecialFunctions)$/,
  ],
  [/\/autograd\/generated\/Functions_\d+\.ts$/, /^NOT_SAVED$/],
  [/\/python_enum_tag\.ts$/, /^(?:Tag|tags_of_names)$/],
  [/\/absent_names\.ts$/, /^(?:OWNERS|absent_names)$/], // made from the installed PyTorch
  [
    /(python\/Lib\/generated\/sources|_bodies\/generated\/sources|_internal\/generated\/sources|polyfills\/generated\/sources|torch\/generated\/python_sources)\.ts$/,
    /^SOURCES$/,
  ], // Python texts
  [/\/RegisterLazy\.ts$/, /^RegisterTorchScriptLazyNativeFunctions$/],
  [/torch\/generated\/absent_modules\.ts$/, /^ABSENT_(?:IN_)?MODULES$/], // recorded from PyTorch
  [/torch\/generated\/python_names\.ts$/, /^(NAMES|BASES|PACKAGES|PYTHON_METHODS)$/], // recorded from PyTorch
  [/fx\/generated\/qualified_names\.ts$/, /_NAMES$/], // recorded from PyTorch
  [/_dynamo\/generated\/graph_break_registry\.ts$/, /^GRAPH_BREAK_IDS$/], // recorded from PyTorch
  [/jit\/runtime\/generated\/(overload_order|prim_ops)\.ts$/, /^\w+$/], // recorded from PyTorch
  [/\/python_return_types\.ts$/, /^initReturnTypes$/],
  [/\/python_nn_functions\.ts$/, /^(?:THPNNVariableFunctionsModule|nn_functions|initNNFunctions)$/],
  [/\/python_fft_functions\.ts$/, /^(?:THPFFTVariableFunctionsModule|fft_functions|initFFTFunctions)$/],
  [/\/python_linalg_functions\.ts$/, /^(?:THPLinalgVariableFunctionsModule|linalg_functions|initLinalgFunctions)$/],
  [/\/python_special_functions\.ts$/, /^(?:THPSpecialVariableFunctionsModule|special_functions|initSpecialFunctions)$/],
  [/\/python_torch_functions(?:_\d+)?\.ts$/, /^(?:torch_functions|gatherTorchFunctions)$/],
  [/\/TraceType\.ts$/, /^register$/],
  [/\/python_variable_methods(?:_\d+)?\.ts$/, /^variable_methods$/],
];

test("everything else that is declared there was made from an entry, and cites it", () => {
  const covered = new Map<string, Set<number>>();
  for (const [, text] of generated)
    for (const entry of new Set(text.match(/\w+\.yaml#[\w.]+/g)))
      for (const p of made.of(entry)) {
        const lines = covered.get(p.file) ?? new Set();
        const first = p.line - lineIn(p);
        for (const i of p.text.split("\n").keys()) lines.add(first + i);
        covered.set(p.file, lines);
      }
  const uncited: string[] = [];
  for (const [path, text] of generated)
    text.split("\n").forEach((line, i) => {
      const name = /^(?:export )?(?:abstract )?(?:function|class|const|interface) (\w+)/.exec(line)?.[1];
      if (name === undefined || covered.get(path)?.has(i + 1)) return;
      if (!NO_OPERATORS.some(([file, known]) => file.test(path) && known.test(name)))
        uncited.push(`${path}:${i + 1} ${name}`);
    });
  expect(uncited).toEqual([]);
});
