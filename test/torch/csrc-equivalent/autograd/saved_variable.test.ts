/** The content of a SavedVariable, and how long it is kept. For a user's view: test/torch/autograd/saved_tensors.test.ts. */
import torch from "glasstorch";
import { describe, expect, test } from "vitest";
import { UNDEFINED } from "#torch/csrc-equivalent/autograd/owning_list";
import { PySavedVariableHooks } from "#torch/csrc-equivalent/autograd/python_saved_variable_hooks";
import { SavedVariable } from "#torch/csrc-equivalent/autograd/saved_variable";

// biome-ignore lint/suspicious/noExplicitAny: tensors of the front end
type Any = any;
const count = (t: Any): number => t.cdata.impl_.use_count_;
const leaf = (): Any => torch.tensor([1.5], { requires_grad: true });

describe("counts", () => {
  test("an input is held once, until it is freed", () => {
    const a = leaf();
    const saved = new SavedVariable(a.cdata);
    expect(count(a)).toBe(1);
    expect(saved.unpack()).toBe(a.cdata);
    saved.reset_data();
    expect(count(a)).toBe(0);
    saved.reset_data();
    expect(count(a)).toBe(0);
    expect(() => saved.unpack()).toThrow("Trying to backward through the graph a second time");
  });

  test("what hooks took over is not held", () => {
    const a = leaf();
    const saved = new SavedVariable(a.cdata);
    saved.register_hooks(
      new PySavedVariableHooks(
        (t) => t.tolist(),
        (values) => torch.tensor(values),
      ),
    );
    expect(count(a)).toBe(0);
    expect(saved.unpack()).not.toBe(a.cdata);
    saved.reset_data();
    expect(() => saved.unpack()).toThrow("Trying to backward through the graph a second time");
  });

  test("an output shares its bytes and its version, not its history", () => {
    const y = leaf().exp();
    const saved = new SavedVariable(y.cdata, true);
    expect(count(y)).toBe(0);
    const back = saved.unpack(y.grad_fn.cdata);
    expect(back.impl_.storage().unsafeGetStorageImpl()).toBe(y.cdata.impl_.storage().unsafeGetStorageImpl());
    expect(back.grad_fn()).toBe(y.grad_fn.cdata);
    expect(() => saved.unpack()).toThrow("Trying to use a saved tensor that has been detached in-place");
    y.detach().add_(1);
    expect(() => saved.unpack(y.grad_fn.cdata)).toThrow("is at version 1; expected version 0 instead");
  });
});

test("nothing comes back as nothing", () => {
  expect(new SavedVariable().unpack()).toBe(UNDEFINED);
  expect(new SavedVariable(UNDEFINED).unpack()).toBe(UNDEFINED);
});

test("a leaf is no view that was changed in place", () => {
  expect(() => new SavedVariable(leaf().cdata, true, true)).toThrow("INTERNAL ASSERT FAILED");
  expect(() => new SavedVariable(leaf().exp().cdata, false, true)).toThrow("INTERNAL ASSERT FAILED");
});
