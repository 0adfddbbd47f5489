# ---- patterns of all kinds
class P:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
class Color: RED = 1; name = "n"
def m(v):
    match v:
        case None: return "none"
        case True: return "true"
        case 0 | 1: return "zero or one"
        case -5: return "minus five"
        case 2.5: return "float"
        case 1 + 2j: return "complex"
        case "a" "b": return "ab"
        case b"x": return "bytes"
        case Color.name: return "value"
        case []: return "empty"
        case [x]: return f"one {x}"
        case [1, y]: return f"1 and {y}"
        case (2, *rest): return f"2 rest {rest}"
        case [*_, "end"]: return "ends"
        case [a, [b, *c], d]: return ("nested", a, b, c, d)
        case {"k": v, **rest}: return ("map", v, rest)
        case {"a": 1, "b": [x, _]}: return ("map2", x)
        case {}: return "mapping"
        case P(x=0, y=y): return ("x0", y)
        case P(1, y): return ("pos", y)
        case P(x, P(z, _) as inner): return ("inner", x, z, inner.y)
        case P(): return "P"
        case int(n) if n > 100: return f"big {n}"
        case int(): return "int"
        case str() as s: return f"str {s}"
        case float(f): return f
        case (set() | frozenset()) as st: return sorted(st)
        case _: return "other"
for v in [None, True, False, 0, 1, -5, 2.5, 1 + 2j, "ab", b"x", "n", [], [9], (7,), [1, 3], (2, 4, 5), [3, "end"], [1, ["q", 1, 2], 4], {"k": 1, "z": 2}, {"a": 1, "b": [5, 6]}, {"a": 2}, {}, P(0, 8), P(1, 9), P(5, P(6, 7)), P(4, 4), 500, 50, "str", 9.5, {3, 1}, frozenset([2]), object, range(1), "n" * 2, bytearray(b"x"), iter([1])]:
    print(m(v))
# ---- guards and bindings
def f(v):
    match v:
        case [x, y] if x == y: r = "same"
        case [x, y] if (z := x + y) > 10: r = z
        case x, y: r = (x, y)
        case x if x: r = x
        case x: r = ("falsy", x)
    return r
print(f([1, 1]), f([8, 9]), f([1, 2]), f(5), f(0))
match 1, 2:
    case (a, 3): print("no")
    case (b, 2): print(b, "a" in globals())
match {"x": {"y": [1, {"z": 2}]}}:
    case {"x": {"y": [_, {"z": deep}]}}: print(deep)
x = 5
match x:
    case y: pass
print(y)
match [1, 2, 3, 4, 5]:
    case [first, *mid, last]: print(first, mid, last)
match "abc":
    case [a, b, c]: print("no, a str is no sequence")
    case _: print("default")
match = 3; case = 4; print(match + case)
match [match]:
    case [3]: print("soft keyword")
print(match, -match)
match (1, 2), :
    case ((1, x),): print(x)
match 5:
    case 1: print(1)
print("through")
# ---- class patterns and their errors
class A: __match_args__ = ("a",)
class B: __match_args__ = ["a"]
class C: __match_args__ = ("a", 1)
class D: pass
class Sub(A): pass
def t(n, v):
    match n:
        case 0:
            match v:
                case A(1, 2): return "?"
        case 1:
            match v:
                case B(1): return "?"
        case 2:
            match v:
                case D(1): return "?"
        case 3:
            match v:
                case A(1, a=2): return "?"
        case 4:
            X = 5
            match v:
                case X(): return "?"
        case 5:
            match v:
                case int(1, 2): return "?"
        case 6:
            match v:
                case A(q): return q
                case A(a=q): return q
        case 7:
            match v:
                case C(1, 2): return "?"
        case 8:
            match v:
                case dict(x): return x
        case 9:
            match v:
                case A(missing=q): return q
    return "no match"
a = A(); a.a = 1
b = B(); b.a = 1
c = C(); c.a = 1
s = Sub(); s.a = "sub"
for n, v in [(0, a), (1, b), (2, D()), (3, a), (4, 1), (5, 1), (6, s), (6, D()), (7, c), (8, {1: 2}), (9, a)]:
    try: print(n, t(n, v))
    except Exception as e: print(n, type(e).__name__, e)
# ---- mapping patterns
from collections import OrderedDict, defaultdict
for d in [{"a": 1, "b": 2}, OrderedDict(a=1), defaultdict(int), {"c": None}, {1: "one", (1, 2): "t"}]:
    match d:
        case {"a": x, "b": y}: print("ab", x, y)
        case {"a": x, **rest}: print("a", x, rest, type(rest).__name__)
        case {1: o, **kw}: print(o, kw)
        case {"c": None}: print("c")
        case {**all}: print("all", all)
dd = defaultdict(int)
match dd:
    case {"missing": x}: print("no")
    case _: print(len(dd))
k = "dyn"
class K: key = "dyn"
match {"dyn": 5}:
    case {K.key: v}: print(v)
for text in ["match 1:\n case {**rest, 'a': 1}: pass", "match 1:\n case x: pass\n case y: pass", "match 1:\n case [*a, *b]: pass", "match 1:\n case x | y: pass", "match 1:\n case [x, x]: pass", "match 1:\n case {'a': 1, 'a': 2}: pass", "match 1:\n case _ | 1: pass", "match 1:\n case A(x=1, x=2): pass", "match 1:\n case 1 as _: pass", "match 1:\n case (x | 1): pass", "match 1:\ncase 2: pass"]:
    try: exec(text); print("fine")
    except SyntaxError as e: print(repr(text), "|", type(e).__name__, e.msg)
# ---- sequences of a program
import collections.abc
class S(collections.abc.Sequence):
    def __len__(self): return 2
    def __getitem__(self, i): return ["p", "q"][i]
class M(collections.abc.Mapping):
    def __len__(self): return 1
    def __iter__(self): return iter(["k"])
    def __getitem__(self, k): return {"k": "v"}[k]
for v in [S(), M(), collections.deque([1, 2]), range(2), memoryview(b"ab") if False else (1, 2)]:
    match v:
        case [a, b]: print("seq", a, b)
        case {"k": x}: print("map", x)
        case _: print("none")
# ---- a guard that raises
def f(x):
    match x:
        case {"v": [a, *_]} if a / 0:
            return a
f({"v": [1, 2]})
