/** Utilities of modules, lazy modules and bags as PyTorch's: tools/oracle/user_programs/module_utils.py in TypeScript, line for line. */
import torch from "glasstorch";
import type { Any } from "../../helpers/recorded.ts";
import { user_programs } from "../../helpers/user_programs.ts";

const nn = torch.nn as Any;
const { parametrize: P, parametrizations: Z, prune } = nn.utils;

class Symmetric extends nn.Module {
  forward(x: Any) {
    return x.triu().add(x.triu(1).t());
  }
  right_inverse(x: Any) {
    return x.triu();
  }
}
class Double extends nn.Module {
  forward(x: Any) {
    return x.mul(2);
  }
}
class Other extends nn.Module {
  forward(x: Any) {
    return x.double();
  }
}
class Row extends nn.Module {
  forward(x: Any) {
    return x.select(0, 0);
  }
}
const floats = (n: number) => torch.arange(0, n, { dtype: torch.float32 });
const keys = (m: Any) => [...m.state_dict().keys()];
const long = (...values: number[]) => torch.tensor(values);

user_programs("module_utils", {
  "parametrizations of a weight"({ say, fails }) {
    torch.manual_seed(0);
    const m = new nn.Linear(3, 3);
    P.register_parametrization(m, "weight", new Symmetric());
    say(m, keys(m), m.weight);
    m.weight = floats(9).view(3, 3);
    say(m.weight, m.parametrizations.__getitem__("weight").original);
    P.register_parametrization(m, "weight", new Double());
    say(m.weight);
    fails(() => {
      m.weight = torch.ones(3, 3);
    });
    fails(() => {
      m.weight = new nn.Parameter(torch.ones(3, 3));
    });
    const same = () => {
      const first = m.weight;
      return first === m.weight;
    };
    P.cached(() => say(same()));
    say(same(), P.is_parametrized(m), P.is_parametrized(m, "bias"), P.type_before_parametrizations(m).name);
    P.remove_parametrizations(m, "weight", { leave_parametrized: false });
    say(m, m.weight, keys(m));
    for (const Bad of [Other, Row]) fails(() => P.register_parametrization(m, "weight", new Bad()));
    P.register_parametrization(m, "weight", new Symmetric());
    for (const Bad of [Other, Row]) fails(() => P.register_parametrization(m, "weight", new Bad()));
    P.remove_parametrizations(m, "weight");
    say(m.weight, m.constructor.name);
    fails(() => P.register_parametrization(m, "foo", new Symmetric()));
    fails(() => P.remove_parametrizations(m, "weight"));
  },

  "weight_norm and spectral_norm"({ say, fails }) {
    torch.manual_seed(0);
    const x = torch.ones(2, 3);
    const w = Z.weight_norm(new nn.Linear(3, 4));
    say(w, keys(w), w.weight);
    w(x).sum().backward();
    const list = w.parametrizations.__getitem__("weight");
    say(list.original0.grad, list.original1.grad);
    const old = nn.utils.weight_norm(new nn.Linear(3, 4));
    say(keys(old), w.load_state_dict(old.state_dict()).__repr__(), w.weight.sub(old.weight).abs().max().lt(1e-6));
    const s = Z.spectral_norm(new nn.Conv2d(2, 3, 2));
    say(s, keys(s), s.weight, s.eval().weight);
    say(Z.spectral_norm(new nn.ConvTranspose1d(2, 3, 2), { n_power_iterations: 2 }).weight);
    fails(() => Z.spectral_norm(new nn.Linear(2, 2), { n_power_iterations: 0 }));
    fails(() => Z.spectral_norm(new nn.Linear(2, 2), { dim: 3 }));
    fails(() => Z.spectral_norm(new nn.Linear(2, 2), "nope"));
    const l = nn.utils.spectral_norm(new nn.Linear(3, 4));
    const y = l(x);
    say(y, keys(l));
    y.sum().backward();
    say(l.weight_orig.grad);
    nn.utils.remove_spectral_norm(l);
    say(keys(l), l.weight);
    fails(() => nn.utils.remove_spectral_norm(l));
    nn.utils.remove_weight_norm(old);
    say(keys(old));
    fails(() => nn.utils.remove_weight_norm(old));
  },

  pruning({ say, fails }) {
    torch.manual_seed(1);
    const m = new nn.Linear(4, 3);
    prune.l1_unstructured(m, "weight", { amount: 0.3 });
    say(m.weight, keys(m));
    prune.random_unstructured(m, "weight", 2);
    say(m.weight);
    prune.ln_structured(m, "weight", 1, 2, 0);
    say(m.weight_mask);
    prune.random_structured(m, "weight", 0.5, 1);
    m(torch.ones(1, 4)).sum().backward();
    say(m.weight, m.weight_orig.grad, prune.is_pruned(m));
    prune.remove(m, "weight");
    say(m.weight, keys(m), prune.is_pruned(m));
    fails(() => prune.remove(m, "weight"));
    for (const amount of [1.5, 100, -1, "a"]) fails(() => prune.l1_unstructured(m, "weight", amount));
    fails(() => prune.ln_structured(m, "bias", 1, 2, 0));
    fails(() => prune.ln_structured(m, "weight", 1, 2, 3));
    const n = new nn.Sequential(new nn.Linear(3, 2), new nn.Linear(2, 3));
    const [first, second] = [...n] as Any[];
    const both = [
      [first, "weight"],
      [second, "weight"],
    ];
    prune.global_unstructured(both, prune.L1Unstructured, { amount: 0.5 });
    say(first.weight, second.weight, keys(n));
    fails(() => prune.global_unstructured([[first, "bias"]], prune.RandomStructured, { amount: 0.5 }));
    prune.custom_from_mask(second, "bias", long(1, 0, 1));
    say(second.bias);
  },

  "a module called with other parameters"({ say, fails }) {
    const f = torch.func.functional_call as Any;
    torch.manual_seed(2);
    const x = floats(4).view(2, 2);
    const m = new nn.Sequential(new nn.Linear(2, 2), new nn.BatchNorm1d(2));
    const [linear, norm] = [...m] as Any[];
    const weight = torch.ones(2, 2, { requires_grad: true });
    f(m, { "0.weight": weight }, x).select(0, 0).select(0, 0).backward();
    say(weight.grad === null, linear.weight.grad);
    const given: Any = { "1.num_batches_tracked": torch.tensor(5) };
    f(m, given, x);
    say(given["1.num_batches_tracked"], norm.num_batches_tracked);
    fails(() => f(m, { zz: torch.ones(1) }, x, { strict: true }));
    fails(() => f(m, { "a.b": torch.ones(1) }, x));
    fails(() => f(m, [{ a: torch.ones(1) }, { a: torch.ones(1) }], x));
    fails(() => f(m, 5, x));
    const layer = () => new nn.Linear(2, 2, { bias: false });
    const tied = new nn.Sequential(layer(), layer());
    const [one, two] = [...tied] as Any[];
    two.weight = one.weight;
    const eye = torch.eye(2);
    const different = { "0.weight": eye.mul(2), "1.weight": eye };
    say(f(tied, { "0.weight": eye.mul(2) }, x), f(tied, different, [x], { tie_weights: false }));
    fails(() => f(tied, different, x));
    const [params] = torch.func.stack_module_state([one, two]);
    say(String(Object.values(params).map((t) => t.shape)) === "2,2,2");
  },

  "lazy modules"({ say, fails }) {
    torch.manual_seed(3);
    const l = new nn.LazyLinear(3);
    say(l, l.weight, keys(l), l.double().weight.dtype);
    l.float();
    fails(() => l.weight.shape);
    const { weight } = l;
    say(l(torch.ones(2, 4)), l, weight === l.weight, weight);
    const copy = new nn.LazyLinear(3);
    copy.load_state_dict(l.state_dict());
    say(copy(torch.ones(2, 4)), copy);
    const modules: [Any, number[]][] = [
      [new nn.LazyConv2d(3, 2), [1, 2, 4, 4]],
      [new nn.LazyConvTranspose1d(3, 2), [1, 2, 4]],
      [new nn.LazyBatchNorm1d(), [3, 2]],
      [new nn.LazyInstanceNorm2d(), [1, 2, 3, 3]],
    ];
    for (const [m, size] of modules) {
      const shape = [...m(torch.ones(size)).shape];
      say(m, shape, keys(m));
    }
    fails(() => new nn.LazyConv2d(3, 2)(torch.ones(2, 2)));
    fails(() => new nn.Linear(4, 3).load_state_dict(new nn.LazyLinear(3).state_dict()));
  },

  "bags, bilinear forms, adaptive softmax"({ say, fails }) {
    torch.manual_seed(4);
    for (const mode of ["sum", "mean", "max"]) {
      const m = new nn.EmbeddingBag(5, 3, { mode, padding_idx: 1 });
      const y = m(long(0, 1, 4, 2, 2), long(0, 2, 2));
      y.sum().backward();
      say(m, y, m.weight.grad);
    }
    const m = new nn.EmbeddingBag(5, 3, { max_norm: new torch.Float(1), mode: "sum", scale_grad_by_freq: true });
    const weights = torch.tensor([
      [0.5, 1],
      [2, 0.25],
    ]);
    weights.requires_grad_();
    const bags = torch.tensor([
      [0, 1],
      [1, 1],
    ]);
    m(bags, { per_sample_weights: weights }).sum().backward();
    say(m, m.weight, m.weight.grad, weights.grad);
    fails(() => m(torch.tensor([[0, 7]])));
    fails(() => m(long(0, 1)));
    fails(() => m(torch.tensor([[0, 1]]), long(0)));
    fails(() => nn.functional.embedding_bag(torch.tensor([[0]]), m.weight, { mode: "median" }));
    const b = new nn.Bilinear(2, 3, 4);
    const y = b(torch.ones(5, 2), torch.ones(5, 3));
    y.sum().backward();
    say(b, y.select(0, 0).detach(), y.grad_fn.name(), b.weight.grad.select(0, 0));
    fails(() => b(torch.ones(5, 3), torch.ones(5, 3)));
    fails(() => b(torch.ones(5, 2), torch.ones(4, 3)));
    fails(() => new nn.Bilinear(0, 1, 1));
    const a = new nn.AdaptiveLogSoftmaxWithLoss(8, 10, [2, 5]);
    const x = torch.randn(4, 8);
    const [out, loss] = a(x, long(0, 3, 9, 1));
    say(a, out, loss, a.predict(x), a.log_prob(x).exp().sum(1).sub(1).abs().lt(1e-5));
    fails(() => a(x, long(0, 3, 9, 10)));
    fails(() => new nn.AdaptiveLogSoftmaxWithLoss(8, 10, [5, 2]));
  },
});
