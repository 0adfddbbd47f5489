"""One function, captured in every way that PyTorch has: what each one records, and what it loses.

With its recording, here:  npm run python -- --trace seven_captures.json walkthroughs/seven_captures.py
In your own PyTorch:       python walkthroughs/seven_captures.py
"""

import contextlib
import io
import logging
import warnings

import torch
import torch._dynamo
import torch._lazy
import torch._lazy.metrics as metrics
import torch._lazy.ts_backend
import torch.fx
from torch.fx.experimental.proxy_tensor import make_fx

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)  # PyTorch logs a graph that it refuses
torch._lazy.ts_backend.init()


# ## Step 1. One function, and four switches
# The plain function is one line. Each switch adds one line that a graph may not be able to hold. (A scripted function cannot take another function's text, so each program is written out.)
def plain(x):
    return x * 2


def data_branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


def shape_branch(x):
    if x.shape[0] > 3:
        return x * 2
    return x - 1


def with_print(x):
    print("ran")
    return x * 2


def loop(x):
    for i in range(x.shape[0]):
        x = x + i
    return x


PROGRAMS = [plain, data_branch, shape_branch, with_print, loop]
small = torch.tensor([1.0, 2.0, 3.0])
other = {  # the second call takes the other way: another sign, another size
    plain: torch.tensor([4.0, 5.0, 6.0]),
    data_branch: torch.tensor([-1.0, -2.0, -3.0]),
    shape_branch: torch.ones(5),
    with_print: torch.tensor([4.0, 5.0, 6.0]),
    loop: torch.ones(5),
}


# ## Step 2. The columns
# Each capture takes the function and an example, and gives a callable. Three of them run the function once with stand-ins (fx, make_fx, export), one runs it with the real tensors and watches (trace), one reads its text (script),
# one reads its instructions (compile). The seventh is a device (lazy): its operators write down what is to be computed, and a read computes it; so there is no capture before the call. Eager captures nothing.
def by_export(fn, x):
    class Module(torch.nn.Module):
        def forward(self, x):
            return fn(x)

    return torch.export.export(Module(), (x,)).module()


CAPTURES = {
    "eager": lambda fn, x: fn,
    "script": lambda fn, x: torch.jit.script(fn),
    "trace": lambda fn, x: torch.jit.trace(fn, (x,), check_trace=False),
    "fx": lambda fn, x: torch.fx.symbolic_trace(fn),
    "make_fx": lambda fn, x: make_fx(fn)(x),
    "export": by_export,
    "compile": lambda fn, x: torch.compile(fn, backend="eager"),
    "lazy": lambda fn, x: lambda x: fn(x.to("lazy")).cpu(),
}


