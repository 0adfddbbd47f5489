"""Programs whose classes derive from int, str, float and bytes, and enumerations that do."""

# ---- a class of int
class I(int):
    def __add__(self, o): return I(int(self)+o)
a=I(5); print(a, type(a), a+1, isinstance(a,int), a*2, type(a*2), {5:1}[a])

# ---- a class of str
class S(str):
    def hi(self): return "hi "+self
s=S("abc"); print(s, s.hi(), type(s.upper()), s=="abc", {s:1}["abc"], len(s), s[1], f"{s:>5}")

# ---- a class of float
class F(float): pass
f=F(1.5); print(f, f+1, type(f+1), isinstance(f,float), repr(f))

# ---- a class of containers
class L(list):
    def __init__(self,*a): super().__init__(*a); self.x=1
l=L([1,2]); l.append(3); print(l, len(l), l.x, l[0:2], type(l[0:2]), l+[1], type(l+[1]), isinstance(l,list), l==[1,2,3])
class D(dict):
    def __missing__(self,k): return k*2
d=D(a=1); print(d, d['zz'], d.get('q'), isinstance(d,dict), {**d})
class T(tuple):
    def __new__(cls,a,b): return super().__new__(cls,(a,b))
    @property
    def a(self): return self[0]
t=T(1,2); print(t,t.a,type(t),t==(1,2),hash(t)==hash((1,2)))
class Se(set): pass
s=Se([1]); s.add(2); print(s, s|{3}, type(s|{3}))
class Fs(frozenset): pass
print(Fs([1]))
from collections import OrderedDict, defaultdict, UserDict, Counter, deque, UserList
class O(OrderedDict): pass
o=O(a=1); o.move_to_end('a'); print(o)
class B(bytes): pass
print(B(b'x'))

# ---- enumerations
from enum import Enum, IntEnum, IntFlag, Flag, auto, unique
class C(str, Enum):
    A="a"; B="b"
print(C.A, C.A=="a", C("b"), C.A.upper(), f"{C.A}", isinstance(C.A,str), [c.value for c in C])
class N(IntEnum):
    X=1; Y=2
print(N.X, N.X+1, N.X==1, isinstance(N.X,int), N(2), [10,20,30][N.Y], range(N.Y), f"{N.X}", "%d"%N.X, sorted([N.Y,N.X]), repr(N.X))
class P(IntFlag):
    R=4; W=2
print(P.R|P.W, repr(P.R|P.W), int(P.R|P.W), P(6), P.R in P(6))
class Q(Flag):
    A=auto(); B=auto()
print(Q.A|Q.B, repr(Q.A|Q.B), ~Q.A, bool(Q.A&Q.B), list(Q))

# ---- a text with a class, wherever a text goes
import json, re, os, math
class S(str):
    def __str__(self): return "<" + str.__str__(self) + ">"
class I(int): pass
class F(float): pass
s, i, f = S("ab"), I(3), F(2.5)
print(s, repr(s), f"{s}", "%s" % s, "{}".format(s), s + "c", "c" + s, s * 2, s[0], s in "xaby", "a" in s, [*s], s < "b", max(s, "aa"))
print(",".join([s, "q"]), "xabx".split(s), "abab".replace(s, S("z")), s.startswith(S("a")), sorted([S("b"), "a"]), {s: 1}["ab"], {"ab": 2}[s], {s, "ab"}, hash(s) == hash("ab"))
print(i + 1, 1 + i, i * 2.0, -i, abs(I(-2)), i / 2, i // 2, i % 2, i ** 2, divmod(7, i), 7 - i, i << 1, ~i, i & 1, i == 3, i < 4, bool(I(0)), int(i), float(i), str(i), f"{i:03d}", "%d" % i, "%5.1f" % i, [0, 1, 2, 3][i], "abcd"[i], range(i), list(range(i)), "x" * i, math.sqrt(I(4)), round(i), hex(i), chr(I(65)), i.bit_length(), i.real, type(i + 1).__name__)
print(f + 1, f * i, f == 2.5, math.floor(f), f.is_integer(), "%.2f" % f, f"{f:.3f}", repr(f), {f: 1}[2.5], round(f), int(f), sum([f, i]), min(f, i))
print(json.dumps({s: [i, f, s]}), re.sub(S("a"), S("z"), s), os.path.join(S("a"), "b"), getattr("x", S("upper"))(), isinstance(s, str), issubclass(S, str), type(s).__mro__[1].__name__)
s.note = 1
print(s.note, vars(s), s.__class__.__name__, S.__base__, str.upper(s), type(s.upper()).__name__, s == "ab", "ab" == s, s != "ab", s is str(s))
class Meters(float):
    def __new__(cls, value, unit="m"):
        self = super().__new__(cls, value)
        self.unit = unit
        return self
    def __repr__(self): return f"{float(self)} {self.unit}"
    def __add__(self, other): return Meters(float(self) + float(other), self.unit)
m = Meters(2, "km")
print(m, repr(m), m + 1, 1 + m, [m], m > 1, sum([m, m], Meters(0, "km")))
class Both(int, str.__class__ if False else object): pass
print(Both(4) + 1)
for bad in [lambda: type("X", (int, str), {}), lambda: type("X", (bool,), {}), lambda: I("x"), lambda: object.__new__(I), lambda: S(1, 2)]:
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)

# ---- slots and their members
class A:
    __slots__ = ("x", "y")
    def __init__(self): self.x = 1
a = A()
print(a.x, A.x, hasattr(a, "__dict__"), A.x.__get__(a), A.x.__name__)
for bad in [lambda: a.y, lambda: setattr(a, "z", 1)]:
    try: print(bad())
    except AttributeError as e: print(e)
