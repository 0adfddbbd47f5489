/**
 * Both texts of a forward compute the same: the TypeScript that eager programs run, and the Python that scripts compile.
 */
import type { Tensor } from "glasstorch";
import torch from "glasstorch/jit";
import { python } from "glasstorch/python";
import { describe, expect, test } from "vitest";

const { nn } = torch;
const line = (...size: number[]): Tensor => {
  const n = size.reduce((a, b) => a * b, 1);
  return torch.linspace(-1, 1, n).reshape(size);
};
const rows = line(2, 6);
const images = line(2, 3, 8, 8);
const signals = line(2, 3, 8);
const words = torch.tensor([
  [0, 1],
  [2, 4],
]);

/** Modules of the library by kind of input. */
const modules: readonly (readonly [input: readonly Tensor[], make: Record<string, () => unknown>])[] = [
  [
    [rows],
    {
      Linear: () => new nn.Linear(6, 2),
      ReLU: () => new nn.ReLU(),
      ReLU6: () => new nn.ReLU6(),
      ELU: () => new nn.ELU(),
      GELU: () => new nn.GELU(),
      SiLU: () => new nn.SiLU(),
      Hardswish: () => new nn.Hardswish(),
      Hardtanh: () => new nn.Hardtanh(),
      LeakyReLU: () => new nn.LeakyReLU(),
      PReLU: () => new nn.PReLU(),
      Softplus: () => new nn.Softplus(),
      LogSigmoid: () => new nn.LogSigmoid(),
      Tanhshrink: () => new nn.Tanhshrink(),
      GLU: () => new nn.GLU(),
      Threshold: () => new nn.Threshold(0.1, 20),
      Softmax: () => new nn.Softmax(1),
      LogSoftmax: () => new nn.LogSoftmax(1),
      Dropout: () => new nn.Dropout(0.5).eval(),
      LayerNorm: () => new nn.LayerNorm(6),
      RMSNorm: () => new nn.RMSNorm(6),
      Unflatten: () => new nn.Unflatten(1, [2, 3]),
    },
  ],
  [[rows, rows], { Bilinear: () => new nn.Bilinear(6, 6, 2), CosineSimilarity: () => new nn.CosineSimilarity() }],
  [
    [images],
    {
      BatchNorm2d: () => new nn.BatchNorm2d(3),
      "BatchNorm2d without statistics": () => new nn.BatchNorm2d(3, { track_running_stats: false }),
      InstanceNorm2d: () => new nn.InstanceNorm2d(3),
      GroupNorm: () => new nn.GroupNorm(3, 3),
      LocalResponseNorm: () => new nn.LocalResponseNorm(2),
      Conv2d: () => new nn.Conv2d(3, 4, 3, { padding: 1, stride: 2 }),
      "Conv2d reflect": () => new nn.Conv2d(3, 4, 3, { padding: 1, padding_mode: "reflect" }),
      MaxPool2d: () => new nn.MaxPool2d(2),
      AvgPool2d: () => new nn.AvgPool2d(2),
      AdaptiveAvgPool2d: () => new nn.AdaptiveAvgPool2d(1),
      AdaptiveMaxPool2d: () => new nn.AdaptiveMaxPool2d(2),
      Softmax2d: () => new nn.Softmax2d(),
      Flatten: () => new nn.Flatten(),
      ZeroPad2d: () => new nn.ZeroPad2d(1),
    },
  ],
  [
    [signals],
    {
      Conv1d: () => new nn.Conv1d(3, 4, 3),
      MaxPool1d: () => new nn.MaxPool1d(2),
      AvgPool1d: () => new nn.AvgPool1d(2),
      AdaptiveAvgPool1d: () => new nn.AdaptiveAvgPool1d(2),
    },
  ],
  [[words], { Embedding: () => new nn.Embedding(5, 3, { padding_idx: 0 }) }],
  [
    [rows, torch.tensor([0, 3])],
    { CrossEntropyLoss: () => new nn.CrossEntropyLoss(), NLLLoss: () => new nn.NLLLoss() },
  ],
  [
    [rows, rows.mul(2)],
    {
      MSELoss: () => new nn.MSELoss(),
      SmoothL1Loss: () => new nn.SmoothL1Loss(),
      BCEWithLogitsLoss: () => new nn.BCEWithLogitsLoss(),
      KLDivLoss: () => new nn.KLDivLoss({ reduction: "batchmean" as never }),
    },
  ],
];

