"""Compares outcomes of random scripts: `python compare.py RECORDED.json.gz OURS.json` reads what the recorder and `outcome.py` wrote.

Graphs and codes may number values otherwise, so they are counted apart.
"""

import json
import sys
from collections import defaultdict


def close(a, b):
    """Floats of tensors may differ in their last digits, other values must be equal."""
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-5 + 1e-4 * abs(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict) and "float" in a and "float" in b:
        x, y = float(a["float"]), float(b["float"])
        return x == y or (x != x and y != y) or abs(x - y) <= 1e-12 * abs(y)
    if isinstance(a, dict):
        return sorted(a) == sorted(b) and all(close(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))
    return a == b


def differences(recorded, ours):
    """What differs between two outcomes, given as JSON: [what, PyTorch's, ours] each."""
    recorded, ours = json.loads(recorded), json.loads(ours)
    if "type" in recorded or "type" in ours:
        return [] if recorded == ours else [["compile", recorded.get("message"), ours.get("message")]]
    found = [["schema", recorded["schema"], ours["schema"]]] if recorded["schema"] != ours["schema"] else []
    for i, (a, b) in enumerate(zip(recorded["calls"], ours["calls"])):
        for key in sorted({*a, *b}):
            if not close(a.get(key), b.get(key)):
                found.append([f"call {i}: {key}", a.get(key), b.get(key)])
    return found


def main(recorded, ours):
    import gzip  # the library's own Python has no such module, and takes `differences` only

    with gzip.open(recorded) as file:
        rows = json.load(file)["rows"]
    with open(ours) as file:
        found = dict(json.loads(line) for line in file)
    seeds = defaultdict(list)
    for seed, _, outcome in rows:
        if seed not in found:
            seeds["missing"].append(seed)
            continue
        for what, a, b in differences(outcome, found[seed]):
            seeds["differ"].append(seed)
            print(f"seed {seed}, {what}\n  PyTorch {a}\n  ours    {b}")
        a, b = json.loads(outcome), json.loads(found[seed])
        for key in ("graph", "code"):
            if "type" not in a and a[key] != b.get(key):
                seeds[f"other {key}"].append(seed)
    print(f"{len(rows)} programs", *(f"{len(set(of))} {what}: {sorted(set(of))}" for what, of in seeds.items()), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
