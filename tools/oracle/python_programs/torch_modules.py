"""Programs on modules, optimizers and data. The real PyTorch records what they print; see record_python_programs.py."""

# ---- a network of a program
import torch
import torch.nn as nn
import torch.nn.functional as F
class Net(nn.Module):
    def __init__(self, hidden=4, *, bias=True):
        super().__init__()
        self.fc1 = nn.Linear(3, hidden, bias=bias)
        self.fc2 = nn.Linear(hidden, 2)
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("seen", torch.zeros(1))
        self.name = "net"
        self.length = hidden
    def forward(self, x):
        self.seen += 1
        return self.fc2(F.relu(self.fc1(x))) * self.scale
torch.manual_seed(0)
net = Net(hidden=5)
print(net, net.name, net.length)
y = net(torch.ones(2, 3))
print(y, net.seen)
print([n for n, _ in net.named_parameters()], [n for n, _ in net.named_modules()], sum(p.numel() for p in net.parameters()))
y.sum().backward()
print(net.fc1.weight.grad.shape, net.scale.grad)
net.eval()
print(net.training, net.fc1.training, isinstance(net, nn.Module), callable(net), net.train() is net)
sd = net.state_dict()
print(list(sd.keys()), sd["seen"])
other = Net(5)
print(other.load_state_dict(sd))
try:
    other.load_state_dict({"x": torch.ones(1)})
except RuntimeError as e:
    print(str(e).split("\n")[0])
try:
    net.missing
except AttributeError as e:
    print(e)

# ---- classes of the library that a program extends
import torch
from torch import nn
class Scaled(nn.Linear):
    def __init__(self, scale):
        super().__init__(2, 3)
        self.scale = scale
    def forward(self, x):
        return super().forward(x) * self.scale
    def extra_repr(self):
        return super().extra_repr() + f", scale={self.scale}"
class Stack(nn.Sequential):
    def total(self):
        return sum(1 for _ in self)
class Mixin:
    def describe(self):
        return f"{type(self).__name__} with {len(list(self.parameters()))} parameters"
class Both(Mixin, nn.Linear):
    pass
torch.manual_seed(1)
m = Scaled(0.0)
print(m, m(torch.ones(1, 2)).sum().item(), m.in_features)
s = Stack(nn.Linear(1, 2), nn.ReLU(), Both(2, 1))
print(s.total(), len(s), s[0].out_features, s[-1].describe(), s[1:])
class Early(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(1, 1)
try:
    Early()
except AttributeError as e:
    print(e)

# ---- containers and hooks
import torch
from torch import nn
torch.manual_seed(2)
class Blocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
        self.heads = nn.ModuleDict({"a": nn.Linear(2, 1), "b": nn.Linear(2, 1)})
        self.ps = nn.ParameterList([torch.ones(1), torch.zeros(1)])
    def forward(self, x, head="a"):
        for i, block in enumerate(self.blocks):
            x = block(x) + i
        return self.heads[head](x)
m = Blocks()
print(m(torch.ones(1, 2)).shape, m(torch.ones(1, 2), head="b").shape, list(m.heads), len(m.blocks), len(m.ps))
def hook(module, inputs, output):
    print("hook", type(module).__name__, type(inputs).__name__, len(inputs), tuple(output.shape))
handle = m.blocks[1].register_forward_hook(hook)
m(torch.ones(1, 2))
handle.remove()
def pre(module, args, kwargs):
    print("pre", len(args), kwargs)
h = m.register_forward_pre_hook(pre, with_kwargs=True)
m(torch.ones(1, 2), head="b")
h.remove()
m.apply(lambda mod: nn.init.zeros_(mod.weight) if isinstance(mod, nn.Linear) else None)
print(m.blocks[0].weight, [type(c).__name__ for c in m.children()])
m.blocks[0].register_full_backward_hook(lambda mod, gi, go: print("backward", type(gi).__name__, len(gi), len(go)))
m(torch.ones(1, 2, requires_grad=True)).sum().backward()

# ---- training
import torch
from torch import nn, optim
torch.manual_seed(0)
x = torch.linspace(-1, 1, 16).unsqueeze(1)
y = 3 * x + 0.5
for make in (lambda p: optim.SGD(p, lr=0.1, momentum=0.9), lambda p: optim.Adam(p, lr=0.1), lambda p: optim.AdamW(p, lr=1.0)):
    model = nn.Linear(1, 1)
    opt = make(model.parameters())
    sched = optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.5)
    for step in range(12):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
        sched.step()
    print(type(opt).__name__, f"{loss.item():.4f}", opt.param_groups[0]["lr"], sched.get_last_lr(), sorted(opt.state_dict()["state"]))
print(opt)
def closure():
    return torch.tensor(1.5)
print(opt.step(closure))
opt.param_groups[0]["lr"] = 0.25
print([g["lr"] for g in opt.param_groups], type(opt.param_groups[0]).__name__)
groups = optim.SGD([{"params": [model.weight]}, {"params": [model.bias], "lr": 0.5}], lr=1.0)
print([(g["lr"], len(g["params"])) for g in groups.param_groups])

