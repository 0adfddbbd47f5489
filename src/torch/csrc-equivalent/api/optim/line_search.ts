/**
 * @file The line search of L-BFGS: finds a step length that satisfies the strong Wolfe conditions.
 * @mirrors torch/csrc/api/include/torch/optim/lbfgs.h#LBFGS
 */
import type { Tensor } from "#aten/generated/core/TensorBody";
import { MemoryFormat } from "#c10/core/MemoryFormat";

/** A step length, with the loss, the gradient and the slope at that point. */
interface Point {
  readonly t: number;
  readonly f: number;
  readonly g: Tensor;
  readonly gtd: Tensor;
}

const slope = (point: Point): number => point.gtd.item().toDouble();

/** The minimum, between two points, of the cubic through their losses and slopes; the midpoint if it has none. */
function _cubic_interpolate(p1: Point, p2: Point, bounds: readonly [number, number] | null = null): number {
  const rising = p1.t <= p2.t;
  const [low, high] = rising ? [p1, p2] : [p2, p1];
  const [xmin_bound, xmax_bound] = bounds ?? [low.t, high.t];
  const [g1, g2] = [slope(p1), slope(p2)];
  const d1 = g1 + g2 - (3 * (p1.f - p2.f)) / (p1.t - p2.t);
  const d2_square = d1 ** 2 - g1 * g2;
  if (!(d2_square >= 0)) return (xmin_bound + xmax_bound) / 2;
  const d2 = Math.sqrt(d2_square);
  const min_pos = high.t - (high.t - low.t) * ((slope(high) + d2 - d1) / (slope(high) - slope(low) + 2 * d2));
  return Math.min(Math.max(min_pos, xmin_bound), xmax_bound);
}

/** Armijo's constant, Wolfe's constant, the smallest change of the length, the largest number of steps. */
const [c1, c2, tolerance_change, max_ls] = [1e-4, 0.9, 1e-9, 25];

/**
 * First it finds a bracket that contains a good step: steps grow until one is too long. Then it makes the bracket smaller.
 * @param obj_func loss and gradient at distance `t` along the direction
 * @param d the direction
 * @param start `t` is the first length to try; `f`, `g` and `gtd` belong to the starting point
 */
export function _strong_wolfe(
  obj_func: (t: number) => [loss: number, flat_grad: Tensor],
  d: Tensor,
  start: Point,
): Point & { readonly ls_func_evals: number } {
  const d_norm = d.abs().max().item().toDouble();
  const origin: Point = { ...start, t: 0, g: start.g.clone(MemoryFormat.Contiguous) };
  const slope_0 = slope(origin);
  let ls_func_evals = 0;
  const at = (t: number): Point => {
    const [f, g] = obj_func(t);
    ls_func_evals += 1;
    return { t, f, g: g.clone(MemoryFormat.Contiguous), gtd: g.dot(d) };
  };
  /** Whether the loss has not decreased enough for this step length. */
  const too_high = (point: Point): boolean => point.f > origin.f + c1 * point.t * slope_0;
  /** Whether the slope is flat enough. */
  const flat = (point: Point): boolean => Math.abs(slope(point)) <= -c2 * slope_0;

  let now = at(start.t);
  let previous = origin;
  let bracket: Point[] = [];
  let done = false;
  let ls_iter = 0;
  for (; ls_iter < max_ls; ls_iter++) {
    if (too_high(now) || (ls_iter > 1 && now.f >= previous.f)) {
      bracket = [previous, now];
      break;
    }
    if (flat(now)) {
      bracket = [now, now];
      done = true;
      break;
    }
    if (slope(now) >= 0) {
      bracket = [previous, now];
      break;
    }
    const t = _cubic_interpolate(previous, now, [now.t + 0.01 * (now.t - previous.t), now.t * 10]);
    previous = now;
    now = at(t);
  }
  if (ls_iter === max_ls) bracket = [origin, now];

  let insuf_progress = false;
  const order = (): [number, number] => (bracket[0].f <= bracket[1].f ? [0, 1] : [1, 0]);
  let [low_pos, high_pos] = order();
  while (!done && ls_iter < max_ls) {
    const [a, b] = bracket;
    if (Math.abs(b.t - a.t) * d_norm < tolerance_change) break;
    let t = _cubic_interpolate(a, b);

    // A step that is too close to an end twice keeps a distance of a tenth of the bracket.
    const [left, right] = [Math.min(a.t, b.t), Math.max(a.t, b.t)];
    const eps = 0.1 * (right - left);
    if (Math.min(right - t, t - left) < eps) {
      if (insuf_progress || t >= right || t <= left) {
        t = Math.abs(t - right) < Math.abs(t - left) ? right - eps : left + eps;
        insuf_progress = false;
      } else {
        insuf_progress = true;
      }
    } else {
      insuf_progress = false;
    }

    now = at(t);
    ls_iter += 1;
    if (too_high(now) || now.f >= bracket[low_pos].f) {
      bracket[high_pos] = now;
      [low_pos, high_pos] = order();
    } else {
      if (flat(now)) done = true;
      else if (slope(now) * (bracket[high_pos].t - bracket[low_pos].t) >= 0) bracket[high_pos] = bracket[low_pos];
      bracket[low_pos] = now;
    }
  }
  return { ...bracket[low_pos], ls_func_evals };
}
