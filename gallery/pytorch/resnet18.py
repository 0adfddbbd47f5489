"""ResNet-18, begun as torchvision begins it, and its logits for a seeded picture. As gallery/resnet18.ts, line by line."""

import torch
from outcome import main, quiet, sums
from torch import nn
from torch.nn import functional as F


class BasicBlock(nn.Module):
    def __init__(self, inplanes, planes, stride, downsample):
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = downsample

    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += identity
        return self.relu(out)


def layer(inplanes, planes, stride):
    """Two blocks; the first halves the picture, unless `stride` is 1."""
    downsample = None
    if stride != 1 or inplanes != planes:
        downsample = nn.Sequential(nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))
    return nn.Sequential(BasicBlock(inplanes, planes, stride, downsample), BasicBlock(planes, planes, 1, None))


class ResNet18(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.layer1 = layer(width, width, 1)
        self.layer2 = layer(width, 2 * width, 2)
        self.layer3 = layer(2 * width, 4 * width, 2)
        self.layer4 = layer(4 * width, 8 * width, 2)
        self.fc = nn.Linear(8 * width, 1000)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(module, nn.BatchNorm2d):
                nn.init.constant_(module.weight, 1)
                nn.init.constant_(module.bias, 0)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(F.adaptive_avg_pool2d(x, 1).flatten(1))


def run(steps=3, on_step=quiet, width=64):
    """A few passes in training, each of a new picture, which move the statistics of the BatchNorms; then the logits of one more."""
    torch.manual_seed(0)
    net = ResNet18(width)
    label = torch.tensor([207])
    with torch.no_grad():
        losses = []
        while len(losses) < steps:
            loss = F.cross_entropy(net(torch.randn(1, 3, 64, 64)), label)
            losses.append(loss.item())
            on_step(losses)
        net.eval()
        logits = net(torch.randn(1, 3, 64, 64))
    return {"losses": losses, "logits": logits[0].tolist(), "parameters": sums(net)}


if __name__ == "__main__":
    main(run)
