/**
 * @file Matrix products: sizes around the tiles, transposed and strided operands, batches, alpha and beta, dtypes, in place; by the tiles of a GPU of
 * software and of a real one.
 * @original
 */
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { set_tuning } from "../../../../../src/aten/native/webgpu/tuning.ts";
import { close_device } from "../../../../../src/c10/webgpu/WebGPUFunctions.ts";
import { check_both, sample, type Tensor, torch } from "../../../support/both.ts";

afterAll(close_device);
afterEach(() => set_tuning(null));

/** Sums of k products: as far apart as the order of a sum makes them. */
const options = (k: number) => ({ rtol: 1e-5, atol: 1e-6 * k + 1e-5 });
const mm = (a: Tensor, b: Tensor): Tensor => torch.mm(a, b);

describe.each(["software", "hardware"] as const)("%s", (kind) => {
  test("sizes around the tiles, each operand as it is and transposed", () => {
    set_tuning(kind);
    for (const [m, n, k] of [
      [1, 1, 1],
      [1, 9, 5],
      [9, 1, 5],
      [3, 3, 3],
      [4, 4, 4],
      [8, 8, 8],
      [7, 9, 11],
      [17, 33, 6],
      [66, 70, 13],
      [130, 129, 20],
    ]) {
      for (const transposed of [0, 1, 2, 3]) {
        const a = transposed & 1 ? sample([k, m]).t() : sample([m, k]);
        const b = transposed & 2 ? sample([n, k], torch.float32, 1).t() : sample([k, n], torch.float32, 1);
        check_both(`${m} ${n} ${k} ${transposed}`, mm, [a, b], options(k));
        const on_device = mm(a.to("webgpu"), b.to("webgpu"));
        expect(on_device.is_contiguous()).toBe(true);
      }
    }
  });
  test("views with gaps", () => {
    set_tuning(kind);
    const f = (a: Tensor, b: Tensor): Tensor =>
      mm(a.at(torch.slice(1, 20, 2), torch.slice(2, 15)), b.at(torch.slice(0, 26, 2), torch.slice(3, 30, 3)));
    check_both("gaps", f, [sample([20, 20]), sample([30, 30])], options(13));
    check_both(
      "expanded",
      (a: Tensor, b: Tensor) => mm(a.expand([5, 7]), b),
      [sample([1, 7]), sample([7, 6])],
      options(7),
    );
  });
  test("batches, also with one matrix for all", () => {
    set_tuning(kind);
    const bmm = (a: Tensor, b: Tensor): Tensor => torch.bmm(a, b);
    check_both("bmm", bmm, [sample([5, 7, 3]), sample([5, 3, 9])], options(3));
    check_both(
      "bmm transposed",
      bmm,
      [sample([5, 3, 70]).transpose(1, 2), sample([5, 67, 3]).transpose(1, 2)],
      options(3),
    );
    check_both(
      "bmm expanded",
      (a: Tensor, b: Tensor) => bmm(a.expand([4, 6, 5]), b),
      [sample([1, 6, 5]), sample([4, 5, 8])],
      options(5),
    );
    check_both(
      "baddbmm",
      (s: Tensor, a: Tensor, b: Tensor) => torch.baddbmm(s, a, b, { beta: 0.5, alpha: 2 }),
      [sample([7, 9]), sample([5, 7, 3]), sample([5, 3, 9])],
      options(3),
    );
    check_both(
      "matmul",
      (a: Tensor, b: Tensor) => torch.matmul(a, b),
      [sample([2, 3, 4, 5]), sample([5, 6])],
      options(5),
    );
  });
  test("alpha and beta; beta 0 does not look at self", () => {
    set_tuning(kind);
    const f = (s: Tensor, a: Tensor, b: Tensor): Tensor => torch.addmm(s, a, b, { beta: 0.25, alpha: -1.5 });
    for (const shape of [[70, 66], [66], [1], [70, 1], []])
      check_both(`addmm ${shape}`, f, [sample(shape), sample([70, 12]), sample([12, 66])], options(12));
    const nan = torch.full([3, 4], Number.NaN);
    check_both(
      "beta 0",
      (s: Tensor, a: Tensor, b: Tensor) => torch.addmm(s, a, b, { beta: 0 }),
      [nan, sample([3, 5]), sample([5, 4])],
      options(5),
    );
    check_both(
      "in place",
      (s: Tensor, a: Tensor, b: Tensor) => s.clone().addmm_(a, b, { beta: 0.5 }),
      [sample([70, 67]), sample([70, 5]), sample([5, 67])],
      options(5),
    );
    check_both(
      "_addmm_activation",
      (s: Tensor, a: Tensor, b: Tensor) => torch.ops.aten._addmm_activation(s, a, b),
      [sample([6]), sample([5, 3]), sample([3, 6])],
      options(3),
    );
  });
  test("into an out that is a view", () => {
    set_tuning(kind);
    const f = (a: Tensor, b: Tensor): Tensor => {
      const whole = torch.zeros([30, 40], { device: a.device });
      torch.mm(a, b, { out: whole.t().at(torch.slice(2, 11), torch.slice(1, 30, 3)) });
      return whole;
    };
    check_both("out", f, [sample([9, 4]), sample([4, 10])], options(4));
  });
});

test.each(["software", "hardware"] as const)("halves round once: %s", (kind) => {
  set_tuning(kind);
  for (const dtype of [torch.float16, torch.bfloat16])
    for (const [m, k, n] of [
      [9, 20, 11],
      [64, 20, 66],
    ])
      for (const transposed of [0, 1, 2, 3]) {
        const a = transposed & 1 ? sample([k, m], dtype).t() : sample([m, k], dtype);
        const b = transposed & 2 ? sample([n, k], dtype, 1).t() : sample([k, n], dtype, 1);
        check_both(`${dtype} ${m} ${n} ${transposed}`, mm, [a, b], {
          rtol: dtype === torch.float16 ? 2e-3 : 2e-2,
          atol: 1e-2,
        });
      }
});

test("integers wrap as on the CPU", () => {
  for (const dtype of [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8])
    check_both(`${dtype}`, mm, [sample([9, 20], dtype), sample([20, 11], dtype)]);
});

test("vectors", () => {
  check_both("mv", (a: Tensor, v: Tensor) => torch.mv(a, v), [sample([13, 40]), sample([40])], options(40));
  check_both(
    "mv transposed",
    (a: Tensor, v: Tensor) => torch.mv(a.t(), v),
    [sample([40, 13]), sample([40])],
    options(40),
  );
  check_both("dot", (a: Tensor, v: Tensor) => torch.dot(a, v), [sample([400]), sample([400], torch.float32, 1)], {
    rtol: 1e-4,
  });
  check_both(
    "linear",
    (x: Tensor, w: Tensor, b: Tensor) => torch.nn.functional.linear(x, w, b),
    [sample([4, 3, 7]), sample([5, 7]), sample([5])],
    options(7),
  );
});

test("nothing", () => {
  check_both("no k", mm, [sample([3, 0]), sample([0, 4])]);
  check_both("no k, beta", (s: Tensor, a: Tensor, b: Tensor) => torch.addmm(s, a, b, { beta: 2 }), [
    sample([4]),
    sample([3, 0]),
    sample([0, 4]),
  ]);
  check_both("no rows", mm, [sample([0, 3]), sample([3, 4])]);
});
