# tracebacks are recorded, too
# ---- closures and cells
def counter():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    def get(): return n
    def reset():
        nonlocal n
        del n
    return inc, get, reset
inc, get, reset = counter()
inc(); inc(5); print(get())
c = inc.__closure__[0]
print(c.cell_contents, c == get.__closure__[0], c is get.__closure__[0])
c.cell_contents = 100
print(get(), inc())
reset()
try: get()
except NameError as e: print(e)
try: c.cell_contents
except ValueError as e: print(e)
def outer(x):
    class K:
        y = x
        def m(self): return x, __class__.__name__
        x = "class x"
        z = x
    return K
k = outer("arg"); print(k.y, k.z, k().m())
def a():
    x = 1
    def b():
        nonlocal x
        x = 2
        def c():
            nonlocal x
            x = 3
        c()
    b()
    return x
print(a())
# ---- global and del
x = 1
def f():
    global x, y
    x += 1
    y = "made"
f(); print(x, y)
def g():
    global y
    del y
g()
try: y
except NameError as e: print(e, e.name)
try: g()
except NameError as e: print(e)
class A:
    global z
    z = 5
    w = 6
print(z, hasattr(A, "z"), A.w)
del x, z
print("x" in globals(), "z" in globals())
del (a := 1) if False else A.w
# ---- del of everything
class C: pass
c = C(); c.a = 1; c.l = [1, 2, 3, 4]; d = {"k": 1, "m": 2}
del c.a, c.l[0], c.l[1:], d["k"]
print(vars(c), d)
for text in ["del c.a", "del d['zz']", "del c.l[9]", "del (1, 2)[0]", "del undefined", "del C.__name__", "del 'a'[0]", "del len"]:
    try: exec(text)
    except Exception as e: print(text, type(e).__name__, e)
[x, (y, z)] = 1, (2, 3)
del [x, (y, z)], (c)
print("c" in dir(), "x" in dir())
# ---- class bodies' scopes
x = "global"
class A:
    x = "class"
    l = [x for _ in range(1)]
    g = (lambda: x)()
    l2 = [i for i in x]
    def m(self): return x
    def __init__(self, d=x): self.d = d
    class B:
        y = x
    if True:
        cond = 1
    for i in range(3): pass
print(A.l, A.g, A.l2, A().m(), A().d, A.B.y, A.cond, A.i, A.B.__qualname__)
def f():
    x = "local"
    class C:
        print(x)
        x = "c"
        print(x)
        del x
        print(x)
    class D:
        nonlocal x
        x = "changed"
    return x
print(f())
class E:
    locals()["dyn"] = 3
    print(sorted(locals()), __qualname__, __module__)
print(E.dyn)
class F:
    print(undefined_name)
# ---- comprehension scopes and walrus
x = 10
print([x for x in range(3)], x, {x: y for x, y in zip("ab", "cd")}, {x for x in "a"}, x)
print([y := 1, y ** 2], y)
print([(z := i) for i in range(4)], z)
print(any((hit := n) > 3 for n in [1, 2, 5, 3]), hit)
def f(xs):
    total = 0
    return [total := total + v for v in xs], total
print(f([1, 2, 3]))
if (n := len("abc")) > 2: print(n)
while (n := n - 1): print("n", n)
print([[i * j for j in range(i)] for i in range(4)], [i for i in range(20) if i % 2 if i % 3])
print([a + b for a, *b in [("x",), ("y",)]] if False else [(a, b) for a, *b in ["xyz", "w"]])
for text in ["[i := 0 for i in range(3)]", "[x for x in (y := [1])]", "class A: [z := 1 for _ in [1]]", "def f(): [a for b in c for (a := 1) in d]", "x := 1", "f(a=b:=1)", "[(i, j := 0) for i in range(3) for j in range(3)]"]:
    try: exec(text)
    except SyntaxError as e: print(text, "|", e.msg)
gen = (q for q in [1, 2])
print(next(gen), list(gen), "q" in globals())
[undefined for _ in range(1)]
# ---- exec, eval and compile
ns = {}
exec("x = 1\ndef f(): return x + y", ns)
try: ns["f"]()
except NameError as e: print(e)
ns["y"] = 2
print(ns["f"](), sorted(k for k in ns if k != "__builtins__"))
loc = {}
exec("a = x\nb = [a for _ in range(1)] if False else 0\nclass Q: z = a", ns, loc)
print(sorted(loc), loc["Q"].z)
print(eval("x + 1", {"x": 2}), eval("x + y", {"x": 1}, {"y": 5}), eval(" 3 "), eval(compile("1+2", "f", "eval")))
code = compile("v = 7\nv * 2", "<c>", "exec")
print(exec(code), v, code.co_name, code.co_filename)
def f():
    loc1 = 1
    exec("loc1 = 2; new = 3")
    return loc1, "new" in locals(), sorted(locals())
print(f())
def g(a):
    b = 2
    return sorted(locals().items()), eval("a + b")
print(g(1))
for bad in [lambda: eval("1 +"), lambda: eval("x = 1"), lambda: exec(1), lambda: eval("1", 1), lambda: exec("1", {}, 1), lambda: compile("1", "f", "nope"), lambda: eval(""), lambda: exec("  x = 1"), lambda: compile("a b", "f", "exec"), lambda: eval("(yield)"), lambda: exec("return 1")]:
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
print(globals() is locals(), globals()["__name__"], eval("__name__"), "__builtins__" in ns)
class M(dict):
    def __missing__(self, k): return k.upper()
