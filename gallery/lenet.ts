/**
 * @file LeNet: two convolutions, each with a max pool, and three linear layers; Adam.
 * @original In Python, line by line: gallery/pytorch/lenet.py
 */
import torch, { type Tensor } from "glasstorch";
import { digits, pictures } from "./support/digits.ts";
import { type Options, type Outcome, quiet, sums } from "./support/outcome.ts";
import { report } from "./support/report.ts";

const { nn } = torch;
const { functional: F } = nn;
const { DataLoader, TensorDataset } = torch.utils.data;

const TRAIN = [3200, 16, 2, 0.4, 4] as const;
const TEST = [400, 16, 2, 0.4, 5] as const;

class LeNet extends nn.Module<[x: Tensor], Tensor> {
  conv1 = new nn.Conv2d(1, 6, 5, { padding: 2 });
  conv2 = new nn.Conv2d(6, 16, 5);
  fc1 = new nn.Linear(16 * 2 * 2, 120);
  fc2 = new nn.Linear(120, 84);
  fc3 = new nn.Linear(84, 10);

  // (N, 1, 16, 16) -> (N, 6, 8, 8) -> (N, 16, 2, 2) -> (N, 10)
  override forward(x: Tensor): Tensor {
    x = F.max_pool2d(F.relu(this.conv1(x)), 2);
    x = F.max_pool2d(F.relu(this.conv2(x)), 2);
    x = F.relu(this.fc1(x.flatten(1)));
    x = F.relu(this.fc2(x));
    return this.fc3(x);
  }
}

/** How it does on images it has not seen: the part it reads right, and what it reads in the first of them. */
function tested(net: LeNet): { accuracy: number; text: string } {
  const [images, labels] = digits(...TEST);
  net.eval();
  const read = torch.no_grad(() => net(images).argmax(1));
  const right = read.eq(labels).sum().item() as number;
  return { accuracy: right / labels.size(0), text: read.at(torch.slice(0, 3)).tolist().join(" ") };
}

export function run({ steps = 300, on_step = quiet }: Options = {}): Outcome {
  torch.manual_seed(0);
  const net = new LeNet();
  const optimizer = new torch.optim.Adam(net.parameters(), { lr: 3e-3 });
  const generator = new torch.Generator().manual_seed(6);
  const dataset = new TensorDataset(...digits(...TRAIN));
  const loader = new DataLoader(dataset, { batch_size: 32, shuffle: true, generator });

  const losses: number[] = [];
  while (losses.length < steps)
    for (const [images, labels] of loader) {
      optimizer.zero_grad();
      const loss = F.cross_entropy(net(images), labels);
      loss.backward();
      optimizer.step();
      losses.push(loss.item() as number);
      on_step(losses);
      if (losses.length === steps) break;
    }
  return { losses, ...tested(net), parameters: sums(net) };
}

report(import.meta.url, run, {
  title: "LeNet on digits of 16 x 16 dots",
  shown: ({ text = "" }) => [`it reads ${text} in`, ...pictures(digits(...TEST)[0].at(torch.slice(0, 3)))],
});
