/** @file softmax and log_softmax with vectors, and their gradients, against double. */
import { beforeEach, describe, expect, test } from "vitest";
import { SoftMaxKernel_vec } from "#aten/native/cpu/vec/generated/softmax/kernel";
import { f32_from_bits } from "#c10/util/BFloat16";
import { fp16_ieee_to_fp32_value } from "#c10/util/Half";
import { clear, FLOATS, HALVES, type Kind, memory, Room, random, stored, WORK } from "./memory.ts";

beforeEach(clear);

function rows(kind: Kind, name: "softmax_lastdim" | "log_softmax_lastdim", x: Room, n: number, in_place = false) {
  const out = in_place ? x : new Room(kind, x.data.length);
  SoftMaxKernel_vec.get(kind.dtype, memory)[name](WORK, out.address, x.address, x.data.length / n, n);
  expect(out.whole()).toBe(true);
  return out.data;
}

/** Softmax of a row, in double. */
function softmax(row: number[]): number[] {
  const max = Math.max(...row);
  const e = row.map((v) => Math.exp(v - max));
  const sum = e.reduce((a, b) => a + b);
  return e.map((v) => v / sum);
}

type Strips = "softmax_strips" | "log_softmax_strips" | "softmax_backward_strips" | "log_softmax_backward_strips";

/** `tensors` are outer x n x inner; the first is written. All strips, or those of two threads. */
function strips(kind: Kind, name: Strips, tensors: Room[], [outer, n, inner]: number[], parts = 1): Float64Array {
  const apart = inner * kind.size;
  const strip = kind.size === 2 ? 32 : 64;
  const each = Math.ceil(apart / strip);
  const kernel = SoftMaxKernel_vec.get(kind.dtype, memory)[name] as (...args: number[]) => void;
  for (let part = 0; part < parts; part++) {
    const [begin, end] = [part, part + 1].map((k) => Math.floor((k * outer * each) / parts));
    const group = Math.floor(begin / each);
    const at = tensors.map((t) => t.address + group * n * apart);
    kernel(WORK, ...at, (begin - group * each) * strip, end - begin, apart, n);
  }
  for (const t of tensors) expect(t.whole()).toBe(true);
  return Float64Array.from(tensors[0].data);
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

  test("dims that are not the last: every width, in one part and in two", () => {
    for (const [outer, n] of [
      [1, 1],
      [1, 9],
      [3, 20],
    ])
      for (const inner of [2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 19, 31, 33, 41]) {
        clear();
        const shape = [outer, n, inner];
        const next = random(inner);
        const x = new Room(kind, outer * n * inner, () => 8 * next());
        const of_log = new Room(kind, x.data.length);
        const out = new Room(kind, x.data.length);
        const log = strips(kind, "log_softmax_strips", [of_log, x], shape);
        strips(kind, "softmax_strips", [out, x], shape);
        const halves = strips(kind, "softmax_strips", [new Room(kind, x.data.length), x], shape, 2);
        expect([...halves]).toEqual([...out.data]);
        for (let o = 0; o < outer; o++)
          for (let i = 0; i < inner; i++) {
            const at = (k: number): number => (o * n + k) * inner + i;
            const row = Array.from({ length: n }, (_, k) => x.data[at(k)]);
            for (const [k, e] of softmax(row).entries()) {
              expect(Math.abs(out.data[at(k)] - e) / e).toBeLessThan((20 + n) * kind.eps);
              expect(Math.abs(log[at(k)] - Math.log(e))).toBeLessThan((20 + n) * kind.eps * 2);
            }
          }
      }
  });

  test("gradients, along the last dim and along others", () => {
    for (const [outer, n, inner] of [
      [3, 1, 1],
      [3, 21, 1],
      [2, 70, 1],
      [2, 9, 7],
      [1, 20, 40],
      [3, 5, 18],
    ]) {
      clear();
      const shape = [outer, n, inner];
      const next = random(n + inner);
      const g = new Room(kind, outer * n * inner, () => next());
      const y = new Room(kind, g.data.length, () => 2 * next()); // any numbers: exp of positive ones, too
      for (const log of [false, true]) {
        const gi = new Room(kind, g.data.length);
        const name = log ? "log_softmax_backward" : "softmax_backward";
        if (inner > 1) strips(kind, `${name}_strips`, [gi, g, y], shape);
        else
          SoftMaxKernel_vec.get(kind.dtype, memory)[`${name}_lastdim`](
            WORK,
            gi.address,
            g.address,
            y.address,
            outer,
            n,
          );
        expect(gi.whole()).toBe(true);
        for (let r = 0; r < outer * inner; r++) {
          const at = (k: number): number => (Math.floor(r / inner) * n + k) * inner + (r % inner);
          let [sum, size] = [0, 0];
          for (let k = 0; k < n; k++) {
            const term = g.data[at(k)] * (log ? 1 : y.data[at(k)]);
            sum += term;
            size += Math.abs(term);
          }
          for (let k = 0; k < n; k++) {
            const [v, w] = [g.data[at(k)], log ? Math.exp(y.data[at(k)]) : y.data[at(k)]];
            const want = log ? v - w * sum : w * (v - sum);
            const bound = (n + 8) * kind.eps * (Math.abs(v) + Math.abs(w) * (Math.abs(v) + size));
            expect(Math.abs(gi.data[at(k)] - want), `${name} ${shape} ${r} ${k}`).toBeLessThan(bound);
          }
        }
      }
    }
  });

  test("exp of what no probability's logarithm is: up to the greatest number, and beyond", () => {
    const highest = kind.size === 4 ? 88.7 : 709.7;
    const values = [highest, highest + 5, Infinity, -Infinity, 1000, -1000, 0, Number.NaN];
    const [g, y] = [new Room(kind, 8, () => 1), new Room(kind, 8, (i) => values[i])];
    const gi = new Room(kind, 8);
    SoftMaxKernel_vec.get(kind.dtype, memory).log_softmax_backward_lastdim(
      WORK,
      gi.address,
      g.address,
      y.address,
      1,
      8,
    );
    const round = kind.size === 4 ? Math.fround : (v: number): number => v;
    const want = Math.exp(round(highest)) * 8;
    expect(gi.data[0] === -Infinity || Math.abs(gi.data[0] / -want - 1) < 1e-5).toBe(true);
    expect([...gi.data].slice(1)).toEqual([-Infinity, -Infinity, 1, -Infinity, 1, -7, Number.NaN]);
  });
});