describe("eager and script", () => {
  for (const [inputs, makers] of modules) {
    for (const [name, make] of Object.entries(makers)) {
      test(name, () => {
        const module = make() as (...args: Tensor[]) => Tensor;
        const scripted = torch.jit.script(module) as typeof module;
        const eager = module(...inputs).tolist();
        expect(scripted(...inputs).tolist()).toEqual(eager);
      });
    }
  }
});

test("a module without a body has no source", () => {
  expect(() => torch.jit.script(new nn.LinearCrossEntropyLoss(4, 3))).toThrow("Can't get source for");
});

/** Calls of functions, some of which are refused. Each gives two texts, of the eager call and of the script: the result, or the error's last line. */
const PROGRAM = `
import torch
import torch.nn.functional as F
from torch import Tensor
from typing import List, Optional

def resize(x: Tensor, size: Optional[List[int]], scale: Optional[List[float]], mode: str, corners: Optional[bool]):
    return F.interpolate(x, size, scale, mode, corners)

def bags(x: Tensor, offsets: Optional[Tensor], weights: Optional[Tensor], mode: str):
    return F.embedding_bag(x, torch.ones(5, 3), offsets, mode=mode, per_sample_weights=weights)

def pool(x: Tensor, size: Optional[List[int]], ratio: Optional[List[float]]):
    return F.fractional_max_pool2d(x, 2, size, ratio)

def soft(x: Tensor, hard: bool):
    return F.gumbel_softmax(x, 0.7, hard, dim=1)

def weighted(x: Tensor, y: Tensor, reduction: str):
    return F.l1_loss(x, y, reduction=reduction, weight=y)

line = torch.linspace(-1, 1, 96)
images, signals, rows = line.reshape(2, 3, 4, 4), line.reshape(2, 3, 16), line.reshape(8, 12)
words, starts = torch.tensor([0, 1, 4]), torch.tensor([0, 2])
calls = [
    [resize, (images, None, [1.5, 2.0], "bicubic", True)], [resize, (images, None, [1.5, 2.0], "area", None)],
    [resize, (images, [3, 3], [1.0, 1.0], "nearest", None)],
    [resize, (images, None, None, "nearest", None)], [resize, (images, [3, 3], None, "nearest", True)],
    [resize, (images, [3, 3], None, "trilinear", None)], [resize, (signals, [3], None, "bicubic", None)],
    [resize, (signals, [3], None, "linear", None)], [resize, (images, [3, 3], None, "lanczos", None)],
    [bags, (words, starts, torch.tensor([1.0, 2.0, 3.0]), "sum")], [bags, (words, starts, torch.ones(3), "max")],
    [bags, (words, None, None, "sum")], [bags, (words, starts, torch.ones(2), "sum")], [bags, (words, starts, None, "odd")],
    [pool, (images, None, [0.5, 0.7])], [pool, (images[0], [2, 2], None)], [pool, (images, None, None)],
    [soft, (rows, False)], [soft, (rows, True)],
    [weighted, (rows, rows * 2, "mean")], [weighted, (rows, rows * 2, "odd")],
]

def outcome(f, args):
    torch.manual_seed(0)
    try:
        return str(f(*args))
    except Exception as error:
        return str(error).strip().split("\\n")[-1]

def outcomes(i):
    f, args = calls[i]
    return [outcome(f, args), outcome(torch.jit.script(f), args)]
`;

test("functions and their refusals", () => {
  const { calls, outcomes } = python(PROGRAM, { name: "functions" }) as unknown as {
    calls: unknown[];
    outcomes(i: number): [string, string];
  };
  for (let i = 0; i < calls.length; i++) {
    const [eager, scripted] = outcomes(i);
    // A script prints the name of an error's class before its message, and a size as a list.
    const expected = eager.replace(/torch\.Size\((.*?)\)/g, "$1");
    expect(scripted.replace(/^builtins\.\w+: /, ""), `call ${i}`).toBe(expected);
  }
});
