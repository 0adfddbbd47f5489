/**
 * @file Where a key leads from a step of a figure; the same moves as in the full viewer.
 * @original
 */
import type { Figure, FigureStep } from "./figure_types";

/** The position of the first step that is called so, in full, by its end or by its beginning; -1 if none is. */
export function stepNamed(steps: readonly FigureStep[], name: string): number {
  for (const fits of [
    (s: FigureStep) => s.name === name || s.short === name,
    (s: FigureStep) => s.name.endsWith(name),
    (s: FigureStep) => s.name.startsWith(name) || s.short.startsWith(name),
  ]) {
    const found = steps.findIndex(fits);
    if (found !== -1) return found;
  }
  return -1;
}

export type Move = "next" | "back" | "into" | "out" | "over" | "first" | "last" | "nextDispatch" | "previousDispatch";

export function move(figure: Figure, step: number, how: Move): number {
  const { steps } = figure;
  const last = steps.length - 1;
  const end = steps[step]?.end ?? last;
  switch (how) {
    case "next":
      return Math.min(step + 1, last);
    case "back":
      return Math.max(step - 1, 0);
    case "into":
      return end > step + 1 ? step + 1 : step;
    case "out":
      return parent(figure, step);
    case "over":
      return end <= last ? end : step;
    case "first":
      return 0;
    case "last":
      return last;
    case "nextDispatch":
      return dispatch(figure, step, 1);
    case "previousDispatch":
      return dispatch(figure, step, -1);
  }
}

function parent(figure: Figure, step: number): number {
  const depth = figure.steps[step]?.depth ?? 0;
  for (let s = step - 1; s >= 0; s--) if ((figure.steps[s]?.depth ?? 0) < depth) return s;
  return step;
}

function dispatch(figure: Figure, step: number, by: 1 | -1): number {
  for (let s = step + by; s >= 0 && s < figure.steps.length; s += by) if (figure.steps[s]?.kind === "op") return s;
  return step;
}
