# Classes and functions of a program that the library calls back: subclasses of its classes, modes, functions with a backward.

# ---- Tensor: a subclass is kept by operations, methods and views
import torch
class Named(torch.Tensor):
    pass
x = torch.ones(2, 3).as_subclass(Named)
for y in (x + 1, x.sum(), x[0], x.t(), torch.cat([x, x]), 2 * x, x.clone()):
    print(type(y).__name__, tuple(y.shape))
print(isinstance(x, torch.Tensor), type(x.detach()).__name__)

# ---- Tensor: __torch_function__ sees functions, methods and attributes
import torch
class Logging(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print(func.__name__, [t.__name__ for t in types], len(args), sorted(kwargs or {}))
        return super().__torch_function__(func, types, args, kwargs or {})
x = torch.ones(3).as_subclass(Logging)
torch.add(x, 1, alpha=2)
x.sum(dim=0, keepdim=True)
x.shape
x + x
torch.stack([x, torch.zeros(3)])

# ---- Tensor: metadata that travels with the results
import torch
class Tagged(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        result = super().__torch_function__(func, types, args, kwargs or {})
        tags = [a.tag for a in args if isinstance(a, cls) and hasattr(a, 'tag')]
        if isinstance(result, cls) and tags:
            result.tag = '+'.join(tags)
        return result
a, b = torch.ones(2).as_subclass(Tagged), torch.ones(2).as_subclass(Tagged)
a.tag, b.tag = 'a', 'b'
print((a * b).tag, (a.exp() - b).tag)

# ---- duck type: a class that is no tensor overrides functions
import torch
class Scalar:
    def __init__(self, n, value):
        self.n, self.value = n, value
    def tensor(self):
        return self.value * torch.eye(self.n)
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func is torch.mean:
            return args[0].value / args[0].n
        if not all(issubclass(t, (torch.Tensor, cls)) for t in types):
            return NotImplemented
        return func(*[a.tensor() if isinstance(a, cls) else a for a in args], **(kwargs or {}))
s = Scalar(2, 3.0)
print(torch.mean(s))
print(torch.add(s, torch.ones(2, 2)))
try:
    torch.add(s, Ellipsis)
except TypeError as e:
    print('TypeError')

# ---- Module: three levels, each with its own forward and super
import torch
from torch import nn
class Base(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.fc = nn.Linear(width, width)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.zeros_(self.fc.bias)
    def forward(self, x):
        return self.fc(x)
class Middle(Base):
    def __init__(self, width, scale):
        super().__init__(width)
        self.scale = nn.Parameter(torch.tensor(scale))
    def forward(self, x):
        return super().forward(x) * self.scale
class Top(Middle):
    def __init__(self):
        super().__init__(2, 3.0)
        self.register_buffer('steps', torch.zeros((), dtype=torch.long))
    def forward(self, x):
        self.steps += 1
        return super().forward(x) + self.width
    def extra_repr(self):
        return f'width={self.width}'
net = Top()
print(net(torch.ones(1, 2)), net.steps)
print(net)
print([name for name, _ in net.named_parameters()], list(net.state_dict()))
print([cls.__name__ for cls in type(net).__mro__])

# ---- Module: a subclass of Linear
import torch
from torch import nn
class Halved(nn.Linear):
    def __init__(self, n):
        super().__init__(n, n, bias=False)
        with torch.no_grad():
            self.weight.copy_(torch.eye(n) / 2)
    def forward(self, input):
        return super().forward(input) - 1
m = Halved(2)
print(m(torch.tensor([[2., 4.]])), m.in_features, m.bias)
print(isinstance(m, nn.Linear), m)

# ---- Module: containers, apply, hooks and modes
import torch
from torch import nn
class Scale(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
    def forward(self, x):
        return x * self.k if self.training else x
net = nn.Sequential(Scale(2), nn.ModuleDict({'a': Scale(3)})['a'])
net.apply(lambda m: print(type(m).__name__))
handle = net[0].register_forward_hook(lambda m, args, out: out + 1)
print(net(torch.ones(2)))
handle.remove()
print(net(torch.ones(2)), net.eval()(torch.ones(2)))

# ---- Module: parameters in lists, dictionaries and a getter of attributes
import torch
from torch import nn
class Many(nn.Module):
    def __init__(self):
        super().__init__()
        self.list = nn.ParameterList([torch.zeros(i) for i in (1, 2)])
        self.dict = nn.ParameterDict({'w': nn.Parameter(torch.ones(2))})
    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return f'<{name}>'
m = Many()
print([(n, tuple(p.shape)) for n, p in m.named_parameters()], m.nothing)

# ---- Module: what an assignment before super().__init__() says
import torch
class Bad(torch.nn.Module):
    def __init__(self):
        self.fc = torch.nn.Linear(1, 1)
        super().__init__()
try:
    Bad()
except AttributeError as e:
    print(e)

# ---- Module: get_extra_state and set_extra_state
import torch
class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0
    def get_extra_state(self):
        return {'n': self.n}
    def set_extra_state(self, state):
        self.n = state['n']
a, b = Counter(), Counter()
a.n = 5
b.load_state_dict(a.state_dict())
print(b.n, list(a.state_dict()))

# ---- Optimizer: a step of one's own
import torch
class Sign(torch.optim.Optimizer):
    def __init__(self, params, lr=0.1):
        if lr < 0:
            raise ValueError(f'Invalid learning rate: {lr}')
        super().__init__(params, dict(lr=lr))
    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group['params']:
                if p.grad is not None:
                    state = self.state[p]
                    state['step'] = state.get('step', 0) + 1
                    p.add_(p.grad.sign(), alpha=-group['lr'])
        return loss
p = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
opt = Sign([p], lr=0.5)
def closure():
    opt.zero_grad()
    loss = p.square().sum()
    loss.backward()
    return loss
for _ in range(2):
    print(opt.step(closure).item(), p.tolist())
print(opt.state[p], opt.param_groups[0]['lr'])
try:
    Sign([p], lr=-1)
except ValueError as e:
    print(e)

# ---- Optimizer: hooks around a step, and a second group
import torch
p, q = (torch.nn.Parameter(torch.ones(1)) for _ in range(2))
opt = torch.optim.SGD([p], lr=1.0)
opt.add_param_group({'params': [q], 'lr': 0.1})
opt.register_step_pre_hook(lambda o, args, kwargs: print('before', len(o.param_groups)))
opt.register_step_post_hook(lambda o, args, kwargs: print('after'))
(p * 2 + q * 3).backward()
opt.step()
print(p.item(), round(q.item(), 4))

# ---- LRScheduler: a rate of one's own, and in a chain
import torch
from torch.optim.lr_scheduler import LRScheduler, SequentialLR, ConstantLR
class Square(LRScheduler):
    def __init__(self, optimizer, last_epoch=-1):
        super().__init__(optimizer, last_epoch)
    def get_lr(self):
        return [base / (1 + self.last_epoch) ** 2 for base in self.base_lrs]
opt = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
sched = Square(opt)
for _ in range(3):
    opt.step()
    sched.step()
    print(round(sched.get_last_lr()[0], 4))
opt = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=1.0)
both = SequentialLR(opt, [ConstantLR(opt, factor=0.5, total_iters=2), Square(opt)], milestones=[2])
for _ in range(4):
    opt.step()
    both.step()
    print(round(opt.param_groups[0]['lr'], 4))

# ---- Sampler and BatchSampler
import torch
from torch.utils.data import BatchSampler, DataLoader, Sampler
class Odd(Sampler):
    def __init__(self, data):
        self.data = data
    def __iter__(self):
        return iter(range(1, len(self.data), 2))
    def __len__(self):
        return len(self.data) // 2
data = torch.arange(7)
print([x.item() for x in DataLoader(data, sampler=Odd(data), batch_size=None)])
print([x.tolist() for x in DataLoader(data, batch_sampler=BatchSampler(Odd(data), 2, drop_last=False))], len(Odd(data)))

# ---- Dataset, IterableDataset and collate_fn
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset
class Squares(Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, i):
        return {'x': torch.tensor(float(i)), 'y': i * i}
class Stream(IterableDataset):
    def __iter__(self):
        for i in range(5):
            yield i, float(i)
for batch in DataLoader(Squares(), batch_size=3):
    print(batch)
for batch in DataLoader(Stream(), batch_size=2):
    print(batch)
print(list(DataLoader(Squares(), batch_size=2, collate_fn=lambda rows: [r['y'] for r in rows])))
print((Squares() + Squares())[5])

# ---- Distribution: density, sampling and expansion
import torch
from torch.distributions import Distribution, constraints
class Triangle(Distribution):
    arg_constraints = {'width': constraints.positive}
    has_rsample = True
    def __init__(self, width, validate_args=None):
        self.width = torch.as_tensor(width)
        super().__init__(self.width.shape, validate_args=validate_args)
    @property
    def support(self):
        return constraints.interval(-self.width, self.width)
    @property
    def mean(self):
        return torch.zeros_like(self.width)
    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        return (torch.rand(shape) + torch.rand(shape) - 1) * self.width
    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return ((self.width - value.abs()) / self.width ** 2).log()
torch.manual_seed(0)
d = Triangle(torch.tensor([1.0, 2.0]))
print(d.sample((3,)).shape, d.mean, d.batch_shape)
print(d.log_prob(torch.tensor([0.5, 1.0])))
for wrong in (lambda: d.log_prob(torch.tensor([3.0, 0.0])), lambda: Triangle(-1.0)):
    try:
        wrong()
    except ValueError as e:
        print(str(e).split('\n')[0][:70])

# ---- Transform of one's own in a TransformedDistribution
import torch
from torch.distributions import Normal, TransformedDistribution, constraints
from torch.distributions.transforms import Transform
class Cube(Transform):
    domain = constraints.real
    codomain = constraints.real
    bijective = True
    sign = +1
    def _call(self, x):
        return x ** 3
    def _inverse(self, y):
        return y.sign() * y.abs() ** (1 / 3)
    def log_abs_det_jacobian(self, x, y):
        return (3 * x ** 2).log()
d = TransformedDistribution(Normal(0., 1.), [Cube()])
print(d.log_prob(torch.tensor(8.0)), Cube().inv(torch.tensor(27.0)))

# ---- kl_divergence of a registered pair
import torch
from torch.distributions import Normal, kl_divergence, register_kl
class Mine(Normal):
    pass
@register_kl(Mine, Mine)
def kl(p, q):
    return torch.tensor(42.0)
print(kl_divergence(Mine(0., 1.), Mine(0., 1.)), kl_divergence(Normal(0., 1.), Normal(0., 1.)))

# ---- Function: forward with ctx
import torch
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result
    @staticmethod
    def backward(ctx, grad):
        result, = ctx.saved_tensors
        print('backward', ctx.needs_input_grad)
        return grad * result
x = torch.zeros(2, requires_grad=True)
y = Exp.apply(x)
y.sum().backward()
print(x.grad, type(y.grad_fn).__name__)

# ---- Function: setup_context, several outputs, arguments that are no tensors
import torch
class Split(torch.autograd.Function):
    @staticmethod
    def forward(x, k, scale=1.0):
        return x[:k].clone() * scale, x[k:].clone()
    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.k, ctx.scale = inputs[0], inputs[1], inputs[2]
        ctx.mark_non_differentiable(output[1])
        ctx.set_materialize_grads(False)
    @staticmethod
    def backward(ctx, grad_a, grad_b):
        print(grad_b, ctx.k)
        grad = torch.zeros(3)
        grad[:ctx.k] = grad_a * ctx.scale
        return grad, None, None
x = torch.arange(3., requires_grad=True)
a, b = Split.apply(x, 2, 4.0)
print(a.requires_grad, b.requires_grad)
a.sum().backward()
print(x.grad)

# ---- Function: twice differentiable, and gradcheck
import torch
from torch.autograd import Function, gradcheck, gradgradcheck
class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3
    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return grad * 3 * x ** 2
x = torch.tensor([1.0, -2.0], dtype=torch.double, requires_grad=True)
print(gradcheck(Cube.apply, x), gradgradcheck(Cube.apply, x))
g, = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
print(torch.autograd.grad(g.sum(), x)[0])

# ---- Function: errors of a backward
import torch
class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y
    @staticmethod
    def backward(ctx, grad):
        return grad
x = torch.ones(1, requires_grad=True)
try:
    Wrong.apply(x, x).backward()
except RuntimeError as e:
    print(e)
class Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        return grad * 2
g, = torch.autograd.grad(Once.apply(x), x, create_graph=True)
try:
    g.backward()
except RuntimeError as e:
    print(e)

# ---- hooks of tensors and nodes
import torch
x = torch.ones(2, requires_grad=True)
y = x * 3
x.register_hook(lambda g: g * 10)
y.grad_fn.register_hook(lambda gi, go: print(type(gi).__name__, len(gi), go[0].tolist()))
y.register_hook(lambda g: print('y', g.tolist()))
x.register_post_accumulate_grad_hook(lambda p: print('accumulated', p.grad.tolist()))
y.sum().backward()

# ---- TorchFunctionMode
import torch
from torch.overrides import TorchFunctionMode
class Count(TorchFunctionMode):
    def __init__(self):
        super().__init__()
        self.seen = []
    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.seen.append(func.__name__)
        return func(*args, **(kwargs or {}))
with Count() as mode:
    x = torch.ones(2)
    (x + 1).sum()
    torch.nn.functional.relu(x)
print(mode.seen)

# ---- TorchFunctionMode that changes the results of factories
import torch
from torch.overrides import TorchFunctionMode
class Double(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if func in (torch.ones, torch.zeros, torch.tensor):
            kwargs.setdefault('dtype', torch.float64)
        return func(*args, **kwargs)
with Double():
    print(torch.ones(1).dtype, torch.tensor([1]).dtype)
print(torch.ones(1).dtype)

# ---- TorchDispatchMode
import torch
from torch.utils._python_dispatch import TorchDispatchMode
class Log(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        print(func, len(args))
        return out
with Log():
    x = torch.ones(2, 2)
    y = torch.nn.functional.linear(x, x).relu()

# ---- two modes, one inside the other, and a mode that answers itself
import torch
from torch.utils._python_dispatch import TorchDispatchMode
class Name(TorchDispatchMode):
    def __init__(self, name):
        super().__init__()
        self.name = name
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print(self.name, func.__name__ if hasattr(func, '__name__') else func)
        return func(*args, **(kwargs or {}))
class Zero(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten.add.Tensor:
            return torch.zeros(1)
        return func(*args, **(kwargs or {}))
x = torch.ones(2)
with Name('outer'), Name('inner'):
    x + 1
with Zero():
    print(x + 1, x * 2)

# ---- tree_map over the arguments of a mode
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten
class Shapes(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print(func, tree_map(lambda a: tuple(a.shape) if isinstance(a, torch.Tensor) else a, args))
        return func(*args, **(kwargs or {}))
with Shapes():
    torch.cat([torch.ones(1), torch.ones(2)])
leaves, spec = tree_flatten({'a': [1, (2, 3)], 'b': 4})
print(leaves, spec, tree_unflatten([x * 2 for x in leaves], spec))

# ---- saved_tensors_hooks and anomaly detection around a function of a program
import torch
from torch.autograd.graph import saved_tensors_hooks
packed = []
with saved_tensors_hooks(lambda t: packed.append(tuple(t.shape)) or t * 1, lambda t: t):
    x = torch.ones(2, requires_grad=True)
    y = (x * x).exp()
y.sum().backward()
print(packed, x.grad)
class Nan(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()
    @staticmethod
    def backward(ctx, grad):
        return grad * float('nan')
with torch.autograd.detect_anomaly(check_nan=True):
    try:
        Nan.apply(torch.ones(1, requires_grad=True)).backward()
    except RuntimeError as e:
        print(e)

# ---- int and float as dtypes, storages, warnings of the library
import torch, warnings
print(torch.zeros(2, dtype=int).dtype, torch.ones(1).to(float).dtype, torch.tensor([1], dtype=bool))
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter('always')
    storage = torch.tensor([1., 2., 3.]).storage()
    torch.nn.init.normal(torch.empty(1))
print(len(storage), storage[0], list(storage), [type(w.message).__name__ for w in seen])
with warnings.catch_warnings():
    warnings.simplefilter('error')
    try:
        torch.nn.init.normal(torch.empty(1))
    except FutureWarning as e:
        print(e)

# ---- classes that derive from contexts
import torch, functools
a = torch.tensor([1., 2.], requires_grad=True)
class Counting(torch.autograd.graph.saved_tensors_hooks):
    def __init__(self):
        self.packed = 0
        def pack(x):
            self.packed += 1
            return x
        super().__init__(pack, lambda x: x)
with Counting() as entered:
    pass
counting = Counting()
with counting:
    (a * a).exp().sum().backward()
print(counting.packed, a.grad, entered, isinstance(counting, torch.autograd.graph.saved_tensors_hooks))
class Off(torch.set_grad_enabled):
    def __init__(self):
        super().__init__(False)
        self.note = 'off'
with Off() as off:
    print((a * 2).requires_grad)
print((a * 2).requires_grad, Off.__mro__[1].__name__)
torch.set_grad_enabled(True)
class Half(torch.autocast):
    def __init__(self, dtype):
        super().__init__('cpu', dtype=dtype)
    def __enter__(self):
        print('enter', self.fast_dtype)
        return super().__enter__()
with Half(torch.bfloat16):
    print((torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
class Quiet(torch.no_grad):
    def __exit__(self, *error):
        print('exit', error[0])
        super().__exit__(*error)
@Quiet()
def twice(x):
    'doubles'
    return x * 2
print(twice(a).requires_grad, twice.__name__, twice.__doc__)
try:
    with Quiet():
        raise KeyError('k')
except KeyError as e:
    print(e, torch.is_grad_enabled())
class Error(Exception):
    pass
class Refusing(torch.autograd.graph.saved_tensors_hooks):
    def __init__(self):
        def unpack(x):
            raise Error('unpack')
        super().__init__(lambda x: x, unpack)
with Refusing():
    b = a.exp().sum()
try:
    b.backward()
except Error as e:
    print(type(e).__name__, e)

# ---- nodes: their class, their dictionary
import torch
Node = torch.autograd.graph.Node
a = torch.rand(3, requires_grad=True)
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, grad):
        return grad * 2
for x in (a.exp(), Twice.apply(a)):
    print(isinstance(x.grad_fn, Node), issubclass(type(x.grad_fn), Node), Node in type(x.grad_fn).__mro__)
    x.grad_fn.metadata[0] = 'zero'
    x.grad_fn.metadata['k'] = [1]
    print(x.grad_fn.metadata, type(x.grad_fn.metadata))
    del x.grad_fn.metadata[0]
    print(list(x.grad_fn.metadata.items()))
print(issubclass(torch.Tensor, Node), issubclass(int, Node), isinstance(a, Node), issubclass(Node, Node))
