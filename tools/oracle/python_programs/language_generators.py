# ---- send, throw, close
def g():
    print("start")
    try:
        x = yield 1
        print("got", x)
        y = yield x * 2
        print("got", y)
    except ValueError as e:
        print("caught", e)
        yield "recovered"
    except GeneratorExit:
        print("exit")
        raise
    finally:
        print("finally")
    return "result"
a = g(); print(next(a), a.send(5))
try: a.send(6)
except StopIteration as e: print(e.value, e.args)
try: next(a)
except StopIteration as e: print(e.value)
b = g(); next(b); print(b.throw(ValueError("v"))); print(b.close(), b.close())
c = g(); next(c); c.close()
d = g(); d.close()
try: next(d)
except StopIteration: print("stopped")
e = g()
try: e.send(1)
except TypeError as x: print(x)
f = g()
try: f.throw(KeyError("early"))
except KeyError as x: print(repr(x))
print(list(f))
h = g(); next(h)
try: h.throw(TypeError, "text")
except TypeError as x: print(x)
def ignore():
    try: yield 1
    except GeneratorExit: yield 2
i = ignore(); next(i)
try: i.close()
except RuntimeError as x: print(x)
def self_run():
    yield next(me)
me = self_run()
try: next(me)
except ValueError as x: print(x)
for bad in [lambda: g().throw(1), lambda: g().throw(), lambda: g().send(), lambda: g().throw(ValueError("a"), "b"), lambda: g().close(1), lambda: len(g()), lambda: g()[0]]:
    try: print(bad())
    except Exception as x: print(type(x).__name__, x)
print(type(g()), g().__name__, g().__qualname__, g().gi_running, g().gi_yieldfrom, iter(a) is a)
j = g(); next(j)
j.throw(OSError("uncaught"))
# ---- yield from
def inner():
    try:
        x = yield 1
        print("inner got", x)
        yield 2
    except KeyError as e:
        print("inner caught", e)
        yield "k"
    finally: print("inner finally")
    return "inner result"
def outer():
    r = yield from inner()
    print("r", r)
    r = yield from [10, 20]
    print("r", r)
    r = yield from (i for i in "ab")
    return r
o = outer(); print(next(o), o.send("S"), list(o))
o = outer(); next(o); print(o.throw(KeyError("K"))); print(next(o)); print(o.gi_yieldfrom is not None); o.close()
o = outer(); next(o)
try: o.throw(ValueError("V"))
except ValueError as e: print("out", e)
class It:
    def __iter__(self): return self
    def __next__(self): return 5
    def send(self, v): print("send", v); raise StopIteration("sent")
    def throw(self, *a): print("throw", len(a)); return "thrown"
    def close(self): print("close")
def d(): 
    r = yield from It()
    print("got", r)
    yield "end"
x = d(); print(next(x), x.send(3)); x = d(); next(x); print(x.throw(ValueError("z"))); x.close()
def e():
    yield from [1, 2]
y = e(); next(y)
try: y.send(1)
except AttributeError as x: print(x)
y = e(); next(y)
try: y.throw(ValueError("into list"))
except ValueError as x: print(x)
def tree(t):
    if isinstance(t, list):
        for s in t: yield from tree(s)
    else: yield t
print(list(tree([1, [2, [3, [4]], 5]])))
def bad(): yield from 5
next(bad())
# ---- StopIteration inside a generator
def f():
    yield next(iter([]))
def g():
    yield 1
    raise StopIteration("x")
try: list(f())
except RuntimeError as e: print(e, repr(e.__cause__), e.__cause__ is e.__context__)
try: list(g())
except RuntimeError as e: print(e, repr(e.__cause__))
def h():
    try: yield next(iter([]))
    except StopIteration: return
print(list(h()))
print(list(next(iter([])) for _ in []))
x = g(); next(x)
try: x.throw(StopIteration("thrown"))
except RuntimeError as e: print(e)
list(f())
# ---- generator expressions
g = (x * 2 for x in range(3)); print(next(g), list(g), list(g), type(g).__name__)
print(sum(i for i in range(5)), dict((k, v) for k, v in [(1, 2)]), max((x for x in "abc"), default=0), " ".join(str(i) for i in range(3)), any(x > 1 for x in [0, 2]), tuple(i for i in "ab"))
try: (x for x in 5)
except TypeError as e: print(e)
fs = [lambda: i for i in range(3)]; print([f() for f in fs])
x = 5; g = (x for _ in range(2)); x = 6; print(list(g))
g = (i for i in undefined_later) if False else None
print([list(j for j in range(i)) for i in range(3)], list((a, b) for a in range(2) for b in range(a)))
def lazy():
    for n in range(3): print("make", n); yield n
for v in (n * 10 for n in lazy()): print(v)
list(1 / x for x in [1, 0])
# ---- exceptions and generators' context
def g():
    try: yield 1
    except ValueError:
        import sys
        print(sys.exc_info()[0])
        yield 2
        print(sys.exc_info()[0])
    yield 3
a = g(); next(a)
try: raise KeyError("outer")
except KeyError:
    print(a.throw(ValueError("v")))
    import sys; print(sys.exc_info()[0])
print(sys.exc_info()[0]); print(next(a))
def h():
    yield 1
    1 / 0
b = h(); next(b)
try:
    try: raise KeyError("k")
    except KeyError: next(b)
except ZeroDivisionError as e: print(repr(e.__context__))
def w():
    with open_("r") as r:
        yield r
class open_:
    def __init__(s, n): s.n = n
    def __enter__(s): print("enter"); return s.n
    def __exit__(s, *a): print("exit", a[0])
c = w(); print(next(c)); c.close()
def nested():
    def inner(): yield from h()
    yield from inner()
for x in nested(): print(x)
# ---- generators in use
from itertools import islice, count, chain
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
print(list(islice(fib(), 10)), next(x for x in fib() if x > 1000))
def avg():
    total = n = 0; value = None
    while True:
        x = yield value
        total += x; n += 1; value = total / n
a = avg(); next(a); print(a.send(10), a.send(20))
def primes():
    sieve = {}
    for n in count(2):
        if n not in sieve: yield n; sieve[n * n] = [n]
        else:
            for p in sieve[n]: sieve.setdefault(p + n, []).append(p)
            del sieve[n]
print(list(islice(primes(), 10)))
def perm(l):
    if len(l) <= 1: yield l
    else:
        for i in range(len(l)):
            for p in perm(l[:i] + l[i + 1:]): yield [l[i]] + p
print(list(perm([1, 2, 3])))
print(list(chain.from_iterable([x] * x for x in range(4))), *zip(*[(1, 2), (3, 4)]), sorted({x: y for x, y in enumerate("ab")}))
a, b, *c = (i for i in range(5)); print(a, b, c)
def lam(): return (yield)
l = lam(); next(l)
try: l.send("value")
except StopIteration as e: print(e.value)
f = lambda: (yield 5)
print(list(f()))
class C:
    def __iter__(self): yield from (1, 2)
    def __getitem__(self, i): return "never"
print(list(C()), 2 in C(), dict.fromkeys(C()))
next(iter([]))
