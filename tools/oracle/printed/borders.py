"""What crosses from a Python program to the library and back: sequences and storages as data, objects that are indices, classes with brackets,
tensors whose class handles operators. The same program runs on PyTorch and on glasstorch's Python.

    python borders.py

Each line is JSON: an expression, and its `repr` or its error.
"""
import copy
import json
import warnings

import torch
from torch.utils.data import ConcatDataset, DataLoader, Dataset, IterableDataset, Sampler, Subset

warnings.simplefilter("ignore")


class Sequence:
    def __init__(self, *elements):
        self.elements = elements

    def __len__(self):
        return len(self.elements)

    def __getitem__(self, i):
        return self.elements[i]


class Broken(Sequence):
    def __getitem__(self, i):
        raise TypeError("no elements")


class WithoutLength:
    def __getitem__(self, i):
        return 1


class Index:
    def __index__(self):
        return 3


class Words(Dataset[str]):
    def __len__(self):
        return 3

    def __getitem__(self, i):
        return i * 2


class Stream(IterableDataset[int]):
    def __iter__(self):
        return iter([1, 2, 3])


CALLS = []


class Own(torch.Tensor):
    """It handles operators, so that a result is what its handler returns."""

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        CALLS.append(str(func))
        return super().__torch_dispatch__(func, types, args, kwargs)


def f():
    return torch.tensor([1.0, 2.0])


def i():
    return torch.tensor([1, 2])


def own():
    return torch.Tensor._make_subclass(Own, torch.ones(2))


def schema(text="x.y(Tensor self, *, int a=1) -> Tensor"):
    return torch._C.parse_schema(text)


add = torch.ops.aten.add

EXPRESSIONS = """
torch.tensor(Sequence(1, 2, 3))
torch.tensor([Sequence(1, 2), Sequence(3., 4)])
torch.tensor([[1, 2], Sequence(3, 4)], dtype=torch.float64)
torch.tensor(Sequence(torch.tensor(1), 2))
torch.tensor(Sequence())
torch.tensor(Sequence(1, Sequence(2)))
torch.as_tensor(Sequence(1, 2, 3))
torch.asarray(Sequence(.5, 2))
torch.FloatTensor(Sequence(1, 2, 3))
torch.Tensor(Sequence(1, 2, 3))
f().new_tensor(Sequence(1, 2))
torch.tensor(Broken(1))
torch.tensor(WithoutLength())
torch.tensor([WithoutLength()])
torch.tensor({1: 2})
torch.tensor({1, 2})
torch.tensor(Index())
torch.tensor([Index()], dtype=torch.int32)
torch.tensor(b'ab')
torch.tensor([b'ab'])
torch.tensor(bytearray(b'ab'))
torch.Tensor(bytearray(b'ab'))
torch.asarray(bytearray(b'abcdefgh'))
torch.asarray(bytearray(b'abcdefgh'), dtype=torch.uint8)
torch.tensor(i().untyped_storage()).dtype
torch.tensor(i().untyped_storage(), dtype=torch.int64)
torch.tensor(i().untyped_storage(), dtype=torch.float32)
torch.tensor(i().storage())
torch.tensor(i().storage(), dtype=torch.int64)
torch.tensor(i().storage(), dtype=torch.float32)
torch.tensor(f().storage())
torch.tensor([f().storage(), f().storage()])
torch.as_tensor((x := i()).untyped_storage(), dtype=torch.int64).data_ptr() == x.data_ptr()
torch.asarray((x := f()).storage()).data_ptr() == x.data_ptr()
torch.asarray(f().storage(), copy=False)
f().new_tensor(f().storage())
torch.Tensor(i().storage())
torch.LongTensor(i().storage())
torch.LongTensor(i().untyped_storage())
f().new(i().storage())
torch.Size([1, torch.tensor(2), 3])
torch.Size([Index(), 2])
torch.Size([True])
torch.Size([1.5])
torch.Size([torch.tensor(1.5)])
torch.Size([torch.tensor([1, 2])])
torch.Size(['a'])
torch.Size([None])
torch.ones(torch.Size([torch.tensor(2)]))
torch.arange(5)[Index():]
torch.arange(5)[:Index()]
torch.arange(5)[::Index()]
torch.arange(5)['a':]
Dataset[int]
DataLoader[int]
Sampler[int]
IterableDataset[int]
Subset[int]
ConcatDataset[int]
torch.nn.Module[int]
Words.__orig_bases__
list(DataLoader(Words(), batch_size=2))
list(DataLoader(Stream(), batch_size=2))
issubclass(Words, Dataset)
type(own().neg()).__name__
type(torch.neg(own())).__name__
type(own().detach()).__name__
(CALLS.clear(), own().sum().item(), CALLS)[2]
own().tolist()
torch.ones(2).tolist()
copy.deepcopy(add) is add
copy.deepcopy(add.Tensor) is add.Tensor
add.__module__
schema() == schema()
schema() != schema('x.y(Tensor self) -> Tensor')
schema() == 3
len({schema(), schema(), schema('x.y(Tensor self) -> Tensor')})
hash(schema()) == hash(schema())
"""

for text in EXPRESSIONS.strip().split("\n"):
    row = {"text": text}
    try:
        row["repr"] = repr(eval(text))
    except Exception as e:
        row["error"] = f"{type(e).__name__}: {e}"
    print(json.dumps(row))
