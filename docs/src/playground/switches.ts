/**
 * @file "What if" switches of the walkthroughs: each puts one text of the program in the place of another.
 * @original
 */

export interface Switch {
  readonly label: string;
  /** The first is what the program has. */
  readonly choices: readonly { readonly label: string; readonly code: string }[];
}

const choice = (label: string, code: string) => ({ label, code });

/** By walkthrough. A test makes each choice and sees that a recording changes. */
export const switches: Readonly<Record<string, readonly Switch[]>> = {
  prelu: [
    {
      label: "x",
      choices: [
        choice("requires a gradient", "const x = torch.randn([3, 4], { requires_grad: true });"),
        choice("does not", "const x = torch.randn([3, 4]);"),
        choice("three dimensions", "const x = torch.randn([3, 4, 2], { requires_grad: true });"),
      ],
    },
    {
      label: "called under",
      choices: [
        choice("grad mode", 'recorded("forward", "The path of torch.nn.PReLU()(x)", () => net(x), {'),
        choice(
          "no_grad",
          'recorded("forward", "The path of torch.nn.PReLU()(x)", () => torch.no_grad(() => net(x)), {',
        ),
        choice(
          "inference_mode",
          'recorded("forward", "The path of torch.nn.PReLU()(x)", () => torch.inference_mode(() => net(x)), {',
        ),
      ],
    },
    {
      label: "dtype",
      choices: [
        choice("float32", "torch.manual_seed(0);"),
        choice("float64", "torch.manual_seed(0);\ntorch.set_default_dtype(torch.float64);"),
      ],
    },
  ],
  add: [
    {
      label: "a",
      choices: [
        choice("float32", "const a = torch.tensor([1.5, 2.5, 3.5]);"),
        choice("requires a gradient", "const a = torch.tensor([1.5, 2.5, 3.5], { requires_grad: true });"),
        choice("int64", "const a = torch.tensor([1, 2, 3]);"),
        choice("a row to broadcast", "const a = torch.tensor([[1.5], [2.5]]);"),
      ],
    },
    {
      label: "call",
      choices: [
        choice("torch.add(a, b)", 'recorded("add", "The path of torch.add(a, b)", () => torch.add(a, b), {'),
        choice(
          "a.add(b, {alpha: 2})",
          'recorded("add", "The path of torch.add(a, b)", () => a.add(b, { alpha: 2 }), {',
        ),
        choice("torch.add(a, 1.5)", 'recorded("add", "The path of torch.add(a, b)", () => torch.add(a, 1.5), {'),
      ],
    },
  ],
  tensor: [
    {
      label: "x",
      choices: [
        choice("float32", "const x = torch.arange(12, { dtype: torch.float32 }).reshape(3, 4);"),
        choice(
          "requires a gradient",
          "const x = torch.arange(12, { dtype: torch.float32, requires_grad: true }).reshape(3, 4);",
        ),
      ],
    },
    {
      label: "view",
      choices: [
        choice("x.t()", 'recorded("view", "The path of x.t()", () => x.t(), {'),
        choice("x.reshape(12)", 'recorded("view", "The path of x.t()", () => x.reshape(12), {'),
        choice("x.t().reshape(12)", 'recorded("view", "The path of x.t()", () => x.t().reshape(12), {'),
        choice("x[1]", 'recorded("view", "The path of x.t()", () => x.__getitem__(1), {'),
      ],
    },
  ],
  backward: [
    {
      label: "y",
      choices: [
        choice("a * 2.5 + a * b", "const build = () => a.mul(2.5).add(a.mul(b));"),
        choice("a * 2.5 - a * b", "const build = () => a.mul(2.5).sub(a.mul(b));"),
      ],
    },
    {
      label: "b",
      choices: [
        choice("requires a gradient", "const b = torch.tensor([6.5, 4.5], { requires_grad: true });"),
        choice("does not", "const b = torch.tensor([6.5, 4.5]);"),
      ],
    },
  ],
  kernel: [
    {
      label: "row",
      choices: [
        choice("[4]", "const row = torch.tensor([1.5, 2.5, 3.5, 4.5]);"),
        choice("int64", "const row = torch.tensor([1, 2, 3, 4]);"),
        choice("[3, 1]", "const row = torch.tensor([[1.5], [2.5], [3.5]]);"),
        choice("one number, no dimension", "const row = torch.tensor(1.5);"),
      ],
    },
    {
      label: "a",
      choices: [
        choice("contiguous", "const a = torch.arange(12, { dtype: torch.float32 }).reshape(3, 4);"),
        choice("float64", "const a = torch.arange(12, { dtype: torch.float64 }).reshape(3, 4);"),
      ],
    },
  ],
};
