# Small programs on built-in functions, exceptions and what every object can do. Each begins at a line with four dashes and its name.

# ---- print: separators, ends, files
print()
print(1, "a", None, 2.0, [1], sep="|", end="!\n")
print(*range(3), sep="")
print("a", "b", sep=None, end=None)


class File:
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)

    def flush(self):
        self.parts.append("flushed")


f = File()
print("x", 1, sep="-", file=f, flush=True)
print(f.parts)
for bad in (lambda: print(sep=1), lambda: print(end=b""), lambda: print(1, color="red"), lambda: print(1, file=3)):
    try:
        bad()
    except Exception as error:
        print(type(error).__name__, error)

# ---- len
class Length:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


print(len(""), len([1]), len({1: 2}), len(Length(3)), bool(Length(0)))
for n in (-1, 1.5, "a", None):
    try:
        print(len(Length(n)))
    except Exception as error:
        print(type(error).__name__, error)
for bad in (lambda: len(5), lambda: len(), lambda: len([], []), lambda: len(obj=[])):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# ---- max and min
print(max(1, 5, 3), min("hello"), max([1, 2], key=lambda x: -x), min([], default="none"), max("b", "a", key=ord), max(3, 3.0), max(3.0, 3))
print(max([(1, "z"), (2, "a")]), min({"a": 3, "b": 1}), max(range(5)), min([[2], [1, 5]]))
for bad in (lambda: max(), lambda: max([]), lambda: max(5), lambda: max(1, "a"), lambda: min(1, 2, default=0), lambda: max(1, 2, foo=1), lambda: min([], key=len)):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)

# ---- sum
print(sum([1, 2, 3]), sum([1, 2], 10), sum([0.1] * 10), sum([[1], [2]], []), sum(x * x for x in range(4)), sum([]), sum([True, 2.5]), sum((1, 2), start=5))
print(sum([10**20, 1]), sum([1e100, 1.0, -1e100]), sum([1, 2.0, 3]), sum([2**53, 1.0, 1.0]))
for bad in (lambda: sum("ab", ""), lambda: sum(["a"]), lambda: sum(5), lambda: sum([[1]])):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# ---- all and any stop early
def noisy(values):
    for value in values:
        print("asked", value)
        yield value


print(all(noisy([1, 0, 2])), any(noisy([0, 3, 4])), all([]), any([]))

# ---- sorted and reversed
print(sorted([3, 1, 2]), sorted("cab", reverse=True), sorted({"b": 0, "a": 0}), sorted([1, -2, 3], key=abs), list(reversed([1, 2])), "".join(reversed("abc")), list(reversed(range(3))))
for bad in (lambda: sorted(5), lambda: sorted([1, "a"]), lambda: reversed({1}), lambda: reversed(5), lambda: sorted([1], key=5), lambda: sorted([1, 2], lambda x: x)):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# ---- enumerate, zip, map, filter
print(list(enumerate("ab")), list(enumerate("ab", 5)), list(enumerate("ab", start=-1)), list(zip([1, 2, 3], "ab")), list(zip()), list(zip([1])))
print(list(map(str, [1, 2])), list(map(lambda a, b: a + b, [1, 2], [10, 20, 30])), list(filter(None, [0, 1, "", "a"])), list(filter(lambda x: x > 1, range(4))))
print(list(zip(*[(1, "a"), (2, "b")])), dict(zip("ab", [1, 2])), list(map(max, [1, 5], [3, 2])))
it = zip([1, 2], [3, 4])
print(next(it), list(it), list(it), iter(it) is it)
for bad in (lambda: list(zip([1], [], strict=True)), lambda: list(zip([], [1], strict=True)), lambda: list(zip([1], [1], [1, 2], strict=True)), lambda: list(map(len, [5])), lambda: map(len), lambda: zip(5), lambda: filter(None), lambda: enumerate(5)):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)

# ---- iter and next
it = iter([1, 2])
print(next(it), next(it), next(it, "end"), next(it, None))
values = iter([3, 2, 1, 0, 5])
print(list(iter(lambda: next(values), 0)), next(values))
for bad in (lambda: next(it), lambda: next([]), lambda: iter(5), lambda: iter(5, 6), lambda: next()):
    try:
        print(bad())
    except BaseException as error:
        print(type(error).__name__, error)
gen = (i for i in range(2))
print(next(gen), list(gen), list(gen))

# ---- isinstance and issubclass
class A:
    pass


class B(A):
    pass


