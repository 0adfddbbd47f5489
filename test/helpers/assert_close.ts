/**
 * @file Closeness as torch.testing has it: `|actual - expected| <= atol + rtol * |expected|`, tolerances by dtype, the worst element told.
 */
export type Tolerances = Readonly<Record<string, { readonly rtol: number; readonly atol: number }>>;

export const tolerances: Tolerances = {
  float64: { rtol: 1e-7, atol: 1e-7 },
  float32: { rtol: 1.3e-6, atol: 1e-5 },
  bfloat16: { rtol: 1.6e-2, atol: 1e-5 },
  float16: { rtol: 1e-3, atol: 1e-5 },
};

export type Elements = readonly (number | bigint | boolean)[];

/** Null when close, otherwise where and how far the worst element lies. Equal NaNs are equal. */
export function farthest(actual: Elements, expected: Elements, dtype: string, by = tolerances): string | null {
  const tolerance = by[dtype] ?? { rtol: 0, atol: 0 };
  let worst = 0;
  let message: string | null = null;
  if (actual.length !== expected.length) return `${actual.length} elements instead of ${expected.length}`;
  for (let i = 0; i < expected.length; i++) {
    const a = actual[i];
    const e = expected[i];
    if (Object.is(a, e) || a === e) continue;
    if (typeof a !== "number" || typeof e !== "number") return `element ${i} is ${a}, expected ${e}`;
    if (Number.isNaN(a) && Number.isNaN(e)) continue;
    const excess = Math.abs(a - e) - (tolerance.atol + tolerance.rtol * Math.abs(e));
    if (excess <= 0) continue;
    if (message === null || excess > worst || Number.isNaN(excess)) {
      worst = excess;
      message = `element ${i} is ${a}, expected ${e} (difference ${Math.abs(a - e)}, rtol ${tolerance.rtol}, atol ${tolerance.atol})`;
    }
  }
  return message;
}
