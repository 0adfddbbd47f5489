/**
 * @file More elementary functions of vectors, put in place in kernel text written here: against doubles over a million floats
 * of all magnitudes (`ALL_FLOATS=1`: over all of them, minutes a function), where they have corners, and in company.
 * @original
 */
import { describe, expect, it } from "vitest";
import type { VecLoops } from "#aten/cpu/vec/VecLoops";
import { ScalarType } from "#c10/core/ScalarType";
import { erf, erfc } from "../../../helpers/erf.ts";
import { exact } from "../../../helpers/exact.ts";
import { loops_of_text } from "../../../helpers/kernel_text.ts";
import {
  between,
  COUNT,
  everywhere,
  from_bits,
  input,
  memory,
  output,
  run,
  worst,
} from "../../../helpers/vector_accuracy.ts";

const ALL = process.env["ALL_FLOATS"] !== undefined;
const PATIENCE = ALL ? 3_600_000 : 30_000;

function loops_of(name: string): VecLoops {
  const text = `import type { scalar_t } from "#aten/Dispatch";
import { ${name} } from "#c10/util/math";
/** @loop ${name}_vml_cpu: floating types and halves */
export function ${name}_of(a: scalar_t): scalar_t {
  return ${name}(a);
}
`;
  return loops_of_text(text, `${name}_of`);
}

interface Case {
  readonly f: (x: number) => number;
  /** Units of the last place. */
  readonly limit: number;
  readonly low: number;
  readonly high: number;
  /** Results for 0, -0, Infinity, -Infinity, NaN, -1 and the smallest float. */
  readonly corners: readonly number[];
}

const TINY = 2 ** -149;
const { fround } = Math;
// biome-ignore format: table
const cases: Readonly<Record<string, Case>> = {
  sin: { f: Math.sin, limit: 0.501, low: -40, high: 40, corners: [0, -0, NaN, NaN, NaN, fround(Math.sin(-1)), TINY] },
  cos: { f: Math.cos, limit: 0.501, low: -40, high: 40, corners: [1, 1, NaN, NaN, NaN, fround(Math.cos(1)), 1] },
  tan: { f: Math.tan, limit: 0.501, low: -40, high: 40, corners: [0, -0, NaN, NaN, NaN, fround(Math.tan(-1)), TINY] },
  expm1: { f: Math.expm1, limit: 1.1, low: -18, high: 89, corners: [0, -0, Infinity, -1, NaN, fround(Math.expm1(-1)), TINY] },
  log1p: { f: Math.log1p, limit: 0.87, low: -1, high: 3, corners: [0, -0, Infinity, NaN, NaN, -Infinity, TINY] },
  erf: { f: erf, limit: 1.25, low: -4.5, high: 4.5, corners: [0, -0, 1, -1, NaN, fround(erf(-1)), TINY] },
  erfc: { f: erfc, limit: 0.502, low: -4, high: 10.2, corners: [1, 1, 0, 2, NaN, fround(erfc(-1)), 1] },
};

/** Fills the input, again and again. */
function* inputs({ low, high }: Case): Generator<void> {
  yield everywhere();
  yield between(low, high);
  if (ALL) for (let first = 0; first < 2 ** 32; first += COUNT) yield from_bits(first);
}

