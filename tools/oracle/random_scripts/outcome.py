"""What scripts do, under PyTorch and under the library alike: `python outcome.py IN.json OUT.json` runs the programs [[seed, text], ...] of IN and writes their outcomes."""

import contextlib
import io
import json
import os
import re
import sys
import warnings

import torch


def scrubbed(text):
    text = re.sub(r'File "[^"\n]*(p\d+\.py|<string>)"', r'File "\1"', text)
    text = re.sub(r"___torch_mangle_\d+\.", "", text)
    text = re.sub(r"# [^\s#]*(p\d+\.py:\d+:\d+)", r"# \1", text)
    return re.sub(r"\b0x[0-9a-f]+\b", "0x0", text)


def failure(error):
    return {"type": type(error).__name__, "message": scrubbed(str(error))}


def described(value):
    """A value as JSON: numbers keep their type, tensors their dtype and shape."""
    if isinstance(value, torch.Tensor):
        data = value.detach().reshape(-1).tolist()
        return {"tensor": str(value.dtype), "shape": list(value.shape), "data": [repr(item) if item != item or item in (float("inf"), float("-inf")) or isinstance(item, complex) else item for item in data]}
    if isinstance(value, tuple):
        return {"tuple": [described(item) for item in value], "name": type(value).__name__}
    if isinstance(value, list):
        return [described(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[described(key), described(item)] for key, item in value.items()]}
    if isinstance(value, float):
        return {"float": repr(value)}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if hasattr(value, "items") and hasattr(value, "spare"):
        return {"box": [described(value.value), described(value.spare), described(value.items)]}
    return {"repr": scrubbed(repr(value))}


def outcome(seed, text, write):
    """Schema, code and graph of the script, or its error; then the result, the changed arguments and the printed text of each call."""
    name = f"p{seed}"
    module = type(sys)(name)
    module.__file__ = write(name + ".py", text)
    sys.modules[name] = module
    try:
        exec(compile(text, module.__file__, "exec"), module.__dict__)
        script = torch.jit.script(module.f)
    except Exception as error:
        return failure(error)
    finally:
        del sys.modules[name]
    made = {"schema": scrubbed(str(script.schema)), "code": scrubbed(script.code), "graph": scrubbed(str(script.graph)), "calls": []}
    for arguments in module.arguments():
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                call = {"result": described(script(*arguments))}
            except Exception as error:
                call = failure(error)
        made["calls"].append({**call, "printed": scrubbed(out.getvalue()), "after": described(arguments)})
    return made


def outcome_text(seed, text, folder):
    """The outcome of a program, as JSON. Its file stands in the folder meanwhile, for the errors that show lines of it."""

    def write(name, text):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    return json.dumps(outcome(seed, text, write))


def main(source, target):
    warnings.simplefilter("ignore")
    with open(source) as file:
        programs = json.load(file)
    with open(target, "w") as file:
        for seed, text in programs:
            file.write(json.dumps([seed, outcome_text(seed, text, os.path.dirname(target))]) + "\n")
            file.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
