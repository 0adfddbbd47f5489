"""Records what `torch.jit.script` makes of modules of torch.nn, and what a call of the script gives.

    python tools/oracle/record_scripted_modules.py test/fixtures/torchscript/scripted_modules.json.gz

For each row of scripted_modules/cases.py: graph and code of the forward of each of its modules, without source ranges, and the results: of a tensor the sum and
the first numbers, with six digits. Or the error.
"""

import json
import math
import re
import sys
import warnings
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent / "scripted_modules"))
from cases import cases, filled  # noqa: E402


def scrubbed(text):
    """Without what depends on the rows before or on the run: numbers of mangled names and of warnings, addresses, places in files."""
    text = re.sub(r" at 0x[0-9a-f]+", " at 0x0", text)
    text = re.sub(r"___torch_mangle_\d+\.", "", text)
    text = re.sub(r"warn_id=\d+", "warn_id=0", text)
    return re.sub(r" # [^\n\"]*:\d+:\d+(?=\n|$)", "", text)


def number(value):
    """A number with six digits; one that JSON does not know is a text."""
    value = float(f"{value:.6g}")
    return value if math.isfinite(value) else repr(value)


def described(value):
    if isinstance(value, torch.Tensor):
        data = value.detach().reshape(-1).tolist()
        return {"tensor": str(value.dtype), "shape": list(value.shape), "sum": number(sum(data)), "data": [number(item) for item in data[:24]]}
    if isinstance(value, (tuple, list)):
        return [described(item) for item in value]
    return value


def own(value):
    """Tensors of this row alone: rows share their arguments, and a module that writes into its own would change those of the next one."""
    if isinstance(value, torch.Tensor):
        return value.clone()
    return type(value)(own(item) for item in value) if isinstance(value, (tuple, list)) else value


def outcome(name):
    module, *arguments = (own(each) for each in cases[name])
    module = filled(module)
    try:
        script = torch.jit.script(module)
    except Exception as error:
        return {"type": type(error).__name__, "message": scrubbed(str(error)).split("\n")[0]}
    forwards = [m for m in script.modules() if m._c._has_method("forward")]
    made = {"graphs": [scrubbed(str(m.graph)) for m in forwards], "codes": [scrubbed(m.code) for m in forwards]}
    try:
        made["result"] = described(script(*arguments))
    except Exception as error:
        made["error"] = {"type": type(error).__name__, "message": str(error).strip().split("\n")[-1]}
    return made


def outcome_text(name):
    return json.dumps(outcome(name))


def main(out):
    import gzip  # the library's own Python has no such module

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    rows = {name: outcome(name) for name in cases}
    text = json.dumps({"torch": torch.__version__, "script": "tools/oracle/record_scripted_modules.py", "rows": rows}, separators=(",", ":"))
    with gzip.GzipFile(out, "wb", mtime=0) as file:
        file.write(text.encode())
    print(f"{len(rows)} modules, {sum('type' in row for row in rows.values())} do not compile, {sum('error' in row for row in rows.values())} calls fail")


if __name__ == "__main__":
    main(*sys.argv[1:])
