"""LeNet: two convolutions, each with a max pool, and three linear layers; Adam. As gallery/lenet.ts, line by line."""

import torch
from digits import digits
from outcome import main, quiet, sums
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

TRAIN = (3200, 16, 2, 0.4, 4)
TEST = (400, 16, 2, 0.4, 5)


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 2 * 2, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


def tested(net):
    """How it does on images it has not seen: the part it reads right, and what it reads in the first of them."""
    images, labels = digits(*TEST)
    net.eval()
    with torch.no_grad():
        read = net(images).argmax(1)
    right = (read == labels).sum().item()
    return {"accuracy": right / labels.size(0), "text": " ".join(map(str, read[:3].tolist()))}


def run(steps=300, on_step=quiet):
    torch.manual_seed(0)
    net = LeNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    shuffled = torch.Generator().manual_seed(6)
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
