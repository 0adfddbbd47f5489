"""Programs on tensors. The real PyTorch records what they print; see record_python_programs.py."""

# ---- operators of numbers and tensors
import torch
x = torch.tensor([1.0, -2.0, 3.5])
n = torch.arange(4)
print(x + 1, 2 * x, x - x, 1 / x, x ** 2, 2 ** n, n // 2, n % 3, -x, abs(x))
print(x > 0, x == x, (x != 0).all(), n & 1, n | 4, ~(x > 0), n << 1)
print(x @ x, torch.eye(2) @ torch.ones(2, 3))
x += 1
x *= 2
print(x, x.dtype, n.dtype, (n + 1.5).dtype, (n / 2).dtype, (x.double() + n[:3]).dtype)

# ---- indexing as Python writes it
import torch
x = torch.arange(24).reshape(2, 3, 4)
print(x[0, 1], x[-1, -1, -1], x[:, 0], x[..., 1:3], x[0, ::2], x[None, 0, 0].shape)
print(x[x > 20], x[[0, 1], [1, 2]], x[:, torch.tensor([2, 0])].shape, x[1][2][3].item())
x[0] = 7
x[:, 1] += 100
x[1, 2, 3] = -1
x[x == 7] = 0
print(x)
y = torch.zeros(3)
y[1:] = torch.tensor([5.0, 6.0])
print(y, len(y), y[0] == 0, 5.0 in y)
try:
    x[5]
except IndexError as e:
    print("IndexError:", e)

# ---- numbers that come out of tensors
import torch
a = torch.tensor(2.0)
b = torch.tensor(3)
c = torch.tensor(True)
print(a.item(), b.item(), c.item(), type(a.item()).__name__, type(b.item()).__name__, type(c.item()).__name__)
print(float(a), int(b), bool(c), int(torch.tensor(2.9)), float(b), f"{a.item():.3f}", f"{a:.2f}", f"{b:>4}")
print([1, 2, 3][torch.tensor(1)], range(torch.tensor(3)), torch.tensor([[1.0, 2.0], [3.0, 4.0]]).tolist(), b.tolist())
if a > 1 and not b == 4:
    print("true")
try:
    bool(torch.ones(2))
except RuntimeError as e:
    print("RuntimeError:", e)

# ---- sizes are tuples
import torch
x = torch.ones(2, 3, 4)
print(x.shape, x.size(), x.size(-1), x.shape[0], x.shape[1:], tuple(x.shape), list(x.shape), x.shape == (2, 3, 4), x.dim())
b, *rest = x.shape
print(b, rest, x.stride(), x.numel(), x.shape.numel(), torch.Size([1, 2]), isinstance(x.shape, tuple))
print(x.view(*x.shape[:2], -1).shape, torch.zeros(x.shape[:1] + (5,)).shape, x.reshape(2, -1).shape)
print({x.shape: "key"}[torch.Size([2, 3, 4])], hash(x.shape) == hash((2, 3, 4)))

# ---- results with names, and with several values
import torch
x = torch.tensor([[3.0, 1.0, 2.0], [9.0, 7.0, 8.0]])
r = x.max(dim=1)
print(r.values, r.indices, type(r).__name__, len(r))
values, indices = torch.sort(x, dim=1, descending=True)
print(values, indices)
print(x.topk(2), x.split(2, dim=1), x.unbind(0), torch.broadcast_tensors(x, torch.ones(3))[1].shape)
print([t.shape for t in x.chunk(2)], isinstance(x.chunk(2), tuple), torch.std_mean(x))

# ---- keywords, defaults, dtypes and devices
import torch
print(torch.zeros(2, dtype=torch.int64), torch.ones((1, 2), dtype=torch.float64), torch.full((2,), 3.0), torch.arange(0, 1, 0.25))
print(torch.add(torch.ones(2), torch.ones(2), alpha=3), torch.sum(torch.ones(2, 3), dim=0, keepdim=True))
print(torch.linspace(0, 1, steps=3), torch.float32, torch.ones(1).device, torch.device("cpu"), torch.get_default_dtype())
print(isinstance(torch.float32, torch.dtype), isinstance(torch.ones(1).device, torch.device), torch.ones(1).to(torch.int32).dtype)
print(torch.tensor([1, 2]).float(), torch.as_tensor([1.5]), torch.tensor(1.0).type(), torch.finfo(torch.float32).eps)
try:
    torch.zeros(2, dtype="float")
except TypeError as e:
    print("TypeError")
try:
    torch.add(torch.ones(2), torch.ones(3))
except RuntimeError as e:
    print("RuntimeError:", e)

# ---- iteration, comprehensions, zip and sorting
import torch
x = torch.tensor([[1, 2], [3, 4], [5, 6]])
print([row.sum().item() for row in x], sum(t.item() for t in x[:, 0]), [(a.item(), b.item()) for a, b in x])
for i, (row, name) in enumerate(zip(x, "abc")):
    print(i, name, row.tolist())
print(sorted(x[:, 1].tolist(), reverse=True), max(x[:, 0], key=lambda t: -t), list(map(lambda t: t.tolist(), x)))
print({k: v.mean().item() for k, v in {"a": torch.ones(2), "b": torch.zeros(3)}.items()})
print(torch.stack([t * 2 for t in x]), torch.cat(list(x)))

# ---- gradients
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (x ** 2).sum()
y.backward()
print(x.grad, y, y.grad_fn.name(), x.is_leaf)
with torch.no_grad():
    z = x * 2
print(z.requires_grad, torch.is_grad_enabled())

@torch.no_grad()
def f(t):
    return t * 3
print(f(x).requires_grad)
g, = torch.autograd.grad((x * x * x).sum(), x, create_graph=True)
print(g, torch.autograd.grad(g.sum(), x))
w = torch.ones(2, requires_grad=True)
h = w.register_hook(lambda grad: grad * 10)
(w * 2).sum().backward()
print(w.grad)
h.remove()
try:
    y.backward()
except RuntimeError as e:
    print(str(e)[:60])

# ---- functions of a program that differentiate themselves
import torch
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x * x * scale
    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        print("needs", ctx.needs_input_grad)
        return grad * 2 * x * ctx.scale, None
class Two(torch.autograd.Function):
    @staticmethod
    def forward(a, b):
        return a + b, a * b
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, g1, g2):
        a, b = ctx.saved_tensors
        return g1 + g2 * b, g1 + g2 * a
