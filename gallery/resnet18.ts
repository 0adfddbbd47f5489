/**
 * @file ResNet-18, begun as torchvision begins it, and its logits for a seeded picture.
 * @original In Python, line by line: gallery/pytorch/resnet18.py
 */
import torch, { type Module, type Tensor } from "glasstorch";
import { type Options, type Outcome, quiet, sums } from "./support/outcome.ts";
import { report } from "./support/report.ts";

const { nn } = torch;
const { functional: F } = nn;

class BasicBlock extends nn.Module<[x: Tensor], Tensor> {
  conv1;
  bn1;
  relu = new nn.ReLU({ inplace: true });
  conv2;
  bn2;
  downsample;

  constructor(inplanes: number, planes: number, stride: number, downsample: Module<[x: Tensor], Tensor> | null) {
    super();
    this.conv1 = new nn.Conv2d(inplanes, planes, 3, stride, 1, { bias: false });
    this.bn1 = new nn.BatchNorm2d(planes);
    this.conv2 = new nn.Conv2d(planes, planes, 3, 1, 1, { bias: false });
    this.bn2 = new nn.BatchNorm2d(planes);
    this.downsample = downsample;
  }

  override forward(x: Tensor): Tensor {
    const identity = this.downsample === null ? x : this.downsample(x);
    let out = this.relu(this.bn1(this.conv1(x)));
    out = this.bn2(this.conv2(out));
    out.add_(identity);
    return this.relu(out);
  }
}

/** Two blocks; the first halves the picture, unless `stride` is 1. */
function layer(inplanes: number, planes: number, stride: number) {
  let downsample = null;
  if (stride !== 1 || inplanes !== planes)
    downsample = new nn.Sequential(
      new nn.Conv2d(inplanes, planes, 1, stride, { bias: false }),
      new nn.BatchNorm2d(planes),
    );
  return new nn.Sequential(
    new BasicBlock(inplanes, planes, stride, downsample),
    new BasicBlock(planes, planes, 1, null),
  );
}

class ResNet18 extends nn.Module<[x: Tensor], Tensor> {
  conv1;
  bn1;
  relu = new nn.ReLU({ inplace: true });
  maxpool = new nn.MaxPool2d(3, 2, 1);
  layer1;
  layer2;
  layer3;
  layer4;
  fc;

  constructor(width: number) {
    super();
    this.conv1 = new nn.Conv2d(3, width, 7, 2, 3, { bias: false });
    this.bn1 = new nn.BatchNorm2d(width);
    this.layer1 = layer(width, width, 1);
    this.layer2 = layer(width, 2 * width, 2);
    this.layer3 = layer(2 * width, 4 * width, 2);
    this.layer4 = layer(4 * width, 8 * width, 2);
    this.fc = new nn.Linear(8 * width, 1000);
    for (const module of this.modules())
      if (module instanceof nn.Conv2d)
        nn.init.kaiming_normal_(module.weight, { mode: "fan_out", nonlinearity: "relu" });
      else if (module instanceof nn.BatchNorm2d) {
        nn.init.constant_(module.weight!, 1);
        nn.init.constant_(module.bias!, 0);
      }
  }

  override forward(x: Tensor): Tensor {
    x = this.maxpool(this.relu(this.bn1(this.conv1(x))));
    x = this.layer4(this.layer3(this.layer2(this.layer1(x))));
    return this.fc(F.adaptive_avg_pool2d(x, 1).flatten(1));
  }
}

/** A few passes in training, each of a new picture, which move the statistics of the BatchNorms; then the logits of one more. */
export function run({ steps = 3, on_step = quiet, width = 64 }: Options & { width?: number } = {}): Outcome {
  torch.manual_seed(0);
  const net = new ResNet18(width);
  const label = torch.tensor([207]);
  return torch.no_grad(() => {
    const losses: number[] = [];
    while (losses.length < steps) {
      const loss = F.cross_entropy(net(torch.randn(1, 3, 64, 64)), label);
      losses.push(loss.item() as number);
      on_step(losses);
    }
    net.eval();
    const logits = net(torch.randn(1, 3, 64, 64));
    return { losses, logits: logits.at(0).tolist() as number[], parameters: sums(net) };
  });
}

report(import.meta.url, run, {
  title: "ResNet-18, its passes and its logits",
  shown: ({ logits = [] }) => [
    "the greatest of its 1000 logits",
    ...[...logits.entries()]
      .sort(([, a], [, b]) => b - a)
      .slice(0, 5)
      .map(([i, logit]) => ` class ${String(i).padStart(3)}   ${logit.toFixed(6)}`),
  ],
});
