/**
 * `torch.use_deterministic_algorithms` as in PyTorch: the switches, the value that fills unwritten memory, which operations refuse or
 * warn, which calls are made. Recorded by tools/oracle/record_deterministic.py.
 */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { afterEach, describe, expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { _upsample_linear_vec } from "#torch/_decomp/upsampling";
import { repr } from "#torch/csrc-equivalent/utils/python_repr";
import { type Any, readFixture } from "../helpers/recorded.ts";

type Result = string | readonly [error: string, message: string];
type Tree = readonly [name: string, below?: readonly Tree[]];
type Sizes = readonly number[] | null;

const { switches, programs, calls, upsampling } = readFixture<{
  switches: [ts: string, py: string, Result, warnings: string[], mode: number][];
  programs: [ts: string, py: string, Record<string, [Result, warnings: string[]]>][];
  calls: [ts: string, py: string, Tree[]][];
  upsampling: [
    dtype: string,
    shape: number[],
    data: number[],
    [size: Sizes, align_corners: boolean, factors: Sizes],
    [shape: number[], data: number[]],
    grad: number[] | null,
  ][];
}>(new URL("../fixtures/front_end/deterministic.json.gz", import.meta.url));

function set_to(mode: string, fill: boolean): void {
  torch.set_deterministic_debug_mode(mode);
  torch.utils.deterministic.fill_uninitialized_memory = fill;
}

const usual = setWarningHandler(null);
setWarningHandler(usual);
afterEach(() => {
  set_to("default", true);
  setWarningHandler(usual);
});

const slice = (start: number, stop: number | null) => torch.slice(start, stop);
const compiled = (ts: string): ((...names: unknown[]) => Any) => new Function("torch", "slice", `return ${ts}`) as Any;

function outcome(ts: string): [Result, string[]] {
  const said: string[] = [];
  setWarningHandler((warning) => {
    if (warning.msg.includes("deterministic")) said.push(warning.msg);
  });
  try {
    return [repr(compiled(ts)(torch, slice) ?? null), said];
  } catch (error) {
    return [[(error as Error).name, (error as Error).message], said];
  }
}

test("the switches, one after the other", () => {
  const got = switches.map(([ts, py]) => [ts, py, ...outcome(ts), torch.get_deterministic_debug_mode()]);
  expect(got).toEqual(switches);
});

describe("each alone, under each setting", () => {
  test.each(programs)("%s", (ts, _py, expected) => {
    const got = Object.keys(expected).map((setting) => {
      const [mode, fill] = setting.split(", ");
      set_to(mode, fill === "true");
      return [setting, outcome(ts)];
    });
    expect(Object.fromEntries(got)).toEqual(expected);
  });
});

/** The operators of a trace as calls, each with those that it called. */
function trees(run: () => unknown): Tree[] {
  const roots: Tree[] = [];
  const lists = new Map<number | null, Tree[]>();
  for (const event of record(run).toJSON().events as Any[]) {
    const list = lists.get(event.parent) ?? roots;
    if (event.kind !== "op" || event.how === "redispatch") {
      lists.set(event.id, list);
      continue;
    }
    const below: Tree[] = [];
    lists.set(event.id, below);
    list.push([event.op.split(".")[0], below]);
  }
  const told = ([name, below = []]: Tree): Tree => (below.length > 0 ? [name, below.map(told)] : [name]);
  return roots.map(told);
}

test.each(calls)("the calls of %s", (ts, _py, expected) => {
  set_to("error", true);
  const made = trees(() => compiled(ts)(torch, slice));
  const on_meta = ts.includes("interpolate");
  expect(on_meta ? made.map(([name]) => [name]) : made).toEqual(expected);
});

test.each(upsampling)(
  "upsampling in terms of indices: %s %j",
  (dtype, shape, data, [size, corners, factors], result, grad) => {
    const dt = (torch as Any)[dtype];
    const x = torch.tensor(data, { dtype: dt }).reshape(shape).detach();
    if (grad !== null) x.requires_grad_();
    const got = _upsample_linear_vec(x, size, corners, factors);
    torch.testing.assert_close(got.detach(), torch.tensor(result[1], { dtype: dt }).reshape(result[0]));
    if (grad === null) return;
    const weights = torch
      .arange(got.numel())
      .remainder(7)
      .reshape([...got.shape])
      .to(got.dtype);
    got.mul(weights).sum().backward();
    torch.testing.assert_close(x.grad as Any, torch.tensor(grad, { dtype: dt }).reshape(shape));
  },
);

test("what is deterministic asks once, when it is called: the gradient of a call that was made before is filled, too", () => {
  const x = torch.zeros([2], { requires_grad: true });
  const y = x.mul(2).sum();
  torch.use_deterministic_algorithms(true);
  y.backward();
  expect((x.grad as Any).tolist()).toEqual([2, 2]);
});