print(isinstance(B(), A), isinstance(A(), B), isinstance(1, (str, int)), isinstance(True, int), isinstance(1, ((str,), (int, float))), isinstance(A, type), isinstance(None, type(None)))
print(issubclass(B, A), issubclass(bool, (str, int)), issubclass(A, object), type(B()) is B, type(B) is type, isinstance(B(), object))
for bad in (lambda: isinstance(1, 1), lambda: issubclass(1, int), lambda: issubclass(int, 1), lambda: isinstance(1, (str, 5)), lambda: isinstance(1)):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# ---- isinstance: a metaclass decides
class Meta(type):
    def __instancecheck__(cls, instance):
        return instance == 42

    def __subclasscheck__(cls, subclass):
        return subclass is int


class Answer(metaclass=Meta):
    pass


print(isinstance(42, Answer), isinstance(41, Answer), issubclass(int, Answer), issubclass(str, Answer), isinstance(Answer(), Answer))

# ---- isinstance: an object claims a class
class Proxy:
    @property
    def __class__(self):
        return int


print(isinstance(Proxy(), int), type(Proxy()).__name__, isinstance(Proxy(), Proxy), isinstance(Proxy(), str))

# ---- getattr, setattr, delattr, hasattr
class Thing:
    kind = "thing"

    def __init__(self):
        self.x = 1

    @property
    def broken(self):
        raise AttributeError("inner")

    @property
    def fails(self):
        raise ValueError("other")


t = Thing()
setattr(t, "y", 2)
print(getattr(t, "x"), getattr(t, "y"), getattr(t, "z", "none"), hasattr(t, "x"), hasattr(t, "z"), hasattr(t, "broken"), getattr(t, "broken", 5), t.kind, vars(t))
delattr(t, "x")
for bad in (lambda: getattr(t, "x"), lambda: delattr(t, "x"), lambda: t.broken, lambda: hasattr(t, "fails"), lambda: getattr(t, 5), lambda: setattr(5, "a", 1), lambda: setattr([], "a", 1), lambda: delattr(t, "kind"), lambda: setattr(t, "broken", 1), lambda: Thing.nothing):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)

# ---- __getattr__ and friends
class Lazy:
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return f"made {name}"

    def __setattr__(self, name, value):
        print("set", name)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        print("del", name)
        object.__delattr__(self, name)


lazy = Lazy()
lazy.x = 1
print(lazy.x, lazy.y, hasattr(lazy, "z"), hasattr(lazy, "_z"), getattr(lazy, "_q", "default"), lazy.__dict__)
del lazy.x
print(lazy.x)
try:
    del lazy.x
except AttributeError as error:
    print(error)

# ---- __getattribute__
class Logged:
    def __init__(self):
        self.value = 3

    def __getattribute__(self, name):
        if name == "secret":
            raise AttributeError("no secret")
        return object.__getattribute__(self, name)


logged = Logged()
print(logged.value, hasattr(logged, "secret"), hasattr(logged, "other"), getattr(logged, "secret", None))

# ---- dir and vars
class A:
    a = 1

    def method(self):
        pass


class B(A):
    b = 2

    def __init__(self):
        self.own = 3


print([name for name in dir(B()) if not name.startswith("__")], [name for name in dir(B) if not name.startswith("__")], vars(B()))


class Custom:
    def __dir__(self):
        return ["b", "a"]


print(dir(Custom()), "append" in dir([]), "keys" in dir({}), sorted(k for k in vars(A) if not k.startswith("__")))
try:
    vars(5)
except TypeError as error:
    print(error)

# ---- callable
class Call:
    def __call__(self, x):
        return x + 1


print(callable(len), callable(Call), callable(Call()), callable(5), callable(lambda: 0), callable([].append), Call()(2), callable(None))
for bad in (lambda: (5)(), lambda: None(), lambda: "a"(1), lambda: object()()):
    try:
        bad()
    except TypeError as error:
        print(error)

# ---- hash and id
print(hash(1) == hash(1.0) == hash(True), hash(10**20), hash(-1), hash(0.5), hash("a") == hash("a"), hash((1, "a")) == hash((1, "a")), hash(2**61 - 1), hash(float("inf")))
a, b = [], []
print(id(a) == id(a), id(a) == id(b), id(None) == id(None), a is b, a is a)
for bad in ([], {}, set(), slice(1), [1], ([],)):
    try:
        print(hash(bad))
    except TypeError as error:
        print(error)

