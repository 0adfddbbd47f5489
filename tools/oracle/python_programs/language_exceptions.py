# tracebacks are recorded, too
# ---- finally with return, break, continue
def a():
    try: return "try"
    finally: print("finally a")
def b():
    try: return "try"
    finally: return "finally"
def c():
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: break
            print("body", i)
        finally: print("fin", i)
    return i
def d():
    for i in range(2):
        try: 1 / 0
        finally: continue
    return "swallowed"
def e():
    while True:
        try: 1 / 0
        finally: break
    return "broke"
def f():
    try:
        try: raise ValueError(1)
        finally: print("inner")
    except ValueError as x: return x.args
    else: return "else"
    finally: print("outer")
def g():
    x = 1
    try: return x
    finally: x = 2
def h(n):
    try:
        try:
            if n: raise KeyError("k")
        except KeyError: return "except"
        else: return "else"
        finally: print("f1")
    finally: print("f2")
print(a(), b(), c(), d(), e(), f(), g(), h(0), h(1))
# ---- chained with from
def parse(s):
    try:
        return int(s)
    except ValueError as e:
        raise RuntimeError("cannot parse " + s) from e
parse("zz")
# ---- chained in handling
def f():
    try:
        {}["missing"]
    except KeyError:
        return [1][5]
f()
# ---- suppressed context
try:
    1 / 0
except ZeroDivisionError:
    raise LookupError("only this") from None
# ---- all three forms
def f():
    try:
        try:
            try: 1 / 0
            except ZeroDivisionError as e: raise KeyError("k") from e
        except KeyError: raise ValueError("v")
    except ValueError: raise TypeError("t") from None
try: f()
except TypeError as e: raise OSError(2, "No such file") from e.__context__
# ---- context and cause attributes
try:
    try: raise A
    except NameError as e1: raise ValueError("x") from KeyError
