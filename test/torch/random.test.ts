/**
 * Seeds and states of the CPU's generator: a state saved in PyTorch goes on here, byte for byte (tools/oracle/record_random.py).
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { type Any, readFixture } from "../helpers/recorded.ts";

const { states, calls } = readFixture<{
  states: [program: string, python: string, state: string, drawn: number[]][];
  calls: [ts: string, python: string, outcome: Any][];
}>(new URL("../fixtures/testing/random.json.gz", import.meta.url));

function draw(): number[] {
  return [
    ...torch.randn(3).tolist(),
    ...torch.rand(700).at(torch.slice(-2, null)).tolist(),
    ...torch.randint(0, 1000, [4]).tolist(),
  ] as number[];
}

describe("states", () => {
  test.each(states)("%s", (program, _python, recorded, drawn) => {
    new Function("torch", program)(torch);
    const state = torch.get_rng_state();
    expect(Buffer.from(state.tolist() as number[]).toString("base64")).toBe(recorded);
    expect(draw()).toEqual(drawn);
  });

  test.each(states)("recorded in PyTorch after %s", (_program, _python, recorded, drawn) => {
    torch.manual_seed(1);
    torch.set_rng_state(torch.tensor([...Buffer.from(recorded, "base64")], { dtype: torch.uint8 }));
    expect(draw()).toEqual(drawn);
  });

  test("a clone draws the same, on its own", () => {
    const g = new torch.Generator().manual_seed(5);
    torch.randn([3], { generator: g });
    const copy = g.clone_state();
    const mine = torch.randn([4], { generator: g }).tolist();
    expect(torch.randn([4], { generator: copy }).tolist()).toEqual(mine);
  });
});

function fork(...args: unknown[]): boolean {
  torch.manual_seed(9);
  const first = torch.rand(1).item();
  torch.manual_seed(9);
  (torch.random.fork_rng as Any)(...args, () => torch.rand(5));
  return torch.rand(1).item() === first;
}

test.each(calls)("%s", (ts, _python, outcome) => {
  const run = () => new Function("torch", "g", "fork", `return ${ts};`)(torch, new torch.Generator(), fork);
  if (!Array.isArray(outcome)) {
    const value = run();
    expect(typeof value === "bigint" ? String(value) : value).toEqual(outcome);
    return;
  }
  const [type, message] = outcome;
  let thrown: Any = null;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect([thrown?.constructor.name.replace(/_$/, ""), thrown?.message.split("\n")[0]]).toEqual([type, message]);
});
