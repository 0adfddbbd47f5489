/**
 * @file The pages of the operators: every operator has one, and what they link to and quote exists.
 * @original
 */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Context, makeContext } from "../../site/context.ts";
import { homeOf, operatorFacts } from "../../site/operator_facts.ts";
import { type OperatorList, type OperatorPage, operatorPages } from "../../site/operator_pages.ts";
import { recordedLoops } from "../../site/recorded_loops.ts";
import { findRegion } from "../../site/regions.ts";
import { fileText, upstream } from "../../site/repository.ts";

const written = new Map<string, string>();
let context: Context;

beforeAll(async () => {
  const folder = `${mkdtempSync(join(tmpdir(), "site-"))}/`;
  context = {
    ...makeContext(),
    content: folder,
    generated: `${folder}generated/`,
    write: (path, text) => void written.set(path.slice(folder.length), String(text)),
  };
  await operatorPages(context);
}, 120_000);

const pages = (): [string, string][] => [...written].filter(([path]) => path.endsWith(".mdx"));
const names = (): Record<string, { base: string; anchor: string }> =>
  JSON.parse(written.get("generated/operator_names.json") as string);

test("every operator stands on a page, under a heading of its own", () => {
  const bySlug = new Map(pages().map(([, text]) => [/^slug: (.*)$/m.exec(text)?.[1], text]));
  const missing = operatorFacts(context).all.filter(
    (o) => !bySlug.get(`/operators/${o.base}/`)?.includes(`{/* #${names()[o.name]?.anchor} */}`),
  );
  expect(missing.map((o) => o.name)).toEqual([]);
  expect(Object.keys(names()).length).toBe(operatorFacts(context).all.length);
});

test("no two pages are one file, whatever the file system thinks of capitals", () => {
  const lower = pages().map(([path]) => path.toLowerCase());
  expect(new Set(lower).size).toBe(lower.length);
});

test("pages link to pages and headings that exist", () => {
  const known = new Set(
    Object.values(names()).flatMap(({ base, anchor }) => [`/operators/${base}/`, `/operators/${base}/#${anchor}`]),
  );
  const broken = pages().flatMap(([path, text]) =>
    [...text.matchAll(/\]\((\/operators\/[^)]*)\)/g)].filter((m) => !known.has(m[1])).map((m) => `${path}: ${m[1]}`),
  );
  expect(broken).toEqual([]);
});

test("links to sources lead to lines that exist", () => {
  const broken: string[] = [];
  const lengths = new Map<string, number>();
  const check = (where: string, file: string, line: number): void => {
    if (!lengths.has(file)) lengths.set(file, fileText(file)?.split("\n").length ?? -1);
    if (line > (lengths.get(file) as number) || lengths.get(file) === -1) broken.push(`${where}: ${file}:${line}`);
  };
  for (const [path, text] of written) {
    for (const m of text.matchAll(/file="([^"]+)" line=\{(\d+)\}/g)) check(path, m[1], Number(m[2]));
    if (!path.startsWith("generated/operators/")) continue;
    for (const o of (JSON.parse(text) as OperatorPage).overloads) {
      for (const piece of o.pieces) check(o.name, piece.file, piece.line);
      for (const stop of o.way) if (stop.place !== null) check(o.name, stop.place.file, stop.place.line);
      for (const row of o.table) check(o.name, row.file, row.line);
    }
  }
  expect(broken).toEqual([]);
});

