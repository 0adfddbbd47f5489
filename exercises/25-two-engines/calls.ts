/**
 * @file The model of the README, run by PyTorch's operators and by the other engine as it was found; and the learner's functions on
 * recordings of other models.
 * @original
 */
import torch from "glasstorch";
import type { Session, Yours } from "../../tools/learn/checks/host.ts";

type Tensor = ReturnType<typeof torch.tensor>;

interface Step {
  readonly layer: string;
  readonly shape: readonly number[];
  readonly layout: string;
  readonly values: readonly number[];
}

/** JSON has no such numbers. */
const number = (value: number | string): number => Number(value);
const revived = (step: Step): Step => ({ ...step, values: step.values.map(number) });

/** A matrix of fixed numbers of both signs; record_exercises.py makes the same ones. */
function filled(shape: readonly [number, number], step: number): Tensor {
  const values = Array.from({ length: shape[0] * shape[1] }, (_, i) => (((i * step * 10) % 7) - 3.3) / 2);
  return torch.tensor(values).view([...shape]);
}

const PRELU_OF_LAYER_1 = [0.25, 0.25, 0.25, 0.25];
const PRELU_OF_LAYER_3 = [0.1, 0.5, 0.25];

/** The results of all layers. `prelu` is the engine's. */
function results(prelu: (x: Tensor, weight: Tensor) => Tensor): Tensor[] {
  const { linear } = torch.nn.functional;
  const bias = (n: number): Tensor => filled([n, 1], 0.11).view([n]);
  const layers: readonly ((x: Tensor) => Tensor)[] = [
    (x) => linear(x, filled([4, 3], 0.37), bias(4)),
    (x) => prelu(x, torch.tensor(PRELU_OF_LAYER_1)),
    (x) => linear(x, filled([3, 4], 0.23), bias(3)),
    (x) => prelu(x, torch.tensor(PRELU_OF_LAYER_3)),
    (x) => linear(x, filled([2, 3], 0.31), bias(2)),
  ];
  const all: Tensor[] = [];
  let x = filled([2, 3], 0.19);
  for (const layer of layers) {
    x = layer(x);
    all.push(x);
  }
  return all;
}

const byPyTorch = (): Tensor[] => results((x, weight) => torch.prelu(x, weight));
/** As it was found: one weight for all channels. */
const byTheOther = (): Tensor[] => results((x, weight) => torch.prelu(x, weight.narrow(0, 0, 1)));

const none = (): unknown[] => [];

export function open({ first_difference, in_our_order, close, prelu }: Yours): Session {
  const firstWrong = (): number => {
    const theirs = byTheOther();
    return byPyTorch().findIndex((ours, i) => !torch.allclose(ours, theirs[i] as Tensor));
  };
  return {
    calls: {
      "in_our_order(step)": { inputs: none, run: (step: Step) => in_our_order(revived(step)).join(", ") },
      "close(a, b)": {
        inputs: none,
        run: (a: number, b: number) => (close(number(a), number(b)) === true ? "close" : "different"),
      },
      "first_difference(ours, theirs)": {
        inputs: none,
        run: (ours: Step[], theirs: Step[]) => String(first_difference(ours.map(revived), theirs.map(revived))),
      },
      "the model, by PyTorch": { inputs: none, run: byPyTorch },
      "the first layer that differs": { inputs: none, run: () => String(firstWrong()) },
      "channels of layer 1 that are read rightly": {
        inputs: none,
        run: () => PRELU_OF_LAYER_1.flatMap((weight, i) => (weight === PRELU_OF_LAYER_1[0] ? [String(i)] : [])),
      },
      "elements of the first wrong result that differ": {
        inputs: none,
        run: () => {
          const layer = firstWrong();
          const [ours, theirs] = [byPyTorch()[layer] as Tensor, byTheOther()[layer] as Tensor];
          return String(torch.isclose(ours, theirs).logical_not().sum().item());
        },
      },
      "the engine's prelu(x, weight)": {
        inputs: () => [filled([2, 3], 0.37), torch.tensor(PRELU_OF_LAYER_3)],
        run: (x: Tensor, weight: Tensor) => {
          const array = (tensor: Tensor) => ({ shape: tensor.shape, values: tensor.flatten().tolist() });
          const { shape, values } = prelu(array(x), array(weight)) as { shape: number[]; values: number[] };
          return torch.tensor(values).view(shape);
        },
      },
    },
  };
}
