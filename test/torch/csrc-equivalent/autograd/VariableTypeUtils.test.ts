/**
 * @file Refusals of autograd kernels, with PyTorch's words, and their effects on versions, views and histories.
 */
import { expect, test } from "vitest";
import "#aten/generated/RegisterAll";
import "#torch/csrc-equivalent/autograd/generated/RegisterAll";
import type { Tensor } from "#aten/generated/core/TensorBody";
import * as at from "#aten/generated/Functions";
import { NoGradGuard } from "#c10/core/GradMode";
import { InferenceMode } from "#c10/core/InferenceMode";
import { Scalar } from "#c10/core/Scalar";
import { TensorOptions } from "#c10/core/TensorOptions";
import * as factories from "#torch/csrc-equivalent/autograd/generated/variable_factories";

// As the binding makes tensors: `at.zeros` itself would count its own `zero_` as a change.
const zeros = (...sizes: number[]): Tensor => factories.zeros(sizes, TensorOptions.EMPTY);
const leaf = (...sizes: number[]): Tensor => factories.zeros(sizes, TensorOptions.EMPTY.requires_grad(true));
const two = Scalar.fromInt(2);
const name_of = (t: Tensor): string | null => (t.grad_fn() as { name(): string } | null)?.name() ?? null;

function without_grad<R>(f: () => R): R {
  const guard = new NoGradGuard();
  try {
    return f();
  } finally {
    guard.restore();
  }
}

test("an in-place change of a leaf that requires grad", () => {
  expect(() => leaf(2).mul__Scalar(two)).toThrow(
    "a leaf Variable that requires grad is being used in an in-place operation.",
  );
});

test("... of a view of it", () => {
  expect(() => leaf(2).view([2]).mul__Scalar(two)).toThrow(
    "a view of a leaf Variable that requires grad is being used in an in-place operation.",
  );
});

test("... of one of several views", () => {
  const piece = leaf(4).mul_Scalar(two).split_Tensor(2)[0];
  expect(() => piece.mul__Scalar(two)).toThrow(
    "Output 0 of Split is a view and is being modified inplace. This view is the output of a function that returns multiple views.",
  );
});

test("... of a view made without grad", () => {
  const base = leaf(2).mul_Scalar(two);
  const view = without_grad(() => base.view([2]));
  expect(() => view.mul__Scalar(two)).toThrow(
    "A view was created in no_grad mode and is being modified inplace with grad mode enabled.",
  );
});

test("without grad mode the leaf may change; its version counts", () => {
  const x = leaf(2);
  without_grad(() => x.add__Scalar(two));
  expect(x._version()).toBe(1);
  expect(x.is_leaf()).toBe(true);
});

test("out= refuses arguments that require grad", () => {
  const message =
    "mul(): functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.";
  expect(() => at.mul_out(leaf(2), zeros(2), zeros(2))).toThrow(message);
  expect(() => at.mul_out(zeros(2), zeros(2), leaf(2))).toThrow(message);
});

test("an undefined tensor is refused by name and position", () => {
  const undefined_tensor = new (zeros(1).constructor as new () => Tensor)();
  expect(() => zeros(2).mul_Tensor(undefined_tensor)).toThrow(
    "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #1 'other'",
  );
});

test("a view knows its base and shares its version; an in-place change of it rewrites the base's history", () => {
  const base = leaf(2, 2).mul_Scalar(two);
  const view = base.select_int(0, 0);
  expect(view.is_view()).toBe(true);
  expect(view._base().is_same(base)).toBe(true);
  view.mul__Scalar(two);
  expect([base._version(), view._version()]).toEqual([1, 1]);
  expect([name_of(base), name_of(view)]).toEqual(["torch::autograd::CopySlices", "AsStridedBackward0"]);
});

test("a view of a view is a view of the first base", () => {
  const base = zeros(2, 2);
  expect(base.t().select_int(0, 0)._base().is_same(base)).toBe(true);
});

test("detach shares bytes and version and nothing else", () => {
  const x = leaf(2).mul_Scalar(two);
  const d = x.detach();
  expect([d.requires_grad(), d.is_view(), d.is_alias_of(x)]).toEqual([false, false, true]);
  d.add__Scalar(two);
  expect(x._version()).toBe(1);
  d.resize_([3]); // PyTorch once refused changes of a detached tensor's shape; 2.13 does not
  expect([d.sizes(), x.sizes()]).toEqual([[3], [2]]);
});

test("detach_ cuts the graph, except under a view", () => {
  const x = leaf(2).mul_Scalar(two);
  x.detach_();
  expect([x.requires_grad(), name_of(x), x.is_leaf()]).toEqual([false, null, true]);
  expect(() => leaf(2).mul_Scalar(two).view([2]).detach_()).toThrow(
    "Can't detach views in-place. Use detach() instead.",
  );
});

test("resize_ refuses tensors that require grad and counts a version only if it changes something", () => {
  expect(() => leaf(2).resize_([3])).toThrow("cannot resize variables that require grad");
  const x = zeros(2);
  x.resize_([2]);
  expect(x._version()).toBe(0);
  x.resize_([3]);
  expect(x._version()).toBe(1);
});

test("copy_ joins the graphs of both sides", () => {
  const x = zeros(2);
  x.copy_(leaf(2));
  expect([x.requires_grad(), name_of(x)]).toEqual([true, "torch::autograd::CopyBackwards"]);
});

test("torch:: factories give fresh leaves, at:: ones count what made them", () => {
  expect([zeros(2)._version(), at.zeros([2], TensorOptions.EMPTY)._version()]).toEqual([0, 1]);
  expect([leaf(2).requires_grad(), leaf(2).is_leaf()]).toEqual([true, true]);
});

test("integers never require grad", () => {
  const x = leaf(2);
  expect(x.gt_Scalar(two).requires_grad()).toBe(false);
  expect(x.argmax().requires_grad()).toBe(false);
});

test("in inference mode nothing is recorded", () => {
  const x = leaf(2);
  const mode = new InferenceMode();
  const y = x.mul_Scalar(two);
  mode.restore();
  expect([y.requires_grad(), y.is_inference()]).toEqual([false, true]);
});

test("saved values are what the wanted gradients need", () => {
  const y = leaf(2).mul_Tensor(zeros(2));
  const node = y.grad_fn() as unknown as { _saved_self: Tensor; _saved_other: Tensor };
  expect([node._saved_self.defined(), node._saved_other.defined()]).toEqual([false, true]);
});

test("a changed saved tensor is noticed in backward", () => {
  const x = leaf(2);
  const y = x.exp();
  y.add__Scalar(two);
  const node = y.grad_fn() as unknown as { next_edges(): { function: { _saved_result: Tensor } }[] };
  expect(() => node.next_edges()[0]?.function._saved_result).toThrow(
    "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]], which is output 0 of Exp, is at version 1; expected version 0 instead.",
  );
});
