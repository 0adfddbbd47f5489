/**
 * @file The gate of a contribution: content with what stands, and not with the ways in which a contribution is not whole.
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { ROOT, read_tree } from "../../tools/codegen/file_system.ts";
import { derivative, gate, starters } from "../../tools/learn/node/gate.ts";
import { changedOperators } from "../../tools/learn/node/gate_added.ts";
import { compared, failureOf } from "../../tools/learn/node/gate_pytorch.ts";
import { runs } from "../../tools/learn/node/gate_runs.ts";
import { samplesOf } from "../../tools/learn/node/gate_samples.ts";
import { callsOperator } from "../../tools/learn/node/gate_tested.ts";
import { insert } from "../../tools/new_op/insert.ts";
import { knowledge, openOperatorsOf } from "../../tools/new_op/knowledge.ts";
import { planOf } from "../../tools/new_op/plan.ts";
import { baseOf, nameOf, type TheirOperator } from "../../tools/pytorch/operators.ts";
import { pytorchOperators } from "../../tools/pytorch/read.ts";

const texts = read_tree(ROOT);
const PATIENCE = 120_000;

function formsOf(base: string): readonly TheirOperator[] {
  return pytorchOperators().operators.filter((each) => baseOf(nameOf(each)) === base);
}

async function refused(operator: string, changed: ReadonlyMap<string, string>): Promise<Record<string, string>> {
  const answers = (await gate(operator, changed)) ?? [];
  return Object.fromEntries(answers.filter(({ wrong }) => wrong.length > 0).map(({ id, wrong }) => [id, wrong[0]]));
}

test(
  "an operator that stands passes, run included",
  async () => {
    const answers = (await gate("aten::exp", texts, false)) ?? [];
    expect(answers.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(answers.map(({ id }) => id).slice(-2)).toEqual(["22.runs", "22.explain"]);
  },
  PATIENCE,
);

test("there are operators to begin with", () => {
  expect(starters().length).toBeGreaterThan(0);
});

test(
  "what is only begun is refused step by step",
  async () => {
    const known = knowledge(texts);
    const has_docs = ({ base }: { base: string }): boolean =>
      planOf(base, known)?.steps.some(({ stub }) => stub?.file === "src/torch/_torch_docs.ts") === true;
    const operator = openOperatorsOf(texts)
      .filter(({ difficulty }) => difficulty <= 2)
      .find(has_docs)?.base as string;
    const begun = new Map(texts);
    for (const { stub } of planOf(operator, known)?.steps ?? [])
      if (stub !== null) begun.set(stub.file, insert(begun.get(stub.file) ?? null, stub));
    const wrong = await refused(operator, begun);
    expect(wrong["22.entries"]).toBeUndefined();
    expect(wrong["22.codegen"]).toContain("run npm run codegen");
    expect(wrong["22.kernels"]).toContain("is still the stub");
    expect(wrong["22.docs"]).toContain("is still the stub");
    expect(wrong["22.test"]).toContain(operator);
    expect(wrong["22.runs"]).toBeUndefined();
  },
  PATIENCE,
);

test(
  "a generated file that was edited, and an entry that is not PyTorch's",
  async () => {
    const yaml = "src/aten/native/native_functions.yaml";
    const schemas = "src/aten/generated/RegisterSchema.ts";
    const text = texts.get(yaml) as string;
    const entry = text.replace("- func: exp(Tensor self) -> Tensor", "- func: exp(Tensor input) -> Tensor");
    expect(entry).not.toBe(text);
    const edited = new Map(texts).set(yaml, entry).set(schemas, `${texts.get(schemas)}// by hand\n`);
    const wrong = await refused("exp", edited);
    expect(wrong["22.entries"]).toContain("exp(Tensor input)");
    expect(wrong["22.codegen"]).toBeDefined();
  },
  PATIENCE,
);

test(
  "a formula for a composite",
  async () => {
    const file = "tools/codegen/autograd/derivatives.yaml";
    const edited = `${texts.get(file)}\n- name: prelu(Tensor self, Tensor weight) -> Tensor\n  self: grad\n`;
    expect((await refused("prelu", new Map(texts).set(file, edited)))["22.derivative"]).toContain(
      "follows from its parts",
    );
  },
  PATIENCE,
);

test("arguments that PyTorch marks as not differentiable are marked here, for every operator that is built", () => {
  const bases = [
    ...new Set(
      pytorchOperators()
        .operators.filter((o) => o.non_differentiable)
        .map((o) => baseOf(nameOf(o))),
    ),
  ];
  const ours = new Set(knowledge(texts).ours);
  const built = bases.filter((base) => formsOf(base).every((each) => ours.has(nameOf(each))));
  expect(built.length).toBeGreaterThan(10);
  expect(built.flatMap((base) => derivative(base, formsOf(base), texts).wrong)).toEqual([]);
});

test("a mark that is missing, and one too many", () => {
  const file = "tools/codegen/autograd/derivatives.yaml";
  const text = texts.get(file) as string;
  const wrong = (base: string, changed: string): string =>
    derivative(base, formsOf(base), new Map(texts).set(file, changed)).wrong.join();
  const entry = /- name: isnan\(Tensor self\) -> Tensor\n {2}self: non_differentiable\n/;
  expect(text).toMatch(entry);
  expect(wrong("isnan", text.replace(entry, ""))).toContain("write 'self: non_differentiable'");
  expect(
    wrong(
      "isnan",
      text.replace(entry, (all) => all.replace("self: n", "self, other: n")),
    ),
  ).toContain("other is non_differentiable here");
  const exp = /- name: exp\(Tensor self\) -> Tensor\n {2}self: .*\n/;
  expect(text).toMatch(exp);
  expect(
    wrong(
      "exp",
      text.replace(exp, (all) => all.replace(/self: .*/, "self: non_differentiable")),
    ),
  ).toContain("PyTorch has a formula, and here is none");
});

