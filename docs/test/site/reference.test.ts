/**
 * @file The API pages, the list of differences, the decoded names.
 * @original
 */
import { expect, test } from "vitest";
import { checkMarks } from "../../../tools/check_marks.ts";
import { apiModel } from "../../site/api_pages.ts";
import { type Context, makeContext } from "../../site/context.ts";
import { differsPage } from "../../site/differs_page.ts";
import { checkNames } from "../../site/names_check.ts";
import { fileText } from "../../site/repository.ts";

const pages = apiModel(new Set(["add", "prelu"]));
const entries = pages.flatMap((page) =>
  page.groups.flatMap((group) => group.items.map((item) => ({ ...item, page: page.id, group: group.title }))),
);
const named = (call: string) => entries.find((entry) => entry.call === call);

test("every public name says what it is", () => {
  const silent = entries.filter((entry) => entry.doc.text === "" && entry.group !== "Dtypes, layouts, memory formats");
  expect(silent.map((entry) => entry.call)).toEqual([]);
});

test("every name stands where its link leads", () => {
  for (const entry of entries) expect(fileText(entry.file)?.split("\n").length ?? 0).toBeGreaterThanOrEqual(entry.line);
  const prelu = named("torch.nn.PReLU");
  expect(fileText(prelu?.file as string)?.split("\n")[(prelu?.line ?? 0) - 1]).toContain("class PReLU");
});

test("the names that everybody uses are there, with their signatures", () => {
  expect(named("torch.add")?.signatures[0]).toBe(
    "add(input: Tensor | Number, other: Tensor | Number, kwargs?: { alpha?: Number; out?: Tensor | null }): Tensor",
  );
  expect(named("torch.add")?.operator).toBe("add");
  expect(named("torch.tensor")?.doc.throws.length).toBeGreaterThan(0);
  expect(named("x.backward")).toBeDefined();
  expect(named("x.grad")?.kind).toBe("property");
  expect(named("torch.no_grad")?.doc.text).not.toBe("");
  expect(named("torch.nn.functional.linear")?.signatures.length).toBeGreaterThan(0);
  expect(named("torch.optim.SGD")?.kind).toBe("class");
  expect(named("torch.autograd.grad")?.signatures[0]).toMatch(/^grad\(outputs, inputs, grad_outputs=None, /);
  expect(named("torch.library.custom_op")?.doc.params.length).toBeGreaterThanOrEqual(0);
  expect(named("record")?.file).toBe("src/trace/index.ts");
});

test("a class is called as in Python, wherever it has its constructor from", () => {
  const call = (name: string) => named(name)?.signatures;
  expect(call("torch.nn.Linear")).toEqual([
    "new Linear(in_features, out_features, bias=True, device=None, dtype=None)",
  ]);
  expect(call("torch.nn.LPPool2d")).toEqual(["new LPPool2d(norm_type, kernel_size, stride=None, ceil_mode=False)"]);
  expect(call("torch.nn.GRU")?.[0]).toMatch(/^new GRU\(input_size, hidden_size, num_layers=1, /);
  expect(call("torch.optim.LBFGS")?.[0]).toMatch(/^new LBFGS\(params, lr=1, max_iter=20, /);
  expect(entries.filter((entry) => entry.signatures.join().includes("InitArgs")).map((entry) => entry.call)).toEqual(
    [],
  );
});

test("a name that is not built says what its call says", () => {
  expect(named("torch.onnx.export")?.signatures[0]).toMatch(/^export\(model, /);
  expect(named("torch.onnx.export")?.doc.throws).toEqual([
    expect.stringMatching(/^\{NotImplementedError\} torch\.onnx\.export is not implemented: ./),
  ]);
  expect(named("torch.cuda.init")?.doc.throws).toEqual(["{AssertionError} Torch not compiled with CUDA enabled"]);
});

test("every module of torch that programs ask has a page", () => {
  const modules =
    "cuda xpu mps cpu accelerator backends compiler jit fx export onnx func hub distributed distributions";
  for (const name of modules.split(" "))
    expect(
      entries.some((entry) => entry.call.startsWith(`torch.${name}.`)),
      name,
    ).toBe(true);
});

test("anchors of a page differ", () => {
  for (const page of pages) {
    const anchors = page.groups.flatMap((group) => group.items.map((item) => item.anchor));
    expect(new Set(anchors).size).toBe(anchors.length);
  }
});

/** A context that keeps what is written. */
function keeping(): { context: Context; written: Map<string, string> } {
  const written = new Map<string, string>();
  return {
    written,
    context: {
      ...makeContext(),
      write: (path, text) => void written.set(path.split("/").at(-1) as string, String(text)),
    },
  };
}

test("every @differs mark stands on the page of differences", async () => {
  const { context, written } = keeping();
  await differsPage(context);
  const { groups, numbers } = JSON.parse(written.get("differs.json") as string) as {
    groups: { list: { file: string; line: number }[] }[];
    numbers: { code: string; gives: string }[];
  };
  expect(groups.flatMap((g) => g.list).length).toBe(checkMarks().list.length);
  for (const d of groups.flatMap((g) => g.list))
    expect(fileText(d.file)?.split("\n")[d.line - 1]).toContain("@differs");
  expect(Object.fromEntries(numbers.map((n) => [n.code, n.gives]))).toMatchObject({
    "torch.tensor([1.0, 2.0]).dtype": "torch.int64",
    "torch.tensor([torch.Float(1), 2]).dtype": "torch.float32",
    "torch.tensor(-0).dtype": "torch.float32",
  });
});

test("every decoded name is what codegen makes, and one that is not ends the build", async () => {
  const { context, written } = keeping();
  await checkNames(context);
  const places = JSON.parse(written.get("names.json") as string) as Record<string, { file: string }>;
  expect(places["wrapper_CPU__view"]?.file).toMatch(/^src\/aten\/generated\/RegisterCPU_\d+\.ts$/);
  expect(places["AddBackward0"]?.file).toMatch(/\/Functions_\d+\.ts$/);
  await expect(
    checkNames(context, '<Named rule="wrapper" op="view" key="CPU">wrapper_CPU_view</Named>'),
  ).rejects.toThrow("view by the rule wrapper is at::wrapper_CPU__view, the page says wrapper_CPU_view");
  await expect(checkNames(context, '<Named rule="node" op="add.Tensr">AddBackward0</Named>')).rejects.toThrow(
    "there is no operator add.Tensr",
  );
});
