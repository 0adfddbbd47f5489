"""Random tensors and how they print: the same program on PyTorch and on glasstorch's Python. ../printing.ts compares the two.

    python tensors.py SEED COUNT

Each line is JSON: the expression, the print options, `repr`, and the text that TorchScript's `format` gives (C++ prints it), or the error.
The sign of a NaN is left out of the text from C++: which one a processor makes depends on its vector instructions.
Expressions hold every value that they need, so a line can be tried by itself.
"""
import json
import random
import re
import sys
import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")


class Own(torch.Tensor):
    pass


class OwnParameter(nn.Parameter):
    pass


@torch.jit.script
def in_cpp(x: torch.Tensor) -> str:
    return "{}".format(x)


FLOATS = ["torch.float32", "torch.float64", "torch.float16", "torch.bfloat16"]
INTEGERS = ["torch.int64", "torch.int32", "torch.int16", "torch.int8", "torch.uint8", "torch.uint16", "torch.uint32", "torch.uint64"]
SPECIAL = ["float('nan')", "float('inf')", "float('-inf')", "0.0", "-0.0"]
# Powers of ten by which the values of one tensor are scaled; a pair draws each value's power from a range.
SCALES = [0, 0, 0, -1, -2, -3, -4, -5, -8, -30, 1, 2, 4, 5, 6, 8, 9, 12, 30, (-3, 0), (-2, 3), (-6, 2), (0, 9), (-30, 30), (-320, 300)]


def size(rng):
    dims = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5])
    most = {0: 1, 1: 30, 2: 14, 3: 4, 4: 3, 5: 3}[dims]
    return [rng.choice([0, 1]) if rng.random() < 0.06 else rng.randint(1, most) for _ in range(dims)]


def number(rng, kind, scale):
    """One value as text."""
    power = rng.randint(*scale) if isinstance(scale, tuple) else scale
    if kind == "bool":
        return rng.choice(["True", "False"])
    if kind == "integer":
        most = 10 ** max(1, min(18, abs(int(power))))
        return str(rng.randint(-most, most))
    if kind == "whole":
        return repr(float(rng.randint(-99, 99) * 10 ** max(0, min(25, int(power)))))
    if kind == "halves":
        return repr(rng.randint(-400, 400) / 2 ** rng.randint(1, 6))
    if kind == "digits":
        return f"{round(rng.uniform(-1, 1), rng.randint(0, 6))}e{power}"
    value = f"{rng.uniform(0.1, 1)}e{power}"
    return (value if kind == "positive" or rng.random() < 0.6 else f"-{value}")


def nested(rng, sizes, kind, scale, special):
    if not sizes:
        return rng.choice(SPECIAL) if rng.random() < special else number(rng, kind, scale)
    return "[" + ", ".join(nested(rng, sizes[1:], kind, scale, special) for _ in range(sizes[0])) + "]"


def wrapped(rng, low, high):
    """Numbers into the range of a dtype."""
    return f".remainder({high - low + 1}).add({low})" if high - low < 2**40 else ""


def tensor(rng):
    sizes = size(rng)
    family = rng.choice(["float"] * 9 + ["integer"] * 3 + ["bool"])
    if family == "bool":
        return f"torch.tensor({nested(rng, sizes, 'bool', 0, 0)}, dtype=torch.bool).reshape({sizes})"
    if family == "integer":
        dtype = rng.choice(INTEGERS)
        base = f"torch.tensor({nested(rng, sizes, 'integer', rng.choice(SCALES), 0)}, dtype=torch.int64).reshape({sizes})"
        bits = int(dtype.lstrip("torch.uint"))
        low = 0 if "uint" in dtype else -(2 ** (bits - 1))
        return f"{base}{wrapped(rng, low, low + 2 ** bits - 1) if bits < 40 else '.abs()' if low == 0 else ''}.to({dtype})"
    kind = rng.choice(["any", "any", "positive", "whole", "halves", "digits"])
    special = rng.choice([0, 0, 0, 0.1, 0.5, 1])
    dtype = rng.choice(FLOATS + ["torch.float32"] * 3)
    scale = rng.choice(SCALES)
    return f"torch.tensor({nested(rng, sizes, kind, scale, special)}, dtype=torch.float64).reshape({sizes}).to({dtype})"


