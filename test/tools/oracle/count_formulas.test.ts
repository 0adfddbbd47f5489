/**
 * @file The count of PyTorch's formulas, tested on a file of our own.
 */
import { expect, test } from "vitest";
import { count_formulas, lines_not_of, own_scope, summary } from "../../../tools/oracle/count_formulas.ts";

const NATIVE = `
- func: mul.Tensor(Tensor self, Tensor other) -> Tensor
  variants: function, method
- func: mul.Scalar(Tensor self, Scalar other) -> Tensor
  variants: function, method
- func: twist(Tensor self, Dimname name) -> Tensor
`;
const DERIVATIVES = `
- name: f(Tensor self, Tensor other, float p) -> Tensor
  self: grad * other * (2 / p)
  other: f_backward(grad, self.sym_sizes(), p) * 2
  result: self_t * other_p + f_jvp(self_p, other_t)
- name: g(Tensor self) -> (Tensor a, Tensor b)
  dispatch:
    Default:
      self: grads[0] * grads[1]
      a: auto_linear
    AutogradNestedTensor:
      self: grad_a * [1]
- name: h(Tensor[] self, int n) -> Tensor[]
  self: grads[i] * self[i].numel()
  output_differentiability: [True]
- name: k(Tensor self) -> Tensor
  self: grad * "x"
`;

test("keywords, what parses, what is typed, what waits for helpers, what is refused", () => {
  const count = count_formulas(NATIVE, DERIVATIVES, own_scope());
  expect(count).toMatchObject({ formulas: 8, keywords: 1, parsed: 7, typed: 3, typed_but_for_helpers: 2 });
  expect(count.refused.map((e) => e.message.split("\n")[0])).toEqual([
    expect.stringContaining("self: in 'grad_a * [1]': '1'"),
    expect.stringContaining("self: in 'grad * \"x\"': 'mul' does not take (string)"),
  ]);
  expect(summary(count)).toContain("7 of 8 formulas parse");
});

test("a line that PyTorch does not have so is named; operators it lacks are not", () => {
  const ours = `
- name: f(Tensor self, Tensor other, float p) -> Tensor
  self: grad * (other * (2 / p))
  result: self_t * other_p + f_jvp(self_p, other_t)
- name: g(Tensor self) -> (Tensor a, Tensor b)
  self: grads[0] * grads[1]
- name: ours(Tensor self) -> Tensor
  self: grad
`;
  expect(lines_not_of(DERIVATIVES, ours)).toEqual([
    "f(Tensor self, Tensor other, float p) -> Tensor: self: grad * (other * (2 / p))",
  ]);
});
