# modules that are deprecated
log_p = torch.tensor([[[[-0.5]], [[-1.5]]], [[[-0.25]], [[-2.0]]]])
target = torch.tensor([[[1]], [[0]]])
m = nn.NLLLoss2d()
say(m, m(log_p, target), isinstance(m, nn.NLLLoss), type(m).__name__)
m = nn.NLLLoss2d(torch.tensor([1.0, 3.0]), ignore_index=0, reduction="sum")
say(m(log_p, target), m.ignore_index, m.weight)
say(nn.NLLLoss2d(size_average=False)(log_p, target))
fails(lambda: nn.NLLLoss2d(reduction="nope")(log_p, target))
c = nn.Container(first=nn.Linear(2, 1), second=nn.ReLU())
say(c, list(dict(c.named_children())), list(c.state_dict()))
fails(lambda: nn.Container(first=3))
fails(lambda: nn.Container(3))
fails(lambda: c(torch.ones(2)))
say(nn.Container())

# CrossMapLRN2d
torch.manual_seed(0)
x = torch.randn(2, 7, 2, 2, requires_grad=True)
g = torch.randn(2, 7, 2, 2)
for args in ((5,), (3, 0.1, 0.5, 2.0), (2, 0.5)):
    m = nn.CrossMapLRN2d(*args)
    out = m(x)
    x.grad = None
    out.backward(g)
    say(out, x.grad)
fails(lambda: nn.CrossMapLRN2d(1)(x).backward(g))
say(nn.CrossMapLRN2d(5), nn.CrossMapLRN2d(3, alpha=0.5, beta=1.5, k=2.5))
fails(lambda: nn.CrossMapLRN2d(5)(torch.ones(3)))
fails(lambda: nn.CrossMapLRN2d())

# gradients of convolutions
from torch.nn import grad as G
import torch.nn.functional as F
torch.manual_seed(0)
x = torch.randn(2, 4, 6)
w = torch.randn(6, 2, 3)
go = torch.randn(2, 6, 3)
say(G.conv1d_input(x.shape, w, go, stride=2, padding=1, groups=2))
say(G.conv1d_weight(x, w.shape, go, 2, 1, 1, 2))
x = torch.randn(1, 2, 4, 5)
w = torch.randn(3, 2, 2, 2)
go = torch.randn(F.conv2d(x, w, padding=(1, 0), dilation=(1, 2)).shape)
say(list(go.shape), G.conv2d_input((1, 2, 4, 5), w, go, padding=(1, 0), dilation=(1, 2)))
say(G.conv2d_weight(x, (3, 2, 2, 2), go, padding=(1, 0), dilation=(1, 2)))
x = torch.randn(1, 1, 3, 3, 3)
w = torch.randn(2, 1, 2, 2, 2)
go = torch.randn(1, 2, 2, 2, 2)
say(G.conv3d_input(x.shape, w, go), G.conv3d_weight(x, w.shape, go))
fails(lambda: G.conv2d_input((1, 2, 4, 5), torch.ones(3, 2, 2, 2), torch.ones(1, 3, 9, 9)))
fails(lambda: G.conv1d_weight(torch.ones(2, 3), (3, 2, 2), torch.ones(1, 3, 3)))
fails(lambda: G.conv1d_weight(torch.ones(2, 3), (3, 2, 2), 5))
fails(lambda: G.conv3d_input((1, 1, 3, 3, 3), w))

# formats of weights
m = nn.Sequential(nn.Conv2d(2, 3, 2), nn.Sequential(nn.ConvTranspose2d(2, 3, 2), nn.Conv3d(2, 3, 2)), nn.Linear(2, 2))
weights = [m[0].weight, m[1][0].weight, m[1][1].weight]
before = [w.clone() for w in weights]
say(nn.utils.convert_conv2d_weight_memory_format(m, torch.channels_last) is m, [w.stride() for w in weights])
say(nn.utils.convert_conv3d_weight_memory_format(m, torch.channels_last_3d) is m, [w.stride() for w in weights])
say(all(torch.equal(a, b) for a, b in zip(before, weights)), m[0].weight is weights[0], m[0].weight.requires_grad)
nn.utils.convert_conv2d_weight_memory_format(m, torch.contiguous_format)
say([w.stride() for w in weights])
fails(lambda: nn.utils.convert_conv2d_weight_memory_format(m, torch.channels_last_3d))
fails(lambda: nn.utils.convert_conv2d_weight_memory_format(5, torch.channels_last))
fails(lambda: nn.utils.convert_conv2d_weight_memory_format(m, 5))

# batch normalizations without statistics
m = nn.Sequential(nn.BatchNorm1d(2), nn.Sequential(nn.BatchNorm2d(3), nn.Linear(2, 2)), nn.BatchNorm1d(2, track_running_stats=False))
say(torch.func.replace_all_batch_norm_modules_(m) is m, m, list(m.state_dict()))
say(m[0].running_mean, m[0].running_var, m[0].num_batches_tracked, m[0].training)
say(m[0](torch.tensor([[1.0, 2.0], [3.0, 6.0]])))
b = nn.BatchNorm1d(2)
say(torch.func.replace_all_batch_norm_modules_(b).track_running_stats)
fails(lambda: torch.func.replace_all_batch_norm_modules_(5))