# ---- __hash__ and __eq__
class P:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, P) and self.x == other.x

    def __hash__(self):
        return hash(self.x)


class Q(P):
    def __eq__(self, other):
        return True


print(P(1) == P(1), len({P(1), P(1), P(2)}), {P(1): "a"}[P(1)], P(1) in {P(1)}, hash(P(3)) == hash(3))
try:
    hash(Q(1))
except TypeError as error:
    print(error)


class R:
    def __hash__(self):
        return "x"


try:
    hash(R())
except TypeError as error:
    print(error)

# ---- comparisons that know nothing
class X:
    pass


x, y = X(), X()
print(x == x, x == y, x != y, x == 5, x in [x], x in [y])
for sign in ("<", "<=", ">", ">="):
    try:
        eval(f"x {sign} y")
    except TypeError as error:
        print(error)
print(x.__eq__(y), x.__ne__(y), x.__lt__(y), object.__eq__(1, 2))

# ---- comparison is reflected
class Less:
    def __lt__(self, other):
        print("lt")
        return NotImplemented

    def __gt__(self, other):
        print("gt")
        return True

    def __eq__(self, other):
        print("eq")
        return NotImplemented


a, b = Less(), Less()
print(a < b, 5 < a, a == b, a != 5)


class Sub(Less):
    def __gt__(self, other):
        print("sub gt")
        return False


print(a < Sub())

# ---- repr, str, format
class A:
    def __repr__(self):
        return "A()"


class B(A):
    def __str__(self):
        return "b"

    def __format__(self, spec):
        return f"<{spec}>"


print(repr(A()), str(A()), f"{A()}", repr(B()), str(B()), f"{B()}", f"{B():x}", format(B(), "zz"), f"{B()!r:>6}", "%s %r" % (B(), B()))
print(format(3.14159, ".2f"), format(255, "x"), format("a", ">3"), format(True), format(None), format([1]))


class C:
    def __repr__(self):
        return 5

    def __str__(self):
        return None


for bad in (lambda: repr(C()), lambda: str(C()), lambda: format([1], "5"), lambda: format(A(), "x"), lambda: format(1, 2)):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# ---- bool and truth
class Yes:
    def __bool__(self):
        return True

    def __len__(self):
        return 0


class Wrong:
    def __bool__(self):
        return 1


print(bool(Yes()), bool(0), bool(""), bool(" "), bool([0]), bool({}), bool(0.0), bool(None), not 5, bool(object()), bool())
try:
    bool(Wrong())
except TypeError as error:
    print(error)
print([] or "empty", 0 and 1, "a" and "b", not [] == True)

# ---- numbers as texts
print(bin(10), bin(-10), oct(64), hex(255), hex(-1), chr(97), chr(0x1F600), ord("a"), ord("\U0001f600"), ascii("é\n😀"), bin(True), hex(2**70))
for bad in (lambda: chr(-1), lambda: chr(0x110000), lambda: ord("ab"), lambda: ord(5), lambda: bin(1.5), lambda: hex("a"), lambda: ord("")):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)

# ---- abs, divmod, pow, round
print(abs(-5), abs(-2.5), abs(True), divmod(7, 2), divmod(-7, 2), divmod(7.5, -2), pow(2, 10), pow(2, -2), pow(3, 4, 5), pow(3, -1, 7), round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234, -2), round(5), round(2.0, 0))
for bad in (lambda: abs("a"), lambda: divmod(1, 0), lambda: pow(2, -1, 4), lambda: round("a"), lambda: divmod("a", 1), lambda: pow("a", 2)):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)


class Money:
    def __abs__(self):
        return "abs"

    def __round__(self, n=None):
        return f"round {n}"

    def __divmod__(self, other):
        return "divmod"

    def __pow__(self, other, mod=None):
        return f"pow {other} {mod}"


m = Money()
print(abs(m), round(m), round(m, 2), divmod(m, 1), m**2, pow(m, 3, 5))

# ---- exceptions: args, str, repr
for error in (ValueError(), ValueError("a"), ValueError("a", 1), ValueError(None), ValueError([1]), KeyError("k"), KeyError(), KeyError(1, 2), KeyError((1, 2)), IndexError("i"), Exception(ValueError("inner")), RuntimeError("tab\t"), AssertionError()):
    print(repr(error), "|", str(error), "|", error.args)
try:
    raise ValueError
except ValueError as error:
    print(repr(error), error.args, type(error))

# ---- exceptions: classes of a program
class AppError(Exception):
    pass


