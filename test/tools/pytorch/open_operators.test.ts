/**
 * The operators that are not here yet: each once, none that is here or is kept for learners, and what it needs is not here either.
 */
import { expect, test } from "vitest";
import { ROOT, read_tree } from "../../../tools/codegen/file_system.ts";
import { knowledge, openOperatorsOf, reservedOperators } from "../../../tools/new_op/knowledge.ts";
import type { OpenOperator } from "../../../tools/pytorch/open_operators.ts";
import { baseOf } from "../../../tools/pytorch/operators.ts";

const texts = read_tree(ROOT);
const open = openOperatorsOf(texts);
const { ours } = knowledge(texts);

test("each is listed once, with entries that are missing", () => {
  expect(new Set(open.map(({ base }) => base)).size).toBe(open.length);
  expect(open.flatMap(({ entries }) => entries).filter(([name]) => ours.has(name))).toEqual([]);
  const here = new Set([...ours].map(baseOf));
  expect(open.filter(({ base, begun }) => here.has(base) !== begun)).toEqual([]);
});

test("what learners write is left out", () => {
  expect(open.filter(({ base }) => reservedOperators().includes(base))).toEqual([]);
});

test("what needs something is not said to be easy, and what it needs is not here", () => {
  const here = new Set([...ours].map(baseOf));
  for (const { needs, difficulty } of open) {
    if (needs.length > 0) expect(difficulty).toBeGreaterThan(3);
    for (const { name, is } of needs) if (is === "operator") expect(here.has(name), name).toBe(false);
  }
});

test("kinds and needs of some, as PyTorch has them", () => {
  // Their parts are PyTorch's for good; an operator that was built since is not in the list, and not asked.
  const facts: Readonly<Record<string, Partial<OpenOperator>>> = {
    cudnn_convolution: { kind: "backend", difficulty: 5 },
    view_as_real: { kind: "view", file: "aten/src/ATen/native/UnaryOps.cpp" },
    special_airy_ai: { kind: "elementwise", difficulty: 2 },
    poisson: { kind: "random" },
    linalg_cond: { kind: "composite" },
    _foreach_clone: { kind: "list kernel" },
  };
  const asked = open.filter(({ base }) => base in facts);
  expect(asked.length).toBeGreaterThan(3);
  for (const each of asked) expect(each).toMatchObject(facts[each.base]);
  for (const { needs } of asked.filter(({ base }) => base === "linalg_cond"))
    expect(needs).toEqual([{ name: "_linalg_svd", is: "operator" }]);
});
