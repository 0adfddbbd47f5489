"""Records the bytes of PyTorch 2.13.0's CPU generator after some programs, and what it draws from there.

    python tools/oracle/record_random.py test/fixtures/testing/random.json.gz

`states`: [TypeScript, Python, state in base64, numbers drawn next]. `calls`: [TypeScript, Python, value or [error, message]].
test/torch/random.test.ts runs the TypeScript.
"""

import base64
import gzip
import json
import os
import re
import sys

import torch

PROGRAMS = [
    "torch.manual_seed(7)",
    "torch.manual_seed(3); torch.randn(3)",  # half a Box-Muller pair waits
    "torch.manual_seed(3); torch.rand(700)",  # past the first twist
    "torch.manual_seed(11); torch.randint(0, 100, [5]); torch.randperm(7); torch.randn(20)",
]

CALLS = [
    ("torch.manual_seed(1.5).initial_seed()",) * 2,
    ("torch.manual_seed(-1).initial_seed()",) * 2,
    ("torch.manual_seed(torch.tensor(3)).initial_seed()",) * 2,
    ("torch.manual_seed(true).initial_seed()", "torch.manual_seed(True).initial_seed()"),
    ("torch.manual_seed(18446744073709551616n)", "torch.manual_seed(2**64)"),
    ("torch.manual_seed(-9223372036854775809n)", "torch.manual_seed(-2**63-1)"),
    ("torch.manual_seed(null)", "torch.manual_seed(None)"),
    ("torch.manual_seed([1])",) * 2,
    ("torch.manual_seed(NaN)", "torch.manual_seed(float('nan'))"),
    ("torch.manual_seed(Infinity)", "torch.manual_seed(float('inf'))"),
    ("torch.manual_seed(1e30)",) * 2,
    ("(torch.manual_seed(5), torch.initial_seed())",) * 2,
    ("torch.seed() === torch.initial_seed()", "torch.seed() == torch.initial_seed()"),
    ("g.manual_seed(1.5)",) * 2,
    ("g.manual_seed('a')",) * 2,
    ("g.get_offset()",) * 2,
    ("g.set_offset(1)",) * 2,
    ("g.set_offset('a')",) * 2,
    ("g.graphsafe_get_state()",) * 2,
    ("g.graphsafe_set_state(g)",) * 2,
    ("g.graphsafe_set_state(3)",) * 2,
    ("g.set_state(5)",) * 2,
    ("torch.set_rng_state(null)", "torch.set_rng_state(None)"),
    ("torch.set_rng_state(torch.zeros(5056))",) * 2,
    ("torch.set_rng_state(torch.zeros(5056, {dtype: torch.uint8}))", "torch.set_rng_state(torch.zeros(5056, dtype=torch.uint8))"),
    ("g.clone_state().initial_seed()",) * 2,
    ("g.manual_seed(4).clone_state().initial_seed()",) * 2,
    ("fork()",) * 2,
    ("fork({enabled: false})", "fork(enabled=False)"),
    ("fork({device_type: 'meta'})", "fork(device_type='meta')"),
    ("fork({device_type: 'foo'})", "fork(device_type='foo')"),
    ("fork([])",) * 2,
    ("fork([0])",) * 2,
    ("fork([0], {device_type: 'cpu'})", "fork([0], device_type='cpu')"),
    ("fork([], {device_type: 'cpu'})", "fork([], device_type='cpu')"),
    ("fork([0], {enabled: false})", "fork([0], enabled=False)"),
]

BEYOND_2_53 = [
    "randint(2n**53n+1n, 2n**53n+2n, [3], {generator: g})",
    "randint(2n**53n+1n, 2n**53n+9n, [9], {generator: g})",
    "randint(2n**53n-2n, 2n**53n+9n, [9], {generator: g})",
    "randint(-(2n**53n)-9n, -(2n**53n)+9n, [9], {generator: g})",
    "randint(2n**63n-1n, [5], {generator: g})",
    "randint(-(2n**63n), 2n**63n-1n, [5], {generator: g})",
    "randint(2n**63n-2n, 2n**63n-1n, [2], {generator: g})",
    "randint(-(2n**63n), 2n**63n, [5], {generator: g})",
    "randint(2n**53n+2n, 2n**53n+1n, [5], {generator: g})",
    "randint(2n**53n+1n, 2n**53n+9n, [9], {generator: g, dtype: torch.float64}).long()",
    "randint(2n**60n+1n, 2n**60n+2n**40n, [9], {generator: g, dtype: torch.float32}).long()",
    "randint(2n**53n+1n, 2n**53n+9n, [9], {generator: g, dtype: torch.uint64})",
    "randint(2n**53n+1n, 2n**53n+9n, [9], {generator: g, dtype: torch.int32})",
    "randint_like(torch.arange(5), torch.tensor(2n**53n+1n), {generator: g})",
    "arange(5).random_(2n**60n+1n, 2n**60n+3n, {generator: g})",
    "arange(5).random_(2n**60n+1n, null, {generator: g})",
    "arange(5).random_(-(2n**63n), null, {generator: g})",
    "arange(5).random_(torch.tensor(2n**60n+1n), torch.tensor(2n**60n+3n), {generator: g})",
]


def in_python(ts):
    """`[9], {dtype: torch.int32}` and `2n` are `[9], dtype=torch.int32` and `2`."""
    return re.sub(r"(\d)n\b", r"\1", ts).replace("{", "").replace("}", "").replace(": ", "=").replace("null", "None")


CALLS += [(f"String(torch.{ts}.tolist())", f"','.join(map(str, torch.{in_python(ts)}.tolist()))") for ts in BEYOND_2_53]


def fork(*args, **kwargs):
    """Whether the draws inside are forgotten."""
    torch.manual_seed(9)
    first = torch.rand(1).item()
    torch.manual_seed(9)
    with torch.random.fork_rng(*args, **kwargs):
        torch.rand(5)
    return torch.rand(1).item() == first


def call(python):
    try:
        value = eval(python, {"torch": torch, "g": torch.Generator(), "fork": fork})
        value = value[1] if isinstance(value, tuple) else value
        return str(value) if isinstance(value, int) and abs(value) > 2**53 else value
    except Exception as error:  # whatever it is, it is the answer
        return [type(error).__name__, str(error).split("\n")[0]]


def main(path):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    states = []
    for program in PROGRAMS:
        exec(program)
        state = torch.get_rng_state()
        drawn = [*torch.randn(3).tolist(), *torch.rand(700)[-2:].tolist(), *torch.randint(0, 1000, [4]).tolist()]
        states.append([program, program, base64.b64encode(bytes(state.tolist())).decode(), drawn])
    calls = [[ts, python, call(python)] for ts, python in CALLS]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = {"torch": torch.__version__, "script": "tools/oracle/record_random.py", "states": states, "calls": calls}
    with open(path, "wb") as f:
        f.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print(len(states), "states,", len(calls), "calls")


if __name__ == "__main__":
    main(sys.argv[1])
