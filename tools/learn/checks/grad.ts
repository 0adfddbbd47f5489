/**
 * @file Gradients: that they come at all, then that they agree with finite differences.
 * @original
 */
import torch from "glasstorch";
import { setWarningHandler } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor";
import type { Grad } from "../exercise.ts";
import type { Compared, Finding } from "../report.ts";
import { callOf } from "./recorded.ts";
import type { Scope } from "./run.ts";

/** Of a finite difference in float64. */
const EPS = 1e-6;
/** Closer than gradcheck is by default: a constant that is nearly right is wrong. */
const CLOSE = { rtol: 1e-5, atol: 1e-6 };

export function grad(spec: Grad, { session }: Scope): Finding | null {
  const { inputs, run } = callOf(session, spec.call);
  const warnings: string[] = [];
  const previous = setWarningHandler((warning) => void warnings.push(warning.msg));
  try {
    const made = inputs() as Tensor[];
    const result = run(...made) as Tensor;
    if (!result.requires_grad) return lost(spec, "the result does not require grad", "requires_grad = false");
    result.sum().backward();
    const [x] = made.filter((input) => input.requires_grad && input.grad === null);
    if (x !== undefined) return lost(spec, warnings[0] ?? "no node of the graph leads to it", "None");
    const rows = differences(run, made, namesIn(spec.call));
    const first = Math.max(
      rows.findIndex((row) => row.expected !== row.yours),
      0,
    );
    try {
      torch.autograd.gradcheck(run, inputs(), CLOSE);
    } catch (error) {
      const because = rows[first].yours.endsWith("NaN")
        ? "where finite differences give a number, backward gives NaN"
        : firstLine(error);
      return { headline: `${spec.call}: a gradient, but not the right one`, rows, first, because, seen: "wrong" };
    }
    try {
      if (spec.twice === true) torch.autograd.gradgradcheck(run, inputs(), CLOSE);
    } catch (error) {
      return {
        headline: `${spec.call}: the gradient is right, and the gradient's own is not`,
        rows: [{ expected: "backward can be differentiated as well", yours: "it cannot, or comes out wrong" }],
        first: 0,
        because: firstLine(error),
        seen: "wrong again",
      };
    }
    return null;
  } finally {
    setWarningHandler(previous);
  }
}

/** `x` and `y` of `torch.ldexp(x, y)`. */
function namesIn(call: string): string[] {
  return (/\(([\w, ]*)\)/.exec(call)?.[1] ?? "").split(", ");
}

function firstLine(error: unknown): string {
  return String((error as Error).message)
    .split("\n")[0]
    .replace(/,\s*$/, "");
}

function lost(spec: Grad, because: string, seen: string): Finding {
  const rows = [{ expected: "x.grad: a tensor", yours: `x.grad: ${seen}` }];
  return { headline: `${spec.call}: the gradient is lost`, rows, first: 0, because, seen };
}

/** The gradient of the sum at the first elements, by finite differences and as backward gave it. */
function differences(
  run: (...inputs: Tensor[]) => unknown,
  made: readonly Tensor[],
  names: readonly string[],
): Compared[] {
  const rows: Compared[] = [];
  made.forEach((input, i) => {
    if (input.grad === null) return;
    const backward = input.grad.flatten().tolist() as number[];
    for (let j = 0; j < Math.min(backward.length, 4); j++) {
      const at = (step: number): number =>
        torch.no_grad(() => {
          const moved = made.map((each, k) => (k === i ? each.detach().clone() : each));
          moved[i].view([-1]).__getitem__(j).add_(step);
          return (run(...moved) as Tensor).sum().item() as number;
        });
      const slope = (at(EPS) - at(-EPS)) / (2 * EPS);
      const label = `d/d${names[i] ?? "x"}[${j}]`;
      rows.push({ expected: `${label} = ${slope.toFixed(4)}`, yours: `${label} = ${backward[j].toFixed(4)}` });
    }
  });
  return rows;
}
