import { expect, test } from "vitest";
import { load_derivatives, used_gradient_indices } from "../../../../tools/codegen/autograd/load_derivatives.ts";
import { create_op_prefix } from "../../../../tools/codegen/autograd/node_names.ts";
import { FunctionSchema } from "../../../../tools/codegen/function_schema.ts";
import type { NativeFunction } from "../../../../tools/codegen/model.ts";
import { autograd_codegen } from "./generated.ts";

const MY = "my_op(Tensor self, Tensor other, int dim, int[] sizes) -> Tensor";
const NATIVE = `
- func: ${MY}
  dispatch:
    CPU: my_op
- func: my_pair(Tensor self) -> (Tensor a, Tensor b)
  dispatch:
    CPU: my_pair
- func: my_composite(Tensor self) -> Tensor
`;

/** The message of the error that an entry raises. */
function refusal(entry: string): string {
  try {
    autograd_codegen({ native: NATIVE, derivatives: entry });
  } catch (error) {
    return (error as Error).message;
  }
  return "accepted";
}

test("node names: camel case, and a forward half names the whole", () => {
  expect(create_op_prefix("_prelu_kernel")).toBe("PreluKernelBackward");
  expect(create_op_prefix("nll_loss_forward")).toBe("NllLossBackward");
  expect(create_op_prefix("max_pool2d_with_indices")).toBe("MaxPool2DWithIndicesBackward");
});

test("grads[i] counts, grads alone does not", () => {
  expect(used_gradient_indices("f(grads[0], grads[12], mygrads[3], grads)")).toEqual([0, 12]);
});

test("an error names file, line, field and the way out", () => {
  const message = refusal(`- name: ${MY}\n  self: grad * othr\n`);
  expect(message).toMatch(
    /^tools\/codegen\/autograd\/derivatives\.yaml:\d+: self: in 'grad \* othr': unknown name 'othr'\n {2}way out: names in scope: grad/,
  );
});

test.each([
  [
    "unknown operator",
    "- name: nothing(Tensor self) -> Tensor\n  self: grad",
    "name: no operator with the schema 'nothing(Tensor self) -> Tensor'",
  ],
  ["another schema of a known operator", "- name: my_op(Tensor self) -> Tensor\n  self: grad", `there is ${MY}`],
  ["no name", "- self: grad", "name: missing"],
  ["unknown input", `- name: ${MY}\n  slef: grad`, "'my_op' has no argument 'slef'"],
  ["an input that is no tensor", `- name: ${MY}\n  dim: grad`, "'dim' is not a tensor"],
  ["unknown helper", `- name: ${MY}\n  self: my_backward(grad)`, "no function 'my_backward'"],
  [
    "a name with its overload",
    `- name: ${MY}\n  self: grad.mul_Tensor(other)`,
    "write .mul(...) as PyTorch does: the overload follows from the arguments",
  ],
  ["no expression", `- name: ${MY}\n  self: 'return grad'`, "'grad' (at ' grad') where the end is expected"],
  ["TypeScript", `- name: ${MY}\n  self: '(() => grad)()'`, "')' (at ') => grad)()') where a value is expected"],
  ["grads beyond the outputs", `- name: ${MY}\n  self: f(grads[1])`, "grads[1], but 'my_op' has 1 outputs"],
  [
    "grad beside grads",
    "- name: my_pair(Tensor self) -> (Tensor a, Tensor b)\n  self: grad + grads[1]",
    "mixes 'grad' and 'grads'",
  ],
  [
    "grads[0] alone",
    "- name: my_pair(Tensor self) -> (Tensor a, Tensor b)\n  self: grads[0]",
    "write 'grad' if only the first output",
  ],
  [
    "differentiable and not",
    `- name: ${MY}\n  self: grad\n  self, other: non_differentiable`,
    "both differentiable and non_differentiable",
  ],
  ["a formula for a composite", "- name: my_composite(Tensor self) -> Tensor\n  self: grad", "no kernel of its own"],
  ["a second entry", "- name: neg(Tensor self) -> Tensor\n  self: grad", "second entry for 'neg'"],
  [
    "wrong length of output_differentiability",
    "- name: my_pair(Tensor self) -> (Tensor a, Tensor b)\n  output_differentiability: [True]\n  self: grad",
    "1 values for 2 outputs",
  ],
  [
    "nothing differentiable left",
    "- name: my_pair(Tensor self) -> (Tensor a, Tensor b)\n  output_differentiability: [False, False]\n  self: grad",
    "would be ignored",
  ],
  [
    "an unknown key",
    `- name: ${MY}\n  dispatch:\n    AutogradToaster:\n      self: grad`,
    "'AutogradToaster' is not an autograd key",
  ],
  [
    "a number that is taken",
    "- name: neg_(Tensor(a!) self) -> Tensor(a!)\n  op_number: 0\n  self: grad.neg()",
    "0 where 1 comes next",
  ],
  ["broken YAML", `- name: ${MY}\n  self: "grad`, "yaml:"],
])("%s", (_, entry, message) => {
  expect(refusal(entry)).toContain(message);
});

test("entries that share a name are counted in the order of the file, op_number leaves gaps", () => {
  const functions = ["f.a(Tensor self) -> Tensor", "f.b(Tensor self) -> Tensor", "f.c(Tensor self) -> Tensor"].map(
    (line) => ({ func: FunctionSchema.parse(line), is_abstract: true, tags: new Set() }) as unknown as NativeFunction,
  );
  const yaml = functions
    .map(({ func }) => `- name: ${func}\n  self: grad${String(func).startsWith("f.b") ? "\n  op_number: 3" : ""}`)
    .join("\n");
  const { infos } = load_derivatives("d.yaml", yaml, functions);
  expect([...infos.values()].map((i) => i.get("Default")?.op)).toEqual(["FBackward0", "FBackward3", "FBackward4"]);
});

test("a copy of a view has the view's formula, and a node of its own", () => {
  const lines = [
    ["part.int(Tensor(a) self, int dim) -> Tensor(a)", false],
    ["part_copy.int(Tensor self, int dim) -> Tensor", true],
    ["part_copy.other(Tensor self, int dim) -> Tensor", true],
  ] as const;
  const functions = lines.map(([line, is_copy]) => {
    const func = FunctionSchema.parse(line);
    const tags = new Set(is_copy ? ["view_copy"] : []);
    return { func, tags, is_abstract: true, is_view_op: !is_copy, generated: false } as unknown as NativeFunction;
  });
  const { infos } = load_derivatives("d.yaml", `- name: ${lines[0][0]}\n  self: grad.sum(dim)`, functions);
  const told = [...infos].map(([schema, by_key]) => [
    schema,
    by_key.get("Default")?.op,
    by_key.get("Default")?.derivatives.map((d) => d.formula),
  ]);
  expect(told).toEqual([
    [lines[0][0], "PartBackward0", ["grad.sum(dim)"]],
    [lines[1][0], "PartBackward0_copy", ["grad.sum(dim)"]],
  ]);
});

test("forward-mode formulas are read over, if they are C++", () => {
  const { Functions } = autograd_codegen({
    native: NATIVE,
    derivatives: `- name: ${MY}\n  self: grad\n  other: grad\n  result: auto_linear\n`,
  });
  expect(Functions).toContain("class MyOpBackward0");
  expect(Functions).not.toContain("auto_linear");
  expect(refusal(`- name: ${MY}\n  self: grad\n  result: self_t.mul(other_p) =>\n`)).toContain(
    "result: in 'self_t.mul",
  );
});
