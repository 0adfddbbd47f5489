"""Records how PyTorch 2.13.0 reads pickles of every protocol and damaged ones, with `weights_only` and without.

    python tools/oracle/record_pickles.py test/fixtures/files/pickles.json.gz

`read`: [name, file, value or error without `weights_only`, value or error with it, or "same"]; files are base64. Of each file there is the archive and the
file of the legacy format. `damaged`: the same for texts, cut files and single instructions.
"""

import base64
import gzip
import io
import json
import pickle
import sys
import warnings
from collections import OrderedDict

import torch

from files_describe import describe


def answer(data, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return {"value": describe(torch.load(io.BytesIO(data), **kwargs))}
        except Exception as e:  # noqa: BLE001
            return {"error": type(e).__name__, "message": str(e)}


def row(name, data):
    every, restricted = answer(data, weights_only=False), answer(data, weights_only=True)
    return [name, base64.b64encode(data).decode(), every, "same" if restricted == every else restricted]


def saved(value, protocol, legacy):
    file = io.BytesIO()
    torch.save(value, file, pickle_protocol=protocol, _use_new_zipfile_serialization=not legacy)
    return file.getvalue()


def shared():
    x = torch.arange(6.0)
    both = [x, x[2:4]]
    return {"both": both, "again": both, "text": "again"}


def values():
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 3)
    optimizer = torch.optim.Adam(net.parameters())
    net(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    yield "tensors", {"w": torch.arange(4.0), "b": torch.ones(2, dtype=torch.int64), "h": torch.ones(2, 2).half().t(), "e": torch.empty(0)}
    yield "numbers", [0, 1, -1, 255, 256, 65535, 65536, -(2**31), 2**31, 2**40, -(2**70), 2**2040, 0.5, -1e300, float("inf"), float("-inf"), True, False, None]
    yield "texts", ["", "a", "ä\n'\"\\", "\u20ac\U0001f600", "\\u0041", "x" * 300, "\ud800"]
    yield "bytes", [b"", b"\x00\xff", b"y" * 300, bytearray(b"abc"), bytearray()]
    yield "containers", [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], [[1], [2, [3]]], {}, {"a": {"b": 1}}, {1: 2}, {(1, 2): 3}, set(), {5}, frozenset(), frozenset([7])]
    yield "long list", [0] * 1001
    yield "long dict", {f"k{i}": 0 for i in range(1001)}
    yield "ordered", OrderedDict([("z", 1), ("a", torch.ones(1))])
    yield "shared", shared()
    yield "state_dict", net.state_dict()
    yield "parameter", torch.nn.Parameter(torch.ones(2))
    yield "optimizer", optimizer.state_dict()
    yield "kinds", [torch.float32, torch.int8, torch.device("cpu"), torch.Size([2, 3]), torch.strided, 2j]


def archive_of(pickled):
    """An archive whose pickle is this."""
    file = io.BytesIO()
    with torch.serialization._open_zipfile_writer(file) as zip_file:
        zip_file.write_record("data.pkl", pickled, len(pickled))
        zip_file.write_record("byteorder", "little", len("little"))
    return file.getvalue()


