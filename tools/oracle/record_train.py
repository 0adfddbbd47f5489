"""Records the losses of the training loop of walkthroughs/train.ts in real PyTorch.

    python tools/oracle/record_train.py walkthroughs/recorded/train.json

The same seed, the same small network, the same data, the same sixty steps.
"""

import json
import sys

import torch

STEPS = 60

torch.set_num_threads(1)
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
x = torch.rand([32, 2]).mul(2).sub(1)
y = x.square().sum(1, True)
loss_fn = torch.nn.MSELoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

losses, versions = [], []
for _ in range(STEPS):
    optimizer.zero_grad()
    loss = loss_fn(net(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    versions.append(net[0].weight._version)

with open(sys.argv[1], "w") as file:
    json.dump({"torch": torch.__version__.split("+")[0], "losses": losses, "versions": versions}, file)
    file.write("\n")
