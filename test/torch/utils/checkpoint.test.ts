/**
 * Checkpoints: results, gradients, how often a region runs, refusals; every row as PyTorch answers it (tools/oracle/record_checkpoint.py).
 */
import torch from "glasstorch";
import { expect, test } from "vitest";
import { setWarningHandler } from "#c10/util/Exception";
import { farthest } from "../../helpers/assert_close.ts";
import { type Any, readFixture } from "../../helpers/recorded.ts";

const { checkpoint, checkpoint_sequential, set_checkpoint_early_stop, GraphExecGroup } = torch.utils.checkpoint as Any;
const { save_on_cpu } = torch.autograd.graph;

type Row = [ts: string, python: string, outcome: Any, warned: string[]];
const { rows } = readFixture<{ rows: Row[] }>(new URL("../../fixtures/testing/checkpoint.json.gz", import.meta.url));

/** The regions of the recorder's prelude. */
function prelude(): Record<string, Any> {
  torch.manual_seed(3);
  const x = torch.tensor([0.5, 1.5, 2.5], { requires_grad: true });
  const w = torch.tensor([1.0, 2.0, 3.0], { dtype: torch.float32, requires_grad: true });
  const log: number[] = [];
  const logged =
    (body: (...args: Any[]) => Any, what = 1) =>
    (...args: Any[]) => {
      log.push(what);
      return body(...args);
    };
  const region = logged((a) => a.mul(w).sin().exp());
  return {
    ...{ x, w, log, region },
    noisy: logged((a) => torch.nn.functional.dropout(a.mul(w), 0.5).sin()),
    pair: logged((a, b) => [a.mul(b), b.exp()]),
    named: logged((a, { scale = 1 }) => a.mul(scale).sin()),
    matmul: logged((a) => torch.mm(a.reshape([1, 3]), w.reshape([3, 1]).div(3)).sin()),
    failing: () => {
      throw new RangeError("no");
    },
    changing: logged((a) => (log.length === 1 ? a.sin() : a.sin().cos())),
    fewer: logged((a) => (log.length === 1 ? a.sin().cos().exp() : a.mul(1))),
    wider: logged((a) => (log.length === 1 ? a : torch.cat([a, a])).sin().sum()),
    inner_grad: logged((a) => {
      const y = a.sin();
      return y.mul(torch.autograd.grad(y.cos().sum(), a)[0]);
    }),
    nested: logged((a) => checkpoint(region, a.cos(), { use_reentrant: false }).sin(), 2),
    ...{ checkpoint, checkpoint_sequential, set_checkpoint_early_stop, GraphExecGroup, save_on_cpu },
  };
}

function flat(value: Any): number[] {
  if (value instanceof torch.Tensor) return value.flatten().tolist() as number[];
  return [value].flat(9).map(Number);
}

test.each(rows)("%s", (ts, _python, outcome, warned) => {
  const names = prelude();
  const program = new Function("torch", ...Object.keys(names), `let result = []; ${ts}; return result;`);
  const texts: string[] = [];
  const before = setWarningHandler(({ msg }) => texts.push(msg));
  try {
    if (Array.isArray(outcome)) {
      const result = program(torch, ...Object.values(names)) as Any[];
      expect(result.length).toBe(outcome.length);
      for (const [i, value] of result.entries()) expect(farthest(flat(value), flat(outcome[i]), "float32")).toBeNull();
    } else {
      let thrown: Any = null;
      try {
        program(torch, ...Object.values(names));
      } catch (error) {
        thrown = error;
      }
      const type = thrown instanceof RangeError ? "ValueError" : thrown?.constructor.name.replace(/_$/, "");
      expect([type, thrown?.message]).toEqual([outcome.error, outcome.message]);
    }
  } finally {
    setWarningHandler(before);
  }
  expect(texts).toEqual(warned);
  expect(torch.is_grad_enabled()).toBe(true);
});
