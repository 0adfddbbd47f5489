/**
 * PyTorch's front end, call by call: refusals of arguments, printed tensors, new tensors, indexing.
 * Recorded by tools/oracle/record_front_end.py.
 */

import torch from "glasstorch";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { repr } from "#torch/csrc-equivalent/utils/python_repr";
import { type Any, readFixture } from "../helpers/recorded.ts";

type Outcome = null | string | readonly [error: string, message: string];

let usual: ReturnType<typeof setWarningHandler>;
beforeEach(() => {
  usual = setWarningHandler(() => {});
});
afterEach(() => {
  setWarningHandler(usual);
});

function outcome(run: () => unknown): Outcome {
  try {
    const result = run();
    return typeof result === "string" ? result : null;
  } catch (error) {
    return [(error as Error).name, (error as Error).message];
  }
}

describe("arguments", () => {
  const { rows } = readFixture<{ rows: [string, string, Any[], Record<string, Any>, Outcome][] }>(
    new URL("../fixtures/front_end/arguments.json.gz", import.meta.url),
  );
  const by_name = group(rows);
  for (const [name, calls] of by_name) {
    test(name, () => {
      for (const [kind, fn, args, kwargs, expected] of calls) {
        const values: Record<string, Any> = {
          $a: torch.tensor([1.5, 2.5]),
          $b: torch.ones(2, 2),
          $float32: torch.float32,
        };
        const decode = (value: Any): Any => {
          if (typeof value === "string") return values[value] ?? value;
          if (Array.isArray(value)) return value.map(decode);
          return value !== null && typeof value === "object" ? torch.Float(value.$float) : value;
        };
        const target: Any = kind === "torch" ? torch : torch.tensor([1.5, 2.5]);
        const keywords = Object.entries(kwargs).map(([k, v]) => [k, decode(v)]);
        const got = outcome(() => {
          target[fn](...args.map(decode), ...(keywords.length > 0 ? [Object.fromEntries(keywords)] : []));
        });
        expect({ fn, args, kwargs, outcome: got }).toEqual({ fn, args, kwargs, outcome: expected });
      }
    });
  }
});

function group(rows: [string, string, Any[], Record<string, Any>, Outcome][]): Map<string, typeof rows> {
  const groups = new Map<string, typeof rows>();
  for (const row of rows) groups.set(`${row[0]}.${row[1]}`, [...(groups.get(`${row[0]}.${row[1]}`) ?? []), row]);
  return groups;
}

describe("programs", () => {
  const { rows } = readFixture<{ rows: [string, string, string, Outcome][] }>(
    new URL("../fixtures/front_end/programs.json.gz", import.meta.url),
  );
  for (const [kind, ts, py, expected] of rows) {
    test(`${kind}: ${py}`, () => {
      const run = new Function("torch", `return ${ts}`);
      expect(outcome(() => repr(run(torch)))).toEqual(expected);
    });
  }
});
