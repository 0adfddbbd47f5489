"""Guards: when compiled code may run again, which condition failed, and how a size becomes a symbol.

With its recording, here:  npm run python -- --trace guards.json walkthroughs/guards.py
In your own PyTorch:       python walkthroughs/guards.py
"""

import logging

import torch
import torch._dynamo
from torch._dynamo.testing import CompileCounter
from torch._dynamo.utils import counters

failures = []


def compile_and_watch(fn):
    """The function compiled, and a counter of its graphs. `failures` gets the reasons for each new compilation."""
    torch._dynamo.reset()
    counter = CompileCounter()
    failures.clear()
    watch = torch._dynamo.optimize(counter, guard_fail_fn=lambda failure: failures.append(failure.reason))
    return watch(fn), counter


def last_reason():
    """The first line of the newest reason, without the place that follows it."""
    return failures[-1].splitlines()[0].split("  #")[0].strip()


# ## Step 1. Equal kinds of arguments: one compilation
# The numbers of a tensor are no condition; the graph computes with whatever it gets. Its dtype, its rank, its device and whether it requires a gradient are conditions.
def scale(x, factor):
    return x * factor + 1


compiled, counter = compile_and_watch(scale)
for start in range(3):
    x = torch.arange(4.0) + start
    assert torch.equal(compiled(x, 2), scale(x, 2))
assert counter.frame_count == 1 and failures == []
print("three tensors of one kind:", counter.frame_count, "graph")

# ## Step 2. Another dtype: the first guard that fails is the reason
# The old code stays. A function has a list of compiled forms, and each call looks for one whose guards hold.
double = torch.ones(4, dtype=torch.float64)
assert compiled(double, 2).dtype == torch.float64
assert counter.frame_count == 2
print("reason:", last_reason())
assert last_reason() == "0/0: tensor 'x' dtype mismatch. expected Float, actual Double"
compiled(x, 2)
compiled(double, 2)
assert counter.frame_count == 2  # both forms are there now

# ## Step 3. Another size: the dimension becomes a symbol
# Dynamo remembers the sizes that it saw. At the second size of a dimension it does not make a form for that size, but one for all sizes from 2 on. So the third size is no news.
compiled, counter = compile_and_watch(scale)
compiled(torch.ones(4), 2)
compiled(torch.ones(5), 2)
print("reason:", last_reason())
assert counter.frame_count == 2
for size in (6, 7, 100):
    assert compiled(torch.ones(size), 2).shape == (size,)
assert counter.frame_count == 2
print("five sizes:", counter.frame_count, "graphs")

# Sizes 0 and 1 are never symbols. A tensor of size 1 may be expanded beside another one, so other operations would run.
compiled(torch.ones(1), 2)
assert counter.frame_count == 3
print("reason:", last_reason())

# ## Step 4. A number of Python is a constant at first
# 2 and 3 are two graphs, as two sizes are: first a constant, then an integer that varies.
compiled, counter = compile_and_watch(scale)
x = torch.ones(4)
compiled(x, 2)
compiled(x, 3)
print("reason:", last_reason())
compiled(x, 4)
compiled(x, 5)
assert counter.frame_count == 2
# Strings and booleans stay constants.
compiled(x, True)
assert counter.frame_count == 3


# ## Step 5. A question about a size becomes a guard
# With a symbol as size, `x.shape[0] > 8` has no fixed answer. Dynamo takes the answer for the size at hand, and the question itself becomes a guard.
def by_size(x):
    if x.shape[0] > 8:
        return x.sum()
    return x.mean()


compiled, counter = compile_and_watch(by_size)
compiled(torch.ones(4))
compiled(torch.ones(6))  # a symbol from now on, with `x.shape[0] <= 8`
compiled(torch.ones(8))
assert counter.frame_count == 2
assert compiled(torch.ones(9)).item() == 9.0
assert counter.frame_count == 3
compiled(torch.ones(200))
assert counter.frame_count == 3
print("three forms: one size, at most 8, more than 8")

# ## Step 6. Said in advance
# `mark_dynamic` asks for a symbol from the first call on; `dynamic=False` forbids symbols.
compiled, counter = compile_and_watch(scale)
first = torch.ones(4)
torch._dynamo.mark_dynamic(first, 0)
compiled(first, 2)
compiled(torch.ones(5), 2)
assert counter.frame_count == 1
counter = CompileCounter()
static = torch.compile(scale, backend=counter, dynamic=False)
torch._dynamo.reset()
for size in (4, 5, 6):
    static(torch.ones(size), 2)
print("dynamic=False, three sizes:", counter.frame_count, "graphs")
assert counter.frame_count == 3

# ## Step 7. The state of the library
# Some guards belong to no argument: the grad mode, the default dtype. They are part of what the graph means.
compiled, counter = compile_and_watch(scale)
compiled(x, 2)
with torch.no_grad():
    compiled(x, 2)
assert counter.frame_count == 2
print("reason:", last_reason())

# ## Step 8. An end of patience
# A function that would need a new form for each call would compile forever. After `recompile_limit` forms it runs as it is, with a warning (not shown here).
logging.disable(logging.WARNING)
compiled, counter = compile_and_watch(scale)
torch._dynamo.config.recompile_limit = 2
counters.clear()
for dtype in (torch.float32, torch.float64, torch.int32, torch.int64):
    assert compiled(torch.ones(4, dtype=dtype), 2).shape == (4,)
assert counter.frame_count == 2
torch._dynamo.config.recompile_limit = 8
print("with a limit of 2, four dtypes:", counter.frame_count, "graphs")
assert any("recompile_limit" in reason for reason in counters["unimplemented"])
