"""An MLP that reads digits: DataLoader, SGD with momentum, cross entropy. As gallery/mlp_digits.ts, line by line."""

import torch
from digits import digits
from outcome import main, quiet, sums
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

TRAIN = (3200, 8, 1, 0.25, 1)
TEST = (400, 8, 1, 0.25, 2)


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 48)
        self.fc2 = nn.Linear(48, 48)
        self.fc3 = nn.Linear(48, 10)

    def forward(self, x):
        x = F.relu(self.fc1(x.flatten(1)))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


def tested(net):
    """How it does on images it has not seen: the part it reads right, and what it reads in the first of them."""
    images, labels = digits(*TEST)
    with torch.no_grad():
        read = net(images).argmax(1)
    right = (read == labels).sum().item()
    return {"accuracy": right / labels.size(0), "text": " ".join(map(str, read[:5].tolist()))}


def run(steps=400, on_step=quiet):
    torch.manual_seed(0)
    net = MLP()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    shuffled = torch.Generator().manual_seed(3)
    loader = DataLoader(TensorDataset(*digits(*TRAIN)), batch_size=32, shuffle=True, generator=shuffled)

    losses = []
    while len(losses) < steps:
        for images, labels in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(net(images), labels)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            on_step(losses)
            if len(losses) == steps:
                break
    return {"losses": losses, **tested(net), "parameters": sums(net)}


if __name__ == "__main__":
    main(run)
