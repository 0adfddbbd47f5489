/** The stack of an error contains the line of the user's program that caused it: src/c10/util/Exception.ts, Note [The user's line]. */
import torch, { type Tensor } from "glasstorch";
import { afterEach, beforeEach, expect, test } from "vitest";

const { nn } = torch;
const F = nn.functional;
const usual = Error.stackTraceLimit;
beforeEach(() => {
  Error.stackTraceLimit = 10; // V8's default, which a test runner raises
});
afterEach(() => {
  Error.stackTraceLimit = usual;
});

// biome-ignore lint/suspicious/noExplicitAny: mistakes need no types
const any = (value: unknown): any => value;

class Net extends nn.Module {
  fc = new nn.Linear(4, 4);
  override forward(x: Tensor): Tensor {
    return line_of_the_model(() => this.fc(x.view(-1, 3)));
  }
}

function line_of_the_model<T>(run: () => T): T {
  const result = run();
  return result;
}

const mistakes: Record<string, () => unknown> = {
  "a Linear of another width": () => new nn.Linear(3, 4)(torch.ones(2, 5)),
  "a deep model": () => new nn.Sequential(new nn.Sequential(new nn.Sequential(new nn.Linear(3, 4))))(torch.ones(2, 5)),
  "an encoder": () => new nn.TransformerEncoder(new nn.TransformerEncoderLayer(8, 2), 1)(torch.ones(2, 3, 7)),
  "a model of one's own": () => new Net()(torch.ones(2, 3)),
  "sizes that do not broadcast": () => torch.ones(2, 3).add(torch.ones(4)),
  "cat of different shapes": () => torch.cat([torch.ones(2, 3), torch.ones(2, 4)]),
  "a view of another size": () => torch.ones(4).view(3),
  "channels of a convolution": () => new nn.Conv2d(3, 4, 3)(torch.ones(1, 2, 8, 8)),
  "a dtype": () => torch.ones(2, 2).matmul(torch.ones(2, 2, { dtype: torch.float64 })),
  "an unknown keyword": () => any(torch.ones)(2, { dtyp: torch.float32 }),
  "a wrong type": () => any(torch.relu)("x"),
  "an index": () => torch.ones(2).at(5),
  "a class that is no target": () => F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 7])),
  "backward twice": () => {
    const y = torch.ones(2, { requires_grad: true }).exp().sum();
    y.backward();
    y.backward();
  },
  "a state dict of another model": () => new nn.Linear(2, 2).load_state_dict(new nn.Linear(3, 3).state_dict()),
  "an optimizer without parameters": () => new torch.optim.SGD([], { lr: 0.1 }),
  "a hyperparameter": () => new torch.optim.Adam([torch.ones(1)], { lr: -1 }),
  "values that are not close": () => torch.testing.assert_close(torch.ones(1), torch.zeros(1)),
  "a file that is none": () => torch.load(new Uint8Array([1, 2, 3])),
  "something that is not built": () => any(torch).compile(() => 0),
};

for (const [name, mistake] of Object.entries(mistakes)) {
  test(name, () => {
    let stack = "";
    try {
      mistake();
    } catch (error) {
      stack = (error as Error).stack as string;
    }
    expect(stack).toContain("users_line.test.ts");
    if (name === "a model of one's own") expect(stack).toContain("line_of_the_model");
  });
}

test("the limit of the program is what it was", () => {
  expect(mistakes["an index"]).toThrow();
  expect(Error.stackTraceLimit).toBe(10);
  Error.stackTraceLimit = 0; // no stacks are wanted
  expect(mistakes["an index"]).toThrow("out of bounds");
  expect(Error.stackTraceLimit).toBe(0);
});
