/**
 * @file The order in which the pages are read.
 * @original
 */
import { existsSync } from "node:fs";
import type { SidebarsConfig } from "@docusaurus/plugin-content-docs";

// While pages are being written: those that exist.
const there = (item: any): boolean => (typeof item === "string" ? existsSync(`${__dirname}/content/${item}.mdx`) : item.id ? existsSync(`${__dirname}/content/${item.id}.mdx`) : item.link ? existsSync(`${__dirname}/content/${item.link.id}.mdx`) : true);
const only = (items: any[]): any[] => items.filter(there).map((i) => (i.items ? { ...i, items: only(i.items) } : i));

export default {
  site: only([
    "start",
    {
      type: "category",
      label: "Walkthroughs",
      collapsed: false,
      items: [
        "walkthroughs/prelu",
        "walkthroughs/prelu-backward",
        "walkthroughs/add",
        "walkthroughs/dot",
        "walkthroughs/tensor",
        "walkthroughs/import-torch",
        "walkthroughs/backward",
        "walkthroughs/anatomy-of-a-kernel",
      ],
    },
    {
      type: "category",
      label: "The house",
      link: { type: "doc", id: "house/index" },
      items: [
        "house/front-end",
        "house/binding",
        "house/autograd",
        "house/dispatcher",
        "house/aten",
        "house/native",
        "house/c10",
        "house/codegen",
        "house/trace",
      ],
    },
    {
      type: "category",
      label: "Reference",
      items: [
        { type: "doc", id: "operators/index", label: "Operators" },
        { type: "doc", id: "api/index", label: "API" },
        "names",
        "glossary",
        "differs",
        "then-and-now",
        "contribute",
      ],
    },
  ]),
} satisfies SidebarsConfig;
