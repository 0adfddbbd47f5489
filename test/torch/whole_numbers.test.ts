/** Errors that a number without a fraction causes say so, behind PyTorch's text: src/c10/util/whole_numbers.ts. */
import torch from "glasstorch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Exception, setWarningHandler } from "#c10/util/Exception";
import { set_hints, WHOLE_NUMBER_HINT } from "#c10/util/whole_numbers";

const F = torch.nn.functional;
let before: boolean;
beforeAll(() => {
  before = set_hints(true);
});
afterAll(() => {
  set_hints(before);
});

const message_of = (run: () => unknown): [message: string, what: string] => {
  try {
    run();
  } catch (error) {
    return [(error as Error).message, (error as Exception).what()];
  }
  throw new Error("nothing was thrown");
};
const x = () => torch.tensor([1.0, 2.0]);
const half = torch.tensor([0.5, 0.5]);

const caused: Record<string, [run: () => unknown, text: string]> = {
  mean: [
    () => x().mean(),
    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long",
  ],
  requires_grad_: [() => x().requires_grad_(), "only Tensors of floating point dtype can require gradients"],
  "requires_grad = true": [
    () => {
      x().requires_grad = true;
    },
    "only Tensors of floating point and complex dtype can require gradients",
  ],
  "the keyword": [
    () => torch.tensor([1.0], { requires_grad: true }),
    "Only Tensors of floating point and complex dtype can require gradients",
  ],
  "a Parameter": [
    () => new torch.nn.Parameter(x()),
    "Only Tensors of floating point and complex dtype can require gradients",
  ],
  "in place": [() => x().add_(0.5), "result type Float can't be cast to the desired output type Long"],
  "in place, a tensor": [() => x().mul_(half), "result type Float can't be cast to the desired output type Long"],
  clamp: [() => x().clamp_(0.5), "result type Float can't be cast to the desired output type long int"],
  out: [() => torch.exp(half, { out: x() }), "result type Float can't be cast to the desired output type Long"],
  std: [() => x().std(), "std and var only support floating point and complex dtypes"],
  norm: [
    () => torch.linalg.vector_norm(x()),
    "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long",
  ],
  softmax: [() => F.softmax(x(), 0), "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'"],
};

test.each(Object.entries(caused))("%s", (_name, [run, text]) => {
  const [message, what] = message_of(run);
  expect(what).toBe(text);
  expect(message).toBe(`${text}\n${WHOLE_NUMBER_HINT}`);
});

test("a product of an integer and a floating matrix", () => {
  const [message, what] = message_of(() => torch.ones(2, 2).mm(torch.tensor([[1, 2], [3, 4]]))); // biome-ignore format: a matrix
  expect(message).toBe(`${what}\n${WHOLE_NUMBER_HINT}`);
});

test("an error with another cause has no hint", () => {
  for (const run of [
    () => torch.ones(2, { dtype: torch.int32 }).mean(),
    () => torch.ones(2).view(3),
    () => torch.ones(2, { dtype: torch.bool }).mul_(half),
  ])
    expect(message_of(run)[0]).toBe(message_of(run)[1]);
});

test("a fraction that set_at loses is reported", () => {
  const warnings: string[] = [];
  const previous = setWarningHandler(({ msg }) => void warnings.push(msg));
  try {
    expect(torch.full([2], 0.0).set_at(0.7, 0).tolist()).toEqual([0, 0]);
    expect(warnings).toEqual([`set_at writes 0.7 into an int64 tensor, which keeps 0. ${WHOLE_NUMBER_HINT}`]);
    torch.full([2], new torch.Float(0)).set_at(0.7, 0);
    torch.full([2], 0.0).set_at(3, 0);
    expect(warnings.length).toBe(1);
  } finally {
    setWarningHandler(previous);
  }
});
