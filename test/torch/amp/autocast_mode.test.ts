/**
 * Autocast on the CPU: what every kind of operator casts to, gradients, the cache, states and refusals; every row as PyTorch answers it
 * (tools/oracle/record_autocast.py).
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { set_warnAlways, setWarningHandler } from "#c10/util/Exception";
import { farthest } from "../../helpers/assert_close.ts";
import { type Any, readFixture } from "../../helpers/recorded.ts";

type Row = [ts: string, python: string, outcome: Any, warned: string[]];
const { inputs, rows } = readFixture<{ inputs: number[][][]; rows: Row[] }>(
  new URL("../../fixtures/testing/autocast.json.gz", import.meta.url),
);

function on(...args: Any[]): Any {
  return (torch.autocast as Any)("cpu", ...args);
}

function scope(): Record<string, Any> {
  const [x, w] = inputs.map((values) => torch.tensor(values));
  const i = torch.tensor([
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
  ]);
  const [xg, wg] = [x.clone().requires_grad_(), w.clone().requires_grad_()];
  const names: Record<string, Any> = { x, w, v: torch.tensor([0.5, 1.5, 2.5]), i, xg, wg };
  for (const [suffix, dtype] of [
    ["b", torch.bfloat16],
    ["h", torch.float16],
    ["d", torch.float64],
  ] as const) {
    names[`x${suffix}`] = x.to(dtype);
    names[`w${suffix}`] = w.to(dtype);
  }
  return {
    ...names,
    torch,
    F: torch.nn.functional,
    on,
    grads(fn: () => Any) {
      const loss = on(fn);
      loss.backward();
      return [loss.detach(), xg.grad, wg.grad];
    },
    casts(kwargs: object, fn: () => Any) {
      const nodes = on(kwargs, fn).map((y: Any) => (y.grad_fn === null ? null : y.grad_fn.next_functions[1][0]));
      return [nodes[0] === nodes[1]];
    },
    decorated: (...args: Any[]) => (torch.autocast("cpu") as Any).decorate(torch.mm)(...args),
    custom(cast_inputs: Any) {
      class Mm extends torch.autograd.Function {
        static override forward = torch.amp.custom_fwd(
          (ctx: Any, a: Any, b: Any) => {
            ctx.save_for_backward(a, b);
            return a.mm(b);
          },
          { device_type: "cpu", cast_inputs },
        );
        static override backward = torch.amp.custom_bwd(
          (ctx: Any, g: Any) => {
            const [a, b] = ctx.saved_tensors;
            return [g.mm(b.t()), a.t().mm(g)];
          },
          { device_type: "cpu" },
        );
      }
      const y = on(() => Mm.apply(xg, wg));
      y.sum().backward();
      return [y.detach(), xg.grad, wg.grad];
    },
    name: (_o: Any) => "autocast",
  };
}

function check(answer: Any, outcome: Any): void {
  if (Array.isArray(outcome)) {
    expect(answer.length).toBe(outcome.length);
    for (const [i, value] of outcome.entries()) check(answer[i], value);
  } else if (typeof outcome === "object" && outcome !== null) {
    expect(String(answer.dtype)).toBe(outcome.dtype);
    const dtype = outcome.dtype.slice("torch.".length);
    expect(farthest([answer.tolist()].flat(9), [outcome.data].flat(9), dtype)).toBeNull();
  } else {
    expect(typeof outcome === "string" ? String(answer) : (answer ?? null)).toBe(outcome);
  }
}

test.each(rows)("%s", (ts, _python, outcome, warned) => {
  const names = scope();
  const run = () => new Function(...Object.keys(names), `return ${ts};`)(...Object.values(names));
  const texts: string[] = [];
  const before = setWarningHandler(({ msg }) => texts.push(msg));
  set_warnAlways(true);
  try {
    if (outcome?.error === undefined) check(run(), outcome);
    else {
      let thrown: Any = null;
      try {
        run();
      } catch (error) {
        thrown = error;
      }
      expect([thrown?.constructor.name.replace(/_$/, ""), thrown?.message]).toEqual([outcome.error, outcome.message]);
    }
  } finally {
    setWarningHandler(before);
    set_warnAlways(false);
  }
  expect(texts).toEqual(warned);
  expect([torch.is_autocast_enabled("cpu"), String(torch.get_autocast_dtype("cpu"))]).toEqual([
    false,
    "torch.bfloat16",
  ]);
});
