"""Times rows of Python and of PyTorch; bench/python.ts runs this file on glasstorch's Python and on CPython with PyTorch.

    python python_rows.py SECONDS    (prints a line of JSON for each row: its name, and the least ns of one turn)
"""
import json
import sys
import time

import torch
from torch import nn

SECONDS = float(sys.argv[1])


def timed(name, run, per_turn=1):
    """`run(n)` does `n` turns. Turns are doubled until a round takes a fifth of the time; the least of all rounds counts."""
    n, best, end = 1, float('inf'), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        run(n)
        took = time.perf_counter() - start
        best = min(best, took / n)
        if took < SECONDS / 20:
            n *= 2
    print(json.dumps({'row': name, 'ns': best * 1e9 / per_turn}), flush=True)


def while_loop(n):
    i, s = 0, 0
    while i < n:
        s = s + i * 2 - (i & 3)
        i = i + 1


def nothing(a, b):
    return a


def calls(n):
    for _ in range(n):
        nothing(1, 2)


class Point:
    def __init__(self):
        self.x = 0


def stores(n):
    p = Point()
    for i in range(n):
        p.x = i


def sums(n):
    s = 0.5
    for _ in range(n):
        s += 1.5


def lists(n):
    for _ in range(n):
        [i + 1 for i in range(100)]


x, y = torch.ones(4), torch.ones(4)


def adds(n):
    for _ in range(n):
        x + y


def adds_alpha(n):
    for _ in range(n):
        torch.add(x, y, alpha=2)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
images, labels = torch.randn(32, 64), torch.randint(0, 10, (32,))


def steps(n):
    for _ in range(n):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()


# The loop of `while_loop` runs this many instructions in a turn (`--dis` shows them).
INSTRUCTIONS = 18

torch.set_num_threads(1)
timed('an instruction of a while loop', while_loop, INSTRUCTIONS)
timed('a call of a function', calls)
timed('a store of an attribute', stores)
timed('s += 1.5, a turn of a for loop', sums)
timed('a list of 100 elements', lists)
timed('x + y, 4 elements', adds)
timed('torch.add(x, y, alpha=2)', adds_alpha)
timed('a step of training, 64-32-10', steps)
