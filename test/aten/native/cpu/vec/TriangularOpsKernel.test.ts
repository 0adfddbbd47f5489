/** @file `tril` and `triu` in WebAssembly: element by element what stays and what becomes 0. */
import torch, { type Tensor } from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, test } from "vitest";
import { TriangularOpsKernel_vec } from "#aten/native/cpu/vec/generated/triangular/kernel";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { ScalarType } from "#c10/core/ScalarType";
import { tensors_in_heap } from "../../../../helpers/heap_stress.ts";
import { vectors_everywhere } from "../../../../helpers/vectors.ts";
import { clear, FLOATS, memory, Room, random } from "./memory.ts";

beforeEach(clear);

const { triangle } = TriangularOpsKernel_vec.get(ScalarType.Float, memory);

describe.each(FLOATS)("$name", (kind) => {
  test.each([-9, -3, -1, 0, 1, 2, 6, 20])("a boundary %d to the right", (shift) => {
    const [n, m, gap] = [5, 7, 3];
    for (const lower of [true, false])
      for (const inplace of [true, false]) {
        const x = new Room(kind, n * (m + gap), random(1));
        const out = inplace ? x : new Room(kind, n * (m + gap), () => 7);
        const wanted = out.data.slice();
        for (let i = 0; i < n; i++)
          for (let j = 0; j < m; j++) {
            const at = i * (m + gap) + j;
            wanted[at] = j < i + shift === lower ? x.data[at] : 0;
          }
        const row = (m + gap) * kind.size;
        triangle(out.address, row, x.address, row, n, m * kind.size, kind.size, shift, lower ? 1 : 0);
        expect([...out.data]).toEqual([...wanted]);
        expect(out.whole()).toBe(true);
      }
  });
});

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("which loop", () => {
  const loop_of = (run: () => unknown) =>
    record(run)
      .events.filter((e) => e.kind === "loop")
      .at(-1);
  test("says what ran, and why", () => {
    const x: Tensor = torch.rand([20, 20]);
    expect(loop_of(() => x.tril())).toMatchObject({ capability: "SIMD128", scalar: "at::native::triangle" });
    expect(loop_of(() => x.t().triu())).toMatchObject({ capability: "DEFAULT", why: "columns apart" });
  });
  test.skipIf(vectors_everywhere)("few elements are quicker without", () => {
    expect(loop_of(() => torch.rand([2, 2]).triu())).toMatchObject({ capability: "DEFAULT", why: "too few elements" });
  });
});
