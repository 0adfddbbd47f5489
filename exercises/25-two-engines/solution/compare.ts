/**
 * @file The first operator at which two recordings of one model part.
 * @original
 */

export { prelu } from "./engine.ts";

/** The result of one operator, as an engine has recorded it. */
export interface Step {
  /** The layer of the model: `2.weight` belongs to layer `2`. */
  readonly layer: string;
  readonly shape: readonly number[];
  /** `NCHW`: channels before rows and columns, as in PyTorch. `NHWC`: channels last. Other shapes have no such choice. */
  readonly layout: "NCHW" | "NHWC";
  /** The numbers in the order of memory. */
  readonly values: readonly number[];
}

/** Both engines compute in float32 and add in another order, so the last digits differ. */
export const RTOL = 1e-4;
export const ATOL = 1e-6;

/** The numbers in the order of PyTorch: for NHWC, rows and columns come last. */
export function in_our_order({ shape, layout, values }: Step): number[] {
  // ex:begin(25.layout)
  if (layout === "NCHW" || shape.length !== 4) return [...values];
  const [n, h, w, c] = shape as [number, number, number, number];
  const out: number[] = [];
  for (let i = 0; i < n; i++)
    for (let k = 0; k < c; k++) for (let j = 0; j < h * w; j++) out.push(values[(i * h * w + j) * c + k] as number);
  return out;
  // ex:stub
  // return [...values];
  // ex:end
}

/** Whether two numbers are equal up to rounding. Two NaN are equal here: both engines have the same problem. */
export function close(a: number, b: number): boolean {
  // ex:begin(25.close)
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a === b;
  return Math.abs(a - b) <= ATOL + RTOL * Math.abs(b);
  // ex:stub
  // return a === b;
  // ex:end
}

/**
 * The layer of the first step that differs; null if none does. The other engine may have joined two layers into one step, or left out
 * one that does nothing: only layers that both have recorded are compared, in the order of `ours`.
 */
export function first_difference(ours: readonly Step[], theirs: readonly Step[]): string | null {
  // ex:begin(25.first)
  for (const step of ours) {
    const other = theirs.find(({ layer }) => layer === step.layer);
    if (other === undefined) continue;
    const [a, b] = [in_our_order(other), in_our_order(step)];
    if (a.length !== b.length || a.some((value, i) => !close(value, b[i] as number))) return step.layer;
  }
  return null;
  // ex:stub
  // void [ours, theirs];
  // return null;
  // ex:end
}
