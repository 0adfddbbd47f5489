# ---- large loops and integer limits
total = 0
for i in range(100000): total += i * i % 7
print(total)
n = 0
while n < 100000: n += 3
print(n, 2 ** 53, 2 ** 53 + 1, 2 ** 53 - 1 + 1 + 1, (2 ** 53 + 1) - 2 ** 53, 2 ** 64 - 1, -2 ** 63, 3 ** 50, 10 ** 20 // 3, -(10 ** 20) // 3, 10 ** 20 % -7, 1 << 70, (1 << 70) >> 68, ~(1 << 70), hash(2 ** 61 - 1), 9007199254740993 * 3)
print(7 // -2, -7 // 2, 7 % -2, -7 % 2, divmod(-7, 3), -7 >> 1, 5 & -2, 5 | -8, 5 ^ -1, 0.1 + 0.2, 1e16, 1e15, 1 / 3, 2 ** -1, 2 ** 0.5, 1e308 * 10, -0.0, 0.0 == -0.0, int(1e20), int("-0x1f", 16), int(3.99), int(-3.99), round(2.5), round(3.5), round(-2.5), round(1234.567, -2))
def fact(n): return 1 if n < 2 else n * fact(n - 1)
print(fact(30), len(str(fact(200))), True + True, True * 5, 1.0 == 1, hash(1.0) == hash(1), 10 ** 15 + 0.5, 123456789 * 987654321, 2 ** 31 * 2 ** 31, 0x7fffffff + 1, 1_000_000, 0b101, 0o17)
print(sum([0.1] * 10), max(1, 2.5, True), abs(-2 ** 60), float("inf") > 10 ** 400, 10 ** 400 > 1.5, int("9" * 30) + 1, float(10 ** 22), 5 .__add__(3), (5).bit_length(), (2 ** 70).bit_length())
float(10 ** 400)
# ---- frames
import sys
def f(a):
    b = 2
    fr = sys._getframe()
    return fr.f_code.co_name, fr.f_lineno, sorted(k for k in fr.f_locals if k != "fr"), fr.f_back.f_code.co_name, fr.f_globals is globals()
print(f(1))
def g(): return sys._getframe(1).f_lineno
print(g())
def h():
    try: 1 / 0
    except ZeroDivisionError as e:
        tb = e.__traceback__
        return tb.tb_lineno, tb.tb_frame.f_code.co_name, tb.tb_next
print(h())
class A:
    name = sys._getframe().f_code.co_name
    def m(self): return sys._getframe().f_code.co_qualname
print(A.name, A().m())
def loc():
    x = 1
    def inner(): return x
    y = locals()
    y["x"] = 5
    return x, sorted(y)
print(loc())
print(type(sys._getframe()).__name__, sys._getframe().f_back, (lambda: sys._getframe().f_code.co_name)())
try: sys._getframe(100)
except ValueError as e: print(e)
# ---- conditional imports and import forms
try: import nothing_like_this as n
except ImportError as e: n = None; print(e, e.name, type(e).__name__)
import math as m, sys
from math import pi as PI, sqrt
from collections import (OrderedDict,
    namedtuple,)
import os.path
print(m.floor(PI), sqrt(4), OrderedDict.__name__, os.path.join("a", "b"), "math" in sys.modules)
def f():
    import json
    from math import cos
    return json.dumps([1]), cos(0)
print(f(), "json" in globals())
from math import *
print(factorial(5), "pi" in dir())
try: from math import nope
except ImportError as e: print(type(e).__name__, e.name, str(e).split(" (")[0])
if not hasattr(m, "nope"): print("no nope")
print(__import__("math") is m, m.__name__, type(m).__name__)
try: m.nope
except AttributeError as e: print(e)
m.added = 1; print(m.added); del m.added
try: exec("from . import x")
except ImportError as e: print(e)
try: exec("def f():\n from math import *")
except SyntaxError as e: print(e.msg)
import importlib
print(importlib.import_module("math") is m)
import types
mod = types.ModuleType("made", "doc"); mod.x = 1; sys.modules["made"] = mod
import made
print(made.x, made.__doc__, made.__name__, repr(made))
from made import y
# ---- annotations
x: int = 1
y: "undefined_type"
def f(a: int, *b: str, c: "Q" = 1, **d: float) -> None: z: not_evaluated = 1; return z
print(__annotations__, f.__annotations__, "y" in globals(), f(1))
class A:
    a: int
    b: str = "x"
    def m(self) -> "A": ...
print(A.__annotations__, A.m.__annotations__, hasattr(A, "a"))
class B: pass
print(B.__annotations__)
(w): int = 3
o = B(); o.attr: int = 5
print(o.attr, w, "w" in __annotations__)
q: undefined_type_name = 1
# ---- docstrings
"module doc"
def f():
    "f doc"
def g():
    """g
    doc"""
    return 1
class C:
    "C doc"
    def m(self): "m doc"
def h(): f"not a doc"
print(__doc__, f.__doc__, g.__doc__, C.__doc__, C.m.__doc__, h.__doc__, (lambda: 0).__doc__)
C.__doc__ = "new"; print(C.__doc__)
class D(C): pass
print(D.__doc__)
# ---- statements of all kinds
x = 5; x += 1; x -= 2; x *= 3; x //= 2; x **= 2; x %= 7; x <<= 3; x |= 1; x ^= 3; x &= 14; x >>= 1; x /= 2
print(x)
l = [1, 2]; m = l; l += [3]; l *= 2; print(m, l is m)
t = (1,); u = t; t += (2,); print(t, u)
s = "a"; s += "b"; s *= 2; print(s, s[::-1], s[1:-1], s[-1])
try: t[0] += 1
except TypeError as e: print(e)
tt = ([],)
try: tt[0] += [1]
except TypeError as e: print(e, tt)
pass; ...
if x: pass
elif l: pass
else: pass
a = b = c = 0; a, b = b, a
assert True; global_ = 1
print(1 if x > 100 else 2, (yield_ := 5), [*range(3)][::2], {**{}}, (1,), (), [], {}, {1}, not x, -x, +x, ~int(x))
lst = list(range(10)); lst[2:5] = ["x"]; del lst[::3]; print(lst); lst[::2] = [0] * len(lst[::2]); print(lst)
try: lst[::2] = [1]
except ValueError as e: print(e)
print("%s-%d %5.2f %r %x %%" % ("a", 5, 3.14159, "q", 255), "{0} {1!r:>5} {name}".format(1, "a", name="n"), "a" "b", b"x" b"y", r"\n", "\x41\u00e9\t|")
print(print, len, int, type(print), type(len).__name__, type(int.__add__ if False else None))
print(1, 2, sep="", end="!\n"); print(*[], sep="x"); print()
with open("no_such_file.txt") as f: pass
# ---- identity and equality
a = [1]; b = [1]
print(a is b, a == b, a is a, None is None, () is (), 1 is 1.0 if False else "", "a" is "a" if False else "", type(1) is int, id(a) == id(a), id(a) == id(b))
n = float("nan"); print(n == n, n is n, n in [n], [n] == [n], n != n)
print(True is True, 1 == True, {1: "a", True: "b", 1.0: "c"}, 0 == False == 0.0, "" == 0, None == 0, [] == (), {1, 2} == {2, 1}, {"a": 1} == {"a": 1.0})
print(len({1, 1.0, True}), (1, 2) < (1, 3), [1] < [1, 0], "a" < "b", {1} < {1, 2}, frozenset([1]) == {1})
[] < {}
# ---- print of nested and recursive values
l = [1]; l.append(l); d = {}; d["d"] = d; t = ([],); t[0].append(t)
print(l, d, t, {1: [2, (3,), {4}]}, [None, True, 1.0, "q'\"", b"b", 1j], set(), frozenset(), frozenset({1}), range(3), slice(1, 2), ..., NotImplemented)
l == l
x = [l]; y = [l]
x[0] is y[0]
a = []; a.append(a); b = []; b.append(b)
a == b
# ---- sys.exit with a text
import sys
try: sys.exit("text")
except SystemExit as e: print(repr(e), e.code)
try: sys.exit()
except SystemExit as e: print(repr(e), e.code)
try: exit(3) if False else sys.exit((1, 2))
except SystemExit as e: print(e.code)
# ---- sorting is stable and calls keys once
calls = []
def key(x): calls.append(x); return x[0]
print(sorted(["b1", "a2", "b0", "a1"], key=key), calls, sorted([3, 1, 2], reverse=True), sorted("bca"), sorted({"z": 1, "y": 2}))
class K:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return self.v > o.v
print([k.v for k in sorted([K(1), K(3), K(2)])])
l = [3, 1, 2]; print(l.sort(), l); l.sort(key=lambda x: -x); print(l)
import functools
print(sorted([1, 2, 3], key=functools.cmp_to_key(lambda a, b: b - a)), list(map(lambda x, y: x + y, [1, 2], [3, 4])), list(filter(None, [0, 1, ""])), functools.reduce(lambda a, b: a * b, [1, 2, 3, 4]))
sorted([1, None])
