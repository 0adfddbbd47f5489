/**
 * Dtypes without elements here: complex, float8, float4, bits. Every way to a tensor of one is refused in the same words, and leaves nothing
 * behind; questions about the dtypes themselves are answered.
 */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import type { Any } from "../helpers/recorded.ts";

const t = torch as Any;
const unbuilt = [
  "complex32",
  "complex64",
  "complex128",
  "float8_e4m3fn",
  "float8_e5m2",
  "float8_e8m0fnu",
  "bits8",
  "uint4",
];

/** Each makes, or would make, a tensor of this dtype. */
const doors: Readonly<Record<string, (dtype: Any) => unknown>> = {
  empty: (dtype) => t.empty([2], { dtype }),
  "empty of no elements": (dtype) => t.empty([0], { dtype }),
  empty_strided: (dtype) => t.empty_strided([2], [1], { dtype }),
  zeros: (dtype) => t.zeros([2], { dtype }),
  ones: (dtype) => t.ones([2], { dtype }),
  full: (dtype) => t.full([2], 1.5, { dtype }),
  tensor: (dtype) => t.tensor([1, 2], { dtype }),
  "tensor of nothing": (dtype) => t.tensor([], { dtype }),
  as_tensor: (dtype) => t.as_tensor([1], { dtype }),
  scalar_tensor: (dtype) => t.scalar_tensor(1, { dtype }),
  rand: (dtype) => t.rand([2], { dtype }),
  empty_like: (dtype) => t.empty_like(t.ones(2), { dtype }),
  new_zeros: (dtype) => t.ones(2).new_zeros([2], { dtype }),
  to: (dtype) => t.ones(2).to(dtype),
  "to, as a keyword": (dtype) => t.ones(2).to({ dtype }),
  type: (dtype) => t.ones(2).type(dtype),
  view: (dtype) => t.zeros([16], { dtype: t.uint8 }).view(dtype),
  frombuffer: (dtype) => t.frombuffer(new ArrayBuffer(16), { dtype }),
  "sum in it": (dtype) => t.ones(2).sum({ dtype }),
  "softmax in it": (dtype) => t.softmax(t.ones(2), 0, { dtype }),
  "empty on meta": (dtype) => t.empty([2], { dtype, device: "meta" }),
  "to on meta": (dtype) => t.ones(2, { device: "meta" }).to(dtype),
  "view on meta": (dtype) => t.zeros([16], { dtype: t.uint8, device: "meta" }).view(dtype),
  "an operator by name": (dtype) => t.ops.aten.view.dtype(t.zeros([16], { dtype: t.uint8 }), dtype),
  "a module": (dtype) => new t.nn.Linear(2, 2, { dtype }),
};

describe.each(Object.entries(doors))("%s", (_name, door) => {
  test.each(unbuilt)("%s", (name) => {
    expect(t[name]).toBeDefined();
    expect(() => door(t[name])).toThrow(
      expect.objectContaining({
        name: "NotImplementedError",
        message: `Tensors of dtype torch.${name} are not built here.`,
      }),
    );
  });
});

test("a module that cannot be converted stays as it was", () => {
  const linear = new t.nn.Linear(2, 2);
  expect(() => linear.to(t.complex64)).toThrow("Tensors of dtype torch.complex64 are not built here.");
  expect(linear.weight.dtype).toBe(torch.float32);
});

test("the default dtype stays a real one", () => {
  expect(() => t.set_default_dtype(t.complex64)).toThrow("only floating-point types are supported as the default type");
  expect(torch.get_default_dtype()).toBe(torch.float32);
});

test("the dtypes themselves are there", () => {
  expect([t.complex64.is_complex, t.complex64.itemsize, t.float8_e4m3fn.is_floating_point]).toEqual([true, 8, true]);
  expect(t.can_cast(t.float32, t.complex64)).toBe(true);
});
