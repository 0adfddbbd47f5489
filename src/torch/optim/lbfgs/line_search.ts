/**
 * @file The line search of L-BFGS: finds a step length that satisfies the strong Wolfe conditions.
 * @mirrors torch/optim/lbfgs.py#_strong_wolfe
 */
import type { Tensor } from "#torch/_tensor/index";
import { torch } from "#torch/_torch";
import { abs, add, div, le, lt, max, min, mul, type NumberOrTensor, neg, sub } from "#torch/optim/python_operators";

/** A step length, with the loss, the gradient and the slope at that point. */
interface Point {
  t: NumberOrTensor;
  f: number;
  g: Tensor;
  gtd: Tensor;
}

/** The minimum, between two points, of the cubic through their losses and slopes; the midpoint if it has none. */
export function _cubic_interpolate(
  p1: Omit<Point, "g">,
  p2: Omit<Point, "g">,
  bounds: readonly [NumberOrTensor, NumberOrTensor] | null = null,
): NumberOrTensor {
  const { t: x1, f: f1, gtd: g1 } = p1;
  const { t: x2, f: f2, gtd: g2 } = p2;
  const rising = le(x1, x2);
  const [xmin_bound, xmax_bound] = bounds ?? (rising ? [x1, x2] : [x2, x1]);
  const d1 = sub(add(g1, g2), div(3 * (f1 - f2), sub(x1, x2))) as Tensor;
  const d2_square = d1.pow(2).sub(g1.mul(g2));
  if (!le(0, d2_square)) return div(add(xmin_bound, xmax_bound), 2);
  const d2 = d2_square.sqrt();
  const min_pos = rising
    ? sub(
        x2,
        mul(
          sub(x2, x1),
          g2
            .add(d2)
            .sub(d1)
            .div(g2.sub(g1).add(d2.mul(2))),
        ),
      )
    : sub(
        x1,
        mul(
          sub(x1, x2),
          g1
            .add(d2)
            .sub(d1)
            .div(g1.sub(g2).add(d2.mul(2))),
        ),
      );
  return min(max(min_pos, xmin_bound), xmax_bound);
}

/** A function that returns loss and gradient at distance `t` along the direction. */
export type ObjFunc = (t: NumberOrTensor) => [loss: number, flat_grad: Tensor];

function contiguous_copy(g: Tensor): Tensor {
  return g.clone({ memory_format: torch.contiguous_format });
}

export interface WolfeOptions {
  readonly c1?: number;
  readonly c2?: number;
  readonly tolerance_change?: number;
  readonly max_ls?: number;
}

/**
 * First it finds a bracket that contains a good step: steps grow until one is too long. Then it makes the bracket smaller.
 * @param d the direction
 * @param start `t` is the first length to try; `f`, `g` and `gtd` belong to the starting point
 * @returns loss and gradient at the step that was found, its length, and the number of evaluations of the loss
 */
export function _strong_wolfe(
  obj_func: ObjFunc,
  d: Tensor,
  start: Point,
  { c1 = 1e-4, c2 = 0.9, tolerance_change = 1e-9, max_ls = 25 }: WolfeOptions = {},
): [f: number, g: Tensor, t: NumberOrTensor, ls_func_evals: number] {
  const d_norm = d.abs().max();
  const { f, gtd } = start;
  const g = contiguous_copy(start.g);
  const at = (t: NumberOrTensor): Point => {
    const [f_new, g_new] = obj_func(t);
    return { t, f: f_new, g: g_new, gtd: g_new.dot(d) };
  };
  const keep = (point: Point): Point => ({ ...point, g: contiguous_copy(point.g) });
  /** Whether the loss has not decreased enough for this step length. */
  const too_high = (point: Point): boolean => lt(add(f, mul(mul(c1, point.t), gtd)), point.f);
  /** Whether the slope is flat enough. */
  const flat = (point: Point): boolean => le(abs(point.gtd), mul(neg(c2), gtd));

  let now = at(start.t);
  let ls_func_evals = 1;
  let previous: Point = { t: 0, f, g, gtd };
  let bracket: Point[] = [];
  let done = false;
  let ls_iter = 0;
  while (ls_iter < max_ls) {
    if (too_high(now) || (ls_iter > 1 && now.f >= previous.f)) {
      bracket = [previous, keep(now)];
      break;
    }
    if (flat(now)) {
      bracket = [now];
      done = true;
      break;
    }
    if (le(0, now.gtd)) {
      bracket = [previous, keep(now)];
      break;
    }
    const min_step = add(now.t, mul(0.01, sub(now.t, previous.t)));
    const max_step = mul(now.t, 10);
    const t = _cubic_interpolate(previous, now, [min_step, max_step]);
    previous = keep(now);
    now = at(t);
    ls_func_evals += 1;
    ls_iter += 1;
  }
  if (ls_iter === max_ls) bracket = [{ t: 0, f, g, gtd }, now];

  let insuf_progress = false;
  const order = (): [number, number] => (bracket[0].f <= (bracket.at(-1) as Point).f ? [0, 1] : [1, 0]);
  let [low_pos, high_pos] = order();
  while (!done && ls_iter < max_ls) {
    const [a, b] = bracket;
    if (lt(mul(abs(sub(b.t, a.t)), d_norm), tolerance_change)) break;
    let t = _cubic_interpolate(a, b);

    // The step was too close to an end twice: keep a distance of a tenth of the bracket.
    const [left, right] = [min(a.t, b.t), max(a.t, b.t)];
    const eps = mul(0.1, sub(right, left));
    if (lt(min(sub(right, t), sub(t, left)), eps)) {
      if (insuf_progress || le(right, t) || le(t, left)) {
        t = lt(abs(sub(t, right)), abs(sub(t, left))) ? sub(right, eps) : add(left, eps);
        insuf_progress = false;
      } else {
        insuf_progress = true;
      }
    } else {
      insuf_progress = false;
    }

    now = at(t);
    ls_func_evals += 1;
    ls_iter += 1;
    if (too_high(now) || now.f >= bracket[low_pos].f) {
      bracket[high_pos] = keep(now);
      [low_pos, high_pos] = order();
    } else {
      if (flat(now)) done = true;
      else if (le(0, mul(now.gtd, sub(bracket[high_pos].t, bracket[low_pos].t)))) bracket[high_pos] = bracket[low_pos];
      bracket[low_pos] = keep(now);
    }
  }
  const found = bracket[low_pos];
  return [found.f, found.g, found.t, ls_func_evals];
}
