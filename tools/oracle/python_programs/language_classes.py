# ---- C3 order and conflicts
class A: pass
class B(A): pass
class C(A): pass
class D(B, C): pass
class X: pass
class Y: pass
class E(D, X): pass
names = lambda c: [k.__name__ for k in c.__mro__]
print(names(D), names(E), D.__bases__, D.__base__, A.__subclasses__(), D.mro() == list(D.__mro__))
class XY(X, Y): pass
class YX(Y, X): pass
for bases in [(XY, YX), (A, B), (A, A), (object, A), (bool,), (type(None),), (list, dict), (1,), (lambda: 0,)]:
    try: print(names(type("Z", bases, {})))
    except TypeError as e: print(e)
class Bad(A, B): pass
# ---- super in all forms
class A:
    def f(self): return ["A"]
    @classmethod
    def c(cls): return ["A", cls.__name__]
    @staticmethod
    def s(): return "As"
    @property
    def p(self): return "Ap"
    x = "Ax"
class B(A):
    def f(self): return ["B"] + super().f()
    @classmethod
    def c(cls): return ["B"] + super().c()
    def g(self): return super(B, self).f()
    @property
    def p(self): return "B" + super().p
    def h(self): return super().s(), super().x, __class__
    def nested(self):
        return [super(B, self).f() for _ in "a"], (lambda: super(B, self).f())()
class C(A):
    def f(self): return ["C"] + super().f()
class D(B, C):
    def f(self): return ["D"] + super().f()
d = D()
print(d.f(), D.c(), d.c(), d.g(), d.p, d.h(), d.nested())
print(super(B, d).f(), super(B, D).c(), super(D, d).f.__name__, type(super(B, d)).__name__, super(B, d).__thisclass__, super(B, d).__self_class__)
print(repr(super(B, d)).split(" object")[0], super(B, D).f(d))
def noargs(): super()
def nocell(self): super().f()
class W:
    def noself(): super().f()
    def delself(self):
        del self
        super().f()
    def gen(self): return [super().f() for _ in [1]]
for t in [lambda: noargs(), lambda: nocell(1), lambda: W.noself(), lambda: W().delself(), lambda: W().gen(), lambda: super(B, 1), lambda: super(1, 2), lambda: super(B, d).nope, lambda: super(B).f, lambda: super(C, B())]:
    try: print(t())
    except Exception as e: print(type(e).__name__, e)
class P:
    def __init__(self, **kw): self.kw = kw; print("P", kw)
class Q(P):
    def __init__(self, q, **kw): super().__init__(**kw); self.q = q
class R(P):
    def __init__(self, r, **kw): super().__init__(**kw); self.r = r
class S(Q, R):
    def __init__(self, **kw): super().__init__(**kw)
s = S(q=1, r=2, z=3); print(vars(s))
S(q=1)
# ---- properties
class A:
    def __init__(self): self._v = 1
    @property
    def v(self):
        "doc of v"
        return self._v
    @v.setter
    def v(self, x):
        if x < 0: raise ValueError("negative")
        self._v = x
    @v.deleter
    def v(self): del self._v
    ro = property(lambda self: 5)
    wo = property(None, lambda self, x: print("wo", x))
a = A(); a.v = 5; print(a.v, A.v.__doc__, A.v.fget.__name__, A.v.fdel is not None)
a.wo = 3
for t in [lambda: setattr(a, "v", -1), lambda: setattr(a, "ro", 1), lambda: delattr(a, "ro"), lambda: a.wo, lambda: (delattr(a, "v"), a.v), lambda: delattr(a, "v")]:
    try: print(t())
    except Exception as e: print(type(e).__name__, e)
class B(A):
    @A.v.getter
    def v(self): return "B"
    @property
    def bad(self): return self.missing
    def __getattr__(self, n): return "fallback " + n
print(B().v, B().bad, type(A.v).__name__)
a.__dict__["ro"] = 9; print(a.ro, a.__dict__)
a.ro = 1
# ---- descriptors
class D:
    def __set_name__(self, owner, name): print("set_name", owner.__name__, name); self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return obj.__dict__.get(self.name, "default")
    def __set__(self, obj, value): obj.__dict__[self.name] = value * 2
    def __delete__(self, obj): print("delete"); obj.__dict__.pop(self.name)
class N:
    def __get__(self, obj, owner): return ("N", obj is None, owner.__name__)
class A:
    d = D()
    n = N()
