"""
Random Python programs for `torch.compile`: each runs as it is and compiled, and must return, print and change the same. It runs on PyTorch and on
glasstorch: `python tools/oracle/dynamo_programs.py SEED COUNT [BACKEND]`. test/torch/_dynamo/programs.test.ts runs a part.
"""
import contextlib
import io
import random
import sys

import torch
import torch._dynamo

EXPRESSIONS = (
    "{t} + {t}", "{t} * {n}", "{t} - {n}", "{n} * {t}", "torch.sin({t})", "{t}.relu()", "torch.where({t} > {n}, {t}, {t2})", "{t}.abs().sqrt()",
    "{t} / ({t2}.abs() + 1)", "torch.maximum({t}, {t2})", "{t}[:, :1] + {t2}", "{t}.sum(dim=0)[None] + {t2}", "torch.cat([{t}, {t2}])[:2]",
    "torch.stack([{t}, {t2}])[{i}]", "-{t}", "{t}.t().t()", "{t}.clone()", "({t}, {t2})[{i}]", "[{t}, {t2}][-1]", "{t}.max(dim=0).values + {t2}",
    "{t} * scale", "scaled({t}, k=scale)", "obj({t})", "functools.reduce(operator.add, [{t}, {t2}])", "list(itertools.chain([{t}], [{t2}]))[{i}]",
    "deque([{t}, {t2}], maxlen=1)[0]", "torch.maximum({t}, {t2}) * obj[{i}]", "box.get({i}, {t})", "{t} + len(obj)", "layer({t})",
    "{t}.reshape(-1).view(2, 3)", "helper({t}, {n})", "helper({t}, k={n})", "obj.apply({t})", "pick({i})({t})", "sum([{t}, {t2}])",
    "d.get('w', {t}) + {t}", "{t}.mean() + {t2}", "{t} if {n} > 1 else {t2}", "torch.zeros(2, 3) + {t}", "{t}.size(0) * {t2}",
)
NUMBERS = ("1", "2", "0.5", "n", "n + 1", "len(items)", "x.shape[1]", "obj.k", "x.dim()", "int('2')", "max(n, 2)", "counts['a']", "scale", "scale + 1", "total_calls",
           "int(scale)", "round(scale, 1)", "math.floor(scale * 3)", "len(box)")
