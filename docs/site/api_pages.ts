/**
 * @file /api/: the public API, a page for each module, from its declarations and their doc comments.
 * @original
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type ApiItem, exportsOf, interfaceItems, named, objectItems } from "./api_model.ts";
import type { Context } from "./context.ts";
import { escape } from "./mdx_text.ts";
import { operatorFacts } from "./operator_facts.ts";

export interface ApiPage {
  readonly id: string;
  readonly groups: readonly ApiGroup[];
}

export interface ApiGroup {
  readonly title: string;
  readonly words: string;
  readonly items: readonly ApiEntry[];
}

export interface ApiEntry extends ApiItem {
  /** As one writes it: `torch.nn.PReLU`. */
  readonly call: string;
  readonly anchor: string;
  /** The page of the operator behind it, if it is one. */
  readonly operator: string | null;
}

interface Plan {
  readonly id: string;
  readonly title: string;
  readonly words: string;
  readonly groups: readonly {
    readonly title: string;
    readonly words?: string;
    readonly prefix: string;
    readonly items: () => readonly ApiItem[];
    /** Its names may be operators. */
    readonly operators?: boolean;
    /** One table, no headings: names that need no words. */
    readonly table?: boolean;
  }[];
}

const TORCH = "src/torch/index.ts";
const FUNCTIONS = "src/torch/_C/generated/_VariableFunctions.ts";

const plans: readonly Plan[] = [
  {
    id: "torch",
    title: "torch",
    words:
      'The default export of the package: `import torch from "glasstorch"`. Keyword arguments go into one object at the end.',
    groups: [
      {
        title: "Tensors from data",
        words: "Bound by hand, because they take more than tensors.",
        prefix: "torch.",
        items: () => interfaceItems(TORCH, "ManualFunctions"),
      },
      {
        title: "Settings, scopes, random numbers",
        prefix: "torch.",
        items: () => objectItems(TORCH, "functions").filter((item) => !["Tensor", "ops"].includes(item.name)),
      },
      {
        title: "Operators",
        words: "Functions that codegen made from native_functions.yaml.",
        prefix: "torch.",
        items: () => interfaceItems(FUNCTIONS),
        operators: true,
      },
      {
        title: "Dtypes, layouts, memory formats",
        prefix: "torch.",
        items: () => interfaceItems(TORCH, "ExtensionNames"),
        table: true,
      },
    ],
  },
  {
    id: "tensor",
    title: "torch.Tensor",
    words: "Attributes and methods of a tensor, here called `x`.",
    groups: [
      { title: "Attributes", prefix: "x.", items: () => manual().filter((item) => item.kind === "property") },
      {
        title: "Methods bound by hand or written in Python",
        prefix: "x.",
        items: () => [
          ...manual().filter((item) => item.kind === "function"),
          ...(named("src/torch/_tensor.ts", "Tensor")?.members ?? []),
        ],
        operators: true,
      },
      {
        title: "Operators",
        words:
          "Methods that codegen made from native_functions.yaml. A name that ends in `_` writes into the tensor it is called on.",
        prefix: "x.",
        items: () => interfaceItems("src/torch/_C/generated/TensorBase.ts"),
        operators: true,
      },
    ],
  },
  {
    id: "nn",
    title: "torch.nn",
    words: "Modules. An instance is called like a function: `net(x)`.",
    groups: [
      {
        title: "Modules",
        prefix: "torch.nn.",
        items: () => exportsOf("src/torch/nn/index.ts").filter((item) => item.kind !== "function"),
      },
      {
        title: "Hooks of all modules",
        prefix: "torch.nn.",
        items: () => exportsOf("src/torch/nn/index.ts").filter((item) => item.kind === "function"),
      },
    ],
  },
  {
    id: "nn-functional",
    title: "torch.nn.functional and init",
    words: "The functions behind the modules, and the first values of parameters.",
    groups: [
      {
        title: "torch.nn.functional",
        prefix: "torch.nn.functional.",
        items: () => exportsOf("src/torch/nn/functional.ts"),
      },
      { title: "torch.nn.init", prefix: "torch.nn.init.", items: () => exportsOf("src/torch/nn/init.ts") },
    ],
  },
  {
    id: "optim",
    title: "torch.optim",
    words: "Optimizers.",
    groups: [
      { title: "Optimizers and hooks", prefix: "torch.optim.", items: () => exportsOf("src/torch/optim/index.ts") },
    ],
  },
  {
    id: "distributions",
    title: "torch.distributions",
    words: "Distributions: samples, densities, entropies, divergences.",
    groups: [
      {
        title: "Distributions and transforms",
        prefix: "torch.distributions.",
        items: () => exportsOf("src/torch/distributions/index.ts"),
      },
      {
        title: "Constraints",
        prefix: "torch.distributions.constraints.",
        items: () => exportsOf("src/torch/distributions/constraints.ts"),
      },
    ],
  },
  {
    id: "autograd",
    title: "torch.autograd",
    words: "Gradients: asking for them, writing one's own, looking at the graph.",
    groups: [
      {
        title: "Gradients and scopes",
        prefix: "torch.autograd.",
        items: () => exportsOf("src/torch/autograd/index.ts"),
      },
      {
        title: "Custom functions",
        prefix: "torch.autograd.function.",
        items: () => exportsOf("src/torch/autograd/function.ts").filter((item) => item.name !== "Function"),
      },
      { title: "The graph", prefix: "torch.autograd.graph.", items: () => exportsOf("src/torch/autograd/graph.ts") },
      {
        title: "The profiler below",
        prefix: "torch.autograd.profiler.",
        items: () => exportsOf("src/torch/autograd/profiler.ts"),
      },
    ],
  },
  {
    id: "library",
    title: "torch.library",
    words: "New operators, and other kernels for those there are.",
    groups: [
      { title: "Operators of one's own", prefix: "torch.library.", items: () => exportsOf("src/torch/library.ts") },
    ],
  },
  {
    id: "profiler",
    title: "torch.profiler",
    words: "What ran, how often, how long.",
    groups: [{ title: "Profiles", prefix: "torch.profiler.", items: () => exportsOf("src/torch/profiler/index.ts") }],
  },
  {
    id: "trace",
    title: "glasstorch/trace",
    words: 'Recording a call: `import { record } from "glasstorch/trace"`. PyTorch has no such module.',
    groups: [{ title: "Records and their forms", prefix: "", items: () => exportsOf("src/trace/index.ts") }],
  },
];