a = A(); print(a.d); a.d = 5; print(a.d, a.__dict__, A.d.name); del a.d; print(a.d, a.n, A.n)
a.n = "instance"; print(a.n)
A.n = 5; print(A.n, a.n)
class S:
    def __set__(self, o, v): raise AttributeError("nope")
class B(A): s = S()
b = B()
b.__dict__["s"] = 1; print(b.s)
try: b.s = 1
except AttributeError as e: print(e)
try: del b.s
except AttributeError as e: print(e)
class E:
    def __set_name__(self, o, n): raise ValueError("in set_name")
try:
    class C: e = E()
except RuntimeError as e: print(e, repr(e.__cause__))
print(type(A.__dict__["d"]).__name__)
# ---- attribute hooks
class A:
    def __getattr__(self, n):
        if n.startswith("x"): return n
        raise AttributeError(f"no {n}")
    def __setattr__(self, n, v): print("set", n, v); object.__setattr__(self, n, v)
    def __delattr__(self, n): print("del", n); super().__delattr__(n)
a = A(); a.y = 1; print(a.y, a.xx, hasattr(a, "z"), getattr(a, "z", 0)); del a.y
for t in [lambda: a.z, lambda: delattr(a, "q"), lambda: object.__getattribute__(a, "xx"), lambda: A.xx]:
    try: print(t())
    except AttributeError as e: print(e)
class B:
    v = 1
    def __getattribute__(self, n): 
        if n == "magic": return 42
        return super().__getattribute__(n)
    def __dir__(self): return ["b", "a"]
b = B(); b.w = 2; print(b.magic, b.v, b.w, dir(b))
try: b.nothing
except AttributeError as e: print(e, e.name, e.obj is b)
class M(type):
    def __getattr__(cls, n): return f"meta {n}"
class C(metaclass=M): pass
print(C.foo, hasattr(C(), "foo"))
for t in ["object().x = 1", "(1).x = 1", "'a'.b", "[].foo", "None.foo", "len.x = 1", "int.x = 1", "A.nope", "a.__class__ = 1", "a.__dict__ = 1", "C().foo", "print.foo", "(lambda: 0).foo", "1 .real.foo", "1 .real = 2", "b.__init__ = 5"]:
    try: exec(t)
    except Exception as e: print(t, "|", type(e).__name__, e)
b.nothing
# ---- slots are accepted
class P:
    __slots__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
p = P(1, 2); print(p.x, p.y, P.__slots__); p.x = 5; print(p.x)
class Q(P): pass
q = Q(1, 2); q.z = 3; print(q.z)
class R: __slots__ = ["a"]
r = R()
try: r.a
except AttributeError as e: print(e)
r.a = 1; del r.a
try: r.a
except AttributeError as e: print(e)
try: r.b = 1
except AttributeError as e: print(e)
print(hasattr(r, "__dict__"))
class S(R):
    __slots__ = "b", "__c"
    def __init__(self): self.__c = 3
s = S(); s.a = 1; s.b = 2; print(s.a, s.b, s._S__c, R.__slots__)
for t in [lambda: setattr(s, "z", 1), lambda: vars(s), lambda: type("T", (), {"__slots__": ("x",), "x": 1}), lambda: type("T", (), {"__slots__": (1,)})]:
    try: print(t())
    except Exception as e: print(type(e).__name__, e)
import copy
t = copy.copy(p); print(t.x, t.y, copy.deepcopy(q).z)
# ---- init_subclass and metaclass
class Base:
    reg = []
    def __init_subclass__(cls, /, tag=None, **kw):
        super().__init_subclass__(**kw)
        cls.tag = tag
        Base.reg.append(cls.__name__)
class A(Base, tag="a"): pass
class B(A): pass
print(Base.reg, A.tag, B.tag)
try:
    class C(Base, bad=1): pass