CONDITIONS = (
    "n > 1", "n % 2 == 0", "len(items) > 2", "x.shape[0] == 2", "flag", "not flag", "obj.k < 4", "'w' in d", "isinstance(x, torch.Tensor)", "n in (1, 2)",
    "x.sum() > 0", "y.mean() < 0.1", "flag and n > 1", "x is y", "x.requires_grad", "scale > 0.3", "n > 1.5", "n * 2 <= 3.5", "n + scale > 2",
    "scale * 2 < n", "obj", "2 in obj", "any(q > n for q in (1, 2))", "(m := n + 1) > 2", "isinstance(obj, Thing) and hasattr(obj, 'k')", "total_calls > 1",
)
HEADER = '''
import functools
import itertools
import math
import operator
from collections import OrderedDict, defaultdict, deque

import torch

total_calls = 0
layer = torch.nn.Linear(3, 3, bias=False)
torch.nn.init.constant_(layer.weight, 0.25)
layer.register_forward_hook(lambda module, args, out: out + 1)


@torch.no_grad()
def scaled(v, k=0.5):
    return v * k


class Noted:
    def __init__(self, seen):
        self.seen = seen

    def __enter__(self):
        self.seen.append("in")
        return len(self.seen)

    def __exit__(self, cls, error, trace):
        self.seen.append("out" if error is None else type(error).__name__)
        return isinstance(error, KeyError)


def helper(v, k=3):
    def inner(w):
        return w * k
    return inner(v) + k


def pick(i):
    return torch.cos if i == 0 else (lambda v: v * 2 + i)


class Thing:
    def __init__(self, k):
        self.k = k
        self.seen = []

    def apply(self, v):
        self.k += 1
        self.seen.append(self.k)
        return v + self.k

    def __call__(self, v):
        return v - self.k

    def __len__(self):
        return self.k

    def __getitem__(self, i):
        return self.k * (i + 1)

    def __contains__(self, i):
        return i == self.k

    def __bool__(self):
        return self.k % 2 == 0
'''


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.names = ["x", "y"]
        self.depth = 0

    def add(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def number(self):
        return self.random.choice(NUMBERS)

    def tensor(self, deep=True):
        if not deep or self.random.random() < 0.5:
            return self.random.choice(self.names)
        return self.expression(False)

    def expression(self, deep=True):
        form = self.random.choice(EXPRESSIONS)
        text = form.format(t=self.tensor(deep), t2=self.random.choice(self.names), n=self.number(), i=self.random.randrange(2))
        return text if form.startswith(("torch.", "{t}.", "helper", "obj", "pick", "sum")) and not deep else f"({text})"

    def block(self, count):
        before = len(self.names)
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1
        del self.names[before:]

    def statement(self):
        kind = self.random.random()
        if kind < 0.42 or self.depth > 2:
            name = self.random.choice(("a", "b", "c", "x", "y"))
            if self.depth > 0 and name not in self.names:
                name = self.random.choice(self.names)
            self.add(f"{name} = {self.expression()}")
            if name not in self.names:
                self.names.append(name)
        elif kind < 0.5:
            self.add(self.random.choice((
                f"items.append({self.tensor()})", "items[0] = items[-1]", f"d['w'] = {self.tensor()}", "counts['a'] += 1", "obj.k = obj.k + 1",
                "n += 1", "items.pop() if len(items) > 1 else None", "items.extend([1, 2])", "counts.update(b=n)", "total = [*items, n]",
                "total_calls += 1", "box[n].append(n)", "items.sort(key=str)", "obj.extra = n", "scale = scale * 2", "n += obj[0]")))
        elif kind < 0.56:
            self.add(self.random.choice((f"{self.random.choice(self.names)}.add_(1)", f"x = x + {self.number()}", f"y[0] = {self.number()}")))
        elif kind < 0.62:
            self.add(self.random.choice(("print('here', n)", "print(len(items))", "torch._dynamo.graph_break()", "value = float(y.sum())")))
        elif kind < 0.8:
            self.add(f"if {self.random.choice(CONDITIONS)}:")
            self.block(self.random.randint(1, 2))
            if self.random.random() < 0.5:
                self.add("else:")
                self.block(self.random.randint(1, 2))
        elif kind < 0.9:
            self.add(self.random.choice((
                f"for i in range({self.random.randint(1, 3)}):", "for i, item in enumerate(items[:2]):", "for key in list(counts):",
                "for v in [y, y]:")))
            self.block(self.random.randint(1, 2))
        elif kind < 0.94:
            self.add(self.random.choice(("with torch.no_grad():", "with torch.enable_grad():", "with Noted(obj.seen) as m:", "with torch.set_grad_enabled(flag):")))
            self.block(self.random.randint(1, 2))
        elif kind < 0.95:
            self.add("match items[0], counts:")
            self.depth += 1
            for pattern in ("[1, {'a': q}]", "[_, {'b': q}]", "_"):
                self.add(f"case {pattern}:")
                self.block(1)
            self.depth -= 1
        elif kind < 0.97:
            self.add("try:")
            self.depth += 1
            self.add(self.random.choice(("n = {'q': 1}[str(n)]", "n = [1, 2][n]", "n = int('z')")))
            self.depth -= 1
            self.add("except (KeyError, IndexError, ValueError):")
            self.depth += 1
            self.add("n = 2")
            self.depth -= 1
        else:
            self.add(f"part = [{self.tensor()} for q in range(2)]")
            self.add("y = y + part[1]")

    def program(self):
        for _ in range(self.random.randint(3, 8)):
            self.statement()
        results = ", ".join(self.random.sample(self.names, min(2, len(self.names))) + ["n"])
        self.add(f"return {results}")
        head = ["    global total_calls", "    box = defaultdict(list)", "    value = 0.5"]
        return HEADER + "\n\ndef f(x, y, n, flag, items, d, counts, obj, scale):\n" + "\n".join(head + self.lines) + "\n"


def shown(value):
    if isinstance(value, torch.Tensor):
        return ["tensor", str(value.dtype), list(value.shape), [round(v, 4) for v in value.detach().double().flatten().tolist()]]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__] + [shown(v) for v in value]
    if isinstance(value, dict):
        return {k: shown(v) for k, v in value.items()}
    if type(value).__name__ == "Thing":
        return ["Thing", value.k, shown(value.seen), getattr(value, "extra", None)]
    return repr(value)


def calls(fn, thing, seed):
    """Results of three calls: values, printed lines and arguments afterwards, or the error."""
    results = []
    for i in range(3):
        rows = 2 + (i == 2) * 0
        x = torch.linspace(-1, 1, rows * 3).reshape(rows, 3) + i * 0.1
        y = torch.linspace(1, -1, rows * 3).reshape(rows, 3) * (1 - i)
        given = [x, y, 1 + i, seed % 2 == 0, [1, 2.5, 3], {}, {"a": i}, thing(2 + i), 0.25 + i * 0.5]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                out = shown(fn(*given))
            except Exception as e:
                out = ["error", type(e).__name__]
        results.append([out, printed.getvalue(), shown(given)])
    return results


def compare(seed, backend="eager"):
    """None if both ways do the same; otherwise the program and both results. Also whether it was one graph."""
    text = Writer(seed).program()
    scope = {"__name__": f"program_{seed}"}
    exec(compile(text, f"program_{seed}.py", "exec"), scope)
    expected = calls(scope["f"], scope["Thing"], seed)
    scope["total_calls"] = 0
    torch._dynamo.reset()
    got = calls(torch.compile(scope["f"], backend=backend), scope["Thing"], seed)
    torch._dynamo.reset()
    return None if got == expected else [text, expected, got]


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    differ = 0
    for seed in range(first, first + count):
        found = compare(seed, *sys.argv[3:])
        if found is not None:
            differ += 1
            text, expected, got = found
            print(f"===== {seed}\n{text[text.index('def f('):]}")
            for a, b in zip(expected, got):
                if a != b:
                    print("  expected", a)
                    print("  got     ", b)
                    break
    print(f"{differ} of {count} differ")
