# a transposed convolution of single weights that pads its output
F = nn.functional
x = torch.arange(8.0).reshape(1, 2, 2, 2).requires_grad_()
w = torch.arange(1.0, 5).reshape(2, 2, 1, 1).requires_grad_()
for padding in ([1, 0], [0, 1], [1, 1]):
    y = F.conv_transpose2d(x, w, None, 1, 0, padding, 1, 2)
    say(y, y.sum().backward())
say(x.grad, w.grad)

# embedding_bag: frequencies, and the last bag
F = nn.functional
for padding_idx in (None, 0):
    w = torch.ones(5, 1, requires_grad=True)
    bags = F.embedding_bag(torch.tensor([0, 1, 2, 0, 1, 0]), w, torch.tensor([0, 3]), scale_grad_by_freq=True, mode="sum", padding_idx=padding_idx)
    bags.sum().backward()
    say(w.grad)
w = torch.arange(1.0, 16).reshape(5, 3)
for mode in ("max", "mean", "sum"):
    say(F.embedding_bag(torch.tensor([2, 0, 1, 4, 0, 2]), w, torch.tensor([0, 1, 2]), mode=mode, include_last_offset=True))

# statistics of another dtype
m = nn.InstanceNorm1d(2, track_running_stats=True)
say(m(torch.arange(12, dtype=torch.float64).reshape(2, 2, 3)).dtype, m.running_mean, m.running_var)
fails(lambda: nn.InstanceNorm1d(2, affine=True)(torch.zeros(2, 2, 3, dtype=torch.float64)))

# places that are no numbers
F = nn.functional
image = torch.arange(1.0, 13).reshape(1, 1, 3, 4)
nan, inf = float("nan"), float("inf")
grid = torch.tensor([[[[nan, 0.0], [0.0, nan], [inf, 0.0], [2.0, nan]]]])
for padding in ("zeros", "border", "reflection"):
    say(F.grid_sample(image, grid, "bilinear", padding, True), F.grid_sample(image, grid, "bicubic", padding, True))
say(list(torch.mode(torch.tensor([[nan, -1.5, 0.5], [-1.5, nan, 0.5], [3.0, nan, 1.0]]))))

# what modules refuse
fails(lambda: nn.Hardtanh(-1.0, -1.0))
fails(lambda: nn.GRU(2, 3, None))
fails(lambda: nn.LSTM(2, 3, dropout=True))
say(nn.LSTM(2, 3, 2, dropout=0.0), nn.GLU(None), nn.LocalResponseNorm(2))
fails(lambda: nn.MultiheadAttention(None, 1))
fails(lambda: nn.TripletMarginLoss(None))
fails(lambda: nn.Conv1d(2, 2, 1, groups=None))
fails(lambda: nn.LazyConvTranspose1d(2, 1, padding_mode="reflect"))
fails(lambda: nn.LazyBatchNorm1d()())
fails(lambda: nn.LazyConv1d(2, 1)())
fails(lambda: nn.LazyBatchNorm1d()(torch.zeros(3)))
fails(lambda: nn.AdaptiveMaxPool2d(None)(torch.zeros(1, 2, 2)))
fails(lambda: nn.FractionalMaxPool3d(2, output_size=1)(torch.zeros(1, 2, 2, 2)))
fails(lambda: torch.topk(torch.tensor(True), 1))
fails(lambda: nn.functional.cosine_similarity(torch.ones(2), torch.ones(2), 0, -0.5))

# options of optimizers that are None, or no tuple
optim = torch.optim
p = torch.zeros(2, requires_grad=True)
p.grad = torch.ones(2)
fails(lambda: optim.Adamax([p], betas=0.5))
fails(lambda: optim.NAdam([p], betas=()))
fails(lambda: optim.Rprop([p], etas=2))
fails(lambda: optim.Adafactor([p], eps=0.5))
fails(lambda: optim.SGD({"params": [p]}))
fails(lambda: optim.SGD([{"params": [p], "lr": None}]).step())
fails(lambda: optim.Adam([{"params": [p], "lr": None}]).step())
fails(lambda: optim.Adamax([p], differentiable=None).step())
fails(lambda: optim.lr_scheduler.StepLR(optim.SGD([p]), 0).step())
fails(lambda: optim.lr_scheduler.CosineAnnealingLR(optim.SGD([p]), 0).step())
fails(lambda: optim.lr_scheduler.LambdaLR(optim.SGD([p]), 3))
fails(lambda: torch.utils.data.TensorDataset(3))

