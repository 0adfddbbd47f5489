# ---- calls
import torch
from torch import Tensor


def helper(x: Tensor, k: int = 2, name: str = "a") -> Tensor:
    """Says what it does."""
    if name == "a":
        return x * k
    return x


def f(x, y: Tensor):
    return helper(x) + helper(y, 3, name="b") + helper(x, k=4)

# ---- closure
import torch


def outer(k):
    def inner(x):
        return x + 1

    def f(x):
        return inner(x) * 2

    return f


f = outer(3)

# ---- decorated_methods
import torch
from typing import List


class Stack:
    limit: int = 3

    def __init__(self, first: float, name: str = "s"):
        self.items: List[float] = [first]
        self.name = name
        self.count = 0

    def push(self, x: float):
        self.items.append(x)
        self.count += 1

    @property
    def top(self) -> float:
        return self.items[-1]

    @staticmethod
    def twice(x: float) -> float:
        return x * 2

    def __contains__(self, x: float) -> bool:
        return x in self.items

    def __len__(self) -> int:
        return len(self.items)


def f(a: float):
    s = Stack(a)
    s.push(Stack.twice(a))
    return s.top, len(s), a in s, s.name

# ---- named_tuple
import torch
from torch import Tensor
from typing import NamedTuple, Optional


class Point(NamedTuple):
    x: Tensor
    y: int = 3
    name: Optional[str] = None


def make_point(x: Tensor) -> Point:
    return Point(x)


def f(x):
    p = Point(x, 1, name="p")
    q = make_point(x)
    a, b, c = q
    return p.x + q.y, p, p[1], a * b

# ---- enums
import torch
from enum import Enum


class Color(Enum):
    RED = 1
    GREEN = 2


def pick(c: Color) -> int:
    if c == Color.RED:
        return c.value
    return 0


def f(c: Color):
    return pick(c), Color.GREEN, c.name, c is Color.RED

# ---- interface
import torch
from torch import Tensor


@torch.jit.interface
class Op:
    def run(self, x: Tensor) -> Tensor:
        pass


@torch.jit.script
class Add:
    def __init__(self, k: int):
        self.k = k

    def run(self, x: Tensor) -> Tensor:
        return x + self.k


def apply(op: Op, x: Tensor) -> Tensor:
    return op.run(x)


def f(x):
    return apply(Add(1), x)

# ---- overloads
import torch
from torch import Tensor
from typing import List


@torch.jit._overload
def size(x: List[int], k: int = 1) -> int: ...


@torch.jit._overload
def size(x: str, k: int = 1) -> int: ...


def size(x, k: int = 1):
    return len(x) + k


def f(s: str, xs: List[int]):
    return size(s), size(xs, 2), size("a", k=3)

# ---- f_strings
import torch


def f(x: int, s: str):
    return f"{x} is {s}{x + 1}!", f"plain"

# ---- math_and_dtypes
import math
import torch


def f(x, n: int):
    a = math.sqrt(n) + math.pi + math.floor(2.5)
    return x.to(torch.float64) * a, torch.zeros(2, dtype=torch.int32), torch.ones([1], layout=torch.strided), math.inf

# ---- aliases
import torch
from typing import Dict, List, Tuple
import torch.nn.functional as F

Pair = Tuple[int, int]
Table = Dict[str, List[Pair]]


def f(t: Table, p: "Pair") -> List[Pair]:
    t["a"] = [p]
    return t["a"]

# ---- exceptions
import torch


class MyError(Exception):
    pass


def f(x: int):
    if x > 3:
        raise MyError("big", x)
    if x > 2:
        raise IndexError
    assert x >= 0, f"bad {x}"
    return x

# ---- comprehension_and_lambda_free
import torch
from typing import List


def f(xs: List[torch.Tensor], n: int):
    a = [x.sum() for x in xs]
    b = {str(i): i for i in range(n)}
    c = sum([1, 2])
    return a, b, [i for i in (1, 2, 3)], c, all([True, False]), any([n > 1])

# ---- positions
import torch


def f(
    x,
    n: int = 3,
):
    # a comment é
    a = (
        x
        + n
    )
    s = "é" + str(n)
    if not (
        n > 1
        and n < 5
    ): a = a.sum(
        dim=0
    )
    return a, s
    # after

# ---- is_scripting
import torch


def f(x):
    if torch.jit.is_scripting():
        return x + 1
    return unknown(x)

# ---- unused_function
import torch
from typing import List


def f(x, xs: List[int]):
    y = torch.jit.annotate(List[float], [])
    if torch.jit.isinstance(xs, List[int]):
        y.append(1.0)
    return x, y

# ---- new_style_types
import torch


def f(xs: list[int], d: dict[str, tuple[int, float]], o: int | None) -> tuple[int, float]:
    if o is not None:
        xs.append(o)
    return d["a"]

# ---- error_chain
import torch


def h(x):
    return x.bar()


def g(x):
    y = h(x)
    return y


def f(x):
    return g(x) + 1

# ---- error_varargs
import torch


def f(x, *args):
    return x

# ---- error_default_type
import torch


def f(x, k=2):
    return x * k

# ---- error_mutable_default
import torch
from typing import List


def f(x, k: List[int] = [1]):
    return x

# ---- error_try
import torch


def f(x):
    try:
        return x
    except ValueError:
        return x

# ---- error_lambda
import torch


def f(x):
    g = lambda y: y + 1
    return g(x)

# ---- error_nested_def_class
import torch


def f(x):
    import math
    return x

# ---- error_global_number
import torch

K = 3


def f(x):
    return x + K

# ---- error_floordiv_assign
import torch


def f(x: int):
    x //= 2
    return x

# ---- error_set
import torch


def f(x: int):
    return {x, 1}

# ---- error_method
import torch


class Bad:
    def __init__(self, x: int):
        self.x = x

    def get(self):
        return self.y


def f(x: int):
    return Bad(x).get()

# ---- error_inheritance
import torch


class Base:
    def __init__(self):
        self.x = 1


@torch.jit.script
class Child(Base):
    def get(self):
        return self.x


def f(x: int):
    return Child().get()

# ---- error_annotation_outside_init
import torch


class Late:
    def __init__(self):
        self.x = 1

    def set(self):
        self.y: int = 2


def f():
    return Late()

# ---- error_builtin
import torch


def f(x):
    return open(x)

# ---- error_format
import torch


def f(x: float):
    return f"{x:.2f}"

# ---- error_comprehension_if
import torch
from typing import List


def f(xs: List[int]):
    return [x for x in xs if x > 1]
