/**
 * @file The check of gradients: they exist; they agree with finite differences, for these numbers and for others; and a
 * second call before backward does not disturb the first.
 * @original
 */
import torch from "glasstorch";
import { setWarningHandler } from "#c10/util/Exception";
import type { Tensor } from "#torch/_tensor/index";
import type { Grad } from "../exercise.ts";
import type { Compared, Finding } from "../report.ts";
import { own_words } from "./own_words.ts";
import { callOf } from "./recorded.ts";
import type { Scope } from "./run.ts";

type Run = (...inputs: Tensor[]) => unknown;

/** The step of finite differences in float64. */
const EPS = 1e-6;
/** Stricter than gradcheck's default: a constant that is nearly right is wrong. */
const CLOSE = { rtol: 1e-5, atol: 1e-6 };
/** The other numbers are the call's own times this factor: a right formula holds for them too. */
const ELSEWHERE = 0.75;

export function grad(spec: Grad, { session }: Scope): Finding | null {
  const { inputs, run } = callOf(session, spec.call);
  const here = (): Tensor[] => inputs() as Tensor[];
  const warnings: string[] = [];
  const previous = setWarningHandler((warning) => void warnings.push(warning.msg));
  try {
    const made = here();
    const result = run(...made) as Tensor;
    if (!result.requires_grad) return lost(spec, "the result does not require grad", "requires_grad = false");
    result.sum().backward();
    const [x] = made.filter((input) => input.requires_grad && input.grad === null);
    if (x !== undefined) return lost(spec, warnings[0] ?? "no node of the graph leads to it", "None");
    return (
      disagrees(spec, run, here, "a gradient, but not the right one") ??
      disagrees(spec, run, () => here().map(elsewhere), "right for these numbers, but not for others") ??
      disturbed(spec, run, here)
    );
  } finally {
    setWarningHandler(previous);
  }
}

function lost(spec: Grad, because: string, seen: string): Finding {
  const rows = [{ expected: "x.grad: a tensor", yours: `x.grad: ${seen}` }];
  return { headline: `${spec.call}: the gradient is lost`, rows, first: 0, because, seen };
}

/** Compares the gradient with finite differences, then the gradient's own gradient. */
function disagrees(spec: Grad, run: Run, inputs: () => Tensor[], what: string): Finding | null {
  try {
    torch.autograd.gradcheck(run, inputs(), CLOSE);
  } catch (error) {
    const made = inputs();
    (run(...made) as Tensor).sum().backward();
    const sum = (...moved: Tensor[]): Tensor => torch.no_grad(() => (run(...moved) as Tensor).sum());
    return wrong(spec, what, error, slopes(spec, sum, made, gradsOf(made)));
  }
  if (spec.twice !== true) return null;
  try {
    torch.autograd.gradgradcheck(run, inputs(), CLOSE);
  } catch (error) {
    return wrong(spec, "right, but not when it is differentiated again", error, again(spec, run, inputs()));
  }
  return null;
}

/** Second derivatives: by finite differences of the first, and by backward of backward. */
function again(spec: Grad, run: Run, made: readonly Tensor[]): readonly Compared[] {
  try {
    const sum = sumOfGrads(run, ...made);
    if (sum.requires_grad) sum.backward();
    return slopes(spec, (...moved) => sumOfGrads(run, ...moved).detach(), made, gradsOf(made));
  } catch {
    return [{ expected: "a gradient of the gradient", yours: "an error" }];
  }
}

/** Checks that two calls keep separate values until backward. */
function disturbed(spec: Grad, run: Run, inputs: () => Tensor[]): Finding | null {
  const [alone, first] = [inputs(), inputs()];
  (run(...alone) as Tensor).sum().backward();
  const result = run(...first) as Tensor;
  run(...inputs().map(elsewhere));
  result.sum().backward();
  const grads = gradsOf(first);
  const rows = gradsOf(alone).flatMap((grad, i): Compared[] =>
    numbers(grad).map((value, j) => compared(nameOf(spec, first, i), j, value, numbers(grads[i])[j])),
  );
  const at = rows.findIndex((row) => row.expected !== row.yours);
  if (at === -1) return null;
  return {
    headline: `${spec.call}: wrong if another call comes before backward`,
    rows,
    first: at,
    because: "there was another call with other numbers before backward: backward got the tensors of that second call",
    seen: "called again",
  };
}

function elsewhere(input: Tensor): Tensor {
  if (!torch.is_tensor(input) || !input.requires_grad) return input;
  return input.detach().mul(ELSEWHERE).requires_grad_();
}

function wrong(spec: Grad, what: string, error: unknown, rows: readonly Compared[]): Finding {
  const first = Math.max(
    rows.findIndex((row) => row.expected !== row.yours),
    0,
  );
  const because = rows[first].yours.endsWith("NaN")
    ? "where finite differences give a number, backward gives NaN"
    : firstLine(error);
  return { headline: `${spec.call}: ${what}`, rows, first, because, seen: "wrong" };
}

/** The first line of a message; the first two if the first only announces numbers. */
function firstLine(error: unknown): string {
  const [first, second = ""] = own_words(String((error as Error).message)).split("\n");
  return second.startsWith("numerical:") ? first.replace(/,$/, "") : `${first} ${second}`.trim();
}

/** The sum of all gradients of the sum of a call's result. */
function sumOfGrads(run: Run, ...made: Tensor[]): Tensor {
  const wanted = made.filter((input) => input.requires_grad);
  const grads = torch.autograd.grad((run(...made) as Tensor).sum(), wanted, { create_graph: true });
  return (grads as Tensor[]).map((grad) => grad.sum()).reduce((a, b) => a.add(b));
}

/** The slopes of `f` at the first elements of each input: by finite differences, and as found. */
function slopes(
  spec: Grad,
  f: (...inputs: Tensor[]) => Tensor,
  made: readonly Tensor[],
  found: readonly (Tensor | null)[],
): Compared[] {
  return made.flatMap((input, i): Compared[] => {
    if (!input.requires_grad) return [];
    const at = (j: number, step: number): number => {
      const moved = made.map((each) => each.detach().clone());
      moved[i].view([-1]).__getitem__(j).add_(step);
      for (const [k, each] of moved.entries()) each.requires_grad_(made[k].requires_grad);
      return f(...moved).item() as number;
    };
    const name = nameOf(spec, made, i);
    return Array.from({ length: Math.min(input.numel(), 4) }, (_, j) =>
      compared(name, j, (at(j, EPS) - at(j, -EPS)) / (2 * EPS), numbers(found[i])[j] ?? 0),
    );
  });
}

function compared(name: string, j: number, expected: number, yours: number): Compared {
  // the sign of a zero is dropped
  const told = (value: number): string => `d/d${name}[${j}] = ${value.toFixed(4).replace(/^-(0\.0+)$/, "$1")}`;
  return { expected: told(expected), yours: told(yours) };
}

/** The input's name in the call: `x` in "f(x, w)". */
function nameOf({ call }: Grad, made: readonly Tensor[], i: number): string {
  const names = /\(([\w, ]+)\)/.exec(call)?.[1].split(", ") ?? [];
  return names.length >= made.length ? names[i] : "x";
}

function gradsOf(made: readonly Tensor[]): (Tensor | null)[] {
  return made.map(({ grad }) => grad);
}

function numbers(grad: Tensor | null): number[] {
  return grad === null ? [] : (grad.flatten().tolist() as number[]);
}