except ValueError as e:
    print(repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
    e.__cause__ = None
    print(e.__cause__, e.__suppress_context__)
for bad in [lambda: setattr(ValueError(), "__cause__", 1), lambda: setattr(ValueError(), "__context__", 1), lambda: setattr(ValueError(), "__traceback__", 1), lambda: setattr(ValueError(), "args", 1), lambda: delattr(ValueError(), "args"), lambda: delattr(ValueError(), "__cause__")]:
    try: bad()
    except Exception as e: print(type(e).__name__, e)
def r(x, c=...):
    try:
        if c is ...: raise x
        raise x from c
    except BaseException as e: print(type(e).__name__, e, repr(e.__cause__))
r(1); r("s"); r(int); r(ValueError, 1); r(ValueError, int); r(ValueError("a"), KeyError("b")); r(None); r(ValueError, None)
class E(Exception):
    def __init__(self, need): pass
r(E)
class N(Exception):
    def __new__(cls): return 5
r(N)
# ---- bare raise
def f():
    raise
try: f()
except RuntimeError as e: print(e)
def g():
    try: 1 / 0
    except ZeroDivisionError: f()
try: g()
except ZeroDivisionError as e: print("reraised", e)
try:
    try: raise ValueError("a")
    except ValueError:
        try: raise KeyError("b")
        except KeyError: pass
        raise
except ValueError as e: print(repr(e), e.__context__)
def h():
    try:
        g()
    except ZeroDivisionError as e:
        print("h")
        raise
h()
# ---- exception variable is deleted
e = 1
try: 1 / 0
except ZeroDivisionError as e: pass
try: e
except NameError as x: print(x)
def f():
    try: raise ValueError
    except ValueError as e: del e
    try: return e
    except UnboundLocalError as x: return str(x)
print(f())
for i in range(2):
    try: raise KeyError(i)
    except (ValueError, KeyError) as err: print(repr(err))
print("err" in globals())
import sys
print(sys.exc_info())
try: raise ValueError
except ValueError:
    print(sys.exc_info()[0], type(sys.exc_info()[2]).__name__)
    try: raise KeyError
    except KeyError: print(sys.exc_info()[0])
    print(sys.exc_info()[0])
print(sys.exc_info()[0])
# ---- except clauses that are wrong
for x in [1, "s", (ValueError, 1), (), [ValueError], int, (int,)]:
    try:
        try: raise ValueError("v")
        except x: print("caught", x)
    except Exception as e: print(type(e).__name__, e, repr(e.__context__))
try: raise ValueError("nested tuple")
except (KeyError, (ValueError,)) as e: print(e)
# ---- custom classes
class AppError(Exception):
    def __init__(self, code, *, detail=None):
        super().__init__(f"error {code}")
        self.code = code
        self.detail = detail
class Sub(AppError, KeyError):
    def __str__(self): return f"<{self.code} {self.detail}>"
try: raise Sub(3, detail="d")
except LookupError as e: print(str(e), repr(e), e.args, isinstance(e, KeyError), Sub.__mro__)
class Plain(Exception): pass
print(repr(Plain()), repr(Plain(1)), repr(Plain(1, "b")), str(Plain()), str(Plain(1)), str(Plain(1, 2)), Plain(1).args)
class K(KeyError): pass
print(str(K("x")), str(K("x", "y")), str(K()), str(KeyError(1)))
e = ValueError("a"); e.extra = 5; print(e.__dict__, e == ValueError("a"))
print(BaseException.__subclasses__()[:0], Exception.__bases__, OSError is IOError, issubclass(FileNotFoundError, OSError))
o = OSError(2, "No such", "file.txt"); print(o, repr(o), o.errno, o.strerror, o.filename, type(o).__name__)
s = StopIteration(5); print(s.value, StopIteration().value)
u = SystemExit(3); print(u.code)
raise Sub(7)
# ---- exception whose text fails
class Bad(Exception):
    def __str__(self): raise ValueError("no text")
raise Bad()
# ---- class in a function and in a class
class Outer:
    class Inner(Exception): pass
def f():
    class Local(Outer.Inner): pass
    raise Local("msg", 2)
f()
# ---- notes
def f():
    e = ValueError("base")
    e.add_note("note one")
    e.add_note("two\nlines")
    print(e.__notes__)
    try: e.add_note(1)
    except TypeError as x: print(x)
    raise e
f()
# ---- empty message
raise KeyError
# ---- multi line message
raise ValueError("a\nb\n  c")
# ---- recursion repeated
def f(n):
    if n == 0:
        raise ValueError("deep")
    return f(n - 1)
f(10)
# ---- mutual recursion
def a(n): return b(n - 1)
def b(n):
    if n < 0: 1 / 0
    return a(n - 1)
a(12)
# ---- recursion limit is caught
def f(n):
    return f(n + 1) + 1
try: f(0)
except RecursionError as e: print(e)
def depth():
    n = 0
    def g():
        nonlocal n
        n += 1
        g()
    try: g()
    except RecursionError: return n
d1 = depth(); d2 = depth()
print(d1 == d2, 990 <= d1 <= 1000)
class A:
    def __repr__(self): return repr(self)
    def __getattr__(self, n): return getattr(self, n)
    def __eq__(self, o): return self == o
for t in ["repr(A())", "A().x", "A() == 1"]:
    try: eval(t)
    except RecursionError as e: print(t, type(e).__name__)
import sys
sys.setrecursionlimit(200); print(sys.getrecursionlimit())
try: f(0)
except RecursionError as e: print("again", e)
sys.setrecursionlimit(5000)
def k(n): return 0 if n == 0 else 1 + k(n - 1)
print(k(4000))
# ---- recursion error traceback
def f(n):
    return f(n + 1)
f(0)
# ---- raise in finally
def f():
    try:
        raise ValueError("first")
    finally:
        raise KeyError("second")
f()
# ---- raise in else and with
class M:
    def __enter__(self): print("enter"); return self
    def __exit__(self, t, v, tb):
        print("exit", t and t.__name__, v, tb is not None)
        return t is KeyError
with M() as m, M() as n: print("body", m is n)
with M(): raise KeyError("swallowed")
def f():
    with M(): return "ret"
print(f())
for i in range(2):
    with M():
        if i == 0: continue
        break
try:
    with M(): raise ValueError("out")
except ValueError as e: print(e)
class Bad: pass
for c in [Bad, type("E", (), {"__enter__": lambda s: 1}), type("X", (), {"__exit__": lambda s, *a: 1})]:
    try:
        with c(): pass
    except Exception as e: print(type(e).__name__, e)
class R:
    def __enter__(self): return 1
    def __exit__(self, *a): raise TypeError("in exit")
with R() as r:
    raise ValueError("in body")
# ---- contextlib
import contextlib
@contextlib.contextmanager
def tag(name):
    print("<", name)
    try: yield name.upper()
    except ValueError as e: print("caught", e)
    finally: print(">", name)
with tag("a") as t: print(t)
with tag("b"): raise ValueError("x")
with contextlib.suppress(KeyError): {}[1]
with contextlib.ExitStack() as st:
    st.enter_context(tag("c")); st.callback(print, "cb")
@tag("d")
def f(): print("in f")
f(); f()
@contextlib.contextmanager
def never():
    if False: yield
try:
    with never(): pass
except RuntimeError as e: print(e)
class T(contextlib.ContextDecorator):
    def __enter__(self): print("T"); return self
    def __exit__(self, *a): print("/T")
@T()
def g(): return 3
print(g())
with contextlib.closing(type("C", (), {"close": lambda s: print("closed")})()): pass
with tag("e"): raise KeyError("through")
# ---- traceback module
import traceback
def f(): return [][1]
try: f()
except IndexError as e:
    print(traceback.format_exc())
    print("".join(traceback.format_exception(e)) == traceback.format_exc(), traceback.format_exception_only(type(e), e))
    tb = e.__traceback__
    while tb: print(tb.tb_lineno, tb.tb_frame.f_code.co_name, tb.tb_frame.f_lineno); tb = tb.tb_next
    print(e.with_traceback(None) is e, e.__traceback__)
# ---- system exit in the middle
def f():
    try: raise SystemExit("bye")
    except SystemExit as e: print(repr(e), e.code)
    try: exit_code = 1 / 1
    except Exception: pass
    else: print("else")
f()
# ---- assertion with a message over lines
def check(x):
    assert (
        x > 3
    ), "x is " \
       "small"
check(1)
# ---- assertion without a message
assert 1 > 2
