# rules for modes
from torch import library
from torch.utils._python_dispatch import TorchDispatchMode
lib = library.Library("rules_a", "DEF")
lib.define("foo(Tensor x, float y=1.0, *, int n=0) -> Tensor")
lib.impl("foo", lambda x, y=1.0, n=0: x * y + n, "CompositeExplicitAutograd")
class M(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        say("mode", str(func))
        return func(*args, **(kwargs or {}))
class N(M):
    pass
@library.register_torch_dispatch("rules_a::foo", M, lib=lib)
def rule(mode, func, types, args, kwargs):
    say("rule", type(mode).__name__, str(func), len(types), len(args), list(kwargs))
    return func(*args, **kwargs) + 100
x = torch.ones(2)
foo = torch.ops.rules_a.foo
with M():
    say(foo(x, 2.0, n=3))
with N():
    say(foo(x, 2.0))
with M(), M():
    say(foo(x))
say(foo(x))
fails(lambda: library.register_torch_dispatch(5, M, rule))
fails(lambda: library.register_torch_dispatch("foo", M, rule))
fails(lambda: library.register_torch_dispatch("rules_a::foo"))
say(library.register_torch_dispatch("rules_a::nope", N, rule) is rule)
lib._destroy()

# rules of a custom operator
from torch import library
from torch.utils._python_dispatch import TorchDispatchMode
class M(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        say("mode", str(func))
        return func(*args, **(kwargs or {}))
def double(x):
    say("double", x.dtype, torch.is_autocast_enabled("cpu"))
    return x * 2
op = library.custom_op("rules_b::double", double, mutates_args=(), schema="(Tensor x) -> Tensor")
x = torch.ones(2)
say(op.register_torch_dispatch(M)(lambda mode, func, types, args, kwargs: args[0] + 1) is not None)
with M():
    say(op(x))
library.register_torch_dispatch(op, M, lambda mode, func, types, args, kwargs: args[0] + 5)
with M():
    say(op(x))
op.register_autocast("cpu", torch.bfloat16)
op.register_autocast("cpu", torch.float16)
with torch.autocast("cpu"):
    say(op(x), op(x.double()), op(torch.tensor([1, 2])))
with torch.autocast("cpu", enabled=False):
    say(op(x))
say(op(x))
fails(lambda: op.register_autocast(5, torch.float16))
fails(lambda: op.register_autocast("meta", torch.float16))
fails(lambda: library.register_autocast(op, "meta", torch.float16))
fails(lambda: library.register_autocast(5, "cpu", torch.float16))

# autocast of an operator of a library
from torch import library
lib = library.Library("rules_c", "DEF")
lib.define("add(Tensor a, Tensor[] b, float c=1.0, *, int n=0) -> Tensor")
def add(a, b, c=1.0, *, n=0):
    say("add", a.dtype, [t.dtype for t in b], torch.is_autocast_enabled("cpu"))
    return a + sum(b) * c + n
lib.impl("add", add, "CompositeExplicitAutograd")
say(library.register_autocast("rules_c::add", "cpu", torch.float16, lib=lib))
a = torch.ones(2)
with torch.autocast("cpu"):
    say(torch.ops.rules_c.add(a, [a, a.double(), torch.tensor([1, 2])], 2.0))
    fails(lambda: torch.ops.rules_c.add(a, [a], n=1))
say(torch.ops.rules_c.add(a, [a], n=1))
fails(lambda: library.register_autocast("rules_c::nope", "cpu", torch.float16))
fails(lambda: library.register_autocast("rules_c::add", "foo", torch.float16))
lib._destroy()