class CodeError(AppError):
    def __init__(self, code, message="no message"):
        super().__init__(message)
        self.code = code
        self.message = message

    def __str__(self):
        return f"[{self.code}] {self.message}"


class Silent(CodeError):
    def __init__(self, x):
        self.x = x


for make in (lambda: AppError("a", "b"), lambda: CodeError(5), lambda: CodeError(6, message="six")):
    try:
        raise make()
    except AppError as error:
        print(type(error).__name__, error, repr(error), error.args, error.__dict__)
s = Silent(3)
print(s.args, repr(s), s.x, isinstance(s, AppError))
try:
    AppError(key=1)
except TypeError as error:
    print(error)

# ---- exceptions: names that JavaScript uses
class Named(Exception):
    def __init__(self, name, stack):
        super().__init__(name)
        self.name = name
        self.stack = stack


e = Named("n", [1])
print(e.name, e.stack, e.__dict__, e.args)
for name in ("message", "cause", "toString", "constructor", "lineNumber"):
    print(name, hasattr(e, name), hasattr(ValueError("x"), name))
e.message = "set"
e.cause = "c"
e.length = 3
print(e.message, e.cause, e.length, sorted(e.__dict__))
del e.message
print(hasattr(e, "message"), str(e))

# ---- exceptions: matching
class A(Exception):
    pass


class B(A):
    pass


for error in (A(), B(), ValueError(), KeyError("k"), ZeroDivisionError()):
    try:
        raise error
    except B:
        print("B")
    except A:
        print("A")
    except (ValueError, LookupError) as caught:
        print("tuple", type(caught).__name__)
    except Exception as caught:
        print("other", type(caught).__name__)
try:
    try:
        raise ValueError("v")
    except "text":
        pass
except TypeError as error:
    print(error)

# ---- exceptions: else, finally, and what is raised again
def f(x):
    try:
        print("try", x)
        if x == 1:
            raise ValueError("one")
        if x == 2:
            return "returned"
    except ValueError as error:
        print("except", error)
        return "handled"
    else:
        print("else")
    finally:
        print("finally")
    return "end"


print(f(0), f(1), f(2))


def g():
    try:
        raise KeyError("first")
    except KeyError:
        raise


try:
    g()
except KeyError as error:
    print("again", error)
try:
    error
except NameError as e:
    print(e)

# ---- exceptions: cause and context
def convert(text):
    try:
        return int(text)
    except ValueError as error:
        raise RuntimeError("cannot convert") from error


try:
    convert("x")
except RuntimeError as error:
    print(error, "|", error.__cause__, "|", error.__context__ is error.__cause__, error.__suppress_context__)
try:
    try:
        {}["k"]
    except KeyError:
        raise ValueError("second")
except ValueError as error:
    print(repr(error.__context__), error.__cause__, error.__suppress_context__)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise ValueError("hidden") from None
except ValueError as error:
    print(repr(error.__context__), error.__cause__, error.__suppress_context__)
error = ValueError("v")
error.__cause__ = KeyError("k")
print(error.__suppress_context__, repr(error.__cause__))
try:
    error.__cause__ = 5
except TypeError as wrong:
    print(wrong)
try:
    raise ValueError from 5
except TypeError as wrong:
    print(wrong)

# ---- exceptions: notes and tracebacks
error = ValueError("v")
print(hasattr(error, "__notes__"))
error.add_note("first")
error.add_note("second")
print(error.__notes__, error.with_traceback(None) is error, error.__traceback__)
for bad in (lambda: error.add_note(5), lambda: error.with_traceback(5)):
    try:
        bad()
    except TypeError as wrong:
        print(wrong)
try:
    raise error
except ValueError as caught:
    print(caught is error, caught.__traceback__ is not None)

# ---- exceptions: what may be raised
for bad in (5, "text", int, None, [ValueError]):
    try:
        raise bad
    except TypeError as error:
        print(error)


class Factory(Exception):
    def __new__(cls, *args):
        print("new", args)
        return super().__new__(cls, *args)


try:
    raise Factory
except Factory as error:
    print(error.args)
try:
    raise
except RuntimeError as error:
    print(error)

# ---- exceptions: attributes of single classes
print(StopIteration(5).value, StopIteration().value, SystemExit(3).code, SystemExit().code, SystemExit("a", 1).code)
print(AttributeError("m", name="n", obj=1).name, AttributeError("m").obj, NameError("m", name="x").name, ImportError("m", name="mod", path="p").path, ImportError("m").msg)
try:
    [].foo
