"""Records files of PyTorch 2.13.0 and what is in them.

    python tools/oracle/record_files.py test/fixtures/files/files.json.gz [SEED]

Rows [name, file, legacy file, description] (files in base64; the legacy format only of small ones); `errors`: rows [what, file, keywords,
error, message] of files that PyTorch refuses; `big_endian`: a file of a machine of the other byte order.
"""

import base64
import collections
import gzip
import io
import json
import os
import pickle
import struct
import sys
import warnings
import zipfile

import torch
from files_describe import describe
from torch import nn

warnings.simplefilter("ignore")
torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 20261123)


def save(value, **kwargs):
    buffer = io.BytesIO()
    torch.save(value, buffer, **kwargs)
    return buffer.getvalue()


def dtypes():
    floats = {str(d)[6:]: torch.randn(2, 3).to(d) for d in (torch.float32, torch.float64, torch.float16, torch.bfloat16)}
    ints = {
        str(d)[6:]: torch.randint(0, 100, (3, 2)).to(d)
        for d in (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.uint16, torch.uint32, torch.uint64)
    }
    return {**floats, **ints, "bool": torch.randint(0, 2, (5,)).bool(), "edges": torch.tensor([-(2**63), 2**63 - 1, 0])}


def views():
    base = torch.randn(4, 6)
    return [base, base.t(), base[1:3, 2:], base[::2, ::3], base[0].expand(3, 6), base[2, 3], base.flatten()[5:5], base]


def with_property():
    t = torch.randn(2)
    t.note = "mine"
    t.shape_before = (2, 1)
    return t


def model():
    net = nn.Sequential(nn.Linear(3, 4), nn.PReLU(4), nn.Sequential(nn.Linear(4, 4, bias=False), nn.Dropout(0.25)), nn.Linear(4, 2))
    net.register_buffer("steps", torch.tensor(7))
    return net


def trained():
    net = model()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01)
    for _ in range(2):
        optimizer.zero_grad()
        net(torch.randn(5, 3)).square().sum().backward()
        optimizer.step()
    return net, optimizer


def checkpoint():
    net, optimizer = trained()
    return {"epoch": 12, "loss": 0.53, "model": net.state_dict(), "optimizer": optimizer.state_dict(), "classes": ["cat", "dog"]}


def adam():
    p = [nn.Parameter(torch.randn(2, 3)), nn.Parameter(torch.randn(2))]
    optimizer = torch.optim.Adam(p, lr=0.01, amsgrad=True)
    for x in p[1], p[0]:
        x.grad = torch.randn_like(x)
        optimizer.step()
    return optimizer.state_dict()


def seeded():
    """The same numbers as test/torch/serialization/files.test.ts makes, which writes the same file."""
    torch.manual_seed(0)
    net = model()
    optimizer = torch.optim.SGD([{"params": net[0].parameters()}, {"params": net[1].parameters(), "lr": 0.5}], lr=0.1, momentum=0.9)
    for _ in range(2):
        for p in net.parameters():
            p.grad = torch.full_like(p, 0.5)
        optimizer.step()
    return {"model": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 12, "parts": [net[3].state_dict(), net[3].weight]}


def shared_list():
    inner = [1, 2]
    return [inner, inner, {"again": inner}]


def loop():
    value = {"name": "loop"}
    value["self"] = value
    value["list"] = [value]
    return [value["list"], "end"]


def numbers():
    ints = [0, 1, 255, 256, 65535, 65536, -1, 2**31 - 1, -(2**31), 2**31, -(2**31) - 1, 2**53, 2**63, -(2**63), 2**64, 10**30, -(10**30), 127, 128, -128, -129]
    floats = [0.5, -2.25, 1e300, 5e-324, -0.0, float("inf"), float("-inf"), float("nan"), 0.1]
    return {"ints": ints, "floats": floats, "none": None, "bools": [True, False]}


