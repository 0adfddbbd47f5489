"""Records PyTorch 2.13.0's floor division of float32: every pair of awkward values, random ones of all magnitudes, and quotients near integers.

    python tools/oracle/record_floor_division.py test/fixtures/native/floor_division.json.gz

The elements are bytes in base64, little-endian. The seed is fixed: the same script gives the same file.
"""

import base64
import gzip
import json
import sys

import torch

torch.manual_seed(1)
torch.set_num_threads(1)
INF, NAN = float("inf"), float("nan")
AWKWARD = torch.tensor([NAN, INF, 0.0, 1.0, 0.5, 0.1, 0.3, 2.5, 3.0, 7.0, 1e-3, 1e-10, 100.25, 16777217.0, 33554432.0, 1e10, 1e-40, 2.0**-149,
                        1e38, 3.4e38])
AWKWARD = torch.cat([AWKWARD, -AWKWARD])
a, b = (x.flatten() for x in torch.meshgrid(AWKWARD, AWKWARD, indexing="ij"))
n = 4096
anything = torch.randint(-(2**31), 2**31, (2, n), dtype=torch.int64).to(torch.int32).view(torch.float32)
moderate = torch.randn(2, n) * 10 ** torch.empty(2, n).uniform_(-5, 5)
divisor = torch.randn(n)
near = divisor * torch.randint(-1000, 1000, (n,))
large = divisor * torch.randint(-(2**26), 2**26, (n,))
a = torch.cat([a, anything[0], moderate[0], near, large])
b = torch.cat([b, anything[1], moderate[1], divisor, divisor])
out = torch.div(a, b, rounding_mode="floor")


def encode(x):
    return base64.b64encode(x.numpy().tobytes()).decode()


record = {"torch": torch.__version__, "a": encode(a), "b": encode(b), "floor": encode(out)}
with open(sys.argv[1], "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", mtime=0, filename="") as z:
    z.write(json.dumps(record).encode())
