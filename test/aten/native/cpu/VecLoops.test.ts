/**
 * @file Which loop a call takes, and that it does not matter for the result: in the heap, staged, in JavaScript.
 * @original
 */
import torch from "glasstorch";
import { record } from "glasstorch/trace";
import { beforeEach, describe, expect, it } from "vitest";
import { set_least_elements_for_vectors } from "#aten/native/cpu/VecLoops";
import { CPUCapability, get_cpu_capability } from "#aten/native/DispatchStub";
import { tensors_in_heap } from "../../../helpers/heap_stress.ts";

type Tensor = ReturnType<typeof torch.ones>;

/** What the trace says of the loops of a call. */
function loops_of(call: () => unknown): unknown[] {
  const events = record(call).events.filter((e) => e.kind === "loop");
  return events.map((e) => [e.name, e["capability"], e["memory"] ?? e["why"]]);
}

/** In memory of the caller's own. */
function foreign(n: number): Tensor {
  return torch.from_numpy(Float32Array.from({ length: n }, (_, i) => i / 8 - 3));
}

beforeEach(() => set_least_elements_for_vectors(16));

describe.runIf(get_cpu_capability() !== CPUCapability.DEFAULT && tensors_in_heap)("the loop that a call takes", () => {
  it("is a vector loop where rows are long enough, and a trace says so", () => {
    const [x, y] = [torch.ones(16), torch.ones(15)];
    expect(loops_of(() => x.mul(x))).toEqual([["at::native::mul", "SIMD128", "heap"]]);
    expect(loops_of(() => y.mul(y))).toEqual([["at::native::mul", "DEFAULT", "n < 16"]]);
    expect(
      loops_of(() =>
        torch
          .ones([20, 20])
          .t()
          .mul(torch.ones([20, 20])),
      )[2],
    ).toEqual(["at::native::mul", "DEFAULT", "strides [1, 1, 20]"]);
    expect(loops_of(() => torch.ones(16, { dtype: torch.int64 }).div_(3, { rounding_mode: "trunc" })).at(-1)).toEqual([
      "at::native::div_trunc",
      "DEFAULT",
      "TORCH_CHECK may throw",
    ]);
  });

  it("stages what is not in the heap", () => {
    const [x, y] = [foreign(16), torch.ones(16)];
    expect(loops_of(() => x.mul(y))).toEqual([["at::native::mul", "SIMD128", "staged"]]);
    expect(loops_of(() => foreign(15).mul(foreign(15)))).toEqual([["at::native::mul", "DEFAULT", "n < 16"]]);
  });
});

describe("staged loops give what the others give", () => {
  for (const n of [16, 17, 100, 1000, 16384, 16385, 50000]) {
    it(`${n} elements`, () => {
      const x = foreign(n);
      const inside = x.clone();
      const scalar = torch.tensor(2.5);
      const same = (f: (t: Tensor) => Tensor): void => expect(torch.equal(f(x), f(inside))).toBe(true);
      same((t) => t.mul(t));
      same((t) => t.add(scalar, { alpha: 3 }));
      same((t) => t.lt(0.5));
      same((t) => torch.where(t.gt(1), t, scalar));
      same((t) => t.to(torch.float64));
      const [a, b] = [foreign(n), foreign(n).clone()];
      a.mul_(a).add_(1);
      b.mul_(b).add_(1);
      expect(torch.equal(a, b)).toBe(true);
    });
  }

  it("rows with gaps between them", () => {
    const base = foreign(40 * 300).view([40, 300]);
    const part = base.narrow(1, 10, 280);
    expect(torch.equal(part.mul(part), part.clone().mul(part.clone()))).toBe(true);
    base.narrow(1, 10, 280).mul_(2);
    const [first, inside] = [base.select(1, 9).tolist(), base.select(1, 10).tolist()] as [number[], number[]];
    expect(first.slice(0, 3)).toEqual([9, 309, 609].map((i) => i / 8 - 3));
    expect(inside.slice(0, 3)).toEqual([10, 310, 610].map((i) => 2 * (i / 8 - 3)));
  });
});
