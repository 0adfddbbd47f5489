/**
 * @file "What if" switches of the walkthroughs: each puts one text of the program in the place of another.
 * @original
 */

export interface Switch {
  readonly label: string;
  /** The first is what the program has. */
  readonly choices: readonly { readonly label: string; readonly code: string }[];
}

type Choice = readonly [label: string, code: string];

const what = (label: string, ...choices: Choice[]): Switch => ({
  label,
  choices: choices.map(([name, code]) => ({ label: name, code })),
});

/** By walkthrough. A test makes each choice and sees that a recording changes. */
export const switches: Readonly<Record<string, readonly Switch[]>> = {
  prelu: [
    what("x wants a gradient", ["yes", "{ requires_grad: true }"], ["no", "{ requires_grad: false }"]),
    what("x has", ["two dimensions", "torch.randn([3, 4], "], ["one dimension", "torch.randn([12], "]),
    what(
      "called under",
      ["grad mode", '"The way of torch.nn.PReLU()(x)", () => net(x)'],
      ["no_grad", '"The way of torch.nn.PReLU()(x)", () => torch.no_grad(() => net(x))'],
      ["inference_mode", '"The way of torch.nn.PReLU()(x)", () => torch.inference_mode(() => net(x))'],
    ),
  ],
  add: [
    what(
      "a wants a gradient",
      ["no", "const a = torch.tensor([1.5, 2.5, 3.5]);"],
      ["yes", "const a = torch.tensor([1.5, 2.5, 3.5], { requires_grad: true });"],
    ),
    what(
      "b is",
      ["float32", "const b = torch.tensor([10.5, 20.5, 30.5]);"],
      ["int64", "const b = torch.tensor([10, 20, 30]);"],
      ["one element", "const b = torch.tensor([10.5]);"],
    ),
  ],
  backward: [
    what("y is", ["a * 2.5 + a * b", "a.mul(2.5).add(a.mul(b))"], ["a * b + a * 2.5", "a.mul(b).add(a.mul(2.5))"]),
    what(
      "b wants a gradient",
      ["yes", "const b = torch.tensor([6.5, 4.5], { requires_grad: true });"],
      ["no", "const b = torch.tensor([6.5, 4.5]);"],
    ),
  ],
  tensor: [
    what(
      "x wants a gradient",
      ["no", "const x = torch.arange(12, { dtype: torch.float32 })"],
      ["yes", "const x = torch.arange(12, { dtype: torch.float32, requires_grad: true })"],
    ),
  ],
  kernel: [
    what(
      "a is",
      ["float32", "const a = torch.arange(12, { dtype: torch.float32 })"],
      ["int64", "const a = torch.arange(12, { dtype: torch.int64 })"],
      ["float64", "const a = torch.arange(12, { dtype: torch.float64 })"],
    ),
    what(
      "row wants a gradient",
      ["no", "const row = torch.tensor([1.5, 2.5, 3.5, 4.5]);"],
      ["yes", "const row = torch.tensor([1.5, 2.5, 3.5, 4.5], { requires_grad: true });"],
    ),
  ],
};
