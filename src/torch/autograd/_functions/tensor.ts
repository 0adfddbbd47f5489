/**
 * @file The autograd function of `Tensor.resize`, which is deprecated: it changes the shape, not the number of elements.
 * @mirrors torch/autograd/_functions/tensor.py
 * @differs Ours has no `Type`; PyTorch has it, but it is deprecated and unused.
 */
import { AssertionError, RuntimeError } from "#c10/util/Exception";
import { repr } from "#torch/_C";
import type { Tensor } from "#torch/_tensor/index";
import { Function, type FunctionCtx } from "../function.ts";

const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);
const by = (sizes: readonly unknown[]): string => sizes.map((size) => repr(size)).join("x");

/** The product of sizes as Python prints it. In Python, 1 times a list is that list, so sizes given as one list have their own message. */
function elements(sizes: readonly unknown[]): string {
  return sizes.length === 1 ? repr(sizes[0]) : String(product(sizes as number[]));
}

export class Resize extends Function {
  static override forward(ctx: FunctionCtx, tensor: Tensor, sizes: readonly number[]): Tensor {
    const numel = product(sizes);
    if (tensor.numel() !== numel || Array.isArray(sizes[0])) {
      throw new RuntimeError(
        `requested resize to ${by(sizes)} (${elements(sizes)} elements in total), but the given tensor has a size of ` +
          `${by(tensor.size())} (${tensor.numel()} elements). autograd's resize can only change the shape of a given tensor, ` +
          "while preserving the number of elements. ",
      );
    }
    ctx["numel"] = numel;
    ctx["input_sizes"] = tensor.size();
    // PyTorch first calls `tensor.new(tensor)` on a contiguous tensor, which copies nothing either.
    return tensor.contiguous().view(sizes);
  }

  static override backward(ctx: FunctionCtx, grad_output: Tensor): (Tensor | null)[] {
    if (grad_output.numel() !== ctx["numel"])
      throw new AssertionError(`Expected grad_output to have ${ctx["numel"]} elements, but got ${grad_output.numel()}`);
    return [grad_output.contiguous().view(ctx["input_sizes"]), null];
  }
}