except AttributeError as error:
    print(error, error.args)
try:
    undefined_name
except NameError as error:
    print(error, error.args)
for bad in (lambda: AttributeError("m", key=1), lambda: ValueError("m", key=1)):
    try:
        bad()
    except TypeError as error:
        print(error)

# ---- exceptions: OSError
for error in (OSError(), OSError("text"), OSError(2, "No such file or directory"), OSError(2, "No such file or directory", "a.txt"), OSError(13, "Permission denied", "b"), OSError(99, "odd"), FileNotFoundError(5, "own"), TimeoutError("late")):
    print(type(error).__name__, "|", error, "|", repr(error), "|", error.args, error.errno, error.strerror, error.filename)
print(IOError is OSError, EnvironmentError is OSError, issubclass(FileNotFoundError, OSError), issubclass(ConnectionResetError, ConnectionError))


class MyOSError(OSError):
    pass


print(repr(MyOSError(2, "x")), MyOSError(2, "x").errno, type(MyOSError(2, "x")).__name__)

# ---- exceptions: UnicodeError and SyntaxError
try:
    b"a\xff".decode("utf-8")
except UnicodeDecodeError as error:
    print(error, "|", error.encoding, error.object, error.start, error.end, error.reason)
try:
    "aé".encode("ascii")
except UnicodeEncodeError as error:
    print(error, "|", error.encoding, error.object, error.start, error.end, error.reason)
print(UnicodeDecodeError("utf-8", b"abc", 0, 2, "why"))
try:
    compile("x = = 1", "f.py", "exec")
except SyntaxError as error:
    print(error, "|", error.msg, error.filename, error.lineno, error.offset, error.text)
s = SyntaxError("bad", ("a/b.py", 3, 4, "line"))
print(s, "|", s.msg, s.filename, s.lineno, s.offset, s.text, s.args, SyntaxError("only").lineno)
print(issubclass(IndentationError, SyntaxError), issubclass(TabError, IndentationError), issubclass(UnicodeDecodeError, ValueError))

# ---- exceptions: the tree
for cls in (ZeroDivisionError, KeyError, FileNotFoundError, RecursionError, ModuleNotFoundError, UnboundLocalError, StopIteration, SystemExit, KeyboardInterrupt, DeprecationWarning, NotImplementedError, UnicodeDecodeError, TabError, BrokenPipeError):
    print([c.__name__ for c in cls.__mro__])
print(ValueError.__name__, ValueError.__module__, ValueError, type(ValueError), ValueError.__bases__)

# ---- exceptions: with two bases
class Missing(KeyError, AttributeError):
    pass


try:
    raise Missing("k")
except AttributeError as error:
    print(repr(error), str(error), isinstance(error, KeyError), [c.__name__ for c in Missing.__mro__])


class Mixin:
    extra = "mixed"

    def describe(self):
        return f"{type(self).__name__}: {self.args}"


class Mixed(Mixin, ValueError):
    pass


m = Mixed("a", 1)
print(m.describe(), m.extra, str(m), repr(m), m == Mixed("a", 1), {m: 1}[m])

# ---- exceptions: recursion
def deep(n):
    return deep(n + 1)


try:
    deep(0)
except RecursionError as error:
    print(type(error).__name__, str(error)[:32])
try:
    assert 1 == 2, "math"
except AssertionError as error:
    print(repr(error))
try:
    assert []
except AssertionError as error:
    print(repr(error), str(error) == "")

# ---- exceptions in a loop and in a generator
def gen():
    try:
        yield 1
        yield 2
    except ValueError as error:
        yield f"caught {error}"
    finally:
        print("closed")


g = gen()
print(next(g), g.throw(ValueError("x")))
print(list(g))
g = gen()
next(g)
g.close()


def stop():
    yield 1
    raise StopIteration("inside")


try:
    list(stop())
except RuntimeError as error:
    print(error, repr(error.__cause__))
for i in range(3):
    try:
        if i == 1:
            continue
        if i == 2:
            break
    finally:
        print("finally", i)

# ---- property, classmethod, staticmethod
class Circle:
    count = 0

    def __init__(self, r):
        self._r = r
        Circle.count += 1

    @property
    def r(self):
        """the radius"""
        return self._r

    @r.setter
    def r(self, value):
        if value < 0:
            raise ValueError("negative")
        self._r = value

    @r.deleter
    def r(self):
        print("deleted")

    @property
    def area(self):
        return 3 * self._r**2

    @classmethod
    def unit(cls):
        return cls(1)

    @staticmethod
    def name():
        return "circle"


