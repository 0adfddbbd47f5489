"""Records what torch.cuda.memory_summary prints for given counts.

    python tools/oracle/record_memory_summary.py test/fixtures/webgpu/memory_summary.json.gz

Rows [counts, abbreviated, text]. The counts are made up; they meet every unit, and its edges. test/torch/webgpu/memory_summary.test.ts prints the same.
"""

import gzip
import json
import random
import sys

import torch
from torch.cuda import memory

ARRAYS = "allocation segment active inactive_split allocated_bytes reserved_bytes active_bytes inactive_split_bytes requested_bytes".split()
COLUMNS = ("current", "peak", "allocated", "freed")
EDGES = [0, 1, 511, 749_999, 750_000, 786_431, 786_432, 805_306_367, 805_306_368, 750_000_000, 2**40, 2**50 + 2**49]


def counts(number):
    stats = {f"{a}.{pool}.{c}": number() for a in ARRAYS for pool in ("all", "large_pool", "small_pool") for c in COLUMNS}
    stats |= {f"{a}.{c}": number() for a in ("oversize_allocations", "oversize_segments") for c in COLUMNS}
    return stats | {"num_ooms": number() % 1000, "num_alloc_retries": number() % 1000}


def rows():
    rng = random.Random(7)
    made = [lambda k=k: k for k in EDGES]
    made += [lambda: rng.choice(EDGES)] * 4 + [lambda: int(2 ** rng.uniform(0, 50))] * 4
    for number in made:
        stats = counts(number)
        memory.memory_stats = lambda device, stats=stats: stats
        for abbreviated in (False, True):
            yield [stats, abbreviated, memory.memory_summary(0, abbreviated)]


if __name__ == "__main__":
    memory._get_device_index = lambda device, optional: device
    with gzip.GzipFile(sys.argv[1], "wb", mtime=0) as file:
        file.write(json.dumps({"torch": torch.__version__, "rows": list(rows())}).encode())