let manualItems: readonly ApiItem[] | null = null;
function manual(): readonly ApiItem[] {
  return (manualItems ??= interfaceItems("src/torch/_C/TensorBase.ts", "TensorBaseManualMethods"));
}

/** Every documented name of the API, for the pages and for the tests. */
export function apiModel(operators: ReadonlySet<string>): ApiPage[] {
  return plans.map((plan) => {
    const anchors = new Set<string>();
    return {
      id: plan.id,
      groups: plan.groups.map((group) => {
        const seen = new Set<string>();
        const items = group.items().filter((item) => !seen.has(item.name) && seen.add(item.name));
        return {
          title: group.title,
          words: group.words ?? "",
          items: items.map((item) => {
            const base = item.name.replace(/(?<=[A-Za-z0-9])_$/, "");
            return {
              ...item,
              signatures: item.signatures.map((s) => renamed(s, item)),
              call: group.prefix + item.name,
              anchor: unique(item.name, anchors),
              operator: group.operators && operators.has(base) ? base : null,
            };
          }),
        };
      }),
    };
  });
}

/** A function exported under another name than it is declared with. */
function renamed(signature: string, item: ApiItem): string {
  return item.kind === "function" ? signature.replace(/^[\w$]+/, item.name) : signature;
}

function unique(name: string, taken: Set<string>): string {
  let anchor = name;
  for (let i = 2; taken.has(anchor); i++) anchor = `${name}-${i}`;
  taken.add(anchor);
  return anchor;
}

export async function apiPages(context: Context): Promise<string> {
  const operators = new Set(operatorFacts(context).all.map((o) => o.base));
  const pages = apiModel(operators);
  for (const folder of [join(context.content, "api"), join(context.generated, "api")])
    rmSync(folder, { recursive: true, force: true });
  for (const [i, page] of pages.entries()) {
    context.write(join(context.generated, "api", `${page.id}.json`), JSON.stringify(page));
    context.write(join(context.content, "api", `${page.id}.mdx`), mdx(page, plans[i]));
  }
  context.write(join(context.content, "api/index.mdx"), index(pages));
  const count = pages.reduce((n, page) => n + countOf(page), 0);
  return `${count} names on ${pages.length} pages`;
}

function countOf(page: ApiPage): number {
  return page.groups.reduce((n, group) => n + group.items.length, 0);
}

function mdx(page: ApiPage, plan: Plan): string {
  const out = [
    "---",
    `title: ${JSON.stringify(plan.title)}`,
    `slug: /api/${page.id}/`,
    "custom_edit_url: null",
    `description: ${JSON.stringify(`Reference of ${plan.title}: signatures, what they do, our line and PyTorch's file.`)}`,
    "displayed_sidebar: site",
    "toc_max_heading_level: 2",
    "---",
    "",
    `import page from "@site/generated/api/${page.id}.json";`,
    'import { Entry, Names, Properties } from "@site/src/components/reference/api";',
    'import { PageFilter } from "@site/src/components/reference/PageFilter";',
    "",
    `# ${plan.title}`,
    "",
    plan.words,
    "",
    ...(countOf(page) > 40 ? [`<PageFilter of="names" placeholder="prelu, grad, view" />`, ""] : []),
  ];
  page.groups.forEach((group, g) => {
    if (page.groups.length > 1) out.push(`## ${escape(group.title)}`, "");
    if (group.words !== "") out.push(group.words, "");
    if (plan.groups[g]?.table) {
      out.push(`<Properties group={page.groups[${g}]} />`, "");
      return;
    }
    if (group.items.length > 8) out.push(`<Names group={page.groups[${g}]} />`, "");
    group.items.forEach((item, i) => {
      out.push(
        `### ${escape(item.call)} {/* #${item.anchor} */}`,
        "",
        `<Entry item={page.groups[${g}].items[${i}]} />`,
        "",
      );
    });
  });
  return out.join("\n");
}

function index(pages: readonly ApiPage[]): string {
  const rows = pages.map((page, i) => {
    const plan = plans[i];
    return `| [${escape(plan.title)}](/api/${page.id}/) | ${countOf(page)} | ${plan.words.split(". ")[0]?.replace(/\.$/, "")} |`;
  });
  return `---
title: API
slug: /api/
custom_edit_url: null
description: The public API of glasstorch, from its declarations.
---

# API

PyTorch's names, letter for letter where TypeScript allows. These pages are made from the declarations and their doc comments when the site is built; each name links to its line and to PyTorch's file. [What differs](/differs/) says where a call is written otherwise than in Python.

| Module | Names | |
| --- | --- | --- |
${rows.join("\n")}
`;
}