c = Circle.unit()
c.r = 2
print(c.r, c.area, c.unit().r, Circle.name(), c.name(), Circle.count, Circle.r.__doc__)
del c.r
for bad in (lambda: setattr(c, "area", 1), lambda: setattr(c, "r", -1), lambda: delattr(c, "area"), lambda: property().__get__(c)):
    try:
        bad()
    except Exception as error:
        print(type(error).__name__, error)

# ---- descriptors of a program
class Typed:
    def __init__(self, kind):
        self.kind = kind

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.name, self.kind())

    def __set__(self, instance, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name[1:]} must be {self.kind.__name__}")
        setattr(instance, self.name, value)


class Person:
    age = Typed(int)
    name = Typed(str)


p = Person()
p.age = 3
print(p.age, repr(p.name), isinstance(Person.age, Typed), p.__dict__)
try:
    p.name = 5
except TypeError as error:
    print(error)

# ---- type with three arguments
Dynamic = type("Dynamic", (list,), {"greet": lambda self: f"hi {len(self)}", "kind": "made"})
d = Dynamic([1, 2])
print(d.greet(), d.kind, Dynamic.__name__, Dynamic.__bases__, d, type(d) is Dynamic)
for bad in (lambda: type("A", (dict, list), {}), lambda: type("A", (bool,), {}), lambda: type(5, (), {}), lambda: type("A", [], {}), lambda: type(1, 2)):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# ---- object
class A:
    pass


print(isinstance(object(), object), object() == object(), str(object())[:16], repr(A())[:19], A.__doc__, A.__module__, A.__qualname__)
for bad in (lambda: object(1), lambda: A(1), lambda: object().x, lambda: setattr(object(), "x", 1), lambda: A(x=1)):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)
a = A()
a.x = 1
print(a.__dict__, a.__class__, a.__class__.__class__, A.__mro__, A.__subclasses__(), A.__base__)

# ---- None, NotImplemented, Ellipsis
print(None, NotImplemented, ..., Ellipsis is ..., type(None), type(...), type(NotImplemented), None == False, bool(...), [None, ...], type(None)() is None)
for bad in (lambda: None.x, lambda: None + 1, lambda: None[0], lambda: None < None, lambda: len(None), lambda: type(None)(1), lambda: -None):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)

# ---- operators that are missing
class Empty:
    pass


e = Empty()
for text in ("e + 1", "1 - e", "e * e", "e / 2", "e // 2", "e % 2", "e ** 2", "e @ e", "e & 1", "e | 1", "e ^ 1", "e << 1", "e >> 1", "-e", "+e", "~e", "abs(e)", "e[0]", "e()", "len(e)", "iter(e)", "1 in e", "e < e", "int(e)", "float(e)", "round(e)", "divmod(e, 1)", "hash(e) and 1 + None", "'a' + 1", "1 + 'a'", "[] + ()", "{} | 1", "{1} + {2}"):
    try:
        print(eval(text))
    except TypeError as error:
        print(text, "->", error)

# ---- operators of a program
class N:
    def __init__(self, v):
        self.v = v

    def __add__(self, o):
        return f"add {self.v} {o}"

    def __radd__(self, o):
        return f"radd {self.v} {o}"

    def __mul__(self, o):
        return NotImplemented

    def __rmul__(self, o):
        return f"rmul {self.v} {o}"

    def __iadd__(self, o):
        self.v += o
        return self

    def __neg__(self):
        return "neg"

    def __contains__(self, x):
        return x == self.v

    def __matmul__(self, o):
        return "matmul"

    def __call__(self, *args, **kwargs):
        return args, kwargs


n = N(3)
print(n + 1, 1 + n, [1] + [2], 2 * n, -n, 3 in n, n @ 1, n(1, a=2), [5] * 2)
n += 4
print(n.v, "a" * 3, [1] * True, sum([N(1)], 5))
try:
    n * 2
except TypeError as error:
    print(error)
print([1] + [2] == [1, 2], [1].__add__([2]), (1).__add__(2), "a".__mul__(2), (5).__radd__(3))

# ---- functions as values
def f(a, b=2, *args, c, d=4, **kw):
    "doc of f"
    return a, b, args, c, d, kw


