"""From training to a file, and from the file to a program that knows no class of yours.

With its recording, here:  npm run python -- --trace inference.json walkthroughs/inference.py
In your own PyTorch:       python walkthroughs/inference.py
"""

import io
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore", category=DeprecationWarning)


# ## Step 1. Train
# Everything that training needs is here: a class, parameters, autograd, a loss, an optimizer.
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 8)
        self.second = nn.Linear(8, 1)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


torch.manual_seed(0)
net = Net()
x = torch.rand([64, 2]) * 2 - 1
y = (x * x).sum(1, keepdim=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
losses = []
for _ in range(200):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print(f"loss: {losses[0]:.2f}, then {losses[-1]:.2f}")
assert losses[-1] < losses[0] / 5

# ## Step 2. Write the file
# The module is compiled and saved. The file has its code and its parameters. Gradients, the loss and the optimizer stay behind.
buffer = io.BytesIO()
torch.jit.save(torch.jit.script(net.eval()), buffer)
file = buffer.getvalue()
expected = net(x[:3]).detach()

# ## Step 3. A program that did not train
# This text stands for another process, on another machine: it gets the bytes and an input, and nothing else of this program. It has no `Net`.
SERVER = """
import io, torch
model = torch.jit.load(io.BytesIO(file))
with torch.no_grad():
    answer = model(question)
"""
server = {"file": file, "question": x[:3]}
exec(compile(SERVER, "server.py", "exec"), server)
assert "Net" not in server and "nn" not in server
assert torch.equal(server["answer"], expected)
print("answer:", server["answer"].flatten())

# ## Step 4. What runs there
# The interpreter gets the instructions of `forward`, with the layers inlined: three operators. No module of Python is called, and no graph of autograd is made.
model = server["model"]
operators = [node.kind() for node in model.inlined_graph.nodes() if node.kind().startswith("aten::")]
print("operators:", ", ".join(operators))
assert operators == ["aten::linear", "aten::tanh", "aten::linear"]
assert server["answer"].grad_fn is None and type(model).__module__.startswith("torch.jit")

# ## Step 5. The file can be inspected before it runs
# Its code is text. Whoever receives it can read what it will do.
print(model.code.rstrip())
print(model.first.code.rstrip())
