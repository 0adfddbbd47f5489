/**
 * @file The order in which the pages are read.
 * @original
 */
import type { SidebarsConfig } from "@docusaurus/plugin-content-docs";

export default {
  site: [
    "start",
    "map",
    {
      type: "category",
      label: "Walkthroughs",
      collapsed: false,
      items: [
        "walkthroughs/prelu",
        "walkthroughs/prelu-backward",
        "walkthroughs/python",
        "walkthroughs/add",
        "walkthroughs/dot",
        "walkthroughs/tensor",
        "walkthroughs/import-torch",
        "walkthroughs/backward",
        "walkthroughs/anatomy-of-a-kernel",
        "walkthroughs/simd",
        "walkthroughs/webgpu",
        "walkthroughs/norm",
        "walkthroughs/save-load",
        "walkthroughs/train",
        "walkthroughs/conv",
      ],
    },
    {
      type: "category",
      label: "Graphs",
      collapsed: false,
      items: ["fx", "make-fx", "functional", "aot", "export", "lazy"].map((name) => `walkthroughs/${name}`),
    },
    {
      type: "category",
      label: "torch.compile",
      collapsed: false,
      items: ["seven-captures", "dynamo", "guards", "inductor"].map((name) => `walkthroughs/${name}`),
    },
    {
      type: "category",
      label: "Transforms",
      collapsed: false,
      items: ["vmap-grad", "forward-mode"].map((name) => `walkthroughs/${name}`),
    },
    {
      type: "category",
      label: "TorchScript",
      collapsed: false,
      items: ["script", "executor", "autodiff", "jit-trace", "archive", "inference"].map(
        (name) => `walkthroughs/${name}`,
      ),
    },
    {
      type: "category",
      label: "Ideas",
      collapsed: false,
      items: ["eager", "parameter", "building", "articles"],
    },
    {
      type: "category",
      label: "Python",
      collapsed: false,
      items: ["python-here"],
    },
    {
      type: "category",
      label: "Layers",
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
        "house/webgpu",
      ],
    },
    {
      type: "category",
      label: "Exercises",
      link: { type: "doc", id: "learn/index" },
      items: ["learn/teach"],
    },
    {
      type: "category",
      label: "Reference",
      items: [
        { type: "doc", id: "operators/index", label: "Operators" },
        { type: "doc", id: "api/index", label: "API" },
        "names",
        "glossary",
        "terms-zh",
        "differs",
        "not-built",
        "then-and-now",
        "road",
        "contribute",
        "open-operators",
      ],
    },
  ],
} satisfies SidebarsConfig;
