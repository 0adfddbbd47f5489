/** Nodes and gradients of operators on lists, beside what PyTorch recorded. */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { type Any, readFixture } from "../../../helpers/recorded.ts";

type Argument = number | number[] | { lists: number[][] } | { tensor: number };

interface Case {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly kwargs: Record<string, number>;
  readonly values: unknown[];
  readonly nodes: string[];
  readonly grads?: unknown[][];
  readonly error?: [string, string];
}

const { cases } = readFixture<{ cases: Case[] }>(
  new URL("../../../fixtures/autograd/foreach.json.gz", import.meta.url),
);
const leaf = (data: Any) => torch.tensor(data, { dtype: torch.float64, requires_grad: true } as Any) as Any;

/** The argument as a tensor or a list, and the tensors in it whose gradients are asked. */
function made(value: Argument): { given: Any; leaves: Any[] | null } {
  if (typeof value === "number" || Array.isArray(value)) return { given: value, leaves: null };
  if ("tensor" in value) {
    const one = leaf(value.tensor);
    return { given: one, leaves: [one] };
  }
  const list = value.lists.map(leaf);
  return { given: list, leaves: list };
}

/** Expects equal nesting, and numbers that agree to 12 decimals. */
function expect_close(actual: Any, expected: Any): void {
  if (typeof expected === "number") expect(actual).toBeCloseTo(expected, 12);
  else if (expected === null) expect(actual).toBeNull();
  else {
    expect(actual).toHaveLength(expected.length);
    for (const [i, x] of expected.entries()) expect_close(actual[i], x);
  }
}

test("there are cases of both forms", () => {
  expect(cases.filter((c) => c.name.endsWith("_")).length).toBeGreaterThan(30);
  expect(cases.filter((c) => !c.name.endsWith("_")).length).toBeGreaterThan(30);
});

test.each(cases.map((c) => [c.name, JSON.stringify(c.args), c] as const))("_foreach_%s of %s", (name, _, c) => {
  const inplace = name.endsWith("_");
  const args = c.args.map(made);
  const given = args.map((a) => a.given);
  if (inplace) given[0] = given[0].map((x: Any) => x.mul(1));
  const returned = (torch as Any)[`_foreach_${name}`](...given, c.kwargs);
  const result: Any[] = inplace ? given[0] : returned;
  expect_close(
    result.map((x) => x.tolist()),
    c.values,
  );
  expect(result.map((x) => x.grad_fn.name())).toEqual(c.nodes);
  const loss = result.map((x, i) => x.mul(i + 1).sum()).reduce((sum, x) => sum.add(x));
  if (c.error !== undefined) {
    expect(() => loss.backward()).toThrow(c.error[1]);
    return;
  }
  loss.backward();
  expect_close(
    args.flatMap((a) => (a.leaves === null ? [] : [a.leaves.map((x) => x.grad?.tolist() ?? null)])),
    c.grads,
  );
});
