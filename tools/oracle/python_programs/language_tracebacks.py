# ---- did you mean an attribute
class Thing:
    def __init__(self): self.color = 1
    def compute_value(self): pass
Thing().colour
# ---- did you mean a method
[1].apend(2)
# ---- did you mean a local
def f(number, other):
    total = 1
    return totl
f(1, 2)
# ---- did you mean a global
some_value = 5
print(some_valeu)
# ---- did you mean a builtin
pritn("x")
# ---- did you mean nothing
qwertyuiop
# ---- did you mean in a module
import math
math.sine(1)
# ---- did you mean in a chain
try:
    foo_bar = 1
    fo_bar
except NameError as e:
    raise RuntimeError("x") from e
# ---- own message of a name error
lenn = 3
raise NameError("name 'len' is not defined")
# ---- binary operation
a = {"x": None}
b = (1 + 2) * 3
c = b + 5 - a["x"] * 2
# ---- comparison
x = [1, 2]
if len(x) > 1 and x < 3: pass
# ---- subscript chain
data = {"a": {"b": [1, 2]}}
value = data["a"]["c"][0] + 1
# ---- subscript of a call
def get(): return {}
get()["k"]["z"]
# ---- attribute chain
class A: b = None
print(A.b.c.d)
# ---- call of a call
def f(): return 5
f()(1, 2)
# ---- call over lines
def f(a, b):
    return a / b
f(
    1,
    0,
)
# ---- binary operation over lines
x = (1 +
     2 +
     "a")
# ---- list over lines
y = [
    1,
    2 / 0,
    3,
]
# ---- dict over lines
d = {
    "a": 1,
    "b": undefined_b,
}
# ---- string over lines
print("""a
b""" + 1)
# ---- nested calls
def g(x): raise ValueError(f"bad {x}")
print(len(str(g(1 + 2))), 5)
# ---- unary
print(-"a")
# ---- unpack
a, b = [1, 2, 3]
# ---- unpack in for
for a, b in [(1, 2), (3,)]:
    print(a)
# ---- iterate
for x in 5: pass
# ---- with
with 5 as f: pass
# ---- with over attributes
class C:
    def __enter__(self): return self
    def __exit__(self, *a): pass
with C() as c, c.missing as d:
    pass
# ---- assert
assert len([1]) == 2, f"got {len([1])}"
# ---- assignment to subscript
t = (1, 2)
t[0] = 3
# ---- augmented assignment
n = None
n += 1
# ---- augmented subscript
d = {}
d["a"] += 1
# ---- delete
del [1][3]
# ---- delete attribute
class A: pass
del A().x
# ---- store attribute
(5).x = 3
# ---- import missing
import no_such_module_here
# ---- from import missing
from sys import no_such_name_here
# ---- import submodule missing
import math.nothing
# ---- default argument
def f(x=1/0): pass
# ---- class body
class A:
    x = 1
    y = x + "a"
# ---- class base
class A(undefined_base): pass
# ---- decorator
def deco(f): raise TypeError("deco")
@deco
def g(): pass
# ---- decorator with arguments
def deco(x): return x
@deco(
    5
)
def g(): pass
# ---- lambda
f = lambda x: x.y
f(1)
# ---- comprehension
[x / 0 for x in [1]]
# ---- nested comprehension
z = [[a / b for a in [1]] for b in [1, 0]]
# ---- generator
sum(x / 0 for x in [1])
# ---- conditional
x = 1 if undefined else 2
# ---- f-string
v = 5
print(f"a {v} {v.nope} b")
# ---- f-string over lines
v = 5
print(f"""a
{v.nope} b""")
# ---- star arguments
def f(*a): pass
f(*5)
# ---- keyword arguments
def f(**a): pass
f(a=1, **{"a": 2})
# ---- raise from a function in a method
class A:
    def m(self):
        return self.n(1)
    def n(self, v):
        raise KeyError(v)
    @property
    def p(self): return self.m()
A().p
# ---- operator method
class V:
    def __add__(self, o): raise ValueError("add")
    def __getitem__(self, k): return self + k
    def __eq__(self, o): return self[o]
V() == 3
# ---- iterator method
class I:
    def __iter__(self): return self
    def __next__(self): raise ValueError("next")
for x in I():
    pass
