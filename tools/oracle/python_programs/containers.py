# Small programs on containers. Each begins at a line with four dashes and its name; none needs another.

# ---- list: what the methods change and what they return
values = [3, 1, 2]
print(values.append(4), values)
print(values.extend(range(2)), values)
print(values.insert(1, "x"), values, values.insert(-1, "y"), values, values.insert(100, "z"), values)
print(values.pop(), values.pop(0), values.pop(-2), values)
print(values.remove("x"), values)
print(values.index(2), values.count(0), values.reverse(), values)
print(values.copy() is values, values.copy() == values)
print(values.clear(), values)

# ---- list: errors of the methods
for action in (lambda v: v.pop(7), lambda v: v.remove(9), lambda v: v.index(9), lambda v: v.insert("a", 1), lambda v: v.append(), lambda v: v.append(1, 2), lambda v: v.extend(3), lambda v: v.sort(3), lambda v: v.sort(cmp=3), lambda v: v[9], lambda v: v["a"], lambda v: v[1.0], lambda v: v + 1, lambda v: v * "a", lambda v: v < 3):
    try:
        print(action([1, 2, 3]))
    except Exception as error:
        print(type(error).__name__, error)

# ---- list: slices are assigned
values = list(range(10))
values[2:4] = ["a", "b", "c"]
print(values)
values[::3] = "wxyz"
print(values)
values[5:5] = [None] * 2
print(values)
values[-3:] = []
print(values)
values[:] = values[::-1]
print(values)
try:
    values[::2] = [1]
except ValueError as error:
    print(error)
try:
    values[1:2] = 5
except TypeError as error:
    print(error)
try:
    values[::2] = 5
except TypeError as error:
    print(error)

# ---- list: slices are deleted
values = list(range(12))
del values[3]
del values[-1]
print(values)
del values[::3]
print(values)
del values[4:1:-1]
print(values)
del values[10:]
print(values)
del values[:]
print(values)
try:
    del values[0]
except IndexError as error:
    print(error)

# ---- list: a sort keeps the order of equal elements
rows = [("b", 2), ("a", 2), ("c", 1), ("a", 1)]
print(sorted(rows, key=lambda row: row[1]))
print(sorted(rows, key=lambda row: row[1], reverse=True))
rows.sort(key=lambda row: row[0])
print(rows)
rows.sort(reverse=True)
print(rows)
print(sorted("banana"), sorted({"b": 1, "a": 2}), sorted([3, 1.5, True, -2]))
try:
    sorted([1, "a", None])
except TypeError as error:
    print(error)

# ---- list: a sort asks only for less than
class Card:
    def __init__(self, rank):
        self.rank = rank

    def __lt__(self, other):
        return self.rank < other.rank

    def __repr__(self):
        return f"Card({self.rank})"


print(sorted([Card(3), Card(1), Card(2)]))
print(min(Card(3), Card(1)))
try:
    print(max(Card(3), Card(5)))
except TypeError as error:
    print(error)

# ---- list: comparison goes element by element
print([1, 2] < [1, 3], [1, 2] < [1], [] < [0], [2] > [1, 5], [1, 2] == [1.0, 2.0], [1] != [2], [1] == (1,))
print([[1, 2], [3]] < [[1, 2], [4]], (1, "a") <= (1, "b"), [None] == [None])
try:
    print([1, "a"] < [1, 2])
except TypeError as error:
    print(error)
nan = float("nan")
print([nan] == [nan], nan in [nan], nan == nan)

# ---- list: one that holds itself
values = [1]
values.append(values)
print(values)
values[1] = [values, {"self": values}]
print(values)
d = {}
d["d"] = d
print(d)
t = ([],)
t[0].append(t)
print(t)

# ---- list: a loop sees what it appends
values = [1, 2, 3]
for value in values:
    if len(values) < 8:
        values.append(value * 10)
print(values)
values = [1, 2, 3, 4]
for value in values:
    if value % 2 == 0:
        values.remove(value)
print(values)
it = iter([1])
print(list(it), list(it), next(it, "empty"))

# ---- list: in place operators keep the object
a = b = [1]
a += [2]
a *= 2
print(b, a is b)
a = a + [5]
print(b, a is b)
a = b
a += "xy"
print(b)
t = ([],)
try:
    t[0] += [1]
except TypeError as error:
    print(error, t)

