/**
 * @file The outcome of a gallery program, and of PyTorch's run of the same program.
 *
 * `test/fixtures/gallery.json.gz` is written by `tools/oracle/record_gallery.py`, which runs `gallery/pytorch/*.py` in PyTorch on one thread.
 * @original
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Module, Tensor } from "glasstorch";

/** The outcome of a run. A program leaves out the fields that it lacks. */
export interface Outcome {
  /** Loss of every step, from the first. */
  readonly losses: readonly number[];
  /** The part of unseen data that was said right. */
  readonly accuracy?: number;
  /** Text that the trained model wrote. */
  readonly text?: string;
  readonly logits?: readonly number[];
  /** Sum and sum of magnitudes of each parameter and buffer, added in float64. */
  readonly parameters: Readonly<Record<string, readonly [sum: number, magnitudes: number]>>;
}

export interface Options {
  readonly steps?: number;
  /** Called after every step with the losses so far. */
  readonly on_step?: (losses: readonly number[]) => void;
}

export type Run = (options?: Options) => Outcome;

/** Nobody listens. */
export function quiet(): void {}

export function sums(net: Module): Outcome["parameters"] {
  const of = (value: Tensor): number => value.double().sum().item() as number;
  const named = [...net.named_parameters(), ...net.named_buffers()];
  return Object.fromEntries(named.map(([name, value]) => [name, [of(value), of(value.abs())]]));
}

/** A run of PyTorch: how it was begun, and what came of it. */
export interface Recorded extends Outcome {
  readonly options: Options & { readonly steps: number };
  /** How far PyTorch's own runs lie apart, where it added in another order: see the Note. Of a whole run. */
  readonly itself?: { readonly losses: number; readonly parameters: number };
}

/** PyTorch's two runs of a program: a short one, for tests, and the whole. */
export function recorded(name: string): { readonly torch: string; readonly short: Recorded; readonly whole: Recorded } {
  const fixture = new URL("../../test/fixtures/gallery.json.gz", import.meta.url);
  const { torch, programs } = JSON.parse(gunzipSync(readFileSync(fixture)).toString());
  const [short, whole] = programs[name];
  for (const run of [short, whole]) run.losses = run.losses.map(Math.fround); // nine digits name a float32
  return { torch, short, whole };
}

/** How far apart two numbers are: the difference, measured by the greater of the second and `scale`. */
export function apart(ours: number, theirs: number, scale = 0): number {
  return ours === theirs ? 0 : Math.abs(ours - theirs) / Math.max(Math.abs(theirs), scale);
}

const farthest = (distances: readonly number[]): number => distances.reduce((a, b) => Math.max(a, b), 0);

// Note [How close a training run stays]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A sum of floats depends on its order, and the order on the width of the processor's vectors: PyTorch's own runs differ from one machine
// to the next in the last digit of a float32 (6e-8). Training makes more of each difference, step by step, and how much more is the
// program's own: the recorder runs each again with other vectors, other kernels of PyTorch's libraries and another number of threads, and
// writes down how far apart these lie. An MLP's losses stay within 2e-5; a GPT's are 2e-4 apart after 300 steps, and LeNet's last, near
// 0, are anything. So a curve is held tightly where it begins, and over all its steps to 1e-4, or to three times what PyTorch itself
// shows (six runs do not show the farthest that may be), but never more loosely than 1e-3. What is seen on the way is printed by
// every program and told in gallery/README.md.
const BEGINNING = { steps: 10, within: 1e-6 };
const WITHIN = { least: 1e-4, times_itself: 3, most: 1e-3 };

/** How far a run is from PyTorch's, by part; losses as far as both go, the rest only of runs of as many steps. */
export function distances(ours: Outcome, theirs: Outcome): Record<string, number> {
  const steps = Math.min(ours.losses.length, theirs.losses.length);
  const losses = theirs.losses.slice(0, steps).map((loss, i) => apart(ours.losses[i], loss));
  const first = Math.min(steps, BEGINNING.steps);
  const found: Record<string, number> = { [`losses of the first ${first} steps`]: farthest(losses.slice(0, first)) };
  if (steps > first) found[`losses of all ${steps} steps`] = farthest(losses);
  if (ours.losses.length !== theirs.losses.length) return found;
  if (theirs.logits !== undefined) {
    const scale = farthest(theirs.logits.map(Math.abs));
    found["logits, by the greatest"] = farthest(theirs.logits.map((logit, i) => apart(ours.logits![i], logit, scale)));
  }
  const sums = Object.entries(theirs.parameters).map(([name, [sum, magnitudes]]) => {
    const [our_sum, our_magnitudes] = ours.parameters[name];
    return Math.max(apart(our_sum, sum, magnitudes), apart(our_magnitudes, magnitudes));
  });
  found["sums of parameters"] = farthest(sums);
  return found;
}

function most(part: string, { itself }: Partial<Recorded>): number {
  if (part.startsWith("losses of the first")) return BEGINNING.within;
  const apart = part.startsWith("losses") ? itself?.losses : itself?.parameters;
  return Math.min(WITHIN.most, Math.max(WITHIN.least, WITHIN.times_itself * (apart ?? 0)));
}

/** Differences between a run and PyTorch's, one line each. */
export function complaints(ours: Outcome, theirs: Outcome & Partial<Recorded>): string[] {
  const found = Object.entries(distances(ours, theirs))
    .filter(([part, distance]) => !(distance <= most(part, theirs)))
    .map(([part, distance]) => `${part}: ${distance.toExponential(1)} apart`);
  if (ours.losses.length !== theirs.losses.length) return found;
  if (ours.text !== theirs.text) found.push(`the text is ${ours.text}\nin PyTorch  ${theirs.text}`);
  if (ours.accuracy !== theirs.accuracy) found.push(`the accuracy is ${ours.accuracy}, in PyTorch ${theirs.accuracy}`);
  return found;
}