print(eval("foo + bar", {}, M()))
exec("1/0")
# ---- compile a bad text
exec(compile("def f():\n    return undefined_thing\nf()", "nofile.py", "exec"))
# ---- attributes of the main module
import sys
print(__name__, __doc__, __spec__, __package__, sorted(k for k in globals() if k.startswith("__")))
print(sys.modules["__main__"].__dict__ is globals(), type(sys).__name__, repr(sys))
class A: pass
def f(): pass
print(A.__module__, f.__module__, repr(A), repr(A.__dict__["__module__"]))
import __main__
__main__.zz = 5
print(zz)
print(A.__dict__["__doc__"])
# ---- unpacking in all places
a, (b, *c), d = 1, "xyz", {4: 5}
print(a, b, c, d)
*a, = range(3); print(a)
[a, b] = {1: 0, 2: 0}; print(a, b)
first, *mid, last = [1, 2]; print(first, mid, last)
for i, (j, *k) in enumerate(["ab", "cde"]): print(i, j, k)
print([*range(2), *"ab"], (*[], 1), {*[1], *[2, 1]}, {**{"a": 1}, "b": 2, **{"a": 3}})
x = y = z = []; x.append(1); print(y, z)
a, b = b, a
l = [0, 1, 2]; i = 0
i, l[i] = 1, 9; print(i, l)
def f(): return *[1], 2
print(f(), *[3], sep="-")
for x in *[1], 2: print(x)
def y(): yield *[1], 2
print(next(y()))
for text in ["a, b = 1", "a, b = 1, 2, 3", "a, b = [1]", "a, *b, c = [1]", "a, b = 'x'", "a, b = None", "a, b = range(10)", "*a, b = []", "a, b, c = iter([1])", "a, b = {}", "a, b = (i for i in [1,2,3])", "[*1]", "{**1}", "{**[1]}", "(*None,)", "print(*1)", "a, b = 1.5", "{*3}"]:
    try: exec(text)
    except Exception as e: print(text, "|", type(e).__name__, e)
a, b = 1
# ---- chained comparison, boolean operators, conditional expression
def t(x, name): print(name, end=" "); return x
print(t(1, "a") < t(2, "b") < t(3, "c"), t(3, "a") < t(2, "b") < t(3, "c"))
print(1 < 2 > 1 == 1 != 0 is not None in [None, True], 1 in [1] == True, not 1 == 2)
print([] or 0 or "x", 1 and [] and 2, None or False, 0 if [] else 1, not [], 1 if 0 else 2 if 1 else 3)
class B:
    def __init__(s, v): s.v = v
    def __bool__(s): print("bool", s.v); return s.v
    def __lt__(s, o): return B(False)
    def __repr__(s): return f"B({s.v})"
print(B(True) and B(False), B(False) or 3, B(1 > 2) < 1 < 2)
if not B(True): print("no")
else: print("yes")
class Bad:
    def __bool__(self): return 1
class Bad2:
    def __len__(self): return -1
class Bad3:
    def __len__(self): return "x"
for c in Bad, Bad2, Bad3:
    try: print(bool(c()))
    except Exception as e: print(type(e).__name__, e)
assert 1 == 1, "fine"
assert [] == [1], (1, "message")
# ---- loops and else
for i in range(3):
    if i == 5: break
else: print("no break")
for i in range(3):
    if i == 1: continue
    if i == 2: break
else: print("never")
n = 3
while n:
    n -= 1
    if n == 1: continue
else: print("while else", n)
def f():
    for a in range(3):
        for b in range(3):
            if b == 1: break
        else: continue
        if a == 2: return a, b
print(f(), i)
l = [1, 2, 3]
for x in l:
    if x < 3: l.append(x + 2)
print(l)
d = {1: 2}
for k in d: d[k] = 3
for x, d[x] in [(5, 6)]: pass
print(d)
try:
    for k in d: d[k + 100] = 1
except RuntimeError as e: print(e)
for i in 5: pass
# ---- f-strings
x, w, name = 3.14159, 10, "né"
print(f"{x:.2f}|{x:{w}.3f}|{x!r:>12}|{name!a}|{name:*^{w}}|{{}}|{x=}|{x = :.1f}|{name=!s}|{'nested ' + f'{w}'}")
print(f"{(lambda y: y + 1)(2)}{ {'a': 1}['a'] }{[i for i in range(3)]}{w if w else 0:>5}" f"{'x'!r}" "plain{}")
print(f'''{
w
+ 1}''', f"{w!r:^{w + 2}}", rf"\d{w}", f"{'a' 'b'}", f"{w,}", f"{None}{True}{1e100}{10**20:,}")
class F:
    def __format__(self, spec): return f"<{spec}>"
    def __str__(self): return "str"
    def __repr__(self): return "repr"
print(f"{F()} {F():abc} {F()!r} {F()!s:>5} {F()=}")
for text in ["f'{'", "f'{}'", "f'{a b}'", "f'}'", "f'{x!z}'", "f'{x:{y:{z}}}'", "f'{\\n}'", "f'{x!}'", "f'{#}'", "f'{lambda x: 1}'", "f'{x:d}'", "f'{name:d}'"]:
    try: print(eval(text))
    except Exception as e: print(text, "|", type(e).__name__, e)
f"{undefined:>10}"