# ---- sorted with a key
def key(x): return 1 / x
print(sorted([2, 1, 0], key=key))
# ---- map and a builtin callback
print(list(map(lambda x: int(x), ["1", "b"])))
# ---- wide characters
é = {"ü": "日本"}
print(é["ü"] + é["日本"])
# ---- wide characters before the mark
x = "日本語" + "é" + 1
# ---- tabs
if True:
	x = 1 / 0
# ---- semicolons
a = 1; b = a / 0; c = 2
# ---- inline if
if 1: print(1 / 0)
# ---- comment behind
x = 1 / 0  # a comment
# ---- whole line
undefined_name_alone
# ---- whole line call
def f(): raise ValueError
f()
# ---- parenthesized
x = ((1) / (0))
# ---- operators of two characters
x = 5 // 0
# ---- power
x = "a" ** 2
# ---- matrix
x = 1 @ 2
# ---- shift
x = 1 << "a"
# ---- in
print(1 in 5)
# ---- not
class B:
    def __bool__(self): raise ValueError("bool")
x = not B()
# ---- while
while undefined_condition: pass
# ---- return
def f():
    return (1
            / 0)
f()
# ---- nested function
def a():
    def b():
        def c():
            raise ValueError("c")
        c()
    b()
a()
# ---- exec of a text
exec("x = 1\ny = x / 0\n")
# ---- eval of a text
eval("1 + undefined_e")
# ---- compiled with another name
exec(compile("def f():\n    1/0\nf()", "other.py", "exec"))
# ---- global and yield
def g():
    x = yield 1
    y = yield x / 0
i = g(); next(i); i.send(3)
# ---- syntax error
x = 1
def f(:
    pass
# ---- syntax error in exec
exec("a = = 1")
# ---- syntax error in eval over calls
def f(t): return eval(t)
f("1 +* 2")
# ---- indentation error
def f():
x = 1
# ---- unterminated
x = "abc
# ---- unbalanced
x = (1, 2
y = 3
# ---- unexpected indent
x = 1
    y = 2
# ---- return outside
return 5
# ---- break outside
break
# ---- assign to call
f() = 1
# ---- nonlocal at module level
def f():
    nonlocal zzz
# ---- duplicate argument
def f(a, a): pass
# ---- keyword repeated
f(a=1, a=2)
# ---- missing comma
x = [1 2]
# ---- forgot colon
if True
    pass
# ---- print statement
print "hello"
# ---- raising a class with many arguments
raise ValueError("a", 2, None)
# ---- os error
raise FileNotFoundError(2, "No such file or directory", "x.txt")
# ---- key error of a string
{}["it's"]
# ---- stop iteration
next(iter(()))
# ---- user class in a nested scope
class Outer:
    class Deep(Exception):
        pass
raise Outer.Deep("x")
# ---- error in except
try:
    int("x")
except ValueError:
    undefined_in_handler
# ---- error in finally
try:
    int("x")
finally:
    1 / 0
# ---- three deep context
try:
    try:
        1 / 0
    except ZeroDivisionError:
        [][0]
except IndexError:
    {}["k"]
# ---- loop of contexts
try:
    1 / 0
except ZeroDivisionError as e:
    try:
        raise ValueError("v")
    except ValueError:
        raise e
# ---- reraised later
saved = None
def f(): raise ValueError("saved")
try: f()
except ValueError as e: saved = e
def g():
    raise saved
g()
# ---- with traceback
def f(): 1 / 0
try: f()
except ZeroDivisionError as e:
    raise RuntimeError("new").with_traceback(e.__traceback__)
# ---- raise in exit keeps context
class C:
    def __enter__(self): return self
    def __exit__(self, t, v, tb): raise KeyError("exit") from v
with C():
    1 / 0
# ---- deep recursion in two functions
def even(n): return True if n == 0 else odd(n - 1)
def odd(n): return False if n == 0 else even(n - 1)
print(even(300))
even(3000)
# ---- recursion with changing lines
def f(n):
    if n % 5 == 0:
        return f(n - 1) if n else 1 / 0
    return f(n - 1)
f(12)
# ---- system exit shows nothing
print("before")
# ---- chained with notes
try:
    e = ValueError("inner"); e.add_note("inner note"); raise e
except ValueError as x:
    e = TypeError("outer"); e.add_note("outer note"); raise e from x
