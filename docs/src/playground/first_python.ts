/**
 * @file The Python program with which the page of the playground begins. The build of the site measures which parts of the library it and
 * other first programs need, and these parts come with the first run.
 * @original
 */

export const pythonProgram = `import torch
import torch.nn.functional as F

# Change anything, then run it, or step
# through it line by line.
torch.manual_seed(0)
x = torch.randn(2, 3)
weight = torch.tensor([0.25], requires_grad=True)


def loss_of(values):
    y = F.prelu(values, weight)
    return y.square().mean()


loss = loss_of(x)
loss.backward()
print(loss)
print(weight.grad)
`;

/** A module that is trained, as most programs of a reader will be. */
const training = `import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 8)
        self.act = nn.PReLU()
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(self.act(self.hidden(x)))

net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(16, 2)
y = x.sum(dim=1, keepdim=True)
for step in range(3):
    loss = nn.functional.mse_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{step}: {loss.item():.4f}")
print(net)
print([tuple(p.shape) for p in net.parameters()])
`;

/** Lines that a reader types first in the place of the page's program. */
const firstLines: readonly string[] = [
  "print(torch.ones(2) + 1)",
  "x = torch.ones(2, 3)\nprint(x.shape, x.size(), len(x.shape), x.dtype)",
  "print(torch.tensor([1, 2, 3]), torch.tensor([1.5, -2e6]), torch.tensor([True, False]), torch.tensor(4))",
  "print(torch.zeros(2, 3), torch.arange(6).view(2, 3).t(), torch.rand(40, 40))",
  "x = torch.ones(2, 2, requires_grad=True)\n(x * x).sum().backward()\nprint(x.grad, x.sum())",
  "print(torch.ones(2, 3) @ torch.ones(3, 2))\ntry:\n    torch.ones(2, 3).view(5)\nexcept RuntimeError as error:\n    print(error)",
  "print(torch.randn(3).relu().mean().item(), torch.ones(2).tolist(), torch.arange(6)[1:4])",
  "with torch.no_grad():\n    print(torch.ones(2, requires_grad=True) * 2)",
].map((lines) => `import torch\n${lines}\n`);

/** The path of the page's Python program. */
export const PYTHON_PLAYGROUND = "playground/program.py";
export const FIRST_PYTHON_PROGRAMS: readonly string[] = [pythonProgram, training, ...firstLines];