# ---- an optimizer and a scheduler of a program
import torch
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler, LambdaLR
class Sign(Optimizer):
    def __init__(self, params, lr=0.5):
        if lr < 0:
            raise ValueError(f"Invalid lr: {lr}")
        super().__init__(params, dict(lr=lr))
    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                state["n"] = state.get("n", 0) + 1
                p.add_(p.grad.sign(), alpha=-group["lr"])
        return loss
class Halve(LRScheduler):
    def get_lr(self):
        return [base * 0.5 ** self.last_epoch for base in self.base_lrs]
w = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
opt = Sign([w], lr=1.0)
sched = Halve(opt)
for _ in range(3):
    opt.zero_grad()
    (w ** 2).sum().backward()
    opt.step()
    sched.step()
print(w, opt.state[w], sched.get_last_lr(), opt)
print(LambdaLR(Sign([w]), lambda epoch: 0.9 ** epoch).get_last_lr())
try:
    Sign([w], lr=-1)
except ValueError as e:
    print(e)

# ---- datasets, samplers and loaders
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, Sampler, Subset, TensorDataset, random_split
class Squares(Dataset):
    def __init__(self, n):
        self.n = n
    def __len__(self):
        return self.n
    def __getitem__(self, i):
        return torch.tensor([float(i)]), i * i
class Count(IterableDataset):
    def __iter__(self):
        for i in range(5):
            yield i
class Backwards(Sampler):
    def __init__(self, data):
        self.data = data
    def __iter__(self):
        return iter(range(len(self.data) - 1, -1, -1))
    def __len__(self):
        return len(self.data)
for x, y in DataLoader(Squares(5), batch_size=2):
    print(x.tolist(), y)
print([b.tolist() for b in DataLoader(Count(), batch_size=2)])
print([y.tolist() for _, y in DataLoader(Squares(4), batch_size=2, sampler=Backwards(Squares(4)))])
print(DataLoader(Squares(4), batch_size=3, collate_fn=lambda rows: [y for _, y in rows], drop_last=True).__len__())
torch.manual_seed(0)
print([b[0].tolist() for b in DataLoader(TensorDataset(torch.arange(6)), batch_size=2, shuffle=True)])
a, b = random_split(range(5), [3, 2], generator=torch.Generator().manual_seed(1))
print(list(a), list(b), len(Subset(Squares(9), [1, 2])))

# ---- files
import io
import os
import tempfile
import torch
from torch import nn
torch.manual_seed(0)
m = nn.Linear(2, 1)
buffer = io.BytesIO()
torch.save({"model": m.state_dict(), "step": 3, "lr": 0.5, "names": ["a", "b"]}, buffer)
buffer.seek(0)
back = torch.load(buffer)
print(sorted(back), back["step"], back["lr"], back["names"], torch.equal(back["model"]["weight"], m.weight))
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "t.pt")
    torch.save(torch.arange(3), path)
    print(torch.load(path), os.path.exists(path))
try:
    torch.load("no such file.pt")
except FileNotFoundError as e:
    print(type(e).__name__)

# ---- losses, activations, functional
import torch
from torch import nn
import torch.nn.functional as F
x = torch.tensor([[1.0, 2.0, 2.5], [0.5, 0.0, -1.0]])
t = torch.tensor([2, 0])
print(nn.CrossEntropyLoss()(x, t), F.cross_entropy(x, t, reduction="none"), F.softmax(x, dim=-1), F.log_softmax(x, 1)[0])
print(F.relu(x), F.gelu(x), nn.PReLU()(x), F.leaky_relu(x, 0.1), F.dropout(x, p=0.0), F.one_hot(t, num_classes=3))
print(F.pad(x, (1, 1)), F.layer_norm(x, (3,)), F.normalize(x, dim=1), F.mse_loss(x, x * 2))
print(nn.MSELoss(reduction="sum")(x, torch.zeros_like(x)), nn.BCEWithLogitsLoss()(x[0], torch.tensor([0.0, 1.0, 1.0])))

# ---- recurrent and convolutional layers
import torch
from torch import nn
torch.manual_seed(0)
lstm = nn.LSTM(3, 4, num_layers=2, batch_first=True)
out, (h, c) = lstm(torch.ones(2, 5, 3))
print(out.shape, h.shape, c.shape, out[0, -1])
gru = nn.GRU(3, 4)
o, h = gru(torch.ones(5, 2, 3))
print(o.shape, h.shape)
conv = nn.Sequential(nn.Conv2d(1, 2, kernel_size=3, padding=1), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten())
print(conv(torch.ones(1, 1, 4, 4)).shape, conv)
att = nn.MultiheadAttention(4, 2, batch_first=True)
q = torch.ones(1, 3, 4)
o, w = att(q, q, q)
print(o.shape, w.shape, nn.Embedding(5, 2)(torch.tensor([0, 4])).shape)

# ---- copies and pickles of modules
import copy
import torch
from torch import nn
torch.manual_seed(0)
m = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
d = copy.deepcopy(m)
with torch.no_grad():
    d[0].weight.zero_()
