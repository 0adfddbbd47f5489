"""Programs with `__torch_dispatch__`: classes of tensors, wrappers, modes. The real PyTorch records what they print; see record_python_programs.py."""

# ---- making a wrapper
import torch
from torch.utils._python_dispatch import TorchDispatchMode
def tree_map(f, x):
    if isinstance(x, (list, tuple)):
        return type(x)(tree_map(f, i) for i in x)
    return {k: tree_map(f, v) for k, v in x.items()} if isinstance(x, dict) else f(x)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Wrapper(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
    @staticmethod
    def __new__(cls, elem):
        made = torch.Tensor._make_wrapper_subclass(
            cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(), dtype=elem.dtype,
            layout=elem.layout, device=elem.device, requires_grad=elem.requires_grad)
        made.elem = elem
        return made
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print(cls.__name__, func, [t.__name__ for t in types], kwargs)
        inner = lambda e: e.elem if isinstance(e, Wrapper) else e
        outer = lambda e: Wrapper(e) if isinstance(e, torch.Tensor) else e
        return tree_map(outer, func(*tree_map(inner, args), **tree_map(inner, kwargs or {})))
class Without(torch.Tensor):
    pass
attempt(lambda: torch.Tensor._make_wrapper_subclass(Without, (2, 3)))
attempt(lambda: torch.Tensor._make_wrapper_subclass(Wrapper, (2, 3)).shape)
attempt(lambda: torch.Tensor._make_wrapper_subclass(Wrapper, (2, 3), dtype=torch.int32, device="meta").dtype)
w = torch.Tensor._make_wrapper_subclass(Wrapper, (2, 3), strides=(1, 2), storage_offset=5, requires_grad=True)
print(w.stride(), w.storage_offset(), w.requires_grad, w.device, w.dtype, w.untyped_storage().nbytes(), w.data_ptr())
print(torch._C._dispatch_keys(w))
attempt(lambda: torch.Tensor._make_wrapper_subclass(Wrapper, (2, 3), storage_offset=5))
attempt(lambda: torch.Tensor._make_wrapper_subclass(int, (2, 3)))
attempt(lambda: torch.Tensor._make_wrapper_subclass(Wrapper, (2, 3), dispatch_sizes_strides_policy="foo"))
class Off(Wrapper):
    __torch_dispatch__ = torch._C._disabled_torch_dispatch_impl
attempt(lambda: Off(torch.ones(2)))
x = torch.ones(2).as_subclass(Wrapper)
print(torch._C._dispatch_keys(x), type(x).__name__)
print(torch.Tensor._make_subclass(Wrapper, torch.ones(2), True).requires_grad)

# ---- gradients of a wrapper
import torch
from torch.utils._python_dispatch import TorchDispatchMode
def tree_map(f, x):
    if isinstance(x, (list, tuple)):
        return type(x)(tree_map(f, i) for i in x)
    return {k: tree_map(f, v) for k, v in x.items()} if isinstance(x, dict) else f(x)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Wrapper(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
    @staticmethod
    def __new__(cls, elem):
        made = torch.Tensor._make_wrapper_subclass(
            cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(), dtype=elem.dtype,
            layout=elem.layout, device=elem.device, requires_grad=elem.requires_grad)
        made.elem = elem
        return made
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print(cls.__name__, func, [t.__name__ for t in types], kwargs)
        inner = lambda e: e.elem if isinstance(e, Wrapper) else e
        outer = lambda e: Wrapper(e) if isinstance(e, torch.Tensor) else e
        return tree_map(outer, func(*tree_map(inner, args), **tree_map(inner, kwargs or {})))
b = Wrapper(torch.tensor([1., 2.], requires_grad=True))
print(torch._C._dispatch_keys(b), b.requires_grad, b.is_leaf)
c = (b * 3).sum()
print(type(c).__name__, c.requires_grad, c.grad_fn.name())
c.backward()
print(type(b.grad).__name__, b.grad.elem)
(b * b).sum().backward()
print(b.grad.elem)
d = b.detach()
print(type(d).__name__, d.elem, d.requires_grad)
g, = torch.autograd.grad((b ** 2).sum(), b)
print(type(g).__name__, g.elem)

# ---- reading and writing a wrapper
import torch
from torch.utils._python_dispatch import TorchDispatchMode
def tree_map(f, x):
    if isinstance(x, (list, tuple)):
        return type(x)(tree_map(f, i) for i in x)
    return {k: tree_map(f, v) for k, v in x.items()} if isinstance(x, dict) else f(x)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Wrapper(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
    @staticmethod
    def __new__(cls, elem):
        made = torch.Tensor._make_wrapper_subclass(
            cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(), dtype=elem.dtype,
            layout=elem.layout, device=elem.device, requires_grad=elem.requires_grad)
        made.elem = elem
        return made
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print(cls.__name__, func, [t.__name__ for t in types], kwargs)
        inner = lambda e: e.elem if isinstance(e, Wrapper) else e
        outer = lambda e: Wrapper(e) if isinstance(e, torch.Tensor) else e
        return tree_map(outer, func(*tree_map(inner, args), **tree_map(inner, kwargs or {})))
b = Wrapper(torch.tensor([1., 2.], requires_grad=True))
attempt(lambda: b.item())
attempt(lambda: bool(b.sum() > 1))
attempt(lambda: torch.cat([b, b]).elem)
attempt(lambda: b.add_(1))
with torch.no_grad():
    attempt(lambda: b.add_(1).elem)
attempt(lambda: b.view(2, 1).elem)
attempt(lambda: torch.empty_like(b).elem.shape)
attempt(lambda: b.to(torch.float64).elem)
attempt(lambda: b[0].elem)
attempt(lambda: torch.stack([b, torch.zeros(2)]).elem)
attempt(lambda: [t.elem for t in torch.split(b, 1)])
import copy
attempt(lambda: copy.deepcopy(b).elem)
attempt(lambda: torch.nn.Parameter(b).elem)
attempt(lambda: torch.Tensor._make_subclass(Wrapper, b).elem)

# ---- classes that do not know each other
import torch
from torch.utils._python_dispatch import TorchDispatchMode
def tree_map(f, x):
    if isinstance(x, (list, tuple)):
        return type(x)(tree_map(f, i) for i in x)
    return {k: tree_map(f, v) for k, v in x.items()} if isinstance(x, dict) else f(x)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Wrapper(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
    @staticmethod
    def __new__(cls, elem):
        made = torch.Tensor._make_wrapper_subclass(
            cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(), dtype=elem.dtype,
            layout=elem.layout, device=elem.device, requires_grad=elem.requires_grad)
        made.elem = elem
        return made
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print(cls.__name__, func, [t.__name__ for t in types], kwargs)
        inner = lambda e: e.elem if isinstance(e, Wrapper) else e
        outer = lambda e: Wrapper(e) if isinstance(e, torch.Tensor) else e
        return tree_map(outer, func(*tree_map(inner, args), **tree_map(inner, kwargs or {})))
class C(Wrapper):
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print("C", func, [t.__name__ for t in types])
        return NotImplemented
class D(Wrapper):
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print("D", func, [t.__name__ for t in types])
        return NotImplemented
b = Wrapper(torch.ones(2))
attempt(lambda: (C(torch.ones(2)) + b).elem)
attempt(lambda: (b + C(torch.ones(2))).elem)
attempt(lambda: D(torch.ones(2)) + C(torch.ones(2)))
attempt(lambda: torch.add(D(torch.ones(2)), C(torch.ones(2))))

# ---- modes before classes
import torch
from torch.utils._python_dispatch import TorchDispatchMode
def tree_map(f, x):
    if isinstance(x, (list, tuple)):
        return type(x)(tree_map(f, i) for i in x)
    return {k: tree_map(f, v) for k, v in x.items()} if isinstance(x, dict) else f(x)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Wrapper(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
    @staticmethod
    def __new__(cls, elem):
        made = torch.Tensor._make_wrapper_subclass(
            cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(), dtype=elem.dtype,
            layout=elem.layout, device=elem.device, requires_grad=elem.requires_grad)
        made.elem = elem
        return made
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print(cls.__name__, func, [t.__name__ for t in types], kwargs)
        inner = lambda e: e.elem if isinstance(e, Wrapper) else e
        outer = lambda e: Wrapper(e) if isinstance(e, torch.Tensor) else e
        return tree_map(outer, func(*tree_map(inner, args), **tree_map(inner, kwargs or {})))
class M(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print("M", func, [t.__name__ for t in types], kwargs)
        return func(*args, **(kwargs or {}))
class Passes(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print("Passes", func)
        return NotImplemented
b = Wrapper(torch.tensor([1., 2.]))
with M():
    attempt(lambda: (b * 2).elem)
    attempt(lambda: b.detach().elem)
    with M():
        attempt(lambda: torch.ones(2))
with Passes():
    attempt(lambda: (b * 2).elem)

# ---- the library's own modes
import torch
from torch.utils._python_dispatch import TorchDispatchMode
def tree_map(f, x):
    if isinstance(x, (list, tuple)):
        return type(x)(tree_map(f, i) for i in x)
    return {k: tree_map(f, v) for k, v in x.items()} if isinstance(x, dict) else f(x)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Wrapper(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
    @staticmethod
    def __new__(cls, elem):
        made = torch.Tensor._make_wrapper_subclass(
            cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(), dtype=elem.dtype,
            layout=elem.layout, device=elem.device, requires_grad=elem.requires_grad)
        made.elem = elem
        return made
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print(cls.__name__, func, [t.__name__ for t in types], kwargs)
        inner = lambda e: e.elem if isinstance(e, Wrapper) else e
        outer = lambda e: Wrapper(e) if isinstance(e, torch.Tensor) else e
        return tree_map(outer, func(*tree_map(inner, args), **tree_map(inner, kwargs or {})))
from torch._C import _TorchDispatchModeKey
class Infra(TorchDispatchMode):
    _mode_key = _TorchDispatchModeKey.PROXY
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print("infra", func)
        return func(*args, **(kwargs or {}))
class User(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print("user", func)
        return func(*args, **(kwargs or {}))
print(torch._C._get_dispatch_mode(_TorchDispatchModeKey.PROXY), torch._C._len_torch_dispatch_stack())
mode = Infra()
torch._C._set_dispatch_mode(mode)
attempt(lambda: torch._C._set_dispatch_mode(Infra()))
print(torch._C._get_dispatch_mode(_TorchDispatchModeKey.PROXY) is mode, torch._C._len_torch_dispatch_stack())
x = torch.ones(2)
with User():
    y = x + 1
    print(torch._C._len_torch_dispatch_stack(), torch._C._get_dispatch_stack_at(0) is mode)
print(torch._C._unset_dispatch_mode(_TorchDispatchModeKey.PROXY) is mode, torch._C._unset_dispatch_mode(_TorchDispatchModeKey.FAKE))
print(x + 1, torch._C._len_torch_dispatch_stack())

# ---- a parameter that is a wrapper
import torch
from torch.utils._python_dispatch import TorchDispatchMode
def tree_map(f, x):
    if isinstance(x, (list, tuple)):
        return type(x)(tree_map(f, i) for i in x)
    return {k: tree_map(f, v) for k, v in x.items()} if isinstance(x, dict) else f(x)
def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
class Wrapper(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
    @staticmethod
    def __new__(cls, elem):
        made = torch.Tensor._make_wrapper_subclass(
            cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(), dtype=elem.dtype,
            layout=elem.layout, device=elem.device, requires_grad=elem.requires_grad)
        made.elem = elem
        return made
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print(cls.__name__, func, [t.__name__ for t in types], kwargs)
        inner = lambda e: e.elem if isinstance(e, Wrapper) else e
        outer = lambda e: Wrapper(e) if isinstance(e, torch.Tensor) else e
        return tree_map(outer, func(*tree_map(inner, args), **tree_map(inner, kwargs or {})))
lin = torch.nn.Linear(2, 1, bias=False)
with torch.no_grad():
    lin.weight.copy_(torch.tensor([[1., 2.]]))
lin.weight = torch.nn.Parameter(Wrapper(lin.weight.detach()))
print(type(lin.weight).__name__, isinstance(lin.weight, torch.nn.Parameter))
out = lin(torch.ones(3, 2)).sum()
out.backward()
print(lin.weight.grad.elem)

# ---- classes that answer for their own sizes and device
import torch
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e)[:200])
class S(torch.Tensor):
    __torch_function__ = torch._C._disabled_torch_function_impl
    @staticmethod
    def __new__(cls, policy):
        return torch.Tensor._make_wrapper_subclass(cls, (2, 3), dispatch_sizes_strides_policy=policy, dispatch_device=True, dispatch_layout=True)
    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        print("  S", func, [type(a).__name__ for a in args], args[1:], kwargs, types)
        aten = torch.ops.aten
        if func is torch.ops.prim.device.default: return torch.device("meta")
        if func is torch.ops.prim.layout.default: return torch.sparse_coo
        if func is aten.sym_size.default: return (5, 7)
        if func is aten.size.default: return (5, 7)
        if func is aten.sym_stride.default: return (70, 10)
        if func is aten.stride.default: return (70, 10)
        if func is aten.dim.default: return 2
        if func is aten.sym_numel.default: return 35
        if func is aten.numel.default: return 35
        if func is aten.sym_storage_offset.default: return 4
        if func is aten.is_contiguous.default: return False
        if func is aten.is_contiguous.memory_format: return True
        return NotImplemented
print(torch.ops.prim.device.default._schema, torch.ops.prim.layout.default._schema)
for n in ("sym_size", "size", "sym_stride", "stride", "dim", "sym_numel", "numel", "sym_storage_offset", "storage_offset", "is_contiguous", "is_strides_like_format", "is_non_overlapping_and_dense"):
    p = getattr(torch.ops.aten, n); print(n, sorted(str(getattr(p, o)._schema) for o in p.overloads()))
for p in ("strides", "sizes"):
    s = S(p)
    for f in ("size", "stride", "dim", "numel", "is_contiguous", "storage_offset", "ndimension", "element_size"):
        print(p, f); t(lambda: getattr(s, f)())
    t(lambda: s.is_contiguous(memory_format=torch.channels_last))
    t(lambda: s.device); t(lambda: s.layout); t(lambda: s.shape); t(lambda: s.is_meta); t(lambda: s.is_cpu); t(lambda: s.is_sparse); t(lambda: len(s)); t(lambda: s.ndim); t(lambda: s.nbytes)

# ---- operators by name
import torch
print(torch.ops.aten.add.Tensor, torch.ops.aten, torch.ops.aten.add, torch.ops.foo)
print(torch.ops.aten.add.Tensor(torch.ones(2), 1), torch.ops.aten.relu(torch.tensor([-1.0, 2.0])))
print(repr(torch.ops.aten.mul.Scalar), torch.ops.aten.mul.Scalar._schema, torch.ops.aten.view.default.is_view)
for name in ("torch.ops.aten.nothing", "torch.ops.aten.add.nothing"):
    try:
        eval(name)
    except AttributeError as e:
        print(e)
print(hasattr(torch.ops.aten, "mm"), hasattr(torch.ops.aten, "nothing"), torch.ops.aten.mm.default is torch.ops.aten.mm.default)