INSTRUCTIONS = [
    b"", b".", b"N.", b"0.", b"N0.", b"1.", b"(1N.", b"(.", b"N2.", b"N2\x86.", b"2.", b"I5\n.", b"I01\n.", b"I00\n.", b"I-7\n.", b"Ix\n.", b"I5", b"L5L\n.", b"L5\n.", b"F1.5\n.",
    b"Fnan\n.", b"F-inf\n.", b"Fx\n.", b"S'a\\n\\x41\\101\\q'\n.", b'S"b"\n.', b"Sb\n.", b"S'b\n.", b"T\x01\x00\x00\x00a.", b"T\xff\xff\xff\xffa.", b"U\x01a.", b"U\x05a.",
    b"Va\\u20ac\\U0001f600\\\\u0041\n.", b"V\xe4\n.", b"X\x01\x00\x00\x00a.", b"X\x05\x00\x00\x00a.", b"X\x02\x00\x00\x00\xff\xfe.", b"J\x01\x02\x03\x04.", b"J\x01.", b"K\x05.", b"K", b"M\x01\x02.", b"M\x01",
    b"G?\xf0\x00\x00\x00\x00\x00\x00.", b"G?\xf0.", b"\x8a\x00.", b"\x8a\x01\xff.", b"\x8a\x05\x01.", b"\x8b\x02\x00\x00\x00\xff\x00.", b"\x8b\xff\xff\xff\xff.", b"(I1\nI2\nl.", b"(I1\nI2\nd.", b"(I1\nd.", b"(]I1\nd.",
    b"(lp0\nI1\nag0\n.", b"]p5\ng5\n\x86.", b"g5\n.", b"h\x05.", b"j\x05\x00\x00\x00.", b"q\x05.", b"Nq\x05h\x05.", b"Nr\x05\x00\x00\x00j\x05\x00\x00\x00\x86.", b"Np-1\n.", b"Npx\n.", b"gx\n.",
    b"ccollections\nOrderedDict\n)R.", b"(icollections\nOrderedDict\n.", b"(ccollections\nOrderedDict\no.", b"(o.", b"c__builtin__\nset\n(](K\x01etR.", b"c",
    b"P5\n.", b"K\x05Q.", b"(X\x07\x00\x00\x00storagetQ.", b")Q.", b"\x80\x02N.", b"\x80\x05N.", b"\x80\x06N.", b"\x80", b"\x81.", b"N)\x81.", b"\x82\x01.", b"\x83\x01\x00.", b"\x84\x01\x00\x00\x00.", b"\x82\x00.", b"\x84\xff\xff\xff\xff.",
    b"\x8c\x01a.", b"\x8c\x05a.", b"\x8d\x01\x00\x00\x00\x00\x00\x00\x00a.", b"\x8d\xff\xff\x00\x00\x00\x00\x00\x00a.", b"\x8e\x01\x00\x00\x00\x00\x00\x00\x00a.", b"\x8f(K\x01K\x02\x90.", b"\x8f(]\x90.", b"](K\x01\x90.", b"(K\x01K\x01\x91.", b"(]\x91.",
    b"\x8c\x0bcollections\x8c\x0bOrderedDict\x93)R.", b"\x8c\x0bcollections\x8c\x0bOrderedDict\x93)}\x92.", b"K\x01K\x02\x93.", b"\x93.", b"N\x94h\x00\x86.", b"\x94.", b"\x95\x02\x00\x00\x00\x00\x00\x00\x00N.", b"\x95\x09\x00\x00\x00\x00\x00\x00\x00N.", b"\x95\x02.",
    b"\x96\x01\x00\x00\x00\x00\x00\x00\x00a.", b"\x97.", b"N\x98.", b"\x98.", b"C\x01a.", b"C\x05a.", b"B\x01\x00\x00\x00a.", b"\x99.", b"\xff.", b"'.", b"\\.", b"\x00", b"\n", b"NNt.", b"(NNt.", b"t.", b"\x85.", b"N\x86.", b"NN\x87.", b"N(\x85.",
    b"Na.", b"]Na.", b"a.", b"(Na.", b"](NNe.", b"]NNe.", b"e.", b"N(Ne.", b"}NNs.", b"}Ns.", b"NNNs.", b"}](Ns.", b"}]Ns.", b"}}Ns.", b"}(NNu.", b"}(Nu.", b"}NNu.", b"N(NNu.", b"N}b.", b"Nb.", b"b.", b"NNb.", b"NNR.", b"N)R.", b"R.", b"])R.", b"N]R.", b"ccollections\nOrderedDict\n)R}(X\x01\x00\x00\x00aK\x01ub.",
    b"\x88\x89\x86.", b")].", b"N", b"NN", b"ctorch\nSize\n(]K\x02aK\x03atR.", b"ctorch\nSize\n(]K\x02aK\x03a\x85R.", b"ctorch\nfloat32\n.", b"ctorch\ndevice\nX\x03\x00\x00\x00cpu\x85R.",
]

TEXTS = {
    "html": b"<!DOCTYPE html>\n<html><body>Not found</body></html>\n", "json": b'{"error": "not found"}', "json list": b"[1, 2]", "lfs": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 5\n",
    "empty": b"", "word": b"Not Found", "digits": b"404", "xml": b'<?xml version="1.0"?><Error/>', "gzip": gzip.compress(b"x", mtime=0), "elf": b"\x7fELF\x02\x01\x01", "png": b"\x89PNG\r\n\x1a\n", "zeros": bytes(64),
    "newline": b"\n", "quote": b"'", "numpy": b"\x93NUMPY\x01\x00v\x00{'descr': '<f4'}", "safetensors": b"\x10\x00\x00\x00\x00\x00\x00\x00{\"__metadata__\":{}", "hdf5": b"\x89HDF\r\n\x1a\n", "pk": b"PK\x03\x04", "pk cut": b"PK",
    "plain pickle": pickle.dumps([1, 2], 2), "plain pickle 4": pickle.dumps({"a": 1}, 4), "plain pickle 0": pickle.dumps({"a": 1}, 0), "onnx": b"\x08\x07\x12\x07pytorch",
}


def main(target):
    read = [row(f"{name}, protocol {protocol}, {'legacy' if legacy else 'archive'}", saved(value, protocol, legacy)) for name, value in values() for protocol in range(6) for legacy in (False, True)]
    damaged = [row(name, data) for name, data in TEXTS.items()]
    for code in INSTRUCTIONS:
        damaged.append(row(f"archive {code!r}", archive_of(code)))
        damaged.append(row(f"legacy {code!r}", code))
    for protocol in (0, 2, 4):
        whole = saved([torch.ones(1), "a"], protocol, True)
        damaged += [row(f"protocol {protocol}, cut at {end}", whole[:end]) for end in range(0, len(whole), 1 if protocol == 2 else 7)]
        inner = pickle.dumps({"text": "abc", "n": [1.5, 70000, 2**70]}, protocol)
        damaged += [row(f"protocol {protocol}, pickle cut at {end}", archive_of(inner[:end])) for end in range(len(inner))]
    made = {"torch": torch.__version__, "python": sys.version.split()[0], "script": "tools/oracle/record_pickles.py", "read": read, "damaged": damaged}
    with gzip.GzipFile(target, "wb", mtime=0) as out:
        out.write(json.dumps(made, separators=(",", ":")).encode())
    print(len(read), len(damaged))


if __name__ == "__main__":
    main(*sys.argv[1:])