# ---- list: the same list three times
grid = [[0] * 2] * 3
grid[0][0] = 1
print(grid)
grid = [[0] * 2 for _ in range(3)]
grid[0][0] = 1
print(grid, [1, 2] * 0, [1] * -3, 2 * [3])

# ---- list: a subclass
class Stack(list):
    def push(self, value):
        self.append(value)
        return self

    def peek(self):
        return self[-1]

    def __repr__(self):
        return f"Stack({list.__repr__(self)})"


stack = Stack([1, 2])
print(stack.push(3).peek(), stack, len(stack), stack == [1, 2, 3], isinstance(stack, list))
print(type(stack[:2]), type(stack + [4]), type(stack * 2), type(stack.copy()))
stack.length = 5
stack.name = "s"
print(stack, stack.length, stack.__dict__, list(reversed(stack)))

# ---- list: a subclass that counts
class Counted(list):
    def __init__(self, *values):
        super().__init__(values)
        self.reads = 0

    def __getitem__(self, index):
        self.reads += 1
        return super().__getitem__(index)

    def __contains__(self, value):
        return value == "always" or super().__contains__(value)


c = Counted(1, 2, 3)
print(c[0], c[1:], c.reads, "always" in c, 3 in c, 7 in c, [x for x in c], c.reads)

# ---- list: indices that are objects
class Two:
    def __index__(self):
        return 2


values = list("abcdef")
print(values[Two()], values[Two() :], values[: -Two().__index__()], values[True], [0] * Two())
values[Two()] = "X"
del values[Two()]
print(values, range(Two()), values.pop(Two()))

# ---- list: slices beyond the ends
values = [0, 1, 2, 3, 4]
for s in (slice(-100, 100), slice(3, 1), slice(None, None, -2), slice(10, None, -1), slice(-2, None), slice(1, -1), slice(4, -10, -3), slice(0, 10**30, 10**20)):
    print(s, values[s], tuple(values)[s], "abcde"[s], range(5)[s], s.indices(5))
try:
    values[::0]
except ValueError as error:
    print(error)

# ---- tuple: construction and repr
print((), (1,), (1, 2), tuple("ab"), tuple(x * x for x in range(3)), tuple({"k": 1}))
t = 1, "a", None
a, b, c = t
print(t, a, b, c, t + (2,), t * 2, t[1], t[::-1], len(t), t.index("a"), t.count(None))
same = tuple(t)
print(same is t, hash((1, 2)) == hash((1.0, 2.0)), {(1, 2): "x"}[(1, 2.0)])
try:
    t[0] = 1
except TypeError as error:
    print(error)
try:
    del t[0]
except TypeError as error:
    print(error)
try:
    hash(([],))
except TypeError as error:
    print(error)

# ---- tuple: a subclass with names
class Point(tuple):
    def __new__(cls, x, y):
        return super().__new__(cls, (x, y))

    @property
    def x(self):
        return self[0]

    @property
    def y(self):
        return self[1]

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


p = Point(1, 2) + Point(3, 4)
print(p, p.x, p.y, type(p).__name__, p == (4, 6), isinstance(p, tuple), type(p[:1]))
x, y = p
print(x, y, {p: 1}[(4, 6)], sorted([Point(2, 1), Point(1, 5)]))

# ---- unpacking
a, *b = [1, 2, 3]
*c, d = "xyz"
e, *f, g = range(5)
(h, [i, j]), k = (1, [2, 3]), 4
print(a, b, c, d, e, f, g, h, i, j, k)
first, *rest = {"one": 1}
print(first, rest)
for text in ("a, b = 1, 2, 3", "a, b = [1]", "a, *b, c = [1]", "a, b = 5", "a, = ()", "a, b = 'x'"):
    try:
        exec(text)
    except Exception as error:
        print(type(error).__name__, error)

# ---- unpacking in calls and displays
def show(*args, **kwargs):
    return args, kwargs


print(show(*[1, 2], *"ab", **{"x": 1}, **dict(y=2)))
print([*range(3), *(4, 5)], (*"ab",), {**{"a": 1}, "a": 2, **{"b": 3}}, sorted({*[1, 2], *[2, 3]}))
try:
    show(**{"x": 1}, **{"x": 2})
except TypeError as error:
    print(error)
try:
    show(*5)
except TypeError as error:
    print(error)

