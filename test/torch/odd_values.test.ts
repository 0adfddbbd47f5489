/** Values that are seldom met, beside PyTorch's: tools/oracle/user_programs/odd_values.py. */
import torch from "glasstorch";
import type { Any } from "../helpers/recorded.ts";
import { user_programs } from "../helpers/user_programs.ts";

const [nan, inf] = [Number.NaN, Number.POSITIVE_INFINITY];
const floats = (values: number[], dtype: Any = torch.float32): Any => torch.tensor(values, { dtype });

user_programs("odd_values", {
  "distributions of numbers that are none, infinite or at a pole": ({ say, fails }) => {
    for (const rate of [nan, inf, 1e19]) fails(() => say(torch.poisson(floats([rate]))));
    for (const concentration of [
      [nan, nan],
      [nan, 1],
      [inf, 1],
      [inf, inf],
      [0, 0],
      [-1, 1],
      [1, nan, 2],
    ]) {
      for (const dtype of [torch.float32, torch.float64]) {
        torch.manual_seed(0);
        say(torch._sample_dirichlet(floats(concentration, dtype)));
      }
    }
    let alpha = floats([nan, nan, 0, -1, -1.5, 0.001, 1, 50, 5, inf, 3, 0]);
    let x = floats([nan, 2, 2, 2, 0.001, -2, -2, 60, nan, 3, inf, 0.5]);
    say(torch._standard_gamma_grad(alpha, x));
    say(torch._standard_gamma_grad(alpha.double(), x.double()));
    x = floats([nan, 0.25, 0.5, 0.75, inf, -inf, 2, 0.5, 0.25]);
    alpha = floats([1.5, nan, 0, 1.5, 0.5, 0.5, -1, -1, 0]);
    const total = floats([2.5, 2.5, 101, nan, 0, 0, 2.5, 2.5, 2]);
    say(torch._dirichlet_grad(x, alpha, total));
    say(torch._dirichlet_grad(x.double(), alpha.double(), total.double()));
    x = torch.tensor([[nan, torch.Float(3), -0.25]], { requires_grad: true });
    torch.manual_seed(0);
    torch._standard_gamma(x).sum().backward();
    say(x.grad);
  },
  "a single weighted observation becomes 0 in the caller's memory": ({ say, fails }) => {
    const one = (): Any => torch.ones(1, { dtype: torch.long });
    for (const x of [torch.tensor(4), torch.tensor(torch.Float(4)), floats([4]), floats([4, 5]).reshape(2, 1)]) {
      const both = { fweights: one(), aweights: torch.ones(1) };
      for (const weights of [{}, { fweights: one() }, { aweights: torch.ones(1) }, both] as Any[])
        say(torch.cov(x, weights), x, x._version);
    }
    fails(() => torch.cov(torch.tensor(4), { aweights: torch.ones(1, { dtype: torch.float64 }) }));
    const v = torch.tensor(4);
    say(torch.cov(v, { fweights: v }), v, v._version);
    let x: Any = floats([1, 2, 3, 5]).reshape(2, 2);
    say(torch.cov(x, { fweights: torch.tensor([1, 2]) }), x._version);
    x = torch.tensor([[torch.Float(4)]], { requires_grad: true });
    fails(() => torch.cov(x, { fweights: one() }));
    fails(() => torch.cov(x.select(0, 0), { fweights: one() }));
    torch
      .cov(x.mul(2), { fweights: one().mul(3) })
      .sum()
      .backward();
    say(x.grad);
  },
  "the gradient of a product that meets zeros is no in-place result": ({ say }) => {
    const { cumprod_backward } = torch.ops.aten as Any;
    for (const x of [floats([0, 2, 3]), floats([1, 0, 0, 2, 3, 4]).reshape(2, 3), floats([1.5, 2])]) {
      for (const dim of [0, -1]) {
        const gradient = (): Any => cumprod_backward.default(torch.ones_like(x), x, dim, x.cumprod(dim));
        for (const g of [torch.no_grad(gradient), gradient()]) say(g, g._version);
      }
    }
  },
  "pooling by a norm of order 0": ({ say, fails }) => {
    const { nn } = torch;
    for (const order of [0, torch.Float(0)] as Any[]) {
      fails(() => new nn.LPPool2d(order, 2)(torch.ones(1, 2, 2)));
      fails(() => nn.functional.lp_pool1d(torch.ones(1, 4), order, 2));
    }
    fails(() => nn.functional.lp_pool1d(torch.ones(1, 4), 0, 0));
    say(nn.functional.lp_pool1d(torch.ones(1, 4), -1, 2));
  },
  "shapes that are tensors, or hold some": ({ say, fails }) => {
    const T = torch.tensor;
    const all: Any[] = [
      [T([2, 1]), T([3])],
      [T(2), 3],
      [[2, 3], T([1])],
      [[T(3), 2], 1],
      [[T(3)], [T(1)]],
      [[2, T(1)], 3],
      [[T([1, 2])]],
      [[2, 1], T(2.5)],
    ];
    for (const shapes of all) fails(() => torch.broadcast_shapes(...shapes));
    fails(() => torch.broadcast_shapes(...([null, 2, 3] as Any)));
    say([...torch.broadcast_shapes(...([null, 2, [3, 1]] as Any))]);
  },
  "Meta tensors are checked by PyTorch's formulas in Python": ({ say, fails }) => {
    const m = (sizes: number[], dtype: Any = torch.float32): Any => torch.empty(sizes, { device: "meta", dtype });
    const f = torch._addmm_activation as Any;
    for (const bias of [m([4]), m([2, 4]), m([1]), m([]), m([2]), m([3, 4]), m([4], torch.float64), torch.ones(4)]) {
      fails(() => say(f(bias, m([2, 3]), m([3, 4]))));
      fails(() => say(f(bias, m([2, 3]), m([3, 4]), { use_gelu: true, beta: 2 })));
    }
    fails(() => f(m([4]), m([2, 3]), m([4, 4])));
    fails(() => f(m([4]), m([2]), m([3, 4])));
    fails(() => f(m([4]), m([2, 3]), m([3])));
    say(f(m([4]), m([2, 3], torch.int64), m([3, 4])));
    say(f(m([4], torch.float16), m([2, 3], torch.float16), m([3, 4], torch.float16)));
    say(f(m([4]), m([2, 3]), m([3, 4]), { out: m([0]) }));
    fails(() => torch.meshgrid(m([3, 1]), { indexing: "ij" }));
    fails(() => torch.meshgrid(torch.ones(1, 2), { indexing: "ij" }));
  },
  "heads are counted by the projection, not by its bias": ({ say, fails }) => {
    const f = torch._transform_bias_rescale_qkv;
    const cases: [number[], number[], number][] = [
      [[2, 3, 12], [12], 2],
      [[2, 3, 12], [12], 3],
      [[2, 3, 13], [13], 2],
      [[2, 3, 4, 12], [12], 2],
      [[3, 12], [12], 2],
      [[2, 3, 12], [2, 6], 2],
    ];
    for (const [qkv, bias, heads] of cases)
      fails(() => say(f(torch.ones(qkv), torch.ones(bias), heads).map((x: Any) => [...x.shape])));
    const bias = torch.arange(torch.Float(12)).reshape(2, 6);
    say(f(torch.ones(1, 1, 12), bias, 2));
  },
  "what a sparse gradient asks first": ({ fails }) => {
    const f = (torch.ops.aten as Any).embedding_backward.default;
    fails(() => f(torch.ones(3, 2), torch.ones(3), 4, -1, false, true));
    fails(() => f(torch.ones(3, 2), torch.ones(3), 4, -1, true, true));
    fails(() => f(torch.ones(3, 2), torch.tensor([0, 1, 2]), 4, -1, true, true));
  },
});
