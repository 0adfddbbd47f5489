"""Answers tools/oracle/fuzz.ts: one line of JSON asks, one line answers.

    {"inventory": {...}}                              -> {"calls": [names that both sides have]}
    {"write": seed, "length": n, "only": text|null}   -> {"program": ..., "record": ...}
    {"record": program}                               -> {"record": ...}, or {"broken": why} where a step lacks a value
"""

import json
import os
import resource
import sys
import warnings

import stderr
import torch
from schema import all_calls
from writer import Beyond, record, write

MEMORY = 2 << 30  # a size like 2**31 must be refused by the allocator, not tried


def main():
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "w")  # MKL prints what it refuses to stdout
    stderr.capture()
    os.dup2(2, 1)
    torch.set_num_threads(1)
    torch.set_warn_always(True)
    calls = {}
    for line in sys.stdin:
        asked = json.loads(line)
        if "inventory" in asked:
            warnings.simplefilter("ignore")
            calls = all_calls(asked["inventory"])
            answer = {"calls": list(calls)}
        elif "write" in asked:
            program = write(asked["write"], calls, asked["length"], asked["only"])
            answer = {"program": program, "record": record(program)}
        else:
            try:
                answer = {"record": record(asked["record"])}
            except (KeyError, Beyond) as error:
                answer = {"broken": repr(error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