CASES = {
    "dtypes": dtypes,
    "views": views,
    "zero_dim": lambda: torch.tensor(3),
    "empty": lambda: {"a": torch.empty(0), "b": torch.empty(2, 0, 3), "c": torch.empty(0)},
    "parameter": lambda: [nn.Parameter(torch.randn(2, 3)), nn.Parameter(torch.randn(2), requires_grad=False)],
    "requires_grad": lambda: [torch.randn(3, requires_grad=True), torch.randn(2, requires_grad=True) * 2],
    "tied": lambda: (lambda p: {"in": p, "out": p, "data": p.data})(nn.Parameter(torch.randn(3, 2))),
    "meta": lambda: [torch.empty(3, 4, device="meta"), torch.empty(2, device="meta", dtype=torch.int64)],
    "negative_view": lambda: torch.randn(3)._neg_view(),
    "with_property": with_property,
    "state_dict": lambda: model().state_dict(),
    "state_dict_keep_vars": lambda: model().state_dict(keep_vars=True),
    "optimizer": lambda: trained()[1].state_dict(),
    "checkpoint": checkpoint,
    "adam": adam,
    "seeded": seeded,
    "many": lambda: [torch.tensor(i) for i in range(60)],
    "numbers": numbers,
    "strings": lambda: ["", "a", "ab", "ab", "\u00e4\u00f6", "\u6f22\u5b57", "\U0001f600", "\ud800", "line\nline", "x" * 300],
    "tuples": lambda: [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), ((1,), [2], {"a": (3,)})],
    "lists": lambda: [[], [1], [[]], list(range(1001)), list(range(2000))],
    "dicts": lambda: [{}, {"a": 1}, {1: "x", 2: "y"}, {"b": 1, "a": 2, 3: 4}, {2: 0, 1: 0}, {True: 1}, {(1, 2): 3}, {-1: 0}, {"__proto__": 1}, {"7": 1}],
    "large_dict": lambda: {f"key{i}": i for i in range(1001)},
    "collections": lambda: [collections.OrderedDict(a=1, b=[2]), collections.OrderedDict(), collections.Counter(["x1", "x2", "x1"])],
    "bytes": lambda: [b"abc", bytes(range(256))],
    "bytearray": lambda: bytearray(b"xyz"),
    "set": lambda: {3},
    "complex": lambda: complex(1, -2.5),
    "torch_values": lambda: [torch.float32, torch.bfloat16, torch.float32, torch.device("cpu"), torch.device("cuda", 1), torch.strided, torch.Size([2, 3])],
    "storage": lambda: [torch.arange(3, dtype=torch.uint8).untyped_storage()],
    "shared_list": shared_list,
    "loop": loop,
}
# Files that our own `save` would write otherwise: a size is a tuple here, a bytearray bytes, a storage one of a dtype.
ONE_WAY = {"torch_values", "bytearray", "storage"}


def rezip(data, change):
    out = io.BytesIO()
    source = zipfile.ZipFile(io.BytesIO(data))
    with zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            changed = change(name.split("/", 1)[1], source.read(name))
            if changed is not None:
                path = changed[0] if changed[0].startswith("!") else f"archive/{changed[0]}"
                target.writestr(zipfile.ZipInfo(path), changed[1])
    return out.getvalue()


def swapped(name, data):
    return lambda n, d: (n, data) if n == name else (n, d)


def without(name):
    return lambda n, d: None if n == name else (n, d)


class Foreign:
    pass


def deep(n):
    return b"\x80\x02" + b"]" * n + b"a" * (n - 1) + b"."


