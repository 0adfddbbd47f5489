# tracebacks are recorded, too
# ---- errors of calls
def f(a, b=2, /, c=3, *, d, e=5): return (a, b, c, d, e)
def g(): return 1
def h(a, b, c): return a
def k(*, x, y, z=1): return x
def p(a, b, /): return a
def q(a, b=1, *args, c, **kw): return (a, b, args, c, sorted(kw.items()))
def o(a, b=1): return a
def one(*, x): return x
class C:
    def m(self, a): return a
    @staticmethod
    def s(a): return a
    @classmethod
    def c(cls, a): return a
    def __init__(self, v=0): self.v = v
calls = [
    lambda: f(1, d=4), lambda: f(1, 2, 3, d=4), lambda: f(1, 2, 3, 4, d=4), lambda: f(1), lambda: f(), lambda: f(a=1, d=1), lambda: f(1, b=2, d=1),
    lambda: f(1, 2, c=3, d=4, e=6), lambda: f(1, 2, 3, c=3, d=4), lambda: f(1, d=4, zz=1), lambda: g(1), lambda: g(1, 2), lambda: g(x=1),
    lambda: h(), lambda: h(1), lambda: h(1, 2), lambda: h(1, 2, 3, 4), lambda: h(1, 2, a=1), lambda: h(1, 2, c=1), lambda: h(**{"a": 1, "b": 2, "c": 3}),
    lambda: h(1, **{"a": 1}), lambda: k(), lambda: k(1), lambda: k(1, x=1, y=2), lambda: k(1, 2, x=1), lambda: k(x=1), lambda: k(x=1, y=2, w=3), lambda: p(1), lambda: p(1, b=2),
    lambda: p(a=1, b=2), lambda: p(1, 2, 3), lambda: q(1, c=2), lambda: q(1, 2, 3, 4, c=5, d=6, a1=7), lambda: q(c=1), lambda: q(1), lambda: q(1, 2, b=3, c=4),
    lambda: q(*[1, 2], *[3], c=1, **{"x": 1}, **{"y": 2}), lambda: q(*[1], **{"c": 1}, **{"c": 2}), lambda: q(*1), lambda: q(**1), lambda: q(1, **{1: 2}), lambda: o(), lambda: o(1, 2, 3),
    lambda: o(1, 2, 3, b=1), lambda: one(), lambda: one(1), lambda: one(1, x=1), lambda: C().m(), lambda: C().m(1, 2), lambda: C.m(), lambda: C.m(1), lambda: C().s(), lambda: C.s(1, 2), lambda: C().c(), lambda: C.c(1),
    lambda: C(1, 2), lambda: C(w=1), lambda: C(v=5).v, lambda: 1(), lambda: "a"(), lambda: None(), lambda: C()(), lambda: [](1), lambda: object(1), lambda: o(1, **{"b": 3}), lambda: o(*"ab"), lambda: o(*"abc"),
    lambda: (lambda x: x)(), lambda: (lambda x, y: x)(1), lambda: q(*[], 1, *(), c=2), lambda: o(*None), lambda: o(**None), lambda: o(1, **[1]),
]
for i, call in enumerate(calls):
    try:
        print(i, call())
    except Exception as e:
        print(i, type(e).__name__, e)
# ---- defaults are evaluated once
def f(x, acc=[]):
    acc.append(x)
    return acc
print(f(1), f(2), f(3, []), f(4), f.__defaults__)
def g(*, k={}):
    k[len(k)] = 1
    return k
g(); print(g(), g.__kwdefaults__)
f.__defaults__ = (["x"],)
print(f(5))
f.__defaults__ = None
try:
    f(5)
except TypeError as e:
    print(e)
g.__kwdefaults__ = {"k": {"new": 0}}
print(g())
fs = [lambda i=i: i for i in range(3)]
print([h() for h in fs])
fs = [lambda: i for i in range(3)]
print([h() for h in fs])
# ---- order of evaluation
def t(x):
    print("eval", x)
    return x
def f(*a, **k): return a, k
print(f(t(1), *[t(2)], x=t(3), **{"y": t(4)}))
d = {t("k1"): t("v1"), t("k2"): t("v2")}
t([0])[t(0)] = t(5)
x = t(1) + t(2) * t(3)
print(t(1) < t(2) < t(0) < t(9))
def deco(n):
    t(n)
    return lambda f: (t(("apply", n)), f)[1]
@deco(1)
@deco(2)
def h(a=t("default"), *, b=t("kwdefault")) -> t("ret"): pass
a, b = t(1), t(2)
class A(t(object), metaclass=t(type)): pass
# ---- uncaught missing argument
def outer():
    return inner(1)