test("a result that requires grad where PyTorch's does not", () => {
  const x = () => torch.tensor([1.5], { dtype: torch.float64 });
  const theirs = formsOf("exp").map(({ derivative: _, ...each }) => ({ ...each, non_differentiable: "self" }));
  const calls = [{ fn: (y: unknown) => torch.exp(y as never), args: () => [x()], kwargs: () => ({}) }];
  expect(runs("exp", theirs, { calls, from: "", guessed: false }, true).wrong.join()).toContain("marks self as");
});

test("a test that calls an operator, and one that only speaks of it", () => {
  const i1 = { module: "special", name: "i1" } as const;
  const calls = (text: string): boolean => callsOperator(text, "special_i1", i1);
  expect(calls("test('a', () => { torch.special.i1(x); });")).toBe(true);
  expect(calls("const { special } = torch; it.each([[1, special.i1]])('%s', (n, f) => f(n));")).toBe(true);
  expect(calls("const { i1 } = torch.special; i1(x);")).toBe(true);
  expect(calls("at.special_i1(x);")).toBe(true);
  expect(calls("for (const name of ['special_i1']) torch.ops.aten[name](x);")).toBe(true);
  expect(calls("torch.ops.get('aten::special_i1.out');")).toBe(true);
  expect(calls("test('special_i1', () => {});")).toBe(false);
  expect(calls("test.each([1])('special.i1', () => {});")).toBe(false);
  expect(calls("// torch.special.i1(x)\ntest('a', () => {});")).toBe(false);
  expect(calls("torch.special.i1e(x); other.i1(x);")).toBe(false);
  expect(callsOperator("test('exp', () => {});", "exp", { module: null, name: "exp" })).toBe(false);
  expect(
    callsOperator("test.each(['exp'])('%s', (name) => torch[name](x));", "exp", { module: null, name: "exp" }),
  ).toBe(true);
});

test(
  "a function of a module needs its public name and a docstring there",
  async () => {
    const file = "src/torch/special/index.ts";
    const text = texts.get(file) as string;
    const line = /\/\*\*[^\n]*\*\/\n(export const i1 = .*\n)/;
    expect(text).toMatch(line);
    const docs = async (changed: string): Promise<string | undefined> =>
      (await refused("special_i1", new Map(texts).set(file, changed)))["22.docs"];
    expect(await docs(text.replace(line, ""))).toContain(
      "torch.special.i1 is missing: write 'export const i1 = _special.special_i1;'",
    );
    expect(await docs(text.replace(line, "$1"))).toBe("it has no docstring");
    expect(await docs(text.replace(line, "export const i1: NotBuilt = 1;\n"))).toContain("not built");
  },
  PATIENCE,
);

test("a package that Python lacks is named, and no stack is shown", () => {
  expect(failureOf("record_calls.py", "Traceback ...\nModuleNotFoundError: No module named 'yaml'\n")).toContain(
    "pip install pyyaml",
  );
  expect(failureOf("record_calls.py", "Traceback ...\nValueError: no\n")).toBe(
    "tools/oracle/record_calls.py ended in an error: ValueError: no",
  );
});

test("what PyTorch has not", async () => {
  expect(await gate("no_such_operator")).toBeNull();
});

test("what could not be called has not passed", () => {
  const theirs = [{ func: "unmade(Tensor self, str mode) -> Tensor", line: 1 }];
  const { wrong } = runs("unmade", theirs, samplesOf("unmade", theirs, null), true);
  expect(wrong).toEqual(["not called: nothing here makes its argument mode, a str"]);
});

test("where there is no PyTorch, the answer says so and has not passed", () => {
  const { lacks, wrong } = compared("exp", formsOf("exp"), "no PyTorch 2.13.0 at python3");
  expect(lacks).toContain("not checked against PyTorch: no PyTorch 2.13.0 at python3");
  expect(wrong).toEqual([]);
  const asked = compared("exp", formsOf("exp"), { opinfo: [], calls: {} });
  expect(asked.wrong[0]).toContain("not called");
});

test("a view that is copied, and a gradient that is not one", () => {
  const x = () => torch.tensor([[1.5, 2.5]], { dtype: torch.float64 });
  const called = (fn: (x: unknown) => unknown) => ({
    calls: [{ fn, args: () => [x()], kwargs: () => ({}) }],
    from: "",
    guessed: false,
  });
  const copied = runs(
    "squeeze",
    formsOf("squeeze"),
    called((y) => torch.squeeze(y as never).clone()),
    true,
  );
  expect(copied.wrong.join()).toContain("it was copied");
  const halved = (y: unknown): unknown => torch.exp(y as never).mul((y as ReturnType<typeof x>).detach().mean());
  const wrong = runs("exp", formsOf("exp"), called(halved), true);
  expect(wrong.wrong.join()).toMatch(/the gradient: Jacobian mismatch/);
});

test("operators that a branch adds or changes", () => {
  const [one, two] = ["- func: exp(Tensor self) -> Tensor\n", "- func: erf_(Tensor(a!) self) -> Tensor(a!)\n"];
  expect(changedOperators(one, one + two)).toEqual(["erf"]);
  expect(changedOperators(one, `${one}  variants: method\n`)).toEqual(["exp"]);
  expect(changedOperators(one + two, one + two)).toEqual([]);
});
