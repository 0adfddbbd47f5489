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
    "{t}.reshape(-1).view(2, 3)", "helper({t}, {n})", "helper({t}, k={n})", "obj.apply({t})", "pick({i})({t})", "sum([{t}, {t2}])",
    "d.get('w', {t}) + {t}", "{t}.mean() + {t2}", "{t} if {n} > 1 else {t2}", "torch.zeros(2, 3) + {t}", "{t}.size(0) * {t2}",
)
NUMBERS = ("1", "2", "0.5", "n", "n + 1", "len(items)", "x.shape[1]", "obj.k", "x.dim()", "int('2')", "max(n, 2)", "counts['a']")
CONDITIONS = (
    "n > 1", "n % 2 == 0", "len(items) > 2", "x.shape[0] == 2", "flag", "not flag", "obj.k < 4", "'w' in d", "isinstance(x, torch.Tensor)", "n in (1, 2)",
    "x.sum() > 0", "y.mean() < 0.1", "flag and n > 1", "x is y", "x.requires_grad",
)
HEADER = '''
import torch


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
                "n += 1", "items.pop() if len(items) > 1 else None", "items.extend([1, 2])", "counts.update(b=n)", "total = [*items, n]")))
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
            self.add("with torch.no_grad():")
            self.block(1)
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
        return HEADER + "\n\ndef f(x, y, n, flag, items, d, counts, obj):\n" + "\n".join(self.lines) + "\n"


def shown(value):
    if isinstance(value, torch.Tensor):
        return ["tensor", str(value.dtype), list(value.shape), [round(v, 4) for v in value.detach().double().flatten().tolist()]]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__] + [shown(v) for v in value]
    if isinstance(value, dict):
        return {k: shown(v) for k, v in value.items()}
    if type(value).__name__ == "Thing":
        return ["Thing", value.k, shown(value.seen)]
    return repr(value)


def calls(fn, thing, seed):
    """Results of three calls: values, printed lines and arguments afterwards, or the error."""
    results = []
    for i in range(3):
        rows = 2 + (i == 2) * 0
        x = torch.linspace(-1, 1, rows * 3).reshape(rows, 3) + i * 0.1
        y = torch.linspace(1, -1, rows * 3).reshape(rows, 3) * (1 - i)
        given = [x, y, 1 + i, seed % 2 == 0, [1, 2.5, 3], {}, {"a": i}, thing(2 + i)]
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
