/** @file exp and log of vectors against double: the largest errors are asserted. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { assemble } from "#aten/cpu/vec/assembler";
import { instantiate } from "#aten/cpu/vec/modules";
import { compile_vec } from "../../../../../tools/codegen/kernels/compile_vec.ts";
import { read_vec_file } from "../../../../../tools/codegen/kernels/vec_source.ts";
import { clear, FLOATS, type Kind, memory, Room } from "./memory.ts";

beforeEach(clear);

const FOLDER = "src/aten/native/cpu/vec";
const files = new Map([[`${FOLDER}/functions.ts`, readFileSync(`${FOLDER}/functions.ts`, "utf8")]]);

type Map1 = (to: number, from: number, bytes: number) => void;

function compiled(kind: Kind, name: string): Map1 {
  const text = `/**
 * @vec X: ${kind.name}
 */
import { ${name} } from "./functions.ts";
export function f(to: ptr, from: ptr, bytes: int): void {
  for (let k = 0; k < bytes; k += 16) store(to + k, ${name}(load(from + k)));
}`;
  const made = compile_vec(read_vec_file(`${FOLDER}/X.ts`, text, files), kind.name, false);
  return (instantiate(assemble(made, { initial: 0, maximum: 65536, shared: true }), memory) as { f: Map1 }).f;
}

function of(kind: Kind, name: string, values: number[]): number[] {
  clear();
  const x = new Room(kind, Math.ceil(values.length / 4) * 4, (i) => values[i] ?? 1);
  const out = new Room(kind, x.data.length);
  compiled(kind, name)(out.address, x.address, x.data.length * kind.size);
  return [...out.data.slice(0, values.length)];
}

/** The distance to `right`, in units of its last place in this format. */
function ulps(kind: Kind, value: number, right: number): number {
  return Math.abs(value - right) / (2 ** (Math.floor(Math.log2(Math.abs(right))) + 1) * kind.eps);
}

describe.each(FLOATS)("$name", (kind) => {
  const round = kind.size === 4 ? Math.fround : (x: number): number => x;
  const lowest = kind.size === 4 ? -87.32 : -708.3;

  test("exp_nonpositive, to the smallest normal number: 1 ulp", () => {
    let worst = 0;
    for (let part = 0; part < 8; part++) {
      const x = Array.from({ length: 50_000 }, (_, i) => round((lowest * (8 * i + part)) / 400_000));
      for (const [i, v] of of(kind, "exp_nonpositive", x).entries())
        worst = Math.max(worst, ulps(kind, v, Math.exp(x[i])));
    }
    expect(worst).toBeGreaterThan(0.4);
    expect(worst).toBeLessThanOrEqual(1); // of float64: whole ulps, as the right one is rounded, too
  });
  test("exp_nonpositive at the ends", () => {
    expect(of(kind, "exp_nonpositive", [0, -0, -Infinity, Number.NaN, 2 * lowest, -1e30, -1e-30])).toEqual([
      1,
      1,
      0,
      Number.NaN,
      0,
      0,
      1,
    ]);
  });
  test("log_from_one: 2 ulp, and exactly 0 for 1", () => {
    let worst = 0;
    const x = Array.from({ length: 200_000 }, (_, i) => round(1.0001 ** (i / 2 + 1)));
    const powers = Array.from({ length: 60 }, (_, i) => 2 ** (i + 1));
    for (const values of [x, powers])
      for (const [i, v] of of(kind, "log_from_one", values).entries())
        worst = Math.max(worst, ulps(kind, v, Math.log(values[i])));
    expect(worst).toBeGreaterThan(0.4);
    expect(worst).toBeLessThanOrEqual(2);
    expect(of(kind, "log_from_one", [1, Number.NaN])).toEqual([0, Number.NaN]);
  });
});
