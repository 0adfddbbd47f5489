"""Random programs: chunks of statements, of which most are caught where they fail, so that those behind them run, too."""

import random

from expressions import CONSTANTS, LETTERS, Scope
from statements import Statements

HEAD = '''\
import contextlib, functools, sys, traceback

class Manager:
    def __init__(self, value, swallow=False):
        self.value, self.swallow = value, swallow
    def __enter__(self):
        print("enter", self.value)
        return self.value
    def __exit__(self, kind, error, tb):
        print("exit", self.value, kind and kind.__name__, error)
        return self.swallow if isinstance(self.swallow, bool) else kind is not None and issubclass(kind, self.swallow)

@contextlib.contextmanager
def managed(value):
    print("before", value)
    try:
        yield value
    finally:
        print("after")

def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("call", function.__name__, args, kwargs)
        return function(*args, **kwargs)
    return wrapper

class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __repr__(self):
        return f"Point({self.x!r}, {self.y!r})"
'''


def program(seed):
    make = Statements(random.Random(seed))
    scope = Scope()
    scope.names = {f"{letter}{i}": kind for kind, letter in LETTERS.items() for i in range(3)}
    lines = []
    for i in range(make.random.randint(3, 7)):
        form = make.random.randrange(10)
        if form < 2:
            chunk = make.statement(scope, 2)
        elif form < 8:
            chunk = ["try:", *make.block(scope, 4, 3), "except BaseException as error:", f"    {make.pick(['print(type(error).__name__, error)', 'traceback.print_exc(file=sys.stdout)'])}"]
        else:
            inner = Scope(scope)
            name = make.fresh("part")
            chunk = [f"def {name}():", *make.block(inner, 5, 3, function=True), "try:", f"    print({name}())", "except BaseException:", "    traceback.print_exc(file=sys.stdout)"]
        lines += [line for line in chunk]
    first = [f"{letter}{i} = {make.pick(CONSTANTS[kind])}" for kind, letter in LETTERS.items() for i in range(3)]
    return HEAD + "\n".join(first) + "\n" + "\n".join(lines) + "\n"