# ---- dict: construction
print({}, dict(), dict(a=1, b=2), dict([("a", 1), ["b", 2]]), dict({"a": 1}, b=2), dict(zip("ab", range(2))))
print({1: "int", 1.0: "float", True: "bool"}, {0: "a", False: "b"})
print(dict.fromkeys("abc"), dict.fromkeys([1, 2], 0), {k: v for k, v in zip("xy", [1, 2])})
for bad in (lambda: dict(1), lambda: dict([1]), lambda: dict([(1, 2, 3)]), lambda: dict(["abc"]), lambda: dict({}, {}), lambda: {[]: 1}, lambda: {{}: 1}):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)

# ---- dict: methods
d = {"a": 1, "b": 2}
print(d.get("a"), d.get("z"), d.get("z", 0), d.setdefault("c", 3), d.setdefault("a", 9), d)
print(d.pop("a"), d.pop("zz", None), d.popitem(), d)
d.update({"x": 1}, y=2)
d.update([("z", 3)])
print(d, len(d), "x" in d, "q" not in d, list(d))
print(d.copy() == d, d.copy() is d)
d.clear()
print(d)
for bad in (lambda: d["a"], lambda: d.pop("a"), lambda: d.popitem(), lambda: d.update(5), lambda: d.get(), lambda: d.__delitem__("q")):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error, error.args)

# ---- dict: keys keep the place of their first setting
d = {"b": 1, "a": 2}
d["b"] = 3
d["c"] = 4
del d["b"]
d["b"] = 5
print(d, list(d.values()), list(reversed(d)), list(reversed(d.items())))
d = {1: "a", 2: "b"}
d[1.0] = "c"
d[True] = "d"
print(d, d[1], max(d), min(d, key=d.get))

# ---- dict: views follow the dict
d = {"a": 1, "b": 2}
keys, values, items = d.keys(), d.values(), d.items()
d["c"] = 3
print(keys, values, items, len(keys))
print("a" in keys, 3 in values, ("a", 1) in items, ("a", 2) in items)
print(sorted(keys & {"a", "z"}), sorted(keys | {"z"}), sorted(keys - {"a"}), sorted(keys ^ {"a", "z"}))
print(sorted(items & {("a", 1)}), keys == {"a", "b", "c"}, keys >= {"a"}, keys.isdisjoint("xyz"))
print(d.keys() == dict(d).keys(), d.items() == dict(d).items(), d.values() == d.values())
try:
    keys[0]
except TypeError as error:
    print(error)

# ---- dict: must not change size in a loop
d = {"a": 1, "b": 2}
try:
    for key in d:
        d[key + "x"] = 1
except RuntimeError as error:
    print(error)
try:
    for key in list(d):
        if key == "a":
            del d[key]
    for key, value in d.items():
        d.pop(key)
except RuntimeError as error:
    print(error)
d = {1: 1, 2: 2}
for key in d:
    d[key] += 10
print(d)

# ---- dict: union
a, b = {"x": 1, "y": 2}, {"y": 3, "z": 4}
print(a | b, b | a, a)
a |= b
print(a)
a |= [("w", 0)]
print(a)
try:
    a | [("w", 0)]
except TypeError as error:
    print(error)

# ---- dict: __missing__
class Default(dict):
    def __missing__(self, key):
        value = self[key] = len(self)
        return value


d = Default(a=10)
print(d["a"], d["b"], d["c"], d["b"], d, d.get("zz"), "zz" in d, type(d.copy()))


class Zero(dict):
    def __missing__(self, key):
        return 0


z = Zero()
z["a"] += 5
print(z, z["nothing"], Zero.fromkeys("ab", 1), type(Zero.fromkeys("ab")))

# ---- dict: a subclass with attributes named as its memory
class Table(dict):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.index = "index"
        self.size = "size"

    def __setitem__(self, key, value):
        super().__setitem__(key.upper(), value)


t = Table(a=1)
t["b"] = 2
print(t, t.index, t.size, t.__dict__, (1, 2) in t, {**t})

# ---- dict: keys with their own equality
class Key:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return isinstance(other, Key) and self.n % 3 == other.n % 3

    def __hash__(self):
        return self.n % 3

    def __repr__(self):
        return f"Key({self.n})"


d = {Key(1): "one", Key(2): "two", Key(4): "four"}
print(d, d[Key(7)], Key(3) in d, len({Key(i) for i in range(10)}))
d.pop(Key(2))
print(d)

# ---- dict: equal but not hashable
class Value:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n