describe("elementary functions in kernel text", () => {
  for (const [name, the] of Object.entries(cases)) {
    const loops = loops_of(name);

    it(
      `${name} is within ${the.limit} units of the last place`,
      () => {
        let [ulps, at] = [0, 0];
        for (const _ of inputs(the)) {
          run(loops);
          const found = worst(the.f);
          if (!(found.ulps <= ulps)) ({ ulps, at } = found);
        }
        console.log(`${name}: ${ulps.toFixed(4)} ulp at ${at}`);
        expect(ulps).toBeLessThanOrEqual(the.limit);
      },
      PATIENCE,
    );

    it(`${name} has the corners of C's`, () => {
      input.set([0, -0, Infinity, -Infinity, NaN, -1, TINY]);
      run(loops);
      expect([...output.subarray(0, 7)]).toEqual(the.corners);
    });

    it(`${name} gives the halves what it gives floats`, () => {
      const [half, float] = [ScalarType.Half, ScalarType.Float].map((t) => loops.find(t)?.kernel?.values.length);
      expect(half).toBe(float);
    });
  }

  it("normal_cdf is within 2.5e-7, and 0 or 1 where nothing is left", () => {
    const loops = loops_of("normal_cdf");
    const phi = (x: number): number => 0.5 * (1 + erf(x * Math.SQRT1_2));
    let error = 0;
    for (const lay of [everywhere, () => between(-6, 6)]) {
      lay();
      run(loops);
      for (let i = 0; i < COUNT; i++)
        if (!Number.isNaN(input[i])) error = Math.max(error, Math.abs(output[i] - phi(input[i])));
    }
    console.log(`normal_cdf: ${error}`);
    expect(error).toBeLessThanOrEqual(2.5e-7);
    input.set([0, -0, Infinity, -Infinity, NaN, -5.5, 5.5, -3e38, 3e38, -TINY]);
    run(loops);
    expect([...output.subarray(0, 10)]).toEqual([0.5, 0.5, 1, 0, NaN, 0, 1, 0, 1, 0.5]);
  });

  it("a lane's result is its own, whatever the length, its place and its neighbours", () => {
    const loops = ["sin", "cos", "tan", "erfc"].map((name) => loops_of(name).find(ScalarType.Float));
    const values = [0.5, -3, 33554431, 33554432, -1e9, 2 ** 60, -(2 ** 90), 2 ** 110, 3e38, Infinity, NaN, 1e-40, 100];
    for (const loop of loops) {
      const f = loop?.function(memory, false) as (...args: number[]) => void;
      const alone = values.map((x) => {
        input[0] = x;
        f(1, 1, 64, output.byteOffset, 0, input.byteOffset, 4, 0);
        return output[0];
      });
      for (let n = 1; n <= 40; n++) {
        // Large ones everywhere, then among others, then nowhere.
        for (const step of [1, 5, 13]) {
          const chosen = Array.from({ length: n }, (_, i) => (i % step === 0 ? (i * 7) % values.length : 1));
          input.set(chosen.map((k) => values[k]));
          input[n] = 7;
          f(n, 1, 64, input.byteOffset, 0, input.byteOffset, 4, 0); // in place
          expect([...input.subarray(0, n + 1)]).toEqual([...chosen.map((k) => alone[k]), 7]);
        }
      }
      for (const [k, x] of values.entries()) {
        input[0] = x;
        f(9, 1, 64, output.byteOffset, 0, input.byteOffset, 0, 0); // one value for all
        expect([...output.subarray(0, 9)]).toEqual(new Array(9).fill(alone[k]));
      }
    }
  });

  // ---- doubles

  for (const [name, limit, low, high] of [
    ["expm1", 1.1, -40, 709],
    ["expm1", 1, -1, 1],
    ["log1p", 0.9, 1e-30, 1e300],
    ["log1p", 0.9, -0.99, 1],
  ] as const) {
    it(`${name} of doubles from ${low} to ${high} is within ${limit} units of the last place`, () => {
      const n = 1 << 14;
      const x = new Float64Array(memory.buffer, 4096, n);
      const y = new Float64Array(memory.buffer, 4096 + 8 * n, n);
      const ratio = low > 0 ? high ** 0.25 / low ** 0.25 : 0; // four steps, for their quotient has no double
      for (let i = 0; i < n; i++)
        x[i] = ratio > 0 ? low * ratio ** ((4 * i) / (n - 1)) : low + ((high - low) * (i + 0.37)) / n;
      loops_of(name).find(ScalarType.Double)?.function(memory, false)(n, 1, 64, y.byteOffset, 0, x.byteOffset, 8, 0);
      let [ulps, at] = [0, 0];
      for (let i = 0; i < n; i++) {
        const error = Math.abs(exact[name](x[i], y[i]));
        if (!(error <= ulps)) [ulps, at] = [error, x[i]];
      }
      console.log(`${name} of doubles: ${ulps.toFixed(3)} ulp at ${at}`);
      expect(ulps).toBeLessThanOrEqual(limit);
    });
  }

  it("those of doubles have the corners of C's functions", () => {
    const corners = [0, -0, Infinity, -Infinity, NaN, -1, 5e-324, -5e-324, 1e-310, 710];
    const x = new Float64Array(memory.buffer, 4096, corners.length);
    const y = new Float64Array(memory.buffer, 8192, corners.length);
    const results = (name: string): number[] => {
      x.set(corners);
      const f = loops_of(name).find(ScalarType.Double)?.function(memory, false);
      f?.(corners.length, 1, 64, y.byteOffset, 0, x.byteOffset, 8, 0);
      return [...y];
    };
    const tiny = [5e-324, -5e-324, 1e-310];
    expect(results("expm1")).toEqual([0, -0, Infinity, -1, NaN, Math.expm1(-1), ...tiny, Infinity]);
    expect(results("log1p")).toEqual([0, -0, Infinity, NaN, NaN, -Infinity, ...tiny, Math.log1p(710)]);
  });

  it("what is too dear for vectors of doubles says so", () => {
    for (const name of ["sin", "cos", "tan"]) {
      const loop = loops_of(name).find(ScalarType.Double);
      expect(loop?.kernel).toBeNull();
      expect(loop?.refusal).toContain(`no Math.${name} of f64`);
    }
  });
});
