"""One step of training in its five lines, and sixty such steps: the claims of train.ts as a PyTorch program.

With its recording, here:  npm run python -- --trace train.json walkthroughs/train.py
In your own PyTorch:       python walkthroughs/train.py
"""

import torch
from torch import nn

# ## Step 1. A network, data, a loss, an optimizer
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
x = torch.rand([32, 2]).mul(2).sub(1)
y = x.square().sum(1, True)
loss_fn = nn.MSELoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
assert [name for name, _ in net.named_parameters()] == ["0.weight", "0.bias", "2.weight", "2.bias"]

# ## Step 2. Five lines
parameters = list(net.parameters())
weight = parameters[0]


def state():
    """Bytes of the gradients, version and first element of the first weight."""
    grads = [parameter.grad for parameter in parameters if parameter.grad is not None]
    return sum(grad.untyped_storage().nbytes() for grad in grads), weight._version, weight[0, 0].item()


loss_fn(net(x), y).backward()  # as if there had been a step before
optimizer.zero_grad()
zeroed = state()
output = net(x)
forwarded = state()
loss = loss_fn(output, y)
lost = state()
loss.backward()
backwarded = state()
optimizer.step()
stepped = state()
# Only backward makes gradients: as many bytes as the parameters have. Only the step changes parameters, in place.
assert zeroed[0] == forwarded[0] == lost[0] == 0
assert backwarded[0] == sum(parameter.untyped_storage().nbytes() for parameter in parameters)
assert zeroed[1:] == forwarded[1:] == lost[1:] == backwarded[1:]
assert stepped[1] == backwarded[1] + 1
assert stepped[2] != backwarded[2]
lines = {"zero_grad": zeroed, "net(x)": forwarded, "loss_fn": lost, "backward": backwarded, "step": stepped}
for line, (nbytes, version, first) in lines.items():
    print(f"{line:10} .grad bytes {nbytes:4}   version {version}   weight[0, 0] {first:.5f}")

# ## Step 3. Who calls whom
# `net(x)` runs `Module.__call__` for the network, and inside it for each of its three parts.
calls = []
for name, module in net.named_modules():
    module.register_forward_pre_hook(lambda module, args: calls.append(type(module).__name__))
net(x)
assert calls == ["Sequential", "Linear", "Tanh", "Linear"]

# ## Step 4. Training and inference
# The numbers are the same. Only the autograd layer is missing in inference mode.
with torch.inference_mode():
    inferred = net(x)
assert inferred.grad_fn is None
assert torch.equal(inferred, net(x))
assert net(x).grad_fn.name() == "AddmmBackward0"

# ## Step 5. Sixty steps
torch.manual_seed(0)
again = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
descent = torch.optim.SGD(again.parameters(), lr=0.1)
first_version = again[0].weight._version  # the initialization has written once
losses = []
for i in range(60):
    descent.zero_grad()
    off = loss_fn(again(x), y)
    off.backward()
    descent.step()
    losses.append(off.item())
    assert again[0].weight._version == first_version + i + 1  # each step counts once
assert losses[-1] < losses[0] / 5
for i in [0, 1, 2, 5, 10, 20, 40, 59]:
    print(f"step {i:2}   {losses[i]:.5f}   {'#' * round(losses[i] * 50)}")