try:
    {Value(1): 1}
except TypeError as error:
    print(error)
print(Value(1) == Value(1), Value(1) != Value(1), Value(1) in [Value(2), Value(1)], [Value(1)].index(Value(1)))
print(Value.__hash__)

# ---- dict: counting words
text = "the cat and the dog and the bird"
counts = {}
for word in text.split():
    counts[word] = counts.get(word, 0) + 1
print(counts)
print(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
groups = {}
for word in text.split():
    groups.setdefault(len(word), []).append(word)
print(groups, max(counts, key=counts.get))

# ---- dict: comparison
print({"a": 1, "b": 2} == {"b": 2, "a": 1}, {"a": 1} != {"a": 2}, {"a": [1]} == {"a": [1.0]}, {} == [])
try:
    {} < {}
except TypeError as error:
    print(error)

# ---- set: methods and operators
a, b = {1, 2, 3}, {2, 3, 4}
print(sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b))
print(sorted(a.union([5], (6,))), sorted(a.intersection([1, 2], {2})), sorted(a.difference([1])), sorted(a.symmetric_difference([1, 9])))
print(a <= b, {1} < a, a >= {1, 2}, a == {3, 2, 1}, a != b, a.isdisjoint({7}), {1}.issubset([1, 2]), a.issuperset([1]))
a.add(9)
a.discard(100)
a.remove(1)
print(sorted(a), len(a), 9 in a, a == set(a))
for bad in (lambda: a.remove(100), lambda: a | [1], lambda: a.union(1), lambda: a.add([]), lambda: set().pop(), lambda: a < [1], lambda: {[]}, lambda: set(5), lambda: hash(a)):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)

# ---- set: in place
a = b = {1, 2, 3}
a |= {4}
a &= {2, 3, 4, 5}
a -= {2}
a ^= {3, 7}
print(sorted(b), a is b)
a.update([1], {2: 0}, (3,))
a.intersection_update(range(5))
a.difference_update([1], [2])
a.symmetric_difference_update([3, 8])
print(sorted(b))
try:
    a |= [1]
except TypeError as error:
    print(error)

# ---- set: frozensets as elements and keys
f = frozenset([1, 2])
print({f: "x"}[frozenset([2, 1])], f in {f}, {1, 2} in {f}, f == {1, 2}, hash(f) == hash(frozenset([2, 1])))
print(type(f | {3}), type({3} | f), sorted(f | {3}), f.copy() is f, frozenset() == set())
try:
    f.add(3)
except AttributeError as error:
    print(error)
print(repr(frozenset()), repr(set()), repr(frozenset([1])), repr({1}), {frozenset([1])})

# ---- set: must not change size in a loop
s = {1, 2}
try:
    for x in s:
        s.add(x + 10)
except RuntimeError as error:
    print(error)
print(sorted({x % 3 for x in range(10)}), len(set("hello")), sorted(set([1, 1.0, True, 2])))

# ---- set: a subclass
class Tags(set):
    def add(self, tag):
        super().add(tag.lower())
        return self


t = Tags(["a"])
t.add("B").add("C")
print(sorted(t), len(t), type(t | {"z"}).__name__, type(t.copy()).__name__, isinstance(t, set), Tags(["one"]), Tags())

# ---- range: everything
r = range(2, 20, 3)
print(r, list(r), len(r), r[0], r[-1], r[1:4], r[::-1], list(reversed(r)), r.start, r.stop, r.step)
print(5 in r, 6 in r, 5.0 in r, "a" in r, r.index(8), r.count(8), r.count(9), r == range(2, 19, 3), hash(r) == hash(range(2, 19, 3)))
print(range(0), range(5, 0), list(range(5, 0, -2)), bool(range(0)), range(3) == [0, 1, 2], sum(range(101)))
print(range(10**20, 10**20 + 3)[1], 10**20 in range(10**21), len(range(0, 10**15, 7)), range(10**30)[::10**29])
for bad in (lambda: range(), lambda: range(1, 2, 0), lambda: range("a"), lambda: range(1.5), lambda: r[10], lambda: r["a"], lambda: r.index(3), lambda: len(range(10**20)), lambda: range(1, 2, 3, 4)):
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__, error)

# ---- slice: objects
s = slice(1, 10, 2)
print(s, s.start, s.stop, s.step, slice(5), slice(1, 2) == slice(1, 2), s.indices(6), list(range(20))[s])


