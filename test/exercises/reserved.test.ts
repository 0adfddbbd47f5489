/**
 * @file The operators that learners write are not in the tree: an exercise whose answer can be looked up teaches nothing.
 */
import { readFileSync } from "node:fs";
import torch from "glasstorch";
import { expect, test } from "vitest";
import { parse } from "yaml";

const reserved = parse(readFileSync(new URL("../../exercises/reserved.yaml", import.meta.url), "utf8")) as string[];

test("no reserved operator is in the tree", () => {
  const names = torch._C._dispatch_get_all_op_names().map((name: string) => name.replace(/^aten::/, "").split(".")[0]);
  expect(names.length).toBeGreaterThan(500);
  expect(reserved.filter((name) => names.includes(name) || names.includes(`${name}_`))).toEqual([]);
});
