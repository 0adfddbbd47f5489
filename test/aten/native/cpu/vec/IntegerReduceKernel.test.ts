/** @file Sums, products and extremes of integers with vectors: what the kernels without give, whatever the lengths, and nothing beside it. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { describe, expect, test } from "vitest";
import {
  max_values_tile_instances,
  min_values_tile_instances,
  prod_tile_instances,
} from "#aten/native/cpu/generated/ReduceOpsKernel/index";
import { integer_sum_instances } from "#aten/native/cpu/generated/SumKernel";
import { IntegerReduceKernel_vec } from "#aten/native/cpu/vec/generated/reduce/integers";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { ScalarType } from "#c10/core/ScalarType";
import { heap_may_be_full, tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { memory, random } from "./memory.ts";

const KINDS = [
  { name: "int32", dtype: ScalarType.Int, size: 4, make: Int32Array, of: (x: number) => x, lowest: -(2 ** 31) },
  { name: "int64", dtype: ScalarType.Long, size: 8, make: BigInt64Array, of: BigInt, lowest: -(2 ** 63) },
] as const;
const REDUCTIONS = [
  ["sum", integer_sum_instances, 0],
  ["prod", prod_tile_instances, 1],
  ["max_values", max_values_tile_instances, -1],
  ["min_values", min_values_tile_instances, 1],
] as const;
const LENGTHS = [1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100, 127, 1000];

/** Places in the memory, in bytes. */
const [X, OUT] = [1 << 20, 1 << 19];

describe.each(KINDS)("$name", ({ dtype, size, make, of, lowest }) => {
  const f = IntegerReduceKernel_vec.get(dtype, memory);
  const all = new make(memory.buffer as unknown as ArrayBuffer) as BigInt64Array;

  /** Large ones, so that sums and products wrap, and the extremes among them. */
  function lay(n: number, outputs: number, start: number): BigInt64Array {
    const next = random(n + outputs);
    for (let i = 0; i < n; i++) {
      const r = next();
      all[X / size + i] = of(r > 0.9 ? lowest : Math.trunc(next() * -lowest * (r > 0 ? 1 : 1e-8))) as bigint;
    }
    const first = OUT / size;
    all.fill(of(7) as bigint, first - 4, first + outputs + 4);
    all.fill(of(start === -1 ? lowest : start) as bigint, first, first + outputs);
    return all.slice(first - 4, first + outputs + 4);
  }

  const written = (outputs: number): bigint[] => [...all.slice(OUT / size - 4, OUT / size + outputs + 4)];

  test.each(REDUCTIONS)("%s of neighbours", (name, tiles, start) => {
    const run = tiles.get(dtype) as unknown as (...args: unknown[]) => void;
    for (const n of LENGTHS) {
      const [count, gap] = [7, 3];
      const wanted = lay(count * (n + gap), 2 * count, start);
      run(wanted, 4, 2, 0, all, X / size, n + gap, 1, n, count);
      f[`${name}_inner`](OUT, 2 * size, X, (n + gap) * size, count, n);
      expect(written(2 * count), `${n}`).toEqual([...wanted]);
    }
  });

  test.each(REDUCTIONS)("%s of columns", (name, tiles, start) => {
    const run = tiles.get(dtype) as unknown as (...args: unknown[]) => void;
    for (const n of [1, 2, 3, 4, 5, 8, 15, 33]) {
      for (const columns of [1, 3, 4, 5, 16, 31, 66, 2500]) {
        const wanted = lay(n * (columns + 2), columns, start);
        run(wanted, 4, 0, 1, all, X / size, columns + 2, 1, columns, n);
        f[`${name}_outer`](OUT, X, (columns + 2) * size, columns, n);
        expect(written(columns), `${n} ${columns}`).toEqual([...wanted]);
      }
    }
  });
});

describe("through the front end", () => {
  const vectors = get_cpu_capability() >= CPUCapability.SIMD128;
  const x = torch.arange(-700, 700, { dtype: torch.int64 }).mul(9007199254740993n).reshape([35, 40]);
  const calls: readonly [string, (t: Tensor) => Tensor][] = [
    ["sum_inner", (t) => t.sum()],
    ["sum_inner", (t) => t.sum(1)],
    ["sum_outer", (t) => t.sum(0)],
    ["prod_inner", (t) => t.prod(1)],
    ["max_values_outer", (t) => t.amax(0)],
    ["min_values_inner", (t) => t.amin(1)],
    ["max_values_inner", (t) => t.max()],
    ["min_values_inner", (t) => t.min()],
  ];

  test.each(calls)("%s runs and gives what BigInt gives", (symbol, call) => {
    const trace = record(() => call(x));
    const loops = trace.events.filter((e) => e.kind === "loop").map((e) => String(e["scalar"]));
    if (vectors && tensors_in_heap && !heap_may_be_full) expect(loops).toContain(`at::native::${symbol}`);
    const rows = x.tolist() as unknown as (number | bigint)[][];
    const columns = rows[0].map((_, j) => rows.map((row) => row[j]));
    const [name] = symbol.split("_");
    const lines = call(x).dim() === 0 ? [rows.flat()] : symbol.endsWith("inner") ? rows : columns;
    const wanted = lines.map((line) =>
      line.map(BigInt).reduce((a, b) => {
        if (name === "sum") return BigInt.asIntN(64, a + b);
        if (name === "prod") return BigInt.asIntN(64, a * b);
        return (name === "max" ? b > a : b < a) ? b : a;
      }),
    );
    expect([call(x).tolist()].flat().map((v) => BigInt(v as number))).toEqual(wanted);
  });

  test("the smallest may be written over what it is of", () => {
    const y = torch.tensor(
      [
        [5, 3],
        [4, 9],
      ],
      { dtype: torch.int64 },
    );
    torch.amin(y, 1, true, { out: y.narrow(1, 0, 1) });
    expect(y.tolist()).toEqual([
      [3, 3],
      [4, 9],
    ]);
  });
});