def inner(a, b, *, c):
    return a

outer()
# ---- uncaught in lambda and comprehension
def run(xs):
    return [
        (lambda y: y / (y - 2))(x)
        for x in xs
    ]
run([1, 2, 3])
# ---- decorators
import functools
def trace(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        print("call", f.__name__, args, sorted(kwargs.items()))
        try:
            r = f(*args, **kwargs)
        except Exception as e:
            print("raised", type(e).__name__)
            raise
        print("ret", r)
        return r
    return wrapper
@trace
def add(a, b=1):
    "adds"
    return a + b
add(1); add(1, b=2); print(add.__name__, add.__doc__, add.__wrapped__ is not add, add.__qualname__, add.__module__)
class Count:
    def __init__(self, f): self.f = f; self.n = 0
    def __call__(self, *a): self.n += 1; return self.f(*a)
@Count
def sq(x): return x * x
print(sq(2), sq(3), sq.n)
class D:
    @property
    def x(self): return 1
    @x.setter
    def x(self, v): print("set", v)
    @functools.cached_property
    def y(self): print("once"); return 5
d = D(); d.x = 3; print(d.x, d.y, d.y)
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(80), fib.cache_info())
add("a", 1)
# ---- introspection of functions
def f(a, b: int = 2, /, c: "str" = 3, *args: tuple, d, e=5, **kw) -> float:
    "doc of f"
    x = 1
    def inner(): return x, a
    return inner
co = f.__code__
print(co.co_name, co.co_qualname, co.co_argcount, co.co_posonlyargcount, co.co_kwonlyargcount, co.co_nlocals, co.co_varnames, co.co_cellvars, co.co_freevars)
print(co.co_names, co.co_flags, co.co_firstlineno, co.co_consts[0], co.co_stacksize)
i = f(1, d=2)
print(i.__code__.co_freevars, [c.cell_contents for c in i.__closure__], i.__qualname__, i.__code__.co_flags)
print(f.__annotations__, f.__defaults__, f.__kwdefaults__, f.__doc__, f.__module__, f.__closure__, f.__dict__)
f.attr = 1
print(f.__dict__, f.attr, hasattr(f, "nope"))
f.__name__ = "renamed"; f.__qualname__ = "Q.renamed"
print(f.__name__, co.co_name)
try: f.__name__ = 1
except TypeError as e: print(e)
try: f.__defaults__ = 1
except TypeError as e: print(e)
try: f.__code__ = 1
except TypeError as e: print(e)
try: f.nope
except AttributeError as e: print(e)
def g(): yield 1
print(g.__code__.co_flags, (lambda: 0).__name__, (lambda: 0).__qualname__)
f.__code__ = (lambda: 3).__code__
try: print(f())
except Exception as e: print(e)
class A:
    def m(self): 
        def n(): pass
        return n
print(A.m.__qualname__, A().m().__qualname__, A().m.__func__ is A.m, A().m.__self__.__class__.__name__, A().m.__name__)
print(repr(co).split(" at ")[0], repr(g).split(" at ")[0], repr(A().m).split(" of ")[0])
# ---- methods are equal
class A:
    def m(self): return self
    def __eq__(self, other): return True
    __hash__ = None
class B:
    def m(self): pass
    @classmethod
    def c(cls): return cls
    @staticmethod
    def s(): return "s"
b = B()
print(b.m == b.m, b.m is b.m, B().m == B().m, B.c == B.c, b.s is B.s, hash(b.m) == hash(b.m), {b.m: 1}[b.m])
print(B.__dict__["c"].__func__.__name__, type(B.__dict__["s"]).__name__, B.__dict__["s"]())
import types
m = types.MethodType(lambda self, x: (self, x), 5)
print(m(6), m.__self__)
try: types.MethodType(1, 2)
except TypeError as e: print(e)
b.dyn = types.MethodType(lambda self: self is b, b)
print(b.dyn())
# ---- arguments deleted and rebound
def f(a, *args, **kw):
    del a
    try:
        a
    except UnboundLocalError as e:
        print(e)
    a = args
    args = kw
    return a, args
print(f(1, 2, x=3))
def g():
    print(z)
    z = 1
try: g()
except UnboundLocalError as e: print(e, e.args)
def h():
    del nothere
try: h()
except NameError as e: print(type(e).__name__, e, e.name)
def i():
    def j(): return w
    try: j()
    except NameError as e: print(type(e).__name__, e)
    w = 1
    r = j()
    del w
    try: j()
    except NameError as e: print(e)
    return r
print(i())
g()
