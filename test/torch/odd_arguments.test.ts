/** Arguments that are seldom given, and what refuses them, as PyTorch's: tools/oracle/user_programs/odd_arguments.py in TypeScript. */
import glasstorch from "glasstorch";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const torch = glasstorch as Any;
const { nn, optim, Float } = torch;
const F = nn.functional;

user_programs("odd_arguments", {
  "a transposed convolution of single weights that pads its output"({ say }) {
    const x = torch.arange(Float(8)).reshape(1, 2, 2, 2).requires_grad_();
    const w = torch.arange(Float(1), 5).reshape(2, 2, 1, 1).requires_grad_();
    for (const padding of [
      [1, 0],
      [0, 1],
      [1, 1],
    ]) {
      const y = F.conv_transpose2d(x, w, null, 1, 0, padding, 1, 2);
      say(y, y.sum().backward());
    }
    say(x.grad, w.grad);
  },
  "embedding_bag: frequencies, and the last bag"({ say }) {
    for (const padding_idx of [null, 0]) {
      const weight = torch.ones(5, 1, { requires_grad: true });
      const options = { scale_grad_by_freq: true, mode: "sum", padding_idx };
      const bags = F.embedding_bag(torch.tensor([0, 1, 2, 0, 1, 0]), weight, torch.tensor([0, 3]), options);
      bags.sum().backward();
      say(weight.grad);
    }
    const w = torch.arange(Float(1), 16).reshape(5, 3);
    for (const mode of ["max", "mean", "sum"]) {
      const options = { mode, include_last_offset: true };
      say(F.embedding_bag(torch.tensor([2, 0, 1, 4, 0, 2]), w, torch.tensor([0, 1, 2]), options));
    }
  },
  "statistics of another dtype"({ say, fails }) {
    const m = new nn.InstanceNorm1d(2, { track_running_stats: true });
    say(m(torch.arange(12, { dtype: torch.float64 }).reshape(2, 2, 3)).dtype, m.running_mean, m.running_var);
    fails(() => new nn.InstanceNorm1d(2, { affine: true })(torch.zeros(2, 2, 3, { dtype: torch.float64 })));
  },
  "places that are no numbers"({ say }) {
    const image = torch.arange(Float(1), 13).reshape(1, 1, 3, 4);
    const [nan, inf] = [Number.NaN, Number.POSITIVE_INFINITY];
    const zero = Float(0);
    const grid = torch.tensor([
      [
        [
          [nan, zero],
          [zero, nan],
          [inf, zero],
          [Float(2), nan],
        ],
      ],
    ]);
    for (const padding of ["zeros", "border", "reflection"])
      say(F.grid_sample(image, grid, "bilinear", padding, true), F.grid_sample(image, grid, "bicubic", padding, true));
    const lines = torch.tensor([
      [nan, -1.5, 0.5],
      [-1.5, nan, 0.5],
      [Float(3), nan, Float(1)],
    ]);
    say([...torch.mode(lines)]);
  },
  "what modules refuse"({ say, fails }) {
    fails(() => new nn.Hardtanh(Float(-1), Float(-1)));
    fails(() => new nn.GRU(2, 3, null));
    fails(() => new nn.LSTM(2, 3, { dropout: true }));
    say(new nn.LSTM(2, 3, 2, { dropout: Float(0) }), new nn.GLU(null), new nn.LocalResponseNorm(2));
    fails(() => new nn.MultiheadAttention(null, 1));
    fails(() => new nn.TripletMarginLoss(null));
    fails(() => new nn.Conv1d(2, 2, 1, { groups: null }));
    fails(() => new nn.LazyConvTranspose1d(2, 1, { padding_mode: "reflect" }));
    fails(() => new nn.LazyBatchNorm1d()());
    fails(() => new nn.LazyConv1d(2, 1)());
    fails(() => new nn.LazyBatchNorm1d()(torch.zeros(3)));
    fails(() => new nn.AdaptiveMaxPool2d(null)(torch.zeros(1, 2, 2)));
    fails(() => new nn.FractionalMaxPool3d(2, { output_size: 1 })(torch.zeros(1, 2, 2, 2)));
    fails(() => torch.topk(torch.tensor(true), 1));
    fails(() => F.cosine_similarity(torch.ones(2), torch.ones(2), 0, -0.5));
  },
  "options of optimizers that are None, or no tuple"({ fails }) {
    const p = torch.zeros(2, { requires_grad: true });
    p.grad = torch.ones(2);
    fails(() => new optim.Adamax([p], { betas: 0.5 }));
    fails(() => new optim.NAdam([p], { betas: [] }));
    fails(() => new optim.Rprop([p], { etas: 2 }));
    fails(() => new optim.Adafactor([p], { eps: 0.5 }));
    fails(() => new optim.SGD({ params: [p] }, {}));
    fails(() => new optim.SGD([{ params: [p], lr: null }]).step());
    fails(() => new optim.Adam([{ params: [p], lr: null }]).step());
    fails(() => new optim.Adamax([p], { differentiable: null }).step());
    fails(() => new optim.lr_scheduler.StepLR(new optim.SGD([p]), 0).step());
    fails(() => new optim.lr_scheduler.CosineAnnealingLR(new optim.SGD([p]), 0).step());
    fails(() => new optim.lr_scheduler.LambdaLR(new optim.SGD([p]), 3));
    fails(() => new torch.utils.data.TensorDataset(3));
  },
  "versions of what is made of an inference tensor"({ say }) {
    for (const x of [torch.tensor([Float(3), 1, 2]), torch.tensor([]), torch.tensor(Float(1))]) {
      const y = torch.inference_mode(() => x.clone());
      const results = [
        torch.sort(y),
        torch.unique_consecutive(y, true, true),
        torch._unique(y, true, true),
        y.dim() > 0 ? [torch.searchsorted(y, 0.5)] : [],
        y.numel() > 0 ? torch.aminmax(y) : [],
      ];
      say(results.map((r) => [...r].map((t: Any) => t._version)));
    }
  },
  "what cannot be called, nor iterated over, and a group without parameters"({ fails }) {
    const file = torch.save(torch.ones(2));
    fails(() => torch.load(file, { map_location: 5 }));
    fails(() => torch.serialization.add_safe_globals(5));
    fails(() => new optim.SGD([torch.zeros(2)], { lr: 0.1 }).load_state_dict({ state: {}, param_groups: [{}] }));
    fails(() => new nn.LinearCrossEntropyLoss(4, { num_classes: 2, weight: 2 }));
  },
  "scalars in messages"({ fails }) {
    for (const ord of [Infinity, -Infinity, -1, -1e-5]) fails(() => torch.linalg.vector_norm(torch.zeros(0), ord));
    fails(() => torch.renorm(torch.ones(2, 2), 2, 0, -1e-7));
  },
  "a module on meta, and the incomplete gamma functions"({ say, fails }) {
    const { float64 } = torch;
    fails(() => new nn.Linear(1, 1, { device: "meta" }).to("cpu"));
    fails(() => new nn.Linear(1, 1, { device: "meta" }).double().to("cpu", torch.float32));
    const a = torch.tensor([0, 0.5, 1.5, 25, 250, 3, -1], { dtype: float64 });
    const x = torch.tensor([1, 0.2, 4, 24, 260, 0, 1], { dtype: float64, requires_grad: true });
    say(torch.igamma(a, x), torch.special.gammaincc(a, x));
    torch.igamma(a, x).__getitem__(torch.slice(1, 5)).sum().backward();
    say(x.grad);
    fails(() => torch.igamma(a.clone().requires_grad_(), x).sum().backward());
    fails(() => torch.igamma(torch.tensor([1]), torch.tensor([2])));
    const { Gamma, Chi2 } = torch.distributions;
    const d = new Gamma(torch.tensor([1.5, 2]), torch.tensor([0.5, 2]));
    say(d.cdf(torch.tensor([1, 0.5])), new Chi2(torch.tensor(Float(3))).cdf(torch.tensor(2.5)));
    fails(() => d.cdf(torch.tensor(Float(-1))));
  },
  "histograms of several dimensions"({ say, fails }) {
    const x = torch.tensor([0, 1, 1, 0, 2, 1, 2, 2], { dtype: torch.float32 }).reshape(4, 2);
    const floats = (...values: number[]) => torch.tensor(values, { dtype: torch.float32 });
    const t = (...args: Any[]) =>
      fails(() => {
        const { hist, bin_edges } = torch.histogramdd(...args);
        const edges = bin_edges.length === 0 ? "()" : `(${bin_edges.map((each: Any) => each.__repr__()).join(", ")})`;
        say(`torch.return_types.histogramdd(\nhist=${hist.__repr__()},\nbin_edges=${edges})`);
      });
    t(x, [3, 2]);
    t(x, 3, { weight: floats(1, 2, 4, 8) });
    t(x, [2, 2], { range: [0, 1, 0, 1], density: true });
    t(x, [floats(0, 1, 2), floats(0, 2)]);
    const ones = torch.ones(2);
    t(x, [3]);
    t(x, [0, 1]);
    t(x, [ones]);
    t(x, [torch.tensor([]), ones]);
    t(x, [torch.ones(2, 2), ones]);
    t(x, [ones.double(), ones]);
    t(x.int(), [3, 3]);
    t(torch.ones(3), [3]);
    t(x, [3, 3], { range: [0, 1] });
    t(x, [3, 3], { range: [1, 0, 0, 1] });
    t(x, [3, 3], { weight: torch.ones(3) });
    t(x, [3, 3], { weight: torch.ones(4, { dtype: torch.float64 }) });
    t(torch.ones(0, 2), [2, 2]);
    t(torch.ones(3, 0), []);
    t(torch.tensor([[Infinity, 1]]), [2, 2]);
    t(x.to("meta"), [2, 2]);
  },
});
