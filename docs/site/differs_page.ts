/**
 * @file /differs: every `@differs` mark of the sources, by layer, and the one difference a user of the API meets at once: numbers.
 * @original
 */
import { join } from "node:path";
import torch from "../../src/index.ts";
import { checkMarks, type Difference } from "../../tools/check_marks.ts";
import type { Context } from "./context.ts";

let known: readonly Difference[] | null = null;

/** The marks of all sources, with their lines. */
export function differencesOf(_root: string): readonly Difference[] {
  return (known ??= checkMarks().list);
}

/** Folder, anchor and heading of each group; the first match counts. */
const layers: readonly (readonly [prefix: string, id: string, title: string])[] = [
  ["src/c10/", "c10", "c10: bytes of tensors, keys, small types"],
  ["src/aten/core/", "dispatcher", "ATen's core: schemas, boxed values, the dispatcher"],
  ["src/aten/native/", "native", "Operators and kernels"],
  ["src/aten/", "aten", "The rest of ATen: iterators, fallbacks, generators"],
  ["src/torch/csrc-equivalent/autograd/", "autograd", "Autograd: nodes, engine, variable kernels"],
  ["src/torch/csrc-equivalent/", "binding", "The binding: from JavaScript to the engine"],
  ["src/torch/", "front-end", "The front end: torch, nn, optim"],
  ["src/", "package", "The package and the trace"],
  ["tools/codegen/", "codegen", "Codegen"],
  ["tools/", "tools", "Tools"],
];

export async function differsPage(context: Context): Promise<string> {
  const all = differencesOf(context.root);
  const groups = layers.map(([prefix, id, title]) => ({
    id,
    title,
    list: all.filter((d) => layers.find(([p]) => d.file.startsWith(p))?.[0] === prefix),
  }));
  const left = all.length - groups.reduce((n, g) => n + g.list.length, 0);
  if (left > 0)
    throw new Error(`differs: ${left} marks stand in folders that no layer names (docs/site/differs_page.ts)`);
  const shown = groups.filter((g) => g.list.length > 0);
  context.write(join(context.generated, "differs.json"), JSON.stringify({ groups: shown, numbers: numbers() }));
  const page = [
    "---",
    "title: What differs",
    "slug: /differs/",
    "custom_edit_url: null",
    "description: Every place where glasstorch differs from PyTorch, from the marks in its sources.",
    "---",
    "",
    'import differs from "@site/generated/differs.json";',
    'import { Differences, Numbers } from "@site/src/components/reference/differs";',
    "",
    "# What differs",
    "",
    "glasstorch follows PyTorch, name for name. Where it cannot, or where JavaScript has a simpler way, the source says so beside the",
    `code, in a comment that begins with \`@differs\`. This page lists these ${all.length} comments, in the order of the layers; each links to its line.`,
    "",
    "## Numbers",
    "",
    "This is the one difference that a user meets in the first minute. Python distinguishes the int `1` from the float `1.0`; JavaScript has one",
    "number type, in which both are `1`. So the kind of a number follows from its value: a finite number without a fraction is a Python int, unless",
    "it is `-0` or too large for int64; every other number is a float. A bigint is always an int. `torch.Float(2)` is the float `2.0`, and is accepted",
    "wherever a number is. One function decides this for tensors, scalars, sizes and the type names in messages, so the rule is the same everywhere.",
    "",
    "<Numbers rows={differs.numbers} />",
    "",
    "Each line was run when this page was built. This function is the rule:",
    "",
    "```ts file=src/torch/csrc-equivalent/utils/python_numbers.ts region=isPythonInt",
    "```",
    "",
    ...shown.flatMap((g, i) => [`## ${g.title} {/* #${g.id} */}`, "", `<Differences of={differs.groups[${i}]} />`, ""]),
  ];
  context.write(join(context.content, "differs.mdx"), page.join("\n"));
  return `${all.length} marks in ${shown.length} layers`;
}

/** Lines of JavaScript, and what they give here, by running them. */
function numbers(): { code: string; gives: string; python: string }[] {
  const lines: readonly (readonly [code: string, run: () => unknown, python: string])[] = [
    ["torch.tensor([1, 2]).dtype", () => torch.tensor([1, 2]).dtype, "torch.tensor([1, 2]).dtype"],
    ["torch.tensor([1, 2.5]).dtype", () => torch.tensor([1, 2.5]).dtype, "torch.tensor([1, 2.5]).dtype"],
    ["torch.tensor([1.0, 2.0]).dtype", () => torch.tensor([1.0, 2.0]).dtype, "torch.tensor([1, 2]).dtype"],
    [
      "torch.tensor([torch.Float(1), 2]).dtype",
      () => torch.tensor([torch.Float(1), 2]).dtype,
      "torch.tensor([1.0, 2]).dtype",
    ],
    ["torch.tensor(-0).dtype", () => torch.tensor(-0).dtype, "torch.tensor(-0.0).dtype"],
    ["torch.tensor([1, 2]).add(1).dtype", () => torch.tensor([1, 2]).add(1).dtype, "torch.tensor([1, 2]).add(1).dtype"],
    [
      "torch.tensor([1, 2]).add(torch.Float(1)).dtype",
      () => torch.tensor([1, 2]).add(torch.Float(1)).dtype,
      "torch.tensor([1, 2]).add(1.0).dtype",
    ],
    [
      "typeof torch.tensor(2n ** 53n + 1n).item()",
      () => typeof torch.tensor(2n ** 53n + 1n).item(),
      "type(torch.tensor(2**53 + 1).item())",
    ],
  ];
  return lines.map(([code, run, python]) => ({ code, gives: String(run()), python }));
}