def large(rng):
    """More elements than print: made from their positions, so that the text stays short."""
    dims = rng.randint(1, 5)
    sizes = [rng.randint(1, 8) for _ in range(dims)]
    sizes[rng.randrange(dims)] = rng.randint(7, 40)
    count = 1
    for n in sizes:
        count *= n
    if rng.random() < 0.3:
        return f"torch.arange({count}).sub({rng.randint(0, count)}).reshape({sizes})"
    return f"torch.arange({count}, dtype=torch.float64).add({round(rng.uniform(-9, 9), 3)}).mul(1e{rng.randint(-9, 9)}).reshape({sizes}).to({rng.choice(FLOATS)})"


def changed(rng, text):
    """A tensor made from another one: a view, a leaf, a result, a subclass, another device."""
    way = rng.randrange(24)
    floating = "torch.float" in text or "bfloat16" in text
    if way == 0 and floating:
        return f"{text}.requires_grad_()"
    if way == 1 and floating:
        return f"{text}.requires_grad_().{rng.choice(['mul(2)', 'sum()', 'clone()', 'reshape(-1)', 'abs().round()', 'float().double()'])}"
    if way == 2 and floating:
        return f"nn.Parameter({text}{rng.choice(['', ', requires_grad=False'])})"
    if way == 3:
        return f"{text}.as_subclass(Own)"
    if way == 4 and floating:
        return f"nn.Parameter({text}.as_subclass(Own))"
    if way == 5 and floating:
        return f"OwnParameter({text})"
    if way == 6:
        return f"{text}.to('meta')"
    if way == 7:
        return f"{text}.reshape(-1)[::2]"
    if way == 8:
        return f"{text}.unsqueeze(0).expand(2, *[-1] * {text}.dim())"
    if way == 9 and floating:
        return f"torch._neg_view({text})"
    if way == 10:
        return f"{text}.transpose(0, -1)" if text[-1] == ")" and ".reshape([])" not in text else text
    if way == 11 and floating:
        return f"{text}.requires_grad_().as_subclass(Own).mul(3)"
    if way == 12:
        return f"[{text}, torch.tensor(1)]"
    if way == 13:
        return f"({text},)"
    if way == 14:
        return f"{{'x': {text}}}"
    return text


def options(rng):
    if rng.random() < 0.6:
        return {}
    given = {}
    if rng.random() < 0.2:
        given["profile"] = rng.choice(["default", "short", "full"])
    if rng.random() < 0.4:
        given["precision"] = rng.randint(0, 12)
    if rng.random() < 0.3:
        given["threshold"] = rng.choice([0, 1, 5, 10, 50, float("inf")])
    if rng.random() < 0.3:
        given["edgeitems"] = rng.randint(0, 5)
    if rng.random() < 0.4:
        given["linewidth"] = rng.randint(1, 200)
    if rng.random() < 0.4:
        given["sci_mode"] = rng.choice([True, False, None])
    return given


def said(call):
    try:
        return call()
    except Exception as error:
        return f"{type(error).__name__}: {error}".split("\n")[0]


def line(rng):
    text = changed(rng, large(rng) if rng.random() < 0.15 else tensor(rng))
    given = options(rng)
    row = {"text": text, "options": repr(given)}
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**given)
    try:
        value = eval(text)
    except Exception as error:
        row["repr"] = f"{type(error).__name__}: {error}".split("\n")[0]
        return row
    row["repr"] = said(lambda: repr(value))
    if isinstance(value, torch.Tensor):
        row["str"] = said(lambda: f"{value!s:>40}|{value}" if value.dim() else f"{value!s}|{value:.3}")
        if type(value) is torch.Tensor and value.device.type == "cpu" and value.numel() < 400 and "_neg_view" not in text:
            row["cpp"] = re.sub(" *-?nan", " nan", said(lambda: in_cpp(value.detach())))
    return row


def main(seed, count):
    for i in range(count):
        print(json.dumps(line(random.Random(seed * 1000003 + i))))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