def printed(run):
    """What `run` returned or raised, and how often it printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            result, error = run(), None
        except Exception as raised:
            result, error = None, raised
    return result, error, out.getvalue().count("ran")


def cell(capture, fn):
    """One cell of the table: what a call with other values gives."""
    torch._dynamo.reset()
    captured, error, at_capture = printed(lambda: CAPTURES[capture](fn, small))
    if error is not None:
        return "refuses"
    first, error, _ = printed(lambda: captured(small))
    assert error is None and torch.equal(first, printed(lambda: fn(small))[0])  # the example itself is right everywhere
    result, error, at_call = printed(lambda: captured(other[fn]))
    if error is not None:
        return "stops"
    if not torch.equal(result, printed(lambda: fn(other[fn]))[0]):
        return "wrong"
    return "silent" if fn is with_print and at_call == 0 else "right"


# ## Step 3. The table
# `refuses`: there is no capture. `stops`: a check of the captured program says that this call does not fit. `wrong`: the call gives another number than the function, and nothing says so. `silent`: the number is right, and the text
# is not printed.
table = {fn.__name__: {capture: cell(capture, fn) for capture in CAPTURES} for fn in PROGRAMS}
print(f"{'':14}" + "".join(f"{capture:10}" for capture in CAPTURES).rstrip())
for name, row in table.items():
    print(f"{name:14}" + "".join(f"{row[capture]:10}" for capture in CAPTURES).rstrip())


def row(name):
    return " ".join(table[name].values())


assert row("plain") == "right right right right right right right right"

# ## Step 4. A branch on a value
# `trace` keeps the side that the example took; it warns while it records, and is silent later. The stand-ins of fx, make_fx and export have no value to ask. Script has both sides, because it read the text. compile ends its graph
# before the question, and Python answers it. A lazy tensor is asked, too: the question is a read, so the graph ends there and is computed, and the answer is a number.
#             eager script trace fx make_fx export compile lazy
assert row("data_branch") == "right right wrong refuses refuses refuses right right"
script_kinds = [node.kind() for node in torch.jit.script(data_branch).graph.nodes()]
assert script_kinds.count("prim::If") == 1
traced = torch.jit.trace(data_branch, (small,), check_trace=False)
assert "prim::If" not in str(traced.graph) and "aten::sub" not in str(traced.graph)
assert torch._dynamo.explain(data_branch)(small).graph_break_count == 1


def lazy_graphs(fn, x):
    """How many graphs one call on lazy tensors has computed."""
    computed = lambda: sum(metrics.counter_value(name) or 0 for name in ("UncachedCompile", "CachedCompile"))
    before = computed()
    fn(x.to("lazy")).cpu()
    return computed() - before


assert lazy_graphs(plain, small) == 1
assert lazy_graphs(data_branch, small) == 2  # cut at the question, and at the end

# ## Step 5. A branch on a shape
# make_fx and export know sizes: their stand-ins have them. So both take one side. make_fx forgets that it did; export writes down for which sizes the program is right, and checks them at each call. compile guards, and captures again. For fx a size is one more
# unknown. A lazy tensor knows its size without being computed: the question does not cut, and the next call asks again.
assert row("shape_branch") == "right right wrong refuses wrong stops right right"
assert lazy_graphs(shape_branch, small) == 1
exported = by_export(shape_branch, small)
try:
    exported(torch.ones(5))
except Exception as error:
    print("export stops:", type(error).__name__)

# ## Step 6. A loop of Python
# The same reasons: a loop over a size is unrolled by whoever knows the size. Script keeps it as a loop. The lazy graph of each call has as many additions as this call had rounds; another size is another graph, which is compiled once.
assert row("loop") == "right right wrong refuses wrong stops right right"
unrolled = [node.name for node in make_fx(loop)(small).graph.nodes if node.op == "call_function"]
assert unrolled == ["add", "add_1", "add_2"]  # three rounds for three elements
assert "prim::Loop" in str(torch.jit.script(loop).graph)
for rounds in (3, 5):
    nodes = torch._C._lazy._get_tensors_text([loop(torch.ones(rounds).to("lazy"))])
    assert nodes.count("aten::add") == rounds

# ## Step 7. A line that only does something: when does it run?
# `print` gives no value, so nothing of it is in a graph of tensors. It runs when the capture runs the function, and never again. Script has an operator for it. compile leaves it to Python, between two graphs. With lazy tensors Python runs the whole function at
# every call, and only the operators wait.
assert row("with_print") == "right right silent silent silent silent right right"


def when(capture):
    """How often the line ran: at the capture, at the first call, at the second."""
    torch._dynamo.reset()
    captured, _, at_capture = printed(lambda: CAPTURES[capture](with_print, small))
    return at_capture, printed(lambda: captured(small))[2], printed(lambda: captured(small))[2]


times = {capture: when(capture) for capture in CAPTURES}
for capture in ("eager", "script", "compile", "lazy"):
    assert times[capture] == (0, 1, 1), capture
for capture in ("trace", "fx", "make_fx"):
    assert times[capture] == (1, 0, 0), capture
assert times["export"][0] >= 1 and times["export"][1:] == (0, 0)
print("print ran (capture, call, call):", {capture: times[capture] for capture in ("script", "trace", "fx", "compile", "lazy")})

# ## Step 8. What a second call costs
# A captured program is called again without the function. compile checks its guards first. With lazy tensors the function runs again and makes its nodes again; their hash finds the compiled graph, so only the compilation is saved.
misses, hits = metrics.counter_value("UncachedCompile"), metrics.counter_value("CachedCompile") or 0
CAPTURES["lazy"](plain, small)(other[plain])
assert metrics.counter_value("UncachedCompile") == misses
assert metrics.counter_value("CachedCompile") == hits + 1