# versions of what is made of an inference tensor
for x in (torch.tensor([3.0, 1, 2]), torch.tensor([]), torch.tensor(1.0)):
    with torch.inference_mode():
        y = x.clone()
    results = [torch.sort(y), torch.unique_consecutive(y, True, True), torch._unique(y, True, True), [torch.searchsorted(y, 0.5)] if y.dim() > 0 else [], torch.aminmax(y) if y.numel() > 0 else []]
    say([[t._version for t in r] for r in results])

# what cannot be called, nor iterated over, and a group without parameters
import io
file = io.BytesIO()
torch.save(torch.ones(2), file)
file.seek(0)
fails(lambda: torch.load(file, map_location=5))
fails(lambda: torch.serialization.add_safe_globals(5))
fails(lambda: torch.optim.SGD([torch.zeros(2)], lr=0.1).load_state_dict({"state": {}, "param_groups": [{}]}))
fails(lambda: nn.LinearCrossEntropyLoss(4, num_classes=2, weight=2))

# scalars in messages
inf = float("inf")
for ord in (inf, -inf, -1, -1e-5):
    fails(lambda: torch.linalg.vector_norm(torch.zeros(0), ord))
fails(lambda: torch.renorm(torch.ones(2, 2), 2, 0, -1e-7))

# a module on meta, and the incomplete gamma functions
fails(lambda: nn.Linear(1, 1, device="meta").to("cpu"))
fails(lambda: nn.Linear(1, 1, device="meta").double().to("cpu", torch.float32))
a = torch.tensor([0.0, 0.5, 1.5, 25.0, 250.0, 3.0, -1.0], dtype=torch.float64)
x = torch.tensor([1.0, 0.2, 4.0, 24.0, 260.0, 0.0, 1.0], dtype=torch.float64, requires_grad=True)
say(torch.igamma(a, x), torch.special.gammaincc(a, x))
torch.igamma(a, x)[1:5].sum().backward()
say(x.grad)
fails(lambda: torch.igamma(a.clone().requires_grad_(), x).sum().backward())
fails(lambda: torch.igamma(torch.tensor([1]), torch.tensor([2])))
d = torch.distributions.Gamma(torch.tensor([1.5, 2.0]), torch.tensor([0.5, 2.0]))
say(d.cdf(torch.tensor([1.0, 0.5])), torch.distributions.Chi2(torch.tensor(3.0)).cdf(torch.tensor(2.5)))
fails(lambda: d.cdf(torch.tensor(-1.0)))

# histograms of several dimensions
x = torch.tensor([[0., 1.], [1., 0.], [2., 1.], [2., 2.]])
def t(*args, **kw):
    fails(lambda: say(torch.histogramdd(*args, **kw)))
t(x, [3, 2])
t(x, 3, weight=torch.tensor([1., 2., 4., 8.]))
t(x, [2, 2], range=[0., 1., 0., 1.], density=True)
t(x, [torch.tensor([0., 1., 2.]), torch.tensor([0., 2.])])
for bins in ([3], [0, 1], [torch.ones(2)], [torch.tensor([]), torch.ones(2)], [torch.ones(2, 2), torch.ones(2)], [torch.ones(2).double(), torch.ones(2)]):
    t(x, bins)
t(x.int(), [3, 3])
t(torch.ones(3), [3])
t(x, [3, 3], range=[0., 1.])
t(x, [3, 3], range=[1., 0., 0., 1.])
t(x, [3, 3], weight=torch.ones(3))
t(x, [3, 3], weight=torch.ones(4, dtype=torch.float64))
t(torch.ones(0, 2), [2, 2])
t(torch.ones(3, 0), [])
t(torch.tensor([[float("inf"), 1.]]), [2, 2])
t(x.to("meta"), [2, 2])
