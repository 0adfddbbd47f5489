/**
 * @file /api/: the public API, a page for each module, from its declarations and their doc comments.
 * @original
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ApiItem } from "./api_model.ts";
import { type Plan, plans } from "./api_plans.ts";
import { in_python } from "./api_python.ts";
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
          items: items.map((declared) => {
            const item = in_python(declared, group.prefix + declared.name);
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
    `description: ${JSON.stringify(`Reference of ${plan.title}: signatures, descriptions, our line and PyTorch's file.`)}`,
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

The names are PyTorch's, letter for letter where TypeScript allows it. These pages are made from the declarations and their doc comments when the site is built; each name links to its line and to PyTorch's file. [What differs](/differs/) says where a call is written differently from Python.

| Module | Names | |
| --- | --- | --- |
${rows.join("\n")}
`;
}
