"""Records what the programs of tools/oracle/printed print with PyTorch 2.13.0.

    python tools/oracle/record_printed.py test/fixtures/python/printed.json.gz [SEED]

`programs`: name, arguments, and the lines, which are JSON. `different` names the expressions whose text is another one in glasstorch, and why.
"""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import torch

SEED = sys.argv[2] if len(sys.argv) > 2 else "1"
PROGRAMS = [("tensors", [SEED, "300"]), ("objects", []), ("borders", [])]

OBJECT = "the text names another kind of object"
BUILD = "PyTorch names its build or its memory"
NUMBERS = "JavaScript has one kind of number, and a plain dict for a Counter"
DIFFERENT = {
    **dict.fromkeys(["torch.ones(2,requires_grad=True).numpy", "nn", "torch", "optim", "torch.FloatTensor", "torch.jit.script(1)", "torch.device()", "type(torch.ones(1,requires_grad=True).mul(2).grad_fn)"], OBJECT),
    "torch.__version__": BUILD,
    **dict.fromkeys(["torch.UntypedStorage(2)", "torch.storage.TypedStorage(2)"], BUILD),
    **dict.fromkeys(
        [f"lrs.{text}.state_dict()".replace("OPT", f"optim.SGD([nn.Parameter(torch.ones(2))], lr={lr})") for lr in ("1", "0.5") for text in ("MultiStepLR(OPT, [1, 3])", "OneCycleLR(OPT, 1, 10)", "CyclicLR(OPT, 0, 1, cycle_momentum=False)")],
        NUMBERS,
    ),
    "lrs.CosineAnnealingWarmRestarts(optim.SGD([nn.Parameter(torch.ones(2))], lr=1), 3).state_dict()": NUMBERS,
    "optim.Adam([nn.Parameter(torch.ones(2))], lr=1, betas=(0, 0.5), amsgrad=True)": NUMBERS,
    "torch.per_tensor_affine": "there are no quantized tensors",
    "torch.get_printoptions()": "torch has this name here",
}


def lines(name, args):
    path = Path(__file__).parent / "printed" / f"{name}.py"
    done = subprocess.run([sys.executable, "-W", "ignore", str(path), *args], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.strip().split("\n")]


def main(path):
    programs = [{"name": name, "args": args, "rows": lines(name, args)} for name, args in PROGRAMS]
    known = {row["text"] for program in programs for row in program["rows"]}
    unknown = [text for text in DIFFERENT if text not in known]
    if unknown:
        raise SystemExit(f"no such expressions: {unknown}")
    data = {"torch": torch.__version__, "script": "tools/oracle/record_printed.py", "programs": programs, "different": DIFFERENT}
    with open(path, "wb") as file:
        file.write(gzip.compress(json.dumps(data, indent=0).encode(), mtime=0))
    print([len(program["rows"]) for program in programs])


if __name__ == "__main__":
    main(sys.argv[1])
