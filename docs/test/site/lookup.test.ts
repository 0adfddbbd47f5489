/**
 * @file The box of /lookup: real traces, single words, calls.
 * @original
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { name_of } from "../../../tools/codegen/module_path.ts";
import { type Answer, answerOf, folded, Lookup, type LookupIndex } from "../../../tools/explain/lookup.ts";
import { makeContext } from "../../site/context.ts";
import { lookupIndex } from "../../site/lookup_index.ts";
import { fileText } from "../../site/repository.ts";

let lookup: Lookup;
let traces: Record<string, string>;

beforeAll(async () => {
  const context = makeContext();
  let text = "";
  await lookupIndex({
    ...context,
    write: (path, body) => void (path.endsWith("lookup.json") && (text = String(body))),
  });
  // As a page reads it: through JSON.
  lookup = new Lookup(JSON.parse(text) as LookupIndex);
  const packed = readFileSync(join(context.root, "test/fixtures/stacks/traces.json.gz"));
  traces = (JSON.parse(gunzipSync(packed).toString()) as { traces: Record<string, string> }).traces;
}, 120_000);

const linesOf = (answer: Answer) => {
  if (answer.what !== "trace") throw new Error(`expected a trace, got ${answer.what}`);
  return answer.lines;
};
const placeOf = (query: string): string | undefined => {
  const answer = lookup.answer(query);
  return answer.what === "symbols"
    ? answer.symbols[0]?.ours.file
    : answer.what === "operators"
      ? "operators"
      : undefined;
};

test("every line of PyTorch's own traces is explained", () => {
  for (const [name, text] of Object.entries(traces)) {
    const lines = linesOf(lookup.answer(text));
    const dumb = lines.filter(
      ({ line, found, kind }) =>
        found === null && (kind === "" || (/^\s*#\d+/.test(line.text) && kind.startsWith("no f"))),
    );
    expect([name, dumb.map((l) => l.line.text)]).toEqual([name, []]);
  }
});

test("frames of the engine lead to our lines", () => {
  for (const [name, text] of Object.entries(traces)) {
    const lines = linesOf(lookup.answer(text)).filter(({ line }) =>
      /^(at::(_ops|native|meta|\()|torch::autograd::(VariableType|generated|THPVariable))/.test(line.symbol ?? ""),
    );
    const lost = lines.filter(({ found }) => found === null);
    expect([name, lost.map((l) => l.line.text)]).toEqual([name, []]);
    for (const { found } of lines) {
      const { file, line } = (found as NonNullable<typeof found>).ours;
      expect(fileText(file)?.split("\n").length).toBeGreaterThanOrEqual(line);
    }
  }
});

test("gdb in prelu's kernel, frame by frame", () => {
  const lines = linesOf(lookup.answer(traces["gdb"])).slice(0, 10);
  expect(
    lines.map(({ found }) =>
      found === null || found === undefined ? found : name_of(found.ours.file).replace(/_\d+\.ts$/, ".ts"),
    ),
  ).toEqual([
    "Activation/index.ts",
    "RegisterCPU.ts",
    "Operators.ts",
    "VariableType.ts",
    "VariableType.ts",
    "Operators.ts",
    "Activation/index.ts",
    "RegisterCompositeImplicitAutograd.ts",
    "Operators.ts",
    "python_torch_functions.ts",
  ]);
});

test("a generated frame says who generated it, and from which line", () => {
  const [, wrapper] = linesOf(lookup.answer(traces["gdb"]));
  expect(wrapper?.found?.generator).toBe("src/aten/templates/RegisterDispatchKey.ts.tmpl");
  expect(wrapper?.found?.from?.entry).toBe("native_functions.yaml#_prelu_kernel");
  expect(wrapper?.found?.from?.file).toBe("src/aten/native/native_functions.yaml");
  expect(
    fileText("src/aten/native/native_functions.yaml")?.split("\n")[(wrapper?.found?.from?.line ?? 0) - 1],
  ).toContain("- func: _prelu_kernel(");
  expect(wrapper?.found?.mirrors).toBe("aten/src/ATen/templates/RegisterDispatchKey.cpp");
});

test("names are taken out of a sentence", () => {
  const taken = (question: string): string | undefined => {
    const answer = lookup.answer(question);
    return "taken" in answer ? answer.taken : undefined;
  };
  expect(taken("where is layer_norm's kernel")).toBe("layer_norm");
  expect(taken("Where is layer_norm?")).toBe("layer_norm");
  expect(taken("what does conv2d do?")).toBe("conv2d");
  expect(taken("flash attention")).toContain("flash_attention");
  expect(taken("how does at::native::prelu work")).toBe("at::native::prelu");
  // A name is no sentence, and a sentence without a name has no answer.
  expect(taken("layer_norm")).toBeUndefined();
  expect(lookup.answer("where is it").what).toBe("nothing");
});

test("in a trace the interpreter's frames are one entry, and the innermost kernel is the answer", () => {
  for (const text of Object.values(traces)) {
    const lines = linesOf(lookup.answer(text));
    const folds = folded(lines);
    expect(folds.flatMap((fold) => fold.lines)).toEqual(lines);
    for (const { lines, what } of folds) {
      if (what === null) expect(lines.length).toBe(1);
      else for (const line of lines) expect([line.found, line.theirs]).toEqual([null, null]);
    }
    expect(
      folds.some(
        ({ lines }, i) =>
          lines[0]?.kind.startsWith("the Python interpreter") &&
          folds[i + 1]?.lines[0]?.kind.startsWith("the Python interpreter"),
      ),
    ).toBe(false);
  }
  const answer = answerOf(linesOf(lookup.answer(traces["gdb"] as string)));
  expect(answer?.found?.ours.file).toMatch(/^src\/aten\/native\//);
  expect(answerOf([])).toBeNull();
});

test("a binding says whether a person or codegen wrote it; a class is no function", () => {
  const kindOf = (name: string): string | undefined => {
    const answer = lookup.answer(name);
    return "symbols" in answer ? answer.symbols[0]?.kind : undefined;
  };
  expect(kindOf("THPVariable_add")).toContain("made from native_functions.yaml");
  expect(kindOf("THPVariable_tensor")).toContain("written by hand");
  expect(kindOf("THPVariable_initModule")).toContain("written by hand");
  expect(kindOf("at::Tensor")).toBe("a class of C++");
});

test("Python's traceback lines too", () => {
  const lines = linesOf(
    lookup.answer(
      [
        "Traceback (most recent call last):",
        '  File "train.py", line 3, in <module>',
        '  File "/usr/lib/python3/site-packages/torch/nn/modules/module.py", line 1778, in _wrapped_call_impl',
        '  File "/usr/lib/python3/site-packages/torch/nn/functional.py", line 1700, in relu',
        '  File "/usr/lib/python3/site-packages/torch/distributed/distributed_c10d.py", line 1, in _fn',
      ].join("\n"),
    ),
  );
  expect(lines[1]?.kind).toBe("your code");
  expect(lines[2]?.found?.ours.file).toBe("src/torch/nn/modules/module/call.ts");
  expect(lines[3]?.found?.ours.file).toBe("src/torch/nn/functional/index.ts");
  expect(lines[4]?.kind).toContain("not built here");
});

test("lldb's form", () => {
  const [line] = linesOf(
    lookup.answer(
      "frame #3: 0x000000010a libtorch_cpu.dylib`at::native::_prelu_kernel(at::Tensor const&, at::Tensor const&) + 12",
    ),
  );
  expect(line?.found?.ours.file).toBe("src/aten/native/Activation/index.ts");
});

test("single words", () => {
  expect(placeOf("prelu")).toBe("operators");
  expect(placeOf("torch.add(x, y)")).toBe("operators");
  expect(placeOf("aten::add.out")).toBe("operators");
  expect(placeOf("THPVariable_add")).toMatch(/\/python_torch_functions_\d+\.ts$/);
  expect(placeOf("wrapper_CPU__view")).toMatch(/^src\/aten\/generated\/RegisterCPU_\d+\.ts$/);
  expect(placeOf("AddBackward0")).toMatch(/autograd\/generated\/Functions_\d+\.ts$/);
  expect(placeOf("structured_mul_out")).toBe("src/aten/native/BinaryOps/index.ts");
  expect(placeOf("at::_ops::view::redispatch")).toMatch(/^src\/aten\/generated\/Operators_\d+\.ts$/);
  expect(placeOf("VariableType::add_Tensor")).toMatch(/\/VariableType_\d+\.ts$/);
  expect(placeOf("nn.PReLU")).toBe("src/torch/nn/modules/activation/index.ts");
  expect(placeOf("void at::native::_prelu_kernel(at::Tensor const&)")).toBe("src/aten/native/Activation/index.ts");
});

test("an unknown word gets the nearest", () => {
  const answer = lookup.answer("prelux");
  expect(answer).toEqual({ what: "nothing", near: expect.arrayContaining(["prelu"]) });
  expect(lookup.suggest("preluu_kernle")).toContain("prelu_kernel");
  expect(lookup.suggest("prel")[0]).toBe("prelu");
  expect(lookup.suggest("at::native::_prelu")).toContain("at::native::_prelu_kernel");
});

test("the words of a compiler lead to the pages of TorchScript, torch.compile and the transforms", () => {
  const routes = (word: string): string[] => {
    const answer = lookup.answer(word) as { readonly paragraphs?: readonly { readonly route: string }[] };
    return (answer.paragraphs ?? []).map(({ route }) => route);
  };
  for (const [word, route] of [
    ["script", "/walkthroughs/script/"],
    ["parse", "/walkthroughs/script/#1-parse"],
    ["check", "/walkthroughs/script/#2-check"],
    ["optimize", "/walkthroughs/script/#4-optimize"],
    ["translate", "/walkthroughs/script/#5-translate"],
    ["execute", "/walkthroughs/script/#6-execute"],
    ["interpreter", "/walkthroughs/script/#6-execute"],
    ["graph executor", "/walkthroughs/executor/"],
    ["jit.trace", "/walkthroughs/jit-trace/"],
    ["archive", "/walkthroughs/archive/"],
    ["inference", "/walkthroughs/inference/"],
    ["TorchScript", "/then-and-now/#torchscript"],
    ["Dynamo", "/walkthroughs/dynamo/"],
    ["torch.compile", "/walkthroughs/dynamo/"],
    ["graph break", "/walkthroughs/dynamo/#5-a-graph-break"],
    ["resume function", "/walkthroughs/dynamo/#5-a-graph-break"],
    ["guard", "/walkthroughs/guards/"],
    ["recompilation", "/walkthroughs/guards/#2-the-first-guard-that-fails-is-the-reason"],
    ["TORCH_LOGS", "/walkthroughs/guards/#9-reading-the-messages"],
    ["Inductor", "/walkthroughs/inductor/"],
    ["fusion", "/walkthroughs/inductor/#1-what-fusion-saves"],
    ["captures", "/walkthroughs/seven-captures/"],
    ["vmap", "/walkthroughs/vmap-grad/"],
    ["batching rule", "/walkthroughs/vmap-grad/#5-a-rule-for-each-operator"],
    ["forward mode", "/walkthroughs/forward-mode/"],
    ["dual tensor", "/walkthroughs/forward-mode/#1-a-dual-tensor"],
  ] as const)
    expect([word, routes(word)]).toEqual([word, expect.arrayContaining([route])]);
});
