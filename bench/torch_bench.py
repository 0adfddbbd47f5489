"""Times the same operations in PyTorch from Python.

Prints PyTorch's version, then for each question read, a line of JSON each, the ns per operation: {"name", "threads"} asks for the least
of 9 rounds, {"name", "threads", "mean": seconds} for the mean over so long.
"""

import functools
import io
import json
import sys
import time

import torch
from torch_models import gpt_step, lenet_step


def warm_up(fn):
    start = time.perf_counter()
    for _ in range(200):
        fn()
        if time.perf_counter() - start > 0.3:
            break


def measure(fn, seconds=0.05):
    warm_up(fn)
    n, rounds = 1, []
    while True:
        start = time.perf_counter()
        for _ in range(n):
            fn()
        took = time.perf_counter() - start
        if took > seconds / 4:
            break
        n *= 2
    n = max(1, int(n * seconds / max(took, 1e-9)))
    for _ in range(9):
        start = time.perf_counter()
        for _ in range(n):
            fn()
        rounds.append((time.perf_counter() - start) / n * 1e9)
    return min(rounds)


def mean_over(fn, seconds):
    warm_up(fn)
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        fn()
        calls += 1
    return (time.perf_counter() - start) / calls * 1e9


def chain_mul():
    y = x
    for _ in range(100):
        y = torch.mul(y, b)
    y.backward(ones)


def chain_linear():
    y = rows
    for layer in layers:
        y = layer(y)
    y.backward(rows1)


a, b = torch.randn(4), torch.randn(4)
g = torch.randn(4, requires_grad=True)
x, ones = torch.randn(4, requires_grad=True), torch.ones(4)
linear = torch.nn.Linear(4, 4)
rows, rows1 = torch.randn(1, 4), torch.ones(1, 4)
layers = [torch.nn.Linear(4, 4) for _ in range(100)]
m1, m2 = torch.randn(1000, 1000), torch.randn(1000, 1000)
big1, big2 = torch.randn(1_000_000), torch.randn(1_000_000)
hundred1, hundred2 = torch.randn(100), torch.randn(100)
square, s64 = torch.randn(1024, 1024), torch.randn(64, 64)
s256, s512 = torch.randn(256, 256), torch.randn(512, 512)
batches1, batches2 = torch.randn(64, 32, 32), torch.randn(64, 32, 32)
F = torch.nn.functional
activations, scale, shift = torch.randn(512, 768), torch.randn(768), torch.randn(768)
image, filters = torch.randn(1, 64, 56, 56), torch.randn(64, 64, 3, 3)
block = torch.nn.TransformerEncoderLayer(256, 4, 1024, dropout=0, batch_first=True, norm_first=True)
texts = torch.randn(8, 64, 256)
hidden, last = torch.nn.Linear(784, 128), torch.nn.Linear(128, 10)
sgd = torch.optim.SGD([*hidden.parameters(), *last.parameters()], lr=0.01)
images, labels = torch.randn(64, 784), torch.randint(0, 10, (64,))


def train():
    sgd.zero_grad()
    scores = last(torch.relu(hidden(images)))
    loss = F.nll_loss(torch.log_softmax(scores, 1), labels)
    loss.backward()
    sgd.step()


@functools.cache
def ten_million():
    return torch.randn(10_000_000)


def save():
    file = io.BytesIO()
    torch.save(ten_million(), file)
    return file


@functools.cache
def saved():
    return save().getvalue()


cases = {
    "torch.add(a, b), 4 elements": lambda: torch.add(a, b),
    "torch.add(a, b, alpha=2), 4 elements": lambda: torch.add(a, b, alpha=2),
    "x.add(1), 4 elements": lambda: a.add(1),
    "torch.mul(x, b), x requires grad": lambda: torch.mul(g, b),
    "torch.add(x, b), x requires grad": lambda: torch.add(g, b),
    "nn.Linear(4, 4) on (1, 4)": lambda: linear(rows),
    "100 chained mul(y, b), forward and backward": chain_mul,
    "100 chained Linear(4, 4), forward and backward": chain_linear,
    "add, 1000x1000 contiguous": lambda: torch.add(m1, m2),
    "add, 1000x1000 + transposed": lambda: torch.add(m1, m2.t()),
    "add, 1e6 elements": lambda: torch.add(big1, big2),
    "add, 100 elements": lambda: torch.add(hundred1, hundred2),
    "exp, 1e6 elements": lambda: torch.exp(big1),
    "tanh, 1e6 elements": lambda: torch.tanh(big1),
    "sum, 1e6 elements": lambda: torch.sum(big1),
    "softmax, 1024x1024": lambda: torch.softmax(square, 1),
    "mm, 64x64": lambda: torch.mm(s64, s64),
    "mm, 256x256": lambda: torch.mm(s256, s256),
    "mm, 512x512": lambda: torch.mm(s512, s512),
    "mm, 1024x1024": lambda: torch.mm(square, square),
    "bmm, 64x32x32": lambda: torch.bmm(batches1, batches2),
    "layer_norm, 512x768": lambda: F.layer_norm(activations, [768], scale, shift),
    "gelu, 512x768": lambda: F.gelu(activations),
    "gelu by tanh, 512x768": lambda: F.gelu(activations, approximate="tanh"),
    "conv2d, 64 channels of 56x56, 3x3": lambda: F.conv2d(image, filters, padding=1),
    "a Transformer block, 8x64x256": lambda: block(texts),
    "a step of training, 64x784-128-10": train,
    "save, 1e7 floats": save,
    "load, 1e7 floats": lambda: torch.load(io.BytesIO(saved())),
    "a step of training, LeNet, 32x1x16x16": lenet_step(),
    "a step of training, GPT, 16x32, 2 layers of 64": gpt_step(),
}
if __name__ == "__main__":
    print(json.dumps(torch.__version__), flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        torch.set_num_threads(question["threads"])
        case, seconds = cases[question["name"]], question.get("mean")
        print(json.dumps(measure(case) if seconds is None else mean_over(case, seconds)), flush=True)