print(f(1, c=3), f(1, 5, 6, 7, c=8, e=9), f.__name__, f.__doc__, f.__defaults__, f.__kwdefaults__)
for bad in (lambda: f(), lambda: f(1), lambda: f(1, c=2, a=3), lambda: (lambda x: x)(), lambda: (lambda x: x)(1, 2), lambda: (lambda: 0)(k=1), lambda: len(1, 2), lambda: [].append(x=1), lambda: print(1, foo=2)):
    try:
        print(bad())
    except TypeError as error:
        print(error)
f.attribute = 5
print(f.attribute, f.__dict__, [g(3) for g in (abs, str, lambda x: x + 1, [1, 2].count)])

# ---- methods of classes called directly
print(list.append([1], 2), str.upper("a"), dict.get({"a": 1}, "a"), int.__add__(1, 2), list.__len__([1, 2]), object.__repr__(5)[:11], set.union({1}, {2}) == {1, 2})
append = [1].append
append(2)
print(append.__name__, append.__self__, list.append.__name__, len.__name__)
for bad in (lambda: list.append(), lambda: list.append(5, 1), lambda: dict.get(5), lambda: str.upper(5), lambda: list.__len__(5)):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# ---- constructors
print(list(), list("ab"), tuple(), dict(), set(), frozenset(), str(), int(), float(), bool(), bytes(), complex(), object is object)
print(list(range(3)), tuple([1]), set([1]), list({"a": 1}), str(1.0), int("12"), int(3.9), float("1e3"), int("ff", 16), bool("False"))
for bad in (lambda: list(1, 2), lambda: list(x=1), lambda: tuple(1), lambda: dict(1, 2), lambda: set(1, 2), lambda: frozenset(5), lambda: range(), lambda: slice(), lambda: enumerate(), lambda: filter(1), lambda: bool(1, 2), lambda: zip(a=1), lambda: reversed(), lambda: property(1, 2, 3, 4, 5), lambda: staticmethod()):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# ---- context managers
class Manager:
    def __init__(self, swallow):
        self.swallow = swallow

    def __enter__(self):
        print("enter")
        return "value"

    def __exit__(self, kind, error, traceback):
        print("exit", kind.__name__ if kind else None, error)
        return self.swallow


with Manager(False) as value:
    print(value)
with Manager(True):
    raise ValueError("swallowed")
try:
    with Manager(False), Manager(False):
        raise KeyError("k")
except KeyError as error:
    print("outside", error)
try:
    with 5:
        pass
except TypeError as error:
    print(error)

# ---- super and the order of bases
class Base:
    def hello(self):
        return ["Base"]


class Left(Base):
    def hello(self):
        return ["Left"] + super().hello()


class Right(Base):
    def hello(self):
        return ["Right"] + super().hello()


class Both(Left, Right):
    def hello(self):
        return ["Both"] + super().hello()


print(Both().hello(), [c.__name__ for c in Both.__mro__], super(Left, Both()).hello())
try:
    type("Bad", (Base, Left), {})
except TypeError as error:
    print(error)


class Init:
    def __init_subclass__(cls, tag="none", **kw):
        super().__init_subclass__(**kw)
        cls.tag = tag


class Tagged(Init, tag="yes"):
    pass


print(Tagged.tag, type("T", (Init,), {}).tag)
try:

    class Wrong(Init, other=1):
        pass

except TypeError as error:
    print(error)

# ---- classes hold one list
class Shared:
    items = []
    count = 0

    def add(self, x):
        self.items.append(x)
        self.count += 1


a, b = Shared(), Shared()
a.add(1)
b.add(2)
print(a.items, b.items, Shared.items, a.count, Shared.count, a.__dict__)

# ---- SimpleNamespace
from types import SimpleNamespace

n = SimpleNamespace(x=1, y=[2])
n.z = 3
print(n, n.x, n == SimpleNamespace(x=1, y=[2], z=3), n != 5, vars(n), n.__dict__["y"])
del n.x
n.self = n
print(n, hasattr(n, "x"))
try:
    n.x
except AttributeError as error:
    print(error)

# ---- mappingproxy
from types import MappingProxyType

d = {"a": 1}
m = MappingProxyType(d)
d["b"] = 2
print(m, m["a"], len(m), list(m), "b" in m, m.get("z", 0), dict(m), m == d, m | {"c": 3}, list(m.items()))
try:
    m["c"] = 3
except TypeError as error:
    print(error)
try:
    del m["a"]
except TypeError as error:
    print(error)
try:
    MappingProxyType([1])
except TypeError as error:
    print(error)