def rebuild(offset, size, stride, numel=4, storage=b"ctorch\nFloatStorage\n"):
    ints = lambda values: b"(" + b"".join(b"J" + v.to_bytes(4, "little", signed=True) for v in values) + b"t"
    pid = b"(X\x07\x00\x00\x00storage" + storage + b"X\x01\x00\x00\x000X\x03\x00\x00\x00cpu" + b"K" + bytes([numel]) + b"tQ"
    return (
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(" + pid + b"J" + offset.to_bytes(4, "little", signed=True)
        + ints(size) + ints(stride) + b"\x89ccollections\nOrderedDict\n)RtR."
    )


def errors():
    good = save({"a": torch.arange(4.0)})
    pkl = lambda data: rezip(good, swapped("data.pkl", data))
    p = lambda value, protocol=2: pkl(pickle.dumps(value, protocol))
    rows = [
        ("cut", good[:100], {}),
        ("cut at the end", good[:-5], {}),
        ("only magic", b"PK\x03\x04", {}),
        ("no version", rezip(good, without("version")), {}),
        ("version too new", rezip(good, swapped("version", b"99\n")), {}),
        ("version too old", rezip(good, swapped("version", b"0\n")), {}),
        ("no pickle", rezip(good, without("data.pkl")), {}),
        ("no storage", rezip(good, without("data/0")), {}),
        ("short storage", rezip(good, swapped("data/0", b"12345678")), {}),
        ("long storage", rezip(good, swapped("data/0", bytes(24))), {}),
        ("byte order", rezip(good, swapped("byteorder", b"middle")), {}),
        ("no folder", rezip(good, lambda n, d: ("!" + n, d)), {}),
        ("a function", p(print), {}),
        ("a system's function", p(os.system), {}),
        ("a class", p(Foreign()), {}),
        ("protocol 4", p({"a": [1]}, 4), {}),
        ("instruction", pkl(b"\x80\x02Z."), {}),
        ("empty pickle", pkl(b""), {}),
        ("empty stack", pkl(b"\x80\x02."), {}),
        ("no such memo", pkl(b"\x80\x02h\x05."), {}),
        ("append to a dict", pkl(b"\x80\x02}K\x01a."), {}),
        ("set on a list", pkl(b"\x80\x02]K\x01K\x02s."), {}),
        ("list as a key", pkl(b"\x80\x02}]K\x02s."), {}),
        ("call a dtype", pkl(b"\x80\x02ctorch\nfloat32\n)R."), {}),
        ("build a list", pkl(b"\x80\x02]}b."), {}),
        ("new dict", pkl(b"\x80\x02})\x81."), {}),
        ("foreign id", pkl(b"\x80\x02X\x01\x00\x00\x00xQ."), {}),
        ("id of no storage", pkl(b"\x80\x02X\x01\x00\x00\x00x\x85Q."), {}),
        ("tensor beyond its storage", pkl(rebuild(0, [8], [1])), {}),
        ("negative stride", pkl(rebuild(0, [2], [-1])), {}),
        ("negative offset", pkl(rebuild(-1, [2], [1])), {}),
        ("stride of another length", pkl(rebuild(0, [2, 2], [1])), {}),
        ("negative size", pkl(rebuild(0, [-2], [1])), {}),
        ("other count", pkl(rebuild(0, [2], [1], numel=7)), {}),
        ("cuda", good, {"map_location": "cuda"}),
        ("a dict to cuda", good, {"map_location": {"cpu": "cuda:0"}}),
        ("hpu", good, {"map_location": "hpu"}),
        ("no device", good, {"map_location": "nowhere"}),
        ("mmap of bytes", good, {"mmap": True}),
        ("magic of a plain pickle", pickle.dumps({"a": 1}, 2), {}),
        ("nothing", b"", {}),
        ("text", b"abc", {}),
        ("legacy cut", save(torch.arange(4.0), _use_new_zipfile_serialization=False)[:-5], {}),
    ]
    out = []
    for what, data, kwargs in rows:
        try:
            torch.load(io.BytesIO(data), **kwargs)
        except Exception as e:
            out.append([what, base64.b64encode(data).decode(), kwargs, type(e).__name__, str(e)])
        else:
            raise AssertionError(f"{what} is not refused")
    return out


def big_endian():
    """As a machine writes it whose bytes stand the other way round."""
    good = save(torch.tensor([[1, 2, -3], [0.5, 256, 65536]]))
    turn = lambda d: struct.pack(">6f", *struct.unpack("<6f", d))
    changed = {"byteorder": lambda d: b"big", "data/0": turn}
    return base64.b64encode(rezip(good, lambda n, d: (n, changed.get(n, bytes)(d)))).decode()


def row(name, make):
    value = make()
    data = save(value)
    legacy = save(value, _use_new_zipfile_serialization=False) if len(data) < 6000 else b""
    described = describe(torch.load(io.BytesIO(data)))
    return {
        "name": name,
        "file": base64.b64encode(data).decode(),
        "legacy": base64.b64encode(legacy).decode(),
        "value": described,
        "same_bytes": name not in ONE_WAY,
    }


result = {
    "torch": torch.__version__,
    "script": "tools/oracle/record_files.py",
    "files": [row(name, make) for name, make in CASES.items()],
    "errors": errors(),
    "big_endian": big_endian(),
}
with open(sys.argv[1], "wb") as out, gzip.GzipFile(fileobj=out, mode="wb", mtime=0) as packed:
    packed.write(json.dumps(result).encode())
