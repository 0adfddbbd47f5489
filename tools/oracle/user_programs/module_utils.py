# parametrizations of a weight
import torch.nn.utils.parametrize as P
torch.manual_seed(0)
class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).t()
    def right_inverse(self, x):
        return x.triu()
class Double(nn.Module):
    def forward(self, x):
        return x * 2
class Other(nn.Module):
    def forward(self, x):
        return x.double()
class Row(nn.Module):
    def forward(self, x):
        return x[0]
m = nn.Linear(3, 3)
P.register_parametrization(m, "weight", Symmetric())
say(m, list(m.state_dict()), m.weight)
m.weight = torch.arange(9.0).view(3, 3)
say(m.weight, m.parametrizations.weight.original)
P.register_parametrization(m, "weight", Double())
say(m.weight)
fails(lambda: setattr(m, "weight", torch.ones(3, 3)))
fails(lambda: setattr(m, "weight", nn.Parameter(torch.ones(3, 3))))
with P.cached():
    say(m.weight is m.weight)
say(m.weight is m.weight, P.is_parametrized(m), P.is_parametrized(m, "bias"), P.type_before_parametrizations(m).__name__)
P.remove_parametrizations(m, "weight", leave_parametrized=False)
say(m, m.weight, list(m.state_dict()))
for bad in (Other, Row):
    fails(lambda: P.register_parametrization(m, "weight", bad()))
P.register_parametrization(m, "weight", Symmetric())
for bad in (Other, Row):
    fails(lambda: P.register_parametrization(m, "weight", bad()))
P.remove_parametrizations(m, "weight")
say(m.weight, type(m).__name__)
fails(lambda: P.register_parametrization(m, "foo", Symmetric()))
fails(lambda: P.remove_parametrizations(m, "weight"))

# weight_norm and spectral_norm
import torch.nn.utils.parametrizations as Z
torch.manual_seed(0)
x = torch.ones(2, 3)
w = Z.weight_norm(nn.Linear(3, 4))
say(w, list(w.state_dict()), w.weight)
w(x).sum().backward()
say(w.parametrizations.weight.original0.grad, w.parametrizations.weight.original1.grad)
old = nn.utils.weight_norm(nn.Linear(3, 4))
say(list(old.state_dict()), w.load_state_dict(old.state_dict()), (w.weight - old.weight).abs().max() < 1e-6)
s = Z.spectral_norm(nn.Conv2d(2, 3, 2))
say(s, list(s.state_dict()), s.weight, s.eval().weight)
say(Z.spectral_norm(nn.ConvTranspose1d(2, 3, 2), n_power_iterations=2).weight)
fails(lambda: Z.spectral_norm(nn.Linear(2, 2), n_power_iterations=0))
fails(lambda: Z.spectral_norm(nn.Linear(2, 2), dim=3))
fails(lambda: Z.spectral_norm(nn.Linear(2, 2), "nope"))
l = nn.utils.spectral_norm(nn.Linear(3, 4))
y = l(x)
say(y, list(l.state_dict()))
y.sum().backward()
say(l.weight_orig.grad)
nn.utils.remove_spectral_norm(l)
say(list(l.state_dict()), l.weight)
fails(lambda: nn.utils.remove_spectral_norm(l))
nn.utils.remove_weight_norm(old)
say(list(old.state_dict()))
fails(lambda: nn.utils.remove_weight_norm(old))

# pruning
import torch.nn.utils.prune as prune
torch.manual_seed(1)
m = nn.Linear(4, 3)
prune.l1_unstructured(m, "weight", amount=0.3)
say(m.weight, list(m.state_dict()))
prune.random_unstructured(m, "weight", 2)
say(m.weight)
prune.ln_structured(m, "weight", 1, 2, 0)
say(m.weight_mask)
prune.random_structured(m, "weight", 0.5, 1)
m(torch.ones(1, 4)).sum().backward()
say(m.weight, m.weight_orig.grad, prune.is_pruned(m))
prune.remove(m, "weight")
say(m.weight, list(m.state_dict()), prune.is_pruned(m))
fails(lambda: prune.remove(m, "weight"))
for amount in (1.5, 100, -1, "a"):
    fails(lambda: prune.l1_unstructured(m, "weight", amount))
fails(lambda: prune.ln_structured(m, "bias", 1, 2, 0))
fails(lambda: prune.ln_structured(m, "weight", 1, 2, 3))
n = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 3))
prune.global_unstructured([(n[0], "weight"), (n[1], "weight")], prune.L1Unstructured, amount=0.5)
say(n[0].weight, n[1].weight, list(n.state_dict()))
fails(lambda: prune.global_unstructured([(n[0], "bias")], prune.RandomStructured, amount=0.5))
prune.custom_from_mask(n[1], "bias", torch.tensor([1, 0, 1]))
say(n[1].bias)

