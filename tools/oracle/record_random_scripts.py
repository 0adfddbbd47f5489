"""Makes random TorchScript programs and records what PyTorch's compiler and interpreter do with them.

    python tools/oracle/record_random_scripts.py OUT.json.gz 2000 1 [SHARE]      (two thousand programs from the seed 1 on)
    python tools/oracle/record_random_scripts.py test/fixtures/torchscript/random_scripts.json.gz 100 1

`random_scripts/compare.py` compares. A program that ends PyTorch's process, or is slow, is left out; so are most of those that do not compile,
as SHARE says (0.25: a quarter of them stays).
"""

import gzip
import json
import os
import resource
import signal
import sys
import tempfile
import warnings
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent / "random_scripts"))
from outcome import outcome  # noqa: E402
from program import program  # noqa: E402


def apart(seed, text, folder):
    """The outcome, made by a process of its own; None if that ends early."""
    found = Path(folder) / "outcome.json"
    found.unlink(missing_ok=True)

    def write(name, text):
        path = Path(folder) / name
        path.write_text(text)
        return str(path)

    child = os.fork()
    if child == 0:
        signal.alarm(10)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        found.write_text(json.dumps(outcome(seed, text, write)))
        os._exit(0)
    os.waitpid(child, 0)
    try:
        return json.loads(found.read_text())
    except (OSError, ValueError):
        return None


def main(out, count, first, share="0.25"):
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    rows, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(int(first), int(first) + int(count)):
            text = program(seed)
            row = apart(seed, text, folder)
            if row is None:
                continue
            if "type" in row:
                failed += 1
                if failed * float(share) % 1 + float(share) < 1:
                    continue
            rows.append([seed, text, json.dumps(row)])
    with gzip.GzipFile(out, "wb", mtime=0) as file:
        file.write(json.dumps({"torch": torch.__version__, "script": "tools/oracle/record_random_scripts.py", "rows": rows}, separators=(",", ":")).encode())
    outcomes = [json.loads(row[2]) for row in rows]
    calls = [call for outcome in outcomes for call in outcome.get("calls", [])]
    print(f"{len(rows)} programs, {sum('type' in outcome for outcome in outcomes)} do not compile; {len(calls)} calls, {sum('type' in call for call in calls)} end with an error")


if __name__ == "__main__":
    main(*sys.argv[1:])
