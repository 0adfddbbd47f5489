"""Records what PyTorch's dispatch keys are: order, bits, table order, alias membership, parsable names, promotion table.

Run with the PyTorch that is the reference:  python tools/oracle/record_dispatch_facts.py
Writes test/fixtures/dispatch/facts.json.gz.
"""

import gzip
import io
import json
import pathlib

import torch

C = torch._C
PER_BACKEND = {"Dense": "", "Quantized": "Quantized", "Sparse": "Sparse", "SparseCsr": "SparseCsr",
               "NestedTensor": "NestedTensor", "AutogradFunctionality": "Autograd"}
OLD_SPELLINGS = ["CatchAll", "CPUTensorId", "CUDATensorId", "DefaultBackend", "PrivateUse1_PreAutograd",
                 "PrivateUse2_PreAutograd", "PrivateUse3_PreAutograd", "Autocast"]


def key(value):
    """A DispatchKey by number; the enum that Python sees lacks some names, the values work all the same."""
    return C.DispatchKey(value)


def name(value):
    return C._dispatch_key_name(key(value))


def raw(keyset):
    return hex(keyset.raw_repr())


END_OF_FUNCTIONALITY = 47
FIRST_RUNTIME, LAST_RUNTIME = 49, 149
FIRST_ALIAS, LAST_ALIAS = 150, 155

functionality = [name(v) for v in range(END_OF_FUNCTIONALITY)]
runtime = {}
value = FIRST_RUNTIME - 1
for block in PER_BACKEND:
    for backend in range(1, C._dispatch_num_backends() + 1):
        runtime[name(value + backend)] = value + backend
    value += C._dispatch_num_backends() + 1
aliases = {name(v): v for v in range(FIRST_ALIAS, LAST_ALIAS + 1)}
values = {**{n: v for v, n in enumerate(functionality)}, **runtime, **aliases}

# The table's order: functionality by functionality; a per-backend one has a slot for each backend.
backends = list(runtime)[: C._dispatch_num_backends()]
slots = ["Undefined"]
for n in functionality[1:]:
    if n in PER_BACKEND:
        slots += [PER_BACKEND[n] + backend for backend in backends]
    else:
        slots.append(n)

members = {a: [n for n in slots if n != "Undefined" and C._dispatch_is_included_in_alias(key(values[n]), key(v))]
           for a, v in aliases.items()}
autograd_backends = {n: raw(C._dispatch_get_backend_keyset_from_autograd(key(v)))
                     for n, v in values.items() if n.startswith("Autograd") and n not in aliases}

dtypes = ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32", "complex64",
          "complex128", "bool", "bfloat16", "uint16", "uint32", "uint64", "float8_e5m2", "qint8"]


def promote(a, b):
    try:
        return str(torch.promote_types(getattr(torch, a), getattr(torch, b))).removeprefix("torch.")
    except RuntimeError as error:
        return "error: " + str(error)


with torch.inference_mode():
    inference_tensor = torch.ones(2)

facts = {
    "torch": torch.__version__,
    "values": values,
    "raw": {n: raw(C.DispatchKeySet(key(v))) for n, v in values.items()},
    "fullAfter": {n: raw(C._dispatch_keyset_full_after(key(v))) for n, v in values.items()
                  if n not in aliases and n != "Undefined"},
    "full": raw(C._dispatch_keyset_full()),
    "autogradother_backends": raw(C._dispatch_autogradother_backends),
    "slots": slots,
    "aliasMembers": members,
    "backendsOfAutograd": autograd_backends,
    "parsable": [n for n in [*values, *OLD_SPELLINGS] if C._parse_dispatch_key(n) is not None],
    "tensors": {
        "cpu": raw(C._dispatch_keys(torch.ones(2))),
        "meta": raw(C._dispatch_keys(torch.ones(2, device="meta"))),
        "inference": raw(C._dispatch_keys(inference_tensor)),
    },
    "promote": {a: {b: promote(a, b) for b in dtypes} for a in dtypes},
}

out = pathlib.Path(__file__).resolve().parents[2] / "test/fixtures/dispatch/facts.json.gz"
out.parent.mkdir(parents=True, exist_ok=True)
buffer = io.BytesIO()
with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0, filename="") as stream:
    stream.write((json.dumps(facts, separators=(",", ":")) + "\n").encode())
out.write_bytes(buffer.getvalue())
print(f"{out.name}: {len(buffer.getvalue())} bytes, {len(slots)} slots")
