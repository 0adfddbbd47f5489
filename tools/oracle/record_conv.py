"""Records which backend real PyTorch selects for the convolutions of walkthroughs/conv.ts, on the CPU with one thread.

    python tools/oracle/record_conv.py walkthroughs/recorded/conv.json
"""

import json
import sys

import torch

torch.set_num_threads(1)
FLAT = {"stride": 1, "padding": 0, "dilation": 1, "output_padding": 0, "groups": 1, "transposed": False}
CASES = {
    "two images": ([2, 3, 8, 8], [4, 3, 3, 3], {}),
    "one small image": ([1, 3, 8, 8], [4, 3, 3, 3], {}),
    "one large image": ([1, 3, 90, 90], [4, 3, 3, 3], {}),
    "one image, kernel 5 by 5": ([1, 3, 8, 8], [4, 3, 5, 5], {}),
    "one image, groups=3": ([1, 3, 8, 8], [6, 1, 3, 3], {"groups": 3}),
    "two images, kernel 1 by 1": ([2, 3, 8, 8], [4, 3, 1, 1], {}),
    "the same, stride=2": ([2, 3, 8, 8], [4, 3, 1, 1], {"stride": 2}),
    "two images, float64": ([2, 3, 8, 8], [4, 3, 3, 3], {"dtype": "float64"}),
    "float64, dilation=2": ([2, 3, 8, 8], [4, 3, 3, 3], {"dtype": "float64", "dilation": 2}),
    "one small image, bfloat16": ([1, 3, 8, 8], [4, 3, 3, 3], {"dtype": "bfloat16"}),
    "transposed": ([2, 3, 8, 8], [3, 4, 3, 3], {"transposed": True}),
    "transposed, float64": ([2, 3, 8, 8], [3, 4, 3, 3], {"transposed": True, "dtype": "float64"}),
    "volumes, float64": ([2, 3, 8, 8, 8], [4, 3, 3, 3, 3], {"dtype": "float64"}),
    "no image at all": ([0, 3, 8, 8], [4, 3, 3, 3], {}),
}

backends = {}
for name, (input, weight, given) in CASES.items():
    dtype = getattr(torch, given.get("dtype", "float32"))
    spatial = len(input) - 2
    o = FLAT | given
    lists = [[o[k]] * spatial for k in ("stride", "padding", "dilation")]
    backend = torch._C._select_conv_backend(
        torch.zeros(input, dtype=dtype), torch.zeros(weight, dtype=dtype), None, *lists, o["transposed"], [o["output_padding"]] * spatial, o["groups"]
    )
    backends[name] = None if backend.name == "???" else backend.name  # Python has no name for some

with open(sys.argv[1], "w") as file:
    json.dump({"torch": torch.__version__.split("+")[0], "backends": backends}, file, indent=1)
    file.write("\n")