except TypeError as e: print(e)
class M(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print("prepare", name, [b.__name__ for b in bases], kw)
        return {"injected": 1}
    def __new__(mcs, name, bases, ns, **kw):
        print("new", name, sorted(k for k in ns if not k.startswith("__")), kw)
        return super().__new__(mcs, name, bases, ns)
    def __init__(cls, name, bases, ns, **kw): print("init", cls.__name__); super().__init__(name, bases, ns)
    def __call__(cls, *a, **k):
        print("call", a, k); return super().__call__(*a, **k)
    def __instancecheck__(cls, o): return o == 5
    def __subclasscheck__(cls, s): return s is int
    def __iter__(cls): return iter([1, 2])
    def __len__(cls): return 7
    def __repr__(cls): return f"<M {cls.__name__}>"
    def __contains__(cls, x): return x == "in"
    def __getitem__(cls, k): return ("item", k)
    def __add__(cls, o): return "added"
    @property
    def prop(cls): return "p " + cls.__name__
    def meth(cls): return cls
class K(metaclass=M, opt=3):
    def __init__(self, v=0): self.v = v
k = K(v=4)
print(isinstance(5, K), isinstance(k, K), issubclass(int, K), list(K), len(K), K, "in" in K, K["a"], K + 1, K.prop, K.meth(), K.injected, type(K).__name__)
class L(K): pass
class N(type): pass
try:
    class O(K, metaclass=N): pass
except TypeError as e: print(e)
print(type("T", (), {"a": 1}).a, type(5), type("T", (K,), {}))
class F(metaclass=lambda n, b, d: (n, b, sorted(d))): x = 1
print(F)
class Meta2(type):
    def __setattr__(cls, n, v): print("setattr", n); super().__setattr__(n, v)
class G(metaclass=Meta2): pass
G.x = 1
print(G.x)
class H(metaclass=5): pass
# ---- class assignment
class A:
    def f(self): return "A"
class B:
    def f(self): return "B"
a = A(); a.v = 1; a.__class__ = B; print(a.f(), a.v, isinstance(a, B), type(a).__name__)
for v in [1, int]:
    try: a.__class__ = v
    except TypeError as e: print(e)
A.f = lambda self: "patched"; print(A().f()); A.g = 5; print(A.g); del A.g
try: A.g
except AttributeError as e: print(e)
try: del A.g
except AttributeError as e: print(e)
A.__name__ = "Renamed"; print(A, A.__qualname__)
try: A.__name__ = 1
except TypeError as e: print(e)
a.f = lambda: "own"; print(a.f(), B.f(a)); del a.f; print(a.f())
A.count = 0; x = A(); x.count += 1; print(x.count, A.count, vars(x))
# ---- new and init
class A:
    def __new__(cls, *a): print("new", a); return super().__new__(cls)
    def __init__(self, *a): print("init", a)
A(1)
class B:
    def __new__(cls): return 5
    def __init__(self): print("never")
print(B())
class S:
    one = None
    def __new__(cls):
        if cls.one is None: cls.one = super().__new__(cls)
        return cls.one
print(S() is S())
class T(tuple):
    def __new__(cls, *a): return super().__new__(cls, a)
print(T(1, 2), T(1, 2)[0], len(T()), type(T(1) + (2,)).__name__)
class L(list):
    def __init__(self, *a): super().__init__(a); self.n = len(a)
l = L(1, 2); l.append(3); print(l, l.n, l[1:], l == [1, 2, 3])
class D(dict):
    def __missing__(self, k): return k * 2
    def __getattr__(self, k): return self[k]
d = D(a=1); print(d["zz"], d.a, d.get("q"), d)
class R:
    def __init__(self): return 5
for t in [lambda: object(1), lambda: A.__new__(), lambda: A.__new__(5), lambda: object.__new__(int), lambda: R(), lambda: type("C", (), {})(1), lambda: type(), lambda: type(1, 2), lambda: type("a", 1, {}), lambda: type(1, (), {}), lambda: type("a", (), 1)]:
    try: print(t())
    except Exception as e: print(type(e).__name__, e)
R()
# ---- abstract classes
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def name(self): ...
    def describe(self): return f"{self.name} {self.area()}"
class Half(Shape):
    def area(self): return 1
class Full(Half):
    name = "full"
print(Full().describe(), Shape.__abstractmethods__ == frozenset({"area", "name"}))
for c in Shape, Half:
    try: c()
    except TypeError as e: print(e)
class Reg(ABC): pass
Reg.register(int); print(isinstance(5, Reg), issubclass(bool, Reg), isinstance("", Reg))
class Hook(ABC):
    @classmethod
    def __subclasshook__(cls, c): return hasattr(c, "quack") or NotImplemented
class Duck: quack = 1
print(issubclass(Duck, Hook), issubclass(int, Hook))
class One(ABC):
    @abstractmethod
    def only(self): pass
One()
# ---- operators and reflected operators
class V:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"V({self.v})"
    def __add__(self, o): return V(self.v + o.v) if isinstance(o, V) else NotImplemented
    def __radd__(self, o): return f"radd {o}"
    def __iadd__(self, o): self.v += 100; return self
    def __mul__(self, o): return f"mul {o}"
    def __rmul__(self, o): return f"rmul {o}"
    def __matmul__(self, o): return "matmul"
    def __neg__(self): return V(-self.v)
    def __pos__(self): return "pos"
    def __invert__(self): return "inv"
    def __abs__(self): return "abs"
    def __divmod__(self, o): return "divmod"
    def __pow__(self, o, m=None): return ("pow", o, m)
    def __rpow__(self, o): return ("rpow", o)
    def __lshift__(self, o): return "<<"
    def __rand__(self, o): return "rand"
    def __int__(self): return 7
    def __float__(self): return 7.5
    def __index__(self): return 2
    def __round__(self, n=None): return ("round", n)
    def __complex__(self): return 1j
    def __lt__(self, o): return "lt"
    def __ge__(self, o): return "ge"
v = V(1)
print(v + V(2), 5 + v, v * 3, 3 * v, [1] * v, v @ 1, -v, +v, ~v, abs(v), divmod(v, 1), v ** 2, pow(v, 2, 3), 2 ** v, v << 1, 1 & v, int(v), float(v), [1, 2, 3][v], round(v), round(v, 2), complex(v), v < 1, 1 > v, v >= 1, 1 <= v, range(5)[v], hex(v), "abc"[v:])
v += 1; print(v)
for t in ["v + 1", "v - 1", "1 - v", "v // 1", "v & 1", "v -= 1", "v > 1", "v @= 1", "v <= 2", "v %= 1", "v >> 1", "v | 1", "v ^ 1", "-'a'", "~1.5", "+[]", "1 + 'a'", "'a' + 1", "[] + ()", "{} | 1", "1 @ 2", "None < 1", "1 < 'a'", "[] < ()", "v[0]", "v[0] = 1", "del v[0]", "v()", "len(v)", "iter(v)", "next(v)", "1 in v", "abs('a')", "1 << 'a'", "2 ** 'a'", "divmod(1, 'a')", "pow(1, 2, 'a')", "'a' * 'b'", "'%d' % 'a'", "[1][None]", "'a'['b']", "{}[[]]", "(1)[0]", "reversed(v)", "hash([])", "round('a')", "1 // 0", "1 % 0", "1.0 / 0", "1.0 // 0", "1.5 % 0", "0 ** -1", "1 << -1", "divmod(1, 0)", "10 ** 5000 * 1.0", "1j // 1", "1j < 2j", "'a' in 5", "5 in 'a'", "not_there"]:
    try: exec(t); print(t, "fine")
    except Exception as e: print(t, "|", type(e).__name__, e)
class W(V):
    def __radd__(self, o): return "W radd first"
print(V(1) + W(2))
class NI:
    def __eq__(self, o): return NotImplemented
    def __add__(self, o): return NotImplemented
print(NI() == 1, NI() != 1, NI() == NI())
NI() + NI()
# ---- comparison, hash and bool
class P:
    def __init__(self, x): self.x = x
    def __eq__(self, o): return isinstance(o, P) and self.x == o.x
    def __hash__(self): return hash(self.x)
    def __lt__(self, o): return self.x < o.x
    def __repr__(self): return f"P{self.x}"
print(P(1) == P(1), P(1) != P(2), {P(1), P(1), P(2)} == {P(2), P(1)}, P(1) in [P(1)], sorted([P(3), P(1)]), max(P(1), P(5)), [P(1)].index(P(1)), {P(1): "a"}[P(1)])
class E:
    def __eq__(self, o): return True
for t in [lambda: hash(E()), lambda: {E()}, lambda: sorted([E(), E()]), lambda: {E(): 1}, lambda: hash(P([])), lambda: sorted([1, "a"]), lambda: max([]), lambda: min(1, "a")]:
    try: print(t())
    except Exception as e: print(type(e).__name__, e)
class H:
    def __hash__(self): return "a"
try: hash(H())
except TypeError as e: print(e)
import functools
@functools.total_ordering
class T:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
print(T(1) <= T(1), T(2) > T(1), T(1) >= T(2))
class Ln:
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
print(bool(Ln(0)), bool(Ln(2)), bool(object()), not Ln(0), [x for x in [Ln(0), Ln(1)] if x].__len__())
for n in [-1, "a", 1.5, 2**70]:
    try: print(len(Ln(n)))
    except Exception as e: print(type(e).__name__, e)
# ---- containers and iterators of a program
class Seq:
    def __getitem__(self, i):
        if isinstance(i, slice): return ("slice", i.start, i.stop, i.step)
        if i >= 3: raise IndexError(i)
        return i * 10
    def __len__(self): return 3
s = Seq(); print(list(s), s[1:2], s[::2], s[1, 2:3] if False else "", 20 in s, 5 in s, list(reversed(s)), [*s], max(s), tuple(s), sum(s))
class It:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1
        return self.n
print(list(It(3)), next(It(0), "dflt"), sum(It(4)), dict(zip("ab", It(2))), 1 in It(3), list(map(str, It(2))), sorted(It(3)))
class Cont:
    def __contains__(self, x): return "yes" if x else ""
print(1 in Cont(), 0 in Cont(), 0 not in Cont())
class Bad1:
    def __iter__(self): return 5
class Bad2:
    def __iter__(self): raise ValueError("in iter")
class Bad3: __iter__ = None
class Bad4:
    def __next__(self): return 1
class Bad5:
    __contains__ = None
for c in Bad1, Bad2, Bad3, Bad4, Bad5:
    try: 
        for x in c(): pass
    except Exception as e: print(type(e).__name__, e)
    try: 1 in c()
    except Exception as e: print(type(e).__name__, e)
class C:
    def __call__(self, *a, k=1): return a, k
    def __setitem__(self, k, v): print("set", k, v)
    def __delitem__(self, k): print("del", k)
    def __getitem__(self, k): return k
c = C(); print(c(1, k=2)); c[1:2, ..., 3] = 4; del c["a"]; print(c[1:2, ...], c[()], c[:], c[1,]); c["k"] += "v"
print(callable(c), callable(C), callable(1), callable(lambda: 0))
class Cls:
    def __class_getitem__(cls, k): return (cls.__name__, k)
print(Cls[int])
next(It(0))
# ---- repr and its errors
class A: pass
class B:
    def __repr__(self): return "b-repr"
class C:
    def __repr__(self): return 5
class D:
    def __str__(self): return 5
class E:
    def __repr__(self): raise ValueError("bad repr")
class F:
    def __format__(self, s): return 5
class G(B):
    def __str__(self): return "g-str"
    def __bytes__(self): return b"x"
print(repr(A())[:19], str(B()), f"{B()} {G()} {G()!r} {[G()]}", "%s %r" % (G(), G()), format(G()), bytes(G()))
for t in [lambda: repr(C()), lambda: str(C()), lambda: str(D()), lambda: repr([E()]), lambda: f"{E()}", lambda: format(F()), lambda: format(A(), "x"), lambda: f"{F()}", lambda: print(D()), lambda: "{:d}".format(A())]:
    try: t()
    except Exception as e: print(type(e).__name__, e)
print(A, A.f if hasattr(A, "f") else "none", B.__repr__.__qualname__)
class Outer:
    class In:
        def m(self): pass
print(Outer.In, Outer.In.m.__qualname__)
def f():
    class L: pass
    return L
print(f(), f().__qualname__)
[1, E()].__repr__()
# ---- name mangling
class A:
    __priv = 1
    def __init__(self): self.__x = 2
    def get(self): return self.__x, self.__priv, [k for k in vars(self)]
    def __meth(self): return "A meth"
    def call(self): return self.__meth()
    def kw(self, __a=1): return __a
class B(A):
    def __meth(self): return "B meth"
b = B(); print(b.get(), b.call(), b._A__x, hasattr(b, "__x"), b.kw(_A__a=5), b._B__meth())
b.__x
# ---- data classes, enums, named tuples
from dataclasses import dataclass, field
from enum import Enum, auto, IntEnum
from collections import namedtuple
from typing import NamedTuple
@dataclass(order=True)
class P:
    x: int
    y: int = 2
    l: list = field(default_factory=list, compare=False)
    def norm(self): return self.x + self.y
print(P(1), P(1) == P(1, 2), P(1) < P(2), P(3).norm(), P(1).l is P(1).l)
@dataclass(frozen=True)
class F: a: str
try: F("x").a = 1
except Exception as e: print(type(e).__name__, e)
class Color(Enum):
    RED = 1
    GREEN = auto()
    @property
    def low(self): return self.name.lower()
print(Color.RED, repr(Color.GREEN), Color(1), Color["RED"].low, list(Color), Color.RED is Color(1))
try: Color(9)
except ValueError as e: print(e)
N = namedtuple("N", "a b", defaults=[5]); n = N(1); print(n, n._replace(a=2), n.b, n == (1, 5))
class T(NamedTuple):
    x: int
    y: str = "d"
print(T(1), T(1).y, T._fields)
P()
