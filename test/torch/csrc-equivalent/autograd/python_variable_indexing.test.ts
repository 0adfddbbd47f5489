/**
 * Masks of several dims among other indices, int64 at its limits, halves that overflow: as PyTorch. Recorded by
 * tools/oracle/record_indexing.py.
 */
import torch from "glasstorch";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { type Any, readFixture } from "../../../helpers/recorded.ts";

type Row = [ts: string, python: string, outcome: string | [error: string, message: string]];
const { rows } = readFixture<{ rows: Row[] }>(new URL("../../../fixtures/front_end/indexing.json.gz", import.meta.url));

const t = torch as Any;
const scope = {
  torch,
  x: (...shape: number[]) => t.arange(shape.reduce((a, b) => a * b, 1)).view(...shape),
  m: t.tensor([
    [true, false, true],
    [false, true, true],
  ]),
  w: t.tensor([
    [true, false],
    [true, true],
    [false, true],
  ]),
  v: t.tensor([true, false]),
  i: t.tensor([0]),
};

test("torch.slice takes the arguments of Python's slice", () => {
  const x = torch.arange(5);
  expect(x.at(torch.slice(2)).tolist()).toEqual([0, 1]);
  expect(x.at(torch.slice(-1)).tolist()).toEqual([0, 1, 2, 3]);
  expect(x.at(torch.slice(null)).tolist()).toEqual([0, 1, 2, 3, 4]);
  expect(x.at(torch.slice()).tolist()).toEqual([0, 1, 2, 3, 4]);
  expect(x.at(torch.slice(2, null)).tolist()).toEqual([2, 3, 4]);
  expect(x.at(torch.slice(1, 4)).tolist()).toEqual([1, 2, 3]);
  expect(x.at(torch.slice(null, null, 2)).tolist()).toEqual([0, 2, 4]);
});

let usual: ReturnType<typeof setWarningHandler>;
beforeEach(() => {
  usual = setWarningHandler(() => {});
});
afterEach(() => {
  setWarningHandler(usual);
});

describe("answers", () => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = row[0].replace(/\(.*/s, "").replace(/^x$/, row[0].replace(/\)\..*/, ")"));
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  test.each([...groups])("of %s", (_group, calls) => {
    for (const [ts, python, expected] of calls) {
      let outcome: Any;
      try {
        outcome = String(new Function(...Object.keys(scope), `return ${ts}`)(...Object.values(scope)));
      } catch (error) {
        outcome = [(error as Error).name, (error as Error).message];
      }
      expect({ python, outcome }).toEqual({ python, outcome: expected });
    }
  });
});
