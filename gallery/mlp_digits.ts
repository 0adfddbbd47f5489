/**
 * @file An MLP that reads digits: `DataLoader`, SGD with momentum, cross entropy.
 * @original In Python, line by line: gallery/pytorch/mlp_digits.py
 */
import torch, { type Tensor } from "glasstorch";
import { digits, pictures } from "./support/digits.ts";
import { type Options, type Outcome, quiet, sums } from "./support/outcome.ts";
import { report } from "./support/report.ts";

const { nn } = torch;
const { functional: F } = nn;
const { DataLoader, TensorDataset } = torch.utils.data;

const TRAIN = [3200, 8, 1, 0.25, 1] as const;
const TEST = [400, 8, 1, 0.25, 2] as const;

class MLP extends nn.Module<[x: Tensor], Tensor> {
  fc1 = new nn.Linear(64, 48);
  fc2 = new nn.Linear(48, 48);
  fc3 = new nn.Linear(48, 10);

  override forward(x: Tensor): Tensor {
    x = F.relu(this.fc1(x.flatten(1)));
    x = F.relu(this.fc2(x));
    return this.fc3(x);
  }
}

/** How it does on images it has not seen: the part it reads right, and what it reads in the first of them. */
function tested(net: MLP): { accuracy: number; text: string } {
  const [images, labels] = digits(...TEST);
  const read = torch.no_grad(() => net(images).argmax(1));
  const right = read.eq(labels).sum().item() as number;
  return { accuracy: right / labels.size(0), text: read.at(torch.slice(0, 5)).tolist().join(" ") };
}

export function run({ steps = 400, on_step = quiet }: Options = {}): Outcome {
  torch.manual_seed(0);
  const net = new MLP();
  const optimizer = new torch.optim.SGD(net.parameters(), { lr: 0.1, momentum: 0.9 });
  const generator = new torch.Generator().manual_seed(3);
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
  title: "An MLP that reads digits of 8 x 8 dots",
  shown: ({ text = "" }) => [`it reads ${text} in`, ...pictures(digits(...TEST)[0].at(torch.slice(0, 5)))],
});