# ---- input is not asked when nothing reads
try:
    print(input("name? "))
except EOFError as error:
    print()
    print(repr(error))

# ---- iterators know how much is left
print(iter([1, 2, 3]).__length_hint__(), iter(range(5)).__length_hint__(), iter({1: 2}).__length_hint__(), reversed([1]).__length_hint__())
for value in (iter([]), iter(()), iter({}), iter(set()), iter({}.items()), iter({}.values()), iter(range(1)), reversed([]), reversed({}), zip(), map(len, []), filter(None, []), enumerate([])):
    print(type(value).__name__, end=" ")
print()

# ---- an iterator that is finished stays finished
values = [1, 2]
it = iter(values)
print(list(it))
values.append(3)
print(list(it), next(it, "end"))
d = {1: 2}
it = iter(d.items())
print(next(it), next(it, "end"), next(it, "end"))
gen = (x for x in [1])
print(list(gen), list(gen))

# ---- min and max keep the first of equals
class Tagged:
    def __init__(self, value, tag):
        self.value, self.tag = value, tag

    def __lt__(self, other):
        return self.value < other.value

    def __gt__(self, other):
        return self.value > other.value


items = [Tagged(1, "a"), Tagged(2, "b"), Tagged(1, "c"), Tagged(2, "d")]
print(min(items).tag, max(items).tag, [item.tag for item in sorted(items)], [item.tag for item in sorted(items, reverse=True)])
print(max("apple", "fig", key=len), min([3, -1, 2], key=abs), max({"a": 5, "b": 9}.items(), key=lambda kv: kv[1]))

# ---- a class that counts its comparisons in a sort
class Counted:
    calls = 0

    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        Counted.calls += 1
        return self.n < other.n


values = sorted([Counted(n) for n in (5, 3, 8, 1)])
print([value.n for value in values], Counted.calls > 0)


class Fails:
    def __lt__(self, other):
        raise ValueError("no order")


try:
    sorted([Fails(), Fails()])
except ValueError as error:
    print(error)

# ---- truth of results of comparison
class Answer:
    def __init__(self, truth):
        self.truth = truth

    def __bool__(self):
        print("asked", self.truth)
        return self.truth


class Odd:
    def __eq__(self, other):
        return Answer(other == 3)

    __hash__ = None


print(type(Odd() == 3).__name__, Odd() in [1, 2], 3 in [Odd()], [Odd()] == [3], [1, Odd()].count(3))

# ---- attributes of built-in values cannot be set
for target in (5, "a", [], {}, (), set(), None, len, range(3), object(), 1.5, iter([])):
    try:
        target.attribute = 1
    except AttributeError as error:
        print(error)
for name in ("append", "__len__"):
    try:
        setattr([], name, 1)
    except AttributeError as error:
        print(error)
try:
    list.extra = 1
except TypeError as error:
    print(error)

# ---- type and class
class A:
    pass


class B(A):
    pass


b = B()
b.__class__ = A
print(type(b).__name__, isinstance(b, B), A.__subclasses__(), B.__bases__, type(A), type(type(b)))
A.added = lambda self: "added"
print(b.added(), B().added(), hasattr(A, "added"))
del A.added
print(hasattr(b, "added"))
for bad in (lambda: setattr(b, "__class__", 5), lambda: setattr(5, "__class__", A)):
    try:
        bad()
    except TypeError as error:
        print(error)

# ---- star arguments of built-in functions
print(max(*[1, 5, 2]), print(*[], sep="x"), list(map(*[str, [1, 2]])), dict(*[[("a", 1)]], **{"b": 2}), sorted(*[[2, 1]], **{"reverse": True}), range(*(1, 10, 4)), "{}-{}".format(*"ab"))
try:
    len(*[[1], [2]])
except TypeError as error:
    print(error)
try:
    sorted([1], **{"revers": True})
except TypeError as error:
    print(error)

# ---- a dict of functions, sorted words, running totals
operations = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
print({sign: f(6, 3) for sign, f in operations.items()}, operations.get("/", lambda a, b: None)(1, 2))
total, totals = 0, []
for n in range(1, 6):
    total += n
    totals.append(total)
print(totals, [a - b for a, b in zip(totals[1:], totals)], sorted("the quick brown fox".split(), key=lambda w: (len(w), w)))
print([*zip(*[iter(range(6))] * 2)], list(zip(range(3), "abc", [True, False, None])), any(n > 3 for n in totals), all(map(str.isalpha, ["a", "b"])))