test("every piece of code that a page quotes is there", () => {
  let count = 0;
  for (const [, text] of pages())
    for (const m of text.matchAll(/^```\w+ file=(\S+) region="([^"]+)"/gm)) {
      count++;
      expect(findRegion(m[1], fileText(m[1]) ?? "", m[2]).text).not.toBe("");
    }
  expect(count).toBeGreaterThan(1000);
});

test("generated pieces are linked to the line that declares them, and shown whole", () => {
  const page = JSON.parse(written.get("generated/operators/add.json") as string) as OperatorPage;
  const add = page.overloads.find((o) => o.name === "add.Tensor");
  expect(add?.pieces.map((p) => p.symbol.split("::").at(-1))).toEqual(
    expect.arrayContaining(["THPVariable_add", "add_Tensor", "wrapper_CPU_add_Tensor", "AddBackward0"]),
  );
  for (const piece of add?.pieces ?? []) {
    const line = readFileSync(join(context.root, piece.file), "utf8").split("\n")[piece.line - 1];
    expect(line).toContain(piece.symbol.split("::").at(-1));
    expect(piece.text).toContain(line.trim());
  }
});

test("the way of a call goes down to the arithmetic", () => {
  const way = (base: string, name: string): string[] =>
    (JSON.parse(written.get(`generated/operators/${base}.json`) as string) as OperatorPage).overloads
      .find((o) => o.name === name)
      ?.way.map((stop) => stop.name) ?? [];
  expect(way("_prelu_kernel", "_prelu_kernel")).toEqual([
    "torch::autograd::THPVariable__prelu_kernel",
    "at::_ops::_prelu_kernel::call",
    "VariableType::_prelu_kernel",
    "wrapper_CPU___prelu_kernel",
    "at::native::_prelu_kernel",
    "at::native::prelu_stub",
    "at::native::prelu_kernel",
    "at::native::prelu",
  ]);
  expect(way("view", "view")).toEqual([
    "torch::autograd::THPVariable_view",
    "at::_ops::view::call",
    "VariableType::view",
    "ADInplaceOrView::view",
    "wrapper_CPU__view",
    "at::native::view",
  ]);
  expect(way("prelu", "prelu").at(-1)).toBe("at::native::prelu");
  expect(written.get("prelu.mdx") ?? written.get("operators/prelu.mdx")).toContain(
    'operator: "_prelu_kernel", name: "prelu", file: "src/aten/native/cpu/Activation/index.ts"',
  );
});

test("of several loops, the one that runs for float32 is an operator's home", () => {
  const { all } = operatorFacts(context);
  const home = (base: string): string | undefined => homeOf(all.filter((o) => o.base === base))?.name;
  expect(home("sum")).toBe("sum_cascade");
  expect(home("arange")).toBe("arange_floating");
  expect(home("div")).toBe("div_true");
  expect(home("_softmax")).toBe("softmax_lastdim");
  expect(home("prelu")).toBe("prelu");
  // A stub of another operator, which a kernel calls on its way, is not the home.
  expect(home("all")).toBe("and_kernel_impl");
  expect(home("mm")).toBe("gemm_core");
  expect(home("eye")).toBe("eye_out_cpu_out");
  expect(home("cat")).toBe("cat_serial_kernel");
  expect(home("embedding_dense_backward")).toBe("embedding_dense_backward_cpu");
  expect(home("scaled_dot_product_attention")).toBe("scaled_dot_product_attention");
  expect(home("upsample_nearest2d")).toBe("structured_upsample_nearest2d_out_cpu");
  expect(home("upsample_bilinear2d")).toBe("upsample_kernel_impl");
  expect(home("reflection_pad2d")).toBe("pad_gather");
  // Whoever adds an operator with several templates adds a call that tells them apart.
  const undecided = [...new Set(all.map((o) => o.base))].filter((base) => {
    const forms = all.filter((o) => o.base === base);
    const loops = forms.flatMap((o) => o.kernels.flatMap((k) => k.steps)).filter((s) => /loop|template/.test(s.role));
    return (
      new Set(loops.map((s) => s.name)).size > 1 &&
      recordedLoops().first(new Set(forms.map((o) => o.name)), loops) === null
    );
  });
  expect(undecided).toEqual([]);
});

test("a page begins with what the operator computes, an example and its page at pytorch.org", () => {
  const page = written.get("operators/add.mdx") as string;
  expect(page).toContain("**`torch.add`**: `input + alpha * other`, broadcast.");
  expect(page.indexOf("**`torch.add`**")).toBeLessThan(page.indexOf("<Home"));
  expect(page).toContain("https://docs.pytorch.org/docs/2.13/generated/torch.add.html");
  expect(page).toMatch(/<Playground label="Example of add"/);
  expect(written.get("operators/relu.mdx")).toContain("generated/torch.nn.functional.relu.html");
  expect(written.get("operators/view.mdx")).toContain("generated/torch.Tensor.view.html");
  expect(written.get("operators/operator-_softmax.mdx")).toContain("It is called by kernels of [`softmax`]");
});

test("operators that share a home have a word of their names in common", () => {
  const list = JSON.parse(written.get("generated/operators.json") as string) as OperatorList;
  const homes = new Map<string, string[]>();
  for (const { base, place } of list.pages) {
    const key = `${place?.file}:${place?.line}`;
    if (place !== null) homes.set(key, [...(homes.get(key) ?? []), base]);
  }
  const words = (base: string): string[] => base.split(/[_\d]+/).filter((word) => word.length > 2);
  const shared = [...homes].filter(([, bases]) => bases.length > 2);
  expect(shared.length).toBeGreaterThan(5);
  // Each of these has been looked at: one kernel does them all.
  const lookedAt = new Set(["write_in_order", "index_put", "conv_forward_kernel"]);
  const strange = shared.filter(([, bases]) => {
    const place = list.pages.find(({ base }) => base === bases[0])?.place;
    const [first = "", ...others] = bases;
    const common = words(first).some((word) => others.every((other) => other.includes(word.slice(-4))));
    return !common && !lookedAt.has(place?.name ?? "");
  });
  expect(strange).toEqual([]);
});

test("a page names the public function that stands for its operator", () => {
  const said = (base: string): string => written.get(`operators/${base}.mdx`) ?? "";
  for (const [base, call] of [
    ["linalg_cholesky", "torch.linalg.cholesky"],
    ["linalg_qr", "torch.linalg.qr"],
    ["fft_fftshift", "torch.fft.fftshift"],
    ["special_xlog1py", "torch.special.xlog1py"],
    ["log_sigmoid", "torch.nn.functional.logsigmoid"],
    ["im2col", "torch.nn.functional.unfold"],
    ["unfold", "x.unfold"],
    ["is_leaf", "x.is_leaf"],
    ["mT", "x.mT"],
    ["numpy_T", "x.T"],
  ])
    expect(said(base as string), base).toContain(`**\`${call}\`**`);
  expect(said("operator-_foreach_abs")).toContain("**`torch._foreach_abs`**");
  // Whatever /api/ lists under linalg, fft and special is not said to be internal.
  const internal = pages().filter(([, text]) => text.includes("This operator is internal to PyTorch"));
  const denied = internal.filter(([path]) => /^operators\/(linalg|fft|special)_/.test(path)).map(([path]) => path);
  expect(denied).toEqual([]);
});

test("no two pages have one description", () => {
  const said = pages().map(([, text]) => /^description: (.*)$/m.exec(text)?.[1]);
  const twice = said.filter((words, i) => said.indexOf(words) !== i);
  expect(twice).toEqual([]);
});

test("PyTorch is linked to the line where the wheel tells it, and searched where it does not", () => {
  expect(upstream("torch/nn/modules/activation.py", "PReLU").url).toMatch(/activation\.py#L\d+$/);
  expect(upstream("torch/nn/modules/module.py", "torch.nn.modules.module.Module._call_impl").url).toMatch(/#L\d+$/);
  expect(upstream("c10/core/DispatchKeySet.h", "c10::DispatchKeySet::highestPriorityTypeId").url).toMatch(/#L\d+$/);
  expect(upstream("aten/src/ATen/native/native_functions.yaml", "dot").url).toMatch(/native_functions\.yaml#L\d+$/);
  expect(upstream("tools/autograd/templates/VariableType.cpp", "VariableType::dot").url).toMatch(/#L\d+$/);
  expect(upstream("aten/src/ATen/TensorIterator.h", "at::TensorIteratorBase::build").path).toBe(
    "aten/src/ATen/TensorIterator.cpp",
  );
  expect(upstream("aten/src/ATen/native/Activation.cpp", "at::native::prelu").search).toContain("prelu");
});