class Matrix:
    def __getitem__(self, key):
        return key


m = Matrix()
print(m[1], m[1, 2], m[1:2], m[1:2, ::3], m[...], m[..., 1:], m[()], m["a":"b"])

# ---- brackets of classes of a program
class Box:
    def __init__(self):
        self.values = {}

    def __getitem__(self, key):
        return self.values[key]

    def __setitem__(self, key, value):
        print("set", key, value)
        self.values[key] = value

    def __delitem__(self, key):
        print("del", key)
        del self.values[key]

    def __contains__(self, key):
        return key in self.values

    def __len__(self):
        return len(self.values)


box = Box()
box["a"] = 1
box["a"] += 5
box[1, 2] = "pair"
print(box["a"], len(box), "a" in box, "z" in box, bool(box), bool(Box()))
del box["a"]
try:
    box["a"]
except KeyError as error:
    print("KeyError", error)

# ---- brackets that are refused
class Plain:
    pass


def setitem(target, key):
    target[key] = 1


def delitem(target, key):
    del target[key]


for value in (5, None, Plain(), (1,), "text", {1}, range(3), len, Plain):
    for action in (lambda v: v["k"], lambda v: setitem(v, "k"), lambda v: delitem(v, "k"), lambda v: delitem(v, 0), lambda v: "q" in v, lambda v: len(v), lambda v: iter(v)):
        try:
            action(value)
        except Exception as error:
            print(type(error).__name__, error)

# ---- the old protocol of sequences
class Squares:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        return i * i


s = Squares(5)
print(list(s), 9 in s, 10 in s, list(reversed(s)), [x for x in s], max(s), sum(s), list(zip(s, s)), tuple(enumerate(s)))
a, *b = s
print(a, b)

# ---- iterators of a program
class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n + 1


print(list(Countdown(3)), sum(Countdown(4)), 2 in Countdown(3), dict(enumerate(Countdown(2))), sorted(Countdown(3)))
it = Countdown(1)
print(next(it), next(it, "end"))
try:
    next(it)
except StopIteration as stop:
    print("stopped", stop.value)


class Bad:
    def __iter__(self):
        return 5


try:
    list(Bad())
except TypeError as error:
    print(error)

# ---- what refuses to be iterated or contained
class Closed:
    __iter__ = None
    __contains__ = None
    __len__ = None

    def __getitem__(self, i):
        return i


for action in (lambda: iter(Closed()), lambda: 1 in Closed(), lambda: hash([]), lambda: list(5), lambda: [*None], lambda: dict(a=1)["b"], lambda: "a" in 5):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)

# ---- nested containers are printed with repr
class Thing:
    def __repr__(self):
        return "<thing>"

    def __str__(self):
        return "a thing"


t = Thing()
print(t, [t], (t,), {"k": t}, {t: 1}, {t}, f"{t} {t!r} {[t]}", str([t]), "a\n", ["a\n", 'it\'s', "\""], [None, True, ..., 1.0, 1e20])

