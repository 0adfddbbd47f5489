/**
 * Modes: what `__torch_dispatch__` is handed, by which overload, and what becomes of what it returns; every row as PyTorch answers it
 * (tools/oracle/record_dispatch_modes.py).
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { farthest } from "../../helpers/assert_close.ts";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const modes = torch.utils._python_dispatch;
const { TorchDispatchMode } = modes;
const { NotImplemented, enable_reentrant_dispatch } = torch.overrides;

type Row = [ts: string, python: string, calls: Any[], outcome: Any];
const { rows } = readFixture<{ rows: Row[] }>(
  new URL("../../fixtures/testing/dispatch_modes.json.gz", import.meta.url),
);

let calls: Any[] = [];

function plain(value: Any): Any {
  if (value === undefined) return null;
  if (value instanceof torch.Tensor) return "a tensor";
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  if (value.constructor !== Object) return String(value);
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, plain(value[key])]),
  );
}

class Log extends TorchDispatchMode {
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  override __torch_dispatch__(func: Any, types: readonly unknown[], args: unknown[], kwargs: object): unknown {
    expect(types).toEqual([]);
    calls.push([this.name, String(func), args.length, plain(kwargs), torch.is_grad_enabled()]);
    return func(...args, kwargs);
  }
}

class Handle extends TorchDispatchMode {
  readonly handler: (...args: Any[]) => unknown;

  constructor(handler: (...args: Any[]) => unknown) {
    super();
    this.handler = handler;
  }

  override __torch_dispatch__(func: Any, _types: readonly unknown[], args: unknown[], kwargs: object): unknown {
    return this.handler(func, args, kwargs);
  }
}

function check(answer: Any, outcome: Any): void {
  if (Array.isArray(outcome)) {
    const list = [...answer];
    expect(list.length).toBe(outcome.length);
    for (const [i, value] of outcome.entries()) check(list[i], value);
  } else if (outcome?.tensor !== undefined) {
    expect(farthest([answer.tolist()].flat(9), [outcome.tensor].flat(9), "float32")).toBeNull();
    expect(answer.requires_grad).toBe(outcome.requires_grad);
  } else {
    expect(answer ?? null).toEqual(outcome);
  }
}

describe("__torch_dispatch__", () => {
  test.each(rows)("%s", (ts, _python, recorded, outcome) => {
    const scope = {
      ...{ torch, NotImplemented, enable_reentrant_dispatch, F: torch.nn.functional, ...modes },
      x: torch.tensor(
        [
          [0.5, 1.5],
          [2.5, 3.5],
        ],
        { requires_grad: true },
      ),
      y: torch.ones(2, 2),
      log: (fn: () => Any, name = "outer") => new Log(name).with(fn),
      handle: (handler: (...args: Any[]) => unknown, fn: () => Any) => new Handle(handler).with(fn),
      fail: () => {
        throw new RangeError("no");
      },
    };
    calls = [];
    const before = setWarningHandler(() => {});
    try {
      const run = () => new Function(...Object.keys(scope), `return ${ts};`)(...Object.values(scope));
      if (outcome?.error === undefined) check(run(), outcome);
      else expect(run).toThrow(outcome.message);
    } finally {
      setWarningHandler(before);
    }
    expect(calls).toEqual(recorded);
    expect(modes._get_current_dispatch_mode()).toBeNull();
    expect(String(torch._C._dispatch_tls_local_include_set())).not.toContain("Python");
  });
});
