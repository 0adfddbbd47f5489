/** The names under which torch.fx prints the library's functions, against those recorded from PyTorch. */
import { readFileSync } from "node:fs";
import torch from "glasstorch/export";
import "glasstorch/jit";
import { expect, test } from "vitest";
import { library_name, object_named } from "../../../src/torch/fx/qualified_names.ts";
import { qualified_names_table } from "../../../tools/pytorch/qualified_names.ts";

const fixture = new URL("../../../tools/pytorch/qualified_names.json", import.meta.url);
const recorded: { namespaces: Record<string, { others: Record<string, string> }> } = JSON.parse(
  readFileSync(fixture, "utf8"),
);

/** Classes and contexts, which the recording leaves out: PyTorch's `torch.no_grad` is a class. */
const CLASSES =
  /^(?:torch\.amp\.(?:autocast|GradScaler)|torch\.autograd\.(?:\w+_grad(?:_enabled)?|inference_mode)|torch\.compiler\.compile|torch\.testing\.FileCheck|torch\.jit\.(?:CompilationUnit|Error|ScriptFunction))$/;

test("every function of the library has PyTorch's name", () => {
  let count = 0;
  for (const [namespace, { others }] of Object.entries(recorded.namespaces)) {
    const holder = object_named(namespace) as Record<string, unknown> | undefined;
    if (holder === undefined) continue;
    for (const name of Object.keys(holder)) {
      if (typeof holder[name] !== "function" || CLASSES.test(`${namespace}.${name}`)) continue;
      expect(library_name(holder[name]), `${namespace}.${name}`).toBe(others[name] ?? `${namespace}.${name}`);
      count++;
    }
  }
  expect(count).toBeGreaterThan(1300);
  expect(library_name(torch.nn.functional.linear)).toBe("torch._C._nn.linear");
  expect(library_name(() => 1)).toBe(undefined);
});

test("the table is made from the recording", () => {
  const table = new URL("../../../src/torch/fx/generated/qualified_names.ts", import.meta.url);
  expect(readFileSync(table, "utf8")).toBe(qualified_names_table());
});
