"""Records what torch.utils.data of PyTorch 2.13.0 gives: samplers, loaders, collating, splits, refusals, warnings.

    python tools/oracle/record_data.py test/fixtures/data/data.json.gz

Rows [group, TypeScript, Python, outcome]. Both texts are expressions over `torch`, `data` (torch.utils.data) and the helpers below; each
begins after manual_seed(0) and ends with two numbers of the default generator, so that the row also says what was drawn.
The outcome: {"value", "after", "warnings"} or {"error", "message", "warnings"}.
"""

import gzip
import json
import sys
import warnings

import torch
import torch.utils.data as data


class Squares(data.Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError("no such square")
        return {"x": torch.tensor([i, i * i]), "name": "item" + str(i), "y": i + 0.5}


class Count(data.IterableDataset):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def __iter__(self):
        return iter(range(self.n))


class Short(Count):
    def __len__(self):
        return self.n - 2

    def __repr__(self):
        return "Short()"


class Batched(Squares):
    def __getitems__(self, indices):
        return [i * 10 for i in indices]


class Wrong(Squares):
    def __getitems__(self, indices):
        return [0]


class Drawing(data.Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, i):
        return torch.rand(2)


class Reversed(data.Sampler):
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(range(self.n - 1, -1, -1))


class BadSubset(data.Subset):
    def __getitem__(self, i):
        return 0


def attempt(f):
    try:
        return f()
    except Exception as e:  # noqa: BLE001
        return [type(e).__name__, str(e)]


def gen(seed):
    return torch.Generator().manual_seed(seed)


def tensors(n):
    return data.TensorDataset(torch.arange(n), torch.arange(2 * n).view(n, 2) * 0.5)


def take(it, n):
    it = iter(it)
    return [next(it) for _ in range(n)]


def passes(loader, n):
    return [list(loader) for _ in range(n)]


# group, TypeScript, Python
CASES = [
    # samplers
    ("sampler", "[...new data.SequentialSampler(range(4))]", "list(data.SequentialSampler(range(4)))"),
    ("sampler", "[...new data.SequentialSampler([])]", "list(data.SequentialSampler([]))"),
    ("sampler", "new data.SequentialSampler('abc').__len__()", "len(data.SequentialSampler('abc'))"),
    ("sampler", "new data.SequentialSampler(5).__len__()", "len(data.SequentialSampler(5))"),
    ("sampler", "[...new data.RandomSampler(range(7))]", "list(data.RandomSampler(range(7)))"),
    ("sampler", "[...new data.RandomSampler(range(1))]", "list(data.RandomSampler(range(1)))"),
    ("sampler", "[...new data.RandomSampler(range(7), {num_samples: 3})]", "list(data.RandomSampler(range(7), num_samples=3))"),
    ("sampler", "[...new data.RandomSampler(range(4), {num_samples: 10})]", "list(data.RandomSampler(range(4), num_samples=10))"),
    ("sampler", "[...new data.RandomSampler(range(4), false, 8)]", "list(data.RandomSampler(range(4), False, 8))"),
    ("sampler", "[...new data.RandomSampler(range(9), {replacement: true})]", "list(data.RandomSampler(range(9), replacement=True))"),
    ("sampler", "[...new data.RandomSampler(range(50), {replacement: true, num_samples: 64})]", "list(data.RandomSampler(range(50), replacement=True, num_samples=64))"),
    ("sampler", "[...new data.RandomSampler(range(50), {replacement: true, num_samples: 70})]", "list(data.RandomSampler(range(50), replacement=True, num_samples=70))"),
    ("sampler", "((g) => [[...new data.RandomSampler(range(6), {generator: g})], [...new data.RandomSampler(range(6), {generator: g})], g.initial_seed()])(gen(3))", "(lambda g: [list(data.RandomSampler(range(6), generator=g)), list(data.RandomSampler(range(6), generator=g)), g.initial_seed()])(gen(3))"),
    ("sampler", "((g) => [take(new data.RandomSampler(range(6), {generator: g}), 6), torch.randperm(6, {generator: g})])(gen(3))", "(lambda g: [take(data.RandomSampler(range(6), generator=g), 6), torch.randperm(6, generator=g)])(gen(3))"),
    ("sampler", "((g) => [[...new data.RandomSampler(range(6), {generator: g})], torch.randperm(6, {generator: g})])(gen(3))", "(lambda g: [list(data.RandomSampler(range(6), generator=g)), torch.randperm(6, generator=g)])(gen(3))"),
    ("sampler", "((g) => [[...new data.RandomSampler(range(9), {generator: g, replacement: true, num_samples: 32})], torch.randperm(6, {generator: g})])(gen(4))", "(lambda g: [list(data.RandomSampler(range(9), generator=g, replacement=True, num_samples=32)), torch.randperm(6, generator=g)])(gen(4))"),
    ("sampler", "new data.RandomSampler(range(9)).num_samples", "data.RandomSampler(range(9)).num_samples"),
    ("sampler", "new data.RandomSampler([])", "data.RandomSampler([])"),
    ("sampler", "new data.RandomSampler(range(3), {num_samples: -1})", "data.RandomSampler(range(3), num_samples=-1)"),
    ("sampler", "new data.RandomSampler(range(3), {num_samples: 1.5})", "data.RandomSampler(range(3), num_samples=1.5)"),
    ("sampler", "new data.RandomSampler(range(3), {replacement: 1})", "data.RandomSampler(range(3), replacement=1)"),
    ("sampler", "new data.RandomSampler(range(3), {replacement: null})", "data.RandomSampler(range(3), replacement=None)"),
    ("sampler", "new data.RandomSampler(3)", "data.RandomSampler(3)"),
    ("sampler", "[...new data.RandomSampler([], {num_samples: 2})]", "list(data.RandomSampler([], num_samples=2))"),
    ("sampler", "[...new data.SubsetRandomSampler([5, 8, 2, 9])]", "list(data.SubsetRandomSampler([5, 8, 2, 9]))"),
    ("sampler", "[...new data.SubsetRandomSampler([5, 8, 2, 9], gen(1))]", "list(data.SubsetRandomSampler([5, 8, 2, 9], gen(1)))"),
    ("sampler", "[...new data.SubsetRandomSampler(['a', 'b', 'c'])]", "list(data.SubsetRandomSampler(['a', 'b', 'c']))"),
    ("sampler", "new data.SubsetRandomSampler([5, 8]).__len__()", "len(data.SubsetRandomSampler([5, 8]))"),
    ("sampler", "new data.WeightedRandomSampler([1, 2], 0)", "data.WeightedRandomSampler([1, 2], 0)"),
    ("sampler", "new data.WeightedRandomSampler([1, 2], true)", "data.WeightedRandomSampler([1, 2], True)"),
    ("sampler", "new data.WeightedRandomSampler([1, 2], 2, 3)", "data.WeightedRandomSampler([1, 2], 2, 3)"),
    ("sampler", "new data.WeightedRandomSampler([[1, 2]], 2)", "data.WeightedRandomSampler([[1, 2]], 2)"),
    ("sampler", "new data.WeightedRandomSampler([1, 2], 3).weights", "data.WeightedRandomSampler([1, 2], 3).weights"),
    ("sampler", "new data.WeightedRandomSampler([1, 2], 3).__len__()", "len(data.WeightedRandomSampler([1, 2], 3))"),
    ("weighted", "[...new data.WeightedRandomSampler([0.1, 0.9, 0.4, 0.7, 3, 0.6], 5)]", "list(data.WeightedRandomSampler([0.1, 0.9, 0.4, 0.7, 3.0, 0.6], 5))"),
    ("weighted", "[...new data.WeightedRandomSampler([0.9, 0.4, 0.05, 0.2, 0.3, 0.1], 5, false, gen(2))]", "list(data.WeightedRandomSampler([0.9, 0.4, 0.05, 0.2, 0.3, 0.1], 5, False, gen(2)))"),
    ("sampler", "[...new data.BatchSampler(new data.SequentialSampler(range(7)), 3, false)]", "list(data.BatchSampler(data.SequentialSampler(range(7)), 3, False))"),
    ("sampler", "[...new data.BatchSampler(range(7), 3, true)]", "list(data.BatchSampler(range(7), 3, True))"),
    ("sampler", "[...new data.BatchSampler(range(6), 3, true)]", "list(data.BatchSampler(range(6), 3, True))"),
    ("sampler", "[...new data.BatchSampler('abcde', 2, false)]", "list(data.BatchSampler('abcde', 2, False))"),
    ("sampler", "[7, 6, 0].map((n) => [true, false].map((d) => new data.BatchSampler(range(n), 3, d).__len__()))", "[[len(data.BatchSampler(range(n), 3, d)) for d in (True, False)] for n in (7, 6, 0)]"),
    ("sampler", "((g) => [take(new data.BatchSampler(new data.RandomSampler(range(4), {generator: g}), 2, false), 2), torch.randperm(6, {generator: g})])(gen(3))", "(lambda g: [take(data.BatchSampler(data.RandomSampler(range(4), generator=g), 2, False), 2), torch.randperm(6, generator=g)])(gen(3))"),
    ("sampler", "((g) => [[...new data.BatchSampler(new data.RandomSampler(range(4), {generator: g}), 2, false)], torch.randperm(6, {generator: g})])(gen(3))", "(lambda g: [list(data.BatchSampler(data.RandomSampler(range(4), generator=g), 2, False)), torch.randperm(6, generator=g)])(gen(3))"),
    ("sampler", "new data.BatchSampler(range(3), 0, false)", "data.BatchSampler(range(3), 0, False)"),
    ("sampler", "new data.BatchSampler(range(3), true, false)", "data.BatchSampler(range(3), True, False)"),
    ("sampler", "new data.BatchSampler(range(3), 1.5, false)", "data.BatchSampler(range(3), 1.5, False)"),
    ("sampler", "new data.BatchSampler(range(3), 2, 0)", "data.BatchSampler(range(3), 2, 0)"),
    ("sampler", "new data.BatchSampler(range(3), 2, null)", "data.BatchSampler(range(3), 2, None)"),
    ("sampler", "new data.Sampler().__iter__()", "data.Sampler().__iter__()"),
    ("sampler", "[...new Reversed(3)]", "list(Reversed(3))"),
    ("sampler", "new data.BatchSampler(new Reversed(3), 2, false).__len__()", "len(data.BatchSampler(Reversed(3), 2, False))"),
    # datasets
    ("dataset", "tensors(3).__getitem__(1)", "tensors(3)[1]"),
    ("dataset", "tensors(3).__getitem__(-1)", "tensors(3)[-1]"),
    ("dataset", "tensors(3).__getitem__([0, 2])", "tensors(3)[[0, 2]]"),
    ("dataset", "tensors(3).__len__()", "len(tensors(3))"),
    ("dataset", "[...tensors(2)]", "list(tensors(2))"),
    ("dataset", "tensors(3).__getitem__(3)", "tensors(3)[3]"),
    ("dataset", "new data.TensorDataset(torch.ones(2), torch.ones(3))", "data.TensorDataset(torch.ones(2), torch.ones(3))"),
    ("dataset", "new data.Dataset().__getitem__(0)", "data.Dataset()[0]"),
    ("dataset", "new data.IterableDataset()", "data.IterableDataset()"),
    ("dataset", "new data.ConcatDataset([range(3), 'abc', tensors(2)]).__len__()", "len(data.ConcatDataset([range(3), 'abc', tensors(2)]))"),
    ("dataset", "[0, 2, 3, 5, -1, -4, -6].map((i) => new data.ConcatDataset([[7, 8, 9], [], 'abc']).__getitem__(i))", "[data.ConcatDataset([[7, 8, 9], [], 'abc'])[i] for i in (0, 2, 3, 5, -1, -4, -6)]"),
    ("dataset", "new data.ConcatDataset([[7, 8, 9], 'abc']).__getitem__(6)", "data.ConcatDataset([[7, 8, 9], 'abc'])[6]"),
    ("dataset", "new data.ConcatDataset([[7, 8, 9], 'abc']).__getitem__(-7)", "data.ConcatDataset([[7, 8, 9], 'abc'])[-7]"),
    ("dataset", "new data.ConcatDataset([])", "data.ConcatDataset([])"),
    ("dataset", "new data.ConcatDataset([new Count(2)])", "data.ConcatDataset([Count(2)])"),
    ("dataset", "new data.ConcatDataset([[1], [2, 3]]).cumulative_sizes", "data.ConcatDataset([[1], [2, 3]]).cumulative_sizes"),
    ("dataset", "new data.ConcatDataset([[1], [2, 3]]).cummulative_sizes", "data.ConcatDataset([[1], [2, 3]]).cummulative_sizes"),
    ("dataset", "new Squares(2).__add__(new Squares(3)).__getitem__(4)", "(Squares(2) + Squares(3))[4]"),
    ("dataset", "[...new Squares(2).__add__([7])]", "list(Squares(2) + [7])"),
    ("dataset", "[...new Count(2).__add__(new Count(3))]", "list(Count(2) + Count(3))"),
    ("dataset", "[...new data.ChainDataset([new Count(2), range(3)])]", "list(data.ChainDataset([Count(2), range(3)]))"),
    ("dataset", "new data.ChainDataset([new Short(4), new Short(5)]).__len__()", "len(data.ChainDataset([Short(4), Short(5)]))"),
    ("dataset", "new data.ChainDataset([new Short(4), [1]]).__len__()", "len(data.ChainDataset([Short(4), [1]]))"),
    ("dataset", "new data.ChainDataset([new Count(4)]).__len__()", "len(data.ChainDataset([Count(4)]))"),
    ("dataset", "new data.StackDataset([1, 2], 'ab').__getitem__(1)", "data.StackDataset([1, 2], 'ab')[1]"),
    ("dataset", "new data.StackDataset({a: [1, 2], b: 'ab'}).__getitem__(1)", "data.StackDataset(a=[1, 2], b='ab')[1]"),
    ("dataset", "new data.StackDataset([1, 2], 'ab').__getitems__([1, 0])", "data.StackDataset([1, 2], 'ab').__getitems__([1, 0])"),
    ("dataset", "new data.StackDataset({a: new Batched(2), b: 'ab'}).__getitems__([1, 0])", "data.StackDataset(a=Batched(2), b='ab').__getitems__([1, 0])"),
    ("dataset", "new data.StackDataset(new Wrong(2), 'ab').__getitems__([1, 0])", "data.StackDataset(Wrong(2), 'ab').__getitems__([1, 0])"),
    ("dataset", "new data.StackDataset([1, 2], 'ab').__len__()", "len(data.StackDataset([1, 2], 'ab'))"),
    ("dataset", "new data.StackDataset([1, 2], 'abc')", "data.StackDataset([1, 2], 'abc')"),
    ("dataset", "new data.StackDataset({a: [1], b: 'ab'})", "data.StackDataset(a=[1], b='ab')"),
    ("dataset", "new data.StackDataset()", "data.StackDataset()"),
    ("dataset", "new data.StackDataset([1], {a: [1]})", "data.StackDataset([1], a=[1])"),
    ("dataset", "new data.Subset('abcd', [3, 1]).__getitem__(0)", "data.Subset('abcd', [3, 1])[0]"),
    ("dataset", "new data.Subset(tensors(4), [3, 1]).__getitem__([1, 0])", "data.Subset(tensors(4), [3, 1])[[1, 0]]"),
    ("dataset", "new data.Subset('abcd', [3, 1]).__getitems__([1, 0, 1])", "data.Subset('abcd', [3, 1]).__getitems__([1, 0, 1])"),
    ("dataset", "new data.Subset(new Batched(4), [3, 1]).__getitems__([1, 0])", "data.Subset(Batched(4), [3, 1]).__getitems__([1, 0])"),
    ("dataset", "[...new data.Subset('abcd', [3, 1])]", "list(data.Subset('abcd', [3, 1]))"),
    ("dataset", "new data.Subset('abcd', [3, 1]).__getitem__(2)", "data.Subset('abcd', [3, 1])[2]"),
    ("dataset", "new BadSubset('abcd', [1])", "BadSubset('abcd', [1])"),
    # splits
    ("split", "data.random_split(range(10), [3, 7]).map((s) => s.indices)", "[s.indices for s in data.random_split(range(10), [3, 7])]"),
    ("split", "data.random_split(range(10), [3, 7], gen(42)).map((s) => s.indices)", "[s.indices for s in data.random_split(range(10), [3, 7], gen(42))]"),
    ("split", "data.random_split(range(31), [0.3, 0.3, 0.4], {generator: gen(42)}).map((s) => s.indices)", "[s.indices for s in data.random_split(range(31), [0.3, 0.3, 0.4], generator=gen(42))]"),
    ("split", "data.random_split(range(5), [0.5, 0.5]).map((s) => s.__len__())", "[len(s) for s in data.random_split(range(5), [0.5, 0.5])]"),
    ("split", "data.random_split(range(3), [0.9, 0.1]).map((s) => s.__len__())", "[len(s) for s in data.random_split(range(3), [0.9, 0.1])]"),
    ("split", "data.random_split(range(2), [0.4, 0.3, 0.3]).map((s) => s.__len__())", "[len(s) for s in data.random_split(range(2), [0.4, 0.3, 0.3])]"),
    ("split", "data.random_split(range(10), [0.7, 0.2, 0.1]).map((s) => s.__len__())", "[len(s) for s in data.random_split(range(10), [0.7, 0.2, 0.1])]"),
    ("split", "data.random_split(range(7), [1]).map((s) => s.indices)", "[s.indices for s in data.random_split(range(7), [1])]"),
    ("split", "data.random_split(range(1), [1, 0]).map((s) => s.indices)", "[s.indices for s in data.random_split(range(1), [1, 0])]"),
    ("split", "data.random_split(range(4), [2, 0, 2]).map((s) => s.indices)", "[s.indices for s in data.random_split(range(4), [2, 0, 2])]"),
    ("split", "data.random_split(range(10), [3, 6])", "data.random_split(range(10), [3, 6])"),
    ("split", "data.random_split(range(10), [0.5, 0.4])", "data.random_split(range(10), [0.5, 0.4])"),
    ("split", "data.random_split(range(10), [1.5, -0.5])", "data.random_split(range(10), [1.5, -0.5])"),
    ("split", "data.random_split(range(10), [0.25, -0.5, 1.25])", "data.random_split(range(10), [0.25, -0.5, 1.25])"),
    # collating
    ("collate", "data.default_collate([1, 2, 3])", "data.default_collate([1, 2, 3])"),
    ("collate", "data.default_collate([0.5, 1])", "data.default_collate([0.5, 1])"),
    ("collate", "data.default_collate([1, 0.5])", "data.default_collate([1, 0.5])"),
    ("collate", "data.default_collate([new torch.Float(1), 2])", "data.default_collate([1.0, 2])"),
    ("collate", "data.default_collate([true, false])", "data.default_collate([True, False])"),
    ("collate", "data.default_collate([true, 2])", "data.default_collate([True, 2])"),
    ("collate", "data.default_collate(['a', 'bc'])", "data.default_collate(['a', 'bc'])"),
    ("collate", "data.default_collate([torch.ones(2), torch.zeros(2)])", "data.default_collate([torch.ones(2), torch.zeros(2)])"),
    ("collate", "data.default_collate([torch.ones(2), torch.zeros(3)])", "data.default_collate([torch.ones(2), torch.zeros(3)])"),
    ("collate", "data.default_collate([torch.tensor(1), torch.tensor(2)])", "data.default_collate([torch.tensor(1), torch.tensor(2)])"),
    ("collate", "data.default_collate([[torch.ones(1), 3], [torch.zeros(1), 4]])", "data.default_collate([(torch.ones(1), 3), (torch.zeros(1), 4)])"),
    ("collate", "data.default_collate([[0, 1], [2, 3]])", "data.default_collate([[0, 1], [2, 3]])"),
    ("collate", "data.default_collate([[], []])", "data.default_collate([[], []])"),
    ("collate", "data.default_collate([{a: 1, b: [1, 2]}, {a: 2, b: [3, 4]}])", "data.default_collate([{'a': 1, 'b': [1, 2]}, {'a': 2, 'b': [3, 4]}])"),
    ("collate", "data.default_collate([{a: 1}, {a: 2, b: 3}])", "data.default_collate([{'a': 1}, {'a': 2, 'b': 3}])"),
    ("collate", "data.default_collate([{a: 1, b: 3}, {a: 2}])", "data.default_collate([{'a': 1, 'b': 3}, {'a': 2}])"),
    ("collate", "data.default_collate([new Map([[1, 0.5]]), new Map([[1, 1.5]])])", "data.default_collate([{1: 0.5}, {1: 1.5}])"),
    ("collate", "data.default_collate([new Float32Array([1, 2]), new Float32Array([3, 4])])", "data.default_collate([np.array([1, 2], dtype=np.float32), np.array([3, 4], dtype=np.float32)])"),
    ("collate", "data.default_collate([new Uint8Array([1, 2]), new Uint8Array([3, 4])])", "data.default_collate([np.array([1, 2], dtype=np.uint8), np.array([3, 4], dtype=np.uint8)])"),
    ("collate", "data.default_collate([[1, 2], [1]])", "data.default_collate([[1, 2], [1]])"),
    ("collate", "data.default_collate([[1, 2], 1])", "data.default_collate([[1, 2], 1])"),
    ("collate", "data.default_collate([1, 'a'])", "data.default_collate([1, 'a'])"),
    ("collate", "data.default_collate([null, null])", "data.default_collate([None, None])"),
    ("collate", "data.default_collate([{a: null}])", "data.default_collate([{'a': None}])"),
    ("collate", "data.default_collate([])", "data.default_collate([])"),
    ("collate", "data.default_collate(torch.arange(3))", "data.default_collate(torch.arange(3))"),
    ("collate", "data.default_convert([1, 'x', torch.ones(1)])", "data.default_convert([1, 'x', torch.ones(1)])"),
    ("collate", "data.default_convert({a: new Float64Array([1.5]), b: [new Int32Array([3])]})", "data.default_convert({'a': np.array([1.5]), 'b': [np.array([3], dtype=np.int32)]})"),
    ("collate", "data.default_convert(null)", "data.default_convert(None)"),
    ("collate", "data.default_convert(2.5)", "data.default_convert(2.5)"),
    # loaders
    ("loader", "[...new data.DataLoader(tensors(5), {batch_size: 2})]", "list(data.DataLoader(tensors(5), batch_size=2))"),
    ("loader", "[...new data.DataLoader(tensors(5), {batch_size: 2, drop_last: true})]", "list(data.DataLoader(tensors(5), batch_size=2, drop_last=True))"),
    ("loader", "[...new data.DataLoader(tensors(3))]", "list(data.DataLoader(tensors(3)))"),
    ("loader", "[...new data.DataLoader(tensors(3), {batch_size: null})]", "list(data.DataLoader(tensors(3), batch_size=None))"),
    ("loader", "[...new data.DataLoader(range(10), 4)]", "list(data.DataLoader(range(10), 4))"),
    ("loader", "[...new data.DataLoader([0.5, 1.5, 2.5], 2)]", "list(data.DataLoader([0.5, 1.5, 2.5], 2))"),
    ("loader", "[...new data.DataLoader(torch.arange(6).view(3, 2), 2)]", "list(data.DataLoader(torch.arange(6).view(3, 2), 2))"),
    ("loader", "[...new data.DataLoader('abc', {batch_size: 2})]", "list(data.DataLoader('abc', batch_size=2))"),
    ("loader", "[...new data.DataLoader(new Squares(5), {batch_size: 2})]", "list(data.DataLoader(Squares(5), batch_size=2))"),
    ("loader", "[...new data.DataLoader(new Batched(5), {batch_size: 2})]", "list(data.DataLoader(Batched(5), batch_size=2))"),
    ("loader", "[...new data.DataLoader(new data.StackDataset({a: [1, 2, 3], b: 'abc'}), {batch_size: 2})]", "list(data.DataLoader(data.StackDataset(a=[1, 2, 3], b='abc'), batch_size=2))"),
    ("loader", "[...new data.DataLoader(new Drawing(), {batch_size: 2, shuffle: true})]", "list(data.DataLoader(Drawing(), batch_size=2, shuffle=True))"),
    ("loader", "[...new data.DataLoader(new Drawing(), {batch_size: 2})]", "list(data.DataLoader(Drawing(), batch_size=2))"),
    ("loader", "passes(new data.DataLoader(range(12), {batch_size: 5, shuffle: true}), 3)", "passes(data.DataLoader(range(12), batch_size=5, shuffle=True), 3)"),
    ("loader", "passes(new data.DataLoader(range(6), {batch_size: 3, shuffle: true, generator: gen(7)}), 3)", "passes(data.DataLoader(range(6), batch_size=3, shuffle=True, generator=gen(7)), 3)"),
    ("loader", "passes(new data.DataLoader(range(6), {batch_size: 4, generator: gen(7)}), 2)", "passes(data.DataLoader(range(6), batch_size=4, generator=gen(7)), 2)"),
    ("loader", "((g) => [[...new data.DataLoader(range(6), {batch_size: 4, drop_last: true, shuffle: true, generator: g})], torch.rand(2, {generator: g})])(gen(7))", "(lambda g: [list(data.DataLoader(range(6), batch_size=4, drop_last=True, shuffle=True, generator=g)), torch.rand(2, generator=g)])(gen(7))"),
    ("loader", "take(new data.DataLoader(range(6), {batch_size: 2, shuffle: true}), 1)", "take(data.DataLoader(range(6), batch_size=2, shuffle=True), 1)"),
    ("loader", "take(new data.DataLoader(range(6), {batch_size: 2, shuffle: true}), 0)", "take(data.DataLoader(range(6), batch_size=2, shuffle=True), 0)"),
    ("loader", "[...new data.DataLoader(range(6), {sampler: [5, 3, 1], batch_size: 2})]", "list(data.DataLoader(range(6), sampler=[5, 3, 1], batch_size=2))"),
    ("loader", "[...new data.DataLoader(range(4), {sampler: new Reversed(4), batch_size: 3})]", "list(data.DataLoader(range(4), sampler=Reversed(4), batch_size=3))"),
    ("loader", "[...new data.DataLoader(range(6), {batch_sampler: [[5, 3], [1]]})]", "list(data.DataLoader(range(6), batch_sampler=[[5, 3], [1]]))"),
    ("loader", "[...new data.DataLoader({a: 1, b: 2}, {sampler: ['b', 'a']})]", "list(data.DataLoader({'a': 1, 'b': 2}, sampler=['b', 'a']))"),
    ("loader", "[...new data.DataLoader(range(4), {batch_size: 2, collate_fn: (b) => b})]", "list(data.DataLoader(range(4), batch_size=2, collate_fn=lambda b: b))"),
    ("loader", "[...new data.DataLoader(range(2), {collate_fn: 5})]", "list(data.DataLoader(range(2), collate_fn=5))"),
    ("loader", "[...new data.DataLoader(range(2), {batch_size: null, collate_fn: (b) => [b]})]", "list(data.DataLoader(range(2), batch_size=None, collate_fn=lambda b: [b]))"),
    ("loader", "[...new data.DataLoader(new Count(5), {batch_size: 2})]", "list(data.DataLoader(Count(5), batch_size=2))"),
    ("loader", "[...new data.DataLoader(new Count(5), {batch_size: 2, drop_last: true})]", "list(data.DataLoader(Count(5), batch_size=2, drop_last=True))"),
    ("loader", "[...new data.DataLoader(new Count(3), {batch_size: null})]", "list(data.DataLoader(Count(3), batch_size=None))"),
    ("loader", "[...new data.DataLoader(new Count(0))]", "list(data.DataLoader(Count(0)))"),
    ("loader", "[...new data.DataLoader([])]", "list(data.DataLoader([]))"),
    ("loader", "((l) => [l.__len__(), [...l]])(new data.DataLoader(new Short(5), {batch_size: null}))", "(lambda l: [len(l), list(l)])(data.DataLoader(Short(5), batch_size=None))"),
    ("loader", "((l) => [l.__len__(), [...l]])(new data.DataLoader(new Short(5), {batch_size: 2}))", "(lambda l: [len(l), list(l)])(data.DataLoader(Short(5), batch_size=2))"),
    ("loader", "new data.DataLoader(new Short(7), {batch_size: 2, drop_last: true}).__len__()", "len(data.DataLoader(Short(7), batch_size=2, drop_last=True))"),
    ("loader", "new data.DataLoader(new Count(7)).__len__()", "len(data.DataLoader(Count(7)))"),
    ("loader", "[[10, false], [10, true], [9, false], [0, false]].map(([n, d]) => new data.DataLoader(range(n), {batch_size: 3, drop_last: d}).__len__())", "[len(data.DataLoader(range(n), batch_size=3, drop_last=d)) for n, d in ((10, False), (10, True), (9, False), (0, False))]"),
    ("loader", "new data.DataLoader(range(6), {batch_sampler: [[5, 3], [1]]}).__len__()", "len(data.DataLoader(range(6), batch_sampler=[[5, 3], [1]]))"),
    ("loader", "new data.DataLoader(range(6), {batch_size: null}).__len__()", "len(data.DataLoader(range(6), batch_size=None))"),
    ("loader", "new data.DataLoader(range(5), {batch_size: 2}).__iter__().__len__()", "len(iter(data.DataLoader(range(5), batch_size=2)))"),
    ("loader", "((l) => ['batch_size', 'drop_last', 'num_workers', 'prefetch_factor', 'persistent_workers', 'pin_memory', 'pin_memory_device', 'timeout', 'worker_init_fn', 'multiprocessing_context', 'generator', 'in_order'].map((n) => l[n]))(new data.DataLoader([1]))", "(lambda l: [getattr(l, n) for n in ['batch_size', 'drop_last', 'num_workers', 'prefetch_factor', 'persistent_workers', 'pin_memory', 'pin_memory_device', 'timeout', 'worker_init_fn', 'multiprocessing_context', 'generator', 'in_order']])(data.DataLoader([1]))"),
    ("loader", "((l) => [l.batch_size, l.sampler.constructor.name, l.batch_sampler.constructor.name, l.collate_fn === data.default_collate])(new data.DataLoader([1], {shuffle: true}))", "(lambda l: [l.batch_size, type(l.sampler).__name__, type(l.batch_sampler).__name__, l.collate_fn is data.default_collate])(data.DataLoader([1], shuffle=True))"),
    ("loader", "((l) => [l.batch_size, l.sampler.constructor.name, l.batch_sampler, l.collate_fn === data.default_convert])(new data.DataLoader([1], {batch_size: null}))", "(lambda l: [l.batch_size, type(l.sampler).__name__, l.batch_sampler, l.collate_fn is data.default_convert])(data.DataLoader([1], batch_size=None))"),
    ("loader", "((l) => [l.batch_size, l.drop_last, l.sampler.constructor.name])(new data.DataLoader([1], {batch_sampler: [[0]]}))", "(lambda l: [l.batch_size, l.drop_last, type(l.sampler).__name__])(data.DataLoader([1], batch_sampler=[[0]]))"),
    ("loader", "new data.DataLoader(new Count(2)).sampler.constructor.name", "type(data.DataLoader(Count(2)).sampler).__name__"),
    ("loader", "[...new data.DataLoader([1, 2], {pin_memory: true})]", "list(data.DataLoader([1, 2], pin_memory=True))"),
    ("loader", "[...new data.DataLoader([1, 2], {pin_memory: true, pin_memory_device: 'cuda'})]", "list(data.DataLoader([1, 2], pin_memory=True, pin_memory_device='cuda'))"),
    ("loader", "data.get_worker_info()", "data.get_worker_info()"),
    # refusals
    ("refusal", "new data.DataLoader([1], {num_workers: -1})", "data.DataLoader([1], num_workers=-1)"),
    ("refusal", "new data.DataLoader([1], {timeout: -1})", "data.DataLoader([1], timeout=-1)"),
    ("refusal", "new data.DataLoader([1], {prefetch_factor: 2})", "data.DataLoader([1], prefetch_factor=2)"),
    ("refusal", "new data.DataLoader([1], {num_workers: 1, prefetch_factor: -2})", "data.DataLoader([1], num_workers=1, prefetch_factor=-2)"),
    ("refusal", "new data.DataLoader([1], {persistent_workers: true})", "data.DataLoader([1], persistent_workers=True)"),
    ("refusal", "new data.DataLoader([1], {multiprocessing_context: 'fork'})", "data.DataLoader([1], multiprocessing_context='fork')"),
    ("refusal", "new data.DataLoader(new Count(2), {shuffle: true})", "data.DataLoader(Count(2), shuffle=True)"),
    ("refusal", "new data.DataLoader(new Count(2), {shuffle: false}).batch_size", "data.DataLoader(Count(2), shuffle=False).batch_size"),
    ("refusal", "new data.DataLoader(new Count(2), {sampler: [0, 1]})", "data.DataLoader(Count(2), sampler=[0, 1])"),
    ("refusal", "new data.DataLoader(new Count(2), {batch_sampler: [[0]]})", "data.DataLoader(Count(2), batch_sampler=[[0]])"),
    ("refusal", "new data.DataLoader([1], {shuffle: true, sampler: [0]})", "data.DataLoader([1], shuffle=True, sampler=[0])"),
    ("refusal", "new data.DataLoader([1], {batch_sampler: [[0]], batch_size: 2})", "data.DataLoader([1], batch_sampler=[[0]], batch_size=2)"),
    ("refusal", "new data.DataLoader([1], {batch_sampler: [[0]], shuffle: true})", "data.DataLoader([1], batch_sampler=[[0]], shuffle=True)"),
    ("refusal", "new data.DataLoader([1], {batch_sampler: [[0]], drop_last: true})", "data.DataLoader([1], batch_sampler=[[0]], drop_last=True)"),
    ("refusal", "new data.DataLoader([1], {batch_sampler: [[0]], sampler: [0]})", "data.DataLoader([1], batch_sampler=[[0]], sampler=[0])"),
    ("refusal", "new data.DataLoader([1], {batch_size: null, drop_last: true})", "data.DataLoader([1], batch_size=None, drop_last=True)"),
    ("refusal", "new data.DataLoader([1], {batch_size: 0})", "data.DataLoader([1], batch_size=0)"),
    ("refusal", "new data.DataLoader([1], {batch_size: 2.5})", "data.DataLoader([1], batch_size=2.5)"),
    ("refusal", "new data.DataLoader([], {shuffle: true})", "data.DataLoader([], shuffle=True)"),
    ("refusal", "new data.DataLoader(new data.Dataset(), {shuffle: true})", "data.DataLoader(data.Dataset(), shuffle=True)"),
    ("refusal", "new data.DataLoader(5).__len__()", "len(data.DataLoader(5))"),
    ("refusal", "[...new data.DataLoader([1], {timeout: 1})]", "list(data.DataLoader([1], timeout=1))"),
    ("refusal", "[...new data.DataLoader([1, 2], {sampler: [5]})]", "list(data.DataLoader([1, 2], sampler=[5]))"),
    ("refusal", "[...new data.DataLoader({a: 1}, {sampler: ['z']})]", "list(data.DataLoader({'a': 1}, sampler=['z']))"),
    ("refusal", "set(new data.DataLoader([1]), 'batch_size', 2)", "setattr(data.DataLoader([1]), 'batch_size', 2)"),
    ("refusal", "set(new data.DataLoader([1]), 'dataset', [2])", "setattr(data.DataLoader([1]), 'dataset', [2])"),
    ("refusal", "set(new data.DataLoader([1]), 'persistent_workers', true)", "setattr(data.DataLoader([1]), 'persistent_workers', True)"),
    ("refusal", "set(new data.DataLoader([1]), 'timeout', 2)", "setattr(data.DataLoader([1]), 'timeout', 2)"),
    ("refusal", "new data.DataLoader()", "data.DataLoader()"),
    ("refusal", "new data.DataLoader([1], {batchsize: 2})", "data.DataLoader([1], batchsize=2)"),
]


def encode(v):
    if isinstance(v, torch.Tensor):
        return {"tensor": [str(v.dtype)[6:], list(v.shape), v.flatten().tolist()]}
    if isinstance(v, dict):
        return {"dict": [[encode(a), encode(b)] for a, b in v.items()]}
    if isinstance(v, (list, tuple)):
        return [encode(x) for x in v]
    if v is None or isinstance(v, (bool, int, float, str)):
        return v
    return {"object": type(v).__name__}


def outcome(text):
    import numpy as np

    names = {**globals(), "np": np}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.manual_seed(0)
        try:
            made = {"value": encode(eval(text, names))}
            made["after"] = torch.rand(2).tolist()
        except Exception as e:  # noqa: BLE001
            made = {"error": type(e).__name__, "message": str(e.args[0]) if isinstance(e, KeyError) else str(e)}
    made["warnings"] = [[w.category.__name__, str(w.message)] for w in caught]
    return made


def main(target):
    if not torch.__version__.startswith("2.13.0"):
        sys.exit(f"the reference is PyTorch 2.13.0; this is {torch.__version__}")
    rows = [[group, ts, py, outcome(py)] for group, ts, py in CASES]
    made = {"torch": torch.__version__, "script": "tools/oracle/record_data.py", "rows": rows}
    with gzip.GzipFile(target, "wb", mtime=0) as out:
        out.write(json.dumps(made, separators=(",", ":")).encode())
    print(len(rows), "rows")


if __name__ == "__main__":
    main(*sys.argv[1:])
