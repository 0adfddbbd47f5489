"""Records what PyTorch's dispatcher makes of random sequences of registrations.

Each case: steps (def, impl, fallthrough, destroy), the computed table and the registrations afterwards, and what ran or was
raised when the operator was called with a few inputs, grad mode on and off. A kernel writes its key down and returns its argument.

    python tools/oracle/record_dispatch_fuzz.py [seed] [cases]      -> test/fixtures/dispatch_fuzz/seed<seed>.json.gz
"""

import gzip
import json
import os
import random
import re
import sys
import warnings

import torch

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

KEYS = """CPU CUDA Meta PrivateUse1 MkldnnCPU SparseCPU SparseCsrCPU QuantizedCPU BackendSelect Functionalize Conjugate Negative
ZeroTensor ADInplaceOrView AutogradOther AutogradCPU AutogradMeta AutogradPrivateUse1 Autograd Tracer AutocastCPU FuncTorchBatched
CompositeImplicitAutograd CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional""".split()
OFTEN = ["CPU", "AutogradCPU", "CompositeImplicitAutograd", "CompositeExplicitAutograd", "Autograd", "Meta"]


def steps_of(rng):
    keys = rng.sample(KEYS, rng.choice([0, 1, 1, 2, 2, 3, 4, 5]))
    keys += [k for k in rng.sample(OFTEN, rng.choice([0, 0, 1, 2])) if k not in keys]
    steps = [["fallthrough" if rng.random() < 0.2 else "impl", "op", key] for key in keys]
    rng.shuffle(steps)
    steps.insert(0 if rng.random() < 0.7 else rng.randrange(len(steps) + 1), ["def", "op(Tensor x) -> Tensor"])
    if keys and rng.random() < 0.3:
        steps.append(["destroy", rng.choice(keys)])
    return steps


def run(case, steps, torch_library):
    ns = f"fuzz_{case}"
    ran = []
    libs, errors, definition = {}, [], None
    for step in steps:
        try:
            if step[0] == "def":
                definition = torch_library.Library(ns, "FRAGMENT")
                definition.define(step[1])
            elif step[0] == "destroy":
                libs.pop(step[1])._destroy()
            else:
                key = step[2]
                lib = libs.setdefault(key, torch_library.Library(ns, "IMPL"))
                if step[0] == "fallthrough":
                    lib.impl("op", torch_library.fallthrough_kernel, key)
                else:
                    lib.impl("op", (lambda label: lambda x: (ran.append(label), x)[1])(key), key)
        except Exception as error:
            errors.append([step, type(error).__name__, str(error).replace(ns, "NS")])

    def clean(text):
        text = text.replace(ns, "NS")
        text = re.sub(r"registered at \S+?:\d+( :: \(none\))?", "registered at FILE", text)
        return re.sub(r"debug: .*", "debug: -", text).strip().split("\n")

    table = [re.sub(r"registered at FILE ", "", line) for line in clean(torch._C._dispatch_dump_table(f"{ns}::op"))]
    result = {"steps": steps, "errors": errors, "table": table, "dump": clean(torch._C._dispatch_dump(f"{ns}::op")), "calls": []}
    op = getattr(getattr(torch.ops, ns), "op")
    inputs = {
        "cpu": lambda: torch.ones(2),
        "cpu_requires_grad": lambda: torch.ones(2, requires_grad=True),
        "meta": lambda: torch.ones(2, device="meta"),
    }
    for name, make in inputs.items():
        for grad_mode in (True, False):
            ran.clear()
            call = {"input": name, "grad_mode": grad_mode}
            x = make()
            with torch.set_grad_enabled(grad_mode):
                try:
                    op(x)
                except Exception as error:
                    message = re.sub(r"registered at \S+?:\d+", "registered at FILE", str(error).replace(ns, "NS"))
                    call.update(error=type(error).__name__, message=message)
            call["ran"] = list(ran)
            result["calls"].append(call)
    for lib in [*libs.values(), definition]:
        lib._destroy()
    return result


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 20261121
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    rng = random.Random(seed)
    warnings.simplefilter("ignore")
    cases = [run(f"{seed}_{i}", steps_of(rng), torch.library) for i in range(count)]
    path = os.path.join(ROOT, f"test/fixtures/dispatch_fuzz/seed{seed}.json.gz")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as out:
        out.write(json.dumps({"torch": torch.__version__, "seed": seed, "cases": cases}).encode())
    print(path, os.path.getsize(path), sum(len(c["errors"]) for c in cases), "registrations refused")


main()
