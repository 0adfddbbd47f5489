/** @file softmax and log_softmax with vectors against double. */
import { beforeEach, describe, expect, test } from "vitest";
import { SoftMaxKernel_vec } from "#aten/native/cpu/vec/generated/SoftMaxKernel";
import { clear, FLOATS, type Kind, memory, Room, random, WORK } from "./memory.ts";

beforeEach(clear);

function rows(kind: Kind, name: "softmax_lastdim" | "log_softmax_lastdim", x: Room, n: number, in_place = false) {
  const out = in_place ? x : new Room(kind, x.data.length);
  SoftMaxKernel_vec.get(kind.dtype, memory)[name](WORK, out.address, x.address, x.data.length / n, n);
  expect(out.whole()).toBe(true);
  return out.data;
}

/** Of a row: in double. */
function softmax(row: number[]): number[] {
  const max = Math.max(...row);
  const e = row.map((v) => Math.exp(v - max));
  const sum = e.reduce((a, b) => a + b);
  return e.map((v) => v / sum);
}

describe.each(FLOATS)("$name", (kind) => {
  test("rows of every length", () => {
    for (let n = 1; n <= 70; n++) {
      clear();
      const next = random(n);
      const x = new Room(kind, 3 * n, () => 8 * next());
      const old = [...x.data];
      const log = rows(kind, "log_softmax_lastdim", x, n);
      const out = rows(kind, "softmax_lastdim", x, n);
      for (let r = 0; r < 3; r++) {
        // x - max is rounded before exp: up to 16 eps; then exp, the sum, the quotient.
        for (const [i, e] of softmax(old.slice(r * n, r * n + n)).entries()) {
          expect(Math.abs(out[r * n + i] - e) / e).toBeLessThan((16 + n / 4 + 4) * kind.eps);
          expect(Math.abs(log[r * n + i] - Math.log(e))).toBeLessThan((16 + n / 4 + 4) * kind.eps * 2);
        }
      }
      expect([...rows(kind, "softmax_lastdim", x, n, true)], "in place").toEqual([...out]);
    }
  });
  test("-Infinity is exactly 0, and what is far below the greatest is", () => {
    const x = new Room(kind, 20, (i) => [0, -Infinity, -1e30, -710][i % 4]);
    const out = rows(kind, "softmax_lastdim", x, 20);
    for (const [i, v] of out.entries()) if (i % 4 !== 0) expect(Object.is(v, 0)).toBe(true);
    expect(out[0]).toBeCloseTo(0.2, 7);
    const log = rows(kind, "log_softmax_lastdim", x, 20);
    expect(log[1]).toBe(-Infinity);
    expect(log[3]).toBeCloseTo(-710 - Math.log(5), 3);
  });
  test("NaN, +Infinity and a row of -Infinity make a row of NaN, and touch no other", () => {
    for (const [odd, rest] of [
      [Number.NaN, 1],
      [Infinity, 1],
      [-Infinity, -Infinity],
    ] as const)
      for (const place of [17, 30, 33]) {
        const x = new Room(kind, 51, (i) => (i < 17 || i >= 34 ? i : i === place ? odd : rest));
        for (const name of ["softmax_lastdim", "log_softmax_lastdim"] as const)
          for (const [i, v] of rows(kind, name, x, 17).entries()) expect(Number.isNaN(v)).toBe(i >= 17 && i < 34);
      }
  });
});
