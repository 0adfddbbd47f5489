"""What a loaded value is, as JSON: the same description as test/helpers/describe_value.ts makes of it."""

import collections
import struct

import torch


class Describer:
    """Tensors, storages, lists and dicts are numbered as they are met: what is shared has one number."""

    def __init__(self):
        self.tensors = {}
        self.storages = {}
        self.containers = {}
        self.kept = []

    def number(self, numbers, key):
        return numbers.setdefault(key, len(numbers))

    def storage(self, storage):
        self.kept.append(storage)
        return self.number(self.storages, storage._cdata)

    def tensor(self, t):
        self.kept.append(t)
        described = {
            "same": self.number(self.tensors, id(t)),
            "class": type(t).__name__,
            "dtype": str(t.dtype),
            "device": str(t.device),
            "shape": list(t.shape),
            "stride": list(t.stride()),
            "offset": t.storage_offset(),
            "requires_grad": t.requires_grad,
            "neg": t.is_neg(),
            "own": {k: self(v) for k, v in t.__dict__.items()},
        }
        if t.device.type != "meta":
            described["storage"] = self.storage(t.untyped_storage())
            described["nbytes"] = t.untyped_storage().nbytes()
            plain = t.detach().resolve_neg().clone(memory_format=torch.contiguous_format)
            described["data"] = bytes(plain.untyped_storage().tolist()).hex()
        return ["tensor", described]

    def __call__(self, v):
        if v is None or isinstance(v, bool):
            return v
        if isinstance(v, float):
            # Here a float without fraction is the same as an int.
            if v.is_integer() and abs(v) < 2**63 and struct.pack(">d", v) != struct.pack(">d", -0.0):
                return ["int", str(int(v))]
            return ["float", struct.pack(">d", v).hex()]
        if isinstance(v, int):
            return ["int", str(v)]
        if isinstance(v, str):
            return ["str", v]
        if isinstance(v, (bytes, bytearray)):
            return ["bytes", bytes(v).hex()]
        if isinstance(v, complex):
            return ["complex", self(v.real), self(v.imag)]
        if isinstance(v, torch.Tensor):
            return self.tensor(v)
        if isinstance(v, torch.storage.TypedStorage):
            v = v._untyped_storage
        if isinstance(v, torch.UntypedStorage):
            return ["storage", self.storage(v), bytes(v.tolist()).hex()]
        if isinstance(v, (torch.dtype, torch.device, torch.layout)):
            return [type(v).__name__, str(v)]
        if isinstance(v, tuple):
            return ["tuple", *map(self, v)]
        if isinstance(v, (list, dict)):
            if id(v) in self.containers:
                return ["again", self.containers[id(v)]]
            self.containers[id(v)] = len(self.containers)
        if isinstance(v, list):
            return ["list", *map(self, v)]
        if isinstance(v, (set, frozenset)):
            return ["set", *sorted(map(self, v), key=str)]
        if isinstance(v, collections.Counter):
            return ["Counter", [[self(k), self(x)] for k, x in v.items()]]
        if isinstance(v, collections.OrderedDict):
            return ["OrderedDict", [[self(k), self(x)] for k, x in v.items()], {k: self(x) for k, x in v.__dict__.items()}]
        if isinstance(v, dict):
            return ["dict", [[self(k), self(x)] for k, x in v.items()]]
        raise TypeError(type(v))


def describe(value):
    return Describer()(value)