x = torch.tensor([1.0, 2.0], requires_grad=True)
Square.apply(x, 3).sum().backward()
print(x.grad)
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(5.0, requires_grad=True)
s, p = Two.apply(a, b)
(s + p).backward()
print(s, p, a.grad, b.grad, type(s.grad_fn).__name__)

# ---- classes that extend Tensor
import torch
class Logged(torch.Tensor):
    calls = []
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)
        return super().__torch_function__(func, types, args, kwargs or {})
t = torch.ones(2).as_subclass(Logged)
u = torch.sin(t) + 1
print(type(u).__name__, Logged.calls, isinstance(u, torch.Tensor), u.sum().item() > 3)
class Scalar:
    def __init__(self, n):
        self.n = n
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return f"{func.__name__} of {[getattr(a, 'n', a) for a in args]}"
print(torch.add(Scalar(3), 4), torch.mean(Scalar(7)))

# ---- modes
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.overrides import TorchFunctionMode
class Log(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print("dispatch", func)
        return func(*args, **(kwargs or {}))
class Names(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print("function", func.__name__)
        return func(*args, **(kwargs or {}))
with Log():
    x = torch.ones(2) + 1
    x.mul_(2)
with Names() as mode:
    torch.relu(x)
    x.sum()
print(x, type(mode).__name__)

# ---- random numbers
import torch
torch.manual_seed(3)
print(torch.rand(2), torch.randn(2), torch.randint(0, 10, (3,)), torch.randperm(4), torch.bernoulli(torch.full((3,), 0.5)))
g = torch.Generator().manual_seed(5)
print(torch.rand(1, generator=g), torch.empty(2).uniform_(-1, 1), torch.multinomial(torch.tensor([0.1, 0.9]), 3, replacement=True))

# ---- printing
import torch
torch.set_printoptions(precision=2)
print(torch.tensor([1.23456, 1e-3]), repr(torch.tensor(1.0)), str(torch.tensor([True])))
torch.set_printoptions(profile="default")
print(torch.tensor([]), torch.zeros(2, 0), torch.tensor([float("nan"), float("inf")]), torch.arange(2000).sum())
print("%s and %r" % (torch.tensor(1), torch.tensor(2)), "{} {!s}".format(torch.tensor(3), torch.tensor(4)))

# ---- attributes that cannot be deleted or set
import torch
a = torch.rand(3, requires_grad=True)
b = a * 2
def attempt(text):
    try:
        exec(text)
        print(text, 'done')
    except Exception as e:
        print(text, type(e).__name__, e)
for text in ('del a.grad', 'del a.data', 'a.data = None', 'del a.requires_grad', 'del a._grad_fn', 'a._grad_fn = 3', 'del a._backward_hooks',
             'del a.output_nr', 'a.is_leaf = 1', 'a.shape = 3'):
    attempt(text)
print(b._grad_fn is not None, a._grad_fn)
b._grad_fn = None
print(b.requires_grad, b.grad_fn)

# ---- names of PyTorch's modules
import torch
from torch.optim.lr_scheduler import EPOCH_DEPRECATION_WARNING
from torch.optim.optimizer import register_optimizer_step_pre_hook, register_optimizer_step_post_hook
from torch.autograd.gradcheck import GradcheckError, gradcheck
print(EPOCH_DEPRECATION_WARNING)
p = torch.nn.Parameter(torch.ones(2))
handles = [register_optimizer_step_pre_hook(lambda *args: print('before')), register_optimizer_step_post_hook(lambda *args: print('after'))]
torch.optim.SGD([p]).step()
for handle in handles:
    handle.remove()
def wrong(x):
    y = x.clone()
    y.register_hook(lambda g: g + 0.01)
    return y
try:
    gradcheck(wrong, torch.ones(1, dtype=torch.float64, requires_grad=True))
except GradcheckError as e:
    print(type(e).__name__, str(e).splitlines()[0], isinstance(e, RuntimeError))

# ---- folders without __init__.py are namespace packages
import os, sys, tempfile
with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
    os.makedirs(os.path.join(one, 'spread', 'deep'))
    os.makedirs(os.path.join(two, 'spread'))
    with open(os.path.join(one, 'spread', 'deep', 'm.py'), 'w') as file:
        file.write('from ..other import name\nprint(__name__, __package__, name)\n')
    with open(os.path.join(two, 'spread', 'other.py'), 'w') as file:
        file.write('name = "the other"\n')
    sys.path[:0] = [one, two]
    import spread.deep.m
    print(spread.__name__, spread.__package__, len(list(spread.__path__)), spread.__file__, spread.deep.m.name)
    from spread import other
    print(other.name, other.__package__)
    try:
        import spread.missing
    except ModuleNotFoundError as e:
        print(e)
    del sys.path[:2]