# a module called with other parameters
f = torch.func.functional_call
torch.manual_seed(2)
x = torch.arange(4.0).view(2, 2)
m = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
weight = torch.ones(2, 2, requires_grad=True)
f(m, {"0.weight": weight}, x)[0, 0].backward()
say(weight.grad is None, m[0].weight.grad)
given = {"1.num_batches_tracked": torch.tensor(5)}
f(m, given, x)
say(given["1.num_batches_tracked"], m[1].num_batches_tracked)
fails(lambda: f(m, {"zz": torch.ones(1)}, x, strict=True))
fails(lambda: f(m, {"a.b": torch.ones(1)}, x))
fails(lambda: f(m, ({"a": torch.ones(1)}, {"a": torch.ones(1)}), x))
fails(lambda: f(m, 5, x))
tied = nn.Sequential(nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False))
tied[1].weight = tied[0].weight
eye = torch.eye(2)
say(f(tied, {"0.weight": eye * 2}, x), f(tied, {"0.weight": eye * 2, "1.weight": eye}, (x,), tie_weights=False))
fails(lambda: f(tied, {"0.weight": eye * 2, "1.weight": eye}, x))
say([t.shape for t in torch.func.stack_module_state([tied[0], tied[1]])[0].values()] == [torch.Size([2, 2, 2])])

# lazy modules
torch.manual_seed(3)
l = nn.LazyLinear(3)
say(l, l.weight, list(l.state_dict()), l.double().weight.dtype)
l.float()
fails(lambda: l.weight.shape)
weight = l.weight
say(l(torch.ones(2, 4)), l, weight is l.weight, weight)
copy = nn.LazyLinear(3)
copy.load_state_dict(l.state_dict())
say(copy(torch.ones(2, 4)), copy)
for m, size in ((nn.LazyConv2d(3, 2), (1, 2, 4, 4)), (nn.LazyConvTranspose1d(3, 2), (1, 2, 4)), (nn.LazyBatchNorm1d(), (3, 2)), (nn.LazyInstanceNorm2d(), (1, 2, 3, 3))):
    shape = list(m(torch.ones(size)).shape)
    say(m, shape, list(m.state_dict()))
fails(lambda: nn.LazyConv2d(3, 2)(torch.ones(2, 2)))
fails(lambda: nn.Linear(4, 3).load_state_dict(nn.LazyLinear(3).state_dict()))

# bags, bilinear forms, adaptive softmax
torch.manual_seed(4)
for mode in ("sum", "mean", "max"):
    m = nn.EmbeddingBag(5, 3, mode=mode, padding_idx=1)
    y = m(torch.tensor([0, 1, 4, 2, 2]), torch.tensor([0, 2, 2]))
    y.sum().backward()
    say(m, y, m.weight.grad)
m = nn.EmbeddingBag(5, 3, max_norm=1.0, mode="sum", scale_grad_by_freq=True)
weights = torch.tensor([[0.5, 1.0], [2.0, 0.25]], requires_grad=True)
m(torch.tensor([[0, 1], [1, 1]]), per_sample_weights=weights).sum().backward()
say(m, m.weight, m.weight.grad, weights.grad)
fails(lambda: m(torch.tensor([[0, 7]])))
fails(lambda: m(torch.tensor([0, 1])))
fails(lambda: m(torch.tensor([[0, 1]]), torch.tensor([0])))
fails(lambda: nn.functional.embedding_bag(torch.tensor([[0]]), m.weight, mode="median"))
b = nn.Bilinear(2, 3, 4)
y = b(torch.ones(5, 2), torch.ones(5, 3))
y.sum().backward()
say(b, y[0].detach(), y.grad_fn.name(), b.weight.grad[0])
fails(lambda: b(torch.ones(5, 3), torch.ones(5, 3)))
fails(lambda: b(torch.ones(5, 2), torch.ones(4, 3)))
fails(lambda: nn.Bilinear(0, 1, 1))
a = nn.AdaptiveLogSoftmaxWithLoss(8, 10, [2, 5])
x = torch.randn(4, 8)
out, loss = a(x, torch.tensor([0, 3, 9, 1]))
say(a, out, loss, a.predict(x), a.log_prob(x).exp().sum(1).sub(1).abs().lt(1e-5))
fails(lambda: a(x, torch.tensor([0, 3, 9, 10])))
fails(lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 10, [5, 2]))
