/**
 * Archives of scripts: names and order of records, what they hold, and that a module that was written and read computes the same.
 */

import torch, { jit } from "glasstorch/jit";
import { python } from "glasstorch/python";
import { expect, test } from "vitest";
import { MemoryReadAdapter } from "#caffe2/serialize/in_memory_adapter";
import { PyTorchStreamReader } from "#caffe2/serialize/PyTorchStreamReader";

const program = python(
  `
import torch
from torch import nn, Tensor
import torch.nn.functional as F
from enum import Enum
from typing import NamedTuple, List, Optional

class Color(Enum):
    RED = 1
    BLUE = 2

class Point(NamedTuple):
    x: Tensor
    n: int

class Counter:
    def __init__(self, start: int):
        self.n = start
    def bump(self) -> int:
        self.n += 1
        return self.n

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        self.color = Color.BLUE
        self.sizes = [1, 2, 300, 70000]
        self.names = {"a": 1.5}
        self.register_buffer("scale", torch.tensor([2.0]))
    def forward(self, x):
        c = Counter(3)
        n = c.bump()
        fut = torch.jit.fork(self.net, x)
        y = torch.jit.wait(fut) * self.scale
        if self.color == Color.BLUE:
            y = F.log_softmax(y, dim=-1)
        l: List[Optional[Tensor]] = [y, None]
        return Point(y, n + len(l)), "\\u00fc", self.sizes[3], self.names["a"], float("inf")
`,
  { filename: "archive_net.py", name: "archive_net" },
) as unknown as { Net: new () => unknown };

const scripted = jit.script(Reflect.construct(program.Net as never, [])) as jit.RecursiveScriptModule;
const bytes = jit.save(scripted, null, { _extra_files: new Map([["notes.txt", "hello"]]) }) as Uint8Array;
const reader = new PyTorchStreamReader(new MemoryReadAdapter(bytes));
const x = torch.linspace(-1, 1, 6).reshape(2, 3);

test("records are in PyTorch's order, and their data is aligned", () => {
  const names = reader.getAllRecords();
  const places = new Map(names.map((name) => [name, reader.getRecordOffset(name)]));
  const in_order = [...names].sort((a, b) => (places.get(a) as number) - (places.get(b) as number));
  // Which class has a mangled name depends on what was scripted before.
  const shown = in_order.map((name) => name.replace(/\/___torch_mangle_\d+/, ""));
  expect(shown.filter((name) => !name.endsWith(".debug_pkl"))).toEqual([
    "extra/notes.txt",
    ...[0, 1, 2, 3, 4].map((i) => `data/${i}`),
    "data.pkl",
    "code/__torch__/archive_net.py",
    "code/__torch__/torch/nn/modules/container.py",
    "code/__torch__/torch/nn/modules/linear.py",
    "code/__torch__/torch/nn/modules/activation.py",
    "code/__torch__/torch/nn/modules/linear.py",
    "code/__torch__/torch/nn/functional.py",
    "constants.pkl",
    "version",
    "byteorder",
    ".data/serialization_id",
  ]);
  for (const place of places.values()) expect(place % 64).toBe(0);
});

test("code of classes", () => {
  const text = new TextDecoder().decode(reader.getRecord("code/__torch__/archive_net.py"));
  expect(text).toContain("class Color(Enum):\n  RED = 1\n  BLUE = 2\n");
  expect(text).toContain("class Point(NamedTuple):\n  x : Tensor\n  n : int\n");
  expect(text).toContain("    def __forked_function():\n");
  expect(text).toContain("CONSTANTS.c0");
});

test("a module that was read computes the same, and has the same code", () => {
  const extra = new Map<string, unknown>([["notes.txt", ""]]);
  const loaded = jit.load(bytes, { _extra_files: extra });
  expect(new TextDecoder().decode(extra.get("notes.txt") as Uint8Array)).toBe("hello");
  const part = (out: unknown): unknown[] => {
    const [[y, n], ...rest] = out as [[typeof x, number], ...unknown[]];
    return [y.tolist(), n, ...rest];
  };
  expect(part(loaded(x))).toEqual(part(scripted(x)));
  expect([...loaded.state_dict().keys()]).toEqual([...scripted.state_dict().keys()]);
  expect(jit.save(loaded, null)).not.toBeNull();
});

test("an error in code that was read shows the line of the program", () => {
  const loaded = jit.load(bytes);
  expect(() => loaded(torch.ones(2, 5))).toThrow(/serialized code[\s\S]*original code[\s\S]*archive_net\.py/);
});

test("a function", () => {
  const unit = new jit.CompilationUnit("def f(x, n: int):\n    return x * n\n") as unknown as { f: jit.ScriptFunction };
  const loaded = jit.load(jit.save(unit.f, null) as Uint8Array);
  expect((loaded(x, 3) as typeof x).tolist()).toEqual(x.mul(3).tolist());
  expect(loaded.original_name).toBe("PlaceholderModule");
});

test("the dict of a program gets bytes for every name", () => {
  const program = python(
    `
import io, torch
file = io.BytesIO()
torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), file, _extra_files={"text": "hello", "bytes": b"\\x00\\xff"})
file.seek(0)
files = {"text": "", "bytes": None, "missing": "kept?"}
torch.jit.load(file, _extra_files=files)
said = str(files)
`,
    { filename: "extra_files.py" },
  );
  expect(program["said"]).toBe("{'text': b'hello', 'bytes': b'\\x00\\xff', 'missing': b''}"); // as PyTorch 2.13.0 prints it
});