describe.each(HALVES)("$name", (kind) => {
  const value = kind.name === "float16" ? fp16_ieee_to_fp32_value : f32_from_bits;
  const values = (room: Room): number[] => [...room.data].map(value);
  const rounded = (x: number): number => value(stored(kind, x));
  const { eps } = kind;
  /** Half a unit of the last place, of numbers that are not denormal, and what float lost before. */
  const near = (x: number): number => eps * Math.abs(x) * 1.001 + 2 ** -25;

  test("rows of every length are rounded once", () => {
    for (let n = 1; n <= 70; n++) {
      clear();
      const next = random(n);
      const x = new Room(kind, 3 * n, () => 4 * next());
      const old = values(x);
      const [out, log] = (["softmax_lastdim", "log_softmax_lastdim"] as const).map((name) => {
        const to = new Room(kind, 3 * n);
        SoftMaxKernel_vec.get(kind.dtype, memory)[name](WORK, to.address, x.address, 3, n);
        expect(to.whole()).toBe(true);
        return values(to);
      });
      for (let r = 0; r < 3; r++) {
        const row = old.slice(r * n, r * n + n);
        const max = Math.max(...row);
        const sum = row.reduce((s, v) => s + Math.exp(v - max), 0);
        // The sum is rounded, and its logarithm; beside the middle of two halves either is taken.
        const logs = [sum * (1 - 1e-6), sum * (1 + 1e-6)].map((s) => rounded(Math.log(rounded(s))));
        for (const [i, e] of softmax(row).entries()) {
          expect(Math.abs(out[r * n + i] - e)).toBeLessThan(near(e));
          const off = logs.map((l) => Math.abs(log[r * n + i] - (row[i] - max - l)) / near(row[i] - max - l));
          expect(Math.min(...off)).toBeLessThan(1);
        }
      }
    }
  });

  test("what is not finite", () => {
    const x = new Room(
      kind,
      17 * 3,
      (i) => [i === 5 ? -Infinity : 0, i === 20 ? Number.NaN : 1, -Infinity][Math.floor(i / 17)],
    );
    const out = new Room(kind, 17 * 3);
    SoftMaxKernel_vec.get(kind.dtype, memory).softmax_lastdim(WORK, out.address, x.address, 3, 17);
    expect(values(out).slice(0, 17)).toEqual(Array.from({ length: 17 }, (_, i) => (i === 5 ? 0 : rounded(1 / 16))));
    expect(values(out).slice(17).every(Number.isNaN)).toBe(true);
  });

  test("dims that are not the last, and gradients along all", () => {
    for (const [outer, n, inner] of [
      [3, 1, 1],
      [3, 21, 1],
      [2, 70, 1],
      [1, 9, 4],
      [2, 9, 7],
      [2, 20, 16],
      [1, 20, 33],
      [3, 5, 18],
    ])
      for (const parts of inner > 1 ? [1, 2] : [1]) {
        clear();
        const shape = [outer, n, inner];
        const next = random(n + inner);
        const x = new Room(kind, outer * n * inner, () => 4 * next());
        const g = new Room(kind, x.data.length, () => next());
        const wide = (room: Room): Room => {
          const all = values(room);
          return new Room(FLOATS[0], all.length, (i) => all[i]);
        };
        /** Compares with float results, rounded: a half must equal them, except near the middle between two halves. */
        const check = (name: string, given: Room[]): void => {
          const run = (k: Kind, tensors: Room[]): number[] => {
            const to = new Room(k, x.data.length);
            if (inner > 1) strips(k, `${name}_strips` as Strips, [to, ...tensors], shape, parts);
            else {
              const f = SoftMaxKernel_vec.get(k.dtype, memory)[`${name}_lastdim` as "softmax_lastdim"];
              (f as (...args: number[]) => void)(WORK, to.address, ...tensors.map((t) => t.address), outer, n);
              expect(to.whole()).toBe(true);
            }
            return k === kind ? values(to) : [...to.data];
          };
          const want = run(FLOATS[0], given.map(wide));
          for (const [i, v] of run(kind, given).entries())
            expect(Math.abs(v - want[i]), `${name} ${shape} ${i}`).toBeLessThanOrEqual(near(want[i]));
        };
        if (inner > 1) for (const name of ["softmax", "log_softmax"]) check(name, [x]);
        for (const name of ["softmax_backward", "log_softmax_backward"]) check(name, [g, x]);
      }
  });
});