# ---- comprehensions
print([x * y for x in range(3) for y in range(x)], {x: x**2 for x in range(4) if x % 2}, sorted({x // 2 for x in range(6)}), list(x for x in "ab"))
matrix = [[1, 2, 3], [4, 5, 6]]
print([list(row) for row in zip(*matrix)], [x for row in matrix for x in row if x % 2 == 0], [[y * 2 for y in row] for row in matrix])
print([(lambda: i)() for i in range(3)], [f() for f in [lambda: i for i in range(3)]], [y := 5, y**2])

# ---- generic aliases and unions of types
print(list[int], dict[str, list[int]], tuple[int, ...], tuple[()], list["Forward"], type[int], frozenset[str])
print(int | None, int | str | int, (int | str) == (str | int), list[int] | None, list[int].__origin__, dict[str, int].__args__)
print(list[int]([1, 2]), isinstance(3, int | str), isinstance(None, int | None), issubclass(bool, int | str), list[int] == list[int])
for bad in (lambda: int[3], lambda: isinstance([], list[int]), lambda: int | 3, lambda: list[int][str]):
    try:
        print(bad())
    except TypeError as error:
        print(error)

# ---- __class_getitem__
class Vec:
    def __class_getitem__(cls, item):
        return f"{cls.__name__} of {item}"


class Small(Vec):
    pass


print(Vec[int], Small["x", 3])
try:
    Vec()[0]
except TypeError as error:
    print(error)

# ---- a matrix by lists
def multiply(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


a = [[1, 2], [3, 4]]
print(multiply(a, a), multiply(a, [[1], [0]]), [row[:] for row in a], sum(a, []), max(max(row) for row in a))

# ---- a queue, a stack, a cache
queue = [1, 2, 3]
queue.append(4)
print(queue.pop(0), queue)
stack = []
for c in "(()())":
    if c == "(":
        stack.append(c)
    else:
        stack.pop()
print(not stack)
cache = {}


def fib(n):
    if n not in cache:
        cache[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
    return cache[n]


print(fib(80), len(cache), list(cache.items())[:4])

# ---- graphs as dicts of sets
edges = {"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}


def reach(start):
    seen, todo = set(), [start]
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(sorted(edges[node]))
    return seen


print(sorted(reach("a")), sorted(reach("b")), {k: sorted(v) for k, v in edges.items()})

# ---- copies share their elements
a = [[1], [2]]
b = a[:]
c = list(a)
d = a.copy()
a[0].append(9)
a.append([3])
print(a, b, c, d)
e = {"k": [1]}
f = dict(e)
f["k"].append(2)
f["z"] = 1
print(e, f)

# ---- mutable defaults
def add(x, target=[]):
    target.append(x)
    return target


print(add(1), add(2), add(3, []), add.__defaults__)

# ---- a sequence class compared by value
class Vector:
    def __init__(self, *values):
        self.values = list(values)

    def __eq__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return self.values == other.values

    def __add__(self, other):
        return Vector(*[a + b for a, b in zip(self.values, other.values)])

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def __repr__(self):
        return f"Vector{tuple(self.values)}"


print(Vector(1, 2) + Vector(3, 4), Vector(1) == Vector(1), Vector(1) == 5, Vector(1) != Vector(2), list(Vector(1, 2)), [*Vector(5)], sum(Vector(1, 2)), len(Vector()), bool(Vector()))

# ---- sets of ints are printed in the order of their hashes
print({3, 1, 2}, {10, 5, 7}, set(range(5)), set([8, 0, 16]), {-1, 0, 1}, {1.5, 2, 0}, frozenset([9, 4]))
s = {5, 3}
s.add(1)
s.remove(3)
s.add(40)
print(s, {x * x for x in range(8)}, set([33, 1, 65]), {(1, 2), (0, 1)} == {(0, 1), (1, 2)})
print(list({100, 50, 20}), s | {2, 0}, {1, 2, 3} & {3, 2}, {9, 8, 7} - {8}, {4, 1} ^ {1, 9})

# ---- sets of numbers after many operations
state = 12345


def number(below):
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return state // 65536 % below


sets = [set() for _ in range(5)]
for step in range(300):
    a, b, c = number(5), number(5), number(5)
    kind = number(12)
    numbers = [number(200) - 40 for _ in range(number(9))] + [number(64) / 8]
    if kind == 0:
        sets[a] = set(numbers)
    elif kind == 1:
        sets[a].update(numbers)
    elif kind == 2:
        sets[a] = sets[b] | sets[c]
    elif kind == 3:
        sets[a] = sets[b] ^ set(numbers)
    elif kind == 4:
        sets[a] -= sets[b]
    elif kind == 5:
        sets[a] |= sets[b]
    elif kind == 6:
        sets[a] &= sets[b] | set(numbers)
    elif kind == 7:
        sets[a].difference_update(numbers)
    elif kind == 8 and sets[a]:
        print("pop", sets[a].pop())
    elif kind == 9:
        sets[a] = set(frozenset(sets[b]))
    elif kind == 10:
        sets[a].symmetric_difference_update(numbers)
    else:
        sets[a].add((number(4), number(4)))
    print(sets[a])

# ---- hashes of tuples and frozensets
print(hash((1, 2)), hash(()), hash((0.5, (1, -1), 10**30)), hash(frozenset([1, 2, 3])), hash(frozenset()), hash((True, 2.0)) == hash((1, 2)), hash(((),)))
print({(i % 3, i % 2) for i in range(6)}, {frozenset([1]), frozenset([2])})
print({x: 1 for x in (5, 3, 9)}.keys() & {9, 5}, {1: 0, 2: 0}.keys() | {3}, {8, 1} - {1: 0}.keys(), {3: 1, 1: 2}.keys() ^ {1, 9})
