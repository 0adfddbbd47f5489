"""What the programs of the gallery share: what a run tells, and what it prints when a program is run alone, on one thread."""

import statistics
import sys
import time

import torch


def quiet(losses):
    """Nobody listens."""


def sums(net):
    """name -> [sum, sum of magnitudes] of each parameter and buffer, added in float64."""
    named = [*net.named_parameters(), *net.named_buffers()]
    return {name: [value.double().sum().item(), value.abs().double().sum().item()] for name, value in named}


def main(run):
    """`python gallery/pytorch/NAME.py [STEPS]`: a few losses, what else came of it, and the time of a step."""
    torch.set_num_threads(1)
    marks = [time.perf_counter()]
    arguments = {} if len(sys.argv) < 2 else {"steps": int(sys.argv[1])}
    outcome = run(**arguments, on_step=lambda losses: marks.append(time.perf_counter()))
    losses = outcome.pop("losses", [])
    for step in sorted({1, 2, 5, *range(10, len(losses) + 1, max(10, len(losses) // 100 * 10)), len(losses)} & set(range(1, len(losses) + 1))):
        print(f"{step:6}  {losses[step - 1]:.6f}")
    outcome.pop("parameters")
    for name, value in outcome.items():
        print(f"{name}: {value}" if not isinstance(value, str) else f"{name}:\n{value}")
    print(f"{statistics.median(b - a for a, b in zip(marks, marks[1:])) * 1e3:.2f} ms a step")
