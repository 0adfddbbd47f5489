/**
 * @file `npm run new-op`: what it writes is taken by codegen as it is, and it says where PyTorch has the same.
 */
import { expect, test } from "vitest";
import { ROOT, read_tree } from "../../tools/codegen/file_system.ts";
import { generate } from "../../tools/codegen/generate.ts";
import { insert } from "../../tools/new_op/insert.ts";
import { knowledge } from "../../tools/new_op/knowledge.ts";
import { entryText, type Plan, planOf } from "../../tools/new_op/plan.ts";
import { pytorchOperators } from "../../tools/pytorch/read.ts";

const texts = read_tree(ROOT);
const known = knowledge(texts);

/** Operators of every kind that are not here. */
function absent(wanted: (plan: Plan) => boolean, n: number): Plan[] {
  const found = new Map<string, Plan>();
  for (const { func, python_module } of pytorchOperators().operators) {
    const name = func.slice(0, func.indexOf("("));
    if (found.size === n) break;
    if (python_module !== undefined || /^_|[.]|_$/.test(name) || known.ours.has(name)) continue;
    const plan = planOf(name, known);
    if (plan !== null && plan.steps.length > 0 && wanted(plan)) found.set(plan.base, plan);
  }
  return [...found.values()];
}

/** No lists, names of dimensions, generators, or tuples. */
const plain = (plan: Plan): boolean =>
  plan.entries.every(({ func }) => !/\[|\?|Dimname|Generator|Layout|Storage|Stream|SymInt|str |-> \(/.test(func));

test("stubs of operators of every kind are taken by codegen", () => {
  const structured = absent((plan) => plain(plan) && plan.entries.some((e) => e.structured === true), 3);
  const composite = absent(
    (plan) => plain(plan) && plan.entries.every((e) => e.dispatch === undefined && e.structured_delegate === undefined),
    3,
  );
  const cpu = absent(
    (plan) => plain(plan) && plan.entries.some((e) => e.structured === undefined && e.dispatch?.["CPU"] !== undefined),
    3,
  );
  const plans = [...structured, ...composite, ...cpu];
  expect(plans.length).toBeGreaterThan(4); // there are fewer the more is built
  const tree = new Map(texts);
  for (const { steps } of plans)
    for (const { stub } of steps) if (stub !== null) tree.set(stub.file, insert(tree.get(stub.file) ?? null, stub));
  const { outputs } = generate(tree);
  const schemas = outputs.get("src/aten/generated/RegisterSchema.ts") as string;
  for (const { entries } of plans) for (const { func } of entries) expect(schemas).toContain(JSON.stringify(func));
}, 120_000);

test("an entry is PyTorch's, with the keys that exist here", () => {
  const atan2 = pytorchOperators().operators.find(({ func }) => func.startsWith("atan2.out("));
  expect(entryText(atan2 as NonNullable<typeof atan2>)).toBe(`
- func: atan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)
  device_check: NoCheck
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU: atan2_out
  tags: [core, pointwise]
`);
});

test("a function of torch.special gets its public name, in alphabetical order", () => {
  const operator = pytorchOperators().operators.find(
    ({ func, python_module }) =>
      python_module === "special" &&
      /^special_[a-z0-9_]+\(/.test(func) &&
      !known.ours.has(func.slice(0, func.indexOf("("))),
  );
  const base = operator?.func.slice(0, operator.func.indexOf("(")) as string;
  const step = planOf(base, known)?.steps.find(({ ours }) => ours === "src/torch/special/index.ts");
  expect(step?.what).toContain(`torch.special.${base.replace("special_", "")}`);
  const made = insert(
    texts.get("src/torch/special/index.ts") as string,
    step?.stub as NonNullable<typeof step>["stub"] & object,
  );
  expect(made).toContain(`export const ${base.replace("special_", "")} = _special.${base};`);
  const names = [...made.matchAll(/^export const (\w+) =/gm)].map(([, name]) => name as string);
  const name = base.replace("special_", "");
  expect((names[names.indexOf(name) + 1] as string) > name).toBe(true);
  expect(made.match(/^\/\*\*/gm)?.length).toBe(names.length + 1); // each has its docstring, and the file its header
});

test("each step names PyTorch's file", () => {
  const [plan] = absent((p) => p.entries.some((e) => e.structured === true), 1);
  for (const { pytorch } of plan.steps) expect(pytorch).toMatch(/^(?:aten|tools|torch|torchgen)\//);
});

test("what PyTorch has not, and what is here", () => {
  expect(planOf("aten::no_such_operator", known)).toBeNull();
  expect(planOf("prelu", known)?.steps).toEqual([]);
});

test("an operator without a gradient gets PyTorch's mark, and no formula to write", () => {
  const operator = pytorchOperators().operators.find(
    (each) =>
      each.non_differentiable !== undefined &&
      each.derivative === undefined &&
      planOf(each.func.split("(")[0], known) !== null,
  ) as NonNullable<ReturnType<typeof pytorchOperators>["operators"][number]>;
  const name = operator.func.slice(0, operator.func.indexOf("("));
  const plan = planOf(name, { ...known, ours: new Set() }) as Plan;
  const step = plan.steps.find(({ ours }) => ours.endsWith("derivatives.yaml"));
  expect(step?.stub?.text).toContain(`- name: ${operator.func}\n`);
  expect(step?.stub?.text).toContain(": non_differentiable\n");
  expect(step?.stub?.text).not.toContain("not_implemented");
  expect(step?.what).toContain("It is complete");
});

test("an operator with both kinds of arguments gets both kinds of lines", () => {
  const plan = planOf("embedding", { ...known, ours: new Set() }) as Plan;
  const text = plan.steps.find(({ ours }) => ours.endsWith("derivatives.yaml"))?.stub?.text ?? "";
  expect(text).toContain('  weight: not_implemented("embedding by weight")\n  indices: non_differentiable\n');
});

test("an operator is begun beside its like, whose files are listed", () => {
  const ours = new Set([...known.ours].filter((name) => !name.startsWith("special_i1.") && name !== "special_i1"));
  const { steps } = planOf("special_i1", { ...known, ours }) as Plan;
  expect(steps.find(({ what }) => what.startsWith("meta and impl"))?.ours).toBe("src/aten/native/UnaryOps/Special.ts");
  const like = steps.find(({ what }) => what.startsWith("compare with special_"));
  expect(like?.ours.split(", ")).toEqual(
    expect.arrayContaining(["src/aten/native/cpu/UnaryOpsKernel/Special.ts", "src/torch/special/index.ts"]),
  );
});