print(m[0].weight.abs().sum().item() > 0, d[0].weight.sum().item(), type(d).__name__, copy.deepcopy([torch.ones(1)]))

# ---- distributions
import torch
from torch.distributions import Categorical, Distribution, Normal, kl_divergence
torch.manual_seed(0)
n = Normal(torch.tensor(0.0), torch.tensor(1.0))
print(n.sample((2,)), n.log_prob(torch.tensor(0.5)), kl_divergence(n, Normal(1.0, 2.0)), n)
c = Categorical(probs=torch.tensor([0.25, 0.75]))
print(c.sample(), c.entropy(), c.log_prob(torch.tensor(1)))
class Always(Distribution):
    def __init__(self, value):
        self.value = value
        super().__init__(validate_args=False)
    def sample(self, sample_shape=torch.Size()):
        return torch.full(tuple(sample_shape), float(self.value))
print(Always(3).sample((2,)), Always(1).batch_shape)


# ---- state dicts, optimizers' states and generators
import torch, copy, io
from torch import nn
from collections import OrderedDict
m=nn.Sequential(nn.Linear(2,3), nn.BatchNorm1d(3))
sd=m.state_dict(); print(type(sd), isinstance(sd, OrderedDict), isinstance(sd, dict), list(sd)[:2], sd._metadata, hasattr(sd,'_metadata'))
opt=torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
m(torch.ones(4,2)).sum().backward(); opt.step()
s=opt.state_dict(); print(type(s), list(s), list(s['state'])[:2], type(s['state']), s['param_groups'][0]['params'], {k for k in s['state']})
print(type(m.named_parameters()), type(m.parameters()), type(m.children()), type(m.named_modules()), next(m.named_parameters())[0])

# ---- files and copies
import torch, io, copy
b=io.BytesIO(); torch.save({0:torch.ones(1),1:{"a":2}}, b); b.seek(0); d=torch.load(b); print(d, type(d), d[0], list(d))
b=io.BytesIO(); torch.save({"a":[1,(2,3)],"b":None,"c":1.0}, b); b.seek(0); d=torch.load(b); print(d, type(d), isinstance(d,dict))
x=torch.arange(3.); y=copy.copy(x); z=copy.deepcopy(x); print(y is x, y.data_ptr()==x.data_ptr(), z, z.data_ptr()==x.data_ptr())
m=torch.nn.Linear(2,2); n=copy.deepcopy(m); print(n is m, torch.equal(n.weight,m.weight), n.weight is m.weight, type(n))
n=copy.copy(m); print(n.weight is m.weight, type(n))
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__(); self.l=torch.nn.Linear(1,1); self.k=[1,2]
    def forward(self,x): return self.l(x)
a=Net(); b=copy.deepcopy(a); print(b.k, b.k is a.k, b(torch.ones(1)).shape, type(b).__name__)

# ---- a state dict is an OrderedDict
import torch
from torch import nn
m=nn.Linear(2,3)
print(m.state_dict().keys(), m.state_dict()['bias'].shape, len(m.state_dict()))
for k,v in m.state_dict().items(): print(k, tuple(v.shape))
sd=m.state_dict(); sd['weight']=torch.zeros(3,2); print(m.load_state_dict(sd)); print(m.weight.sum().item())
print({**sd}.keys(), dict(sd).keys(), 'bias' in sd, sd.pop('bias').shape, list(sd), m.load_state_dict(sd, strict=False))
import copy
e=copy.deepcopy(m.state_dict()); print(type(e).__name__, list(e))

# ---- pickles
import torch, pickle, copy, io
from torch import nn
x=torch.arange(6.).reshape(2,3); y=pickle.loads(pickle.dumps(x)); print(y, y.dtype, torch.equal(x,y))
a,b=pickle.loads(pickle.dumps((x,x[0]))); a[0,0]=9; print(b)
print(pickle.loads(pickle.dumps(torch.float32)), pickle.loads(pickle.dumps(torch.device("cpu"))), pickle.loads(pickle.dumps(torch.Size([2,3]))), pickle.loads(pickle.dumps(nn.Parameter(torch.ones(2)))))
m=nn.Linear(2,2); sd=pickle.loads(pickle.dumps(m.state_dict())); print(type(sd).__name__, list(sd), torch.equal(sd['weight'],m.weight))
print(pickle.loads(pickle.dumps(nn.Linear)), pickle.loads(pickle.dumps(torch.nn.functional.relu)) is nn.functional.relu, pickle.loads(pickle.dumps(torch.add)) is torch.add)
n=pickle.loads(pickle.dumps(m)); print(n, torch.equal(n.weight,m.weight))
class Net(nn.Module):
    def __init__(self): super().__init__(); self.l=nn.Linear(2,1); self.register_buffer("b", torch.ones(1)); self.k={"a":1}
    def forward(self,x): return self.l(x)+self.b
net=Net(); n=pickle.loads(pickle.dumps(net)); print(n, n.k, torch.equal(n(torch.ones(1,2)), net(torch.ones(1,2))))
s=nn.Sequential(nn.Linear(1,1), nn.ReLU()); n=pickle.loads(pickle.dumps(s)); print(n, n(torch.ones(1,1)).shape)
